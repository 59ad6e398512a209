"""Where people sit: the four sides of the table, and the corner of the screen where each looks in secret.

The sides are numbered clockwise from the south. The corner of a side is the one at the left hand of who sits there:
south is `sw`, west `nw`, north `ne`, east `se`. So turns go round the corners as they go round the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rules.layout import Colour
from companion.rules.options import Player
from companion.viewmodel.states import Corner

SIDES = 4
CORNERS: tuple[Corner, ...] = ("sw", "nw", "ne", "se")
"""The corner of each side, from the south clockwise."""

USUAL_SIDES: Mapping[int, tuple[int, ...]] = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""Where two, three and four people sit unless they say otherwise."""


def corners(players: Sequence[Player], sides: Mapping[Colour, int]) -> tuple[Corner, ...]:
    """Each player's corner. `sides` is where each colour sat last; whoever fits it not at all sits as usual."""
    known = [sides.get(player.colours[0]) for player in players]
    chosen = [side for side in known if side is not None]
    if len(set(chosen)) < len(players):
        chosen = list(USUAL_SIDES[len(players)])
    return tuple(CORNERS[side] for side in chosen)
