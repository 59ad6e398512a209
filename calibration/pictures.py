"""Read a picture from disk, or say in a sentence why not.

In: a path. Out: H x W x 3 uint8, BGR, turned as its EXIF tag says. Nothing is decoded before the header has told that
it is a colour picture of a sensible size, and no picture that is damaged is handed out: see `jpeg` and `png`.
"""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from calibration import exif, jpeg, png
from calibration.arrays import Image
from calibration.errors import PictureError
from calibration.header import Header

MAX_PIXELS = 64_000_000
"""More than any camera this is used with (the largest Raspberry Pi camera has 64 MP)."""

MIN_SIDE = 16
"""Pixels; below that nothing is a picture of a table."""

MAX_MEMORY = 3 * MAX_PIXELS
"""Bytes that decoding may take; a picture with more than three bytes a pixel has to be smaller."""

MAX_FILE = MAX_MEMORY
"""Bytes; no picture that may be decoded has a larger file."""

_OTHER_FORMATS = (
    (0, b"GIF8", "a GIF"),
    (0, b"BM", "a BMP"),
    (0, b"II*\0", "a TIFF or raw"),
    (0, b"MM\0*", "a TIFF or raw"),
    (0, b"%PDF", "a PDF"),
    (0, b"\xff\x0a", "a JPEG XL"),
    (4, b"JXL ", "a JPEG XL"),
    (4, b"jP  ", "a JPEG 2000"),
    (4, b"ftyphei", "a HEIC"),
    (4, b"ftypmif", "a HEIC"),
    (4, b"ftypavif", "an AVIF"),
    (8, b"WEBP", "a WebP"),
)
"""(offset, bytes, name) of what cameras and telephones save pictures as besides JPEG and PNG."""

_TURNS: dict[int, Callable[[Image], cv2.typing.MatLike]] = {
    1: lambda image: image,
    2: lambda image: cv2.flip(image, 1),
    3: lambda image: cv2.rotate(image, cv2.ROTATE_180),
    4: lambda image: cv2.flip(image, 0),
    5: cv2.transpose,
    6: lambda image: cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE),
    7: lambda image: cv2.flip(cv2.transpose(image), -1),
    8: lambda image: cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""What brings a picture upright, by its EXIF orientation."""

_BACK = {6: 8, 8: 6}
"""The orientation whose turn undoes another's; all others undo themselves."""

_COLOUR_STEP = 8
"""Every so many rows and columns are looked at for colour."""


def read_picture(path: Path) -> Image:
    """The picture as H x W x 3 uint8 BGR, turned as its EXIF tag says, as every program shows it.

    Raises PictureError naming the file, what is wrong and what to do.
    """
    return read_turned(path)[0]


def read_turned(path: Path) -> tuple[Image, int]:
    """As `read_picture`, and the EXIF orientation, 1 to 8, by which it was turned."""
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            raise PictureError(f"{path}: this is a folder; name the pictures in it.")
        if not stat.S_ISREG(about.st_mode):
            raise PictureError(f"{path}: this is no file; save the picture, then name it.")
        if about.st_size > MAX_FILE:
            raise PictureError(f"{path}: {about.st_size >> 20} MB are too much for a picture; name a JPEG or PNG file.")
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(
            f"{path}: the picture cannot be read ({error.strerror or error}); name another JPEG or PNG file, "
            "or take it again."
        ) from error
    return _turned(data, str(path))


def decode_picture(data: bytes, name: str) -> Image:
    """Decode JPEG or PNG bytes, turned as the EXIF tag says; `name` stands in the messages. Raises PictureError."""
    return _turned(data, name)[0]


def turned_back(image: Image, orientation: int) -> Image:
    """A picture that was turned by its EXIF orientation as the camera's sensor gave it."""
    return np.asarray(_TURNS[_BACK.get(orientation, orientation)](image), np.uint8)


def _turned(data: bytes, name: str) -> tuple[Image, int]:
    """See `decode_picture`, `read_turned`."""
    try:
        image, tags = _decode(data)
    except PictureError as error:
        raise PictureError(f"{name}: {error}") from error
    except MemoryError as error:
        raise PictureError(f"{name}: there is not memory enough for it; take a smaller picture.") from error
    orientation = exif.orientation(tags)
    return np.asarray(_TURNS[orientation](image), np.uint8), orientation


def _decode(data: bytes) -> tuple[Image, bytes]:
    """The picture as the sensor gave it, and its EXIF block. Raises PictureError, without the file's name."""
    if not data:
        raise PictureError("the file is empty; take the picture again.")
    if data.startswith(jpeg.SIGNATURE):
        header, decode = jpeg.read_header(data), jpeg.decode
    elif data.startswith(png.SIGNATURE):
        header, decode = png.read_header(data), png.decode
    else:
        other = next((name for at, magic, name in _OTHER_FORMATS if data.startswith(magic, at)), None)
        if other:
            raise PictureError(f"this is {other} picture; save it as JPEG or PNG.")
        raise PictureError("this is neither a JPEG nor a PNG picture.")
    _check_size(header)
    image = decode(data)
    some = image[::_COLOUR_STEP, ::_COLOUR_STEP]
    if (some == some[..., :1]).all():
        raise PictureError("the picture has no colour; take it with a colour camera, its lens uncovered.")
    return image, header.exif


def _check_size(header: Header) -> None:
    width, height = header.size
    if min(width, height) < MIN_SIDE:
        raise PictureError(f"{width} x {height} pixels are too few to show anything; take a larger picture.")
    if width * height > MAX_PIXELS or header.memory > MAX_MEMORY:
        raise PictureError(f"{width} x {height} pixels of this kind are too many; take a smaller picture.")
