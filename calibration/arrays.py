"""What arrays are called in `calibration` and `companion.vision`; a function's docstring says the shape."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Indices = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

Pixels = npt.NDArray[np.int32]
"""Flat indices of pixels of a raster: there are so many of them that their size counts."""

Image = npt.NDArray[np.uint8]
"""A picture: H x W x 3, BGR."""

Grey = npt.NDArray[np.uint8]
"""A picture's brightness: H x W."""
