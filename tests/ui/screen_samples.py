"""The states that the tests of the screens show: all scenes in English, and a few that no game shows in one picture.

Scenes are played in `companion.scenes`; what is written here by hand is only what cannot be played to.
"""

from __future__ import annotations

import functools
from typing import Any

from msgspec.structs import replace

from companion.rules.geometry import load_board
from companion.rules.layout import HexContent
from companion.scenes.catalogue import SCENES
from companion.viewmodel import states as s

BOARD = load_board()


@functools.cache
def samples() -> dict[str, s.AppState]:
    """All sample states by name; the number is the screen's in the design, the words after it what it shows."""
    found = {scene.name: scene.state("en") for scene in SCENES}
    found["04z_every_light"] = s.AppState(screen=turn(_every_light()))
    return found


def turn(view: s.BoardView, **changes: Any) -> s.TurnScreen:
    """The screen of a turn with this board."""
    return replace(_a_turn(), board=view, **changes)


@functools.cache
def _a_turn() -> s.TurnScreen:
    """Somebody has moved once."""
    screen = next(scene for scene in SCENES if scene.name == "04a_turn").state("en").screen
    assert isinstance(screen, s.TurnScreen)
    return screen


def contents() -> dict[str, HexContent]:
    """What stands where in that turn, by label."""
    return {BOARD.labels[view.hex]: view.content for view in _a_turn().board.hexes if not view.content.is_empty}


def board(
    lights: dict[str, s.Light] | None = None, *, changes: dict[str, HexContent] | None = None, **more: Any
) -> s.BoardView:
    """The board of that turn with lights and changes by label; what is lit can be touched."""
    lights, there = lights or {}, contents() | (changes or {})
    return replace(
        _a_turn().board,
        hexes=tuple(
            s.HexView(
                hex=h,
                content=there.get(label, HexContent()),
                light=lights.get(label, "plain"),
                touchable=lights.get(label) in ("legal", "deadly", "chosen"),
            )
            for h, label in BOARD.labels.items()
        ),
        **more,
    )


def lit(**groups: str) -> dict[str, s.Light]:
    """`lit(legal="A1 A2")` as a mapping."""
    return {label: light for light, labels in groups.items() for label in labels.split()}  # type: ignore[misc]


def _every_light() -> s.BoardView:
    """All lights, and crowds of all kinds."""
    return board(
        lit(hidden="F6 F7 G7", bare="F5", doubt="D6", contradicted="H5", veiled="E4"),
        changes={
            "D4": HexContent(tile="forest", explorers={"red": 6}),
            "E8": HexContent(tile="beach", explorers={"red": 2, "blue": 3, "green": 2}),
            "F10": HexContent(tile="beach", explorers={"red": 1, "blue": 1, "yellow": 1, "green": 1}),
            "I9": HexContent(explorers={"blue": 1, "yellow": 1}, sharks=1),
            "K7": HexContent(explorers={"green": 1}, boat={"red": 1}),
            "F12": HexContent(whales=1, boat={"red": 1, "blue": 1}),
            "C6": HexContent(serpents=1, sharks=1),
            "B5": HexContent(dolphins=1),
            "L5": HexContent(sharks=1, whales=1, serpents=1),
        },
        legal_lands=("ne",),
        safe={"nw": (("red", 1), ("blue", 2)), "sw": (("red", 1), ("blue", 2), ("yellow", 3), ("green", 4))},
    )
