"""`companion doctor`: a line for every part of the machine, ok or what to do."""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Iterator

import msgspec

from companion.cli import devices
from companion.cli.checkup import check_up
from companion.cli.finding import Finding, System
from companion.settings import Settings, folders, read_settings
from hardware.panel import BUTTONS, HardwareError, open_panel
from hardware.sound import Outcome, SoundError, open_speaker
from hardware.sound.cards import configurations

ERRORS: tuple[type[Exception], ...] = (HardwareError,)

SOUND_S = 1.5
"""The longest sound is over by then."""

POLL_S = 0.05

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
    for finding in itertools.chain(check_up(System(), folders()), _tried(args)):
        found.append(finding)
        if not args.json:
            print(_line(finding), flush=True)
    if args.json:
        print(msgspec.json.encode(found).decode())
    return int(any(finding.state == "missing" for finding in found))


def _line(finding: Finding) -> str:
    return f"{finding.part:<12} {_MARKS[finding.state]:<8} {finding.text}"


def _tried(args: argparse.Namespace) -> Iterator[Finding]:
    """What somebody has to hear or to press. What is wrong with the settings has been said."""
    settings = read_settings(folders().settings).settings
    if args.sound:
        yield _play_one(settings)
    if args.buttons:
        yield _press_each(settings, args.seconds)


def _play_one(settings: Settings) -> Finding:
    """The sound of a turn, loud, on one card after the other until one plays it."""
    name = devices.speaker_name(settings)
    if name == "none":
        text = "The settings say: no sounds." if settings.speaker == "none" else "There is no sound card."
        return Finding("sound played", "note", text)
    try:
        outcome = _outcome(name)
    except SoundError as error:
        return Finding("sound played", "missing", str(error))
    if outcome is None:
        return Finding("sound played", "note", "The device does not tell whether it was heard.")
    _machines, own = configurations()
    text = (
        f"{outcome.text}. Nothing heard? Check its plug, or name another card of `aplay -l` in {own}:"
        " `defaults.pcm.!card NAME`."
    )
    return Finding("sound played", "ok" if outcome.played else "missing", text)


def _outcome(name: str) -> Outcome | None:
    """What became of it, as soon as the longest sound is over. Raises SoundError."""
    until = time.monotonic() + SOUND_S
    with open_speaker(name) as speaker:
        speaker.play("turn", 1.0)
        while time.monotonic() < until:
            speaker.poll()
            time.sleep(POLL_S)
        return speaker.outcome


def _press_each(settings: Settings, seconds: float) -> Finding:
    """Light a button's lamp while it is held, until each has been pressed or the time is up."""
    name = devices.panel_name(settings)
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
