"""What is known of the cameras for the ribbon cable, by the sensor's name as libcamera tells it.

Which of a sensor's modes sees all of it has to be known: left to itself libcamera takes the mode whose size is nearest
to the picture's, and of the Camera Module 3 that is one that sees only two thirds of the width.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardware.camera import LensKind


@dataclass(frozen=True)
class Sensor:
    """A camera as it is sold: `name` for people, `lens` if it is always the same, `mode` the smallest that sees all."""

    name: str
    lens: LensKind | None
    mode: tuple[int, int]


SENSORS: dict[str, Sensor] = {
    "imx708": Sensor("Camera Module 3", "normal", (2304, 1296)),
    "imx708_wide": Sensor("Camera Module 3 Wide", "wide", (2304, 1296)),
    "imx477": Sensor("HQ Camera", None, (2028, 1520)),
    "imx219": Sensor("Camera Module 2", "normal", (1640, 1232)),
    "ov5647": Sensor("Camera Module 1", "normal", (1296, 972)),
}


def sensor(model: str) -> Sensor | None:
    """What is known of a model, the ones without an infrared filter included; None if it is none of these."""
    return SENSORS.get(model.lower().removesuffix("_noir"))
