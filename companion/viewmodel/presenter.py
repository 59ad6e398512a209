"""What every screen's presenter is: its state now, and what a touch means there.

`Presenter` is the base of all of them: every call does nothing unless a screen gives it a meaning. `Shell` is what a
presenter may ask of the frame round it. `DialogPresenter` is the same for the question over a screen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from companion.rules.geometry import Hex
from companion.rules.layout import Land
from companion.table.dealer import Dealer
from companion.table.errors import TableError
from companion.table.journal import Journal
from companion.table.session import Session
from companion.viewmodel.machine import Machine
from companion.viewmodel.preferences.household import Household
from companion.viewmodel.sounds import Sound
from companion.viewmodel.states import DialogState, Icon, Screen
from companion.viewmodel.table_link import TableLink

Exporter = Callable[[str], str]
"""Writes the record of the game of that id into a file and returns where it lies."""


class Presenter:
    """One screen. `state` must not depend on anything that a shared screen may not show."""

    def state(self) -> Screen:
        """What to draw."""
        raise NotImplementedError

    def press(self, button_id: str) -> None:
        """A button that stands enabled in `state` was pressed."""

    def touch_hex(self, h: Hex) -> None:
        """A hex was chosen."""

    def touch_land(self, land: Land) -> None:
        """A safe land was chosen."""

    def touch_away(self) -> None:
        """The board was touched where nothing can be chosen."""

    def hold(self, player: int) -> None:
        """That player holds the own button or corner, and nobody else does."""

    def let_go(self, player: int) -> None:
        """... and has let go."""

    def cover(self, player: int) -> None:
        """What that player holds open shuts at once, and nothing comes of it: it was not the player who let go."""

    def edit(self, field: str, text: str) -> None:
        """The text of an entry field was changed."""

    def slide(self, field: str, value: int, *, done: bool) -> None:
        """The knob of a slider was moved; `done` when the finger has left it."""

    def drag(self, handle: str, x: float, y: float) -> None:
        """A handle of a picture was dragged there."""

    def panel_button(self, button: str, pressed: bool) -> bool:  # noqa: ARG002 - most screens leave it to the frame
        """A button of the panel went down or came up; True if that is all it shall do."""
        return False

    def lamps(self) -> tuple[bool, ...] | None:
        """The lamps in the players' buttons; None leaves them to the frame."""
        return None

    def tick(self, now: float) -> bool:  # noqa: ARG002 - most screens do not mind the time
        """Time is `now`, in seconds; True if `state` has changed by that."""
        return False

    def refresh(self) -> bool:
        """Called by the frame after every call and every tick; True if `state` has changed by what it found."""
        return False

    def close(self) -> None:
        """The screen is left."""


class DialogPresenter:
    """A question or a card over the screen; it lies there until an answer closes it."""

    def state(self) -> DialogState:
        """What to draw."""
        raise NotImplementedError

    def press(self, button_id: str) -> None:
        """An answer was pressed."""

    def safe(self) -> None:
        """The safe answer was pressed; the frame has taken the dialog away by itself."""

    def hold(self, player: int) -> None:
        """That player pressed the own button on the panel."""

    def awaits(self) -> frozenset[int] | None:
        """The players whose own buttons answer it; None leaves the lamps in them to the screen under it."""
        return None

    def refresh(self) -> bool:
        """Called by the frame after every call and every tick; True if it has gone or shows something else now."""
        return False


class Shell(Protocol):
    """The frame round the presenters, as they see it."""

    @property
    def journal(self) -> Journal:
        """Where the games are."""

    @property
    def table(self) -> TableLink | None:
        """The camera's table, if the machine has one."""

    @property
    def household(self) -> Household:
        """What the household has chosen: the settings, and the last table."""

    @property
    def machine(self) -> Machine | None:
        """The machine under the screen, if anything is known of it."""

    @property
    def now(self) -> float:
        """The clock of the last tick, in seconds."""

    @property
    def exporter(self) -> Exporter | None:
        """Writes a game down where people find it; None where nothing can be written."""

    def read_in(self, game_id: str) -> set[tuple[str, int]]:
        """What has been said and seen about entries of that game, with their serials; the caller adds to it."""

    def watches(self, game_id: str) -> bool:
        """Whether that game is to be followed by the camera when it is gone on with."""

    def remember_watching(self, game_id: str, *, camera: bool) -> None:
        """People want that game to be followed by the camera, or not."""

    def deal(self) -> Dealer:
        """A fresh dealer for a new game."""

    def show(self, presenter: Presenter) -> None:
        """Go to this screen."""

    def open_journal(self) -> TableError | None:
        """Open the record of games and go home; the error if it cannot be opened, and nothing has changed."""

    def show_home(self) -> None:
        """Go to the home screen; an open game stays open in the journal."""

    def show_new_game(self, *, last_step: bool = False) -> None:
        """Go to the first step of a new game, or back to its last one."""

    def show_games(self) -> None:
        """Go to the list of games."""

    def show_settings(self, back: Callable[[], None]) -> None:
        """Go to the settings; `back` leads away from them again."""

    def notice_play(self) -> None:
        """Something was done at the table: the screen stays awake, or wakes."""

    def play(self, session: Session, *, camera: bool, laid: bool = True, practice: bool = False) -> None:
        """Go to the game of this session, followed by the camera or not; `laid`: its tiles lie on the table.

        `practice`: it is not recorded and has nothing to do with the table.
        """

    def resume(self) -> None:
        """Back to the game that people have left for a moment, as it was."""

    def toast(self, text: str, *, icon: Icon | None = None, undo: int | None = None) -> None:
        """Show a line at the foot for a few seconds; with Undo as long as the entry of that serial is the last."""

    def clear_toast(self) -> None:
        """Take that line away."""

    def sound(self, sound: Sound) -> None:
        """Let that be heard."""

    def ask_to_shut_down(self) -> None:
        """Ask whether to shut down, if anything is known of the machine."""

    def ask(self, dialog: DialogPresenter | None) -> None:
        """Put a question over the screen, or take it away."""

    def asks(self, dialog: DialogPresenter) -> bool:
        """Whether that question lies over the screen."""
