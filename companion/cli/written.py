"""What the commands say of the files that they write."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def telling_of_a_new_folder(command: str, file: Path) -> Iterator[None]:
    """Says afterwards that the folder of the `file` written meanwhile was not there before: it may be mistyped."""
    is_new = not file.parent.exists()
    yield
    if is_new:
        print(f"companion {command}: {file}: the folder was not there, and was made.", file=sys.stderr)
