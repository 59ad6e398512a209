"""Stretches of games to be followed, as they would be photographed: layouts, truth and facts, still without pictures.

`python -m bench.stretches --out DIR --numbers 0:20 [--pictures 12]` writes a folder a stretch, in the form of the
development sequences (`position.json`, `given.jsonl`, `p000.json`...). `training.render --stretches DIR` draws the
pictures, `./deploy/bench sequences --set DIR` follows them. People play at random by the rules, up to four actions
between two pictures; now and then somebody does what he must not and puts it right, lifts a piece, or has his hand over
the board. A stretch depends on its number alone.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from bench.table import PEOPLE, after_hands
from bench.track import beyond_schema, is_sacrifice, middle
from companion.rules import Options, Position, apply, encode_action, encode_position, legal_actions, new_game
from companion.rules.actions import Action, MoveBoat, MoveExplorer, SinkTile
from companion.rules.layout import Layout, encode_layout
from companion.table.dealer import Dealer
from companion.table.facts import Facts
from companion.table.tally import Sort, changed, tallies
from tests.table.planted import ACTS, BY_HAND, Planted, layout_of, plant
from tests.table.test_facts import facts_of

PICTURES = 12
MOST = 4
"""As many actions at most lie between two pictures."""

LEAD = (14, 120)
"""So many actions have been done before the stretch begins."""

_BEGINS = {"play_tile", "move", "sink", "roll", "creature"}
_ENDS = {"scoring", "over"}


class Stretch:
    """A stretch of a random game, picture after picture."""

    def __init__(self, number: int) -> None:
        self._rng = random.Random(f"stretch {number}")
        self._position = self._begin()
        while self._position.phase not in _BEGINS:
            self._position = self._begin()
        self.start = self._position

    def pictures(self, count: int) -> Iterator[dict[str, Any]]:
        """The truth of each picture: `layout`, `truth`, `given`, `kind`, and with a hand `hand_at` in mm."""
        shown = [self._explained("start", self._position.layout(), ())]
        ways = {self._play: 0.55, self._break_a_rule: 0.22, self._lift: 0.08, self._reach_over: 0.12, self._rest: 0.03}
        while len(shown) < count and self._position.phase not in _ENDS:
            shown += self._rng.choices(list(ways), list(ways.values()))[0]()
        yield from shown[:count]

    def _begin(self) -> Position:
        rng = self._rng
        self._dealer = Dealer(rng.randrange(1 << 30))
        options = Options(backs=rng.choice(("dealt", "printed")))
        position = new_game(PEOPLE[: rng.choice((2, 3, 4))], options, self._dealer.tiles())
        for _ in range(rng.randint(*LEAD)):
            if position.phase in _ENDS:
                break
            position = apply(position, self._choose(position)).position
        return position

    def _choose(self, position: Position) -> Action:
        """Any legal action, but nobody goes to where he is lost at once if there is another way."""
        spots, legal = tallies(position.layout()), legal_actions(position)
        return self._dealer.complete(
            position, self._rng.choice([a for a in legal if not is_sacrifice(spots, a)] or legal)
        )

    def _next_actions(self, count: int) -> tuple[list[Action], list[Position]]:
        """Actions, and the position before each and after the last; nothing goes back to where it was."""
        done: list[Action] = []
        positions = [self._position]
        while len(done) < count and positions[-1].phase not in _ENDS:
            action = self._choose(positions[-1])
            after = apply(positions[-1], action).position
            if isinstance(action, MoveExplorer | MoveBoat) and after.layout() in [p.layout() for p in positions]:
                break
            done.append(action)
            positions.append(after)
        return done, positions

    def _play(self) -> list[dict[str, Any]]:
        actions, positions = self._next_actions(self._rng.randint(1, MOST))
        self._position = positions[-1]
        return [self._explained("play", self._position.layout(), actions)]

    def _rest(self) -> list[dict[str, Any]]:
        return [self._explained("noise", self._position.layout(), ())]

    def _break_a_rule(self) -> list[dict[str, Any]]:
        kinds = [kind for kind in (*ACTS, *BY_HAND) if kind != "piece vanished"]  # that is `_lift`
        made = (plant(kind, self._position, self._rng) for kind in self._rng.sample(kinds, len(kinds)))
        act = next((act for act in made if act is not None), None)
        if act is None:
            return self._play()
        wrong = {"status": "contradiction", "actions": [], "rule": act.rule, "hexes": sorted(_hexes(act))}
        shown = self._picture(f"illegal:{act.kind}", act.layout, wrong, act.given or ())
        if act.second_boat is not None:
            shown["beyond_schema"] = beyond_schema(act.second_boat)
        done: tuple[Action, ...] = ()
        if act.given:  # the wrong piece for a tile's back: the tile is sunk all the same
            done = (SinkTile(hex=next(iter(_hexes(act))), back=act.given[0].back),)
            self._position = apply(self._position, done[0]).position
        return [shown, self._explained("right", self._position.layout(), done, given=())]

    def _lift(self) -> list[dict[str, Any]]:
        """A piece is in the air, nobody in the picture; then it is put down."""
        actions, positions = self._next_actions(1)
        if not actions or not isinstance(actions[0], MoveExplorer):
            return self._play()
        move, spots = actions[0], dict(tallies(self._position.layout()))
        h = move.origin.hex
        if h is None:
            return self._play()
        spots[h] = changed(spots[h], Sort("explorer", move.colour, aboard=move.origin.on == "boat"), -1)
        away = {"status": "waiting", "actions": [], "rule": None, "hexes": [h], "also": ["contradiction", "question"]}
        shown = self._picture("missing", layout_of(spots), away, ())
        self._position = positions[-1]
        return [shown, self._explained("finish", self._position.layout(), actions)]

    def _reach_over(self) -> list[dict[str, Any]]:
        """A hand over the board, part of what is being done done; then the hand has gone and all is done."""
        actions, positions = self._next_actions(self._rng.randint(1, MOST))
        if not actions:
            return self._play()
        part = self._rng.randint(0, len(actions))
        layout = positions[part].layout()
        if part and isinstance(actions[part - 1], SinkTile):
            layout = after_hands(positions[part - 1], actions[part - 1])
        under_way = {"status": "waiting", "actions": [], "rule": None, "hexes": [],
                     "done": [*map(encode_action, actions[:part])]}  # fmt: skip
        at = middle(actions[min(part, len(actions) - 1)]) or (0.0, 0.0)
        shown = self._picture("hand", layout, under_way, facts_of(actions[:part])) | {"hand_at": at}
        self._position = positions[-1]
        return [shown, self._explained("finish", self._position.layout(), actions, facts_of(actions[part:]))]

    def _explained(
        self, kind: str, layout: Layout, actions: Sequence[Action], given: Facts | None = None
    ) -> dict[str, Any]:
        """`given`: those of the actions' facts that have not been told before, all if it is None."""
        truth = {"status": "explained", "actions": [*map(encode_action, actions)], "rule": None, "hexes": []}
        return self._picture(kind, layout, truth, facts_of(actions) if given is None else given)

    def _picture(self, kind: str, layout: Layout, truth: dict[str, Any], given: Facts) -> dict[str, Any]:
        return {"layout": encode_layout(layout), "truth": truth, "given": _told(given), "kind": kind}


