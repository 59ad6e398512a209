"""What is read of a picture in another light, and how much of it is not so."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from lights import from_linear

from calibration.arrays import Floats32, Image
from calibration.light import to_linear
from companion.rules.layout import EMPTY, Layout
from companion.vision.observation import Observation
from companion.vision.recogniser import Recogniser


def read_in_light(recogniser: Recogniser, picture: Image, lit: Callable[[Floats32], Floats32]) -> Observation:
    """Found in the picture as it is, read as it would be seen with its view's linear light (H x W x 3) changed so."""
    found = recogniser.find(picture)
    return recogniser.read(dataclasses.replace(found, view=from_linear(lit(to_linear(found.view)))))


def misread(observation: Observation, truth: Layout) -> int:
    """How many hexes are not read as they are."""
    contents = ((e.hex, e.hypotheses[0].content if e.hypotheses else None) for e in observation.hexes)
    return sum(content != truth.hexes.get(h, EMPTY) for h, content in contents)
