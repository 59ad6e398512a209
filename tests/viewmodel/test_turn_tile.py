"""3.1, 10 on the screen: the same whatever the hand holds, until a tile is played."""

from __future__ import annotations

import pytest

from companion.rules.actions import PlayTile
from companion.viewmodel.states import SecretScreen, TurnScreen
from viewmodel.scenes import at, on_with, position

SEA = {
    "E8": {"tile": "forest", "explorers": {"red": 1}},
    "H5": {"tile": "forest", "explorers": {"blue": 1}},
    "K7": {"explorers": {"red": 1}},
    "J9": {"sharks": 1},
    "L8": {"boat": {"red": 1}},
}


def holding(*tiles: str, hexes=SEA):
    return position(hexes, phase="play_tile", hands=(tiles, ()))


def test_the_screen_is_the_same_whatever_the_hand_holds(tmp_path):
    shown = []
    for i, tile in enumerate(("dolphin", "move_whale", "shark_defence")):
        folder = tmp_path / str(i)
        folder.mkdir()
        people = on_with(folder, holding(tile))
        shown.append(people.state)
        people.press("choose")
        shown.append(people.state)
        people.press("not_now")
        shown.append(people.state)
    assert shown[0:3] == shown[3:6] == shown[6:9]
    assert shown[0].screen.primary.text == "No tile"
    assert shown[0].screen.primary.enabled
    assert isinstance(shown[1].screen, SecretScreen)


def test_a_tile_is_chosen_behind_the_curtain_and_played_on_the_board(tmp_path):
    people = on_with(tmp_path, holding("dolphin", "shark_defence"))
    people.press("choose")
    card = people.look("play:dolphin")
    assert [(a.text, a.enabled, a.line) for a in card.answers] == [
        ("Dolphin", True, ""),
        ("Shark defence", False, "on another’s turn"),
    ]
    assert isinstance(people.screen, TurnScreen)
    assert people.screen.subtitle == "Dolphin"
    assert people.lit("legal") == {at("K7")}
    people.touch(at("K7"))
    targets = {a.target for a in people.session.legal() if isinstance(a, PlayTile) and a.origin == at("K7")}
    assert people.lit("legal", "deadly") == targets
    assert people.lit("deadly") == {at("J9")} & targets
    people.touch(at("L7"))
    assert people.session.position.layout().at(at("L7")).explorers == {"red": 1}
    assert [line.text for line in people.screen.lines][:2] == ["Ann played: Dolphin", "Ann: K7 to L7, swimming"]
    assert people.screen.phase == "Move"


@pytest.mark.parametrize("tile", ["wind", "move_shark"])
def test_the_other_tiles_are_played_the_same_way(tmp_path, tile):
    people = on_with(tmp_path, holding(tile))
    people.press("cell:play_tile")
    people.look(f"play:{tile}")
    people.touch(people.touchable()[0])
    target = next(iter(people.lit("legal")))
    people.touch(target)
    assert people.session.position.hands[0] == ()
    assert people.screen.phase == "Move"


def test_a_tile_with_nothing_to_move_cannot_be_pressed(tmp_path):
    people = on_with(tmp_path, holding("move_whale"))
    people.press("choose")
    card = people.look("play:move_whale")
    assert (card.answers[0].enabled, card.answers[0].line) == (False, "nothing to move now")
    assert people.screen.prompt[0].id == "choose", "back to the turn, with nothing played"


def test_the_choice_can_be_undone_while_holding_and_after(tmp_path):
    people = on_with(tmp_path, holding("dolphin"))
    people.press("choose")
    people.look("play:dolphin", "play:dolphin")
    assert people.screen.subtitle == ""
    people.press("choose")
    people.look("play:dolphin")
    people.press("keep")
    assert people.screen.subtitle == ""
    assert people.session.position.hands[0] == ("dolphin",)


def test_undo_lets_go_of_what_moves_then_of_the_tile_before_it_takes_anything_back(tmp_path):
    people = on_with(tmp_path, holding("dolphin"))
    people.press("choose")
    people.look("play:dolphin")
    people.touch(people.touchable()[0])
    assert people.lit("chosen")
    people.press("undo")
    assert not people.lit("chosen")
    assert people.screen.subtitle == "Dolphin"
    people.press("undo")
    assert people.screen.subtitle == ""
    assert people.session.position.hands[0] == ("dolphin",)


def test_no_tile_goes_on_to_the_moves(tmp_path):
    people = on_with(tmp_path, holding("dolphin"))
    people.press("skip")
    assert people.screen.phase == "Move"


def test_with_an_empty_hand_the_phase_is_ticked_by_itself_3_5(tmp_path):
    people = on_with(tmp_path, position(SEA, phase="move"))
    assert [cell.state for cell in people.screen.cells] == ["done", "now", "todo", "todo", "todo"]


def test_the_dolphin_of_two_colours_asks_which_goes(tmp_path):
    sea = {"K7": {"explorers": {"red": 1, "yellow": 1}}, "H5": {"tile": "forest"}}
    start = position(sea, two_colours=True, phase="play_tile", hands=(("dolphin",), ()))
    people = on_with(tmp_path, start)
    people.press("choose")
    people.look("play:dolphin")
    people.touch(at("K7"))
    people.touch(at("L7"))
    assert [button.text for button in people.screen.prompt] == ["Red", "Yellow"]
    people.press("how:yellow")
    assert people.session.position.layout().at(at("L7")).explorers == {"yellow": 1}
