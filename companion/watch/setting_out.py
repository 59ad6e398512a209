"""What a calibration looks at, and who sets it out: people at a camera, a folder's recorded pictures, a rehearsal.

In: a folder, a simulated table or a camera. Out: a `Scenery`: the camera, a helper that does what people do where there
are none, and what is known of table and lens beforehand.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from calibration import SessionInfo
from calibration.camera_model import LensKind
from calibration.pictures import read_picture
from calibration.session import lens_picture_paths, read_info
from companion.calibrating import GuideState
from hardware.camera import Camera
from hardware.camera.pictures import PicturesCamera
from hardware.simulated.rehearsal import RehearsalCamera, Scene

LOOKS = 3
"""A picture that is not ready by then never will be: only the first look may find it moving."""

_SCENES: dict[str, Scene] = {"swatch": "swatch", "lens": "lens"}
"""What lies on the table in each step, the empty board in all others."""


class Helper(Protocol):
    """Whoever sets out the table."""

    def heed(self, state: GuideState) -> bool:
        """Called before each picture is read; False if what the step wants is not there and never will be."""
        ...


class People:
    """They see what to do themselves."""

    def heed(self, state: GuideState) -> bool:  # noqa: ARG002 - they read the screen
        """There is always hope."""
        return True


class _Impatience:
    """Counts the looks at a picture that is not ready to be taken."""

    def __init__(self) -> None:
        self._looks, self._step = 0, ""

    def over(self, state: GuideState) -> bool:
        """True if this picture will not do for this step."""
        self._looks = 0 if state.sight.ready or state.step != self._step else self._looks + 1
        self._step = state.step
        if self._looks > LOOKS or state.just_refused:
            self._looks = 0
            return True
        return False


class Rehearser:
    """Sets out the simulated table as each step asks, and holds the lens sheet elsewhere when a view is used up."""

    def __init__(self, camera: RehearsalCamera) -> None:
        self._camera = camera
        self._step = ""
        self._impatience = _Impatience()

    def heed(self, state: GuideState) -> bool:
        """Change the scene with the step."""
        used_up = self._impatience.over(state)
        if state.step != self._step or (state.step == "lens" and used_up):
            self._step = state.step
            self._camera.show(_SCENES.get(state.step, "empty"))
        return True


class PageTurner:
    """Turns to the next recorded picture when the one that is shown will not do."""

    def __init__(self, camera: PicturesCamera) -> None:
        self._camera = camera
        self._number = 0
        self._impatience = _Impatience()

    def heed(self, state: GuideState) -> bool:
        """Begin at the first page for a step that lies before the last one. False when there are no more pictures."""
        before, self._number = self._number, state.number
        if state.number < before:
            self._camera.close()
            self._camera.open()
        if self._impatience.over(state):
            if self._camera.at_end:
                return False
            self._camera.advance()
        return True


class Scenery(NamedTuple):
    """A camera with whoever sets out what it sees, and what is known beforehand."""

    camera: Camera
    helper: Helper
    info: SessionInfo


def rehearsal(camera: RehearsalCamera, lens: LensKind = "normal") -> Scenery:
    """The simulated table, set out by itself."""
    return Scenery(camera, Rehearser(camera), SessionInfo(lens=lens))


def recorded(folder: Path, lens: LensKind | None = None) -> Scenery:
    """A folder's frames; of a session's folder its calibration pictures, in the order in which they are asked for.

    Raises CalibrationError if the session's description is wrong.
    """
    info, paths = SessionInfo(), None
    if (folder / "session.json").is_file():
        info = read_info(folder / "session.json")
        empty, swatch = folder / info.calib_board, folder / info.calib_pieces
        if empty.is_file() and swatch.is_file():
            paths = [*lens_picture_paths(folder, info), empty, swatch]
    info = msgspec.structs.replace(info, lens=lens or info.lens)
    camera = PicturesCamera(folder, every_s=math.inf, paths=paths, read_file=read_picture)
    return Scenery(camera, PageTurner(camera), info)
