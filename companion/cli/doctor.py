"""`companion doctor`: a line for every part of the machine, ok or what to do."""

from __future__ import annotations

import argparse
import sys
import time

import msgspec

from companion.cli import devices
from companion.cli.checkup import check_up
from companion.cli.finding import Finding, System
from companion.settings import SettingsError, folders, load_settings
from hardware.panel import BUTTONS, HardwareError, open_panel

ERRORS: tuple[type[Exception], ...] = (HardwareError, SettingsError)

SOUND_S = 1.5
"""The longest sound is over by then."""

_MARKS = {"ok": "ok", "note": "note", "missing": "MISSING"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--buttons` to press each one, `--sound` to hear one, `--json` for programs."""
    parser.add_argument("--buttons", action="store_true", help="also wait until every button has been pressed")
    parser.add_argument("--seconds", type=float, default=30.0, help="with --buttons: wait so long (30)")
    parser.add_argument("--sound", action="store_true", help="also play a sound")
    parser.add_argument("--json", action="store_true", help="one JSON list instead of the lines")


def run(args: argparse.Namespace) -> int:
    """Print what was found; 1 if something needed is missing."""
    found: list[Finding] = []
    for finding in check_up(System(), folders()):
        found.append(finding)
        if not args.json:
            print(_line(finding), flush=True)
    if args.sound:
        _play_one()
    if args.buttons:
        found.append(_press_each(args.seconds))
        if not args.json:
            print(_line(found[-1]))
    if args.json:
        print(msgspec.json.encode(found).decode())
    return int(any(finding.state == "missing" for finding in found))


def _line(finding: Finding) -> str:
    return f"{finding.part:<12} {_MARKS[finding.state]:<8} {finding.text}"


def _play_one() -> None:
    """The sound of a turn, loud; what is wrong with the speaker has a line of its own."""
    with devices.speaker(load_settings(folders().settings)) as speaker:
        speaker.play("turn", 1.0)
        time.sleep(SOUND_S)


def _press_each(seconds: float) -> Finding:
    """Light a button's lamp while it is held, until each has been pressed or the time is up."""
    name = devices.panel_name(load_settings(folders().settings))
    if name != "gpio":
        return Finding("buttons", "note", "There is no button panel here; the keyboard does the same.")
    left = list(BUTTONS)
    until = time.monotonic() + seconds
    with open_panel(name) as panel:
        print(f"Press each button once: {', '.join(left)}.", file=sys.stderr)
        while left and time.monotonic() < until:
            for event in panel.poll():
                if event.button.startswith("player"):
                    panel.set_led(event.button, event.pressed)
                if event.pressed and event.button in left:
                    left.remove(event.button)
                    print(f"{event.button}: seen", file=sys.stderr)
            time.sleep(0.02)
    if left:
        text = f"Nothing came from {', '.join(left)}: check these wires against the wiring, then try again."
        return Finding("buttons", "missing", text)
    return Finding("buttons", "ok", f"All {len(BUTTONS)} were pressed.")
