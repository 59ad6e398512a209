"""The printed board and the corner cards as data: what lies where, in the board frame (mm; see `camera`)."""

from __future__ import annotations

import functools
import math
from typing import Annotated

import msgspec
import numpy as np

from calibration.arrays import Floats
from calibration.errors import CalibrationError
from calibration.markers import aruco_dictionary, require_markers

Hex = tuple[int, int]
Side = Annotated[float, msgspec.Meta(ge=100, le=2000)]
"""Of the board, mm."""

HexWidth = Annotated[float, msgspec.Meta(ge=20, le=150)]
"""Of a hex from flat to flat, mm: a piece has to stand on it, and is 7 mm wide."""

Length = Annotated[float, msgspec.Meta(ge=2, le=1000)]
"""Of cards and squares, mm."""

Thickness = Annotated[float, msgspec.Meta(ge=0, le=100)]
"""Of the board, mm."""

MarkerIds = dict[str, Annotated[int, msgspec.Meta(ge=0)]]
"""The number of each card's marker."""


CARD_CORNERS = {"nw": (-1, -1), "ne": (1, -1), "se": (1, 1), "sw": (-1, 1)}
"""The direction from the board's middle to each card."""

_INLETS = ((-2, -5), (-3, -4), (7, -5), (7, -4), (-7, 4), (-7, 5), (2, 5), (3, 4))
_CUT = ((6, 0), (-6, 0))

HEXES: tuple[Hex, ...] = tuple(
    (q, r)
    for r in range(-6, 7)
    for q in range(-7, 8)
    if (max(abs(q), abs(r), abs(q + r)) <= 6 and (q, r) not in _CUT) or (q, r) in _INLETS
)
"""The 133 printed hexes, axial coordinates."""


class BoardPrint(msgspec.Struct, frozen=True, dict=True):
    """Sizes in mm of board, hexes and corner cards, and the cards' marker numbers."""

    board: tuple[Side, Side] = (510.0, 450.0)
    thickness: Thickness = 4.0
    hex_flat_to_flat: HexWidth = 38.0
    card: Length = 60.0
    marker: Length = 40.0
    marker_dict: str = "DICT_4X4_50"
    marker_ids: MarkerIds = msgspec.field(default_factory=lambda: {"nw": 0, "ne": 1, "se": 2, "sw": 3})

    def __post_init__(self) -> None:
        """Raises CalibrationError if no such board or cards can be."""
        x, y = (max(abs(at) for at in along) for along in zip(*(self.centre(h) for h in HEXES), strict=True))
        if x > self.board[0] / 2 or y > self.board[1] / 2:
            raise CalibrationError("The hexes are too large for the board.")
        if self.marker >= self.card:
            raise CalibrationError("The markers must be smaller than their cards.")
        if set(self.marker_ids) != set(CARD_CORNERS) or len(set(self.marker_ids.values())) < len(CARD_CORNERS):
            raise CalibrationError("The four cards nw, ne, se and sw must each have a marker of its own.")
        require_markers(self.marker_dict, max(self.marker_ids.values()) + 1)

    @property
    def side(self) -> float:
        """Side (= circumradius) of a hex."""
        return self.hex_flat_to_flat / math.sqrt(3)

    def centre(self, h: Hex) -> tuple[float, float]:
        """Middle of a hex."""
        return math.sqrt(3) * self.side * (h[0] + h[1] / 2), 1.5 * self.side * h[1]

    def corners(self) -> Floats:
        """4 x 3: the corners of the board's face, nw, ne, se, sw."""
        x, y = self.board[0] / 2, self.board[1] / 2
        return np.array([[x * sx, y * sy, 0.0] for sx, sy in CARD_CORNERS.values()])

    def card_corners(self, name: str) -> Floats:
        """4 x 3: the marker's corners of one card in OpenCV's order (nw, ne, se, sw of the marker), on the table."""
        sx, sy = CARD_CORNERS[name]
        middle = np.array([sx * (self.board[0] + self.card) / 2, sy * (self.board[1] + self.card) / 2, -self.thickness])
        half = self.marker / 2
        return np.asarray(middle + np.array([[half * x, half * y, 0.0] for x, y in CARD_CORNERS.values()]))

    def card_white(self, name: str) -> Floats:
        """N x 3: points in the middle of the card's white rim, where its brightness can be sampled."""
        return self._round_marker(name, 1.0 + (self.card - self.marker) / 2 / self.marker)

    def card_black(self, name: str) -> Floats:
        """N x 3: points in the middle of the marker's border, which is black."""
        cells = aruco_dictionary(self.marker_dict).markerSize + 2
        return self._round_marker(name, 1.0 - 1.0 / cells)

    def _round_marker(self, name: str, times: float) -> Floats:
        """N x 3: points all round a square that is so many times the marker's."""
        corners = self.card_corners(name)
        middle = corners.mean(axis=0)
        steps = np.linspace(0.0, 1.0, 7)[:-1]
        sides = [corners[i] + (corners[(i + 1) % 4] - corners[i]) * t for i in range(4) for t in steps]
        return np.asarray(middle + (np.array(sides) - middle) * (times, times, 1.0))

    @functools.cached_property
    def hex_edges(self) -> tuple[Floats, Floats]:
        """Every printed hex line once: middles (N x 2) and unit directions (N x 2)."""
        inner = self.hex_flat_to_flat / 2
        seen: dict[tuple[int, int], tuple[Floats, Floats]] = {}
        for h in HEXES:
            for k in range(6):
                angle = math.pi / 3 * k
                normal = np.array([math.cos(angle), math.sin(angle)])
                middle = np.array(self.centre(h)) + inner * normal
                key = (round(middle[0] * 10), round(middle[1] * 10))
                seen[key] = (middle, np.array([-normal[1], normal[0]]))
        middles, directions = zip(*seen.values(), strict=True)
        return np.array(middles), np.array(directions)
