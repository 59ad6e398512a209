"""A screen that stands upright shows and offers what a wide one does: the board above, the panel below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from measuring import layers, page_of
from screen_samples import BOARD, samples

from companion.ui.parts import BoardPart, Entry, Part, Press, Scroll, Slider
from companion.ui.screens.keyboard import EXTRA, ROWS, UPRIGHT, keyboard

SAMPLES = samples()
WIDE, STANDING, TALL = (800, 480), (480, 800), (720, 1280)


def offered(name: str, size: tuple[int, int]) -> set[tuple[str, str, bool]]:
    """All that can be touched on a sample's screen."""
    return set(_offered(tuple(part for parts in layers(page_of(size), SAMPLES[name]) for part in parts)))


def _offered(parts: tuple[Part, ...]) -> Iterator[tuple[str, str, bool]]:
    for part in parts:
        if isinstance(part, Press):
            yield "press", part.id, part.enabled
        elif isinstance(part, Slider):
            yield "slide", part.id, part.enabled
        elif isinstance(part, Entry):
            yield "write", part.field, True
        elif isinstance(part, Scroll):
            yield from _offered(part.parts)


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_lost_when_the_screen_is_turned(name: str) -> None:
    assert offered(name, STANDING) == offered(name, TALL) == offered(name, WIDE)


@pytest.mark.parametrize("size", [STANDING, TALL])
def test_the_board_is_whole_and_as_wide_as_the_screen(size: tuple[int, int]) -> None:
    page = page_of(size)
    board = next(part for part in layers(page, SAMPLES["04a_turn"])[0] if isinstance(part, BoardPart))
    assert board.box.w == page.width
    for h in BOARD.hexes:
        assert all(0 <= x <= board.box.w and 0 <= y <= board.box.h for x, y in board.projection.hexagon(h)), (
            BOARD.labels[h]
        )
    assert page.panel.y >= board.box.bottom - 8


def test_a_window_that_is_turned_is_laid_out_anew(show: Any) -> None:
    root, view_model, hand = show(SAMPLES["04b_turn_explorer"])
    root._resize(STANDING)
    part = root.screen.widgets["board"].part
    hand.tap(*part.projection.centre(BOARD.by_label["F9"]))
    done = root.screen.widgets["done"].part.box
    hand.tap(done.x + 20, done.y + 20)
    assert view_model.calls == [("touch_hex", BOARD.by_label["F9"]), ("press", "done")]
    root._resize(WIDE)
    assert root.screen.widgets["done"].part.box != done


@pytest.mark.parametrize("script", ["latin", "cyrillic"])
def test_the_narrow_keyboard_has_every_letter_of_the_wide_one(script: Any) -> None:
    wide = {*"".join(ROWS[script]), EXTRA[script]}
    assert set("".join(UPRIGHT[script])) == wide
    keys = [part for part in keyboard(page_of(STANDING), "", script, capitals=False) if isinstance(part, Press)]
    assert {"erase", "done", "shift", "script", "letter: "} <= {key.id for key in keys}
    assert all(key.area.w >= 48 and key.area.h >= 60 and key.box.right <= 480 for key in keys)
