"""Chance: shuffles the tiles, deals the backs and rolls the die, from one seed (see `fairness`).

The same seed gives the same game on every machine and Python. The session draws from the seed by itself, so that
a draw counts only once it is on the disk; this class keeps count for those who need no journal.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence

from companion.rules import TILE_DECK, Position
from companion.rules.actions import Action
from companion.rules.geometry import Hex, load_board
from companion.rules.layout import Terrain
from companion.table import fairness
from companion.table.game import ATLANTIS


class Dealer:
    """Draws what chance decides; without a seed from the system's entropy.

    `seed` is to be kept secret until the game is over. Whole numbers are for games that have to come again.
    """

    def __init__(self, seed: bytes | int | None = None) -> None:
        if seed is None:
            seed = secrets.token_bytes(fairness.SEED_BYTES)
        self.seed = seed if isinstance(seed, bytes) else str(seed).encode()
        self._drawn: Counter[str] = Counter()

    def tiles(self, edition: str = "anniversary") -> dict[Hex, Terrain]:
        """2.2: the forty tiles at random on the island hexes."""
        return dict(zip(load_board(edition).island, self._shuffled(TILE_DECK), strict=True))

    def complete(self, position: Position, action: Action) -> Action:
        """The legal action with what chance adds to it, as likely as it is; as it is if nothing is left to chance."""
        chance = ATLANTIS.chance(position, action)
        if chance is None:
            return action
        return ATLANTIS.with_outcome(action, self._draw(chance.stream, chance.outcomes))

    def _draw(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
        n = self._drawn[stream]
        self._drawn[stream] += 1
        return fairness.draw(self.seed, stream, n, outcomes)

    def _shuffled(self, deck: Sequence[Terrain]) -> list[Terrain]:
        """Tile by tile, each of those left as likely as any other."""
        left: Counter[Terrain] = Counter(deck)
        shuffled: list[Terrain] = []
        for _ in deck:
            tile: Terrain = self._draw("tiles", tuple(left.items()))  # type: ignore[assignment]  # one of the deck
            left[tile] -= 1
            shuffled.append(tile)
        return shuffled

    def __repr__(self) -> str:
        return "Dealer()"
