"""What people may choose on the settings screen, as one value; kept by whoever keeps settings.

The types say all that is allowed: `Literal` the choices, `Meta` the range. The screen (`definitions`) and the reader of
the settings file hold to them alike.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

LEAST_BRIGHTNESS = 15
"""In percent: what can just be read. No setting and no rest makes the screen darker."""

Rotation = Literal[0, 90, 180, 270]
Tumble = Literal["short", "usual", "long"]


class Preferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that has a row on the screen. Brightness and volume are percents, what ends in `_s` seconds."""

    language: str = "en"
    sound: bool = True
    volume: Annotated[int, msgspec.Meta(ge=10, le=100)] = 70
    brightness: Annotated[int, msgspec.Meta(ge=LEAST_BRIGHTNESS, le=100)] = 100
    rotation: Rotation = 0
    less_movement: bool = False
    letters: bool = False
    board_right: bool = False
    dim: bool = True
    tumble: Tumble = "usual"
    toast_s: Literal[4, 7, 10] = 4
    answer_s: Literal[12, 18, 24, 30] = 12
