"""JPEG: the header's facts before anything is decoded, and decoding that lets no damage pass.

libjpeg repairs what it can and only warns, so that half a picture of nonsense would be read as a table. Here warnings
are errors. JPEG has no checksums: a damaged stretch whose end happens to fall into step again gives no warning; but
what follows it has lost its place and its brightness, and that shows as a straight tear between two rows of blocks.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import simplejpeg

from calibration.errors import PictureError
from calibration.header import Header

SIGNATURE = b"\xff\xd8\xff"

MAX_SCANS = 100
"""A progressive picture has about ten; each costs a pass over the whole picture."""

_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_PROGRESSIVE = {0xC2, 0xC6, 0xCA, 0xCE}
_SCAN, _END, _EXIF = 0xDA, 0xD9, 0xE1
_ALONE = {0x01, *range(0xD0, 0xD9)}
"""Markers without a length."""

_TORN = "the picture is torn, its end is missing; take it again."

_BLOCK = 8
_BAND = 32 * _BLOCK
"""Rows that are looked at at a time: of a large picture the luma alone would be 12 MB more."""
_EVEN, _IN_A_BAR, _UNEVEN = 6, 4, -1000
"""A bar's rows are of one grey, up to so many levels, in so many of the `_PARTS` of their width at least: something may
be written in the others. The last is the level of what is not even."""
_PARTS, _SPARED = 8, 2
"""A tear crosses the picture from side to side: all parts of its width jump, but for so many where it may not show."""

_USUAL = 2.5
"""Hard compression makes all rows of blocks jump: a tear jumps so many times as far as nine in ten of them."""

_ELSEWHERE = 1.5
"""A striped cloth jumps between any rows: a tear, between rows of blocks, so many times as far as between others."""


def read_header(data: bytes) -> Header:
    """What the picture is. Raises PictureError if it is torn, grey, made for printing or of more than 8 bits."""
    frame: tuple[int, int, int, int] | None = None
    exif, scans, progressive = b"", 0, False
    for marker, body in _segments(data):
        if marker == _EXIF and not exif and body.startswith(b"Exif\0\0"):
            exif = body[6:]
        elif marker in _FRAMES and frame is None and len(body) >= 6:
            frame, progressive = struct.unpack(">BHHB", body[:6]), marker in _PROGRESSIVE
        elif marker == _SCAN:
            scans += 1
            if scans > MAX_SCANS:
                raise PictureError("the picture has too many scans to be a camera's; take it again.")
            if not progressive:
                break  # the rest is the picture itself
    if frame is None or scans == 0:
        raise PictureError(_TORN)
    depth, height, width, channels = frame
    if width == 0 or height == 0:
        raise PictureError("the picture says that it has no pixels; take it again.")
    if depth != 8:
        raise PictureError(f"{depth} bits a channel; save it as an ordinary JPEG, which has 8.")
    if channels == 1:
        raise PictureError("the picture has no colour; the camera must take colour pictures.")
    if channels != 3:
        raise PictureError("its colours are made for printing (CMYK); save it as an ordinary JPEG.")
    # a progressive picture is kept as coefficients of two bytes until its last scan has come
    return Header((width, height), width * height * (9 if progressive else 3), exif)


def decode(data: bytes) -> npt.NDArray[np.uint8]:
    """H x W x 3 uint8 BGR, not turned. Raises PictureError if there is the least sign of damage."""
    try:
        image: npt.NDArray[np.uint8] = simplejpeg.decode_jpeg(data, "BGR")
    except ValueError as error:
        if "Premature end of JPEG file" in str(error):
            raise PictureError(_TORN) from error
        raise PictureError(f"the picture is damaged ({error}); take it again.") from error
    if _is_torn_across(image):
        raise PictureError("the picture is damaged, its parts do not fit together; take it again.")
    return image


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """(marker, body) up to the end of the picture or of the data."""
    at = 2
    while True:
        at = data.find(b"\xff", at)
        while 0 <= at < len(data) and data[at] == 0xFF:  # any number of fill bytes
            at += 1
        if at < 0 or at >= len(data) or data[at] == _END:
            return
        marker = data[at]
        at += 1
        if marker == 0 or marker in _ALONE:  # inside a scan
            continue
        length = int.from_bytes(data[at : at + 2])
        yield marker, data[at + 2 : at + length]
        at += max(length, 2)


def _is_torn_across(image: npt.NDArray[np.uint8]) -> bool:
    """True if the picture jumps between two rows of blocks, from side to side, and nowhere else."""
    bands = [image[top : top + _BAND] for top in range(0, len(image), _BAND)]
    rows = ((*_even(band), _levels(cv2.cvtColor(band, cv2.COLOR_BGR2GRAY))) for band in bands)
    *even, levels = (np.concatenate(part) for part in zip(*rows, strict=True))
    top, bottom = _without_bars(_Even(*even))
    # Levels that are a jump, and how much of what the rows on either side change is taken off: a lens spreads an edge,
    # a tear is between two rows. The decoder spreads colours itself.
    if _has_tear(levels, range(top + 1, bottom), _BLOCK, 2.5, 1.5):
        return True
    # at half the size, as most cameras store colours; of a last row alone nothing is left then
    halves = (cv2.resize(band, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for band in bands if len(band) > 1)
    colours = (cv2.cvtColor(half, cv2.COLOR_BGR2YCrCb) for half in halves)
    channels = zip(*([_levels(cv2.extractChannel(colour, c)) for c in (1, 2)] for colour in colours), strict=True)
    shown = range(top // 2 + 1, bottom // 2)
    return any(_has_tear(np.concatenate(channel), shown, _BLOCK // 2, 2.0, 0.5) for channel in channels)


def _levels(plane: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The mean of each part of all rows, H x `_PARTS`."""
    return np.asarray(_parts(plane).mean(axis=2))


