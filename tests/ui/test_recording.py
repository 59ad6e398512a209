"""The moving picture of the README: its turn can be played as it is written, and it is small enough to be looked at."""

from __future__ import annotations

from PIL import Image
from recording import FILE, TURN, let_go, play

from companion.scenes.games import midgame
from companion.viewmodel.states import DefenceScreen, Die, SecretScreen, TurnScreen


def test_the_recorded_turn_goes_from_the_first_move_to_the_shark() -> None:
    people = midgame("shark", "dolphin")()
    screens, dice = [], []
    for beat in TURN:
        player = people.screen.player if isinstance(people.screen, SecretScreen) else None
        before = people.state
        play(people, beat)
        people.wait(1)
        assert people.state != before or not (beat.hex or beat.button or beat.holds), beat
        screens.append(type(people.screen))
        dice += [die for die in [getattr(people.screen, "die", None)] if isinstance(die, Die)]
        let_go(people, beat, player)
    assert {TurnScreen, SecretScreen, DefenceScreen} == set(screens)
    assert dice[-1].face == "shark"


def test_its_file_is_small_and_has_a_picture_for_every_beat() -> None:
    assert FILE.stat().st_size < 1_500_000
    with Image.open(FILE) as film:
        assert getattr(film, "n_frames", 1) >= len(TURN)
