"""The one table of settings: field, group, name, what it does, control, words of its choices.

In: nothing. Out: `GROUPS` and `DEFINITIONS`, from which the screen is made, and what a field may be (`choices_of`,
`range_of`), which the field's own type says. A setting more is a field of `Preferences` and a line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

import msgspec

from companion.i18n import LANGUAGES, N_, available
from companion.viewmodel.preferences.model import Preferences
from companion.viewmodel.states import Icon


class Group(NamedTuple):
    """An entry of the rail; `name` is marked for the catalogues."""

    id: str
    name: str
    icon: Icon


GROUPS: tuple[Group, ...] = (
    Group("language", N_("Language"), "language"),
    Group("sound", N_("Sound"), "sound"),
    Group("screen", N_("Screen"), "brightness"),
    Group("timing", N_("Timing"), "timer"),
    Group("rules", N_("House rules"), "rules"),
    Group("about", N_("About"), "info"),
    Group("shut_down", N_("Shut down"), "power"),
)
"""The rail, from the top. `rules`, `about` and `shut_down` are more than settings and have rows of their own."""


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    """A setting. Texts are marked for the catalogues.

    `words` names choices that a number does not; `unit` sets a number, `{n} s`. `step` and `icon` are a slider's.
    `needs` is a switch without which this one does nothing. `tried_first`: it lasts only when people say that they
    can still use the screen.
    """

    field: str
    group: str
    name: str
    line: str = ""
    control: Literal["switch", "segments", "slider"]
    words: Mapping[str, str] = MappingProxyType({})
    unit: str = ""
    step: int = 5
    icon: Icon | None = None
    needs: str = ""
    tried_first: bool = False


DEFINITIONS: tuple[Definition, ...] = (
    Definition(
        field="language",
        group="language",
        name=N_("Language"),
        line=N_("Everything is said in it at once."),
        control="segments",
        words=LANGUAGES,
    ),
    Definition(
        field="sound",
        group="sound",
        name=N_("Sounds"),
        line=N_("Short ones. Nothing is told by sound alone."),
        control="switch",
    ),
    Definition(
        field="volume",
        group="sound",
        name=N_("Volume"),
        control="slider",
        unit=N_("{n} %"),
        step=10,
        icon="sound",
        needs="sound",
    ),
    Definition(
        field="brightness",
        group="screen",
        name=N_("Brightness"),
        control="slider",
        unit=N_("{n} %"),
        icon="brightness",
    ),
    Definition(
        field="rotation",
        group="screen",
        name=N_("Which way up"),
        control="segments",
        unit="{n}°",
        tried_first=True,
    ),
    Definition(
        field="less_movement",
        group="screen",
        name=N_("Less movement"),
        line=N_("Nothing glides or fades, and the die shows its result at once."),
        control="switch",
    ),
    Definition(
        field="letters",
        group="screen",
        name=N_("Letters on the marks"),
        line=N_("Large marks bear the letter of their colour, too."),
        control="switch",
    ),
    Definition(
        field="board_right",
        group="screen",
        name=N_("Board at the right"),
        line=N_("The words and buttons come to its left."),
        control="switch",
    ),
    Definition(
        field="dim",
        group="screen",
        name=N_("Dim when nobody plays"),
        line=N_("After 5 minutes without a touch or a move."),
        control="switch",
    ),
    Definition(
        field="tumble",
        group="timing",
        name=N_("Roll of the die"),
        line=N_("How long it tumbles before it shows its face."),
        control="segments",
        words={"short": N_("Short"), "usual": N_("Usual"), "long": N_("Long")},
    ),
    Definition(
        field="toast_s",
        group="timing",
        name=N_("Messages"),
        line=N_("How long a line stays at the foot of the screen."),
        control="segments",
        unit=N_("{n} s"),
    ),
    Definition(
        field="answer_s",
        group="timing",
        name=N_("Time to defend"),
        line=N_("Everybody who is asked has it to the end, whatever they hold."),
        control="segments",
        unit=N_("{n} s"),
    ),
)
"""In the order of the rows."""

Value = bool | int | str


def definition(field: str) -> Definition | None:
    """The definition of a field; None if it is none."""
    return next((d for d in DEFINITIONS if d.field == field), None)


def choices_of(field: str) -> tuple[Value, ...]:
    """What a field with segments may be, in order: its `Literal`, or the languages that there are."""
    if field == "language":
        return available()
    return get_args(_type_of(field))


def range_of(field: str) -> tuple[int, int]:
    """The least and the most that a field with a slider may be."""
    meta = next(part for part in get_args(_type_of(field)) if isinstance(part, msgspec.Meta))
    assert isinstance(meta.ge, int), f"{field} has a least value"
    assert isinstance(meta.le, int), f"{field} has a most value"
    return meta.ge, meta.le


def _type_of(field: str) -> Any:
    return get_type_hints(Preferences, include_extras=True)[field]
