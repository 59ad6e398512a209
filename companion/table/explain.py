"""The search for legal actions that lead from a position to what the pictures show.

Breadth first by the number of actions that hands do, along the spots that differ: an action is tried only if its
gesture touches a spot that does not fit yet and helps there, or may prepare what does. A branch is given up when more
spots are wrong than the actions left could put right. Phases that end without a sign on the table (`end_phase`) are
gone through on the way. What the table cannot show is never assumed: no roll, no back, no tile from a hand, no answer
to a threat. But facts may be given (`facts`): then the search goes on behind them, and what would have to be given and
is not has not happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from companion import rules
from companion.rules import Position
from companion.rules.actions import (
    Action,
    Decline,
    Defend,
    EndPhase,
    LoadBoat,
    MoveBoat,
    MoveCreature,
    MoveExplorer,
    PlaceBoat,
    PlaceExplorer,
    PlayTile,
    Protect,
    Roll,
    SinkTile,
)
from companion.rules.pieces import MOVED_BY_TILE, MOVES_PER_TURN
from companion.table.evidence import DOUBT, FIT, Evidence
from companion.table.facts import Facts, awaits_tile, completed, due, tells_of_sinking, without
from companion.table.gestures import gesture, may_strike, sunk_in, touched
from companion.table.tally import ABOARD, BESIDE, NOTHING, Span, Spot, Tally, span, tallies, tally_at

MOST_ACTIONS = 5
"""At most so many gestures are looked for between two steady tables."""

BUDGET = 2000
"""At most so many positions are worked out in one search: the bound on its time."""

_GESTURES = (PlaceExplorer, PlaceBoat, MoveExplorer, MoveBoat, SinkTile, LoadBoat, MoveCreature, PlayTile)

_COST_OF_ACTION = 1.0
COST_OF_SKIPPING = {"play_tile": 0.0, "creature": 0.5, "move": 0.5}
"""Prior of what is assumed, in nats: the fewer actions explain the table the better. These phases end without a
sign on the table."""

_GAIN_OF_LIBERTY = 0.01
"""Of two alike in a boat the one that has swum is taken to have gone ashore: the other may still swim (4.5)."""

_COST_OF_HARM = 3.0
"""People hardly ever move an explorer or a boat to where it is lost at once."""

_COST_OF_LAG = 2.5
"""Where all that happened is given, people have seldom left undone what an action brought; hardly ever, once the die
was rolled after it: twice as much."""

_COST_OF_WAITING = 1.0
"""A tile that is told to have been played has been by now, as a rule: a creature moved by it may look as if rolled."""

_NOWHERE: Mapping[Spot, Tally] = MappingProxyType({})


class Node(NamedTuple):
    """A point in the search: a legal position and how well the table fits it.

    `spots` is the table as the rules have it, `spans` what else a spot may show by now. `misfits` holds the spots in
    doubt. `position` is None behind a tile sunk whose back nobody knows yet. `unseen`: touched spots that look as if
    nothing had happened there, with what stood there before; whoever came there has been lost at once, is hidden, or
    will go on in the next action. `vanished`: the last action has left such a spot in sight; `meets`: it has met a
    creature; `lost`: some action has, and it is not to be seen there, or what it met came up later. A piece in the air
    looks the same, so it is not believed of two in a row, nor after a walk. `passed`: a phase would have been ended in
    which a creature might have been moved, or an explorer or a boat and none was; in a session people say so on the
    screen. `facts` still wait; None if none are given at all: then the dealer has the last word on a sunk tile, and
    hands play no tiles unasked.
    """

    position: Position | None
    spots: dict[Spot, Tally]
    spans: dict[Spot, Span]
    actions: tuple[Action, ...]
    gestures: int
    prior: float
    misfits: dict[Spot, float]
    touched: frozenset[Spot]
    unseen: Mapping[Spot, Tally] = _NOWHERE
    vanished: bool = False
    meets: bool = False
    lost: bool = False
    passed: bool = False
    facts: Facts | None = None

    @property
    def guessed(self) -> bool:
        """True if something would have been done of which nothing is to be seen somewhere, or somebody lost at once."""
        return bool(self.unseen) or self.lost

    @property
    def fits(self) -> bool:
        """True if the table could be this."""
        return all(misfit <= FIT for misfit in self.misfits.values())

    @property
    def awaits_sinking(self) -> bool:
        """True if a tile is known to have been sunk that is not among the actions yet."""
        return self.position is not None and self.facts is not None and tells_of_sinking(self.position, self.facts)

    @property
    def wrong(self) -> frozenset[Spot]:
        """The spots that cannot be this."""
        return frozenset(spot for spot, misfit in self.misfits.items() if misfit > FIT)

    def bounds(self, spot: Spot) -> Span:
        """What a spot may show by now."""
        return self.spans.get(spot) or span(self.spots.get(spot, NOTHING))

    @property
    def score(self) -> float:
        """How badly it explains the table, in nats; the spots that fit well count nothing."""
        return self.prior + sum(self.misfits.values())


class Findings(NamedTuple):
    """What a search has found: the table as it was, the nodes that fit, and all that were looked at.

    `cut`: there was more to look at than `BUDGET`, and something else may explain the table as well.
    """

    root: Node
    fitting: tuple[Node, ...]
    visited: tuple[Node, ...]
    cut: bool = False


def explain(
    position: Position, evidence: Evidence, tolerated: Mapping[Spot, Span], facts: Facts | None = None
) -> Findings:
    """Look for the legal sequences that fit the evidence.

    `tolerated` are spots that may still show what they showed before, because people have not followed yet. `facts`:
    all that is known besides, None where a session deals and rolls; none of them must be `due` in the position already.
    """
    root = _root(position, evidence, tolerated)._replace(facts=facts)
    visited = [root]
    fitting: list[Node] = [root] if root.fits else []
    layer = [root] if root.misfits or root.awaits_sinking else []
    seen: set[Position] = {position}
    for depth in range(MOST_ACTIONS):
        if not layer or any(node.gestures and _is_complete(node, evidence) for node in fitting):
            break
        following: list[Node] = []
        for child in _all_children(layer, evidence, most_wrong=2 * (MOST_ACTIONS - depth - 1)):
            if len(visited) + len(following) >= BUDGET:
                break
            if child.position is not None:
                if child.position in seen:
                    continue
                seen.add(child.position)
            following.append(child)
        fitting += [node for node in following if node.fits]
        visited += following
        if len(visited) >= BUDGET:
            break
        layer = following
    if facts is not None:
        fitting = [node._replace(prior=node.prior + _cost_of_what_is_left(node, evidence)) for node in fitting]
    return Findings(root, tuple(fitting), tuple(visited), cut=len(visited) >= BUDGET)


def _cost_of_what_is_left(node: Node, evidence: Evidence) -> float:
    """How improbable it is, in nats, that people have left so much undone, where all that happened is given."""
    waiting = sum(fact.type == "play_tile" for fact in node.facts or ())
    rolled = max((i for i, action in enumerate(node.actions) if isinstance(action, Roll)), default=0)
    sunk = {action.hex for action in node.actions[:rolled] if isinstance(action, SinkTile)}
    lags = sum(_COST_OF_LAG * (2 if spot in sunk else 1) for spot in lagging(node, evidence))
    return lags + _COST_OF_WAITING * waiting


def _is_complete(node: Node, evidence: Evidence) -> bool:
    """True if nothing is left to be explained."""
    return not (node.misfits or lagging(node, evidence) or node.awaits_sinking)


def _root(position: Position, evidence: Evidence, tolerated: Mapping[Spot, Span]) -> Node:
    spots = tallies(position.layout())
    misfits = {}
    for spot in evidence.spots:
        misfit = evidence.misfit_at_rest(spot, tolerated.get(spot) or span(spots.get(spot, NOTHING)))
        if misfit > DOUBT:
            misfits[spot] = misfit
    return Node(
        position=position,
        spots=spots,
        spans=dict(tolerated),
        actions=(),
        gestures=0,
        prior=0.0,
        misfits=misfits,
        touched=frozenset(),
    )


def _all_children(layer: list[Node], evidence: Evidence, most_wrong: int) -> Iterator[Node]:
    """`_children` of all of them, but for two pieces in a row that vanish, where they may be in the air."""
    for node in _with_silent_ends(layer, evidence):
        for child in _children(node, evidence, most_wrong):
            if not (node.vanished and child.vanished and (child.meets or len(child.unseen) > len(node.unseen))):
                yield child


def _with_silent_ends(layer: list[Node], evidence: Evidence) -> Iterator[Node]:
    """Each node, and behind it those that phases ended without a sign lead to, with the facts that are due then."""
    for node in layer:
        here = node
        yield here
        while here.position is not None and here.position.phase in COST_OF_SKIPPING:
            if here.facts and awaits_tile(here.position, here.facts):
                break
            cost = COST_OF_SKIPPING[here.position.phase]
            position = rules.apply(here.position, EndPhase()).position
            here = here._replace(
                position=position,
                actions=(*here.actions, EndPhase()),
                prior=here.prior + cost,
                passed=here.passed or (here.facts is None and _might_act(here.position)),
            )
            here = _informed(here, evidence)  # 12.2: where no tile is left to be sunk the die is rolled
            yield here


def _might_act(position: Position) -> bool:
    """True if a creature might be moved, or nobody has moved an explorer or a boat yet who might."""
    if position.phase == "move" and position.moves_left < MOVES_PER_TURN:
        return False
    kinds = {"creature": MoveCreature, "move": MoveExplorer | MoveBoat}.get(position.phase)
    return kinds is not None and any(isinstance(a, kinds) for a in rules.legal_actions(position))


def _children(node: Node, evidence: Evidence, most_wrong: int) -> Iterator[Node]:
    """The nodes that the actions touching a spot in doubt lead to, with at most so many spots wrong."""
    position = node.position
    if position is None:
        return
    sunk = sunk_in(position)
    wrong = node.wrong
    behind = lagging(node, evidence)
    if node.awaits_sinking:
        behind |= evidence.hidden
    doubtful = node.misfits.keys() | behind
    for action in rules.legal_actions(position):
        if not isinstance(action, _GESTURES) or doubtful.isdisjoint(touched(action, sunk)):
            continue
        if isinstance(action, SinkTile | PlayTile) and not _may_be(node, position, action):
            continue
        after = gesture(node.spots, action, sunk)
        strikes = any(may_strike(tally) for tally in after.values())
        brings = isinstance(action, SinkTile) and node.facts is not None
        known = same_creature(action, after, evidence)
        if not (strikes or brings):  # then the gesture is all there is to see, and most actions need not be carried out
            misfits = {s: evidence.misfit(s, _shifted(node, s, tally), known.get(s)) for s, tally in after.items()}
            amiss = sum(misfit > FIT for misfit in misfits.values())
            if len(wrong - after.keys()) + amiss > most_wrong:
                continue
            # who boards where he is leaves a spot that fits worse than before, and better once the boat has gone
            if len(after) > 1 and behind.isdisjoint(after) and not _helps(node, misfits, evidence):
                continue
        child = _child(node, action, after, evidence, strikes=strikes, known=known)
        if len(child.wrong) <= most_wrong:
            yield child


def _helps(node: Node, misfits: Mapping[Spot, float], evidence: Evidence) -> bool:
    """True if with these misfits a spot in doubt fits better than before, or one is touched that is wrong.

    Of what is far from what is read nobody can tell whether it has come nearer.
    """
    touched_doubts = misfits.keys() & node.misfits.keys()
    before = {spot: evidence.misfit(spot, node.bounds(spot)) for spot in touched_doubts}
    return any(before[spot] > FIT or misfits[spot] < before[spot] for spot in touched_doubts)


def lagging(node: Node, evidence: Evidence) -> set[Spot]:
    """The touched spots that show what is still to change, or has gone on: what came up was moved at once."""
    return {
        spot
        for spot in node.touched
        if evidence.seen(spot) and evidence.closest(spot, node.spans[spot]) != node.spots.get(spot, NOTHING)
    }


def _may_be(node: Node, position: Position, action: SinkTile | PlayTile) -> bool:
    """Without facts a tile may be sunk, and the session deals its back; nobody plays a tile that was not announced."""
    if node.facts is None:
        return isinstance(action, SinkTile)
    return completed(position, action, node.facts) is not None


def _child(
    node: Node,
    action: Action,
    after: dict[Spot, Tally],
    evidence: Evidence,
    *,
    strikes: bool,
    known: Mapping[Spot, Tally],
) -> Node:
    """The node that a legal action leads to.

    `after` is its gesture, `strikes` whether 8 may apply then, `known` as in `Evidence.misfit`.
    """
    assert node.position is not None
    position: Position | None = None
    prior = node.prior + _COST_OF_ACTION
    if isinstance(action, MoveExplorer) and action.swum and action.target.safe is not None:
        prior -= _GAIN_OF_LIBERTY
    spans = {spot: _shifted(node, spot, tally) for spot, tally in after.items()}
    settled, lost = after, False
    if node.facts is not None:
        action = completed(node.position, action, node.facts) or action
    if not isinstance(action, SinkTile) or node.facts is not None:
        position = rules.apply(node.position, action).position
        if strikes:
            settled, struck = _consequences(position, after)
            spans = {spot: span(*spans[spot], settled[spot], struck[spot]) for spot in after}
            lost = struck != after
            if lost and _is_of_own(action):
                prior += _COST_OF_HARM
    overlooked = lost and _is_of_own(action) and any(evidence.misfit(spot, span(after[spot])) > FIT for spot in after)
    unchanged = {}
    if not (node.awaits_sinking and isinstance(action, SinkTile)):  # one was sunk, seen or not
        before = {spot: node.spots.get(spot, NOTHING) for spot in after}
        unchanged = {spot: was for spot, was in before.items() if not _is_changed(evidence, spot, was, after[spot])}
    gone_on = {spot for spot, tally in node.unseen.items() if after.get(spot) == tally}
    child = Node(
        position=position,
        spots={**node.spots, **settled},
        spans={**node.spans, **spans},
        actions=(*node.actions, action),
        gestures=node.gestures + 1,
        prior=prior,
        misfits=_doubts(node, spans, evidence, known),
        touched=node.touched | after.keys(),
        unseen={spot: tally for spot, tally in node.unseen.items() if spot not in gone_on} | unchanged,
        vanished=any(evidence.seen(spot) for spot in unchanged),
        meets=lost,
        passed=node.passed,
        lost=node.lost or overlooked or (lost and bool(unchanged)),
    )
    if node.facts is None:
        return child
    child = child._replace(facts=without(node.facts, [action]))
    if strikes or isinstance(action, SinkTile):
        child = _brought(child, evidence)
    child = _informed(child, evidence)
    if any(isinstance(done, Defend) for done in child.actions[len(node.actions) :]):
        # it was taken off because of the answer
        return child._replace(unseen=node.unseen, vanished=node.vanished, lost=node.lost)
    return child


def _is_of_own(action: Action) -> bool:
    """True if somebody moves his own people."""
    return isinstance(action, MoveExplorer | MoveBoat) or _is_own_tile(action)


def _is_own_tile(action: Action) -> bool:
    """True for a tile that carries somebody's own people (10: dolphin, wind)."""
    return isinstance(action, PlayTile) and action.tile not in MOVED_BY_TILE


