"""3.5, 6.5, 9.3: nobody learns from an answer what is in another's hand or under a tile."""

import random

import pytest
from kit import act, after, move, random_game, sail, sink, swim_creature, table

from companion.rules import (
    BACKS,
    WHEN,
    apply,
    decode_position,
    encode_event,
    encode_position,
    encode_view,
    legal_actions,
    legal_for,
    notation,
    public_action,
    to_act,
    view,
)
from companion.rules.actions import Defend, PlayTile, Reveal, SinkTile

SECRET = [back for back, when in WHEN.items() if when != "at once"]


def swapped(rng, position, viewer):
    """The same position with other secrets: tiles in others' hands exchanged for backs still under tiles."""
    data = encode_position(position)
    for player, hand in enumerate(data["hands"]):
        for i, mine in enumerate(hand):
            choices = [
                (left, back)
                for terrain, left in data["backs"].items()
                for back in left
                if back in SECRET and left[back] and left.get(mine, 0) < BACKS[terrain].get(mine, 0)
            ]
            if player != viewer and choices:
                left, back = rng.choice(choices)
                left[back] -= 1
                left[mine] = left.get(mine, 0) + 1
                hand[i] = back
    return decode_position(data)


@pytest.mark.parametrize("seed", range(3))
def test_neither_views_nor_answers_depend_on_others_secrets(seed):
    rng = random.Random(seed)
    compared = 0
    for position, action, _ in random_game(f"secrets {seed}", seats=3):
        if action is None or not any(position.hands):
            continue
        for viewer in (None, 0, 1, 2):
            other = swapped(rng, position, viewer)
            if other == position:
                continue
            compared += 1
            assert view(other, viewer) == view(position, viewer)
            assert encode_view(view(other, viewer)) == encode_view(view(position, viewer))
            assert sorted(map(str, legal_for(other, viewer))) == sorted(map(str, legal_for(position, viewer)))
            if isinstance(action, PlayTile | Defend | SinkTile | Reveal):
                continue  # the tile itself may not be there in the other position
            told = [encode_event(event) for event in apply(position, action).events]
            assert told == [encode_event(event) for event in apply(other, action).events]
            assert notation(other, action) == notation(position, action)
    assert compared > 100


def test_a_hand_is_a_number_to_all_but_its_player():
    position = table({"G5": "beach red"}, hands=[["wind", "dolphin"], ["shark_defence"]])
    hands = {viewer: [(h.count, h.tiles) for h in view(position, viewer).hands] for viewer in (None, 0, 1)}
    assert hands[None] == [(2, None), (1, None)]
    assert hands[0] == [(2, ("dolphin", "wind")), (1, None)]
    assert hands[1] == [(2, None), (1, ("shark_defence",))]
    for viewer in (-1, 2):
        with pytest.raises(ValueError, match="viewer"):
            view(position, viewer)


def test_what_may_be_played_is_for_the_players_own_eyes():
    position = table({"G5": "beach red", "E3": "serpent"}, phase="play_tile", hands=[["move_serpent"], []])
    assert legal_for(position, None) == legal_for(position, 1) == []
    assert legal_for(position, 0) == legal_actions(position)
    printed = table({"G5": "beach", "G7": "beach"}, phase="sink", options={"backs": "printed"})
    printed = after(printed, sink("G5"))
    assert legal_for(printed, None) == legal_for(printed, 1) == []
    assert {action.back for action in legal_for(printed, 0)} == set(BACKS["beach"])
    asked = table({"G5": "beach blue", "G7": "beach"}, phase="sink", hands=[[], ["shark_defence"]])
    asked = after(asked, sink("G5", "shark"))
    assert to_act(asked) == 1
    assert legal_for(asked, 0) == []
    assert len(legal_for(asked, 1)) == 2


def test_a_forced_back_that_goes_into_the_hand_is_not_told():
    position = table({"G5": "beach red", "G7": "beach"}, phase="sink", backs={"beach": {"wind": 1, "shark": 1}})
    assert public_action(position, sink("G5", "wind")) == sink("G5")
    assert public_action(position, sink("G5", "shark")) == sink("G5", "shark")
    assert notation(position, sink("G5", "wind")) == "Ann: sinks beach G5, kept"
    assert notation(position, sink("G5", "shark")) == "Ann: sinks beach G5, shark"
    assert "wind" not in str([encode_event(e) for e in apply(position, sink("G5", "wind")).events])


def test_a_revealed_back_that_goes_into_the_hand_is_not_told():
    position = table(
        {"G5": "beach red", "G7": "beach"},
        phase="sink",
        backs={"beach": {"wind": 1, "shark": 1}},
        options={"backs": "printed"},
    )
    position = after(position, sink("G5"))
    assert public_action(position, act("reveal", back="wind")) is None
    assert public_action(position, act("reveal", back="shark")) == act("reveal", back="shark")
    assert notation(position, act("reveal", back="wind")) == "Ann: turns over: kept"


def test_notation_reads_like_a_sentence():
    position = table({"G5": "beach red", "G4": "beach", "G6": "boat:red", "C1": "red"})
    assert notation(position, move("red", "G5", "G4")) == "Ann: red G5-G4"
    assert notation(position, move("red", "G6 boat", "G6 sea")) == "Ann: red G6 boat-G6 sea"
    assert notation(position, move("red", "C1 sea", "safe nw")) == "Ann: red C1 sea-safe nw"
    assert notation(position, sail("G6", "G7")) == "Ann: boat G6-G7"
    assert notation(position, swim_creature("shark", "G6", "G7")) == "Ann: shark G6-G7"
    assert notation(position, act("end_phase")) == "Ann: ends move"
    assert notation(position, act("score", colour="blue", values=[6, 1])) == "Bo: blue scores 6+1"
