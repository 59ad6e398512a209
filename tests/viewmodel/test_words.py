"""Every text is ready for people: translated, placeholders filled, the tables complete."""

from __future__ import annotations

import gettext
import re
import typing

import msgspec
import pytest

from companion import i18n
from companion.rules import events as ev
from companion.rules.actions import Back, DiveFace, Face
from companion.rules.layout import COLOURS, TERRAINS
from companion.rules.pieces import WHEN
from companion.viewmodel import curtain, log, setup, words
from companion.viewmodel.states import AppState
from companion.viewmodel.turn import words as turn_words
from viewmodel.people import Chance, at_table, table_of

SILENT = {ev.CreaturePlaced, ev.Threatened, ev.ProtectionAsked, ev.PhaseBegan, ev.TurnBegan, ev.Won}
"""Events that say nothing another line has not said."""


def texts_in(value: object) -> list[str]:
    """Every string of a state, ids and names of pictures included."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [text for item in value for text in texts_in(item)]
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts_in(item)]
    if isinstance(value, msgspec.Struct):
        return [text for name in value.__struct_fields__ for text in texts_in(getattr(value, name))]
    return []


@pytest.mark.parametrize(("count", "how"), [(4, {}), (2, {"two_colours": True, "backs": "printed"})])
def test_no_text_of_a_whole_game_has_an_empty_placeholder(tmp_path, count, how):
    people = at_table(tmp_path, 5, table_of(count, **how))
    shown: list[AppState] = [people.state]
    people.vm.subscribe(shown.append)
    people.press("new_game", "next", "next", "next", "next", "begin")
    Chance(people, 5).play_to_the_end()
    people.press("done", "games")
    texts = {text for state in shown for text in texts_in(state)}
    assert len(texts) > 300
    assert [text for text in texts if "{" in text or "}" in text or "%" in text] == []
    assert [text for text in texts if text != text.strip()] == []


def test_every_back_has_a_name_a_sentence_and_a_picture():
    assert set(words.BACKS) == set(WHEN) == set(typing.get_args(Back))
    for back in words.BACKS:
        assert words.back_name(back)
        assert words.back_text(back, at_once=False).endswith(".")
        assert (words.BACKS[back][1].startswith("It works at once")) == (WHEN[back] == "at once")


def test_what_works_at_once_can_be_told_of():
    at_once = {back for back, when in WHEN.items() if when == "at once"} | {"dolphin"}  # 13.1
    assert set(log.SHOWN) == set(log.SUNK_AND_SHOWN) == at_once


def test_every_event_has_a_sentence_or_is_said_by_another():
    assert set(log._TELL) | SILENT == set(typing.get_args(ev.Event))
    assert not set(log._TELL) & SILENT


def test_tables_by_colour_terrain_and_face_are_complete():
    for table in (curtain._HOLD, setup._PUT_EXPLORER, words.COLOUR_NAMES):
        assert set(table) == set(COLOURS)
    for table in (turn_words.TAKE_TILE, turn_words.GO_FIRST):
        assert set(table) == set(TERRAINS)
    for table in (turn_words.MOVE_CREATURE, turn_words.HOW_FAR, log.ROLLED):
        assert set(table) == set(typing.get_args(Face))
    assert set(log.NO_SUCH) == set(typing.get_args(DiveFace))
    assert set(words._CREATURES) == set(typing.get_args(DiveFace))


def test_english_needs_no_catalogue_and_others_must_be_there():
    assert "en" in i18n.available()
    i18n.set_language("en")
    assert i18n.language() == "en"
    with pytest.raises(i18n.LanguageError, match="There is no catalogue for 'xx'"):
        i18n.set_language("xx")
    assert i18n.language() == "en"


def test_lists_and_plurals_are_the_languages():
    assert i18n.listed(["Ann"]) == "Ann"
    assert i18n.listed(["Ann", "Bo", "Olena"]) == "Ann, Bo and Olena"
    assert i18n.ngettext("{n} game", "{n} games", 1).format(n=1) == "1 game"
    assert i18n.ngettext("{n} game", "{n} games", 2).format(n=2) == "2 games"
    assert i18n.pgettext("button", "Back") == "Back"


def test_a_catalogue_is_used_while_its_language_is_set(tmp_path, monkeypatch):
    """Any catalogue under `locales/` is found, plural forms and contexts included."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    catalogue = Catalog(locale="uk")
    catalogue.add("Menu", "Меню")
    catalogue.add(("{n} tile", "{n} tiles"), ("{n} тайл", "{n} тайли", "{n} тайлів"))
    folder = tmp_path / "uk" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "companion.po").open("wb") as file:
        write_po(file, catalogue)
    monkeypatch.setattr(i18n, "LOCALES", tmp_path)
    i18n.set_language("uk")
    try:
        assert i18n._("Menu") == "Меню"
        assert i18n._("Home") == "Home"
        assert [i18n.ngettext("{n} tile", "{n} tiles", n) for n in (1, 2, 5)] == ["{n} тайл", "{n} тайли", "{n} тайлів"]
        assert i18n.listed(["Аня", "Бо"]) == "Аня і Бо"
    finally:
        i18n.set_language("en")


class Marking(gettext.NullTranslations):
    """A language in which every translated text begins with a mark."""

    def gettext(self, message: str) -> str:
        return f"¤{message}"

    def pgettext(self, _context: str, message: str) -> str:
        return f"¤{message}"

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        return f"¤{singular if n == 1 else plural}"


SPOKEN = {"text", "line", "title", "subtitle", "sentence", "strong", "hint", "phase", "figure", "over", "progress",
          "total", "help", "rule", "result", "count", "empty", "hold_text", "seats_hint", "error"}  # fmt: skip
"""Fields that people read."""


def spoken(value: object, field: str = "") -> list[str]:
    """Every text of a state that people read."""
    if isinstance(value, str):
        return [value] if value and field in SPOKEN else []
    if isinstance(value, tuple):
        return [text for item in value for text in spoken(item, field)]
    if isinstance(value, msgspec.Struct):
        return [text for name in value.__struct_fields__ for text in spoken(getattr(value, name), name)]
    return []


NO_WORDS = re.compile(r"Atlantis|Ann|Bo|Olena|Maja|\d+|[0-9A-F]{4}( [0-9A-F]{4}){4}")
"""What is the same in every language: names, numbers, the title, the fingerprint."""


@pytest.mark.parametrize("how", [{}, {"backs": "printed", "dive_dice": True}])
def test_everything_that_people_read_is_translated(tmp_path, monkeypatch, how):
    monkeypatch.setattr(i18n._Current, "catalogue", Marking())
    people = at_table(tmp_path, 4, table_of(4, **how))
    shown: list[AppState] = [people.state]
    people.vm.subscribe(shown.append)
    people.press("games", "back", "new_game", "next", "next", "next", "next", "menu", "close", "begin")
    Chance(people, 4).play_to_the_end()
    people.press("done", "games")
    texts = {text for state in shown for text in spoken(state)}
    assert len(texts) > 200
    assert [text for text in texts if "¤" not in text and not NO_WORDS.fullmatch(text)] == []
