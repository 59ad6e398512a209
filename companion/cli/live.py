"""The guided calibration on a terminal: a few lines that change in place, and single keys."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from companion.calibrating import GuideState, words
from companion.i18n import _

KEYS = {"\n": "take", "\r": "take", " ": "take", "b": "back", "s": "skip", "q": "quit"}


def on_terminal() -> bool:
    """True if somebody sees what is written and can press keys."""
    return sys.stdin.isatty() and sys.stderr.isatty()


class TerminalFace:
    """Lines on standard error, so that standard output is for the result. Use it with `with`."""

    attended = True

    def __init__(self) -> None:
        self._live = Live(console=Console(stderr=True, highlight=False), auto_refresh=False)
        self._before: list[object] | None = None
        self._result = False

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._live.stop()
        if self._before is not None:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)  # type: ignore[arg-type]

    def show(self, state: GuideState, by_key: bool) -> None:
        """Draw the lines anew."""
        self._result = state.step == "result"
        self._live.update(Group(*lines(state, by_key)), refresh=True)

    def key(self) -> str:
        """The key pressed since the last call; in the last step it is waited for."""
        ready, _write, _errors = select.select([sys.stdin], [], [], None if self._result else 0.0)
        if not ready:
            return ""
        typed = os.read(sys.stdin.fileno(), 64)
        if not typed:  # the terminal has gone
            return "quit"
        # what an arrow key sends ends in a letter, too: that is several characters, a key held down is one
        pressed = set(typed.decode(errors="ignore").lower())
        return KEYS.get(pressed.pop(), "") if len(pressed) == 1 else ""


def lines(state: GuideState, by_key: bool) -> list[Text]:
    """What the terminal shows of a state."""
    title = _("Step {number} of {count}").format(number=state.number, count=len(state.steps))
    shown = [Text(f"{title}  {state.task}", style="bold")]
    if state.assessment is not None:
        grade = words.grade(state.assessment)
        shown.append(Text(_("Calibration: {grade}").format(grade=grade), style="bold"))
        shown += [Text(f"  - {line}") for line in words.advice(state.assessment)]
        keep = _("Return keeps it, B takes the pictures again, Q ends.")
        again = _("It is too poor to keep: B takes the pictures again, Q ends.")
        return [*shown, Text(again if state.assessment.grade == "poor" else keep, style="dim")]
    sight = state.sight
    if sight.views is not None and sight.coverage is not None:
        taken, wanted = sight.views
        share = round(100 * sight.coverage)
        text = _("{taken} of {wanted} pictures, {share} % of the picture covered")
        shown.append(Text("  " + text.format(taken=taken, wanted=wanted, share=share)))
    if state.refusal:
        shown.append(Text(f"  ! {state.refusal}", style="red"))
    shown += [Text(f"  - {line}", style="yellow") for line in sight.advice]
    if sight.ready:
        shown.append(Text("  " + (_("Ready: press Return.") if by_key else _("Ready.")), style="green"))
    if by_key:
        keys = _("Return takes the picture, B goes back a step, Q ends.")
    else:
        keys = _("Pictures are taken by themselves when they are ready. B goes back a step, Q ends.")
    if state.step == "lens":
        keys += " " + _("S goes on without the lens sheet.")
    return [*shown, Text(keys, style="dim")]
