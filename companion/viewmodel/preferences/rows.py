"""The rows of each group: settings from the table, the house rules, what there is to know about the companion.

In: what the household has chosen. Out: rows for the screen; what cannot be changed now is greyed.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.i18n import _
from companion.rules.options import Options
from companion.table.summary import GameSummary
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.home import camera_line
from companion.viewmodel.new_game import rules
from companion.viewmodel.preferences.definitions import DEFINITIONS, Definition, Value, choices_of, range_of
from companion.viewmodel.preferences.model import Preferences
from companion.viewmodel.presenter import Shell
from companion.viewmodel.states import Button, InfoRow, SegmentRow, SliderRow, SwitchRow
from companion.viewmodel.table_link import Off

SettingRow = SwitchRow | SegmentRow | SliderRow | InfoRow


def setting_rows(group: str, preferences: Preferences) -> tuple[SettingRow, ...]:
    """The settings of a group as they are."""
    return tuple(_row(d, preferences) for d in DEFINITIONS if d.group == group)


def works(d: Definition, preferences: Preferences) -> bool:
    """Whether a setting does something as the others are."""
    return not d.needs or bool(getattr(preferences, d.needs))


def choice_id(field: str, value: Value) -> str:
    """The id of one segment."""
    return f"{field}:{value}"


def _row(d: Definition, preferences: Preferences) -> SettingRow:
    value = getattr(preferences, d.field)
    line = _(d.line) if d.line else ""
    enabled = works(d, preferences)
    match d.control:
        case "switch":
            return SwitchRow(id=d.field, title=_(d.name), line=line, on=value, enabled=enabled)
        case "segments":
            return SegmentRow(
                title=_(d.name),
                line=line,
                segments=tuple(
                    Button(id=choice_id(d.field, choice), text=_words(d, choice), enabled=enabled)
                    for choice in choices_of(d.field)
                ),
                chosen=choice_id(d.field, value),
            )
        case "slider":
            least, most = range_of(d.field)
            return SliderRow(
                id=d.field,
                title=_(d.name),
                line=line,
                value=value,
                least=least,
                most=most,
                step=d.step,
                figure=_words(d, value),
                icon=d.icon,
                enabled=enabled,
            )


def _words(d: Definition, value: Value) -> str:
    """A language has its own name in every language: no catalogue translates it."""
    return _(d.words[str(value)]) if d.words else _(d.unit).format(n=value)


def rule_rows(table: NewGameDefaults, open_game: GameSummary | None) -> tuple[SettingRow, ...]:
    """What a new game starts with; while a game is open its own rules, which stay as they are."""
    if open_game is None:
        return rules.show(table, has_table=True).rows
    options = msgspec.convert(open_game.options, Options)
    return tuple(_locked(row) for row in rules.show(replace(table, options=options), has_table=True).rows)


def _locked(row: SwitchRow | SegmentRow) -> SwitchRow | SegmentRow:
    if isinstance(row, SwitchRow):
        return replace(row, enabled=False)
    return replace(row, segments=tuple(replace(segment, enabled=False) for segment in row.segments))


def about_rows(shell: Shell) -> tuple[SettingRow, ...]:
    """What it is, whose type it is set in, where things lie, how it is."""
    machine = shell.machine
    rows = [
        InfoRow(
            title=_("Atlantis table companion"),
            line=_("It follows the printed game on your table: it remembers, rolls the die and keeps secrets."),
        ),
        InfoRow(title=_("Typefaces"), line=_("Vollkorn and Lato, under the SIL Open Font License 1.1")),
        InfoRow(title=_("Camera"), line=camera_line(shell.table.status if shell.table else Off()).text),
    ]
    if machine is None:
        return tuple(rows)
    games, settings = machine.folders
    rows.insert(1, InfoRow(title=_("Version"), line=machine.version))
    rows.append(InfoRow(title=_("Games"), line=games))
    rows.append(InfoRow(title=_("Settings"), line=settings))
    if machine.free_mb is not None:
        rows.append(InfoRow(title=_("Free on the disk"), line=_size(machine.free_mb)))
    return tuple(rows)


def _size(megabytes: int) -> str:
    if megabytes >= 10_000:
        return _("{n} GB").format(n=megabytes // 1000)
    return _("{n} MB").format(n=megabytes)
