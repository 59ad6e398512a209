"""Illegal acts, planted in random games: what the table shows after them, and the rule that each of them breaks.

An act is a gesture of hands that the referee refuses; the rule is the referee's. Acts without an action of their own (a
piece vanished, the wrong one put down) are made by hand.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

import msgspec

from companion import rules
from companion.rules import IllegalAction, Options, Position
from companion.rules.actions import Action, MoveBoat, MoveCreature, MoveExplorer, Place, SinkTile
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, CREATURES, LANDS, TERRAINS, HexContent, Layout
from companion.table import Contradiction, Question
from companion.table.facts import Fact, Facts
from companion.table.follow import FollowState
from companion.table.gestures import gesture
from companion.table.tally import SORTS, Sort, Spot, Tally, changed, tallies
from tests.table.helpers import BOARD, random_game
from tests.table.test_facts import facts_of

SPACING = 3
"""One of so many positions of a game is used: neighbours look alike, and what is hard in one is in all of them."""

MOST_OF_A_GAME = 20
"""At most so many acts are planted in one game."""


class Planted(NamedTuple):
    """The table after an illegal act in a position. `rule` None: a piece has come or gone, which is no rule's matter.

    `spots`: those that were touched; `given`: what the people have told besides; `second_boat`: where two boats lie.
    `last`: what was done before, with the position before that; None at the start of a game.
    """

    kind: str
    position: Position
    layout: Layout
    rule: str | None
    spots: frozenset[Spot]
    given: Facts | None = None
    second_boat: Hex | None = None
    last: tuple[Position, Action] | None = None

    def is_named_by(self, state: FollowState) -> bool:
        """True if the rule was named, and a hex that is concerned. A piece that vanished may also have been eaten."""
        if self.kind == "piece vanished" and isinstance(state, Question):
            return True
        told = isinstance(state, Contradiction) and state.rule == self.rule
        return told and not self.spots.isdisjoint(state.spots)


class Act(NamedTuple):
    """A kind of illegal acts: in which phases, what hands do then, and the rules that it may break."""

    phases: frozenset[str]
    tries: Callable[[Position], Iterator[Action]]
    rules: frozenset[str]


@functools.lru_cache(maxsize=16)
def table_of(position: Position) -> Layout:
    """The layout of a position; those asked for last are not made again."""
    return position.layout()


def planted(seed: int, each: int, lead: int = 0, but: Collection[str] = ()) -> Iterator[Planted]:
    """So many acts of each kind, `but` some, in random games that follow from the seed, at most one in a position.

    With `lead` so many legal actions are done first, and their facts given: `position` is that before them.
    """
    rng = random.Random(seed)
    wanted = {kind: each for kind in (*ACTS, *BY_HAND) if kind not in but}
    for number in range(seed * 1000, seed * 1000 + 900):
        game = random_game(number, options=Options(backs=rng.choice(("dealt", "printed"))))
        planted_here = 0
        starts = range(lead, len(game))
        for i in rng.sample(starts, len(starts) // SPACING):
            position = game[i][0]
            kinds = sorted(wanted, key=lambda kind: (-wanted[kind], kind))
            made = (plant(kind, position, rng) for kind in kinds)
            act = next((act for act in made if act is not None), None)
            if act is not None:
                told = facts_of([action for _, action in game[i - lead : i]])
                yield act._replace(
                    position=game[i - lead][0],
                    given=(*told, *(act.given or ())) if lead else act.given,
                    last=game[i - lead - 1] if i > lead else None,
                )
                wanted[act.kind] -= 1
                if not wanted[act.kind]:
                    del wanted[act.kind]
                planted_here += 1
            if not wanted:
                return
            if planted_here == MOST_OF_A_GAME:
                break
    raise AssertionError(f"In these games nobody could do these: {wanted}")


def plant(kind: str, position: Position, rng: random.Random) -> Planted | None:
    """An act of that kind (of `ACTS` or `BY_HAND`) in a position; None if nobody can do it there."""
    act = ACTS.get(kind)
    found = BY_HAND[kind](position, rng) if act is None else _by_rule(act, position, rng)
    return None if found is None else found._replace(kind=kind)


def layout_of(spots: Mapping[Spot, Tally]) -> Layout:
    """The layout in which these tallies stand."""
    hexes, safe = {}, {}
    for spot, tally in spots.items():
        count = dict(zip(SORTS, tally, strict=True))
        people = {c: n for c in COLOURS if (n := count[Sort("explorer", c)])}
        if isinstance(spot, str):
            safe[spot] = people
        elif any(tally):
            crew = {c: n for c in COLOURS if (n := count[Sort("explorer", c, aboard=True)])}
            hexes[spot] = HexContent(
                tile=next((t for t in TERRAINS if count[Sort("tile", terrain=t)]), None),
                explorers=people,
                boat=crew if count[Sort("boat")] else None,
                **{f"{c}s": count[Sort(c)] for c in CREATURES},
            )
    return Layout(hexes, {land: people for land in LANDS if (people := safe.get(land))})


# Acts that the referee refuses


def _by_rule(act: Act, position: Position, rng: random.Random) -> Planted | None:
    if position.phase not in act.phases:
        return None
    tries = list(act.tries(position))
    for action in rng.sample(tries, len(tries)):
        rule = refused(position, action)
        if rule in act.rules:
            before = tallies(table_of(position))
            after = gesture(before, action)
            return Planted("", position, layout_of({**before, **after}), rule, frozenset(after))
    return None


def refused(position: Position, action: Action) -> str | None:
    """The rule against it, None if there is none."""
    try:
        rules.check(position, action)
    except IllegalAction as reason:
        return reason.rule
    return None


@functools.cache
def reach(h: Hex, far: int) -> tuple[Hex, ...]:
    """The hexes at exactly that distance."""
    return tuple(
        (q, r)
        for q, r in BOARD.hexes
        if max(abs(q - h[0]), abs(r - h[1]), abs(q + r - h[0] - h[1])) == far  # axial coordinates
    )


def _people(position: Position, on: str, own: bool = True) -> Iterator[tuple[str, Place]]:
    mine = position.players[position.active].colours
    for h, content in table_of(position).hexes.items():
        there = content.boat if on == "boat" else content.explorers if (on == "tile") == bool(content.tile) else None
        for colour in there or ():
            if (colour in mine) == own:
                yield colour, Place(hex=h, on=on)


def _walks(position: Position, start: str, goal: str, far: int, own: bool = True) -> Iterator[Action]:
    content = table_of(position).at
    for colour, origin in _people(position, start, own):
        for h in reach(origin.hex, far):
            there = content(h)
            stands = {"tile": bool(there.tile), "sea": not there.tile, "boat": there.boat is not None}[goal]
            if stands and not (goal == "sea" and _strikes(there)):
                yield MoveExplorer(colour=colour, origin=origin, target=Place(hex=h, on=goal))


def _strikes(content: HexContent) -> bool:
    return bool(content.serpents or content.sharks or content.whales)


def _sails(position: Position, far: int) -> Iterator[Action]:
    content = table_of(position).at
    for h, here in table_of(position).hexes.items():
        for there in reach(h, far) if here.boat is not None else ():
            if not content(there).tile and content(there).boat is None and not _strikes(content(there)):
                yield MoveBoat(origin=h, target=there)


def _swims(position: Position, far: int) -> Iterator[Action]:
    """Of creatures, to hexes where nothing is."""
    content = table_of(position).at
    for h, here in table_of(position).hexes.items():
        for creature in ("serpent", "shark", "whale"):
            for there in reach(h, far) if getattr(here, f"{creature}s") else ():
                if content(there) == HexContent():
                    yield MoveCreature(creature=creature, origin=h, target=there)


def _tiles(position: Position) -> Iterator[Action]:
    return (SinkTile(hex=h) for h, content in table_of(position).hexes.items() if content.tile)


def _ashore(position: Position) -> Iterator[Action]:
    """From one safe land to another."""
    mine = position.players[position.active].colours
    for land, people in table_of(position).safe.items():
        for colour in people if position.phase == "move" else ():
            if colour in mine:
                yield from (
                    MoveExplorer(colour=colour, origin=Place(safe=land), target=Place(safe=to))
                    for to in LANDS
                    if to != land
                )


def _last_move(position: Position) -> bool:
    return position.moves_left == 1


ACTS = {
    kind: Act(frozenset(phases.split()), tries, frozenset(broken.split()))
    for kind, phases, tries, broken in (
        ("wrong tile", "sink", _tiles, "6.1"),
        ("tile inland", "sink", _tiles, "6.2"),
        ("fourth passenger", "move", lambda p: _walks(p, "tile", "boat", 1), "5.1"),
        ("somebody else's piece", "move", lambda p: _walks(p, "tile", "tile", 1, own=False), "4.7"),
        ("explorer back on land", "move", lambda p: _walks(p, "sea", "tile", 1), "4.4"),
        ("passenger back on land", "move", lambda p: _walks(p, "boat", "tile", 1), "4.4"),
        ("explorer too far", "move", lambda p: _walks(p, "tile", "tile", 2) if _last_move(p) else iter(()), "4.1"),
        ("swimmer too far", "move", lambda p: _walks(p, "sea", "sea", 2) if _last_move(p) else iter(()), "4.3 4.5"),
        (
            "boarding from the next hex",
            "move",
            lambda p: _walks(p, "sea", "boat", 1) if _last_move(p) else iter(()),
            "4.3",
        ),
        (
            "leaving for the next hex",
            "move",
            lambda p: _walks(p, "boat", "sea", 1) if _last_move(p) else iter(()),
            "4.2",
        ),
        ("from land to land", "move", _ashore, "4.7"),
        ("somebody else's boat", "move", lambda p: _sails(p, 1), "5.3"),
        ("boat too far", "move", lambda p: _sails(p, 2) if _last_move(p) else iter(()), "5.2"),
        ("creature too far", "creature", lambda p: _swims(p, 4), "7.2"),
        ("creature not rolled", "creature", lambda p: _swims(p, 1), "3.4"),
        ("creature before the roll", "roll", lambda p: _swims(p, 1), "3"),
        ("second tile", "roll", _tiles, "3"),
        ("move after the turn", "roll creature", lambda p: _walks(p, "tile", "tile", 1), "3"),
    )
}


# Acts that are no action


def _vanished_ashore(position: Position, rng: random.Random) -> Planted | None:
    ashore = [(land, colour) for land, people in table_of(position).safe.items() for colour in people]
    if position.phase not in {"move", "roll"} or not ashore:
        return None
    land, colour = rng.choice(ashore)
    return _changed(position, land, Sort("explorer", colour), -1)


def _vanished(position: Position, rng: random.Random) -> Planted | None:
    people = [*_people(position, "tile"), *_people(position, "tile", own=False)]
    if position.phase not in {"move", "roll"} or not people:
        return None
    colour, place = rng.choice(people)
    return _changed(position, place.hex, Sort("explorer", colour), -1)


def _appeared(position: Position, rng: random.Random) -> Planted | None:
    bare = [h for h in BOARD.hexes if h not in table_of(position).hexes]
    if position.phase not in {"move", "roll"} or not bare:
        return None
    return _changed(position, rng.choice(bare), Sort("explorer", rng.choice(COLOURS)), 1)


def _changed(position: Position, spot: Spot, sort: Sort, by: int) -> Planted:
    spots = tallies(table_of(position))
    after = {**spots, spot: changed(spots.get(spot, (0,) * len(SORTS)), sort, by)}
    return Planted("", position, layout_of(after), None, frozenset({spot}))


def _wrong_piece(position: Position, rng: random.Random) -> Planted | None:
    """A whale or a shark comes up, and people put down the other one."""
    if position.phase != "sink" or position.options.backs != "dealt":
        return None
    for action in rules.legal_actions(position):
        backs = dict(rules.outcomes(position, action))
        for back, wrong in (("shark", "whale"), ("whale", "shark")):
            supply = getattr(position.supply, f"{back}s") and getattr(position.supply, f"{wrong}s")
            if not (back in backs and supply and isinstance(action, SinkTile)):
                continue
            there = table_of(position).at(action.hex)
            if there.explorers and "shark" in (back, wrong):
                continue  # they might be eaten, or not
            shown = msgspec.structs.replace(there, tile=None, **{f"{wrong}s": 1})
            layout = table_of(position)
            given = (Fact("sink_tile", back=back),)
            table = Layout({**layout.hexes, action.hex: shown}, layout.safe)
            return Planted("", position, table, "6.4", frozenset({action.hex}), given)
    return None


def _two_tiles(position: Position, rng: random.Random) -> Planted | None:
    """Both may be sunk, but not both."""
    if position.phase != "sink":
        return None
    first, *others = rng.sample(legal := rules.legal_actions(position), len(legal))
    if not others or not (isinstance(first, SinkTile) and isinstance(others[0], SinkTile)):
        return None
    before = tallies(table_of(position))
    after = gesture(before, first)
    after = {**after, **gesture({**before, **after}, others[0])}
    return Planted("", position, layout_of({**before, **after}), "3", frozenset({first.hex, others[0].hex}))


def _boat_onto_boat(position: Position, rng: random.Random) -> Planted | None:
    """What a layout cannot say: two boats on a hex."""
    if position.phase != "move":
        return None
    layout = table_of(position)
    boats = [h for h, content in layout.hexes.items() if content.boat == {}]
    for origin in rng.sample(boats, len(boats)):
        for target in BOARD.neighbours[origin]:
            if layout.at(target).boat is None or refused(position, MoveBoat(origin=origin, target=target)) != "5.2":
                continue
            left = msgspec.structs.replace(layout.at(origin), boat=None)
            table = Layout({**layout.hexes, origin: left}, layout.safe)
            return Planted("", position, table, "5.2", frozenset({origin, target}), second_boat=target)
    return None


BY_HAND = {
    "piece vanished": _vanished,
    "piece vanished ashore": _vanished_ashore,
    "piece appeared": _appeared,
    "wrong piece put down": _wrong_piece,
    "two tiles at once": _two_tiles,
    "boat onto boat": _boat_onto_boat,
}

FOR_PICTURES = ("boat onto boat",)
"""What no layout can say."""
