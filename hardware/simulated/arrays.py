"""What arrays are called in the simulated table; a function's docstring says the shape."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Floats = NDArray[np.float32]

Image = NDArray[np.uint8]
"""A picture: H x W x 3, BGR."""

Mask = NDArray[np.bool_]
"""Which of some things, or of a picture's pixels."""
