"""Shared by several folders: a table in the test data, two calibration pictures and two frames with their truth."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from calibration import Calibration

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does

TABLE = Path(__file__).parent / "data" / "vision" / "table"


@pytest.fixture(scope="session")
def table_dir() -> Path:
    """The session directory."""
    return TABLE


@pytest.fixture(scope="session")
def table_calibration() -> Calibration:
    """Its calibration, made once."""
    from calibration import calibrate_session

    return calibrate_session(TABLE)
