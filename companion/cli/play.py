"""`companion play`: the touchscreen, or where there is no screen the simulated game in the terminal."""

from __future__ import annotations

import argparse
import sys
import time

from companion.cli import devices
from companion.cli.devices import CameraChoiceError
from companion.settings import SettingsError, folders, load_settings
from companion.table.errors import TableError
from companion.table.journal import Journal
from companion.watch.link import WatchedTable
from companion.watch.watcher import Watcher
from hardware.errors import HardwareError

ERRORS: tuple[type[Exception], ...] = (CameraChoiceError, SettingsError, TableError, HardwareError)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Camera, screen."""
    devices.add_camera_arguments(parser)
    parser.add_argument(
        "--terminal", action="store_true", help="the simulated game in the terminal, even with a screen"
    )
    parser.add_argument("--size", metavar="WxH", type=_size, default=(800, 480), help="of the window, in px (800x480)")
    parser.add_argument("--rotation", type=int, choices=(0, 90, 180, 270), help="of the screen, in degrees")
    parser.add_argument("--fullscreen", action="store_true", help="fill the screen")


def run(args: argparse.Namespace) -> int:
    """Play until the window is closed or the terminal's game is over."""
    if args.terminal or not devices.has_screen():
        if not args.terminal:
            print("No screen here: playing the simulated game in the terminal.", file=sys.stderr)
        from companion.cli.terminal import play_in_terminal

        return play_in_terminal(args.seed)
    return _play_on_screen(args)


def _play_on_screen(args: argparse.Namespace) -> int:
    from companion import ui
    from companion.viewmodel.app import AppViewModel

    where = folders()
    settings = load_settings(where.settings)
    plan, line = devices.plan(args, settings, where)
    print(line, file=sys.stderr)
    with Journal(where.journal) as journal, Watcher(plan, now=time.monotonic()) as watcher:
        if journal.notice:
            print(journal.notice, file=sys.stderr)
        table = WatchedTable(watcher)
        raise NotImplementedError(AppViewModel, ui, table)


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 800x480") from None
    return width, height
