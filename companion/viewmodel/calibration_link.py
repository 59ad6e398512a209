"""What the view model knows of a calibration that is going on: a small protocol, whatever stands behind it.

The real one steers the guide in the process that has the camera; all heavy work is done there. Nothing here waits.
Places are px of the camera's picture, from its top left.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from companion.viewmodel.table_link import LinkStatus

GuideStep = Literal["lens", "cards", "board", "swatch", "result"]
Card = Literal["nw", "ne", "se", "sw"]
CARDS: tuple[Card, ...] = ("nw", "ne", "se", "sw")


class Corner(msgspec.Struct, frozen=True):
    """A corner of the board, by its card: read off the card, put by people, or guessed as its card is not seen.

    `cut`: that card lies beyond the picture's edge.
    """

    card: Card
    x: float
    y: float
    how: Literal["seen", "given", "guessed"]
    cut: bool = False


class Spot(msgspec.Struct, frozen=True):
    """A hex where a piece is missing, or where one lies that should not."""

    x: float
    y: float
    kind: Literal["missing", "stray"]


class Accuracy(msgspec.Struct, frozen=True):
    """How far the print lies from where the calibration has it, mm; up to where that is good, and usable."""

    value: float
    good: float
    usable: float


class Guided(msgspec.Struct, frozen=True, kw_only=True):
    """Where the calibration stands; texts are ready for people.

    `steps` in their order, `taken` those that have what they need. `task`: what to do; `advice`: what is in the way,
    the gravest first; `ready`: the picture may be taken, or the result kept. `busy`: something is being worked out.
    `refusal`: why the last picture would not do. `views`: pictures of the lens sheet taken and wanted. `grade` of the
    result; `done`: it was kept and is in use; `rehearsal`: what is kept is forgotten with the program.
    `size` of the camera's picture, px.
    """

    step: GuideStep
    steps: tuple[GuideStep, ...]
    taken: tuple[GuideStep, ...] = ()
    task: str = ""
    advice: tuple[str, ...] = ()
    ready: bool = False
    busy: bool = False
    refusal: str = ""
    corners: tuple[Corner, ...] = ()
    spots: tuple[Spot, ...] = ()
    views: tuple[int, int] | None = None
    accuracy: Accuracy | None = None
    grade: Literal["good", "usable", "poor"] | None = None
    done: bool = False
    rehearsal: bool = False
    size: tuple[int, int] = (1, 1)


class CalibrationLink(Protocol):
    """A calibration by the camera over the table, one at a time."""

    @property
    def status(self) -> LinkStatus:
        """Whether there are pictures."""

    @property
    def guided(self) -> Guided | None:
        """The last that was heard of the calibration; None while none has answered."""

    @property
    def picture(self) -> bytes:
        """The last live picture, a JPEG of no particular size; empty while none has come."""

    def begin(self) -> None:
        """Start one; nothing is followed meanwhile. What is in use stays in use until a better one is kept."""

    def take(self) -> None:
        """Take the picture; in the last step keep the result."""

    def skip(self) -> None:
        """Leave the lens as it is assumed."""

    def go(self, step: GuideStep) -> None:
        """To a step that has been taken, or the next one; nothing is lost."""

    def anew(self) -> None:
        """Begin the present step anew."""

    def put_corner(self, card: Card, x: float, y: float) -> None:
        """People say where a corner of the board lies."""

    def end(self) -> None:
        """Back to watching, with what is in use."""
