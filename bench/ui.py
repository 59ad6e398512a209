"""The screens: milliseconds for a state, cold and warm, and the frames of the running program (`bench.frames`).

In software where there is no GPU, which the first line says.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from bench import frames
from companion.i18n import SOURCE_LANGUAGE
from companion.scenes.catalogue import SCENES
from companion.ui.snapshot import StillLife, offscreen
from companion.viewmodel.states import AppState

_SIZES = ((800, 480), (1280, 720))
_FRAMES = 120
_ROUNDS = 5
_PLAYED_S = 45.0


def main() -> None:
    """Print the figures for both sizes of screen."""
    offscreen()
    from kivy.graphics.opengl import GL_RENDERER, glGetString

    renderer = glGetString(GL_RENDERER).decode()
    software = ", in software: a GPU draws the frames faster, states cost the same" if "llvmpipe" in renderer else ""
    print(f"drawn by {renderer}{software}")
    states = {scene.name: _still(scene.state(SOURCE_LANGUAGE)) for scene in SCENES}
    for size in _SIZES:
        print(f"\n{size[0]}x{size[1]}")
        _measure(size, states)
        frames.report(size, _PLAYED_S)


def _still(state: AppState) -> AppState:
    """All of a state is drawn when it is shown: no clock goes on here."""
    return replace(state, display=replace(state.display, less_movement=True))


def _measure(size: tuple[int, int], states: dict[str, AppState]) -> None:
    from companion.ui import textures
    from companion.ui.root import CompanionRoot

    textures.texture.cache_clear()
    textures.large_texture.cache_clear()
    root = CompanionRoot(StillLife(states["04a_turn"]), size)
    cold, warm = [], []
    for state in states.values():
        cold.append(_milliseconds(lambda state=state: root.show(state)))  # type: ignore[misc]
    for _ in range(_ROUNDS):
        for state in states.values():
            warm.append(_milliseconds(lambda state=state: root.show(state)))  # type: ignore[misc]
    _line("a new screen, never drawn before", cold)
    _line("a screen drawn before", warm)
    turn = [states["04a_turn"], states["04b_turn_explorer"]]
    chosen = [_milliseconds(lambda i=i: root.show(turn[i % 2])) for i in range(1, 2 * _ROUNDS + 1)]  # type: ignore[misc]
    _line("a piece chosen or let go", chosen)
    same = [_milliseconds(lambda: root.show(turn[0])) for _ in range(_ROUNDS)]
    _line("the same state again", same)
    _line("a frame", _drawn(root))
    root.close()


def _drawn(root: Any) -> list[float]:
    from kivy.graphics import ClearBuffers, ClearColor, Fbo
    from kivy.graphics.opengl import glFinish

    fbo = Fbo(size=(round(root.width), round(root.height)), with_stencilbuffer=True)
    with fbo:
        ClearColor(0, 0, 0, 1)
        ClearBuffers()
    fbo.add(root.canvas)
    times = []
    for _ in range(_FRAMES):
        fbo.ask_update()
        times.append(_milliseconds(lambda: (fbo.draw(), glFinish())))
    fbo.remove(root.canvas)
    return times


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def _line(what: str, times: list[float]) -> None:
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    print(f"  {what:34} median {statistics.median(ordered):6.1f} ms   95 % {p95:6.1f} ms   most {ordered[-1]:6.1f} ms")


if __name__ == "__main__":
    main()
