"""Where the board lies in the camera's picture, and what its print and its pieces look like in this place's light.

Pictures of the empty board and of the swatch layout go in, one `Calibration` comes out, kept as one file.

What is named here is imported when it is first asked for: who only writes a file whole (`calibration.atomic`), as the
screen's process does under a finger, need not wait for OpenCV.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from calibration.errors import CalibrationError, PictureError
    from calibration.file import load_calibration, save_calibration
    from calibration.model import Calibration
    from calibration.session import SessionInfo, calibrate, calibrate_session

__all__ = [
    "Calibration",
    "CalibrationError",
    "PictureError",
    "SessionInfo",
    "calibrate",
    "calibrate_session",
    "load_calibration",
    "save_calibration",
]

_HOME = {
    "Calibration": "model",
    "CalibrationError": "errors",
    "PictureError": "errors",
    "SessionInfo": "session",
    "calibrate": "session",
    "calibrate_session": "session",
    "load_calibration": "file",
    "save_calibration": "file",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
