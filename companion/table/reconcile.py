"""From a legal position and agreeing pictures to what has been done: the verdict, and how sure it has to be.

A pure function. It answers `Explained` when one legal sequence explains the pictures clearly better than any other and
than "nothing has changed"; `Question` when two are close, or a piece would have gone where nobody can see it; `Unclear`
when the pictures are not good enough to tell; `Contradiction` when no legal actions lead here. What is explained but
for a single piece or two somewhere else is taken over without them; they then are the contradiction.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeGuard

import msgspec

from companion import rules
from companion.rules import Position
from companion.rules.actions import (
    Action,
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
from companion.rules.creatures import kinds
from companion.rules.geometry import Hex, load_board
from companion.rules.layout import Land
from companion.rules.pieces import BOAT_CAPACITY
from companion.table.accuse import Violation, accuse, is_reseated, overfull, stray, two_acts
from companion.table.chores import Chore, chores
from companion.table.evidence import DOUBT, Evidence
from companion.table.explain import MOST_ACTIONS, Node, explain, lagging
from companion.table.facts import Facts
from companion.table.gestures import gesture, sunk_in, touched
from companion.table.lags import NOTHING_DUE, NOTHING_NAMED, Due, Named
from companion.table.tally import (
    ABOARD,
    BESIDE,
    INDEX,
    NOTHING,
    TILES,
    Sort,
    Span,
    Spot,
    Tally,
    has_tile,
    keeping_creatures,
    span,
    tallies,
    within,
)
from companion.vision.observation import Observation

BOARD = load_board()

MARGIN = 3.0
"""What is taken over without asking is so many nats better than anything else: 20 to 1."""

_MOST_APART = 2
"""So many single pieces too many or too few, of which nothing explains where from or where to, do not stop a game."""

_MOST_CANDIDATES = 3

_HARDLY = 6.5
"""What recognition lists fits no worse, even if it is the last reading of a spot (`readings.LIKELY`)."""

_STRONG_HINT = 0.1
"""Where four aboard are that probable, somebody next to the boat who has gone elsewhere is asked about."""


class Candidate(msgspec.Struct, frozen=True):
    """A legal sequence that may have been done, how probable it is among the candidates, `lags` as in `Explained`.

    `lost`: somebody would have gone to where he is lost at once. `doubtful`: what people do next is no proof of it
    (see `weigh`).
    """

    actions: tuple[Action, ...]
    probability: float
    hexes: tuple[Hex, ...]
    lags: dict[Spot, Span] = {}
    lost: bool = False
    doubtful: bool = False


class Explained(msgspec.Struct, frozen=True):
    """These actions were done, none if nothing was. `lags`: what the touched spots may still show besides."""

    actions: tuple[Action, ...] = ()
    lags: dict[Spot, Span] = {}


class Question(msgspec.Struct, frozen=True):
    """One of these was done, the most probable first."""

    candidates: tuple[Candidate, ...]
    hexes: tuple[Hex, ...]


class Contradiction(msgspec.Struct, frozen=True):
    """Nothing legal leads here. With `rule` its sentence, where a single gesture breaks it; and what puts it right."""

    hexes: tuple[Hex, ...]
    rule: str | None
    message: str | None
    way_back: tuple[Chore, ...]
    lands: tuple[Land, ...] = ()

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The hexes and safe lands concerned."""
        return (*self.hexes, *self.lands)


class Unclear(msgspec.Struct, frozen=True):
    """Perhaps nothing was done, perhaps what `question` asks: these hexes have to be seen better."""

    question: Question


Verdict: TypeAlias = Explained | Question | Contradiction | Unclear


def reconcile(
    position: Position, observations: Sequence[Observation], tolerated: Mapping[Spot, Span] | None = None
) -> Verdict:
    """What the pictures say has been done since `position`.

    `observations` are steady, registered pictures of the same table; `tolerated` are spots that may still show what
    they showed before, because people have not followed yet (see `follow`).
    """
    return weigh(position, Evidence.mean([Evidence.of(observation) for observation in observations]), tolerated or {})


