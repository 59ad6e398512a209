"""Perft: how many sequences of actions there are to a depth, outcomes of chance counted one by one.

The positions and counts are data files, made once with `python tests/rules/test_rules_perft.py`. The first two plies
are counted again by the naive reading of the rules, so that the files do not only repeat what the engine says.
"""

import json
import random
import sys
from pathlib import Path

import naive
import pytest
from kit import VARIANTS, complete, lively, random_game, scattered

from companion.rules import (
    apply,
    decode_action,
    decode_position,
    encode_position,
    legal_actions,
    outcomes,
    with_outcome,
)

FILES = sorted((Path(__file__).parents[1] / "data" / "perft").glob("*.json"))
DEEPEST = 60_000
"""Only counts below this are kept, so that the test stays short."""


def branches(position, actions):
    """The positions that the actions lead to, one for each outcome of chance."""
    for action in actions:
        for outcome, _ in outcomes(position, action) or [(None, 1)]:
            yield apply(position, with_outcome(action, outcome) if outcome else action).position


def engine(position):
    return legal_actions(position)


def slow(position):
    return [decode_action(action) for action in naive.legal(encode_position(position))]


def perft(position, depth, lister=engine):
    """The number of sequences of that many actions."""
    if depth == 0:
        return 1
    return sum(perft(after, depth - 1, lister) for after in branches(position, lister(position)))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_counts_are_as_in_the_file(path):
    data = json.loads(path.read_text())
    position = decode_position(data["position"])
    counts = data["counts"]
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_counts_are_those_of_the_naive_reading(path):
    data = json.loads(path.read_text())
    position = decode_position(data["position"])
    for depth, count in enumerate(data["counts"][:2], start=1):
        if count < 3000:
            assert perft(position, depth, slow) == count


def test_there_is_a_file_for_every_phase():
    phases = {json.loads(path.read_text())["position"]["phase"] for path in FILES}
    assert phases >= {
        "place_explorers",
        "place_boats",
        "play_tile",
        "move",
        "sink",
        "reveal",
        "load_boat",
        "roll",
        "creature",
        "reaction",
        "protect",
    }


def _positions():
    """Named positions: some of games, some crowded ones."""
    for variant, (options, seats) in enumerate(VARIANTS):
        wanted = {"place_boats", "reaction", "move", "play_tile", "reveal", "creature"}
        for ply, (position, _, _) in enumerate(random_game(f"perft {variant}", options, seats)):
            if ply == 30:
                yield f"early_{variant}_{position.phase}", position
            if ply > 60 and position.phase in wanted and (ply > 200 or position.phase in ("reaction", "place_boats")):
                wanted.discard(position.phase)
                yield f"game_{variant}_{position.phase}", position
    for n in range(24):
        position = decode_position(scattered(random.Random(f"perft {n}")))
        yield f"crowded_{n:02}_{position.phase}", position
    rng = random.Random("perft reactions")
    wanted = {"reaction": 4, "protect": 3}
    while any(wanted.values()):
        position = decode_position(scattered(rng))
        after = apply(position, complete(rng, position, lively(rng, position, legal_actions(position)))).position
        if wanted.get(after.phase):
            wanted[after.phase] -= 1
            yield f"crowded_{after.phase}_{wanted[after.phase]}", after


def main():
    """Write the data files anew."""
    folder = Path(__file__).parents[1] / "data" / "perft"
    for name, position in _positions():
        counts = [perft(position, 1)]
        while len(counts) < 4 and counts[-1] * counts[0] * 2 < DEEPEST and counts[-1]:
            counts.append(perft(position, len(counts) + 1))
        counts = [count for count in counts if count < DEEPEST]
        data = {"position": encode_position(position), "counts": counts}
        (folder / f"{name}.json").write_text(json.dumps(data, separators=(",", ":")) + "\n")
        print(name, counts)


if __name__ == "__main__":
    sys.exit(main())
