"""3: a table is taken over; what the camera has misread people put right first, by touch."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.rules.layout import HexContent, Layout
from companion.viewmodel.states import NewGameScreen, SetupScreen, TurnScreen
from companion.viewmodel.words import BOARD
from viewmodel.fake_table import FakeTable
from viewmodel.people import People, at_table, correct, table_of
from viewmodel.scenes import at

TILES = dict(zip(BOARD.island, ["beach"] * 12 + ["forest"] * 16 + ["mountain"] * 8, strict=False))
TRUTH = Layout(
    hexes={
        **{h: HexContent(tile=tile) for h, tile in TILES.items()},
        at("A1"): HexContent(serpents=1),
        at("A2"): HexContent(explorers={"red": 1}),
        at("B1"): HexContent(boat={"red": 1, "blue": 2}),
        at("A4"): HexContent(explorers={"blue": 1}, whales=1),
    },
    safe={"nw": {"red": 2}},
)
ISLAND_HEX = BOARD.island[0]


def misread(**wrong: HexContent) -> Layout:
    return Layout(hexes={**TRUTH.hexes, **{at(name): content for name, content in wrong.items()}}, safe=TRUTH.safe)


def taking_over(tmp_path, layout: Layout | None, count: int = 2, **options) -> tuple[People, FakeTable]:
    table = FakeTable(layout)
    people = at_table(tmp_path, 1, table_of(count, laying="in progress", **options), table=table)
    people.press("new_game", "next", "next", "next", "next")
    assert isinstance(people.screen, SetupScreen)
    return people, table


def answer(people: People, button_id: str) -> str:
    """What a button among the answers says, however many presses on "More" away."""
    for _ in range(10):
        found = [button.text for button in people.screen.prompt if button.id == button_id]
        if found:
            return found[0]
        people.press("more")
    raise AssertionError(f"no answer {button_id}")


def test_three_misread_hexes_are_put_right_and_the_game_goes_on_from_the_truth(tmp_path):
    people, _table = taking_over(
        tmp_path,
        misread(A1=HexContent(sharks=1), A2=HexContent(), B1=HexContent(explorers={"red": 1, "blue": 2})),
    )
    for name in ("A1", "A2", "B1"):
        correct(people, at(name), TRUTH.at(at(name)))
    people.press("begin")
    assert isinstance(people.screen, TurnScreen)
    assert people.session.position.layout() == TRUTH


def test_a_touched_hex_is_chosen_and_a_second_touch_or_one_beside_lets_it_go(tmp_path):
    people, _table = taking_over(tmp_path, TRUTH)
    assert people.screen.hint == "Touch what is wrong or hatched, and say what stands there."
    people.touch(at("A1"))
    assert people.lit("chosen") == {at("A1")}
    assert people.screen.sentence == "What stands on A1?"
    people.touch(at("A2"))
    assert people.lit("chosen") == {at("A2")}
    people.touch(at("A2"))
    assert people.lit("chosen") == set()
    people.touch(at("A1"))
    people.vm.touch_away()
    assert people.screen.prompt == ()


def test_the_answers_say_what_is_there_now_and_come_round_again(tmp_path):
    people, _table = taking_over(tmp_path, TRUTH)
    people.touch(ISLAND_HEX)
    seen = []
    for _ in range(4):
        seen.append(answer(people, "tile"))
        people.press("tile")
    assert seen == ["Tile: beach", "Tile: forest", "Tile: mountain", "Tile: none"]
    assert answer(people, "explorers:red") == "Red: 0"
    people.touch(at("A4"))
    assert "tile" not in [button.id for button in people.screen.prompt], "a tile lies on the island only (2.2)"
    assert answer(people, "explorers:blue") == "Blue, swimming: 1"
    people.press(*["explorers:blue"] * 4)
    assert answer(people, "explorers:blue") == "Blue, swimming: 0"
    assert answer(people, "whales") == "Whales: 1"
    people.press("whales", "whales")
    assert answer(people, "whales") == "Whales: 0"
    assert answer(people, "boat") == "Boat: none"
    people.press("boat")
    assert answer(people, "boat") == "Boat: empty"
    people.press(*["passengers:red"] * 2)
    assert answer(people, "boat") == "Boat: 2 aboard"
    people.press("passengers:blue")
    assert answer(people, "passengers:blue") == "Blue, in the boat: 1"
    people.press("passengers:blue")
    assert answer(people, "passengers:blue") == "Blue, in the boat: 0", "three in all (5.1)"


def test_on_a_tile_stand_explorers_alone(tmp_path):
    h = ISLAND_HEX
    layout = Layout(hexes={**TRUTH.hexes, h: HexContent(explorers={"red": 1}, boat={"blue": 1}, sharks=1)})
    people, _table = taking_over(tmp_path, layout)
    people.touch(h)
    people.press("tile")
    shown = next(view.content for view in people.screen.board.hexes if view.hex == h)
    assert shown == HexContent(tile="beach", explorers={"red": 1})


def test_a_colour_that_nobody_plays_can_be_taken_away(tmp_path):
    people, _table = taking_over(tmp_path, misread(A2=HexContent(explorers={"green": 1})))
    people.press("begin")
    assert people.screen.note.text == "There are green explorers on the table, but nobody plays green."
    correct(people, at("A2"), TRUTH.at(at("A2")))
    people.press("begin")
    assert people.session.position.layout() == TRUTH


def test_dolphins_are_asked_about_with_the_dive_dice_only_13_1(tmp_path):
    people, _table = taking_over(tmp_path / "without", TRUTH)
    people.touch(at("A1"))
    with pytest.raises(AssertionError):
        answer(people, "dolphins")
    people, _table = taking_over(tmp_path / "with", TRUTH, dive_dice=True)
    people.touch(at("A1"))
    assert answer(people, "dolphins") == "Dolphins: 0"


def test_a_corrected_hex_keeps_the_peoples_word_until_back(tmp_path):
    people, table = taking_over(tmp_path, misread(A1=HexContent(sharks=1)))
    correct(people, at("A1"), TRUTH.at(at("A1")))
    table.layout = misread(A1=HexContent(whales=1), A2=HexContent(explorers={"red": 3}))
    people.wait(0.5)
    shown = {view.hex: view.content for view in people.screen.board.hexes}
    assert shown[at("A1")] == HexContent(serpents=1)
    assert shown[at("A2")] == HexContent(explorers={"red": 3})
    people.press("back")
    assert isinstance(people.screen, NewGameScreen)
    assert people.screen.step == len(people.screen.steps) - 1, "what was chosen need not be chosen again"
    people.press("next")
    shown = {view.hex: view.content for view in people.screen.board.hexes}
    assert shown[at("A1")] == HexContent(whales=1)


def test_hexes_that_could_not_be_seen_block_until_people_have_said_what_stands_there(tmp_path):
    hidden = frozenset({at("A1"), at("M5")})
    rest = {h: content for h, content in TRUTH.hexes.items() if h not in hidden}
    people, _table = taking_over(tmp_path, replace(TRUTH, hexes=rest, unknown=hidden))
    assert people.lit("hidden") == hidden
    assert not people.screen.primary.enabled
    correct(people, at("A1"), TRUTH.at(at("A1")))
    assert not people.screen.primary.enabled
    people.touch(at("M5"))
    people.vm.touch_away()
    assert people.lit("hidden") == {at("M5")}, "nobody has said anything about it"
    people.touch(at("M5"))
    people.press("done")
    people.press("begin")
    assert people.session.position.layout() == TRUTH


def test_a_safe_land_can_be_put_right(tmp_path):
    people, _table = taking_over(tmp_path, replace(TRUTH, safe={"nw": {"red": 3}, "se": {"blue": 1}}))
    people.vm.touch_land("nw")
    assert people.screen.sentence == "Who is on this safe land?"
    assert people.screen.board.legal_lands == ("nw",)
    assert answer(people, "explorers:red") == "Red: 3"
    people.press(*["explorers:red"] * 10)
    assert answer(people, "explorers:red") == "Red: 2", "none after ten"
    people.press("done")
    people.vm.touch_land("se")
    people.press(*["explorers:blue"] * 10, "done", "begin")
    assert people.session.position.layout() == TRUTH


def test_a_player_with_nobody_left_is_named_and_may_still_go_on(tmp_path):
    people, _table = taking_over(tmp_path, TRUTH, count=4)
    assert people.screen.note.text == "Olena and Maja have no explorer on the board or on safe land."
    correct(people, at("A4"), HexContent(explorers={"blue": 1, "green": 1}, whales=1))
    assert people.screen.note.text == "Olena has no explorer on the board or on safe land."
    people.press("begin")
    assert isinstance(people.screen, TurnScreen)


def test_without_a_picture_there_is_nothing_to_touch(tmp_path):
    people, _table = taking_over(tmp_path, None)
    people.touch(at("A1"))
    people.vm.touch_land("nw")
    assert people.screen.sentence == "Waiting for a clear view of the whole board."
    assert people.touchable() == []
    assert people.screen.hint == ""
