"""Find what covers the table: hands and arms.

In: `PixelEvidence`, the island. Out: a mask of hidden pixels. An arm is the one thing that is neither print nor tile,
is wider than any piece, reaches in from outside the board and is not put together of pieces of many kinds.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import cv2
import numpy as np

from calibration import Calibration
from calibration.appearance import CLASSES
from calibration.arrays import Floats32, Mask, Pixels
from calibration.colours import ColourModel, of_class
from calibration.swatch import COLOURS, CREATURES
from companion.vision.evidence import FOREIGN, SHRINK, PixelEvidence, shrunk, structure
from companion.vision.field import Field

TILE = -11.6
"""A tile's colours have this log density or more (`PixelEvidence.tile`; nine tenths of tiles do, of an arm one tenth
does by chance)."""

SKIN_MARGIN = -0.7
"""Log density: a pixel stays a tile's if that explains it twice as well as the arm's colours do."""

GROWTHS = 3
GROWN = 1.05
"""The arm is grown so often at most, and no more once it gains less than a twentieth: what it then takes is noise."""

SAMPLE_STEP = 7
"""Of the arm's pixels every so many teach its colours: thousands are left, and neighbours look alike."""

RIM_MM = 2.0
"""So much more is hidden round the arm: its edge is blurred, half arm and half board."""

ARM_RADIUS_MM = 13.0
"""A disc of this radius fits into an arm, but into no few pieces side by side, and of a heap not into what is of one
kind."""

REACH_MM = 28.0
"""Fingers reach this far beyond where the disc fits."""

MIN_AREA_MM2 = 2500.0
"""Of what the disc fits into, five times the disc's own area: a hand that reaches a hex leaves more on the board."""

EDGE_MM = 30.0
"""An arm comes in over the board's rim or the picture's edge: it is seen within this distance of one of them."""

PRINT_STEP, FAINT_STEP = 4.5, 3.0
"""The print has structure, clear or faint, where its lightness (L of Lab) is so far from that round it."""

LIKE_WINDOW, HEX_WINDOW = (11, 11), (27, 27)
LIKE = 0.35
LEAST_STRUCTURE = 0.03
"""The print is seen to be there where a window of 18 mm is so like it (correlation). It may be missed where so much of
a window as large as a hex has structure, be it faint."""

UNLIKELY = -11.5
LEAST = -13.5
"""Where the print is missed, so small a log density in the mean over 18 mm is foreign; no pixel counts as rarer than
`LEAST`, so that pieces are not spread over the sea between them. A sleeve of the sea's own colour is the print pixel by
pixel, but not as a whole."""

SEEN_THROUGH = 0.4
"""What shows such a share of the clear structure under it is a lamp's reflection or a shadow. Of 53 arms beside which
there is no reflection none shows more than 0.24; 11 reflections show 0.49 and more."""

LEAST_MISSED = 100
"""An arm beside a reflection, or in a patch of other light, may be one with it. Such a part in which the print is not
seen at all is an arm, if so many pixels of clear structure (shrunk) are missed there, tiles left out. Under three arms
of 540 pictures lie hundreds; where a lamp burns out the lines of a bare sea, or a head's shadow takes them, 35."""

BARE, LEAST_CLEAR = 0.7, 5
"""So large a share of at least so many clear pixels (shrunk) is seen where nothing covers the print. Of 18 hexes at 203
tables that the network took for covered 14 show more, each by itself, of 35 that arms covered 2, at their rims."""

KINDS = (*((colour,) for colour in COLOURS), ("boat",), CREATURES)
"""What looks alike in a heap of pieces: one paint, wood, creatures. What none of them explains is a kind of its own."""

EXPLAINED = 100
"""A kind explains a pixel from this byte of its densities on (log density -12.5), in the mean over 8 mm."""

KIND_WINDOW = (5, 5)
"""These 8 mm, shrunk."""

HEAP_KINDS, HEAP_SHARE = 4, 0.03
"""A part is a heap of pieces if an arm's disc fits into what is of no kind by itself, and so many kinds have such a
share of it or more: sleeves have stripes. Of 156 arms at 181 tables a disc of 14.7 mm radius and more fits into what is
of one kind; of 586 parts that were taken for arms, mostly heaps on boards that hold more than a box, an arm's fits into
214 of none, of which 213 have as many kinds."""

BY_CHANCE = 3.0
INDEPENDENT = 1.5
"""Its likeness to the print must also be so many standard deviations above none, one in so many pixels counted as a
sample of its own."""


