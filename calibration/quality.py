"""How good a calibration's picture of the board is, in figures and in plain words.

In: the fit, the picture of the empty board. Out: `Quality`; `judge` grades each of its figures by the table `CRITERIA`
and says what to do where one falls short. What the colours are worth is judged in `assessment`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Literal, NamedTuple

import cv2
import msgspec
import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera import Camera
from calibration.pose import PoseFit, pixels_per_mm
from calibration.print import BoardPrint
from calibration.shine import by_hex, mirrored

Grade = Literal["good", "usable", "poor"]
GRADES: tuple[Grade, ...] = ("good", "usable", "poor")
"""Best first."""

LENS_WIDTH = 1536
"""The longer side in px of the pictures for which the limits of the lens error are given."""


def N_(text: str) -> str:  # noqa: N802 - the customary name of gettext's marker
    """Mark a sentence for the catalogues; whoever shows it translates it."""
    return text


class Quality(msgspec.Struct, frozen=True):
    """`line_rms`: printed lines against the model. `card_rms_mm`: the cards against where they should lie, None if the
    corners were tapped.

    `edge_mm`: width of a sharp edge (10 to 90 %) as seen, None if none is clear. `level`: brightness of the cards'
    white, without cards of what is brightest, 0 to 255. `clipped`: share of the board's pixels that are burnt out.
    `lens_rms_px`: error of the lens pictures, None without; `width`, `height`: of the picture, px; height 0 in older
    files. `black`: how bright printed black is as a share of white (`haze.black_share`); None in older files, and
    where too few cards tell. `mirrored`: light of lamps in the board, as a share of white (`shine.mirrored`); None in
    older files.
    """

    line_rms_mm: float
    line_rms_px: float
    card_rms_mm: float | None
    px_per_mm: float
    tilt_degrees: float
    distance_mm: float
    edge_mm: float | None
    level: float
    clipped: float
    width: int
    lens_rms_px: float | None = None
    height: int = 0
    black: float | None = None
    mirrored: float | None = None


class Advice(msgspec.Struct, frozen=True):
    """A sentence with named `fields` to fill in, each a phrase; text and phrases are marked for the catalogues."""

    text: str
    fields: dict[str, str] = {}

    def __str__(self) -> str:
        return self.text.format(**self.fields)


class Measure(msgspec.Struct, frozen=True):
    """One figure with its grade; `advice` says what to do if it is not good."""

    name: str
    value: float
    unit: str
    grade: Grade
    advice: Advice | None = None


class Criterion(NamedTuple):
    """A figure and its limits: good up to `good`, usable up to `usable`; down to them if `good` is the larger."""

    name: str
    unit: str
    value: Callable[[Quality], float | None]
    good: float
    usable: float
    advice: str

    def grade(self, value: float) -> Grade:
        """Where a value lies between the limits."""
        sign = 1.0 if self.usable > self.good else -1.0
        return (
            "good" if sign * value <= sign * self.good else "usable" if sign * value <= sign * self.usable else "poor"
        )


def _lens_error(q: Quality) -> float | None:
    """As if the picture's longer side were `LENS_WIDTH`: it may have been turned."""
    return None if q.lens_rms_px is None else q.lens_rms_px * LENS_WIDTH / max(q.width, q.height)


EDGE_REACH = 0.14
"""How far to either side of a marker's edge it is looked, as a share of the marker: its border of black cells is a
seventh wide, or a sixth. In mm, as what is wide is the same in pictures of all sizes."""

EDGE_STEP_PX = 0.25

HEX_MM = 38.0
"""Width of a hex from flat to flat, by which the limits are given."""

ONE_HEX = 0.5
"""Share of the board in % that a hex takes: where a lamp burns out so much, one cannot be read. At 59 tables without a
lamp in the board 0.28 at most is burnt out, at six with one 1 to 3."""

SHINY = 17.0
"""Of the empty boards of 54 tables 44 are at 16 at most, some of them for a pale sea's shallows; the development set's
five are at 14 with a lens so hazy that a fifth of full light is added. Ten are at 18 and more: there a lamp truly adds
11 to 70 % of white to a tenth of the hexes, and few of their pixels burn out. Two such, 15 and 18 %, are not told."""

GREY_BLACK = 12.0
"""Of the development set's 1445 occupied hexes 3 are misread, with so much haze (of white, in all pictures) that black
is 2 to 3 % of white; 7, 6, 7, 17 where it is 4 to 6, 6 to 10, 10 to 18, 18 to 31 %. Ink may have 10 % by itself,
and more if it is saved: so a calibration is usable whatever it is."""

_SHINES = N_("Part of the board shines: turn the lamp away or move it aside.")

