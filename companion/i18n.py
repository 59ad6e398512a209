"""Text in the people's language: gettext catalogues, plural forms, lists and dates as the language writes them.

In: English source strings, whole sentences with named placeholders. Out: the same sentences in the language last set;
callers fill the placeholders (`_("{name} begins").format(name=name)`). Catalogues lie in `locales/` beside this file,
as people write them; `deploy/translations` keeps them up to date, English needs none. Tables of text are marked with
`N_` where they stand and translated with `_` where they are used.
"""

from __future__ import annotations

import datetime as dt
import functools
import gettext as _gettext
import io
from collections.abc import Iterable
from pathlib import Path
from types import MappingProxyType

from babel.dates import format_date, format_time
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

DOMAIN = "companion"
LOCALES = Path(__file__).parent / "locales"
SOURCE_LANGUAGE = "en"
_REGION = MappingProxyType({"en": "en_GB"})
"""Where lists and dates follow a region's habit rather than the language's default."""

LANGUAGES = MappingProxyType({"en": "English", "ru": "Русский", "uk": "Українська", "sv": "Svenska"})
"""The languages that the product speaks, each by its own name."""


class LanguageError(ValueError):
    """There is no catalogue for that language; the text names those there are."""


class _Current:
    """The language in force; the one piece of state of this module."""

    code: str = SOURCE_LANGUAGE
    catalogue: _gettext.NullTranslations = _gettext.NullTranslations()


def available() -> tuple[str, ...]:
    """Codes of the languages whose catalogue is installed, English always."""
    return tuple(code for code in LANGUAGES if code == SOURCE_LANGUAGE or _file(code).is_file())


def set_language(code: str) -> None:
    """Everything said from now on is in that language (`en`, `ru`...). Raises LanguageError; nothing changes then."""
    if code not in available():
        raise LanguageError(f"There is no catalogue for {code!r}. There is: {', '.join(available())}.")
    _Current.catalogue = _gettext.NullTranslations() if code == SOURCE_LANGUAGE else _read(_file(code), code)
    _Current.code = code


def _file(code: str) -> Path:
    return LOCALES / code / "LC_MESSAGES" / f"{DOMAIN}.po"


@functools.cache
def _read(file: Path, code: str) -> _gettext.GNUTranslations:
    """The catalogue, compiled in memory: what people have written is what is said, with no step between to forget."""
    compiled = io.BytesIO()
    with file.open("rb") as written:
        write_mo(compiled, read_po(written, locale=code, abort_invalid=True))
    compiled.seek(0)
    return _gettext.GNUTranslations(compiled)


def language() -> str:
    """The code of the language in force."""
    return _Current.code


def _(message: str) -> str:
    """The sentence in the language in force."""
    return _Current.catalogue.gettext(message)


def ngettext(singular: str, plural: str, n: int) -> str:
    """The form for `n` things; the number is filled in by the caller like any other placeholder."""
    return _Current.catalogue.ngettext(singular, plural, n)


def pgettext(context: str, message: str) -> str:
    """The sentence where one English text needs several translations, told apart by `context`."""
    return _Current.catalogue.pgettext(context, message)


def N_(message: str) -> str:  # noqa: N802 - the customary name of gettext's marker
    """Mark a text in a table for the catalogues; it is translated by `_` where it is used."""
    return message


def NN_(singular: str, plural: str) -> tuple[str, str]:  # noqa: N802 - as `N_`, with two forms
    """Mark a text with a plural in a table; it is translated by `ngettext(*pair, n)` where it is used."""
    return singular, plural


def _locale() -> str:
    return _REGION.get(_Current.code, _Current.code)


def listed(items: Iterable[str]) -> str:
    """`Ann, Bo and Olena` in the language in force."""
    return format_list(list(items), locale=_locale())


def decimal(value: float, digits: int) -> str:
    """`0.25` with so many digits after the point, or the comma."""
    return format_decimal(round(value, digits), format="0." + "0" * digits, locale=_locale())


def short_date(when: dt.datetime) -> str:
    """`20 Nov` as the language writes it."""
    return format_date(when, "d MMM", locale=_locale())


def long_date(when: dt.datetime) -> str:
    """`20 November` as the language writes it."""
    return format_date(when, "d MMMM", locale=_locale())


def short_time(when: dt.datetime) -> str:
    """`20:10`."""
    return format_time(when, "HH:mm", locale=_locale())
