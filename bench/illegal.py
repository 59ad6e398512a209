"""Illegal acts before the camera: each is drawn, recognised, and has to be named by its rule; none may be taken over.

`./deploy/bench illegal [--each N] [--seed S] [--style NAME]...`. The acts are those of the tests
(`tests.table.planted`), so many of each kind, done by a hand on the simulated table in positions of random games.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from bench.track import HAND_PICTURES, Watched
from companion.rules.geometry import load_board
from companion.table import Contradiction, Follower, Question, Settled
from companion.table.follow import FollowState
from companion.table.track import TrackedGame
from hardware.simulated import STYLES
from tests.table.planted import Planted, planted

BOARD = load_board()


def main(arguments: Sequence[str] = ()) -> None:
    """Print a line a kind, a line for each act that was not named, and the totals."""
    parser = argparse.ArgumentParser(prog="./deploy/bench illegal", description="illegal acts before the camera")
    parser.add_argument("--each", type=int, default=20, help="acts of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--style", action="append", choices=sorted(STYLES), help="default: all, in turn")
    args = parser.parse_args(arguments)
    tables = [Watched(style, args.seed + i) for i, style in enumerate(args.style or sorted(STYLES))]
    acts, named, taken, complained = Counter[str](), Counter[str](), 0, 0
    for number, act in enumerate(planted(args.seed, args.each)):
        state, sheet, calm = _do(tables[number % len(tables)], act)
        acts[act.kind] += 1
        named[act.kind] += act.is_named_by(state)
        taken += sheet.position != act.position
        complained += not calm
        if not act.is_named_by(state):
            print(f"  {act.kind} ({act.rule}) at {sorted(act.spots, key=str)}: {state}", flush=True)
    for kind in sorted(acts):
        print(f"{kind:>24} {named[kind]:4} of {acts[kind]:4}")
    print(
        f"{named.total()} of {acts.total()} named ({100 * named.total() / acts.total():.1f} %), {taken} taken over; "
        f"{complained} complaints before anything was done."
    )


def _do(watched: Watched, act: Planted) -> tuple[FollowState, TrackedGame, bool]:
    """What is said after the act, and whether all was calm before it."""
    sheet = TrackedGame(act.position)
    follower = Follower(sheet)
    watched.show(act.position.layout())
    before, _ = watched.settle(follower)
    if isinstance(before, Question | Contradiction):
        follower.dismiss()
    if act.given is not None:
        follower.give(act.given)
    at = next((BOARD.centre_mm(spot) for spot in act.spots if not isinstance(spot, str)), None)
    watched.reach(at)
    for _ in range(HAND_PICTURES):
        watched.look(follower)
    watched.show(act.layout, act.second_boat)
    watched.reach(None)
    state, _ = watched.settle(follower)
    return state, sheet, isinstance(before, Settled)
