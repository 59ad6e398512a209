"""OpenCV's marker dictionaries by the names that session and calibration files use."""

from __future__ import annotations

import cv2

from calibration.errors import CalibrationError


def aruco_dictionary(name: str) -> cv2.aruco.Dictionary:
    """The predefined dictionary of that name, like `DICT_4X4_50`. Raises CalibrationError if there is none."""
    number = getattr(cv2.aruco, name, None) if name.startswith("DICT_") else None
    if not isinstance(number, int):
        raise CalibrationError(f"The marker dictionary {name} is not known.")
    return cv2.aruco.getPredefinedDictionary(number)


def require_markers(name: str, count: int) -> None:
    """Raises CalibrationError unless that dictionary is known and has markers number 0 to `count` - 1."""
    there = len(aruco_dictionary(name).bytesList)
    if count > there:
        raise CalibrationError(f"The marker dictionary {name} has {there} markers, {count} are needed.")
