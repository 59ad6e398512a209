"""3.2, 4, 5 on the screen: choosing a piece, seeing where it may go, moving it."""

from __future__ import annotations

from companion.rules.actions import MoveBoat, MoveExplorer
from companion.viewmodel.states import TurnScreen
from viewmodel.people import People
from viewmodel.scenes import BOARD, at, move_scene, on_with, position


def texts(people: People) -> list[str]:
    return [line.text for line in people.screen.lines]


def test_with_nothing_chosen_the_board_is_plain_and_every_movable_piece_can_be_touched(tmp_path):
    people = on_with(tmp_path, move_scene())
    assert isinstance(people.screen, TurnScreen)
    assert people.screen.phase == "Move"
    assert (people.screen.pips.left, people.screen.pips.total) == (3, 3)
    assert people.lit("legal", "deadly", "chosen", "veiled") == set()
    legal = people.session.legal()
    origins = {a.origin.hex if isinstance(a, MoveExplorer) else a.origin for a in legal if hasattr(a, "origin")}
    assert set(people.touchable()) == origins


def test_a_chosen_explorer_shows_where_it_may_go_and_by_what(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.touch(at("E8"))
    assert people.screen.subtitle == "Explorer on E8"
    assert people.lit("chosen") == {at("E8")}
    assert people.lit("legal") == {at("D7"), at("E7"), at("F8"), at("E9"), at("F9")}
    assert people.lit("deadly") == {at("D8")}
    assert people.screen.board.veiled
    assert texts(people) == ["D7, E7, F8 on foot", "E9: the boat has room", "E9, F9: swim", "D8: a shark is there"]
    assert people.screen.lines[-1].tone == "danger"


def test_a_touch_on_a_lit_hex_moves_it_there(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.touch(at("E8"))
    people.touch(at("E7"))
    assert people.session.position.layout().at(at("E7")).explorers == {"red": 1}
    assert people.screen.pips.left == 2
    assert texts(people)[0] == "Ann: E8 to E7"
    assert people.lit("chosen") == set()


def test_boat_or_sea_on_one_hex_is_asked_in_the_panel(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.touch(at("E8"))
    people.touch(at("E9"))
    assert [button.text for button in people.screen.prompt] == ["Into the boat", "Into the sea"]
    people.press(people.screen.prompt[0].id)
    assert people.session.position.layout().at(at("E9")).boat == {"red": 2, "blue": 1}


def test_several_things_on_a_hex_are_listed_in_the_panel(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.touch(at("E9"))
    assert people.screen.sentence == "Which of them?"
    assert [button.text for button in people.screen.prompt] == ["Explorer in the boat at E9", "Boat at E9"]
    people.press(people.screen.prompt[1].id)
    assert people.screen.subtitle == "Boat at E9"
    boats = {a.target for a in people.session.legal() if isinstance(a, MoveBoat) and a.origin == at("E9")}
    assert people.lit("legal", "deadly") == boats


def test_more_than_three_things_on_a_hex_come_one_page_after_another(tmp_path):
    crowd = {"K7": {"explorers": {"red": 1, "yellow": 1}, "boat": {"red": 1, "yellow": 1}}, "H5": {"tile": "forest"}}
    people = on_with(tmp_path, position(crowd, two_colours=True))
    people.touch(at("K7"))
    seen = []
    for page in ("1 of 3", "2 of 3", "3 of 3"):
        *answers, more = people.screen.prompt
        assert (people.screen.phase, more.line) == ("Which of them?", page)
        seen += [(button.text, button.mark) for button in answers]
        people.press("more")
    assert sorted(seen, key=str) == [
        ("Boat at K7", None),
        ("Explorer in the boat at K7", "red"),
        ("Explorer in the boat at K7", "yellow"),
        ("Swimmer at K7", "red"),
        ("Swimmer at K7", "yellow"),
    ]
    people.press("more", "piece:4")
    assert people.screen.subtitle == "Boat at K7"


def test_touching_the_piece_again_or_beside_the_board_lets_go_of_it(tmp_path):
    people = on_with(tmp_path, move_scene())
    before = people.screen
    people.touch(at("E8"))
    people.touch(at("E8"))
    assert people.screen == before
    people.touch(at("E8"))
    people.vm.touch_away()
    assert people.screen == before


def test_undo_lets_go_of_a_piece_before_it_takes_a_move_back(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.touch(at("E8"))
    assert people.screen.undo.enabled, "though nothing has been done yet"
    people.press("undo")
    assert people.lit("chosen") == set()
    people.touch(at("E8"))
    people.touch(at("E7"))
    moved = people.screen
    people.touch(at("E9"))
    assert people.screen.sentence == "Which of them?"
    people.press("undo")
    assert people.screen == moved
    assert len(people.session.record) == 1
    people.press("undo")
    assert people.session.record == ()


def test_undo_lets_go_of_the_question_how_a_piece_goes(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.touch(at("E8"))
    people.touch(at("E7"))
    moved = people.screen
    people.touch(at("D7"))
    people.touch(at("C8"))
    assert people.screen.sentence == "How does it go there?"
    people.press("undo")
    assert people.screen == moved
    assert len(people.session.record) == 1


def test_another_piece_can_be_chosen_instead(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.touch(at("E8"))
    people.touch(at("C8"))
    assert people.screen.subtitle == "Boat at C8"


def test_a_move_on_its_own_hex_is_a_button(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.touch(at("E9"))
    people.press("piece:0")
    assert [button.text for button in people.screen.prompt] == ["Into the sea"]
    people.press(people.screen.prompt[0].id)
    assert people.session.position.layout().at(at("E9")).explorers == {"red": 1}


def test_safe_land_is_touched_in_its_corner(tmp_path):
    landing = next(h for h, land in sorted(BOARD.land_at.items()) if land == "nw")
    label = BOARD.labels[landing]
    people = on_with(tmp_path, position({label: {"explorers": {"red": 1}}, "H5": {"tile": "beach"}}))
    people.touch(landing)
    assert people.screen.board.legal_lands == ("nw",)
    assert "Safe land: touch the bright corner" in texts(people)
    people.vm.touch_land("nw")
    assert people.screen.board.safe == {"nw": (("red", 1),)}
    assert texts(people)[0] == "Ann: one explorer is on safe land"


def test_of_two_in_a_boat_one_of_whom_has_swum_it_is_asked_which_goes(tmp_path):
    start = position(
        {"E9": {"boat": {"red": 2}}, "E10": {"boat": {}}, "H5": {"tile": "beach"}},
        swum=[{"hex": list(at("E9")), "on": "boat", "colour": "red", "count": 1}],
    )
    people = on_with(tmp_path, start)
    people.touch(at("E9"))
    people.press("piece:0")
    people.touch(at("E10"))
    assert [button.line for button in people.screen.prompt] == ["", "has swum this turn"]
    people.press(people.screen.prompt[1].id)
    assert [s.hex for s in people.session.position.swum] == [at("E10")]


def test_touching_the_phase_cell_lights_what_is_legal_in_it(tmp_path):
    people = on_with(tmp_path, move_scene())
    people.press("cell:move")
    assert people.lit("legal") == set(people.touchable())


def test_done_moving_goes_on_to_sinking(tmp_path):
    people = on_with(tmp_path, move_scene())
    assert people.screen.primary.text == "Done moving"
    people.press("done")
    assert people.screen.phase == "Sink a tile"


def test_a_hex_that_cannot_be_chosen_does_nothing(tmp_path):
    people = on_with(tmp_path, move_scene())
    before = people.state
    people.touch(at("M5"))
    people.press("no_such_button")
    assert people.state == before


def test_who_has_never_moved_is_told_how_and_not_again(tmp_path):
    people = on_with(tmp_path, move_scene())
    assert people.screen.sentence == "Touch one of your pieces, then where it goes."
    people.touch(at("E8"))
    assert people.screen.sentence == ""
    people.touch(next(iter(people.lit("legal"))))
    assert people.screen.sentence == ""
