"""The calibration file: JSON, with the format's version and a checksum in it, written whole or not at all.

A damaged JPEG in it would be repaired without a word, and every picture be compared with a board that never was.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from calibration.appearance import CLASSES
from calibration.arrays import Floats
from calibration.atomic import begins_otherwise, place_of, write_atomically
from calibration.errors import BAD_JSON, CalibrationError
from calibration.ground import LEVELS
from calibration.model import FORMAT, HAZY_FORMAT, Calibration
from calibration.small_file import read_json
from calibration.swatch import require_layout

DISTORTIONS = (4, 5, 8)
"""How many numbers OpenCV takes for a lens's distortion."""

NEAREST_MM, FARTHEST_MM = 100.0, 10_000.0
"""No camera hangs lower or higher above the board: the highest piece has 35 mm, and what is as high as the camera leans
away without end."""

FARTHEST_SIDES = 4
"""No corner of the board lies so many picture sides away from the picture's origin."""


_CHECKSUM = "checksum"
"""Older files have none."""


_START = re.compile(rb'\{"format":\d')
"""So a calibration file begins, spaces aside; a game's record, for one, has a name there and no number."""


class _Head(msgspec.Struct):
    format: int


def save_calibration(path: Path, calibration: Calibration) -> None:
    """Write the file; what was there before stays until the new one is safely on the disk.

    Raises CalibrationError if it cannot be written.
    """
    document = msgspec.to_builtins(calibration)
    data = msgspec.json.encode(document | {_CHECKSUM: _checksum(document)})
    try:
        write_atomically(path, data)
    except OSError as error:
        raise _not_written(path, error) from error


def require_writable(path: Path) -> None:
    """Raises CalibrationError if no calibration could be written there; nothing is changed."""
    try:
        # folders that are missing are made when it is written, in the last one that is there
        there = next(folder for folder in place_of(path).parents if folder.exists())
        with tempfile.NamedTemporaryFile(dir=there, prefix=f".{path.name}."):
            pass
    except OSError as error:
        raise _not_written(path, error) from error


def require_calibration_or_nothing(path: Path) -> None:
    """Raises CalibrationError if something else than a calibration lies there, a picture for one; nothing is changed.

    One that was torn, or is from another version, is a calibration still.
    """
    if begins_otherwise(path, _START):
        raise CalibrationError(
            f"{path}: this file is no calibration, and would be lost; name another file with --out, or remove this one."
        )


def _not_written(path: Path, error: OSError) -> CalibrationError:
    return CalibrationError(
        f"{path}: the calibration cannot be written ({error.strerror or error}); make room, or name another file."
    )


def load_calibration(path: Path) -> Calibration:
    """Read the file. Raises CalibrationError naming it and what is wrong."""
    try:
        data = read_json(path)
    except OSError as error:
        raise CalibrationError(
            f"{path}: the calibration cannot be read ({error.strerror or error}); name the file that "
            "`companion calibrate` has written."
        ) from error
    try:
        version = msgspec.json.decode(data, type=_Head).format
        if version > HAZY_FORMAT:
            raise CalibrationError(
                f"{path}: this calibration (format {version}) is from a newer version of the program; "
                "update the program or calibrate again."
            )
        if version < FORMAT:
            raise CalibrationError(f"{path}: this calibration (format {version}) is too old; calibrate again.")
        document = msgspec.json.decode(data)
        checksum = document.pop(_CHECKSUM, None)
        calibration = msgspec.convert(document, Calibration)
        if checksum is not None and checksum != _checksum(document):
            raise CalibrationError("the calibration is damaged; calibrate again.")
        _require_whole(calibration)
        # decoded here, so that a damaged file is named now and not in the middle of a game
        _ = calibration.reference_image, calibration.swatch_image(), calibration.colours
    except CalibrationError as error:
        text = str(error)
        raise CalibrationError(text if text.startswith(str(path)) else f"{path}: {text}") from error
    except (ValueError, *BAD_JSON) as error:
        raise CalibrationError(f"{path}: this is no calibration file ({error}); calibrate again.") from error
    return calibration


def _checksum(document: dict[str, Any]) -> str:
    """SHA-256 of all that is in the file besides, however it is laid out."""
    return hashlib.sha256(msgspec.json.encode(document, order="sorted")).hexdigest()


def _require_whole(calibration: Calibration) -> None:
    """Raises CalibrationError if a part is missing without which nothing can be recognised."""
    camera = calibration.camera
    if (calibration.format == HAZY_FORMAT) != (calibration.haze is not None):
        raise CalibrationError("the calibration's haze is damaged; calibrate again.")
    if len(camera.distortion) not in DISTORTIONS or not _can_see(camera.eye):
        raise CalibrationError("the calibration's camera is damaged; calibrate again.")
    corners = np.abs(camera.project(calibration.board.corners()))
    if not corners.max() < FARTHEST_SIDES * max(camera.image_size):  # also if it is no number
        raise CalibrationError("the calibration's camera is damaged; calibrate again.")
    if calibration.view.board != calibration.board.board or len(calibration.noise) != len(LEVELS):
        raise CalibrationError("the calibration's picture of the board is damaged; calibrate again.")
    samples = calibration.samples
    if tuple(samples) != CLASSES or not all(colours and len(colours) % 3 == 0 for colours in samples.values()):
        raise CalibrationError("the calibration's colours are not those that this program knows; calibrate again.")
    if not calibration.swatches or not _can_see(calibration.swatch_eye):
        raise CalibrationError("the calibration's swatch layout is damaged; calibrate again.")
    try:
        require_layout(calibration.swatches)
    except CalibrationError as error:
        raise CalibrationError(f"the calibration's swatch layout is damaged ({error}); calibrate again.") from error


def _can_see(eye: Sequence[float] | Floats) -> bool:
    """Whether a camera may stand there (x, y, height in mm): not what is no number."""
    x, y, height = eye
    return bool(max(abs(x), abs(y)) < FARTHEST_MM and NEAREST_MM < height < FARTHEST_MM)
