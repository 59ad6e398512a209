"""Which rule a table breaks that no legal actions lead to.

From what is missing and what is too much somewhere it guesses what hands have done, and asks the rules why that may not
be: an explorer gone from one place and come to another is a move, whoever's turn it is.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from companion import rules
from companion.rules import IllegalAction, Position
from companion.rules.actions import (
    Action,
    DiveRoll,
    EndPhase,
    LoadBoat,
    MoveBoat,
    MoveCreature,
    MoveExplorer,
    Place,
    PlaceBoat,
    PlaceExplorer,
    PlayTile,
    SinkTile,
)
from companion.rules.geometry import load_board
from companion.rules.layout import COLOURS, CREATURES
from companion.rules.pieces import BOAT_CAPACITY, MOVED_BY_TILE, Load
from companion.table.evidence import FIT, Evidence
from companion.table.explain import COST_OF_SKIPPING, Node, same_creature
from companion.table.facts import announced
from companion.table.gestures import gesture, struck, sunk_in, touched
from companion.table.tally import (
    ABOARD,
    BESIDE,
    BOAT,
    CREATURES_PART,
    INDEX,
    NOTHING,
    SORTS,
    TILES,
    Piece,
    Sort,
    Span,
    Spot,
    Tally,
    ground,
    has_tile,
    is_off_by_one,
    span,
)

_MOST_WRONG = 3
"""A single gesture puts at most so many spots wrong: a boat and its passengers two, a tile one."""

_MOST_WRONG_BY_TWO = 4

_NODES = 60
"""At most so many positions on the way are looked at."""

_TOO_FAR = {"4.1", "4.2", "4.3"}
"""Against one of these is what an explorer does who comes too far for one move."""

Found = tuple[Spot, Sort]


BOARD = load_board()

_COMES_UP: frozenset[Piece] = frozenset({"boat", "serpent", "shark", "whale", "dolphin"})
"""What people put where a tile has gone (6.4)."""


class Violation(NamedTuple):
    """What hands did that a rule forbids: the rule's number, its sentence, and the spots that they touched.

    Of two acts that break different rules (not `is_by_one_rule`) it is that of the first, and both their sentences.
    """

    rule: str
    message: str
    spots: tuple[Spot, ...]
    is_by_one_rule: bool = True


def stray(node: Node, spot: Spot, evidence: Evidence) -> Sort | None:
    """The single piece too many or too few that a spot shows, which is no tile; None if it is something else."""
    wanted = node.spots.get(spot, NOTHING)
    for shown in evidence.readings(spot, wanted):
        if is_off_by_one(shown, wanted):
            return next(sort for sort, a, b in zip(SORTS, shown, wanted, strict=True) if a != b)
    return None


def is_reseated(node: Node, spot: Spot, evidence: Evidence) -> bool:
    """True if on a spot nothing but who is aboard and who is beside the boat is read otherwise than it should be."""
    wanted = node.spots.get(spot, NOTHING)
    alike = (_with_all_beside(shown) == _with_all_beside(wanted) for shown in evidence.readings(spot, wanted))
    return wanted[BOAT] > 0 and evidence.best(spot) != wanted and any(alike)


def _with_all_beside(tally: Tally) -> Tally:
    together = (a + b for a, b in zip(tally[BESIDE], tally[ABOARD], strict=True))
    return (*tally[TILES], *together, tally[BOAT], *tally[CREATURES_PART])


def accuse(
    visited: Sequence[Node], evidence: Evidence, but: frozenset[Spot] = frozenset(), *, loosely: bool = False
) -> Violation | None:
    """The violation that explains the table, `but` for some spots, after the fewest legal actions, or None.

    `loosely`: a boat may be read with one passenger too many or too few where it has come to; nothing legal was done
    before then.
    """
    if not visited[0].wrong - but:
        return None  # nothing is left to be explained
    nodes = visited[:1] if loosely else visited
    first: Violation | None = None
    for node in _near(nodes, but, _MOST_WRONG):
        wrong = node.wrong - but
        gone, come = _differences(node, but, evidence)
        for action in itertools.chain(_suspects(node, gone, come), _moved_at_once(node, come, evidence)):
            after = gesture(node.spots, action, sunk_in(node.position))  # type: ignore[arg-type]  # filtered above
            if not (wrong <= after.keys() and _fits(action, after, evidence, loosely=loosely)):
                continue
            reason = _why_not(node.position, action)  # type: ignore[arg-type]
            if reason is None or (reason.rule == "3" and _may_still_be_sunk(node, action, after, evidence)):
                continue
            found = Violation(reason.rule, reason.message, _concerned(action, after, node))
            if reason.rule == "4.5" or (first is None and not _may_have_swum_twice(node, action, reason)):
                return found
            first = first or found
        for action in _to_a_boat(node, gone, evidence):
            reason = _why_not(node.position, action)  # type: ignore[arg-type]
            if reason is not None and wrong <= set(touched(action)):
                return Violation(reason.rule, reason.message, touched(action))
        if (second := _second_tile(node, gone, wrong)) is not None:
            return second
        if first is None and (risen := _comes_up(node, wrong, evidence)) is not None:
            return risen
    both = two_acts(nodes, evidence) if first is None and not but else None
    return both if both is not None and both.is_by_one_rule else first


def _near(nodes: Sequence[Node], but: frozenset[Spot], most_wrong: int) -> list[Node]:
    """The positions on the way with so few spots wrong, `but` for some, after the fewest legal actions first."""
    near = [node for node in nodes if node.position is not None and len(node.wrong - but) <= most_wrong]
    return sorted(near, key=lambda node: (node.gestures, len(node.wrong), node.score))[:_NODES]


def two_acts(nodes: Sequence[Node], evidence: Evidence) -> Violation | None:
    """Two gestures that explain the table together, each against a rule, after the fewest legal actions.

    Against the same one if there are such; else the rule is the first one's, and both sentences are told.
    """
    for node in _near(nodes, frozenset(), _MOST_WRONG_BY_TWO):
        wrong = node.wrong
        acts = _suspects(node, *_differences(node, frozenset(), evidence))
        reasons = ((action, _why_not(node.position, action)) for action in acts)  # type: ignore[arg-type]  # filtered above
        illegal = [(action, reason) for action, reason in reasons if reason is not None]
        found: Violation | None = None
        for (one, reason), (other, also) in itertools.combinations(illegal, 2):
            if found is not None and reason.rule != also.rule:
                continue
            after = gesture(node.spots, one)
            after |= gesture({**node.spots, **after}, other)
            if wrong <= after.keys() and _fits(one, after, evidence, loosely=False):
                if reason.rule == also.rule:
                    return Violation(reason.rule, reason.message, tuple(after))
                found = Violation(reason.rule, f"{reason.message} {also.message}", tuple(after), is_by_one_rule=False)
        if found is not None:
            return found
    return None


def overfull(visited: Sequence[Node], evidence: Evidence) -> Violation | None:
    """5.1, where somebody is missing next to a boat that hints at four aboard: he was not lost elsewhere."""
    found = accuse(visited, evidence)
    if found is None or found.rule != "5.1":
        return None
    return found if any(evidence.hints_at_overfull(spot) for spot in found.spots) else None


def _concerned(action: Action, after: Iterable[Spot], node: Node) -> tuple[Spot, ...]:
    """The spots that hands touched: of two tiles nobody knows which one came second."""
    sunk = [done.hex for done in node.actions if isinstance(done, SinkTile)] if isinstance(action, SinkTile) else []
    return (*after, *sunk)


def _to_a_boat(node: Node, gone: Sequence[Found], evidence: Evidence) -> Iterator[Action]:
    """Moves onto another boat, or into a full one, that does not look as it should: two boats, four passengers."""
    for spot, sort in gone:
        if isinstance(spot, str):
            continue
        for there in BOARD.neighbours[spot]:
            tally = node.spots.get(there, NOTHING)
            if not tally[BOAT] or there in node.unseen:
                continue
            strange = evidence.is_strange(there, tally)
            if sort.piece == "boat" and strange:
                yield MoveBoat(origin=spot, target=there)
            is_full = sum(tally[ABOARD]) == BOAT_CAPACITY
            if sort.colour is not None and is_full and (strange or evidence.hints_at_overfull(there)):
                target = Place(hex=there, on="boat")
                yield MoveExplorer(colour=sort.colour, origin=_place(node.spots, (spot, sort)), target=target)


def _second_tile(node: Node, gone: Sequence[Found], wrong: frozenset[Spot]) -> Violation | None:
    """Several tiles are gone and nothing else is amiss: the first that may not be taken, or the second of two.

    Which one came first nobody has seen; what is under it nobody knows, and for the rule it does not matter.
    """
    tiles = [spot for spot, sort in gone if sort.piece == "tile"]
    if len(tiles) < 2 or set(tiles) != wrong:
        return None
    position = node.position
    assert position is not None
    for h in tiles:
        action = SinkTile(hex=h)  # type: ignore[arg-type]  # no tile lies on a safe land
        if (reason := _why_not(position, action)) is not None:
            return Violation(reason.rule, reason.message, tuple(tiles))
        position = _sunk(position, action)
    return None


def _sunk(position: Position, action: SinkTile) -> Position:
    """The position behind a tile that may be sunk now or after the moves, with a back at which nothing stops."""
    while position.phase in COST_OF_SKIPPING:
        position = rules.apply(position, EndPhase()).position
    terrain = position.layout().at(action.hex).tile
    if position.options.backs != "dealt" or terrain is None:
        return rules.apply(position, action).position
    backs = [back for back, n in position.backs[terrain].items() if n]
    behind = [rules.apply(position, msgspec.structs.replace(action, back=back)).position for back in backs]
    return next((then for then in behind if then.phase == "roll"), behind[0])


def _comes_up(node: Node, wrong: frozenset[Spot], evidence: Evidence) -> Violation | None:
    """6.4: where a tile has gone stands something else than its back brings."""
    if len(wrong) != 1:
        return None
    (spot,) = wrong
    _, high = node.bounds(spot)
    sinking = has_tile(high) or spot in evidence.risen
    sinking = sinking or any(isinstance(a, SinkTile) and a.hex == spot for a in node.actions)
    shown = evidence.best(spot)
    if isinstance(spot, str) or not sinking or has_tile(node.spots.get(spot, NOTHING)) or has_tile(shown):
        return None
    surplus = [sort.piece for sort, n, most in zip(SORTS, shown, high, strict=True) if n > most]
    strange = [piece for piece in surplus if piece != "explorer"]
    if not strange or not _COMES_UP.issuperset(strange):
        return None
    due = {s.piece: most - n for s, n, most in zip(SORTS, shown, high, strict=True) if most and s.piece in _COMES_UP}
    brought = due.keys() - _moved_to(spot, node.actions)
    if any((n > 0) != (piece in brought) for piece, n in due.items()):
        return None  # who was moved there is read as another, or what has come up lies there, and more besides
    told = " and ".join(f"a {piece}" for piece in sorted(brought)) or "nothing"
    return Violation("6.4", f"On {BOARD.labels[spot]} comes up {told}, not a {' and a '.join(strange)}.", (spot,))


def _moved_to(spot: Spot, actions: Iterable[Action]) -> set[str]:
    """The kinds of creatures that have been moved to a spot: the die's, or a tile's from the hand."""
    moves = [a for a in actions if isinstance(a, MoveCreature | PlayTile) and a.target == spot]
    return {a.creature if isinstance(a, MoveCreature) else MOVED_BY_TILE.get(a.tile, "") for a in moves}


def _may_have_swum_twice(node: Node, action: Action, reason: IllegalAction) -> bool:
    """True for an explorer who came too far for one move, or has swum: that he swam twice is the better thing to say.

    Who came no farther than one move was put there by one wrong gesture: nobody has seen him swim in between.
    """
    if reason.rule not in _TOO_FAR or not isinstance(action, MoveExplorer) or node.position is None:
        return False
    origin, target = action.origin.hex, action.target.hex
    if origin is None or target is None or not (origin == target or target in BOARD.neighbours[origin]):
        return True
    return any(swum.hex == origin and swum.colour == action.colour for swum in node.position.swum)


def _why_not(position: Position, action: Action) -> IllegalAction | None:
    """The rule against it now; if it is only not the time for it, the rule in a phase that begins without a sign.

    But who moves an explorer or a boat when the moves are over does not move somebody else's in the next turn, and
    who takes a second tile does not sink that one.
    """
    now: IllegalAction | None = None
    own = _is_own(position, action)
    here: Position | None = position
    while here is not None:
        try:
            rules.check(here, action)
        except IllegalAction as reason:
            if reason.rule != "3":
                is_next_turn = here.active != position.active
                return now if now and is_next_turn and (own or isinstance(action, SinkTile)) else reason
            now = now or reason
        except rules.BadAction:
            return None
        else:
            return now
        here = rules.apply(here, EndPhase()).position if here.phase in COST_OF_SKIPPING else None
    return now


def _is_own(position: Position, action: Action) -> bool:
    """True if the active player would move an explorer of his, or a boat that he controls by who is in it (5.3)."""
    if isinstance(action, MoveExplorer):
        return action.colour in position.players[position.active].colours
    crew = position.layout().at(action.origin).boat if isinstance(action, MoveBoat) else None
    load: Load = tuple(sorted(colour for colour in COLOURS for _ in range((crew or {}).get(colour, 0))))
    return bool(load) and position.active in position.setup.control[load]


def _fits(action: Action, after: dict[Spot, Tally], evidence: Evidence, *, loosely: bool) -> bool:
    known = same_creature(action, after, evidence)
    if any(min(tally) < 0 for tally in after.values()):
        return False
    bounds = {spot: span(tally, *struck(tally)) for spot, tally in after.items()}
    if isinstance(action, SinkTile):
        bounds[action.hex] = _with_what_comes_up(after[action.hex])
    amiss = [spot for spot, may in bounds.items() if evidence.misfit(spot, may, known.get(spot)) > FIT]
    if loosely and isinstance(action, MoveBoat) and amiss == [action.target]:
        shown, wanted = evidence.best(action.target), after[action.target]
        return is_off_by_one(shown, wanted) and shown[ABOARD] != wanted[ABOARD]
    return not amiss


def _may_still_be_sunk(node: Node, action: Action, after: dict[Spot, Tally], evidence: Evidence) -> bool:
    """True for a tile that may be sunk once the moves are over, and something stands there already: see `_comes_up`."""
    if not isinstance(action, SinkTile) or node.position is None or node.position.phase not in {"play_tile", "move"}:
        return False
    return evidence.misfit(action.hex, span(after[action.hex])) > FIT


def _with_what_comes_up(tally: Tally) -> Span:
    """Where a tile has gone: as it is then, or with what its back may have brought, who was on it aboard or lost."""
    low = [0 if sort.piece == "explorer" else n for sort, n in zip(SORTS, tally, strict=True)]
    high = [n + (sort.piece in _COMES_UP) for sort, n in zip(SORTS, tally, strict=True)]
    high[ABOARD] = tally[BESIDE]
    return tuple(low), tuple(high)


def _suspects(node: Node, gone: Sequence[Found], come: Sequence[Found]) -> Iterator[Action]:
    for spot, sort in gone:
        if sort.piece == "tile":
            yield SinkTile(hex=spot)  # type: ignore[arg-type]  # no tile lies on a safe land
            continue
        for to, other in come:
            alike = other._replace(aboard=sort.aboard) == sort
            renamed = to != spot and {sort.piece, other.piece} <= set(CREATURES)  # misread where it came to
            if alike or renamed:
                yield from _carriers(node, (spot, sort), (to, other))
    if node.position is not None and node.position.phase == "load_boat":
        yield from _loads(node.position, come)
    if not gone and node.position is not None and node.position.phase in {"place_explorers", "place_boats"}:
        for spot, sort in come:
            if sort.piece in {"boat", "explorer"} and not isinstance(spot, str):
                yield PlaceBoat(hex=spot) if sort.colour is None else PlaceExplorer(colour=sort.colour, hex=spot)


def _moved_at_once(node: Node, come: Sequence[Found], evidence: Evidence) -> Iterator[Action]:
    """What came up from under a tile, was rolled, and went on before anybody saw it there."""
    if node.position is None or node.position.phase != "creature":
        return
    die = node.position.die
    rolled = die.creature if isinstance(die, DiveRoll) else die
    for to, sort in come:
        if sort.piece == rolled:
            i = INDEX[sort]
            open_ = (s for s in node.spans if s != to and evidence.seen(s))
            left = (s for s in open_ if node.spots.get(s, NOTHING)[i] > evidence.best(s)[i])
            yield from (_carried(node.spots, (spot, sort), (to, sort)) for spot in left)


def _loads(position: Position, come: Sequence[Found]) -> Iterator[Action]:
    """Who has boarded the boat that has come up (6.4)."""
    aboard = Counter(sort.colour for spot, sort in come if sort.aboard and spot == sunk_in(position))
    if aboard:
        yield LoadBoat(explorers={colour: aboard[colour] for colour in COLOURS if aboard[colour]})


def _carriers(node: Node, origin: Found, target: Found) -> Iterator[Action]:
    """What may have brought a piece from one spot to the other: the tile announced, the dice, somebody's move."""
    position = node.position
    tile = announced(node.facts) if node.facts and position is not None and position.phase == "play_tile" else None
    piece, colour = origin[1].piece, origin[1].colour
    hexes = {"origin": origin[0], "target": target[0]}
    if (tile == "dolphin" and colour and not origin[1].aboard) or (tile == "wind" and piece == "boat"):
        yield PlayTile(tile=tile, colour=colour, **hexes)  # type: ignore[arg-type]  # boats and creatures keep to hexes
    elif tile in MOVED_BY_TILE and piece in CREATURES:
        yield PlayTile(tile=tile, **hexes)  # type: ignore[arg-type]
    if piece == "boat" and position is not None and position.phase == "creature" and isinstance(position.die, DiveRoll):
        yield MoveCreature(creature="boat", **hexes)  # type: ignore[arg-type]
    yield _carried(node.spots, origin, target)


