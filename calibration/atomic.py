"""Files are replaced whole: after a crash or a pulled plug there is the old content or the new."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import tempfile
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file at `path`, its folders made where they are missing. Raises OSError; the old file stays then.

    Where `path` is a link, the file it leads to is replaced. What is there and no file stays: that is an OSError too.
    The file can be read by whom the user's umask says, like any file that a program writes.
    """
    path = place_of(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            with contextlib.suppress(PermissionError):  # a memory stick knows no modes
                os.fchmod(handle, 0o666 & ~_umask())
            os.fsync(handle)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    with contextlib.suppress(PermissionError):  # one may write to a folder that one may not list
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def first_bytes(path: Path, count: int) -> bytes:
    """So many of what would be replaced; none where there is no file, or none that can be read: writing will tell."""
    try:
        if path.is_file():
            with path.open("rb") as file:
                return file.read(count)
    except OSError:
        pass
    return b""


def begins_otherwise(path: Path, start: re.Pattern[bytes]) -> bool:
    """True if there is something in that file, and it does not begin so, white space aside: it would be lost."""
    begins = b"".join(first_bytes(path, 64).split())
    return bool(begins) and not start.match(begins)


def place_of(path: Path) -> Path:
    """Where the file itself lies or will lie. Raises OSError if something else has its name."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError(errno.EINVAL, "a folder, a device or a pipe has that name", str(path))
    return Path(os.path.realpath(path))


def _umask() -> int:
    """The process's own; there is no way to ask but to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
