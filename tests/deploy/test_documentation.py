"""Every command that the documentation names is there, with the options it shows; every link leads somewhere.

What can be run on any machine is run: the program's commands as they stand, each script by the test that is named.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import importlib.util
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.cli.program import COMMANDS, main
from companion.rules.options import Options, Player
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.table.start import start_game
from tests.deploy.conftest import DEPLOY, REPOSITORY, ROOTFS

SERVICE = "atlantis-companion.service"
PAGES = sorted(
    path
    for path in REPOSITORY.rglob("*.md")
    if not any(part.startswith(".") or part in ("build", "dist") for part in path.relative_to(REPOSITORY).parts)
)


def commands(page: Path) -> Iterator[str]:
    """Lines of indented and fenced blocks without their comments, and what stands between backticks."""
    text = re.sub(r"^```(?:python|json|toml|yaml).*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for block in re.findall(r"^(?: {4}|\t)(?![-*\d|])(\S.*)$", text, re.MULTILINE):
        yield from re.split(r"\s*&&\s*", re.sub(r"\s+#.*", "", block))
    for span in re.findall(r"`([^`\n]+)`", text):
        yield span.replace("\\|", "|")


def named(kind: re.Pattern[str]) -> list[object]:
    """All commands that begin so, with the page they are on."""
    found = {(page.relative_to(REPOSITORY), line) for page in PAGES for line in commands(page) if kind.match(line)}
    return [pytest.param(line, id=f"{page}: {line}") for page, line in sorted(found)]


@functools.cache
def options_of(command: str) -> dict[str, argparse.Action]:
    """The options of one of the program's commands."""
    parser = argparse.ArgumentParser()
    importlib.import_module(COMMANDS[command].module).add_arguments(parser)
    return dict(parser._option_string_actions)


OPTION = re.compile(r"(?<![\w-])(--[a-z][\w-]*)(?:[ =]([^\s\]]+))?")


@pytest.mark.parametrize("line", named(re.compile(r"companion [a-z-]")))
def test_a_command_of_the_program_has_the_options_that_are_shown(line):
    name = line.split()[1]
    if name not in COMMANDS:
        assert name.startswith("--"), f"there is no `companion {name}`"
        return
    options = options_of(name)
    for option, value in OPTION.findall(line):
        assert option in options, f"`companion {name}` has no {option}"
        choices, action = value.split("|") if "|" in value else [value], options[option]
        if value and action.nargs != 0 and action.choices:
            assert set(choices) <= {str(choice) for choice in action.choices} or value.isupper()


@pytest.mark.parametrize("line", named(re.compile(r"(sudo )?\./deploy/|deploy/[a-z-]+( |$)")))
def test_a_script_that_is_named_can_be_run_and_knows_the_options_that_are_shown(line):
    script = REPOSITORY / line.removeprefix("sudo ").split()[0]
    if script.is_dir():
        return
    assert script.stat().st_mode & 0o111, f"{script} cannot be run"
    text = script.read_text()
    for option, _ in OPTION.findall(line):
        passed_on = '"$@"' in text  # to a program of ours, which has a test of its own
        assert passed_on or option in text, f"{script.name} has no {option}"
    if line.startswith("sudo"):
        assert "id -u" in text, f"{script.name} does not need root"


HARMLESS = re.compile(r"companion (--version|print|games|doctor)( --(out|only|paper|sound|json)[ =\S]*)?$")
"""Commands that need no device and nobody's hands, as they stand in the documentation."""


