"""0. The games cannot be opened: why, what to do, a button that tries again, and one that leaves.

In: the error that the record of games was refused with. Out: a screen instead of home, for without the record nothing
may be played. What is told is the error's own sentence.
"""

from __future__ import annotations

from companion.faults import told
from companion.i18n import _, ngettext
from companion.table.errors import JournalError, TableError
from companion.viewmodel.board import board_view
from companion.viewmodel.home import chart
from companion.viewmodel.presenter import Presenter, Shell
from companion.viewmodel.states import Button, ShutScreen

LOOKS_EVERY_S = 5.0
"""So often it is looked whether another program has let the games go: nobody may be at the screen to press."""


class Shut(Presenter):
    """The screen. A machine that is there for this program alone can be switched off, elsewhere the program closed."""

    def __init__(self, shell: Shell, error: TableError) -> None:
        self._shell = shell
        self._error = error
        self._tries = 1
        self._looks_at = shell.now + LOOKS_EVERY_S

    def state(self) -> ShutScreen:
        """Why, and the ways on."""
        return ShutScreen(
            title="Atlantis",
            subtitle=_("table companion"),
            board=board_view(chart()),
            heading=_("The games cannot be opened"),
            sentence=told(self._error),
            hint=self._hint(),
            buttons=self._leave(),
            primary=Button(id="again", text=_("Try again"), kind="primary"),
        )

    def _leave(self) -> tuple[Button, ...]:
        if self._shell.machine is None:
            return ()
        if self._shell.machine.appliance:
            return (Button(id="shut_down", text=_("Shut down"), icon="power"),)
        return (Button(id="quit", text=_("Quit"), icon="close"),)

    def _hint(self) -> str:
        """What to do; the count answers who has pressed and sees nothing else change."""
        tried = ngettext("Tried {n} time.", "Tried {n} times.", self._tries).format(n=self._tries)
        return " ".join((_("When that has been seen to, try again."), *([tried] if self._tries > 1 else [])))

    def press(self, button_id: str) -> None:
        """Try again, ask whether to shut down, or close the program: nothing is open that could be lost."""
        if button_id == "again":
            self._tries += 1
            self._try()
        elif button_id == "shut_down":
            self._shell.ask_to_shut_down()
        elif button_id == "quit" and self._shell.machine:
            self._shell.machine.shut_down()

    def _try(self) -> None:
        if error := self._shell.open_journal():
            self._error = error

    def tick(self, now: float) -> bool:
        """What is in use may be free by now; all else waits for somebody who has seen to it."""
        if now < self._looks_at or not (isinstance(self._error, JournalError) and self._error.fault == "locked"):
            return False
        self._looks_at = now + LOOKS_EVERY_S
        self._try()
        return True
