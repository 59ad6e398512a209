"""Another panel comes in under a thin sheet of paper, which is soon gone and is nowhere else."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from screen_samples import samples

from companion.viewmodel import states as s

SAMPLES = samples()
TURN, SINK, WRONG = SAMPLES["04a_turn"], SAMPLES["04c_turn_sink"], SAMPLES["05a_contradiction"]
SETUP, DEFENCE, CURTAIN = SAMPLES["03b_explorers"], SAMPLES["08a_defence_asked"], SAMPLES["07a_secret_hidden"]
LESS = s.Display(less_movement=True)


def acting(state: s.AppState) -> s.AppState:
    """The same with another meaning of the cell that is now."""
    cells = tuple(replace(cell, id="cell:now") if cell.state == "now" else cell for cell in state.screen.cells)
    return replace(state, screen=replace(state.screen, cells=cells))


ANOTHER = {
    "another phase": (TURN, SINK),
    "another player": (TURN, replace(TURN, screen=replace(TURN.screen, name="Somebody else"))),
    "a contradiction": (TURN, WRONG),
    "a contradiction that is put right": (WRONG, TURN),
    "the game begins": (SETUP, TURN),
    "a creature on people": (TURN, DEFENCE),
}
THE_SAME = {
    "a move less": (TURN, replace(TURN, screen=replace(TURN.screen, pips=s.Pips(left=1)))),
    "the cell of the phase does something": (TURN, acting(TURN)),
    "a piece chosen": (TURN, SAMPLES["04b_turn_explorer"]),
    "another sentence": (WRONG, replace(WRONG, screen=replace(WRONG.screen, hint="Otherwise the same."))),
    "a curtain": (TURN, CURTAIN),
    "a curtain that goes": (CURTAIN, SINK),
    "a dialog": (TURN, SAMPLES["04i_undo_dialog"]),
    "a dialog that goes": (SAMPLES["04i_undo_dialog"], SINK),
    "the settings": (TURN, SAMPLES["12c_settings_screen"]),
    "less movement": (replace(TURN, display=LESS), replace(SINK, display=LESS)),
}


@pytest.mark.parametrize("what", ANOTHER)
def test_another_panel_comes_in_within_200_ms(show: Any, passes: Any, what: str) -> None:
    before, after = ANOTHER[what]
    root, view_model, _ = show(before)
    view_model.publish(after)
    strengths = [root.panel_change.strength]
    while root.panel_change._sheet.size != (0, 0):
        passes(1 / 60)
        strengths.append(root.panel_change.strength)
    assert strengths[0] == pytest.approx(0.6)
    assert strengths == sorted(strengths, reverse=True)
    assert strengths[-1] == 0.0
    assert len(strengths) <= 0.2 * 60 + 3


@pytest.mark.parametrize("what", THE_SAME)
def test_nothing_lies_over(show: Any, what: str) -> None:
    before, after = THE_SAME[what]
    root, view_model, _ = show(before)
    assert root.panel_change.strength == 0.0
    view_model.publish(after)
    assert root.panel_change.strength == 0.0


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800)])
def test_it_is_never_over_the_board(show: Any, size: tuple[int, int], right: bool) -> None:
    display = s.Display(board_right=right)
    root, view_model, _ = show(replace(TURN, display=display), size)
    view_model.publish(replace(SINK, display=display))
    (x, y), (w, h) = root.panel_change._sheet.pos, root.panel_change._sheet.size
    ground = root.page.ground
    scale = root.scene.scale
    assert (x / scale, (root.height - y - h) / scale) == pytest.approx((ground.x, ground.y), abs=1)
    assert (w / scale, h / scale) == pytest.approx((ground.w, ground.h), abs=1)


def test_the_words_are_there_and_answer_at_once(show: Any) -> None:
    root, view_model, hand = show(TURN)
    view_model.publish(WRONG)
    box = root.screen.widgets["fix"].part.box
    hand.tap(box.x + box.w / 2, box.y + box.h / 2)
    assert view_model.calls == [("press", "fix")]


def test_panels_that_follow_soon_come_in_with_the_first(show: Any, passes: Any) -> None:
    root, view_model, _ = show(TURN)
    strengths = []
    for state in (SINK, WRONG, TURN):
        view_model.publish(state)
        strengths.append(root.panel_change.strength)
        passes(0.05)
    assert strengths == sorted(set(strengths), reverse=True)


@pytest.mark.parametrize("over", [CURTAIN, SAMPLES["04i_undo_dialog"]])
def test_what_comes_over_it_ends_it(show: Any, over: s.AppState) -> None:
    root, view_model, _ = show(TURN)
    view_model.publish(SINK)
    view_model.publish(over)
    assert root.panel_change.strength == 0.0
