"""Hours of play in one process: does its memory grow?

`./deploy/bench soak [--hours 24]`. Game after game on one journal, five pictures a second by the clock of the table,
an action every twelve seconds; the clock is not waited for. The growth counts from the end of the first game. What the
rules work out once and keep, a row of moves for each square of a creature and of a tile, is worked out before: it is
finite, and games fill it little by little (9 MB).
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.table import LONGEST, ON_SCREEN, PEOPLE, after_hands, look
from companion.rules import Options
from companion.rules.catalogue import move_creature, play_tile
from companion.rules.layout import COLOURS
from companion.rules.pieces import MOVED_BY_TILE
from companion.rules.squares import SQUARE
from companion.table import Follower, Journal, start_game
from companion.table.dealer import Dealer

PICTURES_A_SECOND = 5
SECONDS_AN_ACTION = 12


MOST_GROWTH = 1.05
"""Of the memory after the first game."""


def main(arguments: Sequence[str] = ()) -> None:
    """Print how memory went, and the growth."""
    parser = argparse.ArgumentParser(prog="./deploy/bench soak", description="does memory grow in hours of play?")
    parser.add_argument("--hours", type=float, default=24.0)
    args = parser.parse_args(arguments)
    played_s, number, first_mb = 0.0, 0, 0.0
    _fill()
    with (
        tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder,
        Journal(Path(folder) / "g.db") as games,
    ):
        while played_s < 3600 * args.hours:
            number += 1
            played_s += _game(games, number)
            first_mb = first_mb or _resident_mb()
            if number % 10 == 1:
                print(f"{played_s / 3600:6.1f} h, {number:4} games: {_resident_mb():7.1f} MB", flush=True)
    last_mb = _resident_mb()
    print(f"{played_s / 3600:6.1f} h, {number:4} games: {last_mb:7.1f} MB, {100 * (last_mb / first_mb - 1):+.1f} %")
    if last_mb > MOST_GROWTH * first_mb:
        raise SystemExit("Memory has grown: something is kept from game to game.")


def _fill() -> None:
    """All rows of actions by square."""
    for s in SQUARE.values():
        play_tile("wind", s)
        for tile, kind in MOVED_BY_TILE.items():
            play_tile(tile, s)
            move_creature(kind, s)
        for colour in COLOURS:
            play_tile("dolphin", s, colour)


def _game(journal: Journal, number: int) -> float:
    """Play one game by random legal actions under the camera's eyes; how many seconds of play that was."""
    rng = random.Random(number)
    session = start_game(journal, PEOPLE, Options(), dealer=Dealer(number))
    follower = Follower(session)
    actions = 0
    while session.position.phase not in {"scoring", "over"} and actions < LONGEST:
        actions += 1
        action = rng.choice(session.legal())
        before = len(session.record)
        if isinstance(action, ON_SCREEN):
            session.do(action)
        else:
            changed = look(after_hands(session.position, action))
            for _ in range(PICTURES_A_SECOND):
                follower.see(changed)
        if len(session.record) == before:
            session.do(action)
        shown = look(session.position.layout())
        for _ in range(PICTURES_A_SECOND * (SECONDS_AN_ACTION - 1)):
            follower.see(shown)
    session.close()
    return float(actions * SECONDS_AN_ACTION)


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
