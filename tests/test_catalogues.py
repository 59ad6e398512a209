"""Every text of the program is there in every language, whole, with its placeholders and plural forms."""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import calibration
import companion
import hardware
from companion import i18n

KEYWORDS = {
    "_": None,
    "N_": None,
    "NN_": (1, 2),
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
HARDWARE_KEYWORDS = {"CameraError": None, "PowerError": None}
"""`hardware` knows nothing of languages: what these say comes to a screen, which says it in its own."""
LANGUAGES = [code for code in i18n.LANGUAGES if code != i18n.SOURCE_LANGUAGE]


@pytest.fixture(scope="module")
def source() -> Catalog:
    """What stands in the program."""
    found = Catalog()
    for package, keywords in ((companion, KEYWORDS), (calibration, KEYWORDS), (hardware, HARDWARE_KEYWORDS)):
        folder = Path(package.__file__).parent
        for _file, _line, text, _comments, context in extract_from_dir(folder, keywords=keywords):
            if text:
                found.add(text, context=context)
    return found


def catalogue(code: str) -> Catalog:
    with i18n._file(code).open("rb") as file:
        return read_po(file, locale=code, abort_invalid=True)


def texts(of: Catalog) -> dict[object, Message]:
    return {(m.context, m.id if isinstance(m.id, str) else m.id[0]): m for m in of if m.id}


def forms(message: Message) -> Iterator[str]:
    yield from [message.string] if isinstance(message.string, str) else message.string


def names(text: str) -> set[str]:
    return {name for _literal, name, _spec, _conversion in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_is_there_and_no_other(source: Catalog, code: str) -> None:
    ours, theirs = texts(source), texts(catalogue(code))
    assert not ours.keys() - theirs.keys(), "run deploy/translations and translate these"
    assert not theirs.keys() - ours.keys(), "run deploy/translations"
    assert [m.id for m in theirs.values() if m.fuzzy or not all(forms(m))] == []
    assert all(isinstance(ours[key].id, str) == isinstance(theirs[key].id, str) for key in ours)


@pytest.mark.parametrize("code", LANGUAGES)
def test_placeholders_are_those_of_the_source(code: str) -> None:
    wrong = []
    for message in texts(catalogue(code)).values():
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        wanted = set().union(*map(names, ids))
        if any(names(form) != wanted for form in forms(message)):
            wrong.append(message.id)
    assert wrong == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_language_has_all_its_plural_forms(code: str) -> None:
    wanted = {"ru": 3, "uk": 3, "sv": 2}[code]
    plurals = [m for m in texts(catalogue(code)).values() if not isinstance(m.id, str)]
    assert plurals
    assert {len(list(forms(m))) for m in plurals} == {wanted}


@pytest.mark.parametrize("code", LANGUAGES)
def test_texts_begin_and_end_as_the_source_does(code: str) -> None:
    """No stray blanks, the same punctuation at the end: a sentence stays a sentence, a label a label."""
    for message in texts(catalogue(code)).values():
        text = message.id if isinstance(message.id, str) else message.id[0]
        for form in forms(message):
            assert form == form.strip(), message.id
            assert (form[-1] in ".?!:") == (text[-1] in ".?!:"), message.id


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_language_can_be_set(code: str) -> None:
    try:
        i18n.set_language(code)
        assert i18n.language() == code
        assert i18n._("Menu") != ""
    finally:
        i18n.set_language("en")
