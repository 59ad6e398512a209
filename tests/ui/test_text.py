"""Text is readable and whole: nothing under 18 u, nothing cut, nothing over anything else, at every size and length."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from babel.messages.extract import extract_from_file
from measuring import complaints, page_of
from screen_samples import samples

from companion import i18n
from companion.calibrating import words
from companion.scenes.catalogue import SCENES
from companion.scenes.people import people_called
from companion.ui import text
from companion.ui.box import Box
from companion.ui.parts import Span
from companion.ui.text import Typesetter
from companion.ui.tokens import SMALLEST_TEXT, STYLES
from companion.viewmodel.words import BACKS

SAMPLES = samples()
NARROW = [(800, 480), (480, 800)]
SIZES = [*NARROW, (1280, 720), (720, 1280)]
FOREIGN = [code for code in i18n.LANGUAGES if code != i18n.SOURCE_LANGUAGE]
NAMES = people_called()


def test_no_style_is_smaller_than_eighteen() -> None:
    assert all(size >= SMALLEST_TEXT for style in STYLES.values() for size in style.sizes)


@pytest.mark.parametrize("name", SAMPLES)
def test_all_is_in_its_place_and_large_enough(name: str) -> None:
    for size in SIZES:
        assert complaints(page_of(size, SAMPLES[name].display), SAMPLES[name], NAMES) == [], size


@pytest.mark.parametrize("code", i18n.LANGUAGES)
def test_whatever_the_guide_says_of_a_picture_fits_into_its_note(code: str) -> None:
    state = next(scene for scene in SCENES if scene.name == "11b_refused").state(code)
    i18n.set_language(code)
    try:
        for _line, text, _comments, _context in extract_from_file(
            "python", words.__file__, keywords={"_": None, "N_": None}
        ):
            note = msgspec.structs.replace(state.screen.note, text=i18n._(text).replace("{", "").replace("}", ""))
            said = msgspec.structs.replace(state, screen=msgspec.structs.replace(state.screen, note=note))
            assert complaints(page_of((800, 480)), said, NAMES) == []
    finally:
        i18n.set_language("en")


@pytest.mark.parametrize("code", FOREIGN)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_all_is_in_its_place_in_every_language(scene: Any, code: str) -> None:
    state = scene.state(code)
    for size in SIZES:
        assert complaints(page_of(size, state.display), state, NAMES) == [], size


@pytest.mark.parametrize("name", SAMPLES)
def test_words_forty_percent_longer_have_room(name: str) -> None:
    for size in NARROW:
        assert complaints(page_of(size, SAMPLES[name].display), longer(SAMPLES[name]), NAMES) == [], size


TEXTS = {
    *("title", "subtitle", "heading", "text", "line", "strong", "sentence", "phase", "hint"),
    *("rule", "help", "total", "hold_text", "seats_hint", "over", "empty"),
}
KNOWN = {*NAMES, *(word for back in BACKS.values() for word in back[0].split())}
"""Names have their length, and what the tiles are called is known in every language."""


def longer(value: Any, field: str = "") -> Any:
    """The same state, every word of every text 40 percent longer; names, dates and figures stay."""
    if isinstance(value, str) and field in TEXTS:
        return "\n".join(" ".join(map(_longer_word, line.split(" "))) for line in value.split("\n"))
    if isinstance(value, msgspec.Struct):
        changes = {name: longer(getattr(value, name), name) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **changes)
    if isinstance(value, tuple):
        return tuple(longer(item, field) for item in value)
    return value


def _longer_word(word: str) -> str:
    known = word.strip(".,:;!?").removesuffix("’s") in KNOWN or word.startswith("/")  # a file's name
    return word if known else word + word[: round(len(word) * 0.4)]


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


def test_of_a_sentence_with_a_word_longer_than_a_line_only_that_word_is_cut() -> None:
    said = "The record of games /home/maximilianna/.local/share/atlantis-companion/games.sqlite is open elsewhere."
    shown = Typesetter(1.0).fit(said, "lead", Box(0, 0, 300, 200)).spans[0].text
    assert shown.startswith("The record of games /home/maxi")
    assert shown.endswith("games.sqlite is open elsewhere.")
    assert shown.count("…") == 1


def test_a_sentence_that_does_not_fit_ends_with_a_mark() -> None:
    cut = Typesetter(1.0).fit("one two three four five six seven eight nine", "body", Box(0, 0, 120, 46))
    assert cut.spans[0].text.endswith("…")


def test_markup_in_a_name_is_shown_and_not_obeyed() -> None:
    plain = text.measure((Span("[b]Ann[/b]"),), "name", 31, None, 1.0)[0]
    assert plain > 2 * text.measure((Span("Ann"),), "name", 31, None, 1.0)[0]
