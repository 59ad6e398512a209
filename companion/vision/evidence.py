"""From a camera picture to evidence per pixel: which print, terrain, paint, wood or creature its colour speaks for.

In: a picture, the calibration. Out: `PixelEvidence`, all rasters in the calibration's view (see `calibration.view`).
"""

from __future__ import annotations

import dataclasses
import functools
from concurrent.futures import Executor
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Calibration
from calibration.appearance import CLASSES
from calibration.arrays import Floats32, Image, Mask
from calibration.cells import spread
from calibration.colours import Densities, from_bytes, of_class
from calibration.light import Light, LightMeter, to_lab, to_linear
from calibration.view import Rectifier
from companion.rules.layout import TERRAINS
from companion.vision.workers import make_workers

TILE_WINDOW = (9, 9)
"""Single flowers of a tile may be rarer than its other colours: the mean is over 7 mm (view px)."""

TILE_FLOOR = -14.0
"""No pixel counts as rarer in that mean, so that a few do not outweigh all others of the window."""

SHRINK = 2
"""Structure is looked at in every second row and column of the view. What is `shrunk` is that."""

STRUCTURE_WINDOW = (5, 5)
"""Structure is by how much lighter a pixel is than the mean of so many round it, shrunk (8 mm)."""

FOREIGN = -13.0
"""Log density below which the print does not explain a pixel: 19 in 20 of bare print have more than -12, an arm -17."""

_TERRAINS = tuple(CLASSES.index(terrain) for terrain in TERRAINS)

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclasses.dataclass(frozen=True)
class PixelEvidence:
    """`picture`: the rectified picture, BGR. `measured`: what falls on it.

    `lab`: H x W x 3 in reference light. `ground`: H x W, log density of the print per cubic Lab unit. `classes`:
    those of all that may lie on it, in the order of `colours.classes`.

    Two threads read it at a time (`recogniser`): nothing in it is ever changed.
    """

    picture: Image
    measured: Light
    lab: Floats32
    ground: Floats32
    classes: Densities

    @property
    def light(self) -> Floats32:
        """By how much more light than on the empty board, BGR, by cells."""
        return self.measured.factor

    @functools.cached_property
    def tile(self) -> Floats32:
        """H x W: log density of the likeliest terrain, in the mean over a small window."""
        densities = (np.ascontiguousarray(of_class(self.classes, i)) for i in _TERRAINS)
        likeliest = from_bytes(functools.reduce(np.maximum, densities))
        return np.asarray(cv2.blur(np.maximum(likeliest, TILE_FLOOR), TILE_WINDOW), np.float32)

    @functools.cached_property
    def structure(self) -> Floats32:
        """`structure` of the picture in reference light."""
        return structure(self.lab)


class PixelStep:
    """Makes the evidence of one picture after the other."""

    def __init__(self, calibration: Calibration, workers: Executor | None = None, island: Mask | None = None) -> None:
        """`workers`: the threads that work side by side, others than those of a whole recogniser if there is none.
        `island`: where in the view tiles may lie."""
        self._workers = workers or make_workers()
        self._calibration = calibration
        self.rectify = Rectifier(calibration.camera, calibration.view, calibration.haze)
        self.inside: Mask = np.asarray(self.rectify.inside)
        board, tiles = calibration.on_board & self.inside, calibration.tiles
        self._meter = LightMeter(calibration.light_as_taken(), board, calibration.exposure, tiles, island)

    def __call__(self, image: Image) -> PixelEvidence:
        """Rectify, take the light out, look the colours up."""
        return self.read_view(self.rectify(image))

    def read_view(self, picture: Image) -> PixelEvidence:
        """The same of a picture that is in the view already."""
        linear = to_linear(picture)
        light = self._meter.measure(picture, linear)
        return self._evidence(picture, light, light.without(picture, linear))

    def may_be_mirrored(self, evidence: PixelEvidence) -> bool:
        """Whether at a glance something is mirrored in the board."""
        return self._meter.may_be_mirrored(evidence.measured)

    def find_mirrored(self, evidence: PixelEvidence) -> Light | None:
        """The light with what is mirrored in the board, None if nothing is. No arm may be over it."""
        return self._meter.find_mirrored(evidence.measured, evidence.picture.shape[:2])

    def in_light(self, picture: Image, light: Light) -> PixelEvidence:
        """The evidence of a picture in the view on which that light falls."""
        return self._evidence(picture, light, light.without(picture, to_linear(picture)))

    def _evidence(self, picture: Image, light: Light, linear: Floats32) -> PixelEvidence:
        """`linear`: what that light leaves of the picture, in place turned into the reference's."""
        linear *= spread(np.float32(self._calibration.exposure) / light.factor, linear.shape[:2])
        lab = to_lab(linear)
        classes = self._workers.submit(self._calibration.colours, lab)  # while the print is looked for
        ground = self._calibration.ground.log_density(lab, light.factor)
        return PixelEvidence(picture, light, lab, ground, classes.result())


def structure(lab: Floats32) -> Floats32:
    """By how much each pixel of H x W x 3 is lighter than those round it; shrunk."""
    light = np.ascontiguousarray(shrunk(lab[..., 0]))
    return np.asarray(light - cv2.blur(light, STRUCTURE_WINDOW), np.float32)


def shrunk(plane: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """Every `SHRINK`th row and column."""
    return plane[::SHRINK, ::SHRINK]
