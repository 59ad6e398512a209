"""Look at a board through windows: which hexes are worth a look, what the network says of them and of the safe lands.

In: the planes of `inputs`, made of `PixelEvidence`. Out: a `Look`. The network has been shown the session's own pieces
before.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Container, Mapping

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Calibration, CalibrationError
from calibration.arrays import Bytes, Floats32, Indices, Mask
from calibration.swatch import COLOURS, CREATURES, Swatch
from companion.rules.geometry import Hex
from companion.rules.layout import Land
from companion.vision.evidence import PixelEvidence
from companion.vision.field import Field
from companion.vision.inputs import Planes, lab_bytes, network_inputs, plane, shrunk
from companion.vision.kept import KeptAnswers
from companion.vision.memory import Numbers
from companion.vision.network import Examples, Network
from companion.vision.places import Places
from companion.vision.questions import EXAMPLES, Answers
from companion.vision.windows import (
    COARSE_FRAME,
    CREATURE_FRAME,
    INSIDE_BYTE,
    LAND_SIDES,
    LAND_STEP,
    Cuts,
    WindowMaps,
    cells_of,
    land_cells,
)

WITHIN_MM = 4.0
"""So far within a hex's edges something must be seen for the hex to be looked at: what stands beyond an edge and leans
over it stands elsewhere. By the limits of that time 4308 of 12,115 bare hexes of 110 sessions were looked at in vain
(for the whole hexes 7160), and no more busy ones were missed; 6 mm would have spared 1100 more, but people put pieces
near edges too."""

PRINT_BYTE = 125
"""From this byte of the plane of the print on, the print explains a pixel well enough."""

FOREIGN_SHARE = 0.015
"""A hex is looked at if more than this share of it shows something else: fewer pixels are a neighbour that leans in."""

INHABITED_SHARE = 0.002
"""So is a safe land: it is larger than a hex. Nothing else is asked there: of 1946 with people on them none shows less
than 0.0074."""

LAND_MARGIN = 16
"""A safe land is read where it shows something else than the print, and so many px (13 mm) round it."""

WELL_BYTE = 175
"""From this byte of the plane of the print on, the print explains a pixel well."""

UNEVEN_BYTE = 12
UNEVEN_WINDOW = (25, 25)
"""Otherwise than round it is what differs from the print in lightness by 4.7 L (12 of 255) more or less than the mean
of a square of 25 px (2 cm) does."""

EDGED_SHARE = 0.025
"""A hex is looked at as well if more than this share of it is lit otherwise than round it and not explained well: a
black piece on a grey sea passes for the print in a shadow, but shadows are soft. Of 63,551 hexes of 170 tables with
something on them, half of the pictures packed, all that the camera has not cut off at white are found as foreign or by
their edges, with 1.7 times these shares or more; of 8670 in altered pictures with 2.9 times. By looser limits for what
is foreign, by what the print hardly explains, and by uneven light whatever the print explains (until then) eight were
not, and were read as bare, with certainty: creatures and swimmers of the sea's own colours, seen by everybody. Of a
picture's bare hexes 20 are looked at in vain; 24 were."""

SURE = 0.9
"""With all answers to a hex together less probable than this, they are not kept: the next picture is asked too."""

PLAIN_ASHORE, PLAIN_AT_SEA = 0.97, 0.997
"""From this probability of all answers together on the coarse look is enough: on a tile, and elsewhere, where a swimmer
of the sea's own blue is easily overlooked and creatures are small. Of 13,339 hexes looked at in pictures of the
recognition set, as they are and altered in five ways, that is 57 %; 3 of these are wrong, of what the others say 8. Of
2478 of five kept-out tables, half of whose boards are packed, it is 33 %, and none is wrong; of 1871 of nine, as
played, 51 %, and one is, which the others read right."""

DOUBTED = 0.94
"""With all answers to a hex together less probable than this, it is looked at once more, closely and in a mirror."""

CREATURES_DOUBTED = 0.9
"""With what is likeliest of a hex's creatures less probable than this after both, they are laid over the swatch
picture's."""

