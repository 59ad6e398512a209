"""The board as it is to be drawn: a layout, and which hexes are lit, may be touched or are veiled.

In: a `Layout` (of the game or the table) and the choice of the moment. Out: a `BoardView` with all hexes of the board.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from companion.rules.geometry import Hex
from companion.rules.layout import EMPTY, Land, Layout
from companion.viewmodel.states import Arrow, BoardView, HexView, Light
from companion.viewmodel.words import BOARD, marks


class Choice(msgspec.Struct, frozen=True):
    """What stands out on the board and what a finger can choose there.

    `lights`: hexes that are not drawn plainly. `touch`: hexes that may be chosen; a lit hex is not one by itself.
    `lands`: safe lands that may be chosen. `veiled`: all that is not lit is dimmed. `arrow`: the way back of a piece.
    """

    lights: Mapping[Hex, Light] = {}
    touch: Collection[Hex] = frozenset()
    lands: tuple[Land, ...] = ()
    veiled: bool = False
    arrow: Arrow | None = None


NOTHING_CHOSEN = Choice()


def board_view(layout: Layout, choice: Choice = NOTHING_CHOSEN) -> BoardView:
    """The whole board with what stands on it in `layout`; hexes it calls unknown are hatched unless lit otherwise."""
    rest: Light = "veiled" if choice.veiled else "plain"
    unknown: dict[Hex, Light] = dict.fromkeys(layout.unknown, "hidden")
    lights = {**unknown, **choice.lights}
    return BoardView(
        board=BOARD.name,
        hexes=tuple(
            HexView(
                hex=h,
                content=layout.hexes.get(h, EMPTY),
                light=lights.get(h, rest),
                touchable=h in choice.touch,
            )
            for h in BOARD.hexes
        ),
        safe={land: shown for land, counts in layout.safe.items() if (shown := marks(counts))},  # type: ignore[misc]
        legal_lands=choice.lands,
        veiled=choice.veiled,
        arrow=choice.arrow,
    )