def same_creature(action: Action, after: Mapping[Spot, Tally], evidence: Evidence) -> dict[Spot, Tally]:
    """A creature that was seen to leave its hex is the same where it came to, whatever kind is read there."""
    if not isinstance(action, MoveCreature | PlayTile) or _is_own_tile(action) or not evidence.seen(action.origin):
        return {}
    if evidence.misfit(action.origin, span(after[action.origin]), NOTHING) > DOUBT:
        return {}
    return {action.target: after[action.target]}


def _is_changed(evidence: Evidence, spot: Spot, before: Tally, after: Tally) -> bool:
    """False if a spot is hidden, or looks more as it did before a gesture than as it should after it."""
    return evidence.seen(spot) and evidence.misfit(spot, span(after)) <= evidence.misfit(spot, span(before)) + DOUBT


def _informed(node: Node, evidence: Evidence) -> Node:
    """The node behind all facts that are due, with what they bring."""
    while node.position is not None and node.facts and (action := due(node.position, node.facts)) is not None:
        position = rules.apply(node.position, action).position
        node = node._replace(position=position, actions=(*node.actions, action), facts=without(node.facts, [action]))
        node = _brought(node, evidence)
    return node


def _brought(node: Node, evidence: Evidence) -> Node:
    """The table as the position has it by now: what lay under a tile has come up, who is struck is lost.

    People may not have done all of it yet, or be ahead of an answer.
    """
    assert node.position is not None
    now = tallies(node.position.layout())
    new = {
        spot: tally
        for spot in now.keys() | node.spots.keys()
        if (tally := now.get(spot, NOTHING)) != node.spots.get(spot, NOTHING)
    }
    if not new:
        return node
    _, struck = _consequences(node.position, new)
    came = new.keys() & _came(node)
    spans: dict[Spot, Span] = {}
    for spot, tally in new.items():
        spans[spot] = span(*node.bounds(spot), tally, struck[spot])
    return node._replace(
        lost=node.lost or any(_people(new[spot]) < _people(node.spots.get(spot, NOTHING)) for spot in came),
        spots={**node.spots, **new},
        spans={**node.spans, **spans},
        misfits=_doubts(node, spans, evidence),
        touched=node.touched | new.keys(),
    )


