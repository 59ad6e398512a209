"""How far a command has come, on a terminal's standard error: what is written to standard output stays there."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress

Item = TypeVar("Item")


def progress(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items one by one; meanwhile a bar, if nothing else is written to the terminal that shows it."""
    terminal = Console(stderr=True)
    is_shown = terminal.is_terminal and not sys.stdout.isatty()
    with Progress(console=terminal, transient=True, redirect_stdout=False, disable=not is_shown) as bar:
        yield from bar.track(items, description=what)
