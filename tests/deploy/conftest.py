"""The installer as people start it, into an empty folder that stands for a machine's root."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
DEPLOY = REPOSITORY / "deploy"
ROOTFS = DEPLOY / "rootfs"

Script = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def script() -> Script:
    """Runs a script of `deploy` from another folder; gives back how it ended and what it said."""

    def run(name: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = [str(DEPLOY / name), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")

    return run