def weigh(
    position: Position,
    evidence: Evidence,
    tolerated: Mapping[Spot, Span],
    facts: Facts | None = None,
    *,
    complained: Collection[Spot] = (),
    distrusted: Collection[Spot] = (),
    risen: Collection[Spot] = (),
    named: Named = NOTHING_NAMED,
    due: Due = NOTHING_DUE,
) -> Verdict:
    """`reconcile` for pictures read already; `facts` as in `explain`, `distrusted` as in `Evidence.knowing`.

    `complained`: where a tile was complained to have brought something else (6.4). If people play on all the same,
    they know better. `due`: what hands have still to do. What looks like it, done elsewhere, may be that or something
    else: it is asked about. So is a move before which something else might have been moved (`Node.passed`). Of neither
    is it a proof that people play on. `risen` as in `Evidence.knowing`. `named`: an illegal act that goes on standing;
    it does not become legal because another's turn has come, and what is done beside it is followed.
    """
    evidence = evidence.knowing(keeping_creatures(tallies(position.layout()), tolerated), distrusted, risen)
    root, fitting, visited, cut = explain(position, evidence, tolerated, facts)
    if not (root.misfits or root.awaits_sinking):
        return Explained()
    rivals = [node for node in _by_table(_told_of(fitting)) if not _was_done_before(node, position, named)]

    def is_sure(node: Node) -> bool:
        return not (cut or node.guessed or _is_doubtful(node, root, due, evidence))

    if not rivals:
        if beside := _beside(visited, evidence, named.shown):
            is_clear = len(beside) == 1 and is_sure(beside[0])
            return _taken_over(beside[0], evidence) if is_clear else _question(beside, root, due, evidence)
        return _unexplained(visited, evidence, complained, due, cut=cut)
    best = rivals[0]
    near = [node for node in rivals if node.score - best.score < MARGIN]
    close = [node for node in near if not any(_adds_nothing(node, other, evidence) for other in near)]
    close = close[:_MOST_CANDIDATES]
    if root in close:
        others = [node for node in close if node != root]
        return Unclear(_question(others, root, due, evidence)) if others else Explained()
    if len(close) == 1 and is_sure(close[0]) and not _may_be_squeezed_in(close[0], root, evidence):
        return _taken_over(close[0], evidence)
    crowded = overfull(visited, evidence) if all(node.lost for node in close) else None
    return _question(close, root, due, evidence) if crowded is None else _contradiction(root, crowded, evidence, due)


def _boarding(root: Node, visited: Sequence[Node], evidence: Evidence) -> list[Node]:
    """Who may be boarding the boat that has come up under too many (6.4), where some are aboard already, not all."""
    position = root.position
    if position is None or position.phase != "load_boat" or root.wrong != {sunk_in(position)}:
        return []
    (spot,) = root.wrong
    now, shown = root.spots[spot], evidence.best(spot)
    loads = (node for node in visited if node.gestures == 1 and isinstance(node.actions[0], LoadBoat))
    return [node for node in loads if within(shown, span(now, node.spots[spot]))][:_MOST_CANDIDATES]


def _unexplained(
    visited: Sequence[Node], evidence: Evidence, complained: Collection[Spot], due: Due, *, cut: bool
) -> Verdict:
    """What is said where no sequence explains the table: the rule it breaks, or what was done beside a stray piece.

    Where the search was cut a legal one may do so: nobody is accused then of what would have come after something else.
    """
    root = visited[0]
    if boarding := _boarding(root, visited, evidence):
        return Unclear(_question(boarding, root, due, evidence))
    suspected = visited[:1] if cut else visited
    violation = accuse(suspected, evidence)
    apart = _but_for_few(visited, evidence, complained) if violation is None or violation.rule == "6.4" else []
    hardly = [node for node in _hardly_read(visited, evidence) if node not in apart] if violation is None else []
    if apart or hardly:
        rivals = sorted([*apart, *hardly], key=lambda node: node.score)
        close = [node for node in rivals if node.score - rivals[0].score < MARGIN][:_MOST_CANDIDATES]
        is_alone = len(close) == 1 and close[0] in apart and not cut
        is_clear = is_alone and not _is_doubtful(close[0], root, due, evidence)
        return _taken_over(close[0], evidence, complained) if is_clear else _question(close, root, due, evidence)
    return _contradiction(root, violation or _violation_but_for_one(suspected, evidence), evidence, due)


