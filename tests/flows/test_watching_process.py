"""The real watching process: a simulated table, the real recogniser, a real pipe, and a real kill."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Self

import cv2
import numpy as np

from companion.rules import TILE_DECK
from companion.rules.geometry import load_board
from companion.rules.layout import HexContent, Layout, encode_layout
from companion.viewmodel.calibration_link import Guided
from companion.watch import worker
from companion.watch.link import WatchedCalibration, WatchedTable
from companion.watch.messages import Seen, WatchPlan
from companion.watch.watcher import Blind, Lost, Watcher, Watching
from hardware.camera import Focus
from hardware.camera.controls import EXPOSURE_ABSOLUTE, EXPOSURE_AUTO, EXPOSURE_MANUAL
from hardware.camera.nodes import VideoNode
from hardware.camera.v4l2 import SIZES, V4l2Camera

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


class Webcam:
    """One whose pictures never change; what it is told is kept in a file, the last line holds."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def grab(self) -> bool:
        time.sleep(0.01)
        return True

    def retrieve(self) -> tuple[bool, object]:
        return True, np.zeros((*SIZES[0][::-1], 3), np.uint8)

    def release(self) -> None:
        """Nothing to do."""

    def set(self, control: int, value: float) -> bool:
        with self._file.open("a") as file:
            file.write(f"{control} {value:g}\n")
        return True

    def get(self, control: int) -> int:
        return self.at().get(control, SIZES[0][control == cv2.CAP_PROP_FRAME_HEIGHT])

    def at(self) -> dict[int, int]:
        lines = (line.split() for line in self._file.read_text().splitlines())
        return {int(control): round(float(value)) for control, value in lines}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        """Nothing to do."""


def _settle_for_ever(file: Path, plan: WatchPlan, pipe: Connection) -> None:
    def open_live(_name: str, mains_hz: int, focus: Focus | None) -> V4l2Camera:
        webcam, node = Webcam(file), VideoNode(Path("/dev/video0"), "Webcam", "usb")
        camera = V4l2Camera(
            None, 10.0, 1e6, mains_hz, focus, capture=lambda _: webcam, controls=lambda _: webcam, nodes=lambda: [node]
        )
        camera.open()
        return camera

    worker.open_live = open_live
    worker.work(plan, pipe)


def test_a_webcam_is_as_it_was_when_the_program_is_quit_while_it_settles(tmp_path: Path) -> None:
    file = tmp_path / "told"
    file.write_text(f"{EXPOSURE_AUTO} {EXPOSURE_MANUAL}\n{EXPOSURE_ABSOLUTE} 77\n")

    def spawn(plan: WatchPlan, pipe: Connection) -> SpawnProcess:
        process = multiprocessing.get_context("spawn").Process(target=_settle_for_ever, args=(file, plan, pipe))
        process.start()
        return process

    plan = WatchPlan(camera="v4l2", calibration=str(tmp_path / "none"))
    with Watcher(plan, now=time.monotonic(), spawn=spawn):
        end = time.monotonic() + LIMIT_S
        while Webcam(file).at()[EXPOSURE_AUTO] == EXPOSURE_MANUAL:
            assert time.monotonic() < end
            time.sleep(0.05)
    assert Webcam(file).at()[EXPOSURE_AUTO] == EXPOSURE_MANUAL
    assert Webcam(file).at()[EXPOSURE_ABSOLUTE] == 77


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
