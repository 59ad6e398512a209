"""What the watching process and the program say to each other over their pipe: one MessagePack value a message."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.vision.observation import Observation

CameraName = Literal["picamera2", "v4l2", "pictures", "simulated"]


class WatchPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Which camera to watch the table with, and by which calibration.

    `folder` holds the pictures of camera `pictures`, each shown for `every_s` seconds (None: until the next is asked
    for); without a `calibration` file that folder's own calibration pictures are used. The simulated table calibrates
    itself at the start; `seed` and `style` say which table it is.
    """

    camera: CameraName
    calibration: str | None = None
    folder: str | None = None
    every_s: float | None = None
    seed: int = 1
    style: str = "pine"


class _Message(msgspec.Struct, frozen=True, tag_field="message", kw_only=True):
    pass


class Ready(_Message, frozen=True, kw_only=True, tag="ready"):
    """The camera is open and the calibration is in use; `line` tells people what is watched, and how well."""

    line: str


class Seen(_Message, frozen=True, kw_only=True, tag="seen"):
    """One frame's evidence; `picture` names its file where the camera is a folder."""

    observation: Observation
    picture: str = ""


class Trouble(_Message, frozen=True, kw_only=True, tag="trouble"):
    """Something is wrong, in a sentence. `final`: trying again will not help, the process has ended."""

    text: str
    final: bool


FromWatcher = Ready | Seen | Trouble


class Lay(_Message, frozen=True, kw_only=True, tag="lay"):
    """The simulated table only: this layout (a JSON object of the layout protocol) stands on it from now on."""

    layout: dict[str, Any]


class NextPicture(_Message, frozen=True, kw_only=True, tag="next_picture"):
    """The folder of pictures only: go on to the next one."""


class Quit(_Message, frozen=True, kw_only=True, tag="quit"):
    """Close the camera and end."""


ToWatcher = Lay | NextPicture | Quit

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