def _is_doubtful(node: Node, root: Node, due: Due, evidence: Evidence) -> bool:
    """True if it has to be asked about however well it explains the table, and playing on is no proof: see `weigh`.

    So is what explains it in part with as many actions as are looked for: one more may explain it all.
    """
    if node.passed or (node.gestures == MOST_ACTIONS and node.misfits) or _may_be_one_gesture(node, root, evidence):
        return True
    return any(_may_be_what_is_due(action, root, due) for action in node.actions)


def _may_be_one_gesture(node: Node, root: Node, evidence: Evidence) -> bool:
    """True if a boat would have gone twice, nobody has seen where it was between, and a rule forbids to do it at once.

    A swimmer put into the boat on the next hex (4.3) looks as if it had fetched him and come back. An empty boat moved
    farther than the dice allow (13.2) looks as if the next player had gone on with it.
    """
    trips = itertools.combinations([a for a in node.actions if _is_of_a_boat(a)], 2)
    is_at_once = any(
        on.target == out.origin or (isinstance(out, MoveCreature) and on.origin == out.target) for out, on in trips
    )
    return is_at_once and accuse([root], evidence) is not None


def _is_of_a_boat(action: Action) -> TypeGuard[MoveBoat | MoveCreature]:
    return isinstance(action, MoveBoat) or (isinstance(action, MoveCreature) and action.creature == "boat")


def _may_be_what_is_due(action: Action, root: Node, due: Due) -> bool:
    """True if what was entered has perhaps been done otherwise, and looks like this.

    That is, if it would move on a piece from where that was to come, or one to where such a one is to leave, sink a
    tile while another one is to go, or place a piece while such a one is to be placed elsewhere.
    """
    expected = root.spots
    match action:
        case MoveExplorer() | MoveBoat() | MoveCreature() | PlayTile():
            moved = gesture(expected, action)
            origin, target = touched(action)
            comes = origin in due.coming and any(
                least < n > m
                for least, n, m in zip(due.spans[origin][0], expected.get(origin, NOTHING), moved[origin], strict=True)
            )
            leaves = target in due.spans and any(
                m > n < most
                for n, m, most in zip(expected.get(target, NOTHING), moved[target], due.spans[target][1], strict=True)
            )
            return comes or leaves
        case SinkTile():
            return any(has_tile(high) > has_tile(expected.get(s, NOTHING)) for s, (_, high) in due.spans.items())
        case PlaceExplorer(hex=h) | PlaceBoat(hex=h):
            now, after = expected.get(h, NOTHING), gesture(expected, action)[h]
            placed = next(i for i, (n, m) in enumerate(zip(now, after, strict=True)) if m > n)
            return any(low[placed] < expected.get(s, NOTHING)[placed] for s, (low, _) in due.spans.items() if s != h)
    return False


def _may_be_squeezed_in(node: Node, root: Node, evidence: Evidence) -> bool:
    """True if who has gone elsewhere, or to swim beside a full boat, may as well be a fourth passenger (5.1)."""
    for spot in node.touched:
        before, (_, after) = root.spots.get(spot, NOTHING), node.bounds(spot)
        has_come = sum(after[BESIDE]) > sum(before[BESIDE])
        if has_come and sum(after[ABOARD]) == BOAT_CAPACITY and evidence.hints_at_overfull(spot):
            return True
    origins = (action.origin.hex for action in node.actions if isinstance(action, MoveExplorer))
    beside = {there for h in origins if h is not None for there in BOARD.neighbours[h]}
    return any(evidence.hints_at_overfull(h, _STRONG_HINT) for h in beside)


