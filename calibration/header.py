"""What a picture's header tells before anything is decoded."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Header:
    """`size`: (width, height). `memory`: bytes that decoding takes. `exif`: the block, empty if there is none."""

    size: tuple[int, int]
    memory: int
    exif: bytes
