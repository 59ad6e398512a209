"""JSON and JSON lines from disk: no pipe is waited for, and no device is read until there is no memory left.

In: a path. Out: its bytes, which are text in UTF-8.
"""

from __future__ import annotations

import codecs
import errno
import stat
from pathlib import Path

MAX_BYTES = 64 << 20
"""A calibration of the largest board is smaller."""


def read_json(path: Path) -> bytes:
    """What the file holds, without the mark that some editors put before a text.

    Raises OSError, also if it is no file, larger than `MAX_BYTES`, or no text in UTF-8.
    """
    about = path.stat()
    if not stat.S_ISREG(about.st_mode):
        raise OSError(errno.EINVAL, "a folder, a device or a pipe has that name", str(path))
    if about.st_size > MAX_BYTES:
        raise OSError(errno.EFBIG, f"{about.st_size >> 20} MB are too much", str(path))
    data = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        text = "this is no text in UTF-8: if it is the right file, save it as that"
        raise OSError(errno.EILSEQ, text, str(path)) from error
    return data
