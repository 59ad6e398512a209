"""What a guided calibration shows at any moment, as plain immutable values; texts are ready for people."""

from __future__ import annotations

from typing import Literal

import msgspec

from calibration.assessment import Assessment
from calibration.print import Hex

StepName = Literal["lens", "cards", "board", "swatch", "result"]

CardState = Literal["seen", "missing", "outside"]

CardName = Literal["nw", "ne", "se", "sw"]

CornerHow = Literal["seen", "given", "guessed"]
"""From its card; by people; from the other cards, or from nothing."""

Pixel = tuple[float, float]
"""A place in the camera's picture, px."""


class CardShown(msgspec.Struct, frozen=True):
    """A corner card; `corners` of its marker in px of the picture, None where it is not seen."""

    name: str
    state: CardState
    corners: tuple[tuple[float, float], ...] | None = None


class CornerShown(msgspec.Struct, frozen=True):
    """A corner of the board: of which card, where in the picture, and how that is known."""

    name: CardName
    at: Pixel
    how: CornerHow


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """What the last picture of a step shows. `advice`: what is in the way, the gravest first.

    `ready`: the picture may be taken, though there may be advice on what people have to judge. `cards`, `corners`: the
    four of them, in the steps in which they count. `views`: lens pictures taken and wanted. `coverage`: share of the
    picture in which the lens sheet has been held. `missing`, `strays`: hexes whose piece is missing, and hexes that
    should be bare; `places` says where in the picture each lies.
    """

    advice: tuple[str, ...] = ()
    ready: bool = False
    cards: tuple[CardShown, ...] = ()
    corners: tuple[CornerShown, ...] = ()
    views: tuple[int, int] | None = None
    coverage: float | None = None
    missing: tuple[Hex, ...] = ()
    strays: tuple[Hex, ...] = ()
    places: dict[Hex, Pixel] = {}

    @property
    def sure(self) -> bool:
        """Nobody has to look first: the picture may be taken by itself."""
        return self.ready and not self.advice


class Figure(msgspec.Struct, frozen=True):
    """How far the printed lines lie from where the calibration has them, mm; up to where that is good, and usable."""

    value: float
    good: float
    usable: float


class GuideState(msgspec.Struct, frozen=True, kw_only=True):
    """Where the calibration stands. `steps` in their order, `step` the one that is on, `task` what to do in it.

    `taken`: the steps that have what they need; it is kept until they are taken again. `figure`: how well the board is
    found, once its picture has been taken. `refusal`: why the last picture that was taken would not do. `assessment`:
    how good the result is, in the last step. `done`: the result has been accepted.
    """

    step: StepName
    steps: tuple[StepName, ...]
    task: str
    taken: tuple[StepName, ...] = ()
    figure: Figure | None = None
    sight: Sight = Sight()
    refusal: str | None = None
    assessment: Assessment | None = None
    done: bool = False

    @property
    def just_refused(self) -> bool:
        """The last picture was taken and would not do; the refusal stands longer, until another one is taken."""
        return self.refusal is not None and self.sight == Sight()

    @property
    def number(self) -> int:
        """The step's number, counted from 1."""
        return self.steps.index(self.step) + 1
