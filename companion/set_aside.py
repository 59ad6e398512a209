"""The name under which a damaged file is kept, unchanged, when a sound one takes its place."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path


def free_name(path: Path, endings: Sequence[str] = ("",)) -> Path:
    """`<name>.damaged-<n>` beside it, `n` the first number that nothing there has, with none of the `endings`."""
    n = 1
    while any(os.path.lexists(path.with_name(f"{path.name}.damaged-{n}{end}")) for end in endings):
        n += 1
    return path.with_name(f"{path.name}.damaged-{n}")
