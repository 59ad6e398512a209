"""One turn on the simulated table as a moving picture for the README.

Run `python tests/ui/recording.py` to draw `docs/turn.gif` again. The same game as in the scenes, a finger where one
would be; the clock is advanced by hand, so that every run draws the same.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, ImageDraw

from companion.rules.geometry import Hex
from companion.scenes.games import midgame
from companion.scenes.people import People
from companion.scenes.positions import at
from companion.viewmodel.states import Cursor, SecretScreen

FILE = Path(__file__).parents[2] / "docs" / "turn.gif"
SIZE = (800, 480)
_SHOWN = (640, 384)
_COLOURS = 200
_MOVING_MS = 80
_FINGER_MS = 450
_FINGER_R = 19
_AMBER, _INK = (242, 182, 50), (29, 43, 54)


class Beat(NamedTuple):
    """A finger on a hex (by its label), on a button (by its id) or, with `holds`, on the own corner; then people look.

    `moving`: so many pictures of what moves before everything rests for `rests_ms`.
    """

    hex: str = ""
    button: str = ""
    holds: bool = False
    moving: int = 0
    rests_ms: int = 900


TURN = (
    Beat(rests_ms=1400),
    Beat(hex="E8", moving=2, rests_ms=1300),
    Beat(hex="F8", moving=6),
    Beat(hex="K5", rests_ms=900),
    Beat(button="piece:1", moving=2, rests_ms=1000),
    Beat(hex="L5", moving=6, rests_ms=1500),
    Beat(hex="F8", moving=2, rests_ms=1100),
    Beat(button="sink", rests_ms=1500),
    Beat(holds=True, rests_ms=2200),
    Beat(rests_ms=1200),
    Beat(button="roll", moving=9, rests_ms=1500),
    Beat(hex="J9", moving=2, rests_ms=1200),
    Beat(hex="I9", moving=6, rests_ms=1800),
    Beat(rests_ms=2400),
)


def play(people: People, beat: Beat) -> None:
    """What the finger does."""
    if beat.hex:
        people.touch(at(beat.hex))
    elif beat.button:
        people.vm.press(beat.button)
    elif beat.holds:
        people.hold()


def let_go(people: People, beat: Beat, player: int | None) -> None:
    """The finger leaves the corner."""
    if beat.holds and player is not None:
        people.vm.let_go(player)


def draw() -> list[tuple[Image.Image, int]]:
    """The pictures, and how long each is shown, in ms."""
    from companion.ui.snapshot import offscreen

    offscreen()
    people = midgame("shark", "dolphin")()
    return list(_film(people))


def _film(people: People) -> Iterator[tuple[Image.Image, int]]:
    from kivy.clock import Clock

    from companion.ui.picture import png
    from companion.ui.root import CompanionRoot

    now = [Clock.time()]
    Clock.time, Clock._max_fps = lambda: now[0], 0
    root = CompanionRoot(people.vm, SIZE)

    def picture() -> Image.Image:
        return Image.open(io.BytesIO(png(root))).convert("RGB")

    def passes(ms: int) -> None:
        now[0] += ms / 1000
        Clock.tick()

    for beat in TURN:
        player = people.screen.player if isinstance(people.screen, SecretScreen) else None
        if (place := _place(root, beat)) is not None:
            yield _with_finger(picture(), place), _FINGER_MS
        play(people, beat)
        for _ in range(beat.moving):
            people.wait(_MOVING_MS / 1000)
            passes(_MOVING_MS)
            yield picture(), _MOVING_MS
        people.settle()
        passes(2000)
        passes(100)
        still = picture()
        yield (_with_finger(still, place) if beat.holds and place else still), beat.rests_ms
        let_go(people, beat, player)
    root.close()


def _place(root: Any, beat: Beat) -> tuple[float, float] | None:
    """Where the finger is, px of the screen."""
    from companion.ui.widgets.pointer import point_at

    if beat.holds:
        screen = root.view_model.state.screen
        x = 55.0 if screen.corner in ("sw", "ne") else root.page.width - 55
        y = root.page.height - 60
        return (x, y) if screen.corner in ("sw", "se") else (root.page.width - x, root.page.height - y)
    if not beat.hex and not beat.button:
        return None
    hex_: Hex | None = at(beat.hex) if beat.hex else None
    ring = point_at(Cursor(id=beat.button, hex=hex_), (root.screen,))[0]
    box = ring.drawn[0].box  # type: ignore[union-attr]
    return box.x + box.w / 2, box.y + box.h / 2


def _with_finger(picture: Image.Image, place: tuple[float, float]) -> Image.Image:
    shown = picture.copy()
    x, y = place
    disc = ImageDraw.Draw(shown)
    for r, colour, width in ((_FINGER_R + 2, _INK, 3), (_FINGER_R, _AMBER, 6), (_FINGER_R - 5, _INK, 2)):
        disc.ellipse((x - r, y - r, x + r, y + r), outline=colour, width=width)
    return shown


def main() -> None:
    """Write the GIF: one palette for all pictures, and of each only what has changed."""
    shots = draw()
    small = [shot.resize(_SHOWN, Image.Resampling.LANCZOS) for shot, _ in shots]
    sample = Image.new("RGB", (_SHOWN[0], _SHOWN[1] * 6))
    for i, number in enumerate(range(0, len(small), max(1, len(small) // 6))):
        sample.paste(small[number], (0, i * _SHOWN[1]))
    palette = sample.quantize(_COLOURS, method=Image.Quantize.MAXCOVERAGE, kmeans=1)
    frames = [shot.quantize(palette=palette, dither=Image.Dither.NONE) for shot in small]
    frames[0].save(
        FILE, save_all=True, append_images=frames[1:], duration=[ms for _, ms in shots], loop=0, optimize=False
    )
    print(
        f"{FILE}: {len(frames)} pictures, {FILE.stat().st_size / 1e6:.2f} MB, {sum(ms for _, ms in shots) / 1000:.0f} s"
    )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    main()
