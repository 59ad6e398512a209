"""9c: the game in figures, from the podium and back."""

from __future__ import annotations

from companion.scenes.games import going_on
from companion.viewmodel.states import PodiumScreen, ReplayScreen, StatisticsScreen
from viewmodel.people import Chance, at_table, table_of
from viewmodel.scenes import at, on_with, position

OUT_OF_LUCK = {
    "F8": {"tile": "mountain", "explorers": {"red": 1}},
    "K7": {"explorers": {"blue": 2}},
}


def erupted(tmp_path):
    """Ann's tile is the volcano's."""
    people = on_with(tmp_path, position(OUT_OF_LUCK, phase="sink", backs={"mountain": {"volcano": 1}}))
    people.touch(at("F8"))
    people.press("sink")
    people.look()
    people.press("on")
    assert isinstance(people.screen, PodiumScreen)
    return people


def rows(screen):
    return {row.text: (row.counts, row.total) for row in screen.rows}


def facts(screen):
    return {fact.text: [figure.text for figure in fact.figures] for fact in screen.facts}


def test_the_podium_leads_to_the_figures_and_back(tmp_path):
    people = erupted(tmp_path)
    podium = people.screen
    people.press("statistics")
    assert isinstance(people.screen, StatisticsScreen)
    assert people.enabled() == ["back"]
    people.press("undo", "again", "done")
    assert isinstance(people.screen, StatisticsScreen)
    people.press("back")
    assert people.screen == podium


def test_a_lost_game_is_counted_11_1(tmp_path):
    people = erupted(tmp_path)
    people.press("statistics")
    screen = people.screen
    assert screen.columns == ("red", "blue")
    assert screen.sentence == "No creature took anybody."
    assert rows(screen) == {
        "Rescued": ((0, 0), 0),
        "Lost to sea serpents": ((0, 0), 0),
        "Lost to sharks": ((0, 0), 0),
        "Lost in whirlpools": ((0, 0), 0),
        "Lost to the volcano": ((1, 2), 3),
    }
    assert facts(screen) == {
        "Turns": ["1"],
        "Boats lost": ["0"],
        "Tiles sunk": ["0", "0", "1"],
        "Rolls": ["0", "0", "0"],
    }


def test_what_took_most_is_said_first_8_2_12_2():
    last_two = {"K7": {"explorers": {"red": 2}}, "J7": {"sharks": 1}}
    people = going_on(
        lambda: position(last_two, phase="roll", options={"last_survivor": True}), dice=("shark",), table=None
    )()
    people.press("roll")
    people.touch(at("J7"))
    people.touch(at("K7"))
    people.press("on", "statistics")
    assert people.screen.sentence == "The sharks were the most dangerous: they took 2 explorers."
    assert rows(people.screen)["Lost to sharks"] == ((2, 0), 2)
    assert rows(people.screen)["Left behind"] == ((0, 0), 0)


def test_a_game_of_the_list_has_its_figures_too(tmp_path):
    people = erupted(tmp_path)
    people.press("statistics")
    shown = people.screen
    people.press("back", "done", "games", people_game(people), "result", "statistics")
    assert people.screen == shown
    people.press("back", "again")
    assert isinstance(people.screen, ReplayScreen)


def people_game(people):
    return f"game:{people.vm.journal.games()[0].id}"


def test_dive_dice_have_six_faces_13_2(tmp_path):
    people = at_table(tmp_path, 1, table_of(2, dive_dice=True))
    people.start()
    Chance(people, 1).play_to_the_end()
    people.press("statistics")
    assert len(facts(people.screen)["Rolls"]) == 6
