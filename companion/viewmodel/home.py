"""1. Home: go on with the open game, or start something else.

In: the journal's open game and what the camera says of itself. Out: a chart and few buttons, the most likely one first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from companion.i18n import _
from companion.rules.layout import HexContent, Layout
from companion.table.dealer import Dealer
from companion.table.errors import JournalError
from companion.table.journal import Journal
from companion.table.start import resume, start_game
from companion.table.summary import GameSummary
from companion.viewmodel.board import board_view
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.desk import Desk
from companion.viewmodel.presenter import Presenter, Shell
from companion.viewmodel.states import Button, HomeScreen, Icon, Line
from companion.viewmodel.table_link import LinkStatus, Lost, Off, Seeing, Starting, Uncalibrated
from companion.viewmodel.words import BOARD

_TITLE_PAGE = 1910
"""The deal on the title page."""


class Place(msgspec.Struct, frozen=True):
    """A further place that home leads to: one of the small buttons. `go` is called when it is pressed."""

    id: str
    text: str
    icon: Icon
    go: Callable[[], None]


class Home(Presenter):
    """The home screen. `places` are the small buttons, only such as lead somewhere."""

    def __init__(self, shell: Shell, places: Sequence[Place]) -> None:
        self._shell = shell
        self._places = tuple(places)
        summary = shell.journal.open_game()
        self._open: Desk | None = None
        self._summary = summary
        self._unreadable = False
        try:
            self._open = Desk(shell, resume(shell.journal, summary.id), camera=False) if summary else None
        except JournalError:
            self._unreadable = True  # the list of games tells more

    def state(self) -> HomeScreen:
        """Continue first if there is a game to go on with, else a new one."""
        return HomeScreen(
            title="Atlantis",
            subtitle=_("table companion"),
            board=board_view(self._open.layout if self._open else chart()),
            buttons=self._buttons(),
            small_buttons=tuple(Button(id=place.id, text=_(place.text), icon=place.icon) for place in self._places),
            camera=camera_line(self._shell.table.status if self._shell.table else Off()),
        )

    def _buttons(self) -> tuple[Button, ...]:
        new_game = Button(
            id="new_game", text=_("New game"), icon="island", kind="secondary" if self._open else "primary"
        )
        practice = Button(id="practice", text=_("Practice"), line=_("by touch, not recorded"), icon="practice")
        if self._unreadable:
            line = _("the last game cannot be read")
            return (
                new_game,
                Button(id="continue", text=_("Continue"), line=line, icon="play", enabled=False),
                practice,
            )
        if not self._open or not self._summary:
            return (new_game, practice)
        player = self._open.active
        go_on = Button(
            id="continue",
            text=_("Continue"),
            line=_whose_move(self._summary, player.name),
            mark=player.colours[0],
            icon="play",
            kind="primary",
        )
        return (go_on, new_game, practice)

    def press(self, button_id: str) -> None:
        """Go where the button leads."""
        ways = {
            "continue": self._continue,
            "new_game": self._shell.show_new_game,
            "practice": self._practise,
            **{place.id: place.go for place in self._places},
        }
        if button_id in ways:
            ways[button_id]()

    def _continue(self) -> None:
        if self._open:
            session = self._open.session
            self._shell.play(session, camera=self._shell.watches(session.game_id), laid=bool(session.record))

    def _practise(self) -> None:
        """In a journal of its own, which goes with the game: the household's open game stays the one to go on with."""
        usual = NewGameDefaults()
        session = start_game(Journal(":memory:"), usual.seated(), usual.options, None, self._shell.deal())
        self._shell.play(session, camera=False, practice=True)


def _whose_move(summary: GameSummary, name: str) -> str:
    if summary.turns and summary.damaged:
        return _("{name} to move, turn {turn}; damaged").format(name=name, turn=summary.turns)
    if summary.turns:
        return _("{name} to move, turn {turn}").format(name=name, turn=summary.turns)
    return _("{name} to place").format(name=name)


def camera_line(status: LinkStatus) -> Line:
    """The camera in one line."""
    match status:
        case Seeing(registered=False, sharp=sharp):
            text = _("The camera does not find the board") if sharp else _("The camera’s picture is not sharp")
            return Line(text=text, icon="camera", tone="danger")
        case Seeing():
            return Line(text=_("Camera sees the whole board"), icon="camera", tone="ok")
        case Lost(reason=reason):
            return Line(text=_("No picture. {reason}").format(reason=reason), icon="camera_off", tone="danger")
        case Uncalibrated():
            text = _("The camera must be calibrated first: touch Calibrate.")
            return Line(text=text, icon="calibrate", tone="danger")
        case Starting():
            return Line(text=_("The camera is getting ready"), icon="camera", tone="soft")
        case Off():
            return Line(text=_("Without a camera: play by touch"), icon="camera_off", tone="soft")


def chart() -> Layout:
    """The island for the title page when no game is open: one deal, always the same."""
    tiles = {h: HexContent(tile=tile) for h, tile in Dealer(_TITLE_PAGE).tiles().items()}
    return Layout(hexes={**tiles, **dict.fromkeys(BOARD.serpent_starts, HexContent(serpents=1))})
