"""Pictures from files, read by a calibration: for the commands that are given some."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import msgspec
import numpy as np

from calibration import Calibration, PictureError
from calibration.arrays import Image
from calibration.pictures import read_picture
from companion.rules.geometry import load_board
from companion.vision.recogniser import Recogniser, Trace


class PictureReader:
    """Reads one picture after the other, whichever way the camera was held.

    A picture is turned as its EXIF tag says, like those of the calibration. But a telephone that looks straight down
    only guesses how it is held, anew for each picture: so if the board is not found, the picture is tried as its sensor
    gave it. The board's print decides, so that a wrong guess cannot pass.
    """

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self.board = load_board()
        self._recogniser = Recogniser(calibration, self.board, patience=0)  # a folder's pictures in any order

    def read(self, path: Path) -> tuple[Image, Trace]:
        """The picture as the board lies in it, and what was made of it. Raises PictureError naming it."""
        self._recogniser.trace = None  # its rasters make room for the picture
        image = read_picture(path)
        try:
            trace = self._observe(image)
        except PictureError as error:
            as_taken = self._read_as_taken(path, image)
            if as_taken is None:
                raise PictureError(f"{path}: {error}") from error
            return as_taken
        if trace.observation.registered:
            return image, trace
        return self._read_as_taken(path, image) or (image, trace)

    def _read_as_taken(self, path: Path, upright: Image) -> tuple[Image, Trace] | None:
        """As the sensor gave it; None if that is the same, or the board is not found in it either."""
        image = read_picture(path, upright=False)
        if np.array_equal(image, upright):
            return None
        try:
            trace = self._observe(image)
        except PictureError:
            return None
        return (image, trace) if trace.observation.registered else None

    def _observe(self, image: Image) -> Trace:
        self._recogniser.observe(image)
        trace = self._recogniser.trace
        assert trace is not None
        # pictures in a folder are minutes apart: that everything has changed does not mean that something moves
        return dataclasses.replace(trace, observation=msgspec.structs.replace(trace.observation, moving=False))