SAID_BEFORE = 0.6
"""Weight of what both said of creatures; the rest is that of what is said of them then (mean of the logarithms)."""

LEAST = 1e-12
"""No probability counts as less in such a mean, so that of two that contradict each other something is left."""

Box = tuple[slice, slice]
"""Rows and columns of a window, px."""


@dataclasses.dataclass(frozen=True)
class Look:
    """`hexes`: those that were looked at, `answers` of the network to them; all others show bare print.

    `lands`: 4 x colours x cells, how surely somebody stands in each cell; `land_cells`: 4 x cells, which of them are
    land.
    """

    hexes: tuple[Hex, ...]
    answers: Answers
    lands: Floats32
    land_cells: Mask


@dataclasses.dataclass(frozen=True)
class Scan:
    """What the network is to see of a picture (`planes`, and the same `coarse`), and where something may be: on which
    `hexes`, in the board's order, and in which part of the windows of which safe `lands`.
    """

    planes: Planes
    coarse: Planes
    hexes: Mask
    lands: Mapping[Land, Box]


def example_of(swatch: Swatch) -> str:
    """Of which of `EXAMPLES` a hex of the swatch layout is one. Raises CalibrationError if nothing stands there."""
    if swatch.tile:
        return f"on {swatch.tile}"
    if swatch.boat is not None:
        crew = sum(swatch.boat.values())
        return f"boat with {min(crew, 3)}" if crew > 1 else "boat"
    counts = dict(zip(CREATURES, (swatch.serpents, swatch.sharks, swatch.whales), strict=True))
    counts |= {f"swimmer {colour}": n for colour, n in swatch.explorers.items()}
    for name, count in counts.items():
        if count:
            return name
    raise CalibrationError(f"The swatch layout has nothing on hex {list(swatch.hex)}; calibrate again.")


