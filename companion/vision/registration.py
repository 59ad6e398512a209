"""Does the board still lie where the calibration says, and if not, where?

In: a picture. Out: a `Registration`, and the calibration to read that picture by. The board's own print decides: a card
that was nudged or covered says nothing about the board. The cards only tell whether it was the board or the camera
that was moved.
"""

from __future__ import annotations

import math

import numpy as np

from calibration import Calibration
from calibration.arrays import Image
from calibration.locate import BoardFinder
from companion.vision.observation import Moved, MovedWhat, NotSeen, Registration, Still

STILL_MM = 1.2
"""A corner of the board that has moved by less has not been moved."""

CARD_MM = 4.0
"""A card lies where it lay if it does to this; cards are pushed when the board is."""

PATIENCE = 3
"""Of a live table: where the board is not found, it is looked for all over again in every third picture only, as that
takes a while. Single pictures (0) have nothing to do with each other."""


class RegistrationStep:
    """Follows one board through the pictures, from the pose of its calibration on.

    `calibration` is the one to read the last picture by: another object as soon as board or camera have been moved.
    """

    def __init__(self, calibration: Calibration, patience: int = PATIENCE) -> None:
        """`patience`: a board that is not found is looked for anew in one of so many pictures; 0: in each."""
        self._finder = BoardFinder(calibration)
        self._patience = patience
        self._wait = 0
        self._said: Registration = NotSeen()

    @property
    def calibration(self) -> Calibration:
        """The calibration with the pose that holds now."""
        return self._finder.calibration

    def refuse(self, registration: Registration, before: Calibration) -> None:
        """The last picture is not one to go by, as that says: the board lies where it did before.

        That is said again of the pictures in which it is not looked for.
        """
        if before is not self.calibration:
            self._finder.go_back(before)
            self._wait_with(registration)

    def __call__(self, image: Image) -> Registration:
        """Where the board is in that picture, against the one before (H x W x 3 uint8 BGR, the calibration's size)."""
        motion = self._finder.motion(image)
        if motion is not None and self._finder.corner_shift(motion) < STILL_MM:
            self._wait = 0
            return Still()
        if self._wait > 0:
            self._wait -= 1
            return self._said
        before = self.calibration
        after = self._finder.locate(image)
        if after is None:
            return self._wait_with(NotSeen())
        return moved(before, after)

    def _wait_with(self, registration: Registration) -> Registration:
        """That is what is said until the board is looked for again."""
        self._wait, self._said = max(0, self._patience - 1), registration
        return registration


def moved(before: Calibration, after: Calibration) -> Moved:
    """How the board lies now, in the frame of where it lay."""
    middle, east = before.camera.ground(after.camera.project([[0, 0, 0], [100, 0, 0]]))
    ahead = east - middle
    return Moved(
        what=_what(before, after),
        east_mm=float(middle[0]),
        south_mm=float(middle[1]),
        turn_degrees=math.degrees(math.atan2(ahead[1], ahead[0])),
    )


def _what(before: Calibration, after: Calibration) -> MovedWhat:
    """Cards that stayed in the picture tell that the board was moved; cards that stayed round the board, the camera."""
    height = -before.board.thickness
    in_picture, round_board = [], []
    for name in before.cards.keys() & after.cards.keys():
        lay = before.camera.ground(before.cards[name], height)
        in_picture.append(np.linalg.norm(before.camera.ground(after.cards[name], height) - lay, axis=1).mean())
        round_board.append(np.linalg.norm(after.camera.ground(after.cards[name], height) - lay, axis=1).mean())
    if not in_picture:
        return "either"
    stayed, followed = float(np.median(in_picture)), float(np.median(round_board))
    if min(stayed, followed) > CARD_MM:
        return "either"
    return "board" if stayed < followed else "camera"
