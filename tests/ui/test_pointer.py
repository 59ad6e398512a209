"""The cursor of who plays without touching is seen wherever it can be."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from screen_samples import samples

from companion.ui.widgets.scroll import ScrollWidget
from companion.viewmodel import cursor
from companion.viewmodel.states import Cursor

SAMPLES = samples()


@pytest.mark.parametrize("name", SAMPLES)
def test_whatever_can_be_chosen_gets_its_ring(show: Any, name: str) -> None:
    state = SAMPLES[name]
    root, view_model, _ = show(state)
    lists = [widget for widget in root.screen.widgets.values() if isinstance(widget, ScrollWidget)]
    places = []
    for thing in cursor.things(state):
        view_model.publish(msgspec.structs.replace(state, cursor=thing))
        assert root.pointer.widgets, thing
        box = root.pointer.widgets["cursor"].part.drawn[0].box
        assert box.x >= -12
        assert box.right <= root.page.width + 12, thing
        assert box.y >= -12
        assert box.bottom <= root.page.height + 12, thing
        places.append((box, *(shown.scrolled for shown in lists)))
    view_model.publish(msgspec.structs.replace(state, cursor=None))
    assert not root.pointer.widgets
    assert len(set(places)) == len(places), "each has a place of its own, on the screen or in a list"


def test_a_list_is_scrolled_to_the_row_that_is_pointed_at(show: Any) -> None:
    state = SAMPLES["10a_games"]
    root, view_model, _ = show(state)
    listed = state.screen.rows  # type: ignore[union-attr]
    rows: ScrollWidget = root.screen.widgets["rows"]
    view_model.publish(msgspec.structs.replace(state, cursor=Cursor(id=listed[-1].id)))
    assert rows.scrolled > 0
    view_model.publish(msgspec.structs.replace(state, cursor=Cursor(id=listed[0].id)))
    assert rows.scrolled < 74


def test_the_ring_takes_no_finger_away(show: Any) -> None:
    state = SAMPLES["04k_cursor_on_a_button"]
    root, view_model, hand = show(state)
    box = root.screen.widgets["undo"].part.box
    hand.tap(box.x + 20, box.y + 20)
    assert view_model.calls == [("press", "undo")]
