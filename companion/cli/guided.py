"""A guided calibration from a live camera: pictures go to the guide, what it says goes to a face.

In: a `Guide`, a camera, a helper, a face. Out: the calibration. The helper does what people at the table do, where
there are none: it sets out the simulated table, or turns to the next recorded picture.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from calibration import Calibration
from companion.calibrating import Guide, GuideState, words
from companion.i18n import _
from hardware.camera import Camera, CameraError, Frame
from hardware.camera.pictures import PicturesCamera
from hardware.simulated.rehearsal import RehearsalCamera, Scene

READ_TIMEOUT_S = 5.0
FAULTS = 5
"""So many pictures in a row may fail to come before it is given up."""

PATIENCE_S = 120.0
"""So long nothing may be ready to be taken where nobody is at the keyboard."""

LOOKS = 3
"""A picture that is not ready by then never will be: only the first look may find it moving."""

_SCENES: dict[str, Scene] = {"swatch": "swatch", "lens": "lens"}
"""What lies on the table in each step, the empty board in all others."""

REFUSALS = 3
"""So many pictures may be taken and found wanting before it is given up, where nobody is at the keyboard."""


class GuideError(Exception):
    """The calibration has not come to its end; the text says what was in the way."""


class Face(Protocol):
    """Where the guide's state is shown, and where people answer."""

    attended: bool
    """Somebody is there who sees it and can press a key."""

    def show(self, state: GuideState, by_key: bool) -> None:
        """Show where it stands; `by_key`: nothing is taken before a key is pressed."""

    def key(self) -> str:
        """The key pressed since the last call: `take`, `back`, `skip`, `quit` or nothing."""
        ...


class SilentFace:
    """Nobody is there."""

    attended = False

    def show(self, state: GuideState, by_key: bool) -> None:
        """Silence."""

    def key(self) -> str:
        """None."""
        return ""


class Helper(Protocol):
    """Whoever sets out the table."""

    def heed(self, state: GuideState) -> None:
        """Called before each picture is read. Raises GuideError if there is nothing more to show."""


class People:
    """They see what to do themselves."""

    def heed(self, state: GuideState) -> None:
        """Nothing."""


class _Impatience:
    """Counts the looks at a picture that is not ready to be taken."""

    def __init__(self) -> None:
        self._looks, self._step = 0, ""

    def over(self, state: GuideState) -> bool:
        """True if this picture will not do for this step."""
        self._looks = 0 if state.sight.ready or state.step != self._step else self._looks + 1
        self._step = state.step
        if self._looks > LOOKS or state.refusal:
            self._looks = 0
            return True
        return False


class Rehearser:
    """Sets out the simulated table as each step asks, and holds the lens sheet elsewhere when a view is used up."""

    def __init__(self, camera: RehearsalCamera) -> None:
        self._camera = camera
        self._step = ""
        self._impatience = _Impatience()

    def heed(self, state: GuideState) -> None:
        """Change the scene with the step."""
        used_up = self._impatience.over(state)
        if state.step != self._step or (state.step == "lens" and used_up):
            self._step = state.step
            self._camera.show(_SCENES.get(state.step, "empty"))


class PageTurner:
    """Turns to the next recorded picture when the one that is shown will not do."""

    def __init__(self, camera: PicturesCamera) -> None:
        self._camera = camera
        self._impatience = _Impatience()

    def heed(self, state: GuideState) -> None:
        """Raises GuideError with what is in the way when there are no more pictures."""
        if self._impatience.over(state):
            if self._camera.at_end:
                raise GuideError(f"{self._camera.folder}: {in_the_way(state)}")
            self._camera.advance()


def conduct(
    guide: Guide,
    camera: Camera,
    helper: Helper,
    face: Face,
    *,
    by_key: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Calibration:
    """Go through the steps; returns the calibration when it has been accepted.

    `by_key`: a picture is taken when somebody says so, else as soon as it is ready; where nobody is at the keyboard
    it is always the latter. Raises GuideError, CameraError, CalibrationError.
    """
    by_key = by_key and face.attended
    since, refused = clock(), 0
    while True:
        step = guide.state.step
        if step != "result":
            helper.heed(guide.state)
            guide.see(_read(camera).image)
        face.show(guide.state, by_key)
        key = face.key()
        _obey(guide, key, take=not by_key and (guide.state.sight.ready or not face.attended))
        state = guide.state
        if state.done:
            assert guide.result is not None
            return guide.result
        if key or state.step != step or state.sight.ready:
            since = clock()
        refused = refused + bool(state.refusal) if state.step == step else 0
        if not face.attended:
            if state.step == step == "result":
                raise GuideError(_poor(state))
            if clock() - since > PATIENCE_S or refused > REFUSALS:
                raise GuideError(in_the_way(state))


def in_the_way(state: GuideState) -> str:
    """One sentence on what the step still lacks."""
    if state.refusal:
        return state.refusal
    return state.sight.advice[0] if state.sight.advice else state.task


def _obey(guide: Guide, key: str, *, take: bool) -> None:
    """Do what the key says; without one, take the picture if that is to be."""
    if key == "quit":
        raise GuideError(_("Nothing was changed: the calibration was broken off."))
    if key == "back":
        guide.back()
    elif key == "skip":
        guide.skip()
    elif key == "take" or take:
        guide.take()


def _poor(state: GuideState) -> str:
    assert state.assessment is not None
    found = words.advice(state.assessment)
    return _("The calibration is poor and was not kept. {advice}").format(advice=found[0] if found else "")


def _read(camera: Camera) -> Frame:
    """The next picture; one that fails to come is tried again. Raises CameraError."""
    for left in range(FAULTS - 1, -1, -1):
        try:
            return camera.read(READ_TIMEOUT_S)
        except CameraError as fault:
            if fault.final or not left:
                raise
    raise AssertionError
