"""What a screen can be shown of the camera's picture: the value alone, as the watching process speaks it too."""

from __future__ import annotations

import msgspec


class Cutout(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the picture that was read last, seen from straight above, north up: a JPEG of `size` (w, h) px.

    `outlines` are those of the hexes it was asked for, in its px.
    """

    jpeg: bytes
    size: tuple[int, int]
    outlines: tuple[tuple[tuple[float, float], ...], ...] = ()