@pytest.mark.parametrize("line", named(HARMLESS))
def test_a_command_that_needs_nothing_does_what_it_says_in_an_empty_home(line, tmp_path, monkeypatch, capsys):
    if line.split()[-1].isupper():
        pytest.skip("a pattern, not a command")
    monkeypatch.setenv("ATLANTIS_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    status = main(shlex.split(line)[1:])
    out, err = capsys.readouterr()
    assert status == 0 or (status == 1 and "doctor" in line and "MISSING" in out), err


class Run(NamedTuple):
    """What is typed in, what must be printed, which file must be there afterwards."""

    typed: str = ""
    printed: str = ""
    written: str = "."


RUN = {
    "companion calibrate --simulate --guided": Run(typed="\n" * 40, printed="All is well."),
    "companion export GAME": Run(printed='"fingerprint"'),
    "companion export GAME > game.json": Run(written="game.json"),
    "companion referee": Run(typed='{"cmd": "new"}\n', printed='"ok"'),
    "companion screens --out DIR --only 04c_turn_sink": Run(written="pictures/sv/04c_turn_sink.png"),
    "companion screens --out DIR --only NAME": Run(written="pictures/sv/10a_no_games.png"),
    "companion verify GAME": Run(printed="The deal was fair"),
    "python -m hardware.panel.wiring PINS.toml": Run(printed="</svg>"),
}
"""Commands that are run as they stand, in a home with one finished game; `FILLED` stands for the words in capitals."""

FILLED = {"DIR": "pictures", "NAME": "10a_no_games", "PINS.toml": "pins.toml"}

NOT_RUN = {
    "companion calibrate --camera auto --guided": "needs a camera; tests/cli/test_calibrate_guided.py has stand-ins",
    "companion calibrate --guided": "a part of the one with --camera",
    "companion doctor --buttons": "needs a panel and hands; tests/cli/test_doctor.py",
    "companion doctor --buttons --sound": "needs a panel and hands; tests/cli/test_doctor.py",
    "companion play": "does not end; tests/deploy/test_service.py starts it",
    "companion recognise": "a name; tests/cli/test_recognise.py",
    "companion recognise --debug DIR": "a part of a command; tests/cli/test_recognise.py",
    "companion screens": "a name; it is run with its arguments",
    "companion track": "a name; tests/cli/test_track.py",
    "companion track --given": "a part of a command; tests/cli/test_track.py",
    "companion verify": "a name; it is run with its argument",
    "python -m bench.rules": "measures for long; tests/bench",
    "python -m build": "a tool of the release; tests/deploy/test_release.py builds by what it calls",
}
"""Commands that are not, and why."""

PATTERN = re.compile(r"[\[\]]|\.\.\.")
"""A line that tells what can be said, not what to say."""


def test_every_command_is_run_or_it_is_said_why_not():
    shown = {line for page in PAGES for line in commands(page) if re.match(r"(companion|python3? -m) [a-z-]", line)}
    told = {line for line in shown if not PATTERN.search(line) and not HARMLESS.match(line)}
    assert told == RUN.keys() | NOT_RUN.keys()


@pytest.fixture(scope="module")
def household(tmp_path_factory) -> tuple[Path, str]:
    """A folder with `companion` and `python` as people have them, a pin file and a finished game; and that game."""
    folder = tmp_path_factory.mktemp("household")
    for name, program in (("companion", f"{sys.executable} -m companion"), ("python", sys.executable)):
        (folder / name).write_text(f'#!/bin/sh\nPYTHONPATH={REPOSITORY} exec {program} "$@"\n')
        (folder / name).chmod(0o755)
    shutil.copy(REPOSITORY / "hardware/panel/pins.toml", folder)
    choose = random.Random(8)
    players = (Player("Ann", ("red",)), Player("Bo", ("blue",)))
    with Journal(folder / "games.sqlite") as journal:
        session = start_game(journal, players, Options(all_equal=True), dealer=Dealer(8))
        while session.position.phase != "over":
            session.do(choose.choice(session.legal()))
    return folder, session.game_id


@pytest.mark.parametrize("line", RUN)
def test_a_command_does_what_it_says_as_it_stands(line, household):
    folder, game = household
    run, typed = RUN[line], line
    for word, meant in (FILLED | {"GAME": game}).items():
        typed = typed.replace(word, meant)
    environment = os.environ | {
        "ATLANTIS_HOME": str(folder), "PATH": f"{folder}:/usr/bin:/bin", "SDL_VIDEODRIVER": "offscreen",
    }  # fmt: skip
    done = subprocess.run(
        ["sh", "-c", typed], cwd=folder, env=environment, input=run.typed, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert run.printed in done.stdout
    assert (folder / run.written).exists()


TESTED_BY = {
    "test": "it is what runs this",
    "setup": "each of the others begins with it",
    "run": "set-up, then the program, which tests/deploy/test_service.py starts",
    "bench": "tests/bench",
    "translations": "tests/test_catalogues.py looks whether it has been run",
    "drawings": "tests/hardware/test_guides.py looks whether it has been run",
    "install": "tests/deploy/test_install.py",
    "uninstall": "tests/deploy/test_install.py",
    "lock": "needs a network; tests/deploy/test_release.py builds by what it wrote",
    "try-install": "needs root and a network",
    "try-boot": "needs root and what try-install left",
    "try-screen": "needs root, qemu and what try-install left",
    "check-pi-packages": "needs root and what try-install left",
}


def test_of_every_script_it_is_known_what_runs_it():
    scripts = {path.name for path in DEPLOY.iterdir() if path.is_file() and path.stat().st_mode & 0o111}
    assert scripts == TESTED_BY.keys()


@pytest.mark.parametrize("line", named(re.compile(r"python3? -m [a-z]")))
def test_a_module_that_is_named_can_be_run(line):
    module = line.split()[2]
    if module != "build":  # a tool of the release, installed for it
        found = importlib.util.find_spec(module)
        assert found is not None
        assert found.submodule_search_locations is not None or "__main__" in Path(str(found.origin)).read_text()


@pytest.mark.parametrize("line", named(re.compile(r"(sudo )?(systemctl|journalctl|systemd-analyze) .*\.service")))
def test_the_service_that_is_named_is_the_one_that_is_installed(line):
    assert (ROOTFS / "etc/systemd/system" / SERVICE).is_file()
    assert SERVICE in shlex.split(re.sub(r"[$()]", " ", line))


def test_the_images_configuration_is_where_its_guide_says():
    guide = (DEPLOY / "image/README.md").read_text()
    folder, config = re.findall(r"rpi-image-gen build -S \.\./companion/(\S+) -c (\S+)", guide)[0]
    assert (REPOSITORY / folder / "config" / config).is_file()
    for layer in re.findall(r"--lint \.\./companion/(\S+)", guide):
        assert (REPOSITORY / layer).is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if not re.match(r"https?:", target):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_script_of_deploy_is_in_its_readme():
    table = (DEPLOY / "README.md").read_text()
    scripts = [path.name for path in DEPLOY.iterdir() if path.is_file() and path.stat().st_mode & 0o111]
    assert [name for name in scripts if not re.search(rf"`{name}\b", table)] == []
