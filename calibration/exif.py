"""The one thing that is read of a picture's EXIF block: how the camera was held.

In: the block as it stands in the file, a TIFF header and its first directory. Out: the orientation, 1 to 8.
"""

from __future__ import annotations

import struct

UPRIGHT = 1
"""The orientation of a picture that needs no turning."""

_ORIENTATION, _SHORT = 0x0112, 3
_BYTE_ORDERS = {b"II*\0": "<", b"MM\0*": ">"}


def orientation(block: bytes) -> int:
    """Which of the eight ways the picture was held (EXIF 2.3, tag 0x0112); 1, upright, where nothing says so."""
    order = _BYTE_ORDERS.get(block[:4])
    if order is None:
        return UPRIGHT
    try:
        (at,) = struct.unpack_from(f"{order}I", block, 4)
        (entries,) = struct.unpack_from(f"{order}H", block, at)
        for entry in range(entries):
            tag, kind, count, value = struct.unpack_from(f"{order}HHIH", block, at + 2 + 12 * entry)
            if tag == _ORIENTATION:
                return value if kind == _SHORT and count == 1 and 1 <= value <= 8 else UPRIGHT
    except struct.error:  # the block ends before the directory does
        return UPRIGHT
    return UPRIGHT
