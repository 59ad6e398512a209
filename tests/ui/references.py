"""Reference pictures: half size and of few colours, so that they are small and a pixel's rounding does not matter.

Run `python tests/ui/references.py` to draw them again after looking at every changed screen.
"""

from __future__ import annotations

import functools
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from screen_samples import samples

from companion.i18n import available
from companion.rules.geometry import Hex
from companion.scenes.catalogue import SCENES
from companion.viewmodel.states import AppState

FOLDER = Path(__file__).parents[1] / "data" / "screens"
WIDE, UPRIGHT = (800, 480), (480, 800)
_COLOURS = (64, 128, 256)
_ROUND = np.ones((3, 3), np.uint8)

STANDING = (
    *("01_home", "02a_players", "03a_tiles_all", "04a_turn", "05a_contradiction_several", "06b_dive_star_which"),
    *("07b_secret_held", "07d_choose_held_many", "08a_defence_asked_long_names", "09a_score_values"),
    *("09b_score_podium", "09c_statistics", "10a_games", "10b_replay", "11b_covered", "12c_settings_screen"),
    *("04j_menu", "13_rule_4.3", "00_shut"),
)
"""One of each screen is looked at on an upright screen too; what all of them measure there is tested."""


class Reference(NamedTuple):
    """What one picture shows, on which hex a finger is, and how large the screen is in px."""

    state: Callable[[], AppState]
    finger: Hex | None = None
    size: tuple[int, int] = WIDE


def references() -> dict[str, Reference]:
    """All of them by the name of their file: every screen in every language, and some upright."""
    return dict(_references())


def _references() -> Iterator[tuple[str, Reference]]:
    fingers = {scene.name: scene.finger for scene in SCENES}
    for name in samples():
        yield name, Reference(functools.partial(_sample, name), fingers.get(name))
    for code in available():
        if code != "en":
            for scene in SCENES:
                yield f"{scene.name}_{code}", Reference(functools.partial(scene.state, code), scene.finger)
    for name in STANDING:
        yield f"{name}_upright", Reference(functools.partial(_sample, name), fingers.get(name), UPRIGHT)


def _sample(name: str) -> AppState:
    return samples()[name]


def picture(reference: Reference) -> NDArray[np.uint8]:
    """The screen as it is drawn now, as (240, 400, 3) or (400, 240, 3), each pixel the mean of four."""
    from companion.ui.snapshot import picture_of

    drawn = picture_of(reference.state(), reference.size, reference.finger)
    pixels = cv2.imdecode(np.frombuffer(drawn, dtype=np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def read(name: str) -> NDArray[np.uint8]:
    """The screen as it was when somebody last looked at it."""
    pixels = cv2.imread(str(FOLDER / f"{name}.png"))
    assert pixels is not None, f"no reference: look at the screen, then run python tests/ui/references.py ({name})"
    return np.asarray(pixels, dtype=np.uint8)


def unlike(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> float:
    """The part of the pixels that differ by more than another release of a type face does.

    That sets its words a pixel or two higher or lower and a little lighter, as Debian 12 and 13 do: so a blur, and each
    pixel against the range of those round it in the other picture, both ways.
    """
    blurred = [cv2.GaussianBlur(picture, (0, 0), 3).astype(np.int16) for picture in (a, b)]
    outside = np.zeros(a.shape, np.int16)
    for one, other in (blurred, blurred[::-1]):
        low, high = cv2.erode(other, _ROUND), cv2.dilate(other, _ROUND)
        outside = np.maximum(outside, np.maximum(low - one, one - high))
    return float((outside.max(axis=2) > 24).mean())


def small_png(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG file with the colours that cover the picture best; as many of them as it takes to look the same."""
    image = Image.fromarray(pixels[:, :, ::-1])
    for count in _COLOURS:
        few = image.quantize(count, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        if unlike(pixels, np.asarray(few.convert("RGB"), dtype=np.uint8)[:, :, ::-1]) == 0.0:
            return _png(few)
    return _png(image)


def _png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def main() -> None:
    """Draw all reference pictures; those that belong to no screen any more go."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = references()
    for file in FOLDER.glob("*.png"):
        if file.stem not in wanted:
            file.unlink()
    for name, reference in wanted.items():
        (FOLDER / f"{name}.png").write_bytes(small_png(picture(reference)))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    main()
