"""Kinds of arguments that several commands take."""

from __future__ import annotations

import argparse


def size(text: str) -> tuple[int, int]:
    """A width and a height in px, written `800x480`. Raises ArgumentTypeError."""
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        width, height = 0, 0
    if width <= 0 or height <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 800x480")
    return width, height
