"""From a picture of a table to the touchscreen: the board of the picture stands there, and a game goes on from it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from viewmodel.people import People, table_of
from watch.fakes import FakeWatcher

from calibration import Calibration
from companion.rules.geometry import load_board
from companion.rules.layout import decode_layout
from companion.table.journal import Journal
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.states import SetupScreen, TurnScreen
from companion.vision.recogniser import Recogniser
from companion.watch import watcher
from companion.watch.link import WatchedTable
from companion.watch.messages import Seen

BOARD = load_board()


@pytest.fixture
def people(tmp_path: Path, table_dir: Path, table_calibration: Calibration) -> People:
    """People in front of the home screen, over a table whose first picture has been seen often enough."""
    recogniser = Recogniser(table_calibration, BOARD)
    watching = FakeWatcher("pictures")
    watching.status = watcher.Watching("pictures")
    table = WatchedTable(watching)  # type: ignore[arg-type]
    picture = np.asarray(cv2.imread(str(table_dir / "f01.jpg")), np.uint8)
    watching.seen = [Seen(observation=recogniser.observe(picture, frame=1))]
    with Journal(tmp_path / "games.sqlite") as journal:
        defaults = table_of(4, laying="in progress")
        table.poll(0.0)
        yield People(AppViewModel(journal, table=table, defaults=defaults))


def test_the_board_of_the_picture_stands_on_the_screen_and_a_game_goes_on(people: People, table_dir: Path) -> None:
    truth = decode_layout(json.loads((table_dir / "f01.json").read_text()), BOARD)
    people.press("new_game", "next", "next", "next", "next")
    assert isinstance(people.screen, SetupScreen)
    shown = {view.hex: view.content for view in people.screen.board.hexes}
    wrong = [BOARD.labels[h] for h in BOARD.hexes if shown[h] != truth.at(h)]
    assert len(wrong) <= 2, wrong
    assert all(shown[h].tile == truth.at(h).tile for h in BOARD.hexes)
    people.press("begin")
    assert isinstance(people.screen, TurnScreen)
    assert {view.hex: view.content for view in people.screen.board.hexes} == shown
    people.touch(people.touchable()[0])
    targets = people.lit("legal")
    assert targets
    people.touch(sorted(targets)[0])
    assert people.screen.pips is not None
    assert people.screen.pips.left == 2
