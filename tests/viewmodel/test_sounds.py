"""Sounds tell what everybody has seen and nothing of a secret: games that differ in secrets only sound the same."""

from __future__ import annotations

from typing import get_args

import pytest

from companion.table.follow import Settled
from companion.table.reconcile import Contradiction
from companion.viewmodel.preferences.model import Preferences
from companion.viewmodel.sounds import Sound
from companion.viewmodel.states import DefenceScreen, SecretScreen
from hardware.sound import TUNES
from viewmodel.fake_table import FakeTable
from viewmodel.people import Chance, People, at_table, table_of
from viewmodel.scenes import at, move_scene, on_with, position
from viewmodel.test_secrets import HIDDEN_ONLY, ISLAND, a_turn

ANSWER_S = Preferences().answer_s


def test_every_sound_can_be_played():
    assert set(get_args(Sound)) == set(TUNES)


def listening(folder, start, **more) -> tuple[People, list[tuple[float, str]]]:
    """People at that position, and what they hear with the time of it."""
    folder.mkdir(exist_ok=True)
    heard: list[tuple[float, str]] = []
    people = on_with(folder, start, play_sound=lambda sound, _volume: heard.append((people.now, sound)), **more)
    return people, heard


def sounds(heard) -> list[str]:
    return [sound for _now, sound in heard]


def test_a_turn_is_heard_as_it_goes(tmp_path):
    people, heard = listening(tmp_path, position(ISLAND, phase="sink", backs={"beach": {"wind": 2}}))
    people.touch(at("F8"))
    assert heard == []
    people.press("sink")
    assert sounds(heard) == ["sunk"]
    people.look()
    assert sounds(heard) == ["sunk"], "a look is not heard"
    people.press("roll")
    assert sounds(heard) == ["sunk", "roll"]
    people.press("leave")
    assert sounds(heard) == ["sunk", "roll", "turn"]
    people.press("undo")
    assert len(heard) == 3, "taking back is not heard"


def test_a_roll_for_nothing_is_a_roll(tmp_path):
    bare = {"E8": {"tile": "forest", "explorers": {"red": 1}}, "H4": {"tile": "forest", "explorers": {"blue": 1}}}
    people, heard = listening(tmp_path, position(bare, phase="roll"))
    people.press("roll")
    assert sounds(heard) == ["roll"]


def test_games_that_differ_in_hidden_tiles_only_sound_the_same_up_to_the_reveal(tmp_path):
    told = []
    for i, (ann, bo, beaches) in enumerate(HIDDEN_ONLY):
        start = position(ISLAND, phase="play_tile", hands=(ann, bo), backs={"beach": beaches})
        people, heard = listening(tmp_path / str(i), start)
        a_turn(people, "F8")
        people.press("not_now", "menu", "close", "hand", "close", "look")
        people.look()
        told.append(list(heard))
    assert told[0]
    assert all(heard == told[0] for heard in told[1:])


def test_what_was_kept_never_sounds_later(tmp_path):
    told = []
    for back in ("dolphin", "wind", "move_serpent"):
        hands = (("move_whale",), ("move_shark",))
        start = position(ISLAND, phase="play_tile", hands=hands, backs={"beach": {back: 1, "shark_defence": 1}})
        people, heard = listening(tmp_path / back, start)
        a_turn(people, "F8")
        people.look()
        people.press("roll")
        people.wait(3)
        if people.screen.phase == "Rolled":
            people.press("leave")
        people.press("skip", "done")
        told.append(heard)
    assert told[0] == told[1] == told[2]
    assert sounds(told[0])[-1] == "turn"


SEA = {
    "E8": {"tile": "forest", "explorers": {"red": 1}},
    "I9": {"explorers": {"blue": 1, "yellow": 1}, "sharks": 1},
}