def _hexes(act: Planted) -> list[tuple[int, int]]:
    return [spot for spot in act.spots if not isinstance(spot, str)]


def _told(facts: Facts) -> list[dict[str, Any]]:
    return [{k: v for k, v in msgspec.to_builtins(fact).items() if v not in (None, {})} for fact in facts]


def write(folder: Path, number: int, pictures: int) -> None:
    """The stretch of that number."""
    folder.mkdir(parents=True, exist_ok=True)
    stretch = Stretch(number)
    (folder / "position.json").write_text(json.dumps(encode_position(stretch.start)))
    given = []
    for i, picture in enumerate(stretch.pictures(pictures)):
        (folder / f"p{i:03d}.json").write_text(json.dumps(picture))
        if picture["given"]:
            given.append(json.dumps({"before": f"p{i:03d}.jpg", "actions": picture["given"]}) + "\n")
    (folder / "given.jsonl").write_text("".join(given))


def main() -> None:
    """Write the stretches that are not there yet."""
    parser = argparse.ArgumentParser(prog="python -m bench.stretches", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--numbers", default="0:20", help="first:last+1")
    parser.add_argument("--pictures", type=int, default=PICTURES)
    args = parser.parse_args()
    for number in range(*map(int, args.numbers.split(":"))):
        folder = args.out / f"q{number:05d}"
        if not (folder / "position.json").is_file():
            write(folder, number, args.pictures)


if __name__ == "__main__":
    main()
