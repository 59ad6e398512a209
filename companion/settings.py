"""The household's settings and where the companion keeps its files.

In: `settings.toml` in the user's configuration folder. Out: `Settings`, immutable. Written atomically: a power
plug pulled while saving leaves the old file or the new one, never half of one.

People write in this file too. What it says that this version does not know, in its tables too, is left alone and stays
in it. A value that cannot be, or a file that cannot be read, is an error on the command line (`load_settings`), where
somebody can mend it; the screen starts all the same (`mend_settings`): what is good holds, and the bad file is set
aside.
"""

from __future__ import annotations

import contextlib
import logging
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import msgspec
import msgspec.inspect
import platformdirs
import tomli_w

from calibration.atomic import write_atomically
from companion.faults import Fault, Said, Words
from companion.i18n import N_, available
from companion.set_aside import free_name
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.preferences.definitions import definition
from companion.viewmodel.preferences.model import Preferences

APP = "atlantis-companion"

log = logging.getLogger(__name__)


class SettingsError(Fault):
    """The settings file cannot be read or written."""


class Settings(Preferences, frozen=True, forbid_unknown_fields=True):
    """What the household has chosen: the `Preferences` of the settings screen, and what only this file says.

    A field left out of the file has the value given here. `camera`, `panel` and `speaker` are a driver's name, or
    `auto`: the one that is there. `mains_hz`: how fast the lamps flicker, half of it.
    """

    fullscreen: bool = False
    camera: Literal["auto", "picamera2", "v4l2", "simulated"] = "auto"
    mains_hz: Literal[50, 60] = 50
    panel: Literal["auto", "gpio", "keyboard", "none"] = "auto"
    speaker: Literal["auto", "aplay", "buzzer", "none"] = "auto"
    last_table: NewGameDefaults = NewGameDefaults()

    @property
    def preferences(self) -> Preferences:
        """What the settings screen shows of it."""
        return Preferences(**{field: getattr(self, field) for field in Preferences.__struct_fields__})


class Folders(msgspec.Struct, frozen=True):
    """Where the companion keeps its files. `ATLANTIS_HOME` puts both folders under one of your choice."""

    config: Path
    data: Path

    @property
    def settings(self) -> Path:
        """The settings file."""
        return self.config / "settings.toml"

    @property
    def journal(self) -> Path:
        """All games played."""
        return self.data / "games.sqlite"

    @property
    def calibration(self) -> Path:
        """The calibration of this household's camera and table."""
        return self.data / "calibration.json"


def folders() -> Folders:
    """The user's folders for this program, or those under `ATLANTIS_HOME`. Nothing is created."""
    if home := os.environ.get("ATLANTIS_HOME"):
        return Folders(config=Path(home), data=Path(home))
    return Folders(
        config=platformdirs.user_config_path(APP, appauthor=False),
        data=platformdirs.user_data_path(APP, appauthor=False),
    )


class Reading(NamedTuple):
    """What a settings file says. `settings` has the default wherever the file has nothing good.

    `fault`: what is wrong with the file, if anything; `bad`: the fields whose value cannot be, none if it cannot be
    read at all; `unknown`: what it says besides, for another version, `last_table.options.new_rule`; `said`: all that
    it says but what is bad.
    """

    settings: Settings = Settings()
    fault: SettingsError | None = None
    bad: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    said: Mapping[str, Any] = MappingProxyType({})

    @property
    def whole(self) -> dict[str, Any]:
        """The file as it would be with every setting written out: defaults, and over them what it says."""
        return _laid_over(msgspec.to_builtins(Settings()), self.said)


def read_settings(path: Path) -> Reading:
    """Read the file as far as it is good; a missing one gives the defaults."""
    path = _in_force(path)
    try:
        said: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Reading()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
        sentence = N_("The settings in {path} cannot be read ({why}): mend the file or delete it.")
        return Reading(fault=SettingsError(sentence, path=path, why=e))
    known, unknown = _known(said, _SETTINGS)
    good: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for field in Settings.__struct_fields__:
        try:
            if field in known:
                good[field] = _value(field, known[field])
        except msgspec.ValidationError as e:
            wrong[field] = str(e)
    fault = None
    if wrong:
        sentence = N_("The settings in {path} are wrong ({why}): mend the file or delete it.")
        fault = SettingsError(sentence, path=path, why="; ".join(wrong.values()))
    said = {key: value for key, value in said.items() if key not in wrong}
    return Reading(Settings(**good), fault, tuple(wrong), tuple(dict.fromkeys(unknown)), said)


_SETTINGS = msgspec.inspect.type_info(Settings)


