"""Shared by several folders: a table in the test data, two calibration pictures and two frames with their truth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from calibration import Calibration

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