def test_a_defence_sounds_the_same_whatever_is_held_and_answered(tmp_path):
    threat = {"creature": "shark", "hex": list(at("I9")), "asked": [1, 2], "resume": "creature"}
    cases = [(hand, answer) for hand in ((), ("shark_defence",)) for answer in ((), ("play",), ("let",))]
    told = []
    for i, (hand, answer) in enumerate(cases):
        start = position(SEA, players=3, phase="reaction", die="shark", threat=threat, hands=((), hand, ()))
        people, heard = listening(tmp_path / str(i), start)
        assert isinstance(people.screen, DefenceScreen)
        people.press("look")
        people.vm.hold(1)
        people.wait(1)
        for button_id in answer:
            people.vm.press(button_id)
        people.vm.let_go(1)
        people.wait(ANSWER_S)
        assert isinstance(people.screen, DefenceScreen), "the next one is asked"
        people.press("look")
        people.wait(ANSWER_S)
        told.append([(now, sound) for now, sound in heard if sound == "time"])
        assert sounds(heard)[:2] == ["time", "time"], "and nothing before"
    assert all(heard == told[0] for heard in told[1:])


def test_a_hand_looked_at_is_not_heard(tmp_path):
    people, heard = listening(tmp_path, position(ISLAND, hands=(("dolphin",), ("wind",))))
    people.press("hand", "hand:1")
    people.look()
    assert heard == []


def contradicted(tmp_path, start=None):
    table = FakeTable()
    people, heard = listening(tmp_path, start or move_scene(), table=table)
    table.state = Contradiction(hexes=(at("D7"),), rule="4.4", message="", way_back=())
    people.wait(1)
    return people, table, heard


def test_something_wrong_is_heard_once_and_again_when_it_has_been_put_right(tmp_path):
    people, table, heard = contradicted(tmp_path)
    table.state = Contradiction(hexes=(at("D7"), at("E8")), rule="4.4", message="", way_back=())
    people.wait(1)
    assert sounds(heard) == ["wrong"]
    table.state = Settled()
    people.wait(1)
    assert sounds(heard) == ["wrong", "right"]


@pytest.mark.parametrize("way", [("fix",), ("menu", "camera")])
def test_what_is_settled_by_touch_needs_no_sound(tmp_path, way):
    people, _table, heard = contradicted(tmp_path)
    people.press(*way)
    people.wait(1)
    assert sounds(heard) == ["wrong"]


def test_behind_a_curtain_the_table_is_not_heard(tmp_path):
    start = position(ISLAND, phase="sink", backs={"beach": {"wind": 2}})
    table = FakeTable()
    people, heard = listening(tmp_path, start, table=table)
    people.touch(at("F8"))
    people.press("sink")
    heard.clear()
    assert isinstance(people.screen, SecretScreen)
    table.state = Contradiction(hexes=(at("E4"),), rule="4.4", message="", way_back=())
    people.wait(1)
    assert heard == []
    people.look()
    people.wait(0.5)
    assert sounds(heard) == ["wrong"], "now it is on the screen"


def test_through_a_whole_game_nothing_is_heard_while_a_card_is_open(tmp_path):
    heard: list[str] = []

    def hear(sound: str, _volume: int) -> None:
        assert getattr(people.screen, "card", None) is None or sound == "time"
        heard.append(sound)

    people = at_table(tmp_path, 4, table_of(4), play_sound=hear)
    people.start()
    Chance(people, 4).play_to_the_end()
    assert {"turn", "roll", "sunk"} <= set(heard) <= {"turn", "roll", "sunk", "time"}


def test_sounds_are_as_loud_as_people_like_at_that_moment_or_not_there(tmp_path):
    loud: list[int] = []
    quiet = Preferences(volume=30)
    people = on_with(tmp_path, move_scene(phase="roll"), play_sound=lambda _s, v: loud.append(v), preferences=quiet)
    people.press("menu", "settings", "group:sound", "sound", "back", "roll")
    assert loud == []
    people.press("undo", "agree:0", "agree:1")
    people.press("menu", "settings", "group:sound", "sound")
    people.vm.slide("volume", 90, done=True)
    people.press("back", "roll")
    assert loud == [90]
