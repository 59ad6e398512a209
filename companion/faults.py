"""What goes wrong is said twice: in English on the command line, in the people's language on the screen.

In: a sentence, marked for the catalogues where it stands, and what fills its placeholders. Out: `str` of it in English,
`told` in the language in force. The errors of `hardware`, which knows nothing of languages, have the same two fields.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.i18n import _


class Said(NamedTuple):
    """A sentence and what fills its placeholders."""

    sentence: str
    about: dict[str, object] = {}  # noqa: RUF012 - never changed

    def __str__(self) -> str:
        return filled(self.sentence, self.about)


class Words(tuple[Said | str, ...]):
    """What fills a placeholder with names, one after another: a `Said` is translated, a str is not."""

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(map(str, self))


class Fault(Exception):  # noqa: N818 - those made of it are called errors
    """An error whose text is for people; `sentence` is marked `N_`, `about` fills its placeholders."""

    def __init__(self, sentence: str, /, **about: object) -> None:
        super().__init__(filled(sentence, about))
        self.sentence, self.about = sentence, about


def told(error: object) -> str:
    """What an error or a `Said` says, in the language in force; an error that is neither as it is."""
    if isinstance(error, Words):
        return ", ".join(map(told, error))
    sentence: str | None = getattr(error, "sentence", None)
    if sentence is None:
        return str(error)
    about = getattr(error, "about", {})
    return filled(_(sentence), {name: told(part) if isinstance(part, Words) else part for name, part in about.items()})


def filled(sentence: str, about: dict[str, object]) -> str:
    """The sentence with its placeholders filled; one without any is left as it is, braces and all."""
    return sentence.format(**about) if about else sentence
