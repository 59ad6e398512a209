"""The live picture: corners are dragged by finger, and a new picture rebuilds nothing else."""

from __future__ import annotations

from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from screen_samples import samples
from simulated_pictures import pictures

from companion.ui.drawing.live import Frame
from companion.ui.picture import png
from companion.ui.root import CompanionRoot
from companion.viewmodel import states as s

SAMPLES = samples()
COVERED = SAMPLES["11b_covered"]


def place(root: CompanionRoot, handle: s.Handle) -> tuple[float, float]:
    part: Any = root.screen.widgets["picture"].part
    return Frame(part.box, part.picture.window).place(handle.x, handle.y)


def redness(drawn: np.ndarray, x: float, y: float) -> float:
    """How much redder than blue it is there: wood is, the board is not."""
    spot = drawn[round(y) - 6 : round(y) + 6, round(x) - 6 : round(x) + 6].reshape(-1, 3).mean(axis=0)
    return float(spot[2] - spot[0])


def handles() -> tuple[s.Handle, ...]:
    screen = COVERED.screen
    assert isinstance(screen, s.CalibrateScreen)
    return screen.handles


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_a_corner_is_dragged_in_the_cameras_own_pixels(show: Any, size: tuple[int, int]) -> None:
    root, view_model, hand = show(COVERED, size)
    handle = handles()[1]
    x, y = place(root, handle)
    per_u = 1 / Frame(root.screen.widgets["picture"].part.box, COVERED.screen.picture.window).scale  # type: ignore[union-attr]
    hand.down(x + 20, y - 15)  # the finger need not hit its middle
    hand.move(x + 30, y)
    assert view_model.calls == []
    hand.up(x - 20, y + 25)
    ((call, name, px, py),) = view_model.calls
    assert (call, name) == ("drag", "corner:ne")
    assert (px, py) == pytest.approx((handle.x - 40 * per_u, handle.y + 40 * per_u), abs=0.5)


def test_the_loupe_is_there_while_the_finger_is(show: Any) -> None:
    root, _, hand = show(COVERED)
    loupe = root.screen.widgets["picture"]._layers["loupe"]
    x, y = place(root, handles()[3])
    hand.down(x, y)
    assert loupe.length() > 0
    hand.up(x, y)
    assert loupe.length() == 0


def test_the_loupe_shows_what_is_under_the_finger_the_right_way_up(show: Any) -> None:
    """At the south-east corner the board is above and to the left, the table below and to the right."""
    root, _, hand = show(COVERED)
    x, y = place(root, handles()[2])
    hand.down(x, y)
    drawn = cv2.imdecode(np.frombuffer(png(root), dtype=np.uint8), cv2.IMREAD_COLOR)
    assert redness(drawn, x - 26, y - 90 - 26) < redness(drawn, x - 10, y - 90 + 34) - 40


def test_a_touch_alone_or_a_lost_finger_puts_no_corner(show: Any) -> None:
    root, view_model, hand = show(COVERED)
    x, y = place(root, handles()[0])
    hand.tap(x, y)
    hand.down(x, y)
    hand.move(x + 50, y + 50)
    root.lose_touches()
    assert view_model.calls == []


def test_a_touch_off_the_handles_takes_none(show: Any) -> None:
    root, view_model, hand = show(COVERED)
    x, y = place(root, handles()[0])
    hand.down(x + 60, y + 60)
    hand.up(x + 160, y + 160)
    assert view_model.calls == []


def test_a_finger_keeps_its_corner_while_pictures_come(show: Any) -> None:
    root, view_model, hand = show(COVERED)
    x, y = place(root, handles()[1])
    hand.down(x, y)
    hand.move(x - 30, y + 30)
    view_model.publish(with_picture("swatch"))
    hand.up(x - 30, y + 30)
    assert [call[:2] for call in view_model.calls] == [("drag", "corner:ne")]


def test_a_new_picture_goes_into_the_same_texture_and_touches_nothing_else(show: Any) -> None:
    root, view_model, _ = show(with_picture("empty"))
    widget = root.screen.widgets["picture"]
    texture, others = widget._texture, {k: w.part for k, w in root.screen.widgets.items() if k != "picture"}
    before = bytes(texture.pixels)
    view_model.publish(with_picture("swatch"))
    assert widget._texture is texture
    assert bytes(texture.pixels) != before
    assert {k: w.part for k, w in root.screen.widgets.items() if k != "picture"} == others


def test_a_torn_picture_leaves_the_last_one(show: Any) -> None:
    root, view_model, _ = show(COVERED)
    texture = root.screen.widgets["picture"]._texture
    before = bytes(texture.pixels)
    screen: Any = COVERED.screen
    torn = msgspec.structs.replace(screen.picture, jpeg=screen.picture.jpeg[:200])
    view_model.publish(s.AppState(screen=msgspec.structs.replace(screen, picture=torn)))
    assert bytes(root.screen.widgets["picture"]._texture.pixels) == before


def with_picture(name: str) -> s.AppState:
    screen: Any = COVERED.screen
    picture = msgspec.structs.replace(screen.picture, jpeg=pictures()[name])
    return s.AppState(screen=msgspec.structs.replace(screen, picture=picture))
