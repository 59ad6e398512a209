"""Whether games can be kept, and whether the card is well, for `companion doctor`."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from companion.cli.finding import Finding, System

LOW_MB, LEAST_MB = 500, 50
"""A game takes a tenth of a megabyte; what fills a disk is something else, and it goes on."""

WORN = 2
"""Of the chip's own report (pre_eol_info of eMMC): 1 is well, 2 has used four fifths of its spare cells."""


def disk(data: Path) -> Finding:
    """Whether something can be written there, and how much."""
    there = next(folder for folder in (data, *data.parents) if folder.is_dir())
    try:
        with tempfile.NamedTemporaryFile(dir=there, prefix=".companion-") as file:
            file.write(b"companion")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        text = f"{there} cannot be written to ({error.strerror}): games could not be kept. Free space or mend the card."
        return Finding("disk", "missing", text)
    free = shutil.disk_usage(there).free // 1_000_000
    if free < LEAST_MB:
        return Finding("disk", "missing", f"{free} MB are free in {there}: delete what is not needed.")
    if free < LOW_MB:
        return Finding("disk", "note", f"Only {free} MB are free in {there}.")
    return Finding("disk", "ok", f"{free // 1000} GB are free." if free >= 10_000 else f"{free} MB are free.")


def card(system: System, data: Path) -> Finding:
    """What the file system and the chip under the games say of their health; most cards say nothing of theirs."""
    device = _device(system.mounts, data)
    if device is None:
        return Finding("card", "ok", "It tells nothing of its health.")
    errors = _number(system.file_systems / device / "errors_count")
    if errors:
        text = (
            f"{errors} faults of the file system on {device} since it was made: copy the games (companion export), "
            "then check it with fsck in another computer, or take a new card."
        )
        return Finding("card", "note", text)
    for chip in ((system.blocks / device).resolve(), (system.blocks / device).resolve().parent):
        worn = _number(chip / "device" / "pre_eol_info")
        if worn is not None and worn >= WORN:
            return Finding("card", "note", f"{device} is nearly worn out: copy the games, take a new one.")
    return Finding("card", "ok", f"{device}: no faults." if errors == 0 else f"{device} tells nothing of its health.")


def _device(mounts: Path, folder: Path) -> str | None:
    """The block device of the file system that a folder is on."""
    try:
        lines = [line.split() for line in mounts.read_text().splitlines()]
    except OSError:
        return None
    under = [(Path(where), what) for what, where, *_ in lines if folder.is_relative_to(where)]
    what = max(under, key=lambda found: len(found[0].parts), default=(folder, ""))[1]
    return Path(what).resolve().name if what.startswith("/dev/") else None


def _number(file: Path) -> int | None:
    """0x01 and 1 are the same."""
    try:
        return int(file.read_text().strip(), 0)
    except (OSError, ValueError):
        return None
