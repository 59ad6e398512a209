"""What the watching process and the program say to each other over their pipe: one MessagePack value a message."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.i18n import N_
from companion.rules.geometry import Hex
from companion.viewmodel.calibration_link import Card, Guided, GuideStep
from companion.viewmodel.cutout import Cutout
from companion.vision.observation import Observation

CameraName = Literal["auto", "picamera2", "v4l2", "pictures", "simulated"]


CANNOT_RUN = N_("The camera program cannot run ({why}).")
"""Whether it was never started, or ended for something that is no fault of camera or calibration: a full disk."""


def reason_of(error: OSError) -> str:
    """What fills that sentence."""
    return error.strerror or str(error)


class WatchPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Which camera to watch the table with, and by which calibration.

    Camera `auto` is the first that is there; where there is none yet it is waited for. The `calibration` file of a
    camera over the table need not be there yet: a calibration is kept in it. `mains_hz` is what the lamps over a real
    table are on. `folder` holds the pictures of camera `pictures`, each shown for `every_s` seconds (None: until the
    next is asked for); without a `calibration` file that folder's own calibration pictures are used. The simulated
    table calibrates itself at the start; `seed` and `style` say which table it is. Of these two nothing is kept.
    """

    camera: CameraName
    calibration: str | None = None
    folder: str | None = None
    every_s: float | None = None
    mains_hz: int = 50
    seed: int = 1
    style: str = "pine"


class _Message(msgspec.Struct, frozen=True, tag_field="message", kw_only=True):
    pass


class Ready(_Message, frozen=True, kw_only=True, tag="ready"):
    """The camera is open and the calibration is in use; `line` tells people what is watched, and how well."""

    line: str


class Seen(_Message, frozen=True, kw_only=True, tag="seen"):
    """One frame's evidence; `still`: it is the same as in the frame before, which alone was read."""

    observation: Observation
    still: bool = False


class Same(_Message, frozen=True, kw_only=True, tag="same"):
    """A frame that shows what the last one that was seen showed, and was not read."""

    frame: int
    time: float


class Uncalibrated(_Message, frozen=True, kw_only=True, tag="uncalibrated"):
    """The camera is there and nothing can be read by it: why, in a sentence. Said again and again until calibrated.

    `about` fills its placeholders.
    """

    text: str
    about: dict[str, float | str] = {}


class Calibrating(_Message, frozen=True, kw_only=True, tag="calibrating"):
    """Where a calibration stands, with the live picture (JPEG) that it was read from; an empty one is the last one."""

    guided: Guided
    picture: bytes = b""


class Shown(_Message, frozen=True, kw_only=True, tag="shown"):
    """What was asked for by a `Show` of these hexes."""

    hexes: tuple[Hex, ...]
    cutout: Cutout


class Trouble(_Message, frozen=True, kw_only=True, tag="trouble"):
    """Something is wrong, in a sentence; `about` fills its placeholders.

    `final`: trying again will not help. The process may have ended.
    """

    text: str
    final: bool
    about: dict[str, float | str] = {}


FromWatcher = Ready | Seen | Same | Uncalibrated | Calibrating | Shown | Trouble


class Lay(_Message, frozen=True, kw_only=True, tag="lay"):
    """The simulated table only: this layout (a JSON object of the layout protocol) stands on it from now on."""

    layout: dict[str, Any]


class NextPicture(_Message, frozen=True, kw_only=True, tag="next_picture"):
    """The folder of pictures only: go on to the next one."""


class Show(_Message, frozen=True, kw_only=True, tag="show"):
    """Cut these hexes out of the picture that was read last, or is next if none was; without hexes the whole board."""

    hexes: tuple[Hex, ...]


class BeginCalibrating(_Message, frozen=True, kw_only=True, tag="begin_calibrating"):
    """Stop watching and guide people through a calibration, in that language; harmless while one goes on."""

    language: str


class TakePicture(_Message, frozen=True, kw_only=True, tag="take_picture"):
    """The last picture shows what the step asks for; in the last step: keep the result."""


class SkipStep(_Message, frozen=True, kw_only=True, tag="skip_step"):
    """Leave the lens out."""


class GoToStep(_Message, frozen=True, kw_only=True, tag="go_to_step"):
    """To a step that has been taken, or the next one."""

    step: GuideStep


class BeginAnew(_Message, frozen=True, kw_only=True, tag="begin_anew"):
    """Begin the present step anew."""


class PutCorner(_Message, frozen=True, kw_only=True, tag="put_corner"):
    """The board's corner at that card lies there, px of the camera's picture."""

    card: Card
    x: float
    y: float


class EndCalibrating(_Message, frozen=True, kw_only=True, tag="end_calibrating"):
    """Watch again, by what was in use before."""


Steering = TakePicture | SkipStep | GoToStep | BeginAnew | PutCorner
"""What people say while they calibrate."""


class Quit(_Message, frozen=True, kw_only=True, tag="quit"):
    """Close the camera and end."""


ToWatcher = Lay | NextPicture | Show | BeginCalibrating | Steering | EndCalibrating | Quit

_from_watcher: msgspec.msgpack.Decoder[FromWatcher] = msgspec.msgpack.Decoder(FromWatcher)
_to_watcher: msgspec.msgpack.Decoder[ToWatcher] = msgspec.msgpack.Decoder(ToWatcher)


def encode(message: FromWatcher | ToWatcher) -> bytes:
    """As MessagePack."""
    return msgspec.msgpack.encode(message)


def decode_from_watcher(data: bytes) -> FromWatcher:
    """What the watching process has sent."""
    return _from_watcher.decode(data)


def decode_to_watcher(data: bytes) -> ToWatcher:
    """What the program has sent."""
    return _to_watcher.decode(data)
