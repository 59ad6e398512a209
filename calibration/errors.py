"""What can go wrong while calibrating; each text is a sentence for a person at the table."""

from __future__ import annotations

import msgspec

BAD_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are no JSON, text that is not UTF-8, too many brackets, or another content."""


class CalibrationError(ValueError):
    """Calibration is not possible or a calibration file cannot be used; the text says what to do."""


class PictureError(CalibrationError):
    """A picture that cannot be used; the text names the file and what is wrong with it."""


class BoardPictureError(CalibrationError):
    """The picture of the empty board will not do."""


class SwatchPictureError(CalibrationError):
    """The swatch picture will not do."""
