"""Rendered sessions as other lenses and cameras take them: `python -m training.toning SESSIONS --out DIR`.

In: sessions in the recognition set's form. Out: each of them once more, named with a `SUFFIX`; haze over all of its
pictures, and another tone curve. A renderer's lens is clean, and its cameras are much alike: what learnt of their
pictures alone takes black that is grey, as dust and fingers make it, for another colour. The truth stays as it is.
"""

from __future__ import annotations

import argparse
import math
import shutil
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.arrays import Image
from calibration.response import LEVELS, to_levels, to_light

SUFFIX = "z"
"""Of a session's name: its number, and with it whether it is kept out, stays as it was."""

MOST_HAZE = 0.09
"""Light that the lens scatters over a picture, of white: recognition takes out what printed black cannot explain, and
so this is what it may be left with."""

HAZY, TINT = 0.8, 0.1
"""Share of the sessions with haze; standard deviation of the logarithm of its channels."""

TONED, GAMMA, CONTRAST = 0.6, 0.15, (0.75, 1.2)
"""Share of the sessions with another tone curve: the logarithm of its exponent has this standard deviation; slope."""

QUALITY = 95


@dataclass(frozen=True)
class Tone:
    """`haze`: linear light added in blue, green, red, of white; `gamma`: exponent of the levels; `contrast`: slope of
    the levels about middle grey."""

    haze: tuple[float, float, float] = (0.0, 0.0, 0.0)
    gamma: float = 1.0
    contrast: float = 1.0

    def levels(self) -> Image:
        """1 x 256 x 3 uint8: what becomes of each level of blue, green and red."""
        added = np.array(self.haze)
        hazy = to_levels(to_light(LEVELS)[:, None] * (1 - added) + added)
        after = 0.5 + self.contrast * (hazy**self.gamma - 0.5)
        return np.round(255 * after.clip(0, 1)).astype(np.uint8)[None]


def make_tone(rng: np.random.Generator) -> Tone:
    """One lens and camera."""
    strength = rng.uniform(0, MOST_HAZE) if rng.random() < HAZY else 0.0
    blue, green, red = (strength * np.exp(rng.normal(0, TINT, 3))).tolist()
    if rng.random() > TONED:
        return Tone((blue, green, red))
    return Tone((blue, green, red), math.exp(rng.normal(0, GAMMA)), rng.uniform(*CONTRAST))


def tone_session(session: Path, out: Path, tone: Tone) -> None:
    """Write a session once more, each of its pictures so toned. Raises OSError."""
    shutil.copytree(session, out, dirs_exist_ok=True)
    levels = tone.levels()
    for path in sorted(out.rglob("*.jpg")):
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None or not cv2.imwrite(str(path), cv2.LUT(picture, levels), [cv2.IMWRITE_JPEG_QUALITY, QUALITY]):
            raise OSError(f"{path} cannot be read or written.")


def main() -> None:
    """Write the sessions that are not there yet."""
    parser = argparse.ArgumentParser(prog="python -m training.toning", description=__doc__.splitlines()[0])
    parser.add_argument("sessions", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    for description in sorted(args.sessions.glob("*/session.json")):
        session = description.parent
        out = args.out / f"{session.name}{SUFFIX}"
        if not (out / "session.json").is_file():
            part = args.out / f".{out.name}"
            tone_session(session, part, make_tone(np.random.default_rng(list(session.name.encode()))))
            part.rename(out)


if __name__ == "__main__":
    main()
