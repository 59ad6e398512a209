"""The terminal's robots play by what they put on the table; here the table's pictures are perfect."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Self

import pytest
from rich.console import Console
from viewmodel.seen_table import SeenTable

from companion.cli import terminal
from companion.cli.terminal import PLAYERS, Robots, play_in_terminal
from companion.rules.layout import Layout
from companion.rules.options import Options
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.table.session import Session
from companion.table.start import start_game
from companion.watch.watcher import Lost


class QuickTable(SeenTable):
    """A simulated table: it arranges itself as it is told, and is looked at until it is taken seriously."""

    blind = False

    def sync(self, layout: Layout) -> None:
        if not self.blind:
            self.layout = layout


def played(folder: Path, table: QuickTable, seed: int, steps: int = 1000) -> tuple[Session, Robots, str]:
    """A game by robots, to its end or until so many steps are recorded."""
    said = io.StringIO()
    with Journal(folder / "games.sqlite") as journal:
        session = start_game(journal, PLAYERS, Options(), dealer=Dealer(seed))
        robots = Robots(session, table, random.Random(seed), Console(file=said, width=200))
        now = 0.0
        while session.position.phase != "over" and len(session.record) < steps:
            table.look(2)
            robots.step(now)
            now += 0.5
            assert now < 5000, "no end"
        robots.report()
    return session, robots, said.getvalue()


def test_a_game_is_read_off_the_table_to_its_end(tmp_path: Path) -> None:
    session, robots, said = played(tmp_path, QuickTable(), seed=4)
    assert session.position.winners
    assert robots.seen > 100
    assert robots.touched <= 0.05 * robots.seen
    assert robots.misread == 0
    assert said.splitlines()[-1].startswith(f"{robots.seen} moves read off the table")


def test_what_the_camera_does_not_see_is_entered_by_touch(tmp_path: Path) -> None:
    table = QuickTable()
    table.blind = True
    session, robots, said = played(tmp_path, table, seed=4, steps=20)
    assert len(session.record) == 20
    assert robots.seen == 0
    assert robots.touched == 20
    assert "(by touch)" in said


class LostWatcher:
    """It has given up."""

    status = Lost("The camera program gave [{what}] up.", None, {"what": "/all"})

    def __init__(self, *_args: object, **_kwargs: object) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def test_a_table_that_cannot_be_watched_is_said_on_standard_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "Watcher", LostWatcher)
    monkeypatch.setattr(terminal, "Robots", lambda *_: None)
    assert play_in_terminal(seed=1) == 1
    said = capsys.readouterr()
    assert said.err == ("companion play: The simulated table cannot be watched: The camera program gave [/all] up.\n")
    assert "watched" not in said.out
