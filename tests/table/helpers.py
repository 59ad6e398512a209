"""Games, tables and pictures for the tests of this folder. Everything random comes from a seed the test names."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping

import msgspec

from companion.rules import EXPLORER_VALUES, Options, Player, Position, apply, legal_actions, new_game
from companion.rules.actions import Action, Score
from companion.rules.geometry import Hex, load_board
from companion.rules.layout import COLOURS, EMPTY, LANDS, HexContent, Layout
from companion.table import Session
from companion.table.dealer import Dealer
from companion.vision.observation import (
    HexEvidence,
    HexHypothesis,
    HiddenBy,
    LandEvidence,
    LandHypothesis,
    Observation,
)

BOARD = load_board()
PEOPLE = (Player("Ann", ("red",)), Player("Bo", ("blue",)), Player("Cy", ("yellow",)))


def random_action(position: Position, rng: random.Random) -> Action:
    """Any legal action; while scoring, values that may be."""
    if position.phase != "scoring":
        return rng.choice(legal_actions(position))
    colour = next(c for c in COLOURS if position.safe.get(c) and c not in position.scores)
    return Score(colour=colour, values=tuple(rng.sample(EXPLORER_VALUES, sum(position.safe[colour].values()))))


def random_game(
    seed: int, players: tuple[Player, ...] = PEOPLE, options: Options | None = None
) -> list[tuple[Position, Action]]:
    """A game of random legal actions, each with the position before it; the actions carry their outcomes."""
    rng = random.Random(seed)
    dealer = Dealer(seed)
    position = new_game(players, options or Options(), dealer.tiles())
    game = []
    while position.phase != "over" and len(game) < 600:  # by chance alone the last survivor may wander about for ever
        action = dealer.complete(position, random_action(position, rng))
        game.append((position, action))
        position = apply(position, action).position
    return game


def play_at_random(session: Session, steps: int, seed: int) -> None:
    """Random legal actions until so many have been done."""
    rng = random.Random(seed)
    while len(session.record) < steps:
        session.do(random_action(session.position, rng))


class Camera:
    """Makes observations of layouts, as a good recogniser would: sure of most hexes, in some doubt about a few."""

    def __init__(self, seed: int, doubt: float = 0.15) -> None:
        self._rng = random.Random(seed)
        self._doubt = doubt
        self._frame = 0
        self._waited_s = 0.0

    def wait(self, seconds: float) -> None:
        """The table keeps still meanwhile: no pictures of it are looked at."""
        self._waited_s += seconds

    def look(
        self,
        layout: Layout,
        hidden: Mapping[Hex, HiddenBy] | None = None,
        moving: bool = False,
        sure: Collection[Hex] = (),
        looks: Mapping[Hex, int] | None = None,
    ) -> Observation:
        """One picture. In every so many hexes a wrong reading comes close, never on those in `sure`.

        `looks`: the numbers of looks that are known again.
        """
        self._frame += 1
        veiled = hidden or {}
        return Observation(
            frame=self._frame,
            time=self._frame / 5 + self._waited_s,
            hexes=tuple(
                HexEvidence(h, hidden=veiled[h])
                if h in veiled
                else HexEvidence(h, self._readings(layout.at(h), h in sure), look=(looks or {}).get(h, 0))
                for h in BOARD.hexes
            ),
            safe=tuple(
                LandEvidence(
                    land,
                    (
                        LandHypothesis(layout.safe.get(land, {}), 0.93),
                        LandHypothesis({**layout.safe.get(land, {}), "red": 9}, 0.04),
                    ),
                )
                for land in LANDS
            ),
            moving=moving,
        )

    def _readings(self, content: HexContent, sure: bool) -> tuple[HexHypothesis, ...]:
        wrong = self._misread(content)
        if not sure and self._rng.random() < self._doubt:
            p = self._rng.uniform(0.6, 0.8)
            return HexHypothesis(content, p), HexHypothesis(wrong, 0.95 - p)
        p = self._rng.uniform(0.96, 0.995)
        return HexHypothesis(content, p), HexHypothesis(wrong, (1 - p) / 2)

    def _misread(self, content: HexContent) -> HexContent:
        """What a recogniser takes it for when it errs: one explorer more or fewer, another colour, another creature."""
        replace = msgspec.structs.replace
        if content.explorers and self._rng.random() < 0.7:
            colour, n = self._rng.choice(sorted(content.explorers.items()))
            rest = {c: m for c, m in content.explorers.items() if c != colour}
            return replace(content, explorers={**rest, colour: n + 1} if self._rng.random() < 0.5 else rest)
        if content.sharks and not content.whales:
            return replace(content, sharks=content.sharks - 1, whales=1)
        if content == EMPTY:
            return HexContent(explorers={self._rng.choice(COLOURS): 1})
        return replace(content, explorers={**content.explorers, self._rng.choice(COLOURS): 3})
