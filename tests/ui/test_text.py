"""Text is readable and whole: nothing under 18 u, nothing cut, nothing over anything else, at every size and length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from screen_samples import samples

from companion.ui import text
from companion.ui.box import Box
from companion.ui.parts import Art, Part, Press, Scroll, Span, Words
from companion.ui.text import Typesetter
from companion.ui.tokens import SMALLEST_TEXT, STYLES, TOUCH_IN_ROW
from companion.ui.widgets.stage import Stage

SAMPLES = samples()
SIZES = [(800, 480), (1280, 720)]


def parts_of(stage: Stage) -> Iterator[Part]:
    for widget in stage.widgets.values():
        yield widget.part
        if isinstance(widget.part, Scroll):
            yield from (part for part in widget.part.parts if _ends(part) <= widget.part.box.bottom)


def _ends(part: Any) -> float:
    """The lower end of a part of a list: what is not scrolled to is not looked at."""
    return max((thing.box.bottom for thing in part.drawn), default=0.0) if isinstance(part, Art) else part.box.bottom


def words_of(part: Part) -> Iterator[Words]:
    things = part.drawn if isinstance(part, Art) else part.up if isinstance(part, Press) else ()
    yield from (thing for thing in things if isinstance(thing, Words))


def words_on(stage: Stage) -> list[Words]:
    return [words for part in parts_of(stage) for words in words_of(part)]


def ink_box(words: Words, scale: float) -> Box:
    """Where the text itself lies within its box."""
    w, h = text.measure(words.spans, words.style, words.size, words.box.w, scale)
    one = min(w, text.measure(words.spans, words.style, words.size, None, scale)[0])
    x = words.box.x + {"left": 0.0, "center": (words.box.w - one) / 2, "right": words.box.w - one}[words.halign]
    y = words.box.y + {"top": 0.0, "middle": (words.box.h - h) / 2, "bottom": words.box.h - h}[words.valign]
    return Box(x, y, one, h)


def test_no_style_is_smaller_than_eighteen() -> None:
    assert all(size >= SMALLEST_TEXT for style in STYLES.values() for size in style.sizes)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SAMPLES)
def test_no_text_is_cut_nor_over_another(show: Any, name: str, size: tuple[int, int]) -> None:
    root, _, _ = show(SAMPLES[name], size)
    check(root)


@pytest.mark.parametrize("name", SAMPLES)
def test_words_forty_percent_longer_are_not_cut_nor_over_each_other(show: Any, name: str) -> None:
    root, _, _ = show(longer(SAMPLES[name]))
    check(root)


def check(root: Any) -> None:
    assert words_on(root.screen)
    for stage in (root.screen, root.dialog, root.toast):
        boxes = [_checked(words, root) for words in words_on(stage)]
        for i, (a, said) in enumerate(boxes):
            for b, other in boxes[i + 1 :]:
                apart = a.right <= b.x or b.right <= a.x or a.bottom <= b.y or b.bottom <= a.y
                assert apart, (said, other)


def _checked(words: Words, root: Any) -> tuple[Box, str]:
    said = "".join(run.text for run in words.spans)
    ink = ink_box(words, root.scene.scale)
    assert words.size >= SMALLEST_TEXT
    assert ink.w <= words.box.w + 1, said
    assert ink.h <= words.box.h + 6, said
    assert ink.x >= 0, said
    assert ink.right <= root.page.width + 1, said
    assert ink.bottom <= root.page.height + 1, said
    return ink.inset(0.5, 3.5), said


TEXTS = {
    *("title", "subtitle", "text", "line", "strong", "sentence", "phase", "hint"),
    *("rule", "help", "total", "hold_text", "seats_hint", "over", "empty"),
}


def longer(value: Any, field: str = "") -> Any:
    """The same state, every word of every text 40 percent longer; names, dates and figures stay."""
    if isinstance(value, str) and field in TEXTS:
        return " ".join(word + word[: round(len(word) * 0.4)] for word in value.split(" "))
    if isinstance(value, msgspec.Struct):
        changes = {name: longer(getattr(value, name), name) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **changes)
    if isinstance(value, tuple):
        return tuple(longer(item, field) for item in value)
    return value


@pytest.mark.parametrize("name", SAMPLES)
def test_every_target_is_large_enough(show: Any, name: str) -> None:
    root, _, _ = show(SAMPLES[name])
    for stage in (root.screen, root.dialog, root.toast):
        for part in parts_of(stage):
            if isinstance(part, Press):
                assert part.area.w >= TOUCH_IN_ROW, part.key
                assert part.area.h >= 60, part.key


@pytest.mark.parametrize("name", SAMPLES)
def test_no_two_targets_overlap_where_they_are_drawn(show: Any, name: str) -> None:
    root, _, _ = show(SAMPLES[name])
    for stage in (root.screen, root.dialog):
        boxes = [part.box for part in parts_of(stage) if isinstance(part, Press)]
        for i, a in enumerate(boxes):
            for b in boxes[i + 1 :]:
                assert a.right <= b.x or b.right <= a.x or a.bottom <= b.y or b.bottom <= a.y


def test_text_shrinks_in_the_steps_of_its_style_before_it_is_cut() -> None:
    setter = Typesetter(1.0)
    words = "Закончить движение исследователей"
    sizes = [setter.fit(words, "button", Box(0, 0, width, 50), lines=2).size for width in (400, 190, 177)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 20


def test_a_long_name_is_cut_in_the_middle() -> None:
    name = Typesetter(1.0).fit("Bartholomäus-Maximilian", "name", Box(0, 0, 160, 40), lines=1)
    said = name.spans[0].text
    assert said.startswith("Bar")
    assert said.endswith("n")
    assert "…" in said


def test_a_sentence_that_does_not_fit_ends_with_a_mark() -> None:
    cut = Typesetter(1.0).fit("one two three four five six seven eight nine", "body", Box(0, 0, 120, 46))
    assert cut.spans[0].text.endswith("…")


def test_markup_in_a_name_is_shown_and_not_obeyed() -> None:
    plain = text.measure((Span("[b]Ann[/b]"),), "name", 31, None, 1.0)[0]
    assert plain > 2 * text.measure((Span("Ann"),), "name", 31, None, 1.0)[0]
