"""A calibration in the watching process: live pictures to the guide, where it stands to the program.

In: a `Scenery` and what people say (`Steering`). Out: `Calibrating` messages, and in the end a `Calibration`. Pictures
are sent only from here, small ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import cv2
import msgspec

from calibration import Calibration, CalibrationError
from calibration.arrays import Image
from companion.calibrating import Guide, GuideState, StepName, words
from companion.calibrating.state import CornerShown
from companion.viewmodel.calibration_link import Accuracy, Corner, Guided, Spot
from companion.watch.messages import BeginAnew, Calibrating, GoToStep, PutCorner, SkipStep, Steering, TakePicture
from companion.watch.setting_out import Scenery

WIDTH = 1024
"""Of the picture that is sent, px: what is shown of it is about as many px of the screen, its file some 70 kB."""

JPEG_QUALITY = 80

READ_TIMEOUT_S = 5.0
"""How long one picture may take before the camera counts as not answering."""

BY_ITSELF: tuple[StepName, ...] = ("lens", "cards")
"""Steps that take a picture as soon as it is ready: hands hold the sheet, and of the cards nothing is kept."""

Send = Callable[[Calibrating], None]
Keep = Callable[[Calibration], None]


class Sitting:
    """One calibration, from its first picture until it is kept or broken off.

    `optional_lens`: people may measure the lens; else only a wide one is. `keep` is called with the accepted result and
    raises CalibrationError if it cannot be saved; then the result can be kept once more.
    """

    def __init__(self, scenery: Scenery, send: Send, keep: Keep, *, optional_lens: bool, rehearsal: bool) -> None:
        self.scenery = scenery
        self.done = False
        self._guide = Guide(scenery.info, lens=optional_lens)
        self._send, self._keep = send, keep
        self._rehearsal = rehearsal
        self._size = (1, 1)
        self._refusal = ""
        self._outline: tuple[CornerShown, ...] = ()

    def look(self) -> None:
        """Read a picture, tell what it shows, and take it if the step takes pictures by itself. Raises CameraError."""
        self.scenery.helper.heed(self._guide.state)
        image = self.scenery.camera.read(READ_TIMEOUT_S).image
        self._size = image.shape[1], image.shape[0]
        try:
            state = self._guide.see(image)
        except CalibrationError as error:  # of another size: the camera was changed
            self._refusal, state = str(error), self._guide.state
        self._send(Calibrating(guided=self._guided(state), picture=encode_picture(image)))
        if state.step in BY_ITSELF and state.sight.ready:
            self._take()

    def obey(self, order: Steering) -> None:
        """Do what people say."""
        self._refusal = ""
        match order:
            case TakePicture():
                self._take()
            case SkipStep():
                self._guide.skip()
            case GoToStep(step=step):
                self._guide.go(step)
            case BeginAnew():
                self._guide.anew()
            case PutCorner(card=card, x=x, y=y):
                self._guide.put_corner(card, (x, y))

    def _take(self) -> None:
        self._send(Calibrating(guided=msgspec.structs.replace(self._guided(self._guide.state), busy=True)))
        if self._guide.take().done:
            assert self._guide.result is not None
            try:
                self._keep(self._guide.result)
            except CalibrationError as error:
                self._refusal = str(error)
            else:
                self.done = True
        self._send(Calibrating(guided=self._guided(self._guide.state)))

    def _guided(self, state: GuideState) -> Guided:
        sight, result = state.sight, state.assessment
        if sight.corners:
            self._outline = sight.corners
        return Guided(
            step=state.step,
            steps=state.steps,
            taken=state.taken,
            task=state.task,
            advice=sight.advice if result is None else words.advice(result),
            ready=sight.ready if result is None else result.grade != "poor",
            refusal=self._refusal or state.refusal or "",
            corners=self._corners(state),
            spots=tuple(Spot(*at, "stray" if h in sight.strays else "missing") for h, at in sight.places.items()),
            views=sight.views,
            accuracy=None if (f := state.figure) is None else Accuracy(f.value, f.good, f.usable),
            grade=None if result is None else result.grade,
            done=self.done,
            rehearsal=self._rehearsal,
            size=self._size,
        )

    def _corners(self, state: GuideState) -> tuple[Corner, ...]:
        """Where the board lies; once it is found it is not looked for again."""
        if state.step == "lens":
            return ()
        cut = {card.name for card in state.sight.cards if card.state == "outside"}
        return tuple(Corner(c.name, *c.at, c.how, c.name in cut) for c in self._outline)


STEERING = get_args(Steering)


def encode_picture(image: Image) -> bytes:
    """A JPEG of it, `WIDTH` px wide at most."""
    height, width = image.shape[:2]
    if width > WIDTH:
        image = cv2.resize(image, (WIDTH, round(height * WIDTH / width)), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes())
