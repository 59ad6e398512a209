"""The windows that the network looks through: one round each hex, and a larger one at each safe land.

In: the planes of `inputs` in the view. Out: stacks of windows, N x rows x columns x `WINDOW_CHANNELS`, uint8.
What stands up leans away from the point below the camera. Every window is turned so that it leans straight up, wherever
the hex lies and however the camera stands: a piece then differs from its like by how it is turned itself, and by how
far it leans, which is a plane of its own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Bytes, Floats, Floats32, Indices, Mask, Pixels
from calibration.colours import SIDE_BY_SIDE
from calibration.view import View
from companion.rules.layout import Land
from companion.vision.inputs import CHANNELS, STORED, Planes
from companion.vision.questions import CELL

PX_PER_MM = 1.25


class Frame(NamedTuple):
    """A window's size in px, and how many rows lie below the middle of its place: above there is room for heads.

    `shrink`: its pixels are so many times as wide and as high as the view's.
    """

    rows: int
    columns: int
    below: int
    shrink: int = 1

    @property
    def px_per_mm(self) -> float:
        """Its scale."""
        return PX_PER_MM / self.shrink

    def shrunk(self, by: int) -> Frame:
        """The same in coarser pixels, to be cut out of planes that are `inputs.shrunk` by as much."""
        return Frame(self.rows // by, self.columns // by, self.below // by, self.shrink * by)


HEX_FRAME = Frame(80, 64, 28)
CREATURE_FRAME = Frame(72, 56, 28)
"""Of `HEX_FRAME` what a creature may reach, and little of its neighbours."""

COARSE_FRAME = HEX_FRAME.shrunk(2)
LAND_FRAME = Frame(176, 176, 80)

LAND_STEP = 2 * CELL
"""Safe lands are read in rectangles whose sides are multiples of so many px: of a cell of what their network calculates
at the coarsest."""

assert CREATURE_FRAME.rows % (2 * CELL) == CREATURE_FRAME.columns % (2 * CELL) == 0
assert LAND_FRAME.rows % LAND_STEP == LAND_FRAME.columns % LAND_STEP == 0

WINDOW_CHANNELS = (*CHANNELS, "inside", "lean")
"""`inside`: how far a pixel lies inside the place (more than half) or outside it; `lean`: how far a head leans."""

_PLACES = [[CHANNELS.index(name) for name in names] for names in STORED]

INSIDE_MM = 12.0
"""Distance from the edge at which `inside` is 0 or 255."""

INSIDE_BYTE = 127
"""A pixel lies in its place above this byte of the plane `inside`."""

LEAN_MM, LEAN_MOST_MM = 20.0, 40.0
"""A point this high is seen that far from its foot where `lean` is 255."""

LAND_SIDES: dict[Land, tuple[int, int]] = {"nw": (-1, -1), "ne": (1, -1), "sw": (-1, 1), "se": (1, 1)}
"""Which way from the board's middle each safe land lies: east, south."""

LAND_DEPTH_MM = (103.0, 93.0)
"""A safe land is what is no hex within this of its corner of the board, east to west and north to south."""

_NORMALS = np.stack([np.cos(np.pi / 3 * np.arange(3)), np.sin(np.pi / 3 * np.arange(3))])
"""2 x 3: across the three pairs of a hex's edges."""


@dataclasses.dataclass(frozen=True)
class Jitter:
    """By how much a window is off, so that what learns from it does not rely on exactness.

    `turn` in radians, `shift` in mm and `scale` of lengths along the window's columns and up; mirrored if `flip`.
    """

    turn: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)
    flip: bool = False


EXACT = Jitter()


@dataclasses.dataclass(frozen=True)
class Window:
    """One window on the board: `centre` (mm) of its place, `eye` (x, y, height in mm) of the camera."""

    frame: Frame
    eye: Floats
    centre: Floats
    jitter: Jitter = EXACT

    @property
    def _axes(self) -> tuple[Floats, Floats]:
        """Unit vectors (2,), mm on the board: right and up. Up is away from the point below the camera."""
        away = self.centre - self.eye[:2]
        angle = np.arctan2(away[1], away[0]) + self.jitter.turn
        up = np.array([np.cos(angle), np.sin(angle)])
        right = np.array([-up[1], up[0]])
        return (-right if self.jitter.flip else right), up

    def points(self) -> Floats:
        """rows x columns x 2: the point of the board's face (mm) under each pixel."""
        rows, columns, below, _ = self.frame
        right, up = self._axes
        scale = self.frame.px_per_mm
        along = ((np.arange(columns) - (columns - 1) / 2) / scale + self.jitter.shift[0]) * self.jitter.scale[0]
        ahead = ((rows - 1 - below - np.arange(rows)) / scale + self.jitter.shift[1]) * self.jitter.scale[1]
        return np.asarray(self.centre + ahead[:, None, None] * up + along[None, :, None] * right, float)

    def pixels(self, points: Floats) -> Floats:
        """Row and column (N x 2) at which points (N x 2, mm) of the board's face are seen."""
        rows, columns, below, _ = self.frame
        right, up = self._axes
        scale = self.frame.px_per_mm
        offset, (along, ahead) = points - self.centre, self.jitter.scale
        column = (offset @ right / along - self.jitter.shift[0]) * scale + (columns - 1) / 2
        row = rows - 1 - below - (offset @ up / ahead - self.jitter.shift[1]) * scale
        return np.stack([row, column], axis=1)


