"""The whole view model: one screen at a time, a question over it, a line at its foot.

In: the journal, the camera's table if there is one, the last table's defaults. Out: `states.ViewModel` for the
widgets. All that is here is the frame: which presenter is in front, who gets a call, when the state has changed.
What a screen shows and what a touch means there is its presenter's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import msgspec

from companion.faults import told
from companion.i18n import N_, _
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, Land
from companion.table.dealer import Dealer
from companion.table.errors import TableError
from companion.table.journal import Journal
from companion.table.session import Session
from companion.viewmodel.buttons import is_off, pressable
from companion.viewmodel.calibrate import Calibrate
from companion.viewmodel.calibration_link import CalibrationLink
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.desk import Desk
from companion.viewmodel.edge import PLAYER_BUTTONS, EdgeButtons
from companion.viewmodel.falling_die import TUMBLE_S, FallingDie, falls_s
from companion.viewmodel.games import Games
from companion.viewmodel.haste import MOST_S, Haste
from companion.viewmodel.help.card import RuleHelp, rule_of
from companion.viewmodel.home import Home, Place
from companion.viewmodel.lamp import Lamp
from companion.viewmodel.machine import Machine
from companion.viewmodel.new_game.presenter import NewGame
from companion.viewmodel.notices import Notice
from companion.viewmodel.play import Play
from companion.viewmodel.preferences.household import Household, Keep
from companion.viewmodel.preferences.model import Preferences
from companion.viewmodel.preferences.presenter import SettingsPage
from companion.viewmodel.presenter import DialogPresenter, Exporter, Presenter
from companion.viewmodel.shut import Shut
from companion.viewmodel.shutdown import Shutdown
from companion.viewmodel.sounds import Sound
from companion.viewmodel.states import (
    AppState,
    Button,
    DefenceScreen,
    Display,
    Icon,
    Screen,
    SecretScreen,
    Toast,
    TurnScreen,
)
from companion.viewmodel.table_link import LinkStatus, Lost, TableLink
from companion.viewmodel.words import colour_letter

_COULD_NOT = N_("That could not be done")

TOAST_UNDO = "toast:undo"
"""The button in the line at the foot."""


class AppViewModel:
    """See `states.ViewModel` for what the widgets call; `panel` and `leds` are for the buttons at the table's edge.

    `journal` is open, or what opens it: if that raises a TableError people are told, and can have it tried again.
    `preferences` and `defaults` (the last table) are what the household chose before; `keep` writes a choice down.
    `deal` makes the dealer of a new game. `calibration` is by the camera, None without one; `panel`: there are buttons
    at the table's edge. `machine` is what the screen stands on.
    `exporter` writes a game into a file. `play_sound` begins a sound at a volume in percent and does not wait.
    `faults` are errors of what was handed in (`keep`, `machine`) whose text is for people, as that of a
    TableError is.
    """

    def __init__(
        self,
        journal: Journal | Callable[[], Journal],
        *,
        table: TableLink | None = None,
        preferences: Preferences = Preferences(),  # noqa: B008 - immutable
        defaults: NewGameDefaults = NewGameDefaults(),  # noqa: B008 - immutable
        keep: Keep | None = None,
        deal: Callable[[], Dealer] = Dealer,
        calibration: CalibrationLink | None = None,
        panel: bool = False,
        machine: Machine | None = None,
        exporter: Exporter | None = None,
        play_sound: Callable[[Sound, int], None] | None = None,
        faults: tuple[type[Exception], ...] = (),
    ) -> None:
        self._journal: Journal | None = None
        self._opens_journal: Callable[[], Journal]
        self._opens_journal = (lambda: journal) if isinstance(journal, Journal) else journal
        self.table = table
        self.household = Household(preferences, defaults, keep, faults)
        self.machine = machine
        self.exporter = exporter
        self._play_sound = play_sound
        self.now = 0.0
        self._lamp = Lamp(machine, preferences)
        self._deal = deal
        self._calibration, self._panel = calibration, panel
        self._places = (
            Place(id="calibrate", text=N_("Calibrate"), icon="calibrate", go=self.show_calibrate),
            Place(id="games", text=N_("Games"), icon="games", go=self.show_games),
            Place(id="settings", text=N_("Settings"), icon="settings", go=lambda: self.show_settings(self.show_home)),
        )
        self._faults: tuple[type[Exception], ...] = (TableError, *faults)
        self._unsaid: list[tuple[str, str]] = []
        self._fault: Notice | None = None
        self._read: dict[str, set[tuple[str, int]]] = {}
        self._watched: dict[str, bool] = {}
        self._held: set[int] = set()
        self._listeners: list[Callable[[AppState], None]] = []
        self._dialog: DialogPresenter | None = None
        self._toast: Toast | None = None
        self._toast_until = 0.0
        self._toast_undoes: int | None = None
        self._toasts = 0
        self._die, self._haste = FallingDie(), Haste()
        self._link: LinkStatus | None = table.status if table else None
        self._presenter: Presenter = Presenter()
        self._desk: Desk | None = None
        self._edge = EdgeButtons(self)
        self._shutdown = Shutdown(self)
        if error := self.open_journal():
            self.show(Shut(self, error))
        self._state = self._build()
        self._haste.show(self._state, -MOST_S, self._dialog)
        self._haste.tick(-MOST_S)  # what is there from the start is heard at once

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
        screen = self._die.shown(self._presenter.state(), self.now, falls_s(self.household.preferences))
        state = AppState(
            screen=screen,
            dialog=self._dialog.state() if self._dialog else None,
            toast=None if isinstance(screen, SecretScreen) else self._current_toast(),
            display=self._display(),
        )
        cursor = self._edge.kept(state)
        return msgspec.structs.replace(state, cursor=cursor) if cursor else state

    def _current_toast(self) -> Toast | None:
        """The line at the foot; without Undo once there is a newer entry than the one that it would take back."""
        toast = self._toast
        if toast and toast.undo and not self._is_last(self._toast_undoes):
            return msgspec.structs.replace(toast, undo=None)
        return toast

    def _is_last(self, serial: int | None) -> bool:
        last = self._presenter.desk.last if isinstance(self._presenter, Play) else None
        return last is not None and last.serial == serial

    @property
    def settled(self) -> bool:
        """Nothing tumbles, and what is shown has been there long enough to be pressed."""
        return not self._die.goes_on and self._haste.settled(self.now)

    def _display(self) -> Display:
        chosen = self.household.preferences
        return Display(
            rotation=chosen.rotation,
            veil=self._lamp.veil,
            tumble_s=TUMBLE_S[chosen.tumble],
            less_movement=chosen.less_movement,
            mark_letters={c: colour_letter(c) for c in COLOURS} if chosen.letters else {},
            board_right=chosen.board_right,
        )

    @contextmanager
    def _call(self) -> Iterator[None]:
        """Round every call: a fault becomes a dialog, a change is told; whatever is done takes the cursor away."""
        self._edge.clear()
        try:
            yield
            self._presenter.refresh()
            self._refresh_dialog()
            self._lamp.refresh(self.household.preferences)
        except self._faults as fault:
            self._dialog = None
            self._add_fault(fault)
        self._tell()

    def _refresh_dialog(self) -> bool:
        return self._dialog is not None and self._dialog.refresh()

    def fault(self, error: Exception, title: str = _COULD_NOT) -> None:
        """Say what went wrong outside a call, once, and not before a question that lies there is answered.

        `title` is marked for the catalogues.
        """
        self._add_fault(error, title)
        self._tell()

    def watch_no_longer(self, error: Exception) -> None:
        """The camera does not follow the open game any more, for that error; the menu has it do so again."""
        if self._desk is not None:
            self._desk.watch(camera=False)
        self.fault(error, N_("No longer followed by the camera"))

    def mended(self, error: Exception) -> None:
        """That is wrong no longer: what says so goes, read or not."""
        left = [said for said in self._unsaid if said[1] != told(error)]
        if self._dialog is self._fault and left[:1] != self._unsaid[:1]:
            self._dialog = None
        self._unsaid = left
        self._tell()

    def _add_fault(self, error: Exception, title: str = _COULD_NOT) -> None:
        text = told(error)
        if all(text != other for _title, other in self._unsaid):
            self._unsaid.append((title, text))

    def _tell(self) -> None:
        if self._dialog is None and self._unsaid:
            title, text = self._unsaid[0]
            self._fault = Notice(_(title), text)
            self.ask(self._fault)
        state = self._build()
        if state == self._state:
            return
        self._state = state
        self._haste.show(state, self.now, self._dialog)
        for listener in tuple(self._listeners):
            listener(state)

    # What the widgets say

    def press(self, button_id: str) -> None:
        """A button was pressed. Unknown or disabled ids do nothing; under a dialog only its answers count.

        Nor does a press count that comes so soon after the button that it is for what was there before.
        """
        if not self.hears(button_id):
            return
        with self._call():
            if button_id == TOAST_UNDO:
                self._undo_in_toast()
            elif self._dialog:
                self._answer(self._dialog, button_id)
            elif (rule := rule_of(button_id)) and (button_id, True) in pressable(self._state.screen):
                self.ask(RuleHelp(rule))
            elif not is_off(self._state.screen, button_id):
                self._presenter.press(button_id)

    def hears(self, button_id: str) -> bool:
        """Whether a press of that button counts now: it has been there long enough to be meant.

        While a die falls what it will bring cannot be pressed by whoever knows the name.
        """
        if self._die.goes_on and not self._haste.knows(button_id):
            return False
        return self._haste.hears(button_id, self.now)

    def _undo_in_toast(self) -> None:
        toast = self._current_toast()
        if toast and toast.undo and isinstance(self._presenter, Play):
            self._toast = None
            self._presenter.desk.undo()

    def _answer(self, dialog: DialogPresenter, button_id: str) -> None:
        state = dialog.state()
        if is_off(state, button_id):
            return
        if button_id == state.safe.id:
            self._dialog = None
            if dialog is self._fault:
                del self._unsaid[0]
            dialog.safe()
        else:
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
            if not self._dialog and not self._die.goes_on:
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

    def slide(self, field: str, value: int, *, done: bool) -> None:
        """The knob of a slider was moved; `done` when the finger has left it, also because a dialog lies over it."""
        with self._call():
            if done or not self._dialog:
                self._presenter.slide(field, value, done=done)

    def stir(self) -> bool:
        """A finger or a button comes down. False if it only woke a dimmed screen."""
        woke = self._lamp.stir(self.now, self.household.preferences)
        if woke:
            self._tell()
        return not woke

    def hold(self, player: int) -> None:
        """A player holds the own button or corner. While two hold, nothing opens."""
        with self._call():
            others = self._held - {player}
            self._held.add(player)
            if self._dialog:
                if self._haste.settled(self.now):
                    self._dialog.hold(player)
            elif others:
                self._cover_all(others)
            else:
                self._presenter.hold(player)

    def let_go(self, player: int) -> None:
        """... and no longer."""
        with self._call():
            self._held.discard(player)
            self._presenter.let_go(player)

    def cover(self, player: int) -> None:
        """... and no longer, but not of the player's own will."""
        with self._call():
            self._held.discard(player)
            self._presenter.cover(player)

    def _cover_all(self, players: Iterable[int]) -> None:
        for player in players:
            self._presenter.cover(player)

    def drag(self, handle: str, x: float, y: float) -> None:
        """A handle of the picture was dragged there."""
        with self._call():
            if not self._dialog:
                self._presenter.drag(handle, x, y)

    def tick(self, now: float) -> None:
        """Time passes; the state is built anew only when that, or the camera, has changed something."""
        if not self.now:
            self._lamp.stir(now, self.household.preferences)  # the clock begins anywhere
        self.now = now
        self._haste.tick(now)
        dirty, toast = False, self._toast
        if self._toast and now >= self._toast_until:
            self._toast = None
        link = self.table.status if self.table else None
        if link != self._link:
            if isinstance(link, Lost) and not isinstance(self._link, Lost):
                self._cover_all(self._held)
            self._link = link
            dirty = True
        dirty = self._die.lies(now) or dirty
        try:
            dirty = self._presenter.tick(now) or dirty
            dirty = self._presenter.refresh() or dirty
            dirty = self._refresh_dialog() or dirty
            self._shutdown.tick(now)
        except self._faults as fault:
            self._add_fault(fault)
            dirty = True
        dirty = self._lamp.tick(now, self.household.preferences) or self._toast is not toast or dirty
        if dirty:
            self._tell()
        self._edge.tick(now)

    # The buttons at the table's edge

    def panel(self, button: str, pressed: bool) -> None:
        """A button of the panel, or a key that stands for one, goes down or comes up: see `edge`."""
        if pressed and not self.stir():
            return
        if not self._dialog and self._presenter.panel_button(button, pressed):
            self._tell()
        else:
            self._edge.button(button, pressed)

    def point(self) -> None:
        """The cursor has moved."""
        self._tell()

    def player_of(self, button: str) -> int | None:
        """Whose own button that is, in a game."""
        if not isinstance(self._presenter, Play):
            return None
        colour = PLAYER_BUTTONS[button]
        players = self._presenter.desk.players
        return next((number for number, player in enumerate(players) if colour in player.colours), None)

    def ask_to_shut_down(self) -> None:
        """Ask whether to shut down, if there is anything to be shut down and it is not being asked already."""
        with self._call():
            self._shutdown.ask()

    def leds(self) -> tuple[bool, ...]:
        """The lamps in the four player buttons: whose turn it is, who is asked or is to agree; behind a curtain all."""
        if (lamps := self._presenter.lamps()) is not None:
            return lamps
        if not isinstance(self._presenter, Play):
            return (False,) * len(PLAYER_BUTTONS)
        if self._dialog and (awaited := self._dialog.awaits()) is not None:
            return self._lamps_of(awaited)
        screen = self._state.screen
        if isinstance(screen, SecretScreen):
            return (True,) * len(PLAYER_BUTTONS)
        return self._lamps_of(_players_of(screen, self._presenter.desk))

    def _lamps_of(self, numbers: Iterable[int]) -> tuple[bool, ...]:
        assert isinstance(self._presenter, Play), "asked for in a game only"
        players = self._presenter.desk.players
        lit = {colour for number in numbers for colour in players[number].colours}
        return tuple(colour in lit for colour in COLOURS)

    def close(self) -> None:
        """Let go of the record of games, if it could be opened."""
        if self._journal is not None:
            self._journal.close()

    # What the presenters ask of the frame

    @property
    def journal(self) -> Journal:
        """The record of games, open."""
        assert self._journal is not None, "nothing but `Shut` is shown without it"
        return self._journal

    def read_in(self, game_id: str) -> set[tuple[str, int]]:
        """What has been said and seen about entries of that game."""
        return self._read.setdefault(game_id, set())

    def watches(self, game_id: str) -> bool:
        """Whether that game is to be followed by the camera when it is gone on with."""
        return self._watched.get(game_id, self.household.last_table.camera)

    def remember_watching(self, game_id: str, *, camera: bool) -> None:
        """People want that game to be followed by the camera, or not."""
        self._watched[game_id] = camera

    def deal(self) -> Dealer:
        """A fresh dealer for a new game."""
        return self._deal()

    def show(self, presenter: Presenter) -> None:
        """Go to this screen."""
        self._presenter.close()
        self._presenter = presenter
        self._dialog = None
        self._held.clear()

    def open_journal(self) -> TableError | None:
        """Open the record of games and go home; the error if it cannot be opened, and nothing has changed."""
        try:
            self._journal = self._opens_journal()
        except TableError as error:
            return error
        self.show_home()
        if self.journal.notice:
            self.ask(Notice(_("The list of games was damaged"), told(self.journal.notice)))
        return None

    def show_home(self) -> None:
        """Go to the home screen."""
        self.show(Home(self, self._places))

    def show_new_game(self, *, last_step: bool = False) -> None:
        """Go to the first step of a new game, or back to its last one."""
        self.show(NewGame(self, last_step=last_step))

    def show_games(self) -> None:
        """Go to the list of games."""
        self.show(Games(self))

    def show_settings(self, back: Callable[[], None]) -> None:
        """Go to the settings."""
        self.show(SettingsPage(self, back))

    def show_calibrate(self) -> None:
        """Go to calibrating."""
        self.show(Calibrate(self, self._calibration, panel=self._panel))

    def play(self, session: Session, *, camera: bool, laid: bool = True, practice: bool = False) -> None:
        """Go to the game of this session."""
        self._desk = Desk(self, session, camera=camera, laid=laid, practice=practice)
        self.resume()

    def resume(self) -> None:
        """Back to the game that people have left for a moment."""
        assert self._desk is not None, "one has been played"
        self.show(Play(self._desk))

    def notice_play(self) -> None:
        """Something was done at the table."""
        self._lamp.stir(self.now, self.household.preferences)

    def toast(self, text: str, *, icon: Icon | None = None, undo: int | None = None) -> None:
        """Show a line at the foot for a few seconds, as soon as no curtain covers it."""
        self._toasts += 1
        self._toast_undoes = undo
        button = None if undo is None else Button(id=TOAST_UNDO, text=_("Undo"), icon="undo")
        stays_s = self.household.preferences.toast_s
        self._toast = Toast(text=text, serial=self._toasts, stays_s=stays_s, icon=icon, undo=button)
        self._toast_until = self.now + stays_s

    def clear_toast(self) -> None:
        """Take that line away."""
        self._toast = None

    def sound(self, sound: Sound) -> None:
        """Let that be heard, if anything can be."""
        chosen = self.household.preferences
        if self._play_sound and chosen.sound:
            self._play_sound(sound, chosen.volume)

    def ask(self, dialog: DialogPresenter | None) -> None:
        """Put a question over the screen, or take it away; no secret stays open under one."""
        if dialog:
            self._cover_all(self._held)
        self._dialog = dialog

    def asks(self, dialog: DialogPresenter) -> bool:
        """Whether that question lies over the screen."""
        return self._dialog is dialog


def _players_of(screen: Screen, desk: Desk) -> Iterator[int]:
    """Whose turn that screen shows, or who is asked on it."""
    players = enumerate(desk.players)
    match screen:
        case TurnScreen(colours=colours):
            return (i for i, player in players if player.colours == colours)
        case DefenceScreen(asked=asked):
            marks = {line.mark for line in asked if line.tone == "strong"}
            return (i for i, player in players if marks & set(player.colours))
    return iter((desk.public.active,))