def _told_of(fitting: Sequence[Node]) -> Sequence[Node]:
    """Where a tile is known to have been sunk, only what has it sunk counts."""
    return [node for node in fitting if not node.awaits_sinking] or fitting


def _adds_nothing(node: Node, other: Node, evidence: Evidence) -> bool:
    """True if a node does all that another does, and more, and the table is as hard to understand as before."""
    if lagging(other, evidence) - lagging(node, evidence):
        return False
    more = beyond(node.actions, other.actions)
    return bool(more) and sum(node.misfits.values()) > sum(other.misfits.values()) - DOUBT


def beyond(actions: Iterable[Action], others: Iterable[Action]) -> list[Action] | None:
    """Which of the actions are not among the others; None if the others are not all among them. Some have no hash."""
    more = list(actions)
    for action in others:
        if action not in more:
            return None
        more.remove(action)
    return more


def _taken_over(node: Node, evidence: Evidence, complained: Collection[Spot] = ()) -> Explained:
    """What was done; what was complained of may go on to be seen."""
    odd = {spot: span(*node.bounds(spot), evidence.best(spot)) for spot in node.wrong.intersection(complained)}
    return Explained(node.actions, _lags(node) | odd)


def _lags(node: Node) -> dict[Spot, Span]:
    return {spot: node.spans[spot] for spot in node.touched}


def _but_for_few(visited: Sequence[Node], evidence: Evidence, complained: Collection[Spot]) -> list[Node]:
    """The sequences that explain all but a piece too many or too few on one or two spots that they do not touch.

    Such a piece is a matter of its own, and as often as not misread: it must not stop the game from being followed.
    """
    root = visited[0]
    moved = (node for node in visited if node.gestures and not node.guessed and _has_changed(node, root))
    done = (node for node in moved if not _adds_nothing(node, root, evidence))
    apart = (node for node in done if _is_apart(node, root, evidence, complained))
    followed = [node for node in apart if not _passes_over(node, root, evidence)]
    rivals = _by_table(followed)
    return [node for node in rivals if node.score - rivals[0].score < MARGIN][:_MOST_CANDIDATES]


def _hardly_read(visited: Sequence[Node], evidence: Evidence) -> list[Node]:
    """The sequences that explain all, but something else is read on one of the spots that they change.

    Something has changed there, and the right reading is among those of the spot: two who stand close together are
    hardly ever read as one, but explorers vanish even less.
    """
    root = visited[0]
    found = [
        node
        for node in visited
        if node.gestures
        and len(node.wrong) == 1
        and node.wrong <= root.wrong & node.touched
        and all(_is_hardly_read(node, root, spot) for spot in node.wrong)
        and node.unseen.keys() <= node.wrong
        and not (node.lost or node.awaits_sinking)
        and _has_changed(node, root)
        and not _adds_nothing(node, root, evidence)
    ]
    return _by_table(found)


def _is_hardly_read(node: Node, root: Node, spot: Spot) -> bool:
    return node.misfits[spot] <= _HARDLY and node.spots.get(spot, NOTHING) != root.spots.get(spot, NOTHING)


def _violation_but_for_one(visited: Sequence[Node], evidence: Evidence) -> Violation | None:
    """The illegal gesture that explains all but such a piece on one spot, or who sits in a boat there.

    Else a boat's move that would explain it but for a passenger, or two gestures that break different rules. What needs
    no legal action before it comes first: behind others any gesture may be one that is not its time.
    """
    root = visited[0]
    slight = [s for s in sorted(root.wrong, key=str) if stray(root, s, evidence) or is_reseated(root, s, evidence)]

    def but_for_one(nodes: Sequence[Node]) -> Violation | None:
        found = (accuse(nodes, evidence, frozenset({spot})) for spot in slight)
        return next((violation for violation in found if violation is not None), None)

    at_once = but_for_one([root]) or two_acts([root], evidence)
    return at_once or but_for_one(visited) or accuse(visited, evidence, loosely=True) or two_acts(visited, evidence)


