"""3.3, 6 on the screen: which tile, the look behind the curtain, and what everybody sees then."""

from __future__ import annotations

import pytest

from companion.viewmodel.curtain import OPENS_AFTER_S
from companion.viewmodel.states import SecretScreen, TurnScreen
from viewmodel.scenes import at, on_with, position

TILES = {
    "F8": {"tile": "beach", "explorers": {"red": 1}},
    "E8": {"tile": "forest"},
    "H5": {"tile": "forest", "explorers": {"blue": 1}},
}


def sinking(back: str, **more):
    return position(TILES, phase="sink", backs={"beach": {back: 1}}, **more)


def sunk(tmp_path, back: str, **more):
    people = on_with(tmp_path, sinking(back, **more))
    people.touch(at("F8"))
    people.press("sink")
    return people


def test_only_the_tiles_allowed_are_lit_and_the_button_waits(tmp_path):
    people = on_with(tmp_path, sinking("dolphin"))
    assert people.lit("legal") == {at("F8")}
    assert people.screen.sentence == "Take one of the bright beaches off the table, or touch it here."
    assert not people.screen.primary.enabled
    people.press("sink")
    assert people.session.position.phase == "sink", "a button that is off does nothing"


def test_another_tile_says_why_it_stays_6_1(tmp_path):
    people = on_with(tmp_path, sinking("dolphin"))
    people.touch(at("E8"))
    assert [line.text for line in people.screen.lines] == ["E8 stays: the beaches go first."]


def test_a_tile_inland_says_why_it_stays_6_2(tmp_path):
    ring = {label: {"tile": "beach"} for label in ("E7", "E8", "F7", "F8", "F9", "G7", "G8")}
    people = on_with(tmp_path, position(ring, phase="sink"))
    assert at("F8") not in people.lit("legal")
    assert [(line.text, line.tone) for line in people.screen.lines] == [
        ("F8 stays: it does not touch the sea.", "soft")
    ]
    people.touch(at("F8"))
    assert [line.text for line in people.screen.lines] == ["F8 stays: it does not touch the sea."]
    assert not people.screen.primary.enabled


def test_a_touch_chooses_the_tile_and_the_button_sinks_it(tmp_path):
    people = on_with(tmp_path, sinking("dolphin"))
    people.touch(at("F8"))
    assert people.lit("chosen") == {at("F8")}
    assert people.screen.primary.text == "Sink F8"
    people.press("undo")
    assert people.lit("chosen") == set()
    people.touch(at("F8"))
    people.press("sink")
    assert isinstance(people.screen, SecretScreen)


@pytest.mark.parametrize("back", ["shark", "whale", "boat", "whirlpool", "dolphin", "wind", "shark_defence"])
def test_the_curtain_is_the_same_for_every_back(tmp_path, back):
    if back == "whirlpool":
        start = position(
            {"E8": {"tile": "forest"}, "H5": {"tile": "forest"}}, phase="sink", backs={"forest": {back: 2}}
        )
        people = on_with(tmp_path, start)
        people.touch(at("E8"))
        people.press("sink")
    else:
        people = sunk(tmp_path, back)
    screen = people.screen
    assert isinstance(screen, SecretScreen)
    assert screen.card is None
    assert screen.title == "For Ann’s eyes"
    assert screen.text.splitlines()[1] == "Hold your red button, or this corner."
    assert (screen.corner, screen.player, screen.hold_text) == ("sw", 0, "Hold to look")


def test_it_opens_only_when_held_for_a_moment_and_shuts_at_once(tmp_path):
    people = sunk(tmp_path, "dolphin")
    people.vm.hold(0)
    people.wait(OPENS_AFTER_S - 0.05, step=0.05)
    assert people.screen.card is None
    people.wait(0.1, step=0.05)
    card = people.screen.card
    assert (card.over, card.title, card.icon) == ("Under the beach at F8", "Dolphin", "back_dolphin")
    assert card.strong == "Let go, and it is hidden."
    people.wait(0.25, step=0.05)
    people.vm.let_go(0)
    assert isinstance(people.screen, TurnScreen)


def test_who_lets_go_as_it_opens_has_not_looked(tmp_path):
    people = sunk(tmp_path, "dolphin")
    hidden = people.screen
    people.vm.hold(0)
    people.wait(OPENS_AFTER_S + 0.1, step=0.05)
    assert people.screen.card
    people.vm.let_go(0)
    people.wait(2)
    assert people.screen == hidden


def test_a_short_touch_opens_nothing_and_the_curtain_stays(tmp_path):
    people = sunk(tmp_path, "dolphin")
    hidden = people.screen
    people.vm.hold(0)
    people.wait(0.1)
    people.vm.let_go(0)
    people.wait(2)
    assert people.screen == hidden


def test_another_player_opens_nothing(tmp_path):
    people = sunk(tmp_path, "dolphin")
    hidden = people.screen
    people.vm.hold(1)
    people.wait(2)
    assert people.screen == hidden


def test_two_who_hold_open_nothing(tmp_path):
    people = sunk(tmp_path, "dolphin")
    hidden = people.screen
    people.vm.hold(0)
    people.vm.hold(1)
    people.wait(2)
    assert people.screen == hidden
    people.vm.let_go(1)
    people.wait(2)
    assert people.screen == hidden, "who was holding before has to press anew"