class HandStep:
    """Finds hands."""

    def __init__(self, calibration: Calibration, field: Field, inside: Mask) -> None:
        """`inside`: H x W, which of the view's pixels the picture shows."""
        self._island = field.island
        self._scale = calibration.view.px_per_mm
        self._board = calibration.view.face() & inside
        rim = self._board & ~(calibration.view.face(EDGE_MM) & ~_near(~inside, EDGE_MM * self._scale))
        self._rim = shrunk(rim)
        self._print = structure(calibration.ground.lab())
        self._print_power = _blurred(self._print**2)
        height = np.abs(self._print)
        self._clear = height > PRINT_STEP
        self._at_sea = self._clear & ~shrunk(self._island)  # under tiles it is not to be seen, whatever light there is
        self._printed = cv2.blur((height > FAINT_STEP).astype(np.float32), HEX_WINDOW) > LEAST_STRUCTURE

    def __call__(self, evidence: PixelEvidence) -> Mask:
        """H x W: True where a hand or arm hides the board."""
        seen = evidence.structure
        there = self._is_print(seen)
        unlikely = _blurred(np.maximum(shrunk(evidence.ground), LEAST)) < UNLIKELY
        gone = _enlarged(self._printed & ~there & unlikely, self._board.shape)
        no_print = ((evidence.ground < FOREIGN) | gone) & self._board
        tile = evidence.tile
        tiled = self._island & (tile > TILE)
        arm = self._arm(no_print & ~tiled)
        if arm.any():
            arm &= ~self._seen_through(arm, seen, there)
        if not arm.any():
            return arm
        colours = evidence.lab.reshape(-1, 3)
        # skin may be as pale as sand: what has the arm's colour rather than the tiles' belongs to it, step by step
        for _ in range(GROWTHS):
            sample = colours.take(np.flatnonzero(arm & ~tiled)[::SAMPLE_STEP], axis=0)
            at = np.flatnonzero(tiled)
            skin = ColourModel({"arm": sample}).log_density(colours.take(at, axis=0))[:, 0]
            tiled.ravel()[at] = skin < tile.take(at) + SKIN_MARGIN
            before, arm = np.count_nonzero(arm), self._arm(no_print & ~tiled)
            if np.count_nonzero(arm) < GROWN * before:
                break
        if arm.any():
            arm &= ~self._heaps(arm, evidence)
        rim = 2 * round(RIM_MM * self._scale) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (rim, rim))
        return np.asarray(cv2.dilate(arm.astype(np.uint8), disc) > 0)

    def are_bare(self, evidence: PixelEvidence, places: Sequence[Pixels]) -> list[bool]:
        """Of each place (flat indices) True if the print shows all over it, so that nothing can hide it."""
        there = self._is_print(evidence.structure)
        found = []
        for place in places:
            marked = np.zeros(self._board.shape, bool)
            marked.ravel()[place] = True
            clear = shrunk(marked) & self._clear
            found.append(bool(np.count_nonzero(clear) >= LEAST_CLEAR and there[clear].mean() > BARE))
        return found

    def _is_print(self, seen: Floats32) -> Mask:
        """Where a picture's structure is like the print's; shrunk."""
        power = np.maximum(_blurred(seen**2) * self._print_power, 0.0)  # a sum that slides may end below
        return np.asarray(_blurred(seen * self._print) > LIKE * np.sqrt(power))

    def _seen_through(self, arm: Mask, seen: Floats32, there: Mask) -> Mask:
        """The parts in which the print is still to be seen; all of it if no part is left that is large enough.

        `seen`: the picture's structure; `there`: where it is like the print's; both shrunk. Of what is seen through as
        a whole a part may not be.
        """
        through = self._parts_seen_through(arm, seen, there)
        covered = self._arm(arm & through & ~_enlarged(there, arm.shape))
        count, labels = cv2.connectedComponents(covered.astype(np.uint8))
        missed = np.bincount(shrunk(labels)[self._at_sea & ~there], minlength=count) >= LEAST_MISSED
        missed[0] = False  # what is in no part
        return np.asarray(through & ~missed[labels])

    def _parts_seen_through(self, arm: Mask, seen: Floats32, there: Mask) -> Mask:
        """`_seen_through`, of whole parts."""
        count, labels = cv2.connectedComponents(arm.astype(np.uint8))
        small = shrunk(labels)
        through = np.zeros(count, bool)
        through[0] = True  # what is in no part
        for part in range(1, count):
            here = (small == part) & self._clear
            if np.count_nonzero(here & self._at_sea) >= LEAST_MISSED:
                here &= self._at_sea
            a, b = self._print[here], seen[here]
            likeness = float(a @ b) / max(1e-6, float(np.linalg.norm(a) * np.linalg.norm(b)))
            certain = likeness > BY_CHANCE * math.sqrt(INDEPENDENT / max(1, len(a)))
            through[part] = certain and float(there[here].mean()) > SEEN_THROUGH
        area = np.bincount(labels.ravel(), minlength=count)
        if not (area[~through] >= MIN_AREA_MM2 * self._scale**2).any():
            through[:] = True
        return np.asarray(through[labels])

    def _heaps(self, arm: Mask, evidence: PixelEvidence) -> Mask:
        """The parts that are as wide as an arm only as pieces of several kinds lie side by side."""
        count, labels = cv2.connectedComponents(arm.astype(np.uint8))
        left, top, width, height = cv2.boundingRect(shrunk(arm).astype(np.uint8))
        box = slice(max(0, top - 1), top + height + 1), slice(max(0, left - 1), left + width + 1)
        parts = shrunk(labels)[box]
        area = np.bincount(parts.ravel(), minlength=count)
        pieces = _by_kind(evidence, box)
        is_wide = np.zeros(count, bool)
        for kind in (*pieces, ~np.any(pieces, axis=0)):
            alike = cv2.morphologyEx(kind.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
            alike[parts == 0] = 0
            inner = cv2.distanceTransform(alike, cv2.DIST_L2, 5) > ARM_RADIUS_MM * self._scale / SHRINK
            is_wide[parts[inner]] = True
        enough = [np.bincount(parts[kind], minlength=count) >= HEAP_SHARE * area for kind in pieces]
        heaps = ~is_wide & (np.sum(enough, axis=0) >= HEAP_KINDS)
        heaps[0] = False  # what is in no part
        return np.asarray(heaps[labels])

    def _arm(self, foreign: Mask) -> Mask:
        """Of what is neither print nor tile the parts that are wide, large and reach in from outside."""
        closed = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        small = shrunk(closed) > 0
        scale = self._scale / SHRINK
        core = self._core(small, scale)
        if not core.any():
            return np.zeros(foreign.shape, bool)
        count, labels = cv2.connectedComponents((_near(core, REACH_MM * scale) & small).astype(np.uint8))
        arm = np.bincount(labels[core], minlength=count) > 0
        arm[0] = False  # what is in no part
        whole = _enlarged(arm[labels], closed.shape).astype(np.uint8)
        return np.asarray(cv2.bitwise_and(cv2.dilate(whole, np.ones((3, 3), np.uint8)), closed) > 0)

    def _core(self, foreign: Mask, scale: float) -> Mask:
        """Where a disc as wide as an arm fits into what is foreign, by large parts that touch the rim."""
        inner = cv2.distanceTransform(foreign.astype(np.uint8), cv2.DIST_L2, 5) > ARM_RADIUS_MM * scale
        if not inner.any():
            return inner
        discs = _near(inner, ARM_RADIUS_MM * scale)
        count, labels = cv2.connectedComponents(discs.astype(np.uint8))
        area = np.bincount(labels.ravel(), minlength=count)
        on_rim = np.bincount(labels[self._rim], minlength=count)
        kept = (area >= MIN_AREA_MM2 * scale**2) & (on_rim > 0)
        kept[0] = False  # what is in no part
        return np.asarray(kept[labels])


def _by_kind(evidence: PixelEvidence, box: tuple[slice, slice]) -> list[Mask]:
    """Of a box (rows and columns, shrunk) which pixels each of `KINDS` explains, and best of all."""
    planes = []
    for kind in KINDS:
        densities = (shrunk(of_class(evidence.classes, CLASSES.index(name)))[box] for name in kind)
        planes.append(cv2.blur(functools.reduce(np.maximum, densities), KIND_WINDOW))
    best, likeliest = np.argmax(planes, axis=0), np.max(planes, axis=0)
    return [np.asarray((best == number) & (likeliest >= EXPLAINED)) for number in range(len(KINDS))]


def _blurred(shrunk: Floats32) -> Floats32:
    return np.asarray(cv2.blur(shrunk, LIKE_WINDOW), np.float32)


def _enlarged(shrunk: Mask, shape: tuple[int, ...]) -> Mask:
    """The other way round, to that shape (H, W)."""
    return np.asarray(cv2.resize(shrunk.astype(np.uint8), shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0)


def _near(mask: Mask, radius: float) -> Mask:
    """What lies within that many px of the mask. A distance transform costs the same for every radius."""
    return np.asarray(cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 5) <= radius)
