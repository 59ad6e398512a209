"""The household's settings and where the companion keeps its files.

In: `settings.toml` in the user's configuration folder. Out: `Settings`, immutable. Written atomically: a power
plug pulled while saving leaves the old file or the new one, never half of one.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec
import platformdirs
import tomli_w

from calibration.atomic import write_atomically
from companion.faults import Fault
from companion.i18n import N_
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.preferences.model import Preferences

APP = "atlantis-companion"


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


def load_settings(path: Path) -> Settings:
    """Read the file; a missing one gives the defaults. Raises SettingsError naming the file and the field."""
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
        raise SettingsError(
            "The settings in {path} cannot be read ({why}): mend the file or delete it.", path=path, why=e
        ) from e
    try:
        return msgspec.convert(data, Settings)
    except msgspec.ValidationError as e:
        raise SettingsError(
            "The settings in {path} are wrong ({why}): mend the file or delete it.", path=path, why=e
        ) from e


def save_settings(path: Path, settings: Settings) -> None:
    """Write the file atomically. Raises SettingsError; the old file is untouched then."""
    text = tomli_w.dumps(msgspec.to_builtins(settings))
    try:
        write_atomically(path, text.encode())
    except OSError as e:
        raise SettingsError(
            N_("The settings could not be saved in {path} ({why}): the old ones hold."), path=path, why=e.strerror
        ) from e
