"""Reads journal rows straight out of the pages of a damaged SQLite file, asking nothing of its header or its tree.

A row lies whole in a leaf page of its table, so rows survive when the first page, an inner page or the end of the file
is gone. Pages in the write-ahead log are read as well. What is found may be old, twice or nonsense: the checksum
chain decides (`recovery`). Layout of pages, cells and records: the SQLite file format, https://sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.table.records import KINDS, Record
from companion.table.wal import FRAME_HEADER, LOG_HEADER

PAGE = 4096
"""Bytes a page; the store sets it."""

_LEAF = 0x0D  # first byte of a leaf page of a table
_FILE_HEADER = 100  # bytes before the tree's header on the first page
_MOST_LOCAL = PAGE - 35  # bytes of a row that a leaf holds before it spills into overflow pages
_LEAST_LOCAL = (PAGE - 12) * 32 // 255 - 23
_INTEGER_SIZES = (0, 1, 2, 3, 4, 6, 8)


def carve(path: Path) -> Iterator[tuple[int, Record]]:
    """Every row of the journal's shape in the file and its log, with its serial; in no order. Raises OSError."""
    data = path.read_bytes()
    pages: dict[int, list[bytes]] = {}
    for at in range(0, len(data), PAGE):
        pages.setdefault(at // PAGE + 1, []).append(data[at : at + PAGE])
    log = path.with_name(f"{path.name}-wal")
    frames = log.read_bytes()[LOG_HEADER:] if log.exists() else b""
    for at in range(0, len(frames) - FRAME_HEADER, FRAME_HEADER + PAGE):
        (number,) = struct.unpack_from(">I", frames, at)
        pages.setdefault(number, []).append(frames[at + FRAME_HEADER : at + FRAME_HEADER + PAGE])
    for number, versions in pages.items():
        for page in versions:
            yield from _rows(page, _FILE_HEADER if number == 1 else 0, pages)


def _rows(page: bytes, start: int, pages: dict[int, list[bytes]]) -> Iterator[tuple[int, Record]]:
    if len(page) <= start + 8 or page[start] != _LEAF:
        return
    (cells,) = struct.unpack_from(">H", page, start + 3)
    for i in range(cells):
        try:
            (at,) = struct.unpack_from(">H", page, start + 8 + 2 * i)
            size, at = _varint(page, at)
            serial, at = _varint(page, at)
        except (IndexError, struct.error):  # not whole
            continue
        for version in (-1,) if size <= _MOST_LOCAL else (-1, 0):
            try:
                yield serial, _record(_values(_payload(page, at, size, pages, version)))
            except (IndexError, ValueError, struct.error):  # not one of ours, or not whole
                continue


def _payload(page: bytes, at: int, size: int, pages: dict[int, list[bytes]], version: int) -> bytes:
    """A row's bytes, with those that spilled into overflow pages, of which the file and its log may have several."""
    if size <= _MOST_LOCAL:
        local = size
    else:
        local = _LEAST_LOCAL + (size - _LEAST_LOCAL) % (PAGE - 4)
        local = local if local <= _MOST_LOCAL else _LEAST_LOCAL
    payload = page[at : at + local]
    following = page[at + local : at + local + 4]
    while len(payload) < size:
        (number,) = struct.unpack(">I", following)
        overflow = pages.get(number, [b""])[version]
        following = overflow[:4]
        payload += overflow[4 : 4 + size - len(payload)]
    return payload


def _values(payload: bytes) -> list[Any]:
    """The columns of a row: None, int, str or bytes."""
    header, at = _varint(payload, 0)
    types = []
    while at < header:
        kind, at = _varint(payload, at)
        types.append(kind)
    values: list[Any] = []
    for kind in types:
        size = _INTEGER_SIZES[kind] if kind <= 6 else (kind - 12) // 2 if kind >= 12 else 0
        raw = payload[at : at + size]
        if len(raw) < size:
            raise ValueError("the row is cut short")
        at += size
        if kind >= 12:
            values.append(raw if kind % 2 == 0 else raw.decode())
        else:
            values.append(int.from_bytes(raw, "big", signed=True) if kind <= 6 and kind else {8: 0, 9: 1}.get(kind))
    return values


def _record(values: list[Any]) -> Record:
    match values:
        case [None, str(game), int(number), str(kind), str(at), str(body), bytes(checksum)] if kind in KINDS:
            return Record(game, number, kind, at, body, checksum)
    raise ValueError("not a row of the journal")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where the next one starts."""
    value = 0
    for _ in range(8):
        byte = data[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | data[at], at + 1
