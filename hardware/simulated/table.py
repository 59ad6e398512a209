"""The simulated table: put a layout on it, take its picture.

In: a board file's object, a seed, a style's name. Out: pictures (H, W, 3) uint8 BGR as the camera over the table
would deliver them, and the truth that they show.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrangement import Arrangement, Piece
from hardware.simulated.arrays import Floats, Image, Points
from hardware.simulated.exposure import Exposure
from hardware.simulated.hand import Hand
from hardware.simulated.occlusion import is_covered, land_rim
from hardware.simulated.optics import View
from hardware.simulated.plan import CORNER_SIGNS, BoardPlan, Hex
from hardware.simulated.scene import Scene
from hardware.simulated.styles import STYLES


class SimulatedTable:
    """A board on a table under a camera that does not move.

    The same seed, style and calls give the same pictures. Safe to use from several threads. Raises ValueError for an
    unknown style, a board file that cannot be read or a picture too small to show the cards.
    """

    def __init__(
        self, board: Mapping[str, Any], seed: int = 0, style: str = "pine", size: tuple[int, int] = (1536, 864)
    ) -> None:
        if style not in STYLES:
            raise ValueError(f"There is no table style {style!r}; there are {', '.join(STYLES)}.")
        if size[0] < 320 or size[1] < 240:
            raise ValueError(
                f"A picture of {size[0]} x {size[1]} is too small to show the table: use 320 x 240 or more."
            )
        self.plan = BoardPlan.from_json(board)
        self.style = STYLES[style]
        self.size = size
        self._seeds = np.random.SeedSequence(seed).spawn(3)
        paint = np.random.default_rng(self._seeds[0])
        self.view = View(size, self.style.lens, self.style.pose, self.plan.card_corners())
        self._scene = Scene(self.plan, self.style, self.view, paint)
        self._exposure = Exposure(self.style, self.view, paint)
        self._outline = functools.lru_cache(maxsize=256)(self._scene.outline)
        self._lock = threading.Lock()
        self.begin_again()

    def begin_again(self) -> None:
        """Make all as it was when the table was new, but for the painting, which takes seconds."""
        with self._lock:
            placing, self._noise = (np.random.default_rng(seed) for seed in self._seeds[1:])
            self._arrangement = Arrangement(self.plan, placing, functools.partial(_cover, self._outline))
            self._layout: dict[str, Any] = {"hexes": [], "safe": {}}
            self._drawn: Image | None = None  # without hand and light
            self._exposed: Floats | None = None  # with them, the camera's noise still to come
            self._hand: Hand | None = None
            self._light = (1.0, 0.0)

    def put(self, layout: Mapping[str, Any]) -> None:
        """Make the table show a layout (an object of the layout protocol).

        Pieces that are still in their hex stay where they stood, all others get a new place. Raises ValueError, with
        nothing changed, if the layout cannot stand on this board.
        """
        with self._lock:
            self._arrangement.put(layout)
            self._layout = {"hexes": list(layout.get("hexes", ())), "safe": dict(layout.get("safe", {}))}
            self._drawn = self._exposed = None

    def hand(self, at: tuple[float, float] | None, bearing_deg: float = -60.0) -> None:
        """Reach for a point of the board (mm), the arm pointing to `bearing_deg` (0 east, 90 south); None: gone."""
        with self._lock:
            self._hand = Hand(self.view, at, math.radians(bearing_deg)) if at is not None else None
            self._exposed = None

    def light(self, strength: float = 1.0, warmth: float = 0.0) -> None:
        """Change the room's light: 1 is the style's own strength; warmth from -1 (blue) to 1 (red)."""
        with self._lock:
            self._light = (strength, warmth)
            self._exposed = None

    def picture(self) -> Image:
        """The next picture, with noise of its own."""
        with self._lock:
            if self._exposed is None:
                self._exposed = self._exposure.expose(self._draw(), *self._light)
            return self._exposure.read_out(self._exposed, self._noise)

    def truth(self) -> dict[str, Any]:
        """The layout on the table, with `condition`, and under a hand `occluded` hexes and `occluded_safe` lands."""
        with self._lock:
            strength, _ = self._light
            light = f"light {round(100 * strength)} %"
            truth: dict[str, Any] = {**self._layout, "condition": {"light": light, "hand": self._hand is not None}}
            if self._hand is not None:
                mask = self._hand.mask()
                truth["occluded"] = [list(h) for h in self.plan.hexes if self._hidden(h, mask)]
                truth["occluded_safe"] = [land for land in CORNER_SIGNS if self._land_hidden(land, mask)]
            return truth

    def pieces(self) -> list[Piece]:
        """Every piece but the passengers, where it stands."""
        with self._lock:
            return self._arrangement.pieces()

    def passengers(self) -> list[Piece]:
        """Everybody who sits in a boat, where they sit."""
        with self._lock:
            return [p for place in self._arrangement.hexes.values() for p in place.passengers()]

    def project(self, points: Points) -> Points:
        """Where world points (N, 3: mm east, south, up from the board's face) appear in the picture, px (N, 2)."""
        return self.view.project(points)

    def _draw(self) -> Image:
        if self._drawn is None:
            self._drawn = self._scene.draw(self._arrangement)
        if self._hand is None:
            return self._drawn
        drawn = self._drawn.copy()
        self._hand.draw(drawn, self.style.lamps)
        return drawn

    def _hidden(self, h: Hex, mask: Image) -> bool:
        face = np.column_stack([self.plan.corners(h), np.zeros(6)])
        place = self._arrangement.hexes.get(h)
        outlines = [self._outline(p) for p in place.pieces] if place else []
        return any(is_covered(mask, o) for o in (self.project(face).astype(np.float32), *outlines))

    def _land_hidden(self, land: str, mask: Image) -> bool:
        outline = self.project(land_rim(self.plan, land)).astype(np.float32)
        place = self._arrangement.lands.get(land)
        outlines = [self._outline(p) for p in place.pieces] if place else []
        return any(is_covered(mask, o) for o in (outline, *outlines))


def _cover(outline: Callable[[Piece], NDArray[np.float32]], a: Piece, b: Piece) -> float:
    """How much of the smaller of two pieces' outlines the other one covers in the picture."""
    one, other = outline(a), outline(b)
    shared, _ = cv2.intersectConvexConvex(one, other)
    return float(shared) / max(1.0, min(cv2.contourArea(one), cv2.contourArea(other)))
