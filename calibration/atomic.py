"""Files are replaced whole: after a crash or a pulled plug there is the old content or the new."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file at `path`, its folders made where they are missing. Raises OSError; the old file stays then.

    It can be read by whom the user's umask says, like any file that a program writes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(handle, 0o666 & ~_umask())
            os.fsync(handle)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _umask() -> int:
    """The process's own; there is no way to ask but to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
