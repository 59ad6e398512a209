"""6.4: a boat has come up under more than three swimmers; the active player says who boards, one at a time."""

from __future__ import annotations

from collections import Counter

from companion.i18n import N_, _
from companion.rules.actions import LoadBoat
from companion.rules.layout import COLOURS, Colour
from companion.rules.pieces import BOAT_CAPACITY
from companion.viewmodel.board import Choice
from companion.viewmodel.desk import Desk
from companion.viewmodel.states import Button
from companion.viewmodel.turn.panel import Panel, TurnPresenter
from companion.viewmodel.words import colour_name, label

_WHO = (N_("Who boards the boat first?"), N_("Who boards next?"), N_("Who boards last?"))


class Boarding(TurnPresenter):
    """A button a colour, until three are chosen or only one choice is left."""

    cell = "sink"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._loads: list[Counter[str]] = [
            Counter(action.explorers) for action in desk.legal() if isinstance(action, LoadBoat)
        ]
        self._aboard: list[str] = []

    def panel(self) -> Panel:
        """The hex chosen, the colours to choose from."""
        sunk = self.desk.public.sunk
        assert sunk is not None, "in `load_boat` there is a tile just removed"
        return Panel(
            cell=self.cell,
            rule="6.4",
            choice=Choice(lights={sunk.hex: "chosen"}, veiled=True),
            subtitle=_("Boat at {hex}").format(hex=label(sunk.hex)),
            sentence=_(_WHO[len(self._aboard)]),
            lines=(),
            prompt=tuple(
                Button(id=f"board:{colour}", text=colour_name(colour), mark=colour) for colour in self._next()
            ),
            choosing=bool(self._aboard),
            primary=Button(id="again", text=_("Choose again"), kind="primary")
            if self._aboard
            else Button(id="again", text=_("Waiting for an answer"), kind="primary", enabled=False),
        )

    def _possible(self) -> list[Counter[str]]:
        return [load for load in self._loads if not Counter(self._aboard) - load]

    def _next(self) -> tuple[Colour, ...]:
        aboard = Counter(self._aboard)
        return tuple(colour for colour in COLOURS if any((load - aboard)[colour] for load in self._possible()))

    def unchoose(self) -> None:
        """Nobody is aboard yet."""
        self._aboard = []

    def act(self, button_id: str) -> None:
        """One more boards; with the third, or when nothing is left to choose, the boat is loaded."""
        if button_id == "again":
            self.unchoose()
            return
        colours = {f"board:{colour}": colour for colour in self._next()}
        if button_id not in colours:
            return
        self._aboard.append(colours[button_id])
        possible = self._possible()
        if len(self._aboard) == BOAT_CAPACITY or len(possible) == 1:
            self.desk.session.do(LoadBoat(explorers=dict(possible[0])))
