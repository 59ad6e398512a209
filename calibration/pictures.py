"""Read a picture from disk, or say in a sentence why not.

In: a path. Out: H x W x 3 uint8, BGR, turned upright by its EXIF tag if it has one.
"""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.errors import PictureError

Image = npt.NDArray[np.uint8]
"""H x W x 3 uint8, BGR."""

MAX_PIXELS = 64_000_000
"""More than any camera this is used with (the largest Raspberry Pi camera has 64 MP); guards the memory."""

_JPEG, _PNG = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
_JPEG_END, _PNG_END = b"\xff\xd9", b"IEND"
_TAIL = 4096  # some cameras append a few bytes after the end marker
_JPEG_SIZE_MARKERS = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


def read_picture(path: Path) -> Image:
    """The picture as H x W x 3 uint8 BGR. Raises PictureError naming the file and what is wrong with it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path}: the picture cannot be read ({error.strerror or error}).") from error
    return decode_picture(data, str(path))


def decode_picture(data: bytes, name: str) -> Image:
    """Decode JPEG or PNG bytes; `name` stands in the messages. Raises PictureError."""
    if not data:
        raise PictureError(f"{name}: the file is empty.")
    if data.startswith(_JPEG):
        size, whole = _jpeg_size(data), _JPEG_END in data[-_TAIL:]
    elif data.startswith(_PNG):
        size = struct.unpack(">II", data[16:24]) if len(data) >= 24 else None
        whole = _PNG_END in data[-_TAIL:]
    else:
        raise PictureError(f"{name}: this is neither a JPEG nor a PNG picture.")
    if not whole or size is None:
        raise PictureError(f"{name}: the picture is torn, its end is missing; take it again.")
    if size[0] * size[1] > MAX_PIXELS:
        raise PictureError(f"{name}: {size[0]} x {size[1]} pixels are too many; take a picture of at most 64 MP.")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH)
    except cv2.error:
        image = None
    if image is None:
        raise PictureError(f"{name}: the picture is damaged and cannot be decoded; take it again.")
    if image.dtype != np.uint8:
        raise PictureError(f"{name}: 16 bits a channel; the pictures must have 8.")
    if image.ndim != 3 or image.shape[2] != 3:
        raise PictureError(f"{name}: the picture has no colour; the camera must take colour pictures.")
    return np.asarray(image, np.uint8)


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) from the frame header, None if there is none."""
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        if marker in _JPEG_SIZE_MARKERS:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 1 if marker == 0xFF else 2 + length
    return None
