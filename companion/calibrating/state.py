"""What a guided calibration shows at any moment, as plain immutable values; texts are ready for people."""

from __future__ import annotations

from typing import Literal

import msgspec

from calibration.assessment import Assessment
from calibration.print import Hex

StepName = Literal["cards", "lens", "board", "swatch", "result"]

CardState = Literal["seen", "missing", "outside"]


class CardShown(msgspec.Struct, frozen=True):
    """A corner card; `corners` of its marker in px of the picture, None where it is not seen."""

    name: str
    state: CardState
    corners: tuple[tuple[float, float], ...] | None = None


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """What the last picture of a step shows. `advice`: what is in the way, the gravest first.

    `ready`: the picture may be taken. `cards`: the four of them, in the steps in which they count. `views`: lens
    pictures taken and wanted. `coverage`: share of the picture in which the lens sheet has been held. `missing`,
    `strays`: hexes whose piece is missing, and hexes that should be bare.
    """

    advice: tuple[str, ...] = ()
    ready: bool = False
    cards: tuple[CardShown, ...] = ()
    views: tuple[int, int] | None = None
    coverage: float | None = None
    missing: tuple[Hex, ...] = ()
    strays: tuple[Hex, ...] = ()


class GuideState(msgspec.Struct, frozen=True, kw_only=True):
    """Where the calibration stands. `steps` in their order, `step` the one that is on, `task` what to do in it.

    `refusal`: why the last picture that was taken would not do. `assessment`: how good the result is, in the last step.
    `done`: the result has been accepted.
    """

    step: StepName
    steps: tuple[StepName, ...]
    task: str
    sight: Sight = Sight()
    refusal: str | None = None
    assessment: Assessment | None = None
    done: bool = False

    @property
    def number(self) -> int:
        """The step's number, counted from 1."""
        return self.steps.index(self.step) + 1
