"""The table as it was last: what a new game starts filled with. Kept by whoever keeps settings, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from companion.rules.layout import COLOURS, Colour
from companion.rules.options import EDITIONS, Options, Player
from companion.viewmodel.seating import SIDES, USUAL_SIDES

Laying = Literal["companion", "as they lie", "in progress"]
"""The companion shuffles the tiles; or they lie on the table already; or a whole game does."""


class PlayerSetup(msgspec.Struct, frozen=True):
    """A player in the making: `side` of the table, 0 is the south, clockwise."""

    name: str
    colours: tuple[Colour, ...]
    side: int


class NewGameDefaults(msgspec.Struct, frozen=True):
    """Everything the wizard asks. `begins` is a number in `players`."""

    edition: str = EDITIONS[0]
    players: tuple[PlayerSetup, ...] = (
        PlayerSetup("Ann", ("red",), USUAL_SIDES[2][0]),
        PlayerSetup("Bo", ("blue",), USUAL_SIDES[2][1]),
    )
    begins: int = 0
    options: Options = Options()
    laying: Laying = "companion"
    camera: bool = True

    def seated(self) -> tuple[Player, ...]:
        """The players of the game in the order of their turns: clockwise from who begins (2.1)."""
        first = self.players[self.begins].side
        turn_order = sorted(self.players, key=lambda player: (player.side - first) % SIDES)
        return tuple(Player(player.name.strip(), player.colours) for player in turn_order)

    def sides(self) -> dict[Colour, int]:
        """Where each colour sits."""
        return {colour: player.side for player in self.players for colour in player.colours}


def free_colours(players: Sequence[PlayerSetup]) -> tuple[Colour, ...]:
    """Colours that nobody plays, in their order."""
    taken = {colour for player in players for colour in player.colours}
    return tuple(colour for colour in COLOURS if colour not in taken)
