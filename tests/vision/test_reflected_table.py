"""A board in which a window or a lamp is mirrored is read as it is without it."""

import cv2
import msgspec
import numpy as np
import pytest
from readings_of import read_in_light

from calibration.pictures import read_picture
from calibration.reflection import ReflectionMeter
from companion.rules.geometry import load_board
from companion.rules.layout import EMPTY
from companion.vision import show
from companion.vision.evidence import PixelStep
from companion.vision.field import Field
from companion.vision.glare import Suspect
from companion.vision.recogniser import Recogniser

BOARD = load_board()


def lamp(shape):
    """H x W, 0 to 1: a soft light over the island."""
    rows, columns = shape
    y, x = np.mgrid[:rows, :columns]
    away = ((y - 0.45 * rows) / (0.2 * rows)) ** 2 + ((x - 0.55 * columns) / (0.25 * columns)) ** 2
    return np.exp(-0.5 * away).astype(np.float32)


def window(shape):
    """H x W, 0 to 1: panes with a bar between them, over sea, coast and a part of the island."""
    rows, columns = shape
    light = np.zeros(shape, np.float32)
    light[rows // 8 : rows // 2, columns // 8 : columns // 2] = 1
    light[:, 5 * columns // 16 : 5 * columns // 16 + 12] = 0
    return np.asarray(cv2.GaussianBlur(light, (0, 0), 3.0), np.float32)


@pytest.fixture(scope="module")
def recogniser(table_calibration):
    return Recogniser(table_calibration, BOARD, patience=0)


def lit(recogniser, picture, added):
    """What is seen of it with so much light mirrored in the board (from H x W of the view)."""
    return read_in_light(recogniser, picture, lambda light: light + added(light.shape[:2])[..., None])


@pytest.fixture(scope="module")
def reading(recogniser, table_dir, truth):
    """Reads the board with so strong a light of that shape mirrored in it: hexes of which something is claimed that is
    not so, and those of which nothing is claimed."""
    picture = read_picture(table_dir / "f01.jpg")

    def read(shape, strength):
        seen = lit(recogniser, picture, lambda size: strength * shape(size))
        contents = [(e.hex, e.hypotheses[0].content if e.hypotheses else None) for e in seen.hexes]
        wrong = [h for h, content in contents if content not in (None, truth.hexes.get(h, EMPTY))]
        return len(wrong), sum(content is None for _, content in contents)

    return read


@pytest.mark.parametrize("strength", [0.05, 0.15, 0.3])
@pytest.mark.parametrize("shape", [lamp, window])
def test_a_reflection_is_taken_out(reading, shape, strength, monkeypatch):
    wrong, hidden = reading(shape, strength)
    assert wrong <= 5
    assert hidden <= 1
    monkeypatch.setattr(ReflectionMeter, "is_any", lambda *_: False)
    assert sum(reading(shape, strength)) > wrong + hidden


@pytest.mark.parametrize("strength", [0.45, 0.6, 0.9])
@pytest.mark.parametrize("shape", [lamp, window])
def test_where_too_much_is_mirrored_nothing_is_said_and_nobody_looks_for_a_hand(
    recogniser, table_dir, truth, shape, strength
):
    seen = lit(recogniser, read_picture(table_dir / "f01.jpg"), lambda size: strength * shape(size))
    assert {e.hidden for e in seen.hexes if e.hidden} <= {"glare", "shadow"}
    assert 15 < sum(bool(e.hidden) for e in seen.hexes) < 75
    claimed = [e for e in seen.hexes if not e.hidden]
    assert sum(e.hypotheses[0].content != truth.hexes.get(e.hex, EMPTY) for e in claimed) <= 8


@pytest.mark.parametrize(("shape", "strength"), [(window, 0.1), (window, 0.3), (lamp, 0.05), (lamp, 0.15)])
def test_under_an_arm_nothing_is_claimed_with_a_lamp_mirrored_too(recogniser, table_dir, shape, strength):
    seen = lit(recogniser, read_picture(table_dir / "f03.jpg"), lambda size: strength * shape(size))
    covered = {tuple(h) for h in msgspec.json.decode((table_dir / "f03.json").read_bytes())["occluded"]}
    assert covered
    assert all(e.hidden for e in seen.hexes if e.hex in covered)


def test_with_an_arm_over_the_table_nothing_is_taken_out(recogniser, table_dir):
    seen = lit(recogniser, read_picture(table_dir / "f03.jpg"), lambda size: 0.05 * lamp(size))
    assert sum(e.hidden == "hand" for e in seen.hexes) > 5
    assert recogniser.trace.evidence.measured.mirrored is None


def test_what_lies_there_looks_the_same_when_a_lamp_is_switched_on(table_calibration, table_dir):
    recogniser, picture = Recogniser(table_calibration, BOARD, patience=0), read_picture(table_dir / "f01.jpg")
    first, second = (lit(recogniser, picture, lambda size, s=s: s * window(size)) for s in (0.0, 0.15))
    same = [a.look == b.look for a, b in zip(first.hexes, second.hexes, strict=True)]
    assert sum(same) > 0.9 * len(same)


def test_what_was_taken_for_a_reflection_and_still_looks_like_an_arm_is_not_read(recogniser, table_dir, monkeypatch):
    covered = {tuple(h) for h in msgspec.json.decode((table_dir / "f03.json").read_bytes())["occluded"]}
    monkeypatch.setattr(Suspect, "is_reflection", True)
    seen = lit(recogniser, read_picture(table_dir / "f03.jpg"), lambda size: 0.15 * window(size))
    assert recogniser.trace.evidence.measured.mirrored is not None
    assert all(e.hidden for e in seen.hexes if e.hex in covered)


def test_what_is_mirrored_is_shown(recogniser, table_calibration, table_dir):
    picture = read_picture(table_dir / "f01.jpg")
    lit(recogniser, picture, lambda size: 0.2 * window(size))
    drawn = show.pictures(picture, recogniser.trace, BOARD, table_calibration)["3-light"]
    rows, columns = recogniser.trace.evidence.picture.shape[:2]
    beside = drawn[-show.SCALE * rows :, show.SCALE * columns :, 0]
    assert beside[3 * rows // 2, 3 * columns // 4] > 100
    assert beside[3 * rows * 7 // 8, 3 * columns * 7 // 8] < 30


def test_a_board_as_it_was_calibrated_has_none(table_calibration, table_dir):
    step = PixelStep(table_calibration, island=Field(BOARD, table_calibration).island)
    for view in (step.rectify(read_picture(table_dir / "f01.jpg")), table_calibration.reference_image):
        assert not step.may_be_mirrored(step.read_view(view))


def test_each_kind_of_tile_of_the_swatch_picture_is_known(table_calibration):
    tiles = table_calibration.tiles
    assert len(tiles) == 3
    assert all((tile.mean > 0).all() and (tile.mean < 1).all() for tile in tiles)
    assert all(tile.mean[3] < tile.mean[:3].min() for tile in tiles)
    bare = msgspec.structs.replace(table_calibration, swatch=b"", swatches=())
    assert bare.tiles == ()
