"""Kinds of arguments that several commands take."""

from __future__ import annotations

import argparse
from pathlib import Path

MOST_SEED = 2**63 - 1


def size(text: str) -> tuple[int, int]:
    """A width and a height in px, written `800x480`. Raises ArgumentTypeError."""
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        width, height = 0, 0
    if width <= 0 or height <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 800x480")
    return width, height


def place(text: str) -> Path:
    """Where a file or a folder lies. Raises ArgumentTypeError if it is empty, as of a variable that is not set.

    It would be the folder that one is in.
    """
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(text)


def seed(text: str) -> int:
    """A whole number. Raises ArgumentTypeError if it is none that chance can begin with."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number <= MOST_SEED:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 to {MOST_SEED}")
    return number
