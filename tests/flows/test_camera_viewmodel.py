"""People play with their hands; the companion reads the table, says what it saw, and keeps the secrets."""

from __future__ import annotations

import msgspec
from viewmodel.people import People, at_table, table_of
from viewmodel.scenes import at, move_scene, on_with
from viewmodel.seen_table import SeenTable

from companion.rules.actions import PlaceBoat
from companion.rules.layout import HexContent
from companion.viewmodel.states import ContradictionScreen, SecretScreen, TurnScreen

FOREST, BEACH, SEA = HexContent(tile="forest"), HexContent(tile="beach"), HexContent()


def watched(tmp_path) -> tuple[People, SeenTable]:
    table = SeenTable()
    start = move_scene()
    table.layout = start.layout()
    people = on_with(tmp_path, start, table=table)
    table.look()
    people.wait(0.5)
    return people, table


def test_a_turn_is_played_by_hand(tmp_path):
    people, table = watched(tmp_path)
    table.put((at("E8"), FOREST), (at("E7"), HexContent(tile="beach", explorers={"red": 1})))
    people.wait(0.5)
    assert people.state.toast.text == "Ann: E8 to E7"
    assert people.screen.pips.left == 2
    people.press("done")
    table.put((at("F8"), SEA))
    people.wait(0.5)
    assert isinstance(people.screen, SecretScreen), "the tile taken off the table is to be looked at"
    people.look()
    assert isinstance(people.screen, TurnScreen)
    assert people.session.position.layout().at(at("F8")).tile is None


def test_a_forbidden_step_is_named_and_goes_away_when_it_is_put_right(tmp_path):
    people, table = watched(tmp_path)
    before = table.layout
    table.put((at("H4"), BEACH), (at("E7"), HexContent(tile="beach", explorers={"blue": 1})))
    people.wait(0.5)
    screen = people.screen
    assert isinstance(screen, ContradictionScreen)
    assert screen.rule.text.startswith("Rule 4.")
    assert screen.way_back
    table.put(*((h, before.at(h)) for h in (at("H4"), at("E7"))))
    people.wait(0.5)
    assert isinstance(people.screen, TurnScreen)
    assert people.screen.pips.left == 3


def test_a_forbidden_step_can_be_left_as_it_lies(tmp_path):
    people, table = watched(tmp_path)
    table.put((at("H4"), BEACH), (at("E7"), HexContent(tile="beach", explorers={"blue": 1})))
    people.wait(0.5)
    people.press("fix")
    table.look()
    people.wait(0.5)
    assert isinstance(people.screen, TurnScreen), "it is not asked about again until it changes"


def test_touch_and_hands_do_not_get_into_each_others_way(tmp_path):
    """What is entered by touch and not yet done on the table is a thing to do, not a contradiction."""
    people, table = watched(tmp_path)
    people.touch(at("E8"))
    people.touch(at("E7"))
    table.look()
    people.wait(0.5)
    assert [line.text for line in people.screen.lines][:1] == ["Put the explorer from E8 on E7"]
    table.put((at("E8"), FOREST), (at("E7"), HexContent(tile="beach", explorers={"red": 1})))
    people.wait(0.5)
    assert people.screen.lines[0].text == "Ann: E8 to E7"


def test_setting_up_is_followed_from_the_bare_board_to_the_first_turn_2_2_to_2_4(tmp_path):
    table = SeenTable()
    people = at_table(tmp_path, 1, table_of(2), table=table)
    people.press("new_game", "next", "next", "next", "next")
    assert people.screen.lines[0].text == "Put serpents on B1, C11, G6, K1, L10."
    assert {view.light for view in people.screen.board.hexes if view.content.tile} == {"bare"}

    start = people.session.position.layout()
    astray = HexContent(serpents=1)
    table.put(*start.hexes.items(), (at("B1"), SEA), (at("C1"), astray), (at("A5"), HexContent(sharks=1)))
    people.wait(0.5)
    assert [line.text for line in people.screen.lines][:3] == [
        "Put a serpent on B1.",
        "Take the serpent off C1.",
        "Take the pieces off A5.",
    ]
    assert people.screen.tiles == (
        ("beach", "Beach", 16, 16),
        ("forest", "Forest", 16, 16),
        ("mountain", "Mountain", 8, 8),
    )
    table.put((at("B1"), astray), (at("C1"), SEA), (at("A5"), SEA))
    people.wait(0.5)
    assert people.screen.lines[0].text == "The serpents are in their places."
    people.press("begin")

    placed = 0
    while not isinstance(people.screen, TurnScreen):
        action = people.session.legal()[0]
        taken = people.session.position.layout().at(action.hex)
        if placed == 1:
            wrong = msgspec.structs.replace(taken, explorers={"red": 1})  # it is blue's turn
            table.put((action.hex, wrong))
            people.wait(0.5)
            assert isinstance(people.screen, ContradictionScreen)
        what = {"boat": {}} if isinstance(action, PlaceBoat) else {"explorers": {action.colour: 1}}
        table.put((action.hex, msgspec.structs.replace(taken, **what)))
        people.wait(0.5)
        placed += 1
        assert len(people.session.record) == placed, "each piece is recognised as it is put down"
    assert placed == 2 * 10 + 2 * 2