def _known(said: Any, kind: msgspec.inspect.Type, where: str = "") -> tuple[Any, list[str]]:
    """As much of it as this version knows, and the names of the rest; a table may lie in a table, or in a list."""
    unknown: list[str] = []
    known = said
    match said, kind:
        case dict(), msgspec.inspect.StructType(fields=fields):
            kinds = {field.encode_name: field.type for field in fields}
            known = {}
            for key, value in said.items():
                if key not in kinds:
                    unknown.append(f"{where}{key}")
                    continue
                known[key], more = _known(value, kinds[key], f"{where}{key}.")
                unknown += more
        case list(), msgspec.inspect.VarTupleType(item_type=item):
            known = []
            for one in said:
                part, more = _known(one, item, where)
                known.append(part)
                unknown += more
    return known, unknown


def _value(field: str, said: object) -> Any:
    """What that field becomes. Raises msgspec.ValidationError if it cannot be that."""
    value = getattr(msgspec.convert({field: said}, Settings), field)
    if field == "language" and value not in available():
        codes = ", ".join(available())
        raise msgspec.ValidationError(f"Invalid language {value!r}, not one of {codes} - at `$.language`")
    if isinstance(value, NewGameDefaults) and not 0 <= value.begins < len(value.players):
        raise msgspec.ValidationError("There is no such player - at `$.last_table.begins`")
    return value


def load_settings(path: Path) -> Settings:
    """Read the file; a missing one gives the defaults. Raises SettingsError naming the file and the field."""
    reading = read_settings(path)
    if reading.fault is not None:
        raise reading.fault
    _tell_unknown(path, reading)
    return reading.settings


def mend_settings(path: Path) -> tuple[Settings, Fault | None]:
    """Read the file; a bad one is set aside unchanged under another name, and what is good of it takes its place.

    Out: the settings to start with, in any case, and what people are to be told if something was wrong. A plug pulled
    in between is harmless: what is good is written whole first, then the files change places, and what was cut short
    is finished at the next start.
    """
    fresh = _mended(path)
    with contextlib.suppress(OSError):
        if path.exists():
            fresh.unlink(missing_ok=True)  # cut short before it counted
        elif fresh.exists():
            fresh.replace(path)
    reading = read_settings(path)
    _tell_unknown(path, reading)
    if reading.fault is None:
        return reading.settings, None
    log.warning("%s", reading.fault)
    names = Words(map(_label, reading.bad))
    aside = free_name(path)
    try:
        _write(fresh, reading.whole)
        path.rename(aside)
    except (OSError, SettingsError):
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
        return reading.settings, Fault(_MENDED[bool(reading.bad), False], file=path, names=names)
    with contextlib.suppress(OSError):  # else it is in force where it lies, and the next start tries again
        fresh.replace(path)
    return reading.settings, Fault(_MENDED[bool(reading.bad), True], file=aside.name, names=names)


def _mended(path: Path) -> Path:
    return path.with_name(f"{path.name}.mended")


def _in_force(path: Path) -> Path:
    """The file that holds: where a mending was cut short what came of it."""
    return _mended(path) if _mended(path).exists() and not path.exists() else path


def _label(field: str) -> Said | str:
    """What people know it by: its name on the settings screen; what only the file says as it stands there."""
    if field == "last_table":
        return Said(N_("Players and house rules"))
    shown = definition(field)
    return field if shown is None else Said(shown.name)


_MENDED = {
    (False, True): N_(
        "The settings could not be read: all of them are again as they were at first."
        " The old file is kept as {file}, as it was."
    ),
    (True, True): N_(
        "Settings with a value that cannot be: {names}. These are again as they were at first, the others hold."
        " The old file is kept as {file}, as it was."
    ),
    (False, False): N_(
        "The settings could not be read: all of them are again as they were at first."
        " {file} could not be set aside, so what you choose now does not last: mend the file or delete it."
    ),
    (True, False): N_(
        "Settings with a value that cannot be: {names}. These are again as they were at first, the others hold."
        " {file} could not be set aside, so what you choose now does not last: mend the file or delete it."
    ),
}
"""What is said: whether the file could be read, whether it could be set aside."""


def _tell_unknown(path: Path, reading: Reading) -> None:
    if reading.unknown:
        log.warning("%s says what this version does not know; it is left alone: %s", path, ", ".join(reading.unknown))


def keep_setting(path: Path, field: str, value: object) -> None:
    """Write one choice down; all else in the file stays. Raises SettingsError, and the file is untouched then.

    A bad file is left to whoever mends it: nothing that is good in it may be lost.
    """
    reading = read_settings(path)
    if reading.fault is not None:
        raise reading.fault
    _write(_in_force(path), _laid_over(reading.whole, {field: msgspec.to_builtins(value)}))


def _laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Both; where both say something the upper one's, but tables are laid over each other too."""
    both = {**below, **above}
    for key in below.keys() & above.keys():
        if isinstance(below[key], Mapping) and isinstance(above[key], Mapping):
            both[key] = _laid_over(below[key], above[key])
    return both


def _write(path: Path, what: Mapping[str, Any]) -> None:
    try:
        write_atomically(path, tomli_w.dumps(what).encode())
    except OSError as e:
        raise SettingsError(
            N_("The settings could not be saved in {path} ({why}): the old ones hold."), path=path, why=e.strerror
        ) from e