def _carried(spots: dict[Spot, Tally], origin: Found, target: Found) -> Action:
    """A piece gone from one spot and come to another."""
    sort = origin[1]
    if sort.colour is not None:
        return MoveExplorer(colour=sort.colour, origin=_place(spots, origin), target=_place(spots, target))
    if sort.piece == "boat":
        return MoveBoat(origin=origin[0], target=target[0])  # type: ignore[arg-type]  # boats and creatures keep to hexes
    return MoveCreature(creature=sort.piece, origin=origin[0], target=target[0])  # type: ignore[arg-type]


def _place(spots: dict[Spot, Tally], found: Found) -> Place:
    spot, sort = found
    if isinstance(spot, str):
        return Place(safe=spot)
    return Place(hex=spot, on="boat" if sort.aboard else ground(spots.get(spot, NOTHING)))


def _differences(node: Node, but: frozenset[Spot], evidence: Evidence) -> tuple[list[Found], list[Found]]:
    """What is gone from the doubtful spots and what has come to them, against the nearest that they may show."""
    gone: list[Found] = []
    come: list[Found] = []
    for spot in sorted(node.misfits.keys() - but, key=str):
        low, high = node.bounds(spot)
        shown = evidence.best(spot)
        for sort, least, n, most in zip(SORTS, low, shown, high, strict=True):
            gone += [(spot, sort)] * (least - n)
            come += [(spot, sort)] * (n - most)
    return gone, come
