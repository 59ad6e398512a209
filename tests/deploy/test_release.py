"""What is released: the wheel holds all that the program reads, and runs where nothing of the checkout is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

import companion
from tests.deploy.conftest import REPOSITORY

PACKAGES = ("companion", "hardware", "calibration")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built by the locked build system, without a network."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", out]
    subprocess.run([*command, REPOSITORY], check=True, cwd=out)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The wheel in an environment of its own, which borrows only the packages it depends on from this one."""
    place = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    python = place / "bin" / "python"
    site = Path(sysconfig.get_path("purelib", vars={"base": str(place), "platbase": str(place)}))
    # a .pth of another environment is not read from here, so its link to the checkout does not come along
    (site / "borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel],
        check=True,
    )
    return place / "bin" / "companion"


def run(program: Path, *arguments: str, said: str = "") -> str:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [program, *arguments], input=said, capture_output=True, text=True, check=False, cwd="/", env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_every_file_of_the_packages(wheel):
    there = {
        str(path.relative_to(REPOSITORY))
        for package in PACKAGES
        for path in (REPOSITORY / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert inside == there


def test_the_wheel_says_its_version_and_needs_what_the_project_needs(wheel):
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(archive.read(name).decode() for name in archive.namelist() if name.endswith("/METADATA"))
    assert f"\nVersion: {companion.__version__}\n" in metadata
    assert f"\nRequires-Python: {project['requires-python']}\n" in metadata
    needs = re.findall(r"^Requires-Dist: ([\w.-]+)[^;\n]*$", metadata, re.MULTILINE)
    assert sorted(needs) == sorted(re.match(r"[\w.-]+", needed)[0] for needed in project["dependencies"])


def test_the_changelog_has_a_section_for_this_version():
    sections = re.findall(r"^## (\S+)", (REPOSITORY / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert sections[0] == companion.__version__


def test_the_referee_answers_from_an_installed_wheel(installed):
    assert run(installed, "--version") == f"companion {companion.__version__}\n"
    players = [{"name": "Ann", "colours": ["red"]}, {"name": "Bo", "colours": ["blue"]}]
    asked = {"cmd": "new", "edition": "anniversary", "players": players, "seed": 7}
    answer = json.loads(run(installed, "referee", said=json.dumps(asked) + "\n"))
    assert answer["ok"], answer


def test_what_is_read_as_data_comes_along(installed, tmp_path):
    run(installed, "print", "--out", str(tmp_path / "targets.pdf"))
    assert (tmp_path / "targets.pdf").read_bytes().startswith(b"%PDF-")
