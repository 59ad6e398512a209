"""The engine against the naive reading of the rules: what is legal, and what it does, under every option."""

import json
import random

import naive
import naive_apply
import pytest
from kit import VARIANTS, complete, random_game, scattered

from companion.rules import (
    IllegalAction,
    apply,
    check,
    decode_position,
    encode_action,
    encode_position,
    legal_actions,
)
from companion.rules.actions import EndPhase, Roll


def canonical(actions):
    return sorted(json.dumps(action, sort_keys=True) for action in actions)


def agree_on(position, action, after):
    """What the action does, action and position as JSON."""
    naively = naive_apply.apply(encode_position(position), encode_action(action))
    assert naive_apply.comparable(naively) == naive_apply.comparable(encode_position(after)), encode_action(action)


def agree(position, legal):
    listed = canonical(map(encode_action, legal))
    assert listed == canonical(naive.legal(encode_position(position)))
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_the_engine_lists_what_the_text_of_the_rules_allows_throughout_a_game(variant):
    options, seats = VARIANTS[variant]
    for ply, (position, action, legal) in enumerate(random_game(f"differential {variant}", options, seats)):
        if ply < 60 or ply % 7 == 0:
            agree(position, legal)
        if action is not None:
            agree_on(position, action, apply(position, action).position)


@pytest.mark.parametrize("part", range(8))
def test_the_engine_does_what_the_text_of_the_rules_says_in_crowded_positions(part):
    for n in range(40):
        rng = random.Random(f"scattered {part} {n}")
        position = decode_position(scattered(rng))
        for _ in range(5):
            if not (legal := legal_actions(position)):
                break
            agree(position, legal)
            for choice in rng.sample(legal, min(4, len(legal))):
                action = complete(rng, position, choice)
                after = apply(position, action).position
                agree_on(position, action, after)
                assert decode_position(encode_position(after)) == after
            position = after


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_what_is_not_listed_is_refused(variant):
    """Whatever was legal somewhere in a game is either listed now or refused now."""
    options, seats = VARIANTS[variant]
    seen = {}
    rng = random.Random(variant)
    for ply, (position, _, legal) in enumerate(random_game(f"refusal {variant}", options, seats)):
        for action in legal:
            seen.setdefault(json.dumps(encode_action(action), sort_keys=True), action)
        if ply % 5:
            continue
        now = set(canonical(map(encode_action, legal)))
        for text, action in rng.sample(list(seen.items()), min(40, len(seen))):
            if text in now:
                check(position, action)
            else:
                with pytest.raises(IllegalAction) as refusal:
                    check(position, action)
                assert (refusal.value.rule == "3") == out_of_phase(position, action)


PHASES = {
    "place_explorers": "PlaceExplorer",
    "place_boats": "PlaceBoat",
    "play_tile": "PlayTile",
    "move": "MoveExplorer MoveBoat",
    "sink": "SinkTile",
    "reveal": "Reveal",
    "load_boat": "LoadBoat",
    "roll": "Roll",
    "creature": "MoveCreature",
    "reaction": "Defend Decline",
    "protect": "Protect",
}


def out_of_phase(position, action):
    if isinstance(action, EndPhase):
        return position.phase not in ("play_tile", "move", "creature")
    assert not (isinstance(action, Roll) and position.phase == "roll"), "a roll is always legal"
    return type(action).__name__ not in PHASES.get(position.phase, "")
