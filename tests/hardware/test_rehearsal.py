"""What stands in for people and camera while calibrating: the rehearsing table, pictures in an order of one's own."""

import cv2
import numpy as np
import pytest

from hardware.camera.pictures import PicturesCamera
from hardware.simulated.rehearsal import RehearsalCamera


class Table:
    """A table that remembers what was put on it; its picture is as bright as it is full."""

    size = (320, 240)
    full = False

    def put(self, layout):
        self.full = bool(layout)

    def picture(self):
        return np.full((240, 320, 3), 200 if self.full else 50, np.uint8)


@pytest.fixture
def camera(monkeypatch):
    sheets = [np.full((240, 320, 3), 10 * i, np.uint8) for i in range(3)]
    monkeypatch.setattr("hardware.simulated.rehearsal.lens_pictures", lambda _: sheets)
    table = Table()
    table.view = None
    with RehearsalCamera(table) as it:
        yield it


def grey(camera):
    return int(camera.read(1.0).image[0, 0, 0])


def test_the_table_is_set_out_by_a_word(camera):
    camera.show("swatch")
    assert [grey(camera), grey(camera)] == [200, 200]
    camera.show("empty")
    assert grey(camera) == 50


def test_the_lens_sheet_is_held_elsewhere_each_time_and_frames_are_counted_on(camera):
    seen = []
    for _ in range(4):
        camera.show("lens")
        seen += [grey(camera), grey(camera)]
    assert seen == [0, 0, 10, 10, 20, 20, 0, 0]
    camera.show("empty")
    assert camera.read(1.0).number == 8


def test_pictures_can_be_shown_in_another_order_and_twice(tmp_path):
    for name, level in (("calib_board", 30), ("f1", 60)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((12, 16, 3), level, np.uint8))
    board, frame = tmp_path / "calib_board.png", tmp_path / "f1.png"
    with PicturesCamera(tmp_path, paths=[board, frame, board]) as camera:
        seen = []
        while not camera.at_end:
            seen.append(grey(camera))
        assert seen == [30, 60, 30]