def test_corner_and_button_of_one_player_are_one_holder(tmp_path):
    people = sunk(tmp_path, "dolphin")
    people.vm.hold(0)
    people.vm.panel("player1", True)
    people.wait(0.75)
    assert people.screen.card
    people.vm.panel("player1", False)
    assert isinstance(people.screen, TurnScreen), "letting go of either shuts it"


def test_a_second_holder_shuts_what_was_open(tmp_path):
    people = sunk(tmp_path, "dolphin")
    people.vm.hold(0)
    people.wait(1)
    assert people.screen.card
    people.vm.hold(1)
    assert getattr(people.screen, "card", None) is None


def test_a_tile_kept_says_only_that(tmp_path):
    people = sunk(tmp_path, "dolphin")
    people.look()
    assert people.screen.phase == "Roll"
    assert people.screen.note.text == "Ann keeps the tile from F8."
    assert "F8" not in str(people.screen.lines), "once is enough"
    assert [chip.count for chip in people.screen.chips] == [1, 0]
    assert "Dolphin" not in str(people.state)


def test_a_tile_that_works_at_once_is_shown_to_all(tmp_path):
    people = sunk(tmp_path, "boat")
    card = people.look()
    assert card.title == "Boat"
    assert card.strong == "Let go, and everybody sees it."
    assert people.screen.note.text == "A boat came up at F8."
    assert people.session.position.layout().at(at("F8")).boat == {"red": 1}


def test_not_now_waits_and_the_board_tells_nothing(tmp_path):
    shown = []
    for i, back in enumerate(("dolphin", "boat", "whale")):
        folder = tmp_path / str(i)
        folder.mkdir()
        people = sunk(folder, back)
        people.press("not_now")
        shown.append(people.screen)
    assert shown[0] == shown[1] == shown[2]
    assert shown[0].sentence == "Ann has still to look under the tile from F8."
    assert [chip.count for chip in shown[0].chips] == [0, 0]
    people.press("look")
    assert isinstance(people.screen, SecretScreen)


def test_printed_backs_are_entered_behind_the_curtain(tmp_path):
    people = on_with(tmp_path, sinking("dolphin", options={"backs": "printed"}))
    people.touch(at("F8"))
    people.press("sink")
    assert isinstance(people.screen, SecretScreen)
    card = people.look("back:shark")
    assert [a.text for a in card.answers][:3] == ["Shark", "Whale", "Boat"]
    assert isinstance(people.screen, SecretScreen), "no shark is left: nothing was entered"
    people.vm.hold(0)
    people.wait(0.5)
    people.press("back:shark")
    assert people.screen.card.text == "No such tile is left. Look at it again."
    people.press("back:dolphin")
    assert people.screen.card.strong == "Dolphin: let go, and it is entered."
    people.vm.let_go(0)
    assert people.screen.phase == "Roll"
    assert people.session.position.hands[0] == ("dolphin",)


def test_the_list_of_printed_backs_is_the_same_whatever_is_left(tmp_path):
    cards = []
    for i, back in enumerate(("dolphin", "shark")):
        folder = tmp_path / str(i)
        folder.mkdir()
        people = on_with(folder, sinking(back, options={"backs": "printed"}))
        people.touch(at("F8"))
        people.press("sink")
        cards.append(people.look())
    assert cards[0] == cards[1]


def test_who_boards_is_chosen_one_at_a_time_when_more_than_three_swim_6_4(tmp_path):
    crowd = {"F8": {"tile": "beach", "explorers": {"red": 2, "blue": 2}}, "H5": {"tile": "forest"}}
    people = on_with(tmp_path, position(crowd, phase="sink", backs={"beach": {"boat": 1}}))
    people.touch(at("F8"))
    people.press("sink")
    people.look()
    assert people.screen.sentence == "Who boards the boat first?"
    people.press("board:blue")
    assert people.screen.sentence == "Who boards next?"
    people.press("again")
    assert people.screen.sentence == "Who boards the boat first?"
    people.press("board:blue", "undo")
    assert people.screen.sentence == "Who boards the boat first?"
    assert people.state.dialog is None, "Undo lets go of the choice first"
    people.press("board:blue", "board:blue")
    assert people.session.position.layout().at(at("F8")).boat == {"red": 1, "blue": 2}
    assert people.screen.phase == "Roll"


def test_the_volcano_is_said_to_all_before_anything_is_turned_over_11_1(tmp_path):
    mountain = {"F8": {"tile": "mountain", "explorers": {"red": 1}}}
    start = position(mountain, phase="sink", backs={"mountain": {"volcano": 1}}, safe={"nw": {"blue": 2}})
    people = on_with(tmp_path, start)
    people.touch(at("F8"))
    people.press("sink")
    assert people.look().title == "Volcanic eruption"
    assert people.screen.phase == "The game is over"
    assert people.screen.sentence == "The volcano has broken out. Who is not on safe land is lost."
    people.press("on")
    assert people.screen.title == "Turn over Bo’s rescued"
