"""The guided calibration: a sequence of steps, moved on by pictures and by people.

In: live pictures (`see`) and what people say (`take`, `skip`, `back`, `go`, `anew`, `put_corner`). Out: a `GuideState`
after each, and in the end a `Calibration`. No I/O, no clock, no threads: a terminal and a touchscreen drive the same
model. `take` may work for a second or two.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from calibration import Calibration, CalibrationError, PictureError, SessionInfo
from calibration.arrays import Image
from calibration.assessment import assess
from calibration.camera_model import LENS_PRIORS
from calibration.print import CARD_CORNERS
from calibration.session import LensPictures
from calibration.targets import LENS_SHEET
from companion.calibrating import words
from companion.calibrating.state import GuideState, Pixel, Sight, StepName
from companion.calibrating.steps import BoardStep, CardsStep, LensStep, Material, Step, SwatchStep
from companion.i18n import _

WIDE_DEGREES = 80.0
"""A lens with a wider field of view is measured with the lens sheet."""

_STEPS: dict[StepName, Callable[[Material], Step]] = {
    "lens": LensStep,
    "cards": CardsStep,
    "board": BoardStep,
    "swatch": SwatchStep,
}


class Guide:
    """One guided calibration.

    `info` is what is known of the table and the camera. The lens is measured if its kind is a wide one or if `lens`
    wishes it, with the sheet that `info` describes, else with the printed one; first, as the sheet is held before the
    camera by hand, which may be pushed by that.
    """

    def __init__(self, info: SessionInfo | None = None, *, lens: bool = False) -> None:
        info = info or SessionInfo()
        prior = LENS_PRIORS.get(info.lens)
        measure = lens or (prior is not None and prior.field_of_view > WIDE_DEGREES)
        if measure and info.lens_pictures is None:
            info = msgspec.structs.replace(info, lens_pictures=LensPictures(LENS_SHEET))
        self._material = Material(info, info.lens_pictures.charuco if info.lens_pictures else LENS_SHEET)
        names: tuple[StepName, ...] = ("lens", "cards", "board", "swatch", "result")
        self._steps = tuple(name for name in names if name != "lens" or measure)
        self._made: dict[StepName, Step] = {}
        self._passed: set[StepName] = set()
        self._size: tuple[int, int] | None = info.image_size
        self._step: Step | None = None
        self._state: GuideState
        self._enter(self._steps[0])

    @property
    def state(self) -> GuideState:
        """Where it stands now."""
        return self._state

    @property
    def result(self) -> Calibration | None:
        """The calibration, once the last step is reached."""
        return self._material.result

    def see(self, image: Image) -> GuideState:
        """A live picture (H x W x 3 uint8 BGR). Raises PictureError if its size is not that of those before."""
        size = (image.shape[1], image.shape[0])
        if self._size is not None and size != tuple(self._size):
            raise PictureError(
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
                self._refuse(words.refusal(error))
            else:
                if over:
                    self._passed.add(self._state.step)
                    self._drop_after(self._state.step)
                    self._enter(self._next)
                else:  # the same picture is not to be taken twice
                    sight = msgspec.structs.replace(self._state.sight, ready=False)
                    self._state = msgspec.structs.replace(self._state, sight=sight, refusal=None)
        return self._state

    def skip(self) -> GuideState:
        """Leave the lens out; it is then fitted as well as the board alone allows. Any other step is needed."""
        if self._state.step == "lens":
            if self._material.lens is not None:
                self._material.lens = None
                self._material.forget_board()
                self._drop_after("lens")
            self._passed.add("lens")
            self._enter(self._next)
        return self._state

    def back(self) -> GuideState:
        """Begin the step before anew, of the first one itself."""
        at = self._steps.index(self._state.step)
        self._enter(self._steps[max(0, at - 1)])
        return self.anew()

    def go(self, step: StepName) -> GuideState:
        """To a step that has been taken, or to the next one after those; nothing of what was taken is lost."""
        if step in self._steps and set(self._steps[: self._steps.index(step)]) <= self._taken():
            self._enter(step)
        return self._state

    def anew(self) -> GuideState:
        """Begin this step anew; what it had taken counts until it takes something else."""
        self._made.pop(self._state.step, None)
        if self._state.step in ("cards", "board"):
            self._material.given.clear()
        self._enter(self._state.step)
        return self._state

    def put_corner(self, card: str, at: Pixel) -> GuideState:
        """The board's corner beside that card lies there in the picture (px), whether its card is seen or not."""
        if card in CARD_CORNERS and self._state.step in ("cards", "board"):
            self._material.given[card] = at
        return self._state

    @property
    def _next(self) -> StepName:
        return self._steps[self._steps.index(self._state.step) + 1]

    def _taken(self) -> set[StepName]:
        m = self._material
        has: dict[StepName, bool] = {
            "lens": m.lens is not None or "lens" in self._passed,
            "cards": m.empty is not None or "cards" in self._passed,
            "board": m.empty is not None,
            "swatch": m.result is not None,
            "result": False,
        }
        return {name for name in self._steps if has[name]}

    def _drop_after(self, step: StepName) -> None:
        """What later steps have begun rests on what this one has now taken anew."""
        for name in self._steps[self._steps.index(step) + 1 :]:
            self._made.pop(name, None)

    def _enter(self, name: StepName) -> None:
        m = self._material
        make = _STEPS.get(name)
        if make is not None and name not in self._made:
            self._made[name] = make(m)
        self._step = self._made.get(name)
        taken = self._taken()
        self._state = GuideState(
            step=name,
            steps=self._steps,
            task=_(words.TASKS[name]),
            taken=tuple(step for step in self._steps if step in taken),
            figure=None if m.quality is None else words.figure(m.quality),
            assessment=assess(m.result) if name == "result" and m.result is not None else None,
        )

    def _refuse(self, text: str) -> None:
        self._state = msgspec.structs.replace(self._state, sight=Sight(), refusal=text)
