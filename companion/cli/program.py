"""The command line: reads the arguments, hands over to one command, and turns errors into one clear line.

Exit status 0 done, 1 not done (one line on standard error), 2 wrong usage, 130 broken off with Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import NamedTuple, TextIO, cast

import companion
from companion import heap
from companion.cli.output import Output, OutputError


class Command(NamedTuple):
    """A command of the program.

    `module` has `add_arguments(parser)`, `run(args) -> int` and `ERRORS`: the errors whose text is one sentence for
    the person who typed the command.
    """

    module: str
    help: str


COMMANDS = {
    "play": Command(
        "companion.cli.play", "the touchscreen, or a simulated game in the terminal where there is no screen"
    ),
    "calibrate": Command("companion.cli.calibrate", "calibrate camera and table, live or from pictures"),
    "doctor": Command("companion.cli.doctor", "camera, buttons, screen, disk, clock: ok, or what to do"),
    "print": Command("companion.cli.print_targets", "corner cards, lens sheet, ruler and swatch layout as a PDF"),
    "recognise": Command("companion.cli.recognise", "write the layout that each picture shows"),
    "track": Command("companion.cli.track", "from a position and pictures in order to the actions that were done"),
    "referee": Command("companion.cli.referee", "the rules engine on standard input and output, a JSON object a line"),
    "verify": Command("companion.cli.verify", "check a finished game against its published fingerprint"),
    "games": Command("companion.cli.games", "the games played, newest first"),
    "export": Command("companion.cli.export", "a game's record as JSON"),
    "screens": Command("companion.cli.screens", "a picture of every screen in every state and language"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    heap.share()
    # Before numpy is imported: on matrices as small as recognition's, threads take twice the time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What OpenCV has to say about a camera that is not there is said in one line by the command.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    output = Output(sys.stdout)
    status = 0
    try:
        with contextlib.redirect_stdout(cast(TextIO, output)):
            try:
                status = _run(list(sys.argv[1:] if argv is None else argv))
            except KeyboardInterrupt:  # also while the command is loaded, which takes seconds on a small computer
                status = 130
            finally:
                output.flush()
    except OutputError as e:
        output.give_up()
        print(f"companion: {e}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        output.give_up()  # the reader has gone (`| head`): nothing is wrong with us
    return status


def _run(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="companion", description="The table companion for Survive: Escape from Atlantis!"
    )
    parser.add_argument("--version", action="version", version=f"companion {companion.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    # Only the command that is run is imported: the referee must not wait for Kivy nor OpenCV.
    chosen = next((a for a in arguments if not a.startswith("-")), None)
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.help, description=command.help)
        if name == chosen:
            module = importlib.import_module(command.module)
            module.add_arguments(sub)
            sub.set_defaults(run=module.run, errors=module.ERRORS, wrong_usage=sub.error)
    args, unknown = parser.parse_known_args(arguments)
    if unknown:  # `parse_args` would show the usage of the whole program
        before = arguments[: arguments.index(args.command)]
        complain = parser.error if unknown[0] in before else args.wrong_usage
        complain(f"unrecognized arguments: {' '.join(unknown)}")
    # A service manager's stop is an ordinary end: files are closed, temporary folders go.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        status: int = args.run(args)
    except args.errors as e:
        print(f"companion {args.command}: {e}", file=sys.stderr)
        return 1
    return status
