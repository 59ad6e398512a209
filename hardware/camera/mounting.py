"""Where a camera may stand: the height above the board for a lens, straight above or leaning from a stand behind it.

In: a lens's field of view, how far the camera leans. Out: the nearest distance from which the picture holds all four
cards, and the farthest at which the hexes are still large enough. `python -m hardware.camera.mounting FOLDER` writes
the drawing (mounting.svg) and the table of mounting.md in that folder anew.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hardware.svg import AMBER, INK, RED, RULE, SEA, SOFT, WELL, Drawing

BOARD_MM = (510.0, 450.0)
CARD_MM = 60.0
HEX_MM = 38.0
MARGIN = 0.94
"""Of the picture's half width and height, as nobody hangs a camera to the centimetre."""
PICTURE_PX = 1536
"""The width of the ribbon cable's pictures; those of most USB cameras are wider."""
LEAST_HEX_PX = 34.0
MOST_TILT_DEG = 36.0
"""A calibration is called good from here on: the same numbers as in `calibration.quality`."""


@dataclass(frozen=True)
class Lens:
    """`field` is the angle of view across and down a 16:9 picture, in degrees; `width` the picture's, in px."""

    name: str
    field: tuple[float, float]
    width: int = PICTURE_PX

    @property
    def half(self) -> tuple[float, float]:
        """Half the picture's width and height at a distance of 1."""
        across, down = self.field
        return math.tan(math.radians(across / 2)), math.tan(math.radians(down / 2))


LENSES = (
    Lens("Camera Module 3", (66.0, 41.0)),
    Lens("Camera Module 3 Wide", (102.0, 67.0)),
    Lens("HQ Camera with the 6 mm lens", (55.3, 32.9)),
    Lens("USB camera of 78° from corner to corner", (70.4, 43.3)),
    Lens("the same with pictures of 1280 x 720", (70.4, 43.3), 1280),
)
"""By their data sheets; the HQ camera's picture is cut from 4:3."""


@dataclass(frozen=True)
class Stand:
    """Distances of a camera from the board's middle, in mm; over a long side, `tilt_deg` from straight above."""

    lens: Lens
    tilt_deg: float
    nearest: float
    farthest: float

    def height(self, distance: float) -> float:
        """Above the board."""
        return distance * math.cos(math.radians(self.tilt_deg))

    def behind(self, distance: float) -> float:
        """How far beside the board's middle the camera hangs, towards its long side."""
        return distance * math.sin(math.radians(self.tilt_deg))


def stand(lens: Lens, tilt_deg: float = 0.0) -> Stand:
    """Where a camera with this lens may stand. Raises ValueError if the tilt leaves no place for it."""
    nearest = _showing_all_cards(lens, tilt_deg)
    farthest = lens.width * HEX_MM / (2 * lens.half[0] * LEAST_HEX_PX)
    if not nearest < farthest or not 0 <= tilt_deg <= MOST_TILT_DEG:
        raise ValueError(f"{lens.name} cannot lean by {tilt_deg:g} degrees.")
    return Stand(lens, tilt_deg, nearest, farthest)


def _showing_all_cards(lens: Lens, tilt_deg: float) -> float:
    """The distance at which the outermost corner of a card comes into the picture, to a millimetre."""
    east, south = (side / 2 + CARD_MM for side in BOARD_MM)
    corners = np.array([(sx * east, sy * south, 0.0) for sx in (-1, 1) for sy in (-1, 1)])
    near, far = 1.0, 10_000.0
    while far - near > 1.0:
        middle = (near + far) / 2
        near, far = (near, middle) if _inside(lens, tilt_deg, middle, corners) else (middle, far)
    return far


def _inside(lens: Lens, tilt_deg: float, distance: float, points: NDArray[np.float64]) -> bool:
    """True if all points (N, 3), mm from the board's middle with the third axis up, lie in the picture."""
    tilt = math.radians(tilt_deg)
    forward = np.array([0.0, -math.sin(tilt), -math.cos(tilt)])
    down = np.array([0.0, math.cos(tilt), -math.sin(tilt)])
    rays = points + forward * distance  # the camera is at -forward * distance
    depth = rays @ forward
    half_x, half_y = lens.half
    seen_x, seen_y = np.abs(rays[:, 0]) / half_x, np.abs(rays @ down) / half_y
    return bool(np.all((depth > 0) & (seen_x < MARGIN * depth) & (seen_y < MARGIN * depth)))


def rows() -> Iterator[str]:
    """The table of the guide as lines of Markdown: centimetres, rounded to where they still hold."""
    yield "| camera | straight above: height | leaning 20°: height, beside the middle | 30°: height, beside |"
    yield "|---|---|---|---|"
    for lens in LENSES:
        cells = [lens.name]
        for tilt in (0.0, 20.0, 30.0):
            here = stand(lens, tilt)
            cells.append(_range(here.height(here.nearest), here.height(here.farthest)))
            if tilt:
                cells[-1] += f", {_range(here.behind(here.nearest), here.behind(here.farthest))}"
        yield f"| {' | '.join(cells)} |"