def _steps(position: Position, actions: Iterable[Action]) -> Iterator[tuple[Position, Action]]:
    """The actions, each with the position before it; not what comes after a tile of which nobody knows the back."""
    for action in actions:
        yield position, action
        if isinstance(action, SinkTile) and action.back is None and position.options.backs == "dealt":
            return
        position = rules.apply(position, action).position


def _was_done_before(node: Node, position: Position, named: Named) -> bool:
    """True if in another's turn something would have been done that stood there before, and was named for illegal."""
    return bool(named.shown) and any(
        before.active != named.active and not set(touched(action)).isdisjoint(named.shown)
        for before, action in _steps(position, node.actions)
    )


def _beside(visited: Sequence[Node], evidence: Evidence, named: Mapping[Spot, Tally]) -> list[Node]:
    """The sequences that explain all but an act that was named before and goes on standing, and do not touch it."""
    root = visited[0]
    done = [
        node
        for node in _told_of(visited)
        if node.gestures
        and node.wrong
        and node.wrong <= named.keys()
        and node.touched.isdisjoint(named)
        and _has_changed(node, root)
        and not _adds_nothing(node, root, evidence)
    ]
    rivals = _by_table(done)
    return [node for node in rivals if node.score - rivals[0].score < MARGIN][:_MOST_CANDIDATES]


def _has_changed(node: Node, root: Node) -> bool:
    """True unless all that was moved is back where it was: there and back explains nothing."""
    return any(node.spots.get(spot, NOTHING) != root.spots.get(spot, NOTHING) for spot in node.touched)


def _is_apart(node: Node, root: Node, evidence: Evidence, complained: Collection[Spot]) -> bool:
    if not node.wrong or len(node.wrong) > _MOST_APART:
        return False
    return all(
        (spot in complained and _is_disputed(node, spot, evidence)) or _is_beside(node, root, spot, evidence)
        for spot in node.wrong
    )


def _is_beside(node: Node, root: Node, spot: Spot, evidence: Evidence) -> bool:
    """True if a spot shows what was done there, and a piece too many or too few of a sort that nobody moved."""
    sort = stray(node, spot, evidence)
    if sort is None:
        return False
    i = INDEX[sort]
    return node.spots.get(spot, NOTHING)[i] == root.spots.get(spot, NOTHING)[i]


def _passes_over(node: Node, root: Node, evidence: Evidence) -> bool:
    """True if the rolled creature would not have been moved (7.2), and such a one is gone from where it was.

    It has been moved to where it is not seen, or is on its way: what comes after it is not followed yet.
    """
    assert root.position is not None
    for before, action in _steps(root.position, node.actions):
        if isinstance(action, EndPhase) and before.phase == "creature" and before.die is not None:
            rolled = [INDEX[Sort(piece)] for piece in kinds(before.die)]
            return any(_is_gone(node, spot, kind, evidence) for spot in node.wrong for kind in rolled)
    return False


def _is_gone(node: Node, spot: Spot, kind: int, evidence: Evidence) -> bool:
    """True if fewer of a kind (its place in a tally) are seen on a spot than should be there."""
    return evidence.seen(spot) and evidence.best(spot)[kind] < node.spots.get(spot, NOTHING)[kind]


def _is_disputed(node: Node, spot: Spot, evidence: Evidence) -> bool:
    """True if at most the tile's sinking has touched the spot, the tile is gone, and more than that was done."""
    by = [action for action in node.actions if spot in touched(action)]
    gone = evidence.best(spot)[TILES] == node.spots.get(spot, NOTHING)[TILES]
    return gone and len(node.actions) > len(by) and all(isinstance(action, SinkTile) for action in by)


