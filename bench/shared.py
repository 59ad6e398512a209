"""Where the recognition set and the photographs are, which are in no repository."""

from __future__ import annotations

import os
from pathlib import Path


def shared() -> Path:
    """The folder beside the checkout, or the one that ATLANTIS_SHARED names; it need not be there."""
    return Path(os.environ.get("ATLANTIS_SHARED") or Path(__file__).resolve().parents[2] / "shared")
