"""From a picture of a table to the touchscreen: the board of the picture stands there, and a game goes on from it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
from viewmodel.people import People, correct, table_of
from watch.fakes import FakeWatcher

from calibration import Calibration, calibrate_session
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
SHARED = Path(os.environ.get("ATLANTIS_SHARED", Path(__file__).parents[3] / "shared"))
DEV01 = SHARED / "vision" / "dev" / "dev01"


@contextmanager
def people_over(picture: Path, calibration: Calibration, journal: Path) -> Iterator[People]:
    """People in front of the home screen, over a table whose first picture has been seen often enough."""
    recogniser = Recogniser(calibration, BOARD)
    watching = FakeWatcher("pictures")
    watching.status = watcher.Watching("pictures")
    table = WatchedTable(watching)  # type: ignore[arg-type]
    image = np.asarray(cv2.imread(str(picture)), np.uint8)
    watching.seen = [Seen(observation=recogniser.observe(image, frame=1))]
    with Journal(journal) as games:
        defaults = table_of(4, laying="in progress")
        table.poll(0.0)
        yield People(AppViewModel(games, table=table, defaults=defaults))


@pytest.fixture
def people(tmp_path: Path, table_dir: Path, table_calibration: Calibration) -> Iterator[People]:
    """Over the first picture of the tests' own table."""
    with people_over(table_dir / "f01.jpg", table_calibration, tmp_path / "games.sqlite") as people:
        yield people


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


@pytest.mark.skipif(not DEV01.is_dir(), reason=f"the recognition set is not there ({DEV01}; or set ATLANTIS_SHARED)")
def test_what_the_recogniser_misreads_people_correct_by_touch_and_the_game_is_the_tables(tmp_path: Path) -> None:
    truth = decode_layout(json.loads((DEV01 / "f01.json").read_text()), BOARD)
    with people_over(DEV01 / "f01.jpg", calibrate_session(DEV01), tmp_path / "games.sqlite") as people:
        people.press("new_game", "next", "next", "next", "next")
        assert isinstance(people.screen, SetupScreen)
        hidden = people.lit("hidden")
        shown = {view.hex: view.content for view in people.screen.board.hexes}
        wrong = [h for h in BOARD.hexes if h in hidden or shown[h] != truth.at(h)]
        for h in wrong:
            correct(people, h, truth.at(h))
        people.press("begin")
        assert isinstance(people.screen, TurnScreen), people.screen
        assert people.session.position.layout() == truth
