"""The real watching process: a simulated table, the real recogniser, a real pipe, and a real kill."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from companion.rules import TILE_DECK
from companion.rules.geometry import load_board
from companion.rules.layout import HexContent, Layout, encode_layout
from companion.viewmodel.calibration_link import Guided
from companion.watch.link import WatchedCalibration, WatchedTable
from companion.watch.messages import Seen, WatchPlan
from companion.watch.watcher import Blind, Lost, Watcher, Watching

BOARD = load_board()
LIMIT_S = 300.0
TILES = Layout(hexes={h: HexContent(tile=tile) for h, tile in zip(BOARD.island, TILE_DECK, strict=True)})


def until(watcher: Watcher, wanted: Callable[[list[Seen]], bool]) -> None:
    """Let the watcher hear until it is as wanted."""
    end = time.monotonic() + LIMIT_S
    while not wanted(watcher.poll(time.monotonic())):
        assert time.monotonic() < end, f"not within {LIMIT_S:g} s; last status {watcher.status}"
        watcher.wait(1.0)


def shows_the_tiles(seen: list[Seen]) -> bool:
    return any(
        {h for h in BOARD.island if s.observation.layout().at(h).tile == TILES.at(h).tile} == set(BOARD.island)
        for s in seen
    )


def test_a_killed_process_is_back_and_sees_the_table_that_it_saw_before() -> None:
    with Watcher(WatchPlan(camera="simulated", style="oak"), now=time.monotonic()) as watcher:
        until(watcher, lambda _: isinstance(watcher.status, Watching))
        watcher.lay(encode_layout(TILES))
        until(watcher, shows_the_tiles)
        assert watcher._process is not None
        os.kill(watcher._process.pid or 0, signal.SIGKILL)
        until(watcher, lambda _: isinstance(watcher.status, Lost))
        until(watcher, shows_the_tiles)


def test_a_calibration_that_is_not_there_is_said(table_dir: Path, tmp_path: Path) -> None:
    plan = WatchPlan(camera="pictures", folder=str(table_dir), calibration=f"{tmp_path}/none.json")
    with Watcher(plan, now=time.monotonic()) as watcher:
        until(watcher, lambda _: isinstance(watcher.status, Blind))
        assert isinstance(watcher.status, Blind)
        assert "none.json" in watcher.status.text


def test_pictures_that_are_not_there_are_said_and_not_tried_again(tmp_path: Path) -> None:
    with Watcher(WatchPlan(camera="pictures", folder=str(tmp_path)), now=time.monotonic()) as watcher:
        until(watcher, lambda _: isinstance(watcher.status, Lost))
        assert isinstance(watcher.status, Lost)
        assert watcher.status.retry_at is None


def is_at(guided: Guided | None, step: str) -> bool:
    """At that step, and it is ready; the lens sheet is not waited for."""
    return guided is not None and guided.step == step and (guided.ready or step == "lens")


def test_a_rehearsal_is_calibrated_through_the_process_and_the_table_is_watched_on() -> None:
    with Watcher(WatchPlan(camera="simulated", style="oak"), now=time.monotonic()) as watcher:
        calibration = WatchedCalibration(WatchedTable(watcher), watcher)
        watcher.lay(encode_layout(TILES))
        calibration.begin()

        def at(step: str) -> None:
            until(
                watcher, lambda _: (g := watcher.guided) is not None and g.step == step and (g.ready or step == "lens")
            )

        at("lens")
        calibration.skip()
        at("board")
        assert watcher.picture.startswith(b"\xff\xd8")
        calibration.take()
        at("swatch")
        calibration.take()
        at("result")
        calibration.take()
        until(watcher, lambda _: watcher.guided is not None and watcher.guided.done)
        assert watcher.guided is not None
        assert watcher.guided.rehearsal
        until(watcher, shows_the_tiles)
