"""The guided calibration: a sequence of steps, moved on by pictures and by people.

In: live pictures (`see`) and what people say (`take`, `skip`, `back`). Out: a `GuideState` after each, and in the end a
`Calibration`. No I/O, no clock, no threads: a terminal and a touchscreen drive the same model. `take` may work for a
second or two.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from calibration import Calibration, CalibrationError, SessionInfo
from calibration.arrays import Image
from calibration.assessment import assess
from calibration.camera_model import LENS_PRIORS
from calibration.session import LensPictures
from calibration.targets import LENS_SHEET
from companion.calibrating import words
from companion.calibrating.state import GuideState, Sight, StepName
from companion.calibrating.steps import BoardStep, CardsStep, LensStep, Material, Step, SwatchStep
from companion.i18n import _

WIDE_DEGREES = 80.0
"""A lens with a wider field of view is measured with the lens sheet."""

_STEPS: dict[StepName, Callable[[Material], Step]] = {
    "cards": CardsStep,
    "lens": LensStep,
    "board": BoardStep,
    "swatch": SwatchStep,
}


class Guide:
    """One guided calibration.

    `info` is what is known of the table and the camera. The lens is measured if its kind is a wide one or if `lens`
    wishes it, with the sheet that `info` describes, else with the printed one.
    """

    def __init__(self, info: SessionInfo | None = None, *, lens: bool = False) -> None:
        info = info or SessionInfo()
        prior = LENS_PRIORS.get(info.lens)
        measure = lens or (prior is not None and prior.field_of_view > WIDE_DEGREES)
        if measure and info.lens_pictures is None:
            info = msgspec.structs.replace(info, lens_pictures=LensPictures(LENS_SHEET))
        self._material = Material(info, info.lens_pictures.charuco if info.lens_pictures else LENS_SHEET)
        names: tuple[StepName, ...] = ("cards", "lens", "board", "swatch", "result")
        self._steps = tuple(name for name in names if name != "lens" or measure)
        self._size: tuple[int, int] | None = info.image_size
        self._step: Step | None = None
        self._state: GuideState
        self._begin("cards")

    @property
    def state(self) -> GuideState:
        """Where it stands now."""
        return self._state

    @property
    def result(self) -> Calibration | None:
        """The calibration, once the last step is reached."""
        return self._material.result

    def see(self, image: Image) -> GuideState:
        """A live picture (H x W x 3 uint8 BGR). Raises CalibrationError if its size is not that of those before."""
        size = (image.shape[1], image.shape[0])
        if self._size is not None and size != tuple(self._size):
            raise CalibrationError(
                _("The picture is {now} px large, the camera's is {before}: leave the camera in one mode.").format(
                    now=f"{size[0]} x {size[1]}", before=f"{self._size[0]} x {self._size[1]}"
                )
            )
        self._size = size
        if self._step is not None:
            self._state = msgspec.structs.replace(self._state, sight=self._step.see(image))
        return self._state

    def take(self) -> GuideState:
        """Take the last picture if it is ready; in the last step accept the result unless it is poor."""
        if self._step is None:
            assessment = self._state.assessment
            if assessment is not None and assessment.grade != "poor":
                self._state = msgspec.structs.replace(self._state, done=True)
        elif self._state.sight.ready:
            try:
                over = self._step.take()
            except CalibrationError as error:
                self._refuse(str(error))
            else:
                if over:
                    self._go(1)
                else:  # the same picture is not to be taken twice
                    self._state = msgspec.structs.replace(self._state, sight=Sight(), refusal=None)
        return self._state

    def skip(self) -> GuideState:
        """Leave the lens out; it is then fitted as well as the board alone allows. Any other step is needed."""
        if self._state.step == "lens":
            self._material.lens = None
            self._go(1)
        return self._state

    def back(self) -> GuideState:
        """Begin the step before anew, of the first one itself."""
        self._go(-1)
        return self._state

    def _go(self, by: int) -> None:
        at = self._steps.index(self._state.step)
        self._begin(self._steps[max(0, at + by)])

    def _begin(self, name: StepName) -> None:
        make = _STEPS.get(name)
        self._step = None if make is None else make(self._material)
        result = self._material.result if name == "result" else None
        self._state = GuideState(
            step=name,
            steps=self._steps,
            task=_(words.TASKS[name]),
            assessment=None if result is None else assess(result),
        )

    def _refuse(self, text: str) -> None:
        self._state = msgspec.structs.replace(self._state, sight=Sight(), refusal=text)
