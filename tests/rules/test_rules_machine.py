"""Games driven by hypothesis: what must hold in every position, whatever people do."""

import json
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from kit import VARIANTS, complete, lively, start

from companion.rules import (
    BACKS,
    IllegalAction,
    apply,
    check,
    decode_position,
    encode_event,
    encode_position,
    legal_actions,
    legal_for,
    view,
)
from companion.rules.actions import Decline, Defend, EndPhase, MoveBoat, MoveCreature, Roll, SinkTile
from companion.rules.geometry import load_board

HEXES = load_board().hexes
PIECES = {"serpent": 5, "shark": 6, "whale": 5}


class Game(RuleBasedStateMachine):
    """One game: legal actions, attempts at illegal ones, and undo."""

    @initialize(variant=st.sampled_from(VARIANTS), seed=st.integers(0, 10**6))
    def deal(self, variant, seed):
        self.rng = random.Random(seed)
        self.history = [start(self.rng, *variant)]
        for _ in range(self.rng.randrange(300)):  # begin anywhere in the game
            self.go_on()

    @property
    def now(self):
        return self.history[-1]

    def go_on(self):
        if legal := legal_actions(self.now):
            action = complete(self.rng, self.now, lively(self.rng, self.now, legal))
            before = encode_position(self.now)
            self.history.append(apply(self.now, action).position)
            assert encode_position(self.history[-2]) == before, "an action changed the position it was applied to"

    @rule()
    def somebody_acts(self):
        self.go_on()

    @precondition(lambda self: len(self.history) > 1)
    @rule()
    def take_back(self):
        taken = self.history.pop()
        assert taken != self.now

    @rule(a=st.sampled_from(HEXES), b=st.sampled_from(HEXES), player=st.integers(-1, 4))
    def an_attempt(self, a, b, player):
        """Actions drawn blindly: carried out if listed, else refused, and then nothing has changed."""
        legal, before = legal_actions(self.now), encode_position(self.now)
        blind = [MoveBoat(origin=a, target=b), SinkTile(hex=a), Roll(), EndPhase(), Defend(player=player)]
        blind += [Decline(player=player), *(MoveCreature(creature=kind, origin=a, target=b) for kind in PIECES)]
        for action in blind:
            if action in legal:
                check(self.now, action)
            else:
                with pytest.raises(IllegalAction) as refusal:
                    apply(self.now, action)
                assert refusal.value.rule
        assert encode_position(self.now) == before

    @invariant()
    def every_legal_action_can_be_carried_out(self):
        legal = legal_actions(self.now)
        assert bool(legal) == (self.now.phase not in ("scoring", "over"))
        for action in self.rng.sample(legal, min(5, len(legal))):
            after, events = apply(self.now, complete(self.rng, self.now, action))
            assert after != self.now
            assert "'back': 'wind'" not in str([encode_event(event) for event in events])

    @invariant()
    def pieces_are_conserved(self):
        position = self.now
        contents = position.layout().hexes.values()
        for kind, most in PIECES.items():
            beside = getattr(position.supply, f"{kind}s", 0)
            assert sum(getattr(c, f"{kind}s") for c in contents) + beside <= most
        assert sum(c.boat is not None for c in contents) + position.supply.boats + sum(position.unplaced.boats) <= 12
        explorers = Counter(position.unplaced.explorers)
        for counts in [c.explorers for c in contents] + [c.boat or {} for c in contents]:
            explorers.update(counts)
        for counts in position.layout().safe.values():
            explorers.update(counts)
        assert all(count <= 10 for count in explorers.values())
        if position.phase == "place_explorers":
            assert set(explorers.values()) == {10}
        for terrain, deck in BACKS.items():
            assert all(n <= deck[back] for back, n in position.backs[terrain].items())
            pending = position.phase == "reveal" and position.sunk.tile == terrain
            assert sum(position.backs[terrain].values()) == sum(c.tile == terrain for c in contents) + pending

    @invariant()
    def json_gives_the_same_position_back(self):
        assert decode_position(json.loads(json.dumps(encode_position(self.now)))) == self.now

    @invariant()
    def the_shared_screen_sees_no_hand(self):
        seen = view(self.now, None)
        assert all(hand.tiles is None for hand in seen.hands)
        assert [hand.count for hand in seen.hands] == [len(hand) for hand in self.now.hands]
        if self.now.phase in ("play_tile", "reaction"):
            assert legal_for(self.now, None) == []

    @invariant()
    def nothing_is_left_unsettled(self):
        """8 holds wherever nobody is being asked."""
        if self.now.phase in ("reaction", "protect", "load_boat", "reveal"):
            return
        for content in self.now.layout().hexes.values():
            swimming = not content.tile and sum(content.explorers.values()) > content.dolphins
            assert not (content.serpents and (content.boat or swimming))
            assert not (content.whales and content.boat)
            assert not (content.sharks and swimming)


TestGame = Game.TestCase
TestGame.settings = settings(
    max_examples=25,
    stateful_step_count=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
