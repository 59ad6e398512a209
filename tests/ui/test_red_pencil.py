"""The red pencil draws a circle once, where one is new; the arrow comes after it."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image
from screen_samples import board, lit, samples, turn

from companion.ui import tokens as t
from companion.ui.picture import png
from companion.ui.root import CompanionRoot
from companion.ui.snapshot import picture_of
from companion.viewmodel import states as s

SAMPLES = samples()
TURN, WRONG = SAMPLES["04a_turn"], SAMPLES["05a_contradiction"]
CIRCLE_S, ARROW_S = 0.4, 0.16


def circled(*labels: str) -> s.AppState:
    return s.AppState(screen=turn(board(lit(contradicted=" ".join(labels)))))


def is_drawn(root: CompanionRoot) -> bool:
    """True if everything is as it will be."""
    still = Image.open(io.BytesIO(picture_of(root.view_model.state, (800, 480))))
    return not np.any(_pixels(root) != np.asarray(still.convert("RGB"), dtype=int))


def red(root: CompanionRoot) -> int:
    """How much of the board is red pencil."""
    ink = [int(t.RED_PENCIL[i : i + 2], 16) for i in (1, 3, 5)]
    part = _pixels(root)[:, : int(t.BOARD_WIDTH)]
    return int((np.abs(part - ink).max(axis=2) < 12).sum())


def _pixels(root: CompanionRoot) -> Any:
    return np.asarray(Image.open(io.BytesIO(png(root))).convert("RGB"), dtype=int)


def test_a_circle_grows_for_400_ms_and_then_the_arrow_comes_in(show: Any, passes: Any) -> None:
    without = replace(WRONG, screen=replace(WRONG.screen, board=replace(WRONG.screen.board, arrow=None)))
    whole = red(show(without)[0])
    root, view_model, _ = show(TURN)
    none = red(root)
    view_model.publish(WRONG)
    amounts = []
    for _ in range(4):
        amounts.append(red(root))
        passes(CIRCLE_S / 4)
    passes(0.02)  # of two frames, one draws the first of it
    amounts.append(red(root))
    assert amounts == sorted(set(amounts)), "it grows"
    assert amounts[0] - none < 0.1 * (whole - none)
    assert amounts[-1] <= whole, "there is no arrow yet"
    assert amounts[-1] - none > 0.95 * (whole - none)
    passes(ARROW_S + 0.05)
    assert is_drawn(root)


def test_it_is_drawn_where_it_moves_to(show: Any, passes: Any) -> None:
    root, view_model, _ = show(circled("E8"))
    view_model.publish(circled("F9"))
    assert not is_drawn(root)
    passes(CIRCLE_S + 0.05)
    assert is_drawn(root)


def test_it_goes_on_while_something_else_changes_and_is_not_begun_again(show: Any, passes: Any) -> None:
    root, view_model, _ = show(TURN)
    view_model.publish(circled("E8"))
    passes(CIRCLE_S / 2)
    before = red(root)
    view_model.publish(s.AppState(screen=turn(board(lit(contradicted="E8", hidden="A1 A2 B1")))))
    assert red(root) == before
    passes(CIRCLE_S / 2 + 0.05)
    assert is_drawn(root)


BETWEEN = {
    "the same again": WRONG,
    "other words": replace(WRONG, screen=replace(WRONG.screen, hint="Otherwise the same.")),
    "a dialog": replace(WRONG, dialog=SAMPLES["04i_undo_dialog"].dialog),
    "another screen": SAMPLES["12c_settings_screen"],
    "a curtain": SAMPLES["07a_secret_hidden"],
}


@pytest.mark.parametrize("what", BETWEEN)
def test_it_is_not_drawn_again_after(show: Any, passes: Any, what: str) -> None:
    root, view_model, _ = show(TURN)
    view_model.publish(WRONG)
    passes(1.0)
    view_model.publish(BETWEEN[what])
    passes(1.0)
    view_model.publish(WRONG)
    assert is_drawn(root)


def test_it_is_drawn_again_when_it_has_been_put_right_meanwhile(show: Any, passes: Any) -> None:
    root, view_model, _ = show(TURN)
    for state in (WRONG, TURN):
        view_model.publish(state)
        passes(1.0)
    view_model.publish(WRONG)
    assert not is_drawn(root)


AT_ONCE = {
    "with less movement": (
        replace(TURN, display=s.Display(less_movement=True)),
        replace(WRONG, display=s.Display(less_movement=True)),
    ),
    "several at once": (circled(), circled("E8", "F9")),
}


@pytest.mark.parametrize("what", AT_ONCE)
def test_it_is_there_at_once(show: Any, what: str) -> None:
    before, after = AT_ONCE[what]
    root, view_model, _ = show(before)
    view_model.publish(after)
    assert is_drawn(root)
