"""`companion referee`: the rules engine on standard input and output."""

from __future__ import annotations

import argparse
import sys

from companion import referee

ERRORS: tuple[type[Exception], ...] = ()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No options: everything is said in the protocol."""
    parser.epilog = 'One JSON object a line in, one out; {"cmd": "quit"} or the end of input ends it.'


def run(args: argparse.Namespace) -> int:  # noqa: ARG001 - every command has this shape
    """Speak the protocol until the end of input."""
    return referee.main(sys.stdin, sys.stdout)
