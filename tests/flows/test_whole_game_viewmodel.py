"""A whole game by touch alone: nothing but press, touch, hold and time, from the home screen to the podium."""

from __future__ import annotations

import pytest
from viewmodel.people import Chance, at_table, table_of

from companion.viewmodel.states import HomeScreen, PodiumScreen

TABLES = [
    pytest.param(2, {}, id="two"),
    pytest.param(2, {"two_colours": True}, id="two-with-two-colours-each"),
    pytest.param(3, {"backs": "printed"}, id="three-printed-backs"),
    pytest.param(4, {}, id="four"),
    pytest.param(4, {"overpopulation": True, "last_survivor": True, "defence": "moved"}, id="four-last-survivor"),
    pytest.param(4, {"dive_dice": True}, id="four-dive-dice"),
    pytest.param(2, {"dive_dice": True, "two_colours": True, "backs": "printed"}, id="two-dive-dice-printed"),
    pytest.param(3, {"atlantis_sinks": True, "all_equal": True, "boats_per_player": 3}, id="three-atlantis-sinks"),
]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("count", "how"), TABLES)
def test_a_game_is_played_to_the_podium_by_touch_alone(tmp_path, count, how, seed):
    people = at_table(tmp_path, seed, table_of(count, **how))
    people.start()
    Chance(people, seed).play_to_the_end()
    assert isinstance(people.screen, PodiumScreen)
    assert people.session.position.phase == "over"
    people.press("done")
    assert isinstance(people.screen, HomeScreen)
    assert people.screen.buttons[0].id == "new_game", "a finished game is not offered again"
