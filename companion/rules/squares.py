"""The board as numbers and bit sets, for speed (see the README): one module knows how, the rules only use it.

Each hex has a number, its *square*: rows of equal width with an unused column between them, so that the six
neighbours of square `s` are `s` plus the six `_STEPS` everywhere on the board. A set of hexes is an `int`, a *mask*,
with bit `s` set for square `s`. All functions here are pure and take and give squares and masks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from typing import TypeVar

from companion.rules.geometry import Hex, load_board
from companion.rules.layout import Land

T = TypeVar("T")

BOARD = load_board("anniversary")

_FIRST_Q = min(q for q, _ in BOARD.hexes)
_FIRST_R = min(r for _, r in BOARD.hexes)
_WIDTH = max(q for q, _ in BOARD.hexes) - _FIRST_Q + 2
COUNT = _WIDTH * (max(r for _, r in BOARD.hexes) - _FIRST_R + 1)
"""How many squares there are, those off the board included."""

SQUARE: dict[Hex, int] = {(q, r): (r - _FIRST_R) * _WIDTH + q - _FIRST_Q for q, r in BOARD.hexes}
HEX: tuple[Hex, ...] = tuple((s % _WIDTH + _FIRST_Q, s // _WIDTH + _FIRST_R) for s in range(COUNT))
BIT: tuple[int, ...] = tuple(1 << s for s in range(COUNT))
LABEL: tuple[str, ...] = tuple(BOARD.labels.get(h, "") for h in HEX)

_E, _SE, _SW = 1, _WIDTH, _WIDTH - 1


def mask_of(squares: Sequence[int] | set[int]) -> int:
    """The mask of these squares."""
    mask = 0
    for s in squares:
        mask |= BIT[s]
    return mask


ALL = mask_of([SQUARE[h] for h in BOARD.hexes])
LAND_AT: dict[int, Land] = {SQUARE[h]: land for h, land in BOARD.land_at.items()}  # type: ignore[misc]


def spread(mask: int) -> int:
    """All hexes adjacent to a hex of the mask (1.5)."""
    return (mask << _E | mask >> _E | mask << _SE | mask >> _SE | mask << _SW | mask >> _SW) & ALL


NEAR: tuple[int, ...] = tuple(spread(BIT[s]) if BIT[s] & ALL else 0 for s in range(COUNT))
"""The neighbours of each square."""


def flood(start: int, steps: int, enter: int, through: int) -> int:
    """Where a piece can end that takes one to `steps` steps from square `start`, without `start` itself.

    It may enter the hexes of `enter` and go on from those of `through` only: the paths of 7.3, 10.1 and 10.2.
    """
    reached = front = NEAR[start] & enter
    for _ in range(steps - 1):
        front = spread(front & through) & enter & ~reached
        reached |= front
    return reached & ~BIT[start]


_DIGITS = f"0{COUNT}b"
_ZERO_ONE = bytes.maketrans(b"01", b"\0\1")


def row(make: Callable[[Hex], T]) -> tuple[T | None, ...]:
    """A table by square of what `make` gives for each hex of the board, None off the board."""
    return tuple(make(HEX[s]) if ALL >> s & 1 else None for s in range(COUNT))


def pick(table: Sequence[T | None], mask: int) -> list[T]:
    """The entries of a table by square that the mask, all on the board, names, in the order of the squares."""
    return list(compress(table, format(mask, _DIGITS)[::-1].encode().translate(_ZERO_ONE)))  # type: ignore[arg-type]


_SQUARES = tuple(range(COUNT))


def squares(mask: int) -> list[int]:
    """The squares of a mask, ascending."""
    return pick(_SQUARES, mask)
