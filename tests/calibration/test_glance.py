"""What a live picture tells of cards, camera, light and stillness; the pictures show a plain plane with four cards."""

import cv2
import numpy as np
import pytest

from calibration.glance import Stillness, glance
from calibration.print import CARD_CORNERS, BoardPrint
from calibration.quality import SHINY
from calibration.targets import card_cells

BOARD = BoardPrint()
SIZE = (1536, 864)
PX_PER_MM = 2.0
HALF_MM = (400.0, 360.0)


def plane(without=()):
    """A grey table with the cards, from straight above."""
    page = np.full((round(2 * HALF_MM[1] * PX_PER_MM), round(2 * HALF_MM[0] * PX_PER_MM), 3), 120, np.uint8)

    def fill(x, y, w, h, colour):
        left, right = (round((v + HALF_MM[0]) * PX_PER_MM) for v in (x, x + w))
        top, bottom = (round((v + HALF_MM[1]) * PX_PER_MM) for v in (y, y + h))
        page[top:bottom, left:right] = colour

    fill(-255, -225, 510, 450, (150, 120, 60))
    for name, (east, south) in CARD_CORNERS.items():
        x, y = east * (510 + 60) / 2 - 30, south * (450 + 60) / 2 - 30
        if name not in without:
            fill(x, y, 60, 60, 235)
            for left, top, w, h in card_cells(BOARD, name):
                fill(x + 10 + left, y + 10 + top, w, h, 15)
    return page


def seen(page, tilt_degrees=0.0, distance=950.0, aside=(0.0, 0.0), focal=1180.0):
    """The plane through a camera that looks at the board's middle from the south, so far away."""
    tilt = np.radians(tilt_degrees)
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    centre = ((SIZE[0] - 1) / 2 + aside[0], (SIZE[1] - 1) / 2 + aside[1])
    intrinsics = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1.0]])
    flat = np.array([[1 / PX_PER_MM, 0, -HALF_MM[0]], [0, 1 / PX_PER_MM, -HALF_MM[1]], [0, 0, 1]])
    to_picture = intrinsics @ np.column_stack([turn[:, 0], turn[:, 1], (0, 0, distance)]) @ flat
    return cv2.warpPerspective(page, to_picture, SIZE, flags=cv2.INTER_AREA, borderValue=(120, 120, 120))


@pytest.mark.parametrize("tilt", [0, 20, 34, 40])
def test_the_tilt_is_told_to_some_degrees(tilt):
    found = glance(seen(plane(), tilt, distance=1150.0), BOARD)
    assert set(found.cards) == set(CARD_CORNERS)
    assert found.outside == ()
    assert found.tilt_degrees == pytest.approx(tilt, abs=4)


def test_the_size_of_a_hex_is_told_from_near_and_far():
    near, far = (glance(seen(plane(), distance=d), BOARD).px_per_hex for d in (950, 1500))
    assert near == pytest.approx(38 * 1180 / 950, rel=0.03)
    assert far == pytest.approx(38 * 1180 / 1500, rel=0.03)


def test_a_covered_card_is_missing_and_not_outside():
    found = glance(seen(plane(without=("se",))), BOARD)
    assert (found.missing, found.outside) == (("se",), ())


def test_cards_beyond_the_pictures_edge_are_outside_and_not_missing():
    found = glance(seen(plane(), aside=(420, 0)), BOARD)
    assert set(found.outside) == {"ne", "se"}
    assert found.missing == ()


def test_a_card_that_is_only_cut_is_outside_though_its_marker_is_seen():
    found = glance(seen(plane(), aside=(0, 85)), BOARD)
    assert {"sw", "se"} <= set(found.cards)
    assert set(found.outside) == {"sw", "se"}


def test_without_cards_nothing_is_told():
    found = glance(seen(plane(without=CARD_CORNERS)), BOARD)
    assert (found.cards, found.tilt_degrees, found.px_per_hex) == ({}, None, None)
    assert found.missing == tuple(CARD_CORNERS)


def test_light_glare_and_sharpness_are_told():
    picture = seen(plane())
    assert glance(picture, BOARD).level == pytest.approx(235, abs=3)
    assert glance(picture // 6, BOARD).level < 45
    assert glance(cv2.GaussianBlur(picture, (0, 0), 4), BOARD).edge_mm > 2 * glance(picture, BOARD).edge_mm
    shining = picture.copy()
    x, y = (round(middle + 1180 / 950 * mm) for middle, mm in ((767.5, 170), (431.5, -150)))
    cv2.circle(shining, (x, y), 100, (255, 255, 255), -1)
    found = glance(shining, BOARD)
    assert found.glare == "ne"
    assert found.clipped > 0.05


@pytest.mark.parametrize(("at", "place"), [((0, 0), "middle"), ((-150, -120), "nw"), ((160, 0), "e")])
def test_a_lamp_in_a_coloured_board_is_told_where_nothing_burns_out(at, place):
    blue = seen(plane()).astype(float)
    left, top, right, bottom = (round(middle + 1180 / 950 * mm) for middle, mm in
                                ((767.5, -270), (431.5, -235), (767.5, 270), (431.5, 235)))  # fmt: skip
    blue[top:bottom, left:right] *= (0.4, 0.3, 0.2)
    y, x = np.mgrid[: blue.shape[0], : blue.shape[1]]
    middle = [m + 1180 / 950 * mm for m, mm in zip((767.5, 431.5), at, strict=True)]
    lamp = 185 * np.exp(-((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / 2 / 110**2)
    shining = np.clip(blue + lamp[..., None], 0, 253).astype(np.uint8)
    found = glance(shining, BOARD, is_empty=True)
    assert (found.lamp, found.glare) == (place, None)
    assert 100 * found.mirrored > SHINY
    assert glance(shining, BOARD).mirrored is None, "unless nothing lies on the board"
    for plain in (blue.astype(np.uint8), seen(plane())):
        assert 100 * glance(plain, BOARD, is_empty=True).mirrored < SHINY / 2


def test_of_a_cloth_over_the_board_no_lamp_is_told():
    """One colour all over is its own ink."""
    covered = seen(plane())
    covered[150:720, 450:1090] = (60, 110, 60)
    found = glance(covered, BOARD, is_empty=True)
    assert (found.mirrored, found.lamp) == (pytest.approx(0.0, abs=0.01), None)


def test_a_picture_is_still_when_nothing_but_noise_and_light_change():
    rng = np.random.default_rng(3)
    picture = seen(plane()).astype(float)
    stillness = Stillness()

    def see(change=0.0):
        return stillness.see(np.clip(picture + change + rng.normal(0, 5, picture.shape), 0, 255).astype(np.uint8))

    assert not see()  # the first: there is nothing to compare it with
    assert see()
    assert see(change=6)
    picture[300:420, 600:760] = 90  # somebody's hand
    assert not see()
    assert see()
