"""Reference pictures of all samples: half size, so that they are small and a pixel's rounding does not matter.

Run `python tests/ui/references.py` to draw them again after looking at every changed screen.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[1] / "data" / "screens"
SIZE = (800, 480)
_HALF = (SIZE[0] // 2, SIZE[1] // 2)


def half_size(path: Path) -> NDArray[np.uint8]:
    """A screen's picture as (240, 400, 3), each pixel the mean of four."""
    picture = cv2.imread(str(path))
    assert picture is not None, f"{path} is no picture"
    return np.asarray(cv2.resize(picture, _HALF, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def unlike(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> float:
    """The part of the pixels that differ after a blur over which another release of a type face does not matter."""
    blurred = [cv2.GaussianBlur(picture, (0, 0), 3).astype(int) for picture in (a, b)]
    return float((np.abs(blurred[0] - blurred[1]).max(axis=2) > 24).mean())


def main() -> None:
    """Draw all reference pictures."""
    from screen_samples import samples

    from companion.ui.snapshot import snapshot

    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, state in samples().items():
            path = Path(folder) / f"{name}.png"
            snapshot(state, SIZE, path)
            cv2.imwrite(str(FOLDER / path.name), half_size(path), [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    main()
