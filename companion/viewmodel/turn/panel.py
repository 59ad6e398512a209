"""The turn's screen round a phase: name, phase strip, hands, Undo, Hand, menu, and what the camera adds.

A phase gives a `Panel`, what is its own; `TurnPresenter` puts the rest round it and answers the common buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from companion.i18n import N_, _
from companion.viewmodel.answers import in_reach
from companion.viewmodel.board import Choice, board_view
from companion.viewmodel.camera import NOTHING, Overlay
from companion.viewmodel.desk import Desk
from companion.viewmodel.help.card import rule_button
from companion.viewmodel.log import last_lines, turned_over
from companion.viewmodel.presenter import Presenter
from companion.viewmodel.states import Button, Chip, Die, Icon, Line, Note, PhaseCell, Pips, TurnScreen

CELLS: tuple[tuple[str, Icon], ...] = (
    ("play_tile", "phase_play_tile"),
    ("move", "phase_move"),
    ("sink", "phase_sink"),
    ("roll", "phase_roll"),
    ("creature", "phase_creature"),
)
"""The phase strip."""

CELL_OF_PHASE: Mapping[str, str] = {
    **{name: name for name, _icon in CELLS},
    "reveal": "sink",
    "load_boat": "sink",
    "reaction": "creature",
    "protect": "creature",
}
"""The cell that a phase of the turn belongs to."""

PHASE_NAMES: Mapping[str, str] = {
    "play_tile": N_("Tile"),
    "move": N_("Move"),
    "sink": N_("Sink a tile"),
    "roll": N_("Roll"),
    "creature": N_("Creature"),
}


RULE_OF_CELL: Mapping[str, str] = {"play_tile": "3.1", "move": "3.2", "sink": "3.3", "roll": "3.4", "creature": "7.2"}
"""What touching a phase's line explains, unless the panel says otherwise; and another phase's cell."""


FEW_ANSWERS = 2
"""With so many answers the hands give way; with more the question stands in the phase's line, for want of room."""


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """What a phase shows. `cell` is where the turn is, None before the first; `phase` its name unless said otherwise.

    `rule` is what touching the phase's line explains. `lines` None: the last events. `choosing`: something has been
    chosen and not done yet; Undo lets go of it. `cell_acts`: touching the own cell does something, in `touch_cell`.
    """

    cell: str | None
    phase: str = ""
    rule: str = ""
    player: int | None = None
    choice: Choice = Choice()
    pips: Pips | None = None
    die: Die | None = None
    subtitle: str = ""
    sentence: str = ""
    lines: tuple[Line, ...] | None = None
    prompt: tuple[Button, ...] = ()
    note: Note | None = None
    choosing: bool = False
    cell_acts: bool = False
    primary: Button


def turn_screen(desk: Desk, panel: Panel, over: Overlay = NOTHING, page: int = 0) -> TurnScreen:
    """The whole screen. `page` counts the presses on "More" where there are many answers."""
    public = desk.public
    number = public.active if panel.player is None else panel.player
    player = desk.players[number]
    crowded = len(panel.prompt) > FEW_ANSWERS
    crowded_die = panel.die is not None and (panel.die.size == "large" or over.note is not None)
    no_room = len(panel.prompt) >= FEW_ANSWERS or crowded_die
    choice = msgspec.structs.replace(panel.choice, lights={**over.lights, **panel.choice.lights})
    lines, note = panel.lines, over.note or panel.note
    rule = panel.rule or (RULE_OF_CELL[panel.cell] if panel.cell else "")
    if lines is None:
        lines = last_lines(desk.record, desk.players)
        if note is None and desk.last and (note := turned_over(desk.last, desk.players)):
            lines = lines[1:]  # which says the same
    return TurnScreen(
        name=player.name,
        colours=player.colours,
        board=board_view(desk.layout, choice),
        menu=Button(id="menu", text=_("Menu"), icon="menu"),
        cells=_cells(panel, rule),
        phase=panel.sentence if crowded else panel.phase or (_(PHASE_NAMES[panel.cell]) if panel.cell else ""),
        help=rule_button(rule) if rule else None,
        pips=panel.pips,
        die=panel.die,
        subtitle="" if crowded else panel.subtitle,
        sentence="" if crowded else panel.sentence,
        lines=over.lines + lines,
        prompt=in_reach(panel.prompt, page),
        note=note,
        chips=()
        if no_room
        else tuple(
            Chip(colours=other.colours, count=desk.holds(i), active=i == number) for i, other in enumerate(desk.players)
        ),
        undo=Button(
            id="undo", text=_("Undo"), icon="undo", enabled=panel.choosing or desk.session.undo_offer is not None
        ),
        hand=Button(id="hand", text=_("Hand"), icon="tiles_in_hand"),
        primary=panel.primary,
    )


def _cells(panel: Panel, rule: str) -> tuple[PhaseCell, ...]:
    """Each explains its phase, the own one `rule`, unless it does something there."""
    if panel.cell is None:
        return ()
    at = [name for name, _icon in CELLS].index(panel.cell)
    own = f"cell:{panel.cell}" if panel.cell_acts else rule_button(rule).id
    return tuple(
        PhaseCell(id=own, icon=icon, state="now")
        if i == at
        else PhaseCell(id=rule_button(RULE_OF_CELL[name]).id, icon=icon, state="done" if i < at else "todo")
        for i, (name, icon) in enumerate(CELLS)
    )


def common(desk: Desk) -> dict[str, Callable[[], None]]:
    """What the buttons do that every panel of a turn has."""
    return {"menu": desk.go_for_menu, "hand": desk.go_for_hand, "undo": desk.undo}


class TurnPresenter(Presenter):
    """A phase of the turn. `panel` draws what is its own, `act` gives its own buttons a meaning."""

    cell = ""
    """The cell of the phase strip that this presenter belongs to."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.over = NOTHING
        """What the camera adds; kept up to date by the game's frame."""
        self._page = 0

    def panel(self) -> Panel:
        """What the phase shows now."""
        raise NotImplementedError

    def act(self, button_id: str) -> None:
        """A button of the phase was pressed."""

    def unchoose(self) -> None:
        """Undo was pressed while something was chosen: lets go of it."""
        self.touch_away()

    def touch_cell(self) -> None:
        """The phase's own cell was touched, where the panel says that it does something."""

    def hold(self, player: int) -> None:
        """The own button is the own hand, as long as it is held."""
        self.desk.hold_hand(player)

    def state(self) -> TurnScreen:
        """The panel with everything round it."""
        return turn_screen(self.desk, self.panel(), self.over, self._page)

    def press(self, button_id: str) -> None:
        """Menu, hand, undo and the own cell; all else belongs to the phase."""
        ways = {**common(self.desk), f"cell:{self.cell}": self.touch_cell, "more": self._turn_page}
        if self.panel().choosing:
            ways["undo"] = self.unchoose
        ways.get(button_id, lambda: self.act(button_id))()

    def _turn_page(self) -> None:
        self._page += 1