def _came(node: Node) -> set[Spot | None]:
    """Where people have been moved to."""
    moves = (a for a in node.actions if isinstance(a, MoveExplorer | MoveBoat) or _is_own_tile(a))
    return {a.target.hex if isinstance(a, MoveExplorer) else a.target for a in moves}  # type: ignore[union-attr]


def _people(tally: Tally) -> int:
    return sum(tally[BESIDE]) + sum(tally[ABOARD])


def _doubts(
    node: Node, spans: Mapping[Spot, Span], evidence: Evidence, known: Mapping[Spot, Tally] = _NOWHERE
) -> dict[Spot, float]:
    """The node's misfits, once these spots may show that; `known` as in `Evidence.misfit`."""
    misfits = {spot: misfit for spot, misfit in node.misfits.items() if spot not in spans}
    for spot, bounds in spans.items():
        misfit = evidence.misfit(spot, bounds, known.get(spot))
        if misfit > DOUBT:
            misfits[spot] = misfit
    return misfits


def _shifted(node: Node, spot: Spot, tally: Tally) -> Span:
    """What a spot may show after a gesture: if it lagged behind before, it still may."""
    if spot not in node.spans:
        return span(tally)
    by = [new - old for new, old in zip(tally, node.spots.get(spot, NOTHING), strict=True)]
    low, high = (tuple(max(0, n + d) for n, d in zip(edge, by, strict=True)) for edge in node.spans[spot])
    return low, high


def _consequences(position: Position, after: dict[Spot, Tally]) -> tuple[dict[Spot, Tally], dict[Spot, Tally]]:
    """The touched spots by the rules now, and when every threat has been carried out (9.2, 13.4).

    Between the two, people may have taken the pieces that are lost off the board already.
    """
    now = _at(position, after)
    if position.threat is None:
        return now, now
    while position.threat is not None:
        nobody: Action = Protect(explorers={})
        answer = nobody if position.phase == "protect" else Decline(player=position.threat.asked[0])
        position = rules.apply(position, answer).position
    return now, _at(position, after)


def _at(position: Position, spots: Iterable[Spot]) -> dict[Spot, Tally]:
    """What stands on these spots."""
    layout = position.layout()
    return {spot: tally_at(layout, spot) for spot in spots}