def _by_table(nodes: Sequence[Node]) -> list[Node]:
    """One node for each different table, best first: of several ways to the same table the shortest counts.

    But whom a dolphin has carried (10.1) and who has swum himself (4.5) is not to be seen, and matters.
    """
    ways: dict[object, Node] = {}
    direct: set[object] = set()
    for node in sorted(nodes, key=lambda node: (node.gestures, node.prior)):
        table = frozenset((spot, tally) for spot, tally in node.spots.items() if any(tally))
        swum: object = ()
        carried = next((a for a in node.actions if isinstance(a, PlayTile) and a.tile == "dolphin"), None)
        if carried is not None and node.position is not None:
            passage = (table, carried.origin, carried.colour)
            if passage in direct and _swims_on_alone(node, carried):
                continue
            direct.add(passage)
            swum = node.position.swum
        ways.setdefault((table, swum), node)
    return sorted(ways.values(), key=lambda node: node.score)


def _swims_on_alone(node: Node, carried: PlayTile) -> bool:
    """True if whom a dolphin has carried then swims on, and not another of his colour who was there before him."""
    there = Place(hex=carried.target, on="sea")
    moves = [a for a in node.actions if isinstance(a, MoveExplorer) and a.colour == carried.colour]
    left = sum(action.origin == there for action in moves)
    came = 1 + sum(action.target == there for action in moves)
    is_now = node.spots.get(carried.target, NOTHING)[INDEX[Sort("explorer", carried.colour)]]
    was = is_now + left - came
    return left > 0 and was == 0


def _question(close: Sequence[Node], root: Node, due: Due, evidence: Evidence) -> Question:
    weights = [math.exp(close[0].score - node.score) for node in close]
    return Question(
        tuple(
            Candidate(
                node.actions,
                weight / sum(weights),
                hexes_of(node.touched),
                _lags(node) | {s: span(*node.bounds(s), evidence.best(s)) for s in node.wrong & node.touched},
                lost=node.lost,
                doubtful=_is_doubtful(node, root, due, evidence),
            )
            for node, weight in zip(close, weights, strict=True)
        ),
        hexes_of(spot for node in close for spot in node.touched),
    )


def is_same(question: Question, other: Question) -> bool:
    """True if both ask about the same candidates, in whatever order."""
    asked, known = ([c.actions for c in q.candidates] for q in (question, other))
    return len(asked) == len(known) and all(actions in known for actions in asked)


def as_question(explained: Explained) -> Question:
    """What was explained, to be asked about all the same."""
    hexes = hexes_of(explained.lags)
    return Question((Candidate(explained.actions, 1.0, hexes, explained.lags),), hexes)


def _contradiction(root: Node, violation: Violation | None, evidence: Evidence, due: Due) -> Contradiction:
    spots = root.wrong if violation is None else frozenset(violation.spots)
    shown = {spot: evidence.best(spot) for spot in spots if evidence.seen(spot)}
    return Contradiction(
        hexes=hexes_of(spots),
        rule=None if violation is None else violation.rule,
        message=None if violation is None else violation.message,
        way_back=_way_back(root, shown, {s: evidence.closest(s, due.spans[s]) for s in due.spans if evidence.seen(s)}),
        lands=tuple(sorted(spot for spot in spots if isinstance(spot, str))),
    )


def _way_back(root: Node, shown: Mapping[Spot, Tally], due: Mapping[Spot, Tally]) -> tuple[Chore, ...]:
    """What puts these spots right; a piece that is due elsewhere (where that is shown) is carried there."""
    table = {**due, **shown}
    return tuple(chore for chore in chores(table, root.spots, table) if not shown.keys().isdisjoint(_spots_of(chore)))


def _spots_of(chore: Chore) -> set[Spot]:
    return {spot for spot in (chore.hex, chore.land, chore.origin_hex, chore.origin_land) if spot is not None}


def hexes_of(spots: Iterable[Spot]) -> tuple[Hex, ...]:
    """The hexes among the spots, in reading order."""
    found = {spot for spot in spots if not isinstance(spot, str)}
    return tuple(sorted(found, key=lambda h: (h[1], h[0])))