class LookStep:
    """Looks at one picture after the other."""

    def __init__(self, calibration: Calibration, field: Field, network: Network) -> None:
        self._calibration = calibration
        self._field = field
        self._network = network
        self._reference = lab_bytes(calibration.ground.lab())
        every = range(len(field.centres))
        self._hexes = field.cutter.hexes(field.eye, every)
        self._narrow = self._hexes.within(CREATURE_FRAME)
        self._coarse = field.cutter.hexes(field.eye, every, frame=COARSE_FRAME)
        self._lands = field.cutter.safe_lands(field.eye, range(len(LAND_SIDES)))
        self._middles = middles(field)
        self.land_pixels = field.cutter.land_pixels()
        self.land_places = Places(self.land_pixels)
        self._kept = KeptAnswers(len(field.centres))
        self._asked = np.zeros(0, np.int64)
        self._land_cells = land_cells(self._lands)

    def examples(self, scan: Scan) -> Examples:
        """The hexes of the swatch picture.

        `scan`: of the swatch picture. A hex that shows bare print is no example: its piece was forgotten. Raises
        CalibrationError if there is no example at all.
        """
        known = self._calibration
        places = [self._field.board.index[s.hex] for s in known.swatches]
        there = scan.hexes[places]
        if not there.any():
            raise CalibrationError(
                "None of the pieces is seen on the picture of them; lay them out and calibrate again."
            )
        kinds = np.array([EXAMPLES.index(example_of(s)) for s in known.swatches])
        eye, which = np.array(known.swatch_eye), np.flatnonzero(there)
        fine, coarse = self._field.cutter.hexes(eye, places), self._field.cutter.hexes(eye, places, frame=COARSE_FRAME)
        swatches = tuple(itertools.compress(known.swatches, there))
        near, narrow = (Cuts(maps, scan.planes, which) for maps in (fine, fine.within(CREATURE_FRAME)))
        return Examples(near, narrow, Cuts(coarse, scan.coarse, which), kinds[there], swatches)

    def scan(self, evidence: PixelEvidence) -> Scan:
        """What there is to look at in a picture; it may be made while hands are looked for."""
        planes = network_inputs(evidence, self._reference)
        seen = foreign(planes)
        inhabited = self.land_places.show(seen, INHABITED_SHARE)
        boxes = land_boxes(self._lands, seen)
        lands = {land: boxes[land] for land in itertools.compress(LAND_SIDES, inhabited) if land in boxes}
        return Scan(planes, shrunk(planes, COARSE_FRAME.shrink), worth_a_look(planes, seen, self._middles), lands)

    def __call__(
        self,
        scan: Scan,
        hidden: Container[Hex] = (),
        hidden_lands: Container[Land] = (),
        looks: Numbers | None = None,
    ) -> Look:
        """Read the hexes on which something may be, and the safe lands; not those that are `hidden`.

        `looks`: numbers of how the hexes look; where they are those of `answered`, what was said then may hold.
        """
        board = self._field.board
        busy = np.array([i for i in np.flatnonzero(scan.hexes) if board.hexes[i] not in hidden], np.int64)
        holds = np.zeros(len(busy), bool) if looks is None else self._kept.holds(busy, looks[busy])
        self._asked = busy[~holds]
        places = np.concatenate([self._asked, busy[holds]])
        coarse = self._network.coarse.begin(Cuts(self._coarse, scan.coarse, self._asked))
        lands = self._read_lands(scan, hidden_lands)  # while it is seen what is left
        asked, kept = self._answers(scan, coarse()), self._kept.take(busy[holds])
        answers = {name: np.concatenate([said, kept[name]]) for name, said in asked.items()}
        return Look(tuple(board.hexes[i] for i in places), answers, lands(), self._land_cells)

    def hidden(self, scan: Scan, hexes: Indices) -> Floats32:
        """N: how surely something hides each of N hexes (by their places in the board's order), as the quick network
        says."""
        windows = Cuts(self._hexes, scan.planes, hexes)
        return np.asarray(self._network.quick.hexes(windows)["hidden"][:, 0, 1], np.float32)

    def _read_lands(self, scan: Scan, hidden: Container[Land]) -> Callable[[], Floats32]:
        """Begin to read the safe lands; what is returned waits for the maps of `Look.lands`."""
        boxes = {i: scan.lands[land] for i, land in enumerate(LAND_SIDES) if land in scan.lands and land not in hidden}
        only = np.zeros(1, int)
        begun = self._network.lands([Cuts(self._lands.part(i, *box), scan.planes, only) for i, box in boxes.items()])

        def lands() -> Floats32:
            maps = np.zeros((len(LAND_SIDES), len(COLOURS), *self._land_cells.shape[1:]), np.float32)
            for (i, (rows, columns)), read in zip(boxes.items(), begun(), strict=True):
                maps[i, :, cells_of(rows), cells_of(columns)] = read
            return maps

        return lands

    def answered(self, look: Look, looks: Numbers) -> None:
        """Keep what was said in the last picture: its hexes' looks have these numbers."""
        said = {name: answers[: len(self._asked)] for name, answers in look.answers.items()}
        self._kept.keep(self._asked, looks[self._asked], said, _certainty(said) >= SURE)

    def _answers(self, scan: Scan, coarse: Answers) -> Answers:
        """The coarse network's answers to what is asked where they are plain, those of the others elsewhere; in the end
        which way they lean at this table is taken out."""
        left = np.flatnonzero(~are_plain(coarse))
        for name, said in self._closer(Cuts(self._hexes, scan.planes, self._asked[left])).items():
            coarse[name][left] = said
        return self._network.leaning.taken_out(coarse)

    def _closer(self, windows: Cuts) -> Answers:
        """The quick network's answers; where it is not sure, their mean with those of a closer look, in a mirror; where
        creatures are in doubt then, the mean with what those say that are laid over the swatch picture's."""
        first = self._network.quick.hexes(windows)
        unsure = np.flatnonzero(_certainty(first) < DOUBTED)
        second = self._network.close.hexes(windows.in_a_mirror(unsure))
        for name, probabilities in first.items():
            probabilities[unsure] = _mean(probabilities[unsure], second[name], 0.5)
        counts = first["creatures"]
        doubted = unsure[_certainty({"creatures": counts[unsure]}) < CREATURES_DOUBTED]
        if len(doubted) and self._network.creatures.can_tell:
            told = self._network.creatures.counts(Cuts(self._narrow, windows.planes, windows.which[doubted]))
            counts[doubted] = _mean(counts[doubted], told, SAID_BEFORE)
        return first


