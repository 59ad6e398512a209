"""Plies a second of random play: these rules against python-chess, on the same machine, by the same loop.

Both list the legal actions as a list, choose one at random and carry it out, whole games to their end, seeded. Ours
also draws what chance adds. `python -m bench.rules [seconds]`; the figure that counts is the ratio, best of three.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import chess

from companion.rules import TILE_DECK, Options, Player, apply, legal_actions, new_game, outcomes, with_outcome
from companion.rules.geometry import load_board
from companion.rules.layout import COLOURS

ROUNDS = 3


class Tally(NamedTuple):
    plies: int
    actions: int


def play_atlantis(rng: random.Random) -> Tally:
    """One game to the volcano, with two to four players."""
    deck = list(TILE_DECK)
    rng.shuffle(deck)
    players = [Player(name=colour, colours=(colour,)) for colour in COLOURS[: rng.randint(2, 4)]]
    position = new_game(players, Options(), dict(zip(load_board().island, deck, strict=True)))
    plies = actions = 0
    while legal := list(legal_actions(position)):
        action = rng.choice(legal)
        if possible := outcomes(position, action):
            faces, weights = zip(*possible, strict=True)
            action = with_outcome(action, rng.choices(faces, weights)[0])
        position = apply(position, action).position
        plies += 1
        actions += len(legal)
    return Tally(plies, actions)


def play_chess(rng: random.Random) -> Tally:
    """One game to mate, stalemate or 200 plies."""
    board = chess.Board()
    plies = actions = 0
    while plies < 200 and (legal := list(board.legal_moves)):
        board.push(rng.choice(legal))
        plies += 1
        actions += len(legal)
    return Tally(plies, actions)


def measure(play: Callable[[random.Random], Tally], seconds: float, seed: int) -> tuple[float, float]:
    """Plies a second and mean number of legal actions."""
    rng = random.Random(seed)
    plies = actions = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        tally = play(rng)
        plies += tally.plies
        actions += tally.actions
    return plies / spent, actions / plies


def main(seconds: float = 3.0) -> float:
    """Print both figures, taken in turns; return the ratio of the best of each."""
    best = {"atlantis": (0.0, 0.0), "python-chess": (0.0, 0.0)}
    for seed in range(ROUNDS):
        best["atlantis"] = max(best["atlantis"], measure(play_atlantis, seconds, seed))
        best["python-chess"] = max(best["python-chess"], measure(play_chess, seconds, seed))
    for name, (speed, branching) in best.items():
        print(f"{name:13} {speed:9,.0f} plies/s, {branching:5.1f} legal actions a ply")
    ratio = best["atlantis"][0] / best["python-chess"][0]
    print(f"ratio {ratio:.2f}")
    return ratio


if __name__ == "__main__":
    main(*(float(argument) for argument in sys.argv[1:2]))
