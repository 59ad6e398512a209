"""3.1: playing a tile from the hand. The screen is the same whatever the hand holds; the curtain covers the choice.

Once a tile is being played, everybody sees which: what it can move is lit, then where to.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.i18n import _
from companion.rules.actions import Back, EndPhase, PlayTile
from companion.rules.geometry import Hex
from companion.rules.layout import Layout
from companion.rules.pieces import MOVED_BY_TILE
from companion.viewmodel import danger
from companion.viewmodel.board import Choice
from companion.viewmodel.desk import Desk
from companion.viewmodel.states import Button, Light, Line
from companion.viewmodel.turn.panel import Panel, TurnPresenter
from companion.viewmodel.words import back_name, colour_name

_RULES: Mapping[Back, str] = {"dolphin": "10.1", "wind": "10.2"}
"""What each tile does; all others call a creature (10.3)."""


class TilePhase(TurnPresenter):
    """Before a tile has been chosen: look at the hand, or go on."""

    cell = "play_tile"

    def panel(self) -> Panel:
        """It depends on nothing but that there is a hand."""
        return Panel(
            cell=self.cell,
            sentence=_("You may play one tile from your hand."),
            prompt=(Button(id="choose", text=_("Look at your hand"), line=_("in secret"), icon="eye"),),
            cell_acts=True,
            primary=Button(id="skip", text=_("No tile"), kind="primary"),
        )

    def touch_cell(self) -> None:
        """Touching Tile is asking for the hand."""
        self.desk.choosing_tile = True

    def act(self, button_id: str) -> None:
        """To the curtain, or on to the moves."""
        if button_id == "choose":
            self.desk.choosing_tile = True
        elif button_id == "skip":
            self.desk.session.do(EndPhase())


class PlayingTile(TurnPresenter):
    """A tile is being played: first what it moves, then where to (10)."""

    cell = "play_tile"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        assert desk.tile is not None, "a tile has been chosen"
        self._tile = desk.tile
        self._plays = [action for action in desk.legal_with(self._tile) if isinstance(action, PlayTile)]
        self._origin: Hex | None = None
        self._how: tuple[PlayTile, ...] = ()

    def panel(self) -> Panel:
        """What may move, or where it may go."""
        layout = self.desk.public.layout
        lights = self._lights(layout)
        warnings = {text for play in self._from_origin() if (text := self._what_waits(layout, play))}
        if self._how:
            sentence = _("Which colour goes?")
        elif self._origin:
            sentence = _("Touch where it goes.")
        else:
            sentence = _("Touch one of the bright hexes: what the tile moves.")
        return Panel(
            cell=self.cell,
            rule=_RULES.get(self._tile, "10.3"),
            choice=Choice(lights=lights, touch=lights.keys(), veiled=True),
            subtitle=back_name(self._tile),
            sentence=sentence,
            lines=tuple(Line(text=text, icon="warning", tone="danger") for text in sorted(warnings)),
            prompt=tuple(
                Button(id=f"how:{play.colour}", text=colour_name(play.colour), mark=play.colour)
                for play in self._how
                if play.colour
            ),
            choosing=True,
            primary=Button(id="keep", text=_("Keep the tile"), kind="primary"),
        )

    def _from_origin(self) -> list[PlayTile]:
        return [play for play in self._plays if play.origin == self._origin]

    def _lights(self, layout: Layout) -> dict[Hex, Light]:
        if self._origin is None:
            return dict.fromkeys((play.origin for play in self._plays), "legal")
        lights: dict[Hex, Light] = {
            play.target: "deadly" if self._what_waits(layout, play) else "legal" for play in self._from_origin()
        }
        lights[self._origin] = "chosen"
        return lights

    def _what_waits(self, layout: Layout, play: PlayTile) -> str | None:
        """10.1, 10.2: a dolphin or the wind may end where something waits; 10.3 never strikes."""
        if self._tile in MOVED_BY_TILE:
            return None
        return (danger.for_swimmer if self._tile == "dolphin" else danger.for_boat)(layout, play.target)

    def touch_hex(self, h: Hex) -> None:
        """What moves, then where to; another origin instead."""
        plays = tuple(play for play in self._from_origin() if play.target == h)
        self._how = ()
        if len(plays) == 1:
            self.desk.session.do(plays[0])
        elif plays:
            self._how = plays
        elif h != self._origin and any(play.origin == h for play in self._plays):
            self._origin = h
        else:
            self._origin = None

    def touch_away(self) -> None:
        """Choose anew what moves."""
        self._origin, self._how = None, ()

    def unchoose(self) -> None:
        """What moves; before that is chosen, the tile: it stays in the hand."""
        if self._origin is None:
            self.desk.tile = None
        self.touch_away()

    def act(self, button_id: str) -> None:
        """Which colour, or not after all."""
        plays = {f"how:{play.colour}": play for play in self._how}
        if button_id in plays:
            self.desk.session.do(plays[button_id])
        elif button_id == "keep":
            self.desk.tile = None