CRITERIA = (
    Criterion(
        "printed lines", "mm", lambda q: q.line_rms_mm, 0.4, 0.8,
        N_("The printed lines fit badly: is the board flat, and its two halves closed?"),
    ),
    Criterion(
        "corner cards", "mm", lambda q: q.card_rms_mm, 5.0, 12.0,
        N_("A card lies off its corner: push each card's inner corner against the board's."),
    ),
    Criterion(
        "a hex", "px", lambda q: HEX_MM * q.px_per_mm, 34.0, 26.0,
        N_("The board is small in the picture: lower the camera or take larger pictures."),
    ),
    Criterion(
        "tilt", "degrees", lambda q: q.tilt_degrees, 36.0, 45.0,
        N_("The camera looks from too far aside: move it closer to above the board."),
    ),
    Criterion(
        "width of an edge", "mm", lambda q: q.edge_mm, 2.0, 3.2,
        N_("The picture is not sharp: set the focus on the board, or hold the camera still."),
    ),
    Criterion("light", "of 255", lambda q: q.level, 60.0, 30.0, N_("The picture is too dark: switch a lamp on.")),
    Criterion(
        "burnt out", "%", lambda q: 100 * q.clipped, ONE_HEX, 12.0,
        _SHINES,
    ),
    Criterion(
        "mirrored lamp", "% of white", lambda q: None if q.mirrored is None else 100 * q.mirrored, SHINY, math.inf,
        _SHINES,
    ),
    Criterion(
        "printed black", "% of white", lambda q: None if q.black is None else 100 * q.black, GREY_BLACK, math.inf,
        N_("Black looks grey in the picture: wipe the lens, let no lamp shine into it, and print the cards dark."),
    ),
    Criterion(
        "lens", "px", _lens_error, 0.6, 1.5,
        N_("The lens is measured badly: glue the lens sheet to stiff card, and hold it still for each picture."),
    ),
)  # fmt: skip


def judge(quality: Quality) -> tuple[Measure, ...]:
    """Every figure with its grade and, where it falls short, what to do; what was not measured is left out."""
    measures = []
    for criterion in CRITERIA:
        value = criterion.value(quality)
        if value is not None:
            grade = criterion.grade(value)
            advice = None if grade == "good" else Advice(criterion.advice)
            measures.append(Measure(criterion.name, value, criterion.unit, grade, advice))
    return tuple(measures)


def worst(grades: Iterable[Grade]) -> Grade:
    """A chain is as strong as its weakest link."""
    return max(grades, key=GRADES.index, default="good")


def measure_quality(
    image: Image,
    fit: PoseFit,
    board: BoardPrint,
    cards: Mapping[str, Floats],
    lens_rms: float | None,
    *,
    black: float | None,
) -> Quality:
    """Measure; what to do about it is said by `judge`. `black` as in `Quality`."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    scale = pixels_per_mm(fit.camera)
    white = white_level(grey, fit.camera, board, cards)
    return Quality(
        line_rms_mm=fit.line_rms_mm,
        line_rms_px=fit.line_rms_px,
        card_rms_mm=fit.card_rms_mm,
        px_per_mm=scale,
        tilt_degrees=fit.camera.tilt_degrees,
        distance_mm=float(np.linalg.norm(fit.camera.eye)),
        edge_mm=edge_width(grey, cards, board, scale),
        level=white,
        clipped=float(burnt_out(image, fit.camera, board).mean()),
        lens_rms_px=lens_rms,
        width=image.shape[1],
        height=image.shape[0],
        black=black,
        mirrored=mirrored(by_hex(image, fit.camera, board, white)),
    )


def white_level(grey: Image, camera: Camera, board: BoardPrint, cards: Collection[str]) -> float:
    """Brightness of the cards' white, 0 to 255, the median of all rims; of what is brightest if no card is seen."""
    if not cards:
        return float(np.percentile(grey, 99))
    white = camera.project(np.concatenate([board.card_white(name) for name in cards]))
    return float(np.median(_sample(grey, white)))


def burnt_out(image: Image, camera: Camera, board: BoardPrint) -> Floats:
    """1 or 0 for each point of a grid over the board's face (rows from the north, columns from the west)."""
    x, y = (np.linspace(-side / 2 + 4, side / 2 - 4, round(side / 3)) for side in board.board)
    columns, rows = np.meshgrid(x, y)
    points = np.stack([columns.ravel(), rows.ravel(), np.zeros(columns.size)], axis=1)
    maps = camera.project(points).astype(np.float32).reshape(*columns.shape, 2)
    seen = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_NEAREST)
    return np.asarray((seen >= 254).all(axis=2), float)


def edge_width(grey: Image, cards: Mapping[str, Floats], board: BoardPrint, px_per_mm: float) -> float | None:
    """10 to 90 % width in mm of the markers' black-white edges, the median of all sides; None if none is clear."""
    steps = max(12, round(EDGE_REACH * board.marker * px_per_mm / EDGE_STEP_PX))
    across = EDGE_STEP_PX * np.arange(-steps, steps + 1)[:, None]
    ends = steps // 3
    widths = []
    for corners in cards.values():
        middle = corners.mean(axis=0)
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            outward = (a + b) / 2 - middle
            outward /= np.linalg.norm(outward)
            for t in np.linspace(0.2, 0.8, 7):
                profile = _sample(grey, a + (b - a) * t + outward * across)
                low, high = profile[:ends].mean(), profile[-ends:].mean()
                if high - low > 30:
                    widths.append(_rise((profile - low) / (high - low)) * EDGE_STEP_PX)
    return float(np.median(widths)) / px_per_mm if widths else None


def _rise(level: Floats) -> float:
    """Over how many steps a profile from 0 to 1 goes from 0.1 to 0.9; noise before and after does not count."""
    above = max(1, int((level > 0.9).argmax()))
    below = int(np.flatnonzero(level[:above] <= 0.1).max(initial=0))

    def crossing(before: int, value: float) -> float:
        low, high = level[before], level[before + 1]
        return before + float((value - low) / (high - low)) if high > low else float(before)

    return crossing(above - 1, 0.9) - crossing(below, 0.1)


def _sample(grey: Image, pixels: Floats) -> Floats:
    maps = pixels.astype(np.float32).reshape(1, -1, 2)
    return np.asarray(cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), float).ravel()