@dataclasses.dataclass(frozen=True)
class WindowMaps:
    """Where the pixels of N windows lie in the view (shrunk as the windows are), ready to cut them out of one picture
    after the other.

    `at`: N x rows x columns x 2 and `fraction`: N x rows x columns, in OpenCV's fixed point. `inside`: N x rows x
    columns and `lean`: N, the planes of these names.
    """

    at: npt.NDArray[np.int16]
    fraction: npt.NDArray[np.uint16]
    inside: Bytes
    lean: Bytes

    def part(self, number: int, rows: slice, columns: slice) -> WindowMaps:
        """These rows and columns of one of the windows."""
        one = slice(number, number + 1)
        there = one, rows, columns
        return WindowMaps(self.at[there], self.fraction[there], self.inside[there], self.lean[one])

    def within(self, frame: Frame) -> WindowMaps:
        """Windows of `HEX_FRAME` through a smaller frame of the same scale, at the same places."""
        rows, columns = HEX_FRAME[:2]
        assert self.inside.shape[1:] == (rows, columns)
        assert frame.shrink == HEX_FRAME.shrink
        bottom, side = rows - (HEX_FRAME.below - frame.below), (columns - frame.columns) // 2
        there = slice(None), slice(bottom - frame.rows, bottom), slice(side, side + frame.columns)
        return WindowMaps(self.at[there], self.fraction[there], self.inside[there], self.lean)

    def seen(self, plane: Bytes, number: int) -> Bytes:
        """rows x columns: what one of the windows shows of one plane (H x W) of the view."""
        one = slice(number, number + 1)
        return np.asarray(_sample(plane, self.at[one], self.fraction[one])[0], np.uint8)

    def cut(self, planes: Planes, which: Indices | None = None) -> Bytes:
        """The windows, or those of them in `which`: N x rows x columns x `WINDOW_CHANNELS`.

        `planes` of the view. Beyond its rim windows show what the rim shows.
        """
        some = slice(None) if which is None else which
        inside, lean = self.inside[some], self.lean[some]
        count, rows, columns = inside.shape
        out = np.empty((count, len(WINDOW_CHANNELS), rows, columns), np.uint8)  # plane by plane, as they are read
        if count:
            at, fraction = self.at[some], self.fraction[some]
            for places, group in zip(_PLACES, planes, strict=True):
                seen = _sample(group, at, fraction).reshape(count, rows * columns, SIDE_BY_SIDE)
                filled = [out[:, place].reshape(count, rows * columns) for place in places]
                cv2.mixChannels([seen], filled, [v for i in range(len(filled)) for v in (i, i)])
            out[:, -2] = inside
            out[:, -1] = lean[:, None, None]
        return out.transpose(0, 2, 3, 1)


@dataclasses.dataclass(frozen=True, eq=False)
class Cuts:
    """Windows of one picture, cut out when they are read: all of them at once would take 14 MB.

    `which`: their places in `maps`; `mirrored`: right and left change places.
    """

    maps: WindowMaps
    planes: Planes
    which: Indices
    mirrored: bool = False

    def __len__(self) -> int:
        return len(self.which)

    def __getitem__(self, some: slice) -> Bytes:
        """N x rows x columns x `WINDOW_CHANNELS`."""
        windows = self.maps.cut(self.planes, self.which[some])
        return windows[:, :, ::-1] if self.mirrored else windows

    def in_a_mirror(self, some: Indices) -> Cuts:
        """Some of them, by their places among these, looked at the other way round."""
        return dataclasses.replace(self, which=self.which[some], mirrored=not self.mirrored)


