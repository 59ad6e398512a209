"""A folder of pictures as a camera: a recorded game, a test set, somebody's holiday.

In: the folder's JPEG and PNG files in the order a person would give them (`f2` before `f10`), without `calib_*`; or
other files of it, in any order.
Out: frames; after the last picture it stays there, as a camera over a quiet table would.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import Focus, Frame, LensKind
from hardware.camera.pace import Clock, Pace, Wait
from hardware.errors import CameraError

SUFFIXES = {".jpg", ".jpeg", ".png"}

ReadFile = Callable[[Path], NDArray[np.uint8]]
"""(H, W, 3) uint8 BGR from a file. Raises ValueError, its text a sentence that names the file."""


def read_leniently(path: Path) -> NDArray[np.uint8]:
    """What OpenCV makes of the file, damaged or not. Raises ValueError if that is nothing."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"{path} is torn or no picture.")
    return np.asarray(image, np.uint8)


class PicturesCamera:
    """Shows the pictures of `folder`.

    `every_s`: None shows the next one at every read; a number keeps each for that many seconds; infinity until
    `advance` is called. `rate_hz` limits how often `read` delivers (0: whenever it is asked). `paths`: these files
    instead of the folder's frames. `read_file` makes a picture of a file; one that is stricter than OpenCV can be
    handed in.
    """

    lens: LensKind | None = None
    focus: Focus | None = None

    def __init__(
        self,
        folder: Path | str,
        every_s: float | None = None,
        rate_hz: float = 0.0,
        clock: Clock = time.monotonic,
        wait: Wait = time.sleep,
        *,
        paths: Sequence[Path] | None = None,
        read_file: ReadFile = read_leniently,
    ) -> None:
        if every_s is not None and not every_s > 0:
            raise ValueError("every_s must be more than 0.")
        self.folder = Path(folder)
        self._chosen = paths
        self._read_file = read_file
        self._every_s = every_s
        self._pace = Pace(rate_hz, clock, wait)
        self._paths: list[Path] = []
        self._index = -1
        self._since = 0.0
        self._shown: NDArray[np.uint8] | None = None
        self._asked = True
        self._number = 0

    @property
    def name(self) -> str:
        """The folder."""
        return f"pictures in {self.folder}"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture that is shown, of the first one before the first read."""
        if self._shown is None:
            self._shown = self._next()
            self._asked = False
        return self._shown.shape[1], self._shown.shape[0]

    @property
    def shown(self) -> Path | None:
        """The file that the last frame came from."""
        return self._paths[self._index] if self._index >= 0 else None

    @property
    def at_end(self) -> bool:
        """True if the picture that is shown is the last one."""
        return self._index + 1 >= len(self._paths)

    def open(self) -> None:
        """List the pictures. Raises CameraError (final) if there are none."""
        if not self._paths:
            self._paths = frame_paths(self.folder) if self._chosen is None else list(self._chosen)
        self._pace.restart()

    def advance(self) -> None:
        """Show the next picture from the next read on."""
        self._asked = True

    def read(self, timeout_s: float) -> Frame:
        """The picture whose turn it is.

        Raises CameraError (passing) naming the file if that is torn; the read after it goes on with the next.
        """
        if not self._paths:
            raise CameraError("The pictures are not open: open the camera first.", final=False)
        now = self._pace.next(timeout_s)
        if self._shown is None or self._is_over(now):
            self._asked = False
            self._since = now
            self._shown = self._next()
        elif self._index == 0 and self._number == 0:
            self._since = now  # `size` has loaded the first picture before its time began
        frame = Frame(self._number, now, self._shown)
        self._number += 1
        return frame

    def settle(self, focus: Focus | None = None) -> None:
        """Nothing is measured: the pictures are what they are."""

    def close(self) -> None:
        """Forget where it was: `open` starts again at the first picture."""
        self._paths, self._index, self._shown, self._asked = [], -1, None, True

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _is_over(self, now: float) -> bool:
        if self._index + 1 >= len(self._paths):
            return False
        if self._every_s is None:
            return self._number > 0
        return self._asked or now - self._since >= self._every_s

    def _next(self) -> NDArray[np.uint8]:
        self._index += 1
        path = self._paths[self._index]
        try:
            return self._read_file(path)
        except ValueError as error:
            if self._shown is None and self._index + 1 >= len(self._paths):
                raise CameraError(
                    "No picture in {folder} can be read: choose another folder.", folder=self.folder, final=True
                ) from error
            raise CameraError("{what} The picture is left out.", what=error, final=False) from error


def frame_paths(folder: Path) -> list[Path]:
    """The frames of a folder in natural order. Raises CameraError (final) if there are none."""
    if not folder.is_dir():
        raise CameraError("There is no folder {folder}: check the name.", folder=folder, final=True)
    paths = [p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES and not p.name.startswith(("calib_", "."))]
    if not paths:
        raise CameraError("There are no pictures in {folder}: put JPEG or PNG files there.", folder=folder, final=True)
    return sorted(paths, key=lambda p: [int(s) if s.isdigit() else s.lower() for s in re.split(r"(\d+)", p.name)])
