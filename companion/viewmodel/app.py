"""The whole view model: one screen at a time, a question over it, a line at its foot.

In: the journal, the camera's table if there is one, the last table's defaults. Out: `states.ViewModel` for the
widgets. All that is here is the frame: which presenter is in front, who gets a call, when the state has changed.
What a screen shows and what a touch means there is its presenter's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from companion.i18n import N_, _
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, Land
from companion.table.dealer import Dealer
from companion.table.errors import TableError
from companion.table.journal import Journal
from companion.table.session import Session
from companion.viewmodel.buttons import is_off
from companion.viewmodel.calibrate import Calibrate
from companion.viewmodel.calibration_link import CalibrationLink
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.desk import Desk
from companion.viewmodel.dialogs import Notice
from companion.viewmodel.games import Games
from companion.viewmodel.home import Home, Place
from companion.viewmodel.new_game.presenter import NewGame
from companion.viewmodel.play import Play
from companion.viewmodel.presenter import DialogPresenter, Presenter
from companion.viewmodel.states import AppState, Button, DefenceScreen, Icon, Screen, SecretScreen, Toast
from companion.viewmodel.table_link import LinkStatus, TableLink

TOAST_S = 4.0
"""So long a line stays at the foot."""

PLAYER_BUTTONS = {f"player{i}": colour for i, colour in enumerate(COLOURS, start=1)}
"""The four buttons at the table's edge have the players' colours, in their order."""


class AppViewModel:
    """See `states.ViewModel` for what the widgets call; `panel` and `leds` are for the buttons at the table's edge.

    `remember` is called with the choices of a new game, to be the `defaults` next time. `deal` makes the dealer of a
    new game. `calibration` is by the camera, None without one; `panel`: there are buttons at the table's edge. `places`
    are further small buttons on the home screen, after the list of games. `faults` are errors of
    what was handed in (`remember`, a place) whose text is for people, as that of a TableError is.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        table: TableLink | None = None,
        defaults: NewGameDefaults | None = None,
        remember: Callable[[NewGameDefaults], None] | None = None,
        deal: Callable[[], Dealer] = Dealer,
        calibration: CalibrationLink | None = None,
        panel: bool = False,
        places: Sequence[Place] = (),
        faults: tuple[type[Exception], ...] = (),
    ) -> None:
        self.journal = journal
        self.table = table
        self.defaults = defaults or NewGameDefaults()
        self.now = 0.0
        self._remember = remember
        self._deal = deal
        self._calibration, self._panel = calibration, panel
        self._places = (
            Place(id="games", text=N_("Games"), icon="games", go=self.show_games),
            Place(id="calibrate", text=N_("Calibrate"), icon="calibrate", go=self.show_calibrate),
            *places,
        )
        self._faults: tuple[type[Exception], ...] = (TableError, *faults)
        self._unsaid: list[str] = []
        self._fault: Notice | None = None
        self._read: dict[str, set[tuple[str, int]]] = {}
        self._watched: dict[str, bool] = {}
        self._held: set[int] = set()
        self._listeners: list[Callable[[AppState], None]] = []
        self._dialog: DialogPresenter | None = None
        self._toast: Toast | None = None
        self._toast_until = 0.0
        self._toasts = 0
        self._link: LinkStatus | None = table.status if table else None
        self._presenter: Presenter = Presenter()
        self.show_home()
        if journal.notice:
            self.ask(Notice(_("The list of games was damaged"), journal.notice))
        self._state = self._build()

    # What the widgets see

    @property
    def state(self) -> AppState:
        """What to draw now."""
        return self._state

    def subscribe(self, listener: Callable[[AppState], None]) -> Callable[[], None]:
        """Call `listener` after every change of `state`; returns what ends the subscription."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _build(self) -> AppState:
        return AppState(
            screen=self._presenter.state(),
            dialog=self._dialog.state() if self._dialog else None,
            toast=self._toast,
        )

    @contextmanager
    def _call(self) -> Iterator[None]:
        """Round every call: a fault becomes a dialog, a change is told."""
        try:
            yield
            self._presenter.refresh()
        except self._faults as fault:
            self._dialog = None
            self._add_fault(str(fault))
        self._tell()

    def fault(self, error_text: str) -> None:
        """Say what went wrong outside a call, once, and not before a question that lies there is answered."""
        self._add_fault(error_text)
        self._tell()

    def _add_fault(self, text: str) -> None:
        if text not in self._unsaid:
            self._unsaid.append(text)

    def _tell(self) -> None:
        if self._dialog is None and self._unsaid:
            self._fault = Notice(_("That could not be done"), self._unsaid[0])
            self._dialog = self._fault
        state = self._build()
        if state == self._state:
            return
        self._state = state
        for listener in tuple(self._listeners):
            listener(state)

    # What the widgets say

    def press(self, button_id: str) -> None:
        """A button was pressed. Unknown or disabled ids do nothing; under a dialog only its answers count."""
        with self._call():
            if self._toast and self._toast.undo and button_id == self._toast.undo.id:
                self._toast = None
                if isinstance(self._presenter, Play):
                    self._presenter.desk.undo()
            elif self._dialog:
                self._answer(self._dialog, button_id)
            elif not is_off(self._state.screen, button_id):
                self._presenter.press(button_id)

    def _answer(self, dialog: DialogPresenter, button_id: str) -> None:
        state = dialog.state()
        if button_id == state.safe.id:
            self._dialog = None
            if dialog is self._fault:
                del self._unsaid[0]
        elif not is_off(state, button_id):
            dialog.press(button_id)

    def touch_hex(self, h: Hex) -> None:
        """A hex was chosen; one that cannot be is as good as none."""
        board = getattr(self._state.screen, "board", None)
        touchable = board is not None and any(view.hex == h and view.touchable for view in board.hexes)
        with self._call():
            if not self._dialog and touchable:
                self._presenter.touch_hex(h)
            elif not self._dialog:
                self._presenter.touch_away()

    def touch_land(self, land: Land) -> None:
        """A safe land was chosen."""
        with self._call():
            if not self._dialog:
                self._presenter.touch_land(land)

    def touch_away(self) -> None:
        """Nothing was chosen."""
        with self._call():
            if not self._dialog:
                self._presenter.touch_away()

    def edit(self, field: str, text: str) -> None:
        """The text of an entry field was changed."""
        with self._call():
            if not self._dialog:
                self._presenter.edit(field, text)

    def hold(self, player: int) -> None:
        """A player holds the own button or corner. While two hold, nothing opens."""
        with self._call():
            others = self._held - {player}
            self._held.add(player)
            if self._dialog:
                self._dialog.hold(player)
            elif others:
                for other in others:
                    self._presenter.let_go(other)
            else:
                self._presenter.hold(player)

    def let_go(self, player: int) -> None:
        """... and no longer."""
        with self._call():
            self._held.discard(player)
            self._presenter.let_go(player)

    def drag(self, handle: str, x: float, y: float) -> None:
        """A handle of the picture was dragged there."""
        with self._call():
            if not self._dialog:
                self._presenter.drag(handle, x, y)

    def tick(self, now: float) -> None:
        """Time passes; the state is built anew only when that, or the camera, has changed something."""
        self.now = now
        dirty = False
        if self._toast and now >= self._toast_until:
            self._toast = None
            dirty = True
        link = self.table.status if self.table else None
        if link != self._link:
            self._link = link
            dirty = True
        try:
            dirty = self._presenter.tick(now) or dirty
            dirty = self._presenter.refresh() or dirty
        except self._faults as fault:
            self._add_fault(str(fault))
            dirty = True
        if dirty:
            self._tell()

    # The buttons at the table's edge

    def panel(self, button: str, pressed: bool) -> None:
        """A button of the panel: `player1` to `player4` (by colour), `ok`, `undo`, `roll`; down, then up."""
        if not self._dialog and self._presenter.panel_button(button, pressed):
            self._tell()
        elif button in PLAYER_BUTTONS:
            player = self._player_of(button)
            if player is not None:
                (self.hold if pressed else self.let_go)(player)
        elif pressed and button == "ok":
            if primary := self._primary():
                self.press(primary.id)
        elif pressed and button in ("undo", "roll"):
            self.press(button)

    def _primary(self) -> Button | None:
        if self._dialog:
            return self._dialog.state().safe
        primary: Button | None = getattr(self._state.screen, "primary", None)
        return primary

    def _player_of(self, button: str) -> int | None:
        if not isinstance(self._presenter, Play):
            return None
        colour = PLAYER_BUTTONS[button]
        players = self._presenter.desk.players
        return next((number for number, player in enumerate(players) if colour in player.colours), None)

    def leds(self) -> tuple[bool, ...]:
        """The lamps in the four player buttons: whose turn it is or who is asked; behind a curtain all alike."""
        if (lamps := self._presenter.lamps()) is not None:
            return lamps
        if not isinstance(self._presenter, Play):
            return (False,) * len(PLAYER_BUTTONS)
        screen = self._state.screen
        if isinstance(screen, SecretScreen):
            return (True,) * len(PLAYER_BUTTONS)
        lit = self._lit(screen)
        return tuple(colour in lit for colour in COLOURS)

    def _lit(self, screen: Screen) -> tuple[str, ...]:
        assert isinstance(self._presenter, Play), "asked for in a game only"
        desk = self._presenter.desk
        if isinstance(screen, DefenceScreen):
            asked = {line.mark for line in screen.asked if line.tone == "strong"}
            return tuple(colour for player in desk.players if asked & set(player.colours) for colour in player.colours)
        return desk.active.colours

    # What the presenters ask of the frame

    def read_in(self, game_id: str) -> set[tuple[str, int]]:
        """What has been said and seen about entries of that game."""
        return self._read.setdefault(game_id, set())

    def watches(self, game_id: str) -> bool:
        """Whether that game is to be followed by the camera when it is gone on with."""
        return self._watched.get(game_id, self.defaults.camera)

    def deal(self) -> Dealer:
        """A fresh dealer for a new game."""
        return self._deal()

    def show(self, presenter: Presenter) -> None:
        """Go to this screen."""
        self._presenter.close()
        self._presenter = presenter
        self._dialog = None
        self._held.clear()

    def show_home(self) -> None:
        """Go to the home screen."""
        self.show(Home(self, self._places))

    def show_new_game(self) -> None:
        """Go to the first step of a new game."""
        self.show(NewGame(self))

    def show_games(self) -> None:
        """Go to the list of games."""
        self.show(Games(self))

    def show_calibrate(self) -> None:
        """Go to calibrating."""
        self.show(Calibrate(self, self._calibration, panel=self._panel))

    def play(self, session: Session, *, camera: bool, laid: bool = True, practice: bool = False) -> None:
        """Go to the game of this session."""
        self._watched[session.game_id] = camera
        self.show(Play(Desk(self, session, camera=camera, laid=laid, practice=practice)))

    def remember(self, defaults: NewGameDefaults) -> None:
        """The next new game starts filled with this."""
        self.defaults = defaults
        if self._remember:
            self._remember(defaults)

    def toast(self, text: str, *, icon: Icon | None = None, undo: bool = False) -> None:
        """Show a line at the foot for a few seconds."""
        self._toasts += 1
        button = Button(id="toast:undo", text=_("Undo"), icon="undo") if undo else None
        self._toast = Toast(text=text, serial=self._toasts, icon=icon, undo=button)
        self._toast_until = self.now + TOAST_S

    def ask(self, dialog: DialogPresenter | None) -> None:
        """Put a question over the screen, or take it away."""
        self._dialog = dialog
