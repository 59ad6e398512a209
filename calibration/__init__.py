"""Where the board lies in the camera's picture, and what its print and its pieces look like in this place's light.

Pictures of the empty board and of the swatch layout go in, one `Calibration` comes out, kept as one file.
"""

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
