"""13 on the screen: two blue dice, a star's choice, dolphins that protect and go along."""

from __future__ import annotations

from viewmodel.people import People
from viewmodel.scenes import at, on_with, position

DIVE = {"dive_dice": True}
SEA = {
    "E8": {"tile": "forest", "explorers": {"red": 1}},
    "H5": {"tile": "forest", "explorers": {"blue": 1}},
    "J9": {"sharks": 1, "dolphins": 1},
    "L8": {"boat": {}},
    "C3": {"serpents": 1},
}


def rolled(tmp_path, wanted: str, hexes=SEA) -> People:
    """A game in which that comes: `shark 2`, or `star` with any number; found by trying seeds."""
    for seed in range(400):
        folder = tmp_path / str(seed)
        folder.mkdir(parents=True)
        people = on_with(folder, position(hexes, phase="roll", options=DIVE), seed)
        assert people.screen.primary.text == "Roll the dice"
        people.press("roll")
        die = people.screen.die
        if die and f"{die.face} {die.second}".startswith(wanted):
            return people
    raise AssertionError(f"no seed below 400 rolls {wanted}")


def test_both_dice_are_told(tmp_path):
    people = rolled(tmp_path, "shark 2")
    assert (people.screen.die.face, people.screen.die.second, people.screen.subtitle) == ("shark", "2", "Shark")
    assert people.screen.sentence == "Move a bright piece up to 2 hexes, or touch it here."
    assert people.session.record[-1].events[0].hexes == 2


def test_a_dive_goes_to_any_empty_sea_hex_13_2(tmp_path):
    people = rolled(tmp_path, "serpent dive")
    assert people.screen.sentence == "Move a bright piece to any empty sea hex, or touch it here."
    people.touch(at("C3"))
    assert people.screen.sentence == "It dives to any empty sea hex."
    assert at("M5") in people.lit("legal")
    assert at("L8") not in people.lit("legal")


def test_a_star_leaves_the_choice_also_on_one_hex(tmp_path):
    people = rolled(tmp_path, "star 1")
    assert people.lit("legal") == {at("J9"), at("L8"), at("C3")}
    people.touch(at("J9"))
    assert [button.text for button in people.screen.prompt] == ["Shark", "Dolphin"]
    people.press("kind:dolphin")
    assert people.screen.subtitle == "Dolphin"
    people.touch(at("J10"))
    assert people.session.position.layout().at(at("J10")).dolphins == 1
    assert people.screen.lines[0].text == "Ann: dolphin J9 to J10"


def test_an_empty_boat_is_moved_by_the_dice(tmp_path):
    people = rolled(tmp_path, "boat 1")
    assert people.screen.sentence == "Move a bright piece 1 hex, or touch it here."
    people.touch(at("L8"))
    people.touch(at("L7"))
    assert people.screen.lines[0].text == "Ann: boat L8 to L7"


def test_the_owners_say_in_public_whom_the_dolphins_protect_13_4(tmp_path):
    crowd = {**SEA, "J9": {"dolphins": 1, "explorers": {"red": 1, "blue": 1}}, "J10": {"sharks": 1}}
    people = rolled(tmp_path, "shark", crowd)
    people.touch(at("J10"))
    people.touch(at("J9"))
    assert (people.screen.name, people.screen.subtitle) == ("Ann", "Shark")
    assert people.screen.sentence == "More swim at J9 than there are dolphins. How many of yours do they protect?"
    assert [button.text for button in people.screen.prompt] == ["1 swimmer", "Nobody"]
    people.press("protect:1")
    assert people.screen.name == "Bo"
    people.press("protect:0")
    assert people.session.position.layout().at(at("J9")).explorers == {"blue": 1}


def test_as_many_dolphins_as_swimmers_mean_no_danger(tmp_path):
    safe = {**SEA, "J9": {"dolphins": 1, "explorers": {"red": 1}}, "J10": {"sharks": 1}}
    people = rolled(tmp_path, "shark", safe)
    people.touch(at("J10"))
    assert at("J9") in people.lit("legal")


def test_a_swimmer_may_take_a_dolphin_along_13_5(tmp_path):
    sea = {"E8": {"tile": "forest"}, "J9": {"dolphins": 1, "explorers": {"red": 1}}}
    people = on_with(tmp_path, position(sea, options=DIVE))
    people.touch(at("J9"))
    people.touch(at("J10"))
    assert [(button.text, button.line) for button in people.screen.prompt] == [
        ("Into the sea", ""),
        ("Into the sea", "and takes a dolphin along"),
    ]
    people.press(people.screen.prompt[1].id)
    assert people.session.position.layout().at(at("J10")).dolphins == 1


def test_a_dolphin_under_a_tile_works_at_once_13_1(tmp_path):
    tile = {"F8": {"tile": "beach", "explorers": {"red": 1}}, "H5": {"tile": "forest"}}
    people = on_with(tmp_path, position(tile, phase="sink", backs={"beach": {"dolphin": 1}}, options=DIVE))
    people.touch(at("F8"))
    people.press("sink")
    card = people.look()
    assert card.text == "It works at once: a dolphin comes up where the tile was."
    assert card.strong == "Let go, and everybody sees it."
    assert people.screen.note.text == "A dolphin came up at F8."
