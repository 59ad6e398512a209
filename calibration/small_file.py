"""Small files from disk, such as JSON: no pipe is waited for, and no device is read until there is no memory left.

In: a path. Out: its bytes.
"""

from __future__ import annotations

import errno
import stat
from pathlib import Path

MAX_BYTES = 64 << 20
"""A calibration of the largest board is smaller."""


def read_small_file(path: Path) -> bytes:
    """What the file holds. Raises OSError, also if it is no file, or larger than `MAX_BYTES`."""
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise OSError(errno.EINVAL, "a folder, a device or a pipe has that name", str(path))
    if about.st_size > MAX_BYTES:
        raise OSError(errno.EFBIG, f"{about.st_size >> 20} MB are too much", str(path))
    return path.read_bytes()