def are_plain(answers: Answers) -> Mask:
    """Which hexes the coarse network may answer for alone."""
    is_ashore = answers["tile"][:, 0].argmax(axis=1) > 0
    return np.asarray(_certainty(answers) >= np.where(is_ashore, PLAIN_ASHORE, PLAIN_AT_SEA), bool)


def _mean(one: Floats32, other: Floats32, share: float) -> Floats32:
    """Of probabilities (N x slots x values) that of the logarithms, in which `one` has that share."""
    odds = np.maximum(one, LEAST) ** share * np.maximum(other, LEAST) ** (1 - share)
    return np.asarray(odds / odds.sum(axis=2, keepdims=True), np.float32)


def _certainty(answers: Answers) -> npt.NDArray[np.float32]:
    """How probable the likeliest answers to each hex are together."""
    return np.asarray(np.prod([p.max(axis=2).prod(axis=1) for p in answers.values()], axis=0), np.float32)


def land_boxes(lands: WindowMaps, seen: Bytes) -> dict[Land, Box]:
    """The parts of the safe lands' windows in which something may stand: round what shows something else than the
    print (`seen`: `foreign` of the planes). Lands that show their print everywhere have none."""
    boxes = {}
    for i, land in enumerate(LAND_SIDES):
        there = (lands.seen(seen, i) > 0) & (lands.inside[i] > INSIDE_BYTE)
        if there.any():
            boxes[land] = _span(there.any(axis=1)), _span(there.any(axis=0))
    return boxes


def _span(there: Mask) -> slice:
    """From the first to the last of a window's rows or columns, with what is round them."""
    seen = np.flatnonzero(there)
    first, last = max(0, int(seen[0]) - LAND_MARGIN), min(len(there), int(seen[-1]) + 1 + LAND_MARGIN)
    return slice(first // LAND_STEP * LAND_STEP, -(-last // LAND_STEP) * LAND_STEP)


def middles(field: Field) -> Places:
    """Where something must be seen for the hexes to be looked at."""
    return Places([field.middle(h, WITHIN_MM) for h in field.board.hexes])


def worth_a_look(planes: Planes, seen: Bytes, hexes: Places) -> Mask:
    """On which of the hexes something may be; `seen`: what is `foreign`, `hexes`: their `middles`."""
    return hexes.show(seen, FOREIGN_SHARE) | hexes.show(_edged(planes), EDGED_SHARE)


def foreign(planes: Planes) -> Bytes:
    """H x W, 1 where a pixel of the view shows something else than the print."""
    return np.asarray(cv2.erode(_less(planes, PRINT_BYTE), np.ones((2, 2), np.uint8)), np.uint8)


def _edged(planes: Planes) -> Mask:
    """H x W: where the print explains a pixel less well, and lightness differs otherwise than round it: a piece of the
    print's own colours, and no soft shadow."""
    return np.asarray((_less(planes, WELL_BYTE) > 0) & (_unevenness(planes) > UNEVEN_BYTE), bool)


def _less(planes: Planes, byte: int) -> Bytes:
    """H x W, 1 where the print explains less than that byte says."""
    print_ = np.ascontiguousarray(plane(planes, "print"))
    return np.asarray(cv2.threshold(print_, byte - 1, 1, cv2.THRESH_BINARY_INV)[1], np.uint8)


def _unevenness(planes: Planes) -> npt.NDArray[np.int16]:
    """H x W: by how much (of 255) a pixel differs from the print in lightness otherwise than what is round it."""
    picture, known = (np.ascontiguousarray(plane(planes, f"{what} L")) for what in ("picture", "reference"))
    lighter = cv2.subtract(picture, known, dtype=cv2.CV_16S)
    return np.asarray(cv2.absdiff(lighter, cv2.blur(lighter, UNEVEN_WINDOW)), np.int16)
