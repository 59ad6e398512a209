"""One piece that was found on the table."""

from __future__ import annotations

import dataclasses

from companion.vision.field import Floats


@dataclasses.dataclass(frozen=True, eq=False)
class Piece:
    """`kind` (for explorers the colour), where it appears (`pixel`, view px) and stands (`at`, mm), `angle` in radians.

    `clarity`: how clearly it is seen, 0 to 1. `doubt`: another kind that it may be, with its probability.
    """

    kind: str
    pixel: Floats
    at: Floats
    angle: float
    clarity: float
    doubt: tuple[str, float] | None = None