def _parts(plane: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """H x `_PARTS` x pixels."""
    width = plane.shape[1] // _PARTS * _PARTS
    return np.asarray(plane[:, :width].reshape(len(plane), _PARTS, -1))


class _Even(NamedTuple):
    """The levels of rows that are an even grey, as a bar's are, and `_UNEVEN` of others: of `most` of their width, as
    much as a bar needs, of the `left` and of the `right` end. H each."""

    most: npt.NDArray[np.int16]
    left: npt.NDArray[np.int16]
    right: npt.NDArray[np.int16]


def _even(image: npt.NDArray[np.uint8]) -> _Even:
    blue, green, red = cv2.split(image)
    light, dark = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    lightest, darkest = _parts(light).max(axis=2).astype(np.int16), _parts(dark).min(axis=2).astype(np.int16)
    none_alike = 1000 * np.arange(1, _PARTS + 1, dtype=np.int16)
    levels = np.sort(np.where(lightest - darkest <= _EVEN, darkest, none_alike), axis=1)
    apart = levels[:, _IN_A_BAR - 1 :] - levels[:, : 1 - _IN_A_BAR]
    level = levels[np.arange(len(levels)), apart.argmin(axis=1)]
    most = np.asarray(np.where(apart.min(axis=1) <= _EVEN, level, _UNEVEN), np.int16)
    ends = (np.s_[:, :_BLOCK], np.s_[:, -_BLOCK:])
    return _Even(most, *(_level_of(light[end].max(axis=1), dark[end].min(axis=1)) for end in ends))


def _level_of(lightest: npt.NDArray[np.uint8], darkest: npt.NDArray[np.uint8]) -> npt.NDArray[np.int16]:
    return np.asarray(np.where(lightest - darkest <= _EVEN, darkest.astype(np.int16), _UNEVEN), np.int16)


def _without_bars(even: _Even) -> tuple[int, int]:
    """The rows (from, to) between bars that a camera or a program writes along the upper and lower edge.

    What is lost of a picture is even as well, to its end: grey, or as what stood before it. But it begins within a row
    of blocks, whose rest is even, too, at the right and not at the left.
    """
    top, below = (_height_of_bar(levels) for levels in (even.most, even.most[::-1]))
    if below:
        first = len(even.most) - below
        there = slice(max(0, first - 2 * _BLOCK), first + 2 * _BLOCK)
        left, right = (_like(end[there], even.most[-1]) for end in (even.left, even.right))
        below = 0 if (right & ~left).sum() >= _BLOCK // 2 else below
    # a bar's edge shows as far as the next row of blocks
    return top + (top and 2 * _BLOCK), len(even.most) - (below and below + 2 * _BLOCK)


def _height_of_bar(even: npt.NDArray[np.int16]) -> int:
    """How many of the rows, the first of them at the picture's edge, are a bar's; none if all are."""
    is_bar = (even != _UNEVEN) & _like(even, even[0])
    return 0 if is_bar.all() else int(np.argmin(is_bar))


def _like(levels: npt.NDArray[np.int16], level: np.int16) -> npt.NDArray[np.bool_]:
    return np.asarray(np.abs(levels - level) <= _EVEN)


def _has_tear(levels: npt.NDArray[np.float64], shown: range, block: int, least: float, blur: float) -> bool:
    """From where it has lost its place a picture is wrong to its end.

    So it jumps at the upper edge of the rest of that row of blocks, and at that of the beginning of the next row.
    `levels`: see `_levels`.
    """
    rows = np.arange(block, len(levels) - 2, block)
    rows = rows[(rows >= shown.start) & (rows < shown.stop)]
    if not len(rows):
        return False
    tears = _tears(levels, rows, blur)
    most = tears.max()
    if most <= max(least, _USUAL * float(np.percentile(tears, 90))):
        return False
    between = (_tears(levels, rows[:-1] + off, blur).max(initial=0.0) for off in range(1, block))
    return all(most > _ELSEWHERE * elsewhere for elsewhere in between)


def _tears(levels: npt.NDArray[np.float64], rows: npt.NDArray[np.intp], blur: float) -> npt.NDArray[np.float64]:
    """For each of the rows by how much the picture jumps above it from side to side, in part only above the next."""
    before, step, after = (np.abs(levels[rows + i] - levels[rows + i - 1]) for i in (-1, 0, 1))
    jumps = step - blur * (before + after)
    tears = np.zeros(len(rows))
    for height in (1, 2):  # blocks in a row that is stored together
        below = np.vstack([jumps[height:], np.zeros((min(height, len(rows)), _PARTS))])
        for start in range(_PARTS):
            across = np.sort(np.hstack([below[:, :start], jumps[:, start:]]), axis=1)
            tears = np.maximum(tears, across[:, _SPARED])
    return tears
