"""What one look at the table gives: evidence, never the truth of the game.

In: nothing but numbers from the recogniser. Out: one immutable value that can be written down as JSON and
that the reconciler reads. No pixels here, so that `companion.table` can import it without OpenCV.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.rules.geometry import Hex
from companion.rules.layout import Counts, HexContent, Land, Layout

HiddenBy = Literal["hand", "glare", "shadow", "edge"]
"""Why a hex cannot be vouched for; `edge`: it lies outside the picture."""


class HexHypothesis(msgspec.Struct, frozen=True):
    """One reading of a hex and its probability (0 to 1; the ranked ones and all others sum to 1)."""

    content: HexContent
    probability: float


class HexEvidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """The readings of one hex, none where it is hidden: the one that is claimed, then the others, most probable first.

    The claims of all hexes together are the likeliest board that the box allows; by itself another reading of a hex may
    be more probable: of seven that may each be a shark one is claimed to be none, though it probably is one.

    `look`: where two observations give a hex the same number, it looks the same in both; 0 is like nothing before.
    """

    hex: Hex
    hypotheses: tuple[HexHypothesis, ...] = ()
    hidden: HiddenBy | None = None
    look: int = 0


class LandHypothesis(msgspec.Struct, frozen=True):
    """One reading of a safe land: the explorers on it by colour."""

    explorers: Counts
    probability: float


class LandEvidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """The ranked readings of one safe land; if a hand hides a part of it, of what is seen of the rest.

    `look` as in `HexEvidence`.
    """

    land: Land
    hypotheses: tuple[LandHypothesis, ...] = ()
    hidden: HiddenBy | None = None
    look: int = 0

    @property
    def claim(self) -> LandHypothesis | None:
        """The first reading; of a hidden land only if it is likelier than all others together."""
        first = self.hypotheses[0] if self.hypotheses else None
        return None if first is None or (self.hidden and first.probability < 0.5) else first


class Still(msgspec.Struct, frozen=True, tag_field="registration", tag="still"):
    """The board's print is seen where it was in the frame before."""


MovedWhat = Literal["board", "camera", "either"]


class Moved(msgspec.Struct, frozen=True, tag_field="registration", tag="moved"):
    """Board or camera was moved since the frame before, and the board was found again: this frame is read where it is.

    Where the board's middle now appears in the frame of where it lay (mm), and how it is turned (degrees, clockwise).
    `what` is "either" if no card tells.
    """

    what: MovedWhat
    east_mm: float
    south_mm: float
    turn_degrees: float


class NotSeen(msgspec.Struct, frozen=True, tag_field="registration", tag="not_seen"):
    """Too little of the board's print is seen to say where it lies: covered, dark, or gone."""


class Blurred(msgspec.Struct, frozen=True, tag_field="registration", tag="blurred"):
    """So little of the print's detail is seen (`detail`: which share of it) that pieces are read wrongly, and surely.

    The lens is out of focus, or something is on it, or the camera shakes.
    """

    detail: float


Registration = Still | Moved | NotSeen | Blurred


class Observation(msgspec.Struct, frozen=True):
    """One frame's evidence. `time` is the capture time in seconds on the camera's monotonic clock.

    `moving` tells that something moved between this frame and the one before (a hand, a piece in the air, a bump).
    """

    frame: int
    time: float
    hexes: tuple[HexEvidence, ...]
    safe: tuple[LandEvidence, ...]
    moving: bool = False
    registration: Registration = Still()

    @property
    def registered(self) -> bool:
        """False where the board cannot be read: then nothing else counts."""
        return not isinstance(self.registration, NotSeen | Blurred)

    def layout(self) -> Layout:
        """What is claimed of every hex; hidden hexes are `unknown`.

        A layout has no word for a safe land that is hidden: it holds what is seen of it, if that is likelier than not.
        """
        return Layout(
            hexes={
                e.hex: e.hypotheses[0].content
                for e in self.hexes
                if not e.hidden and not e.hypotheses[0].content.is_empty
            },
            safe={e.land: first.explorers for e in self.safe if (first := e.claim) and first.explorers},
            unknown=frozenset(e.hex for e in self.hexes if e.hidden),
        )