def _range(low_mm: float, high_mm: float) -> str:
    return f"{math.ceil(low_mm / 10)} to {math.floor(high_mm / 10)} cm"


# --- the drawing ---

SCALE = 0.3
"""px for a millimetre."""
FLOOR = 520
PANELS = ((LENSES[0], 0.0, 210), (LENSES[1], 0.0, 500), (LENSES[0], 20.0, 860))
"""Lens, tilt, where the board's middle is drawn."""


def drawing() -> str:
    """Three stands from the side, the board's long side towards the viewer's left and right hidden: the SVG's text."""
    picture = Drawing(1120, 620, "Where the camera may stand")
    picture.text((40, 48), "Where the camera may stand", size=30, bold=True)
    picture.text(
        (40, 78), "From the side, with a card at each end of the board. Amber: anywhere along it.", colour=SOFT
    )
    picture.line((30, FLOOR + 8), (1090, FLOOR + 8), width=6, colour=RULE)
    for lens, tilt, x in PANELS:
        _side_view(picture, stand(lens, tilt), x)
    return str(picture)


def _side_view(picture: Drawing, here: Stand, x: float) -> None:
    """Board, the camera at its nearest and farthest place, what it sees from the nearest, the measures."""
    board, cards = BOARD_MM[1] / 2 * SCALE, (BOARD_MM[1] / 2 + CARD_MM) * SCALE

    def place(distance: float) -> tuple[float, float]:
        return x + here.behind(distance) * SCALE, FLOOR - here.height(distance) * SCALE

    near, far = place(here.nearest), place(here.farthest)
    half = math.radians(here.lens.field[1] / 2)
    tilt = math.radians(here.tilt_deg)
    reach = [near[0] - (FLOOR - near[1]) * math.tan(tilt + turn) for turn in (half, -half)]
    picture.shape(near, (reach[0], FLOOR), (reach[1], FLOOR), fill=SEA, opacity=0.55)
    picture.line((reach[0], FLOOR), near, (reach[1], FLOOR), colour=SOFT, width=1.5, dash="5 4")
    picture.line((x - cards, FLOOR + 2), (x + cards, FLOOR + 2), width=3, colour=RED)
    picture.box((x - board, FLOOR - 5), (2 * board, 8), fill=WELL, radius=1)
    picture.line(near, far, width=8, colour=AMBER)
    for at in (near, far):
        _camera(picture, at, tilt)
    ruler = max(far[0], x + cards) + 34
    for at, distance in ((near, here.nearest), (far, here.farthest)):
        picture.line((at[0] + 16, at[1]), (ruler + 6, at[1]), colour=RULE, width=1)
        picture.text((ruler + 12, at[1] + 6), f"{_cm(here.height(distance), distance == here.nearest)} cm", bold=True)
    picture.line((ruler, FLOOR), (ruler, far[1]), colour=RULE, width=1.5)
    if here.tilt_deg:
        picture.line((x, FLOOR - 8), (x, far[1]), colour=RULE, width=1.5, dash="2 5")
        for at, distance in ((near, here.nearest), (far, here.farthest)):
            told = f"{_cm(here.behind(distance), distance == here.nearest)} cm"
            picture.line((x, at[1] - 11), (at[0] - 18, at[1] - 11), colour=RULE, width=1.5)
            picture.text(((x + at[0]) / 2 - 8, at[1] - 17), told, anchor="middle", size=14)
    picture.text((x, FLOOR + 40), here.lens.name, anchor="middle", bold=True)
    words = f"leaning by {here.tilt_deg:g}°" if here.tilt_deg else "straight above the middle"
    picture.text((x, FLOOR + 64), words, anchor="middle", colour=SOFT)


def _camera(picture: Drawing, at: tuple[float, float], tilt: float) -> None:
    def turned(dx: float, dy: float) -> tuple[float, float]:
        return at[0] + dx * math.cos(tilt) - dy * math.sin(tilt), at[1] + dx * math.sin(tilt) + dy * math.cos(tilt)

    picture.shape(turned(-14, -6), turned(14, -6), turned(14, 2), turned(-14, 2), fill=INK)
    picture.shape(turned(-5, 2), turned(5, 2), turned(6, 8), turned(-6, 8), fill=INK)


def _cm(mm: float, least: bool) -> int:
    return math.ceil(mm / 10) if least else math.floor(mm / 10)


# --- the guide ---

TABLE = re.compile(r"(?<=<!-- made by hardware.camera.mounting -->\n).*?(?=<!-- end -->)", re.DOTALL)


def guide(text: str) -> str:
    """The guide's text with the table as it is now."""
    return TABLE.sub("".join(f"{row}\n" for row in rows()), text)


def main(folder: Path) -> None:
    """Write drawing and table anew."""
    (folder / "mounting.svg").write_text(drawing())
    page = folder / "mounting.md"
    page.write_text(guide(page.read_text()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
