"""A piece that has moved is seen on its way; anything else that changed is simply there."""

from __future__ import annotations

from typing import Any

import pytest
from screen_samples import BOARD, board, contents, turn

from companion.rules.layout import HexContent
from companion.ui.drawing.moves import Move, moved
from companion.viewmodel import states as s

HERE = {BOARD.by_label[label]: content for label, content in contents().items()}
MOVES = {
    "an explorer on foot": ({"E8": HexContent(tile="forest"), "E7": HexContent(tile="beach", explorers={"red": 1})},
                            ("E8", "E7", HexContent(tile="beach", explorers={"red": 1}))),
    "a shark": ({"J9": HexContent(), "J10": HexContent(sharks=1)}, ("J9", "J10", HexContent(tile="beach", sharks=1))),
    "a boat with its passengers": ({"E9": HexContent(), "E10": HexContent(boat={"red": 1, "blue": 1})},
                                   ("E9", "E10", HexContent(boat={"red": 1, "blue": 1}))),
    "a swimmer into a boat": ({"D3": HexContent(), "C6": HexContent(boat={"red": 1})},
                              ("D3", "C6", HexContent(tile="beach", explorers={"red": 1}))),
}  # fmt: skip
NO_MOVES = {
    "nothing": {},
    "a piece taken": {"J9": HexContent()},
    "a tile sunk under an explorer": {"E8": HexContent(explorers={"red": 1})},
    "another colour": {"E8": HexContent(tile="forest"), "E7": HexContent(tile="beach", explorers={"green": 1})},
    "two at once": {"J9": HexContent(), "J10": HexContent(sharks=1), "D8": HexContent(), "C9": HexContent(sharks=1)},
}


def after(changes: dict[str, HexContent]) -> dict[Any, HexContent]:
    return {h: HERE.get(h, HexContent()) for h in BOARD.hexes} | {BOARD.by_label[k]: v for k, v in changes.items()}


@pytest.mark.parametrize("what", MOVES)
def test_one_piece_that_left_a_hex_and_came_to_another_has_moved(what: str) -> None:
    changes, (origin, target, content) = MOVES[what]
    assert moved(HERE, after(changes)) == Move(BOARD.by_label[origin], BOARD.by_label[target], content)


@pytest.mark.parametrize("what", NO_MOVES)
def test_anything_else_is_no_move(what: str) -> None:
    assert moved(HERE, after(NO_MOVES[what])) is None


def test_the_piece_glides_and_arrives_in_time(show: Any, passes: Any) -> None:
    def state(changes: dict[str, HexContent]) -> s.AppState:
        return s.AppState(screen=turn(board(changes=changes)))

    root, view_model, _ = show(state({}))
    layer = root.screen.widgets["board"]._layers["glide"]
    view_model.publish(state(MOVES["an explorer on foot"][0]))
    assert layer.length() > 0
    passes(0.2)
    assert layer.length() > 0
    passes(0.2)
    assert layer.length() == 0


def test_a_state_that_comes_while_a_piece_glides_ends_the_way(show: Any) -> None:
    def state(changes: dict[str, HexContent]) -> s.AppState:
        return s.AppState(screen=turn(board(changes=changes)))

    root, view_model, _ = show(state({}))
    layer = root.screen.widgets["board"]._layers["glide"]
    view_model.publish(state(MOVES["a shark"][0]))
    view_model.publish(state({"J9": HexContent(), "J10": HexContent(sharks=1), "I4": HexContent(tile="forest")}))
    assert layer.length() == 0
