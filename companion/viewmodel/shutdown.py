"""Shutting down, from wherever it is asked for: the question, the last words, then the machine's own end.

In: the frame's machine, if anything is known of it. Out: dialogs, and the machine told to shut down once its last words
are on the screen. What the machine refuses is raised; then it stays on.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.i18n import _
from companion.viewmodel.presenter import DialogPresenter, Shell
from companion.viewmodel.states import Button, Dialog

FAREWELL_S = 0.3
"""So long the last words are shown before the machine goes down: they must be on the screen by then."""


class Shutdown:
    """One for the whole program; `tick` is called with the time."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._down_at: float | None = None
        """When the machine goes down."""

    def ask(self) -> None:
        """Ask whether to, where there is a machine that can be shut down and it is not going down already."""
        machine = self._shell.machine
        if machine and self._down_at is None:
            self._shell.ask(ShutDown(self._begin, appliance=machine.appliance))

    def _begin(self) -> None:
        if machine := self._shell.machine:
            self._shell.ask(ShuttingDown(appliance=machine.appliance))
            self._down_at = self._shell.now + FAREWELL_S

    def tick(self, now: float) -> None:
        """The machine goes down when its last words stand there. Raises what it refuses with."""
        if self._down_at is None or now < self._down_at:
            return
        self._down_at = None
        machine = self._shell.machine
        assert machine is not None, "it was asked whether to shut it down"
        try:
            machine.shut_down()
        except Exception:
            self._shell.ask(None)  # the frame says why it stays on
            raise


class ShutDown(DialogPresenter):
    """Asked once. On an appliance it says when the plug may be pulled."""

    def __init__(self, shut_down: Callable[[], None], *, appliance: bool) -> None:
        self._shut_down = shut_down
        self._appliance = appliance

    def state(self) -> Dialog:
        """Nothing is lost either way."""
        return Dialog(
            title=_("Shut down?"),
            text=" ".join((_("The game is kept at every step."), _what_happens(appliance=self._appliance))),
            answers=(Button(id="shut_down", text=_("Shut down"), icon="power", kind="danger"),),
            safe=Button(id="stay", text=_("Stay on"), kind="primary"),
        )

    def press(self, button_id: str) -> None:
        """Down it goes."""
        if button_id == "shut_down":
            self._shut_down()


class ShuttingDown(DialogPresenter):
    """The last thing on the screen; there is nothing to answer."""

    def __init__(self, *, appliance: bool) -> None:
        self._appliance = appliance

    def state(self) -> Dialog:
        """When the plug may be pulled."""
        return Dialog(
            title=_("Shutting down"),
            text=_what_happens(appliance=self._appliance),
            safe=Button(id="wait", text=_("One moment"), kind="primary", enabled=False),
        )


def _what_happens(*, appliance: bool) -> str:
    if appliance:
        return _("Pull the plug only when the screen is dark and the computer’s green lamp has stopped blinking.")
    return _("The program closes; the computer stays on.")
