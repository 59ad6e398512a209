"""PNG: the header's facts before anything is decoded, every chunk's checksum, and 16 bits brought to 8.

In: the file's bytes. Out: size and EXIF block; the pixels.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from calibration.errors import PictureError
from calibration.header import Header

SIGNATURE = b"\x89PNG\r\n\x1a\n"

_COLOUR, _PALETTE, _COLOUR_ALPHA = 2, 3, 6
_DAMAGED = "the picture is damaged and cannot be decoded; take it again."

_ESSENTIAL = (b"IHDR", b"tRNS", b"IDAT", b"IEND")
_AT_ONCE = 1 << 20
"""Bytes unpacked at a time: a small file can say that it is a huge picture."""

_CHANNELS = {_COLOUR: 3, _COLOUR_ALPHA: 4}


def read_header(data: bytes) -> Header:
    """What the picture is. Raises PictureError if it is torn, damaged, grey, moving or has only a few colours."""
    chunks: dict[bytes, bytes] = {}
    for name, body, _ in _chunks(data):
        if name == b"IHDR" and name in chunks:
            raise PictureError("the picture is damaged, it says its size twice; take it again.")
        if name != b"IDAT":
            chunks.setdefault(name, bytes(body))
    if len(chunks.get(b"IHDR", b"")) != 13:
        raise PictureError("the picture is damaged, it does not say its size; take it again.")
    width, height, depth, kind = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    if width == 0 or height == 0:
        raise PictureError("the picture says that it has no pixels; take it again.")
    if b"acTL" in chunks:
        raise PictureError("this is a moving picture; save one still picture of it.")
    if kind == _PALETTE:
        raise PictureError("the picture has a palette of few colours; save it with all its colours (24 bits).")
    if kind not in _CHANNELS:
        raise PictureError("the picture has no colour; the camera must take colour pictures.")
    return Header((width, height), width * height * _CHANNELS[kind] * depth // 8, chunks.get(b"eXIf", b""))


def decode(data: bytes) -> npt.NDArray[np.uint8]:
    """H x W x 3 uint8 BGR, not turned. Raises PictureError."""
    try:
        image = cv2.imdecode(np.frombuffer(_essence(data), np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        image = None
    if image is None or image.ndim != 3 or image.dtype not in (np.uint8, np.uint16):
        raise PictureError(_DAMAGED)
    if image.shape[2] == 4:
        if image[..., 3].min() < (255 if image.dtype == np.uint8 else 65535):
            raise PictureError("the picture has transparent parts; save it without transparency.")
        image = image[..., :3]
    if image.dtype == np.uint16:
        image = cv2.convertScaleAbs(image, alpha=1 / 257)  # 65535 becomes 255
    return np.ascontiguousarray(image, np.uint8)


def _essence(data: bytes) -> bytes:
    """The picture without what it says of itself besides, which the decoder would find fault with on standard error.

    Itself, and no copy, if it says nothing besides. Raises PictureError if the pixels cannot be unpacked.
    """
    unpack, unpacked = zlib.decompressobj(), 0
    kept = [memoryview(SIGNATURE)]
    needed = 0
    for name, body, whole in _chunks(data):
        if name not in _ESSENTIAL:
            continue
        kept.append(whole)
        if name == b"IHDR":
            width, height, depth, kind = struct.unpack(">IIBB", body[:10])
            needed = width * height * _CHANNELS[kind] * depth // 8 + height  # each row says how it was filtered
        elif name == b"IDAT":
            try:
                packed: bytes | memoryview = body
                while packed and not unpack.eof:
                    unpacked += len(unpack.decompress(packed, _AT_ONCE))
                    packed = unpack.unconsumed_tail
            except zlib.error as error:
                raise PictureError(_DAMAGED) from error
    if unpacked < needed:
        raise PictureError(_DAMAGED)
    return data if sum(map(len, kept)) == len(data) else b"".join(kept)


def _chunks(data: bytes) -> Iterator[tuple[bytes, memoryview, memoryview]]:
    """(name, body, the whole) of each chunk. Raises PictureError if a checksum is wrong or the end is missing."""
    view = memoryview(data)
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4])
        name, body = data[at + 4 : at + 8], view[at + 8 : at + 8 + length]
        after = at + 8 + length
        if after + 4 > len(data):
            break
        if zlib.crc32(view[at + 4 : after]) != int.from_bytes(data[after : after + 4]):
            raise PictureError("the picture is damaged, a checksum in it is wrong; take it again.")
        yield name, body, view[at : after + 4]
        if name == b"IEND":
            return
        at = after + 4
    raise PictureError("the picture is torn, its end is missing; take it again.")
