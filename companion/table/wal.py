"""SQLite's write-ahead log, read without SQLite: which pages it adds to its file, and whether it was damaged.

In: the bytes of a file and of its log. SQLite reads a log as far as its checksums hold and throws away the rest without
a word, as it has to: a plug that was pulled leaves a last frame in part. But a frame that fails and has others behind
it, or is there to its last byte, was whole once, and what it said had been acknowledged.

A last frame of full length that ends in zeros may be either: a disk that notes a file's length before its bytes leaves
that of a step which was never acknowledged; a card that loses sectors which it said it had kept leaves the same of one
that was. It counts as damage: if nothing was acknowledged, a file is set aside for nothing and a game marked as perhaps
not whole, and all of it is there; taken for torn, a step that was acknowledged would be lost without a word.

Layout and checksums: the SQLite file format, section 4, https://sqlite.org/fileformat2.html#the_write_ahead_log.
"""

from __future__ import annotations

import struct
from typing import Literal, NamedTuple

LOG_HEADER, FRAME_HEADER = 32, 24  # bytes

_BYTE_ORDERS: dict[bytes, Literal["<", ">"]] = {b"\x37\x7f\x06\x82": "<", b"\x37\x7f\x06\x83": ">"}
"""The log's first bytes, and the order of bytes in the words that its checksums add up."""

Sums = tuple[int, int]
"""A checksum: two words of 32 bits."""


class Log(NamedTuple):
    """`pages`: number and content of what was committed, in the order written; `size`: the file's pages after it.

    `damage` says what is wrong with the log; what SQLite would read of it is in `pages` all the same.
    """

    page_size: int = 0
    pages: tuple[tuple[int, bytes], ...] = ()
    size: int = 0
    damage: str | None = None


def read(data: bytes) -> Log:
    """The log in these bytes; an empty one adds nothing, and nor does one that was never begun."""
    if not any(data[LOG_HEADER:]):
        return Log()
    order = _BYTE_ORDERS.get(data[:4])
    sums: Sums = struct.unpack_from(">II", data, 24)
    if order is None or _sum((0, 0), data[:24], order) != sums:
        return Log(damage="the beginning of its log")
    (page_size,) = struct.unpack_from(">I", data, 8)
    step = FRAME_HEADER + page_size
    frames = [data[at : at + step] for at in range(LOG_HEADER, len(data) - step + 1, step)]
    salts = data[16:24]
    sound = _count_sound(frames, salts, sums, order)
    committed = max((n for n in range(1, sound + 1) if _size(frames[n - 1])), default=0)
    ours = max((n for n in range(len(frames), sound, -1) if _is_ours(frames[n - 1], salts)), default=0)
    torn = ours == sound + 1 and LOG_HEADER + ours * step != len(data)
    return Log(
        page_size,
        tuple((int.from_bytes(frame[:4], "big"), frame[FRAME_HEADER:]) for frame in frames[:committed]),
        _size(frames[committed - 1]) if committed else 0,
        f"frame {sound + 1} of its log" if ours and not torn else None,
    )


def replay(file: bytes, log: Log) -> bytearray:
    """The file as it is with the log's pages written into it."""
    image = bytearray(file)
    for number, content in log.pages:
        at = (number - 1) * log.page_size
        image.extend(bytes(max(0, at - len(image))))
        image[at : at + log.page_size] = content
    if log.pages:
        del image[log.size * log.page_size :]
    return image


def _count_sound(frames: list[bytes], salts: bytes, sums: Sums, order: Literal["<", ">"]) -> int:
    """How many frames from the first on SQLite takes for sound; each one's checksum builds on that before it."""
    for n, frame in enumerate(frames):
        sums = _sum(_sum(sums, frame[:8], order), frame[FRAME_HEADER:], order)
        if frame[8:16] != salts or sums != struct.unpack_from(">II", frame, 16):
            return n
    return len(frames)


def _is_ours(frame: bytes, salts: bytes) -> bool:
    """True for a frame of this log: one of an earlier log, still there behind it, has both salts otherwise."""
    return frame[8:12] == salts[:4] or frame[12:16] == salts[4:]


def _size(frame: bytes) -> int:
    """How many pages the file has after the transaction that ends with this frame, 0 if none does."""
    return int.from_bytes(frame[4:8], "big")


def _sum(sums: Sums, data: bytes, order: Literal["<", ">"]) -> Sums:
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    first, second = sums
    for word, following in zip(words, words, strict=True):
        first = (first + word + second) & 0xFFFFFFFF
        second = (second + following + first) & 0xFFFFFFFF
    return first, second