def cells_of(pixels: slice) -> slice:
    """Which cells lie in these rows or columns, multiples of `CELL`."""
    return slice(pixels.start // CELL, pixels.stop // CELL)


def land_cells(lands: WindowMaps) -> Mask:
    """N x cells of windows of safe lands: in which somebody stands on the land, as their middles lie on it."""
    return np.asarray(lands.inside[:, CELL // 2 :: CELL, CELL // 2 :: CELL] > INSIDE_BYTE)


Depth = Callable[[Floats, Floats], Floats]
"""Of points (rows x columns x 2, mm) and the middle of their place: how far they lie inside it, mm."""


class WindowCutter:
    """Lays windows over one board.

    `size` (mm) of the board, `centres` (N x 2, mm) of its hexes, `inner`: from the middle of a hex to that of an edge.
    """

    def __init__(self, view: View, size: tuple[float, float], centres: Floats, inner: float) -> None:
        self._view = view
        self.centres = centres
        self._inner = inner
        self._size = np.array(size)
        sides = np.array(list(LAND_SIDES.values()), float)
        self.lands = sides * (self._size - LAND_DEPTH_MM) / 2
        """4 x 2: the middles of the safe lands' windows, mm."""
        self._apart = self._apart_from_hexes()

    def hexes(
        self,
        eye: Floats,
        which: Sequence[int] | Indices,
        jitters: Sequence[Jitter] | None = None,
        frame: Frame = HEX_FRAME,
    ) -> WindowMaps:
        """The windows of hexes, by their places in the board's order. `eye`: of the camera (x, y, height in mm)."""
        centres = self.centres[np.asarray(which, int)]
        return self._maps(frame, eye, centres, jitters, lambda at, centre: self._inner - _from_middle(at - centre))

    def safe_lands(
        self, eye: Floats, which: Sequence[int] | Indices, jitters: Sequence[Jitter] | None = None
    ) -> WindowMaps:
        """The windows of safe lands, by their places in `LAND_SIDES`."""
        centres = self.lands[np.asarray(which, int)]
        return self._maps(LAND_FRAME, eye, centres, jitters, self._ashore)

    def land_pixels(self) -> list[Pixels]:
        """Flat indices of the view's pixels that show each safe land, in the order of `LAND_SIDES`."""
        least = self._size / 2 - LAND_DEPTH_MM
        ashore, grid = self._apart > 0, self._view.grid_mm()
        there = (ashore & (grid * side > least).all(axis=2) for side in LAND_SIDES.values())
        return [np.flatnonzero(land).astype(np.int32) for land in there]

    def _maps(
        self, frame: Frame, eye: Floats, centres: Floats, jitters: Sequence[Jitter] | None, depth: Depth
    ) -> WindowMaps:
        shape = (len(centres), frame.rows, frame.columns)
        at, fraction = np.empty((*shape, 2), np.int16), np.empty(shape, np.uint16)
        inside = np.empty(shape, np.uint8)
        for i, centre in enumerate(centres):  # one by one: all at once would take ten times the memory
            points = Window(frame, eye, centre, jitters[i] if jitters else EXACT).points()
            at[i], fraction[i] = _fixed((self._view.pixels(points) + 0.5) / frame.shrink - 0.5)
            inside[i] = np.clip(127.5 + depth(points, centre) * (127.5 / INSIDE_MM), 0, 255)
        far = np.linalg.norm(centres - eye[:2], axis=1) * (LEAN_MM / (eye[2] - LEAN_MM))
        return WindowMaps(at, fraction, inside, np.clip(far * (255 / LEAN_MOST_MM), 0, 255).astype(np.uint8))

    def _ashore(self, points: Floats, _: Floats) -> Floats:
        at, fraction = _fixed(self._view.pixels(points))
        return np.asarray(_sample(self._apart, at[None], fraction[None])[0], float)

    def _apart_from_hexes(self) -> Floats32:
        """Of each pixel of the view: how far (mm) it lies on the board and outside all hexes; negative otherwise."""
        away = np.full(self._view.shape, INSIDE_MM)
        grid = self._view.grid_mm()
        reach = 2 / np.sqrt(3) * (self._inner + INSIDE_MM)  # further off it makes no difference
        for centre in self.centres:
            left, top, right, bottom = self._view.pixels([centre - reach, centre + reach]).ravel().astype(int)
            near = slice(max(0, top), bottom + 2), slice(max(0, left), right + 2)
            off = _from_middle(grid[near] - centre) - self._inner
            np.minimum(away[near], off, out=away[near])
        edge = self._size / 2 - np.abs(grid)
        return np.asarray(np.minimum(away, edge.min(axis=2)), np.float32)


def _from_middle(offset: Floats) -> Floats:
    """How far a hex reaches whose edge goes through a point, from its middle to the middle of an edge."""
    first, second, third = (np.abs(offset @ normal) for normal in _NORMALS.T)
    return np.asarray(np.maximum(np.maximum(first, second), third))


def _fixed(pixels: Floats) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
    """Points (rows x columns x 2, px of the view) in OpenCV's fixed point."""
    columns, rows = cv2.split(pixels.astype(np.float32))
    at, fraction = cv2.convertMaps(columns, rows, cv2.CV_16SC2)
    return np.asarray(at, np.int16), np.asarray(fraction, np.uint16)


def _sample(
    planes: npt.NDArray[Any], at: npt.NDArray[np.int16], fraction: npt.NDArray[np.uint16]
) -> npt.NDArray[Any]:  # fmt: skip
    """The planes at points in fixed point."""
    count, rows, columns = fraction.shape
    flat = at.reshape(count * rows, columns, 2), fraction.reshape(count * rows, columns)
    seen = cv2.remap(planes, *flat, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen).reshape((count, rows, columns, *planes.shape[2:]))
