"""3.3: removing a tile. A touch chooses it, the primary button sinks it, for what it reveals cannot be forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from companion.i18n import _, ngettext
from companion.rules import check
from companion.rules.actions import SinkTile
from companion.rules.errors import IllegalAction
from companion.rules.geometry import Hex
from companion.viewmodel.board import Choice
from companion.viewmodel.desk import Desk
from companion.viewmodel.help.card import rule_button
from companion.viewmodel.states import Button, Light, Line
from companion.viewmodel.turn.panel import Panel, TurnPresenter
from companion.viewmodel.turn.words import GO_FIRST, INLAND, TAKE_TILE
from companion.viewmodel.words import label, labels

FEW_INLAND = 3
"""So many tiles inland are named without being asked about."""


def _stay(hexes: Sequence[Hex]) -> str:
    return ngettext(*INLAND, len(hexes)).format(hexes=labels(hexes))


class Sinking(TurnPresenter):
    """The tiles that may go are lit; touching another says why it stays."""

    cell = "sink"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._legal = {action.hex: action for action in desk.legal() if isinstance(action, SinkTile)}
        self._lowest = next(tile for h in self._legal if (tile := desk.public.layout.at(h).tile))
        self._chosen: Hex | None = None
        self._reason: Line | None = None

    def panel(self) -> Panel:
        """Which may go, and which is to."""
        lights: dict[Hex, Light] = dict.fromkeys(self._legal, "legal")
        if self._chosen:
            lights[self._chosen] = "chosen"
        all_tiles = [h for h, content in self.desk.public.layout.hexes.items() if content.tile]
        if self._chosen:
            text = _("Sink {hex}").format(hex=label(self._chosen))
            primary = Button(id="sink", text=text, kind="primary")
        else:
            primary = Button(id="sink", text=_("Waiting for the tile"), kind="primary", enabled=False)
        return Panel(
            cell=self.cell,
            choice=Choice(lights=lights, touch=frozenset(all_tiles), veiled=True),
            sentence=_(TAKE_TILE[self._lowest]),
            lines=(self._reason,) if self._reason else self._inland(),
            choosing=self._chosen is not None,
            primary=primary,
        )

    def _inland(self) -> tuple[Line, ...]:
        """6.2, while few tiles of the terrain have to stay."""
        tiles = self.desk.public.layout.hexes.items()
        staying = [h for h, content in tiles if content.tile == self._lowest and h not in self._legal]
        return (Line(text=_stay(staying), tone="soft"),) if 0 < len(staying) <= FEW_INLAND else ()

    def touch_hex(self, h: Hex) -> None:
        """Choose it, or hear why it stays (6.1, 6.2)."""
        self._chosen, self._reason = None, None
        if h in self._legal:
            self._chosen = h
            return
        try:
            check(self.desk.session.position, SinkTile(hex=h))
        except IllegalAction as error:
            inland = error.rule == "6.2"
            text = _stay((h,)) if inland else _(GO_FIRST[self._lowest]).format(hex=label(h))
            self._reason = Line(id=rule_button(error.rule).id, text=text, icon="info")

    def touch_away(self) -> None:
        """Choose anew."""
        self._chosen, self._reason = None, None

    def act(self, button_id: str) -> None:
        """Sink it."""
        if button_id == "sink" and self._chosen:
            self.desk.session.do(self._legal[self._chosen])
