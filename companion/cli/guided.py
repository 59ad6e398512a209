"""A guided calibration from a live camera: pictures go to the guide, what it says goes to a face.

In: a `Guide`, a camera, a helper (`companion.watch.setting_out`), a face. Out: the calibration.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from calibration import Calibration
from companion.calibrating import Guide, GuideState, words
from companion.i18n import _
from companion.watch.setting_out import Helper
from hardware.camera import Camera, CameraError, Frame

READ_TIMEOUT_S = 5.0
FAULTS = 5
"""So many pictures in a row may fail to come before it is given up."""

PATIENCE_S = 120.0
"""So long nothing may be ready to be taken where nobody is at the keyboard."""

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

    `by_key`: a picture is taken when somebody says so, else as soon as it is ready and nobody has to judge it; where
    nobody is at the keyboard it is always the latter. Raises GuideError, CameraError, CalibrationError.
    """
    by_key = by_key and face.attended
    since, refused = clock(), 0
    while True:
        step = guide.state.step
        if step != "result":
            if not helper.heed(guide.state):
                raise GuideError(f"{camera.name}: {in_the_way(guide.state)}")
            guide.see(_read(camera).image)
        face.show(guide.state, by_key)
        key = face.key()
        _obey(guide, key, take=not by_key and (guide.state.sight.sure or not face.attended))
        state = guide.state
        if state.done:
            assert guide.result is not None
            return guide.result
        if key or state.step != step or state.sight.ready:
            since = clock()
        refused = refused + state.just_refused if state.step == step else 0
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
