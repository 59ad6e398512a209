"""Pictures from files, read by a calibration: for the commands that are given some."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Self

import msgspec

from calibration import Calibration, CalibrationError, PictureError, load_calibration
from calibration.arrays import Image
from calibration.exif import UPRIGHT
from calibration.pictures import read_turned, turned_back
from companion import heap
from companion.rules.geometry import load_board
from companion.vision.observation import NotSeen
from companion.vision.recogniser import Found, Recogniser, Trace


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

    @classmethod
    def of_file(cls, path: Path) -> Self:
        """By the calibration in that file. Raises CalibrationError naming it."""
        calibration = load_calibration(path)
        try:
            return cls(calibration)
        except CalibrationError as error:
            raise CalibrationError(f"{path}: {error}") from error

    def read(self, path: Path) -> tuple[Image, Trace]:
        """The picture as the board lies in it, and what was made of it. Raises PictureError naming it."""
        image, found = self._find(path)
        return image, self._read(found)

    def trace(self, path: Path) -> Trace:
        """What was made of the picture, which is let go of as soon as the board is cut out. Raises PictureError."""
        return self._read(self._find(path)[1])

    def _find(self, path: Path) -> tuple[Image, Found]:
        """The picture and the board in it; if that is not found, the picture as its sensor gave it."""
        self._recogniser.trace = None  # its rasters make room for the picture
        heap.make_room(self.calibration.camera.image_size)
        image, orientation = read_turned(path)
        if orientation != UPRIGHT and not self._fits(image):
            image, orientation = turned_back(image, orientation), UPRIGHT
        try:
            found = self._recogniser.find(image)
        except PictureError as error:
            raise PictureError(f"{path}: {error}") from error
        if orientation != UPRIGHT and isinstance(found.registration, NotSeen):
            as_taken = turned_back(image, orientation)
            if self._fits(as_taken):
                return as_taken, self._recogniser.find(as_taken)
        return image, found

    def _fits(self, image: Image) -> bool:
        return image.shape[1::-1] == tuple(self.calibration.camera.image_size)

    def _read(self, found: Found) -> Trace:
        observation = self._recogniser.read(found)
        trace = self._recogniser.trace
        assert trace is not None
        # pictures in a folder are minutes apart: that everything has changed does not mean that something moves
        return dataclasses.replace(trace, observation=msgspec.structs.replace(observation, moving=False))
