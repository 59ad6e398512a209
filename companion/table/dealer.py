"""Chance: shuffles the tiles, deals the backs and rolls the die, from one stream that can be checked afterwards.

Draw number `i` of a stream comes from SHA-256 over seed, `i` and the number of attempts, so that the same seed gives
the same game on every machine and Python, and a dealer can go on after a restart from the number of draws so far.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

from companion.rules import TILE_DECK, Position, outcomes, with_outcome
from companion.rules.actions import Action
from companion.rules.geometry import Hex, load_board
from companion.rules.layout import Terrain

_RANGE = 1 << 256


class Dealer:
    """Draws what chance decides; without a seed from the system's entropy.

    `seed`: the stream's seed, to be kept secret until the game is over. `drawn`: how many draws it has made.
    """

    def __init__(self, seed: bytes | int | None = None, drawn: int = 0) -> None:
        if seed is None:
            seed = secrets.token_bytes(32)
        self.seed = seed if isinstance(seed, bytes) else str(seed).encode()
        self.drawn = drawn

    @property
    def fingerprint(self) -> str:
        """Hex SHA-256 commitment to the seed: to be shown at the start, checked when the seed is shown at the end."""
        return hashlib.sha256(b"fingerprint:" + self.seed).hexdigest()

    def below(self, count: int) -> int:
        """One draw: a number from 0 to `count` - 1, each equally likely."""
        number, attempt = _RANGE, 0
        while number >= _RANGE - _RANGE % count:
            text = b"%s:%d:%d" % (self.seed, self.drawn, attempt)
            number, attempt = int.from_bytes(hashlib.sha256(text).digest(), "big"), attempt + 1
        self.drawn += 1
        return number % count

    def tiles(self, edition: str = "anniversary") -> dict[Hex, Terrain]:
        """2.2: the forty tiles at random on the island hexes."""
        return dict(zip(load_board(edition).island, self._shuffled(TILE_DECK), strict=True))

    def complete(self, position: Position, action: Action) -> Action:
        """The legal action with what chance adds to it, as likely as it is; as it is if nothing is left to chance."""
        possible = outcomes(position, action)
        if not possible:
            return action
        left = self.below(sum(weight for _, weight in possible))
        for outcome, weight in possible:
            if left < weight:
                return with_outcome(action, outcome)
            left -= weight
        raise AssertionError("the weights have been summed")

    def _shuffled(self, deck: Sequence[Terrain]) -> list[Terrain]:
        """Fisher and Yates' shuffle."""
        shuffled = list(deck)
        for i in range(len(shuffled) - 1, 0, -1):
            j = self.below(i + 1)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return shuffled
