"""A question that nobody has answered: what was done since may tell which candidate was it, or leave it open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from companion.rules import Position, apply
from companion.rules.actions import Action, MoveCreature, Roll, SinkTile
from companion.table.evidence import DOUBT, Evidence
from companion.table.facts import due, without
from companion.table.gestures import risen_after, touched
from companion.table.reconcile import Candidate, Contradiction, Explained, Question, Verdict, beyond, hexes_of
from companion.table.tally import NOTHING, Span, Spot, Tally, span, tallies, within
from companion.table.weighing import Case, Thinking

_WITH_FREE_HANDS = (SinkTile, MoveCreature, Roll)
"""What nobody does who still holds an explorer or a boat in the hand."""


def played_on(open_: Iterable[Candidate], asked: Question, case: Case) -> Thinking[Explained | None]:
    """The candidate that was it, None if that is not clear; `open_` are those that playing on may prove.

    One on which people may have gone on as well, though that is no proof of it, leaves it open which it was. Where all
    facts are given, and nobody is there to be asked, that is enough if nothing else was ever as probable.
    """
    is_alone = case.facts is not None and len(asked.candidates) == 1
    followed: list[Candidate] = []
    is_proven = False
    for candidate in open_:
        goes_on = yield from _goes_on(candidate, asked, case)
        if goes_on != "no":
            followed.append(candidate)
            is_proven |= is_alone or goes_on == "proven"
    tables = {frozenset(tallies(_position_after(case.position, c.actions).layout()).items()) for c in followed}
    return Explained(followed[0].actions, followed[0].lags) if is_proven and len(tables) == 1 else None


def still_open(asked: Question, case: Case) -> Thinking[Verdict | None]:
    """The candidates that explain the table, each with what was done after it; else what is wrong after one of them.

    None if nothing is clear after any. Since the question more may have been done than is looked for at once. If a
    single one is left, it is clearly to be seen, and the table contradicts all others, that was it.
    """
    explained, wrong = [], []
    for candidate in asked.candidates:
        told, then = _after(candidate, case)
        verdict = yield then.weigh
        if isinstance(verdict, Explained):
            actions, lags = (*candidate.actions, *told, *verdict.actions), {**candidate.lags, **verdict.lags}
            hexes = hexes_of({*candidate.hexes, *verdict.lags})
            explained.append(msgspec.structs.replace(candidate, actions=actions, lags=lags, hexes=hexes))
        elif isinstance(verdict, Contradiction):
            wrong.append(verdict)
    if not explained:
        return min(wrong, key=lambda said: (said.rule is None, len(said.hexes)), default=None)
    (only, *others) = explained
    is_only = wrong and not others and len(wrong) + 1 == len(asked.candidates)
    is_clear = not case.evidence.is_unclear_about(asked.hexes) and _is_to_be_seen(only.lags, case, only.lags)
    if is_only and is_clear and not (only.lost or only.doubtful):
        return Explained(only.actions, only.lags)
    return Question(tuple(explained), hexes_of({h for candidate in explained for h in candidate.hexes}))


def extends(question: Question, asked: Question) -> bool:
    """True if its candidates are those that were asked about, each with what was done after it."""
    pairs = [(now.actions, before.actions) for now in question.candidates for before in asked.candidates]
    continued = [now for now, before in pairs if beyond(now, before) is not None]
    return len(question.candidates) == len(asked.candidates) == len(continued)


def _after(candidate: Candidate, case: Case) -> tuple[list[Action], Case]:
    """What is known to have happened since, and all that there is to weigh if the candidate was it."""
    facts = without(case.facts, candidate.actions) if case.facts is not None else None
    position, risen = case.position, {*case.risen}
    for done in candidate.actions:
        risen = risen_after(risen, position, done)
        position = apply(position, done).position
    before, told = tallies(position.layout()), []
    while facts and (action := due(position, facts)) is not None:
        position, facts = apply(position, action).position, without(facts, [action])
        told.append(action)
    after = tallies(position.layout())
    changing = {s for s in before.keys() | after.keys() if before.get(s, NOTHING) != after.get(s, NOTHING)}
    due_now = {s: span(before.get(s, NOTHING), after.get(s, NOTHING)) for s in changing}
    tolerated = {**case.tolerated, **candidate.lags, **due_now}
    return told, case._replace(position=position, tolerated=tolerated, facts=facts, complained=(), risen=risen)


def _position_after(position: Position, actions: Iterable[Action]) -> Position:
    for action in actions:
        position = apply(position, action).position
    return position


def _goes_on(candidate: Candidate, asked: Question, case: Case) -> Thinking[Literal["no", "perhaps", "proven"]]:
    """Whether it, and something that was done after it and is not asked about, explain the table.

    `perhaps`: they do, but somebody would have come to where that is not clearly to be seen.
    """
    if case.facts is None and any(isinstance(action, SinkTile) for action in candidate.actions):
        return "no"  # what is under it nobody knows before the session has dealt it
    _, then = _after(candidate, case)
    verdict = yield then.weigh
    if not (isinstance(verdict, Explained) and verdict.actions):
        return "no"
    if _leads_to_another(candidate.actions + verdict.actions, candidate, asked, case):
        return "no"
    if candidate.lost and not any(isinstance(action, _WITH_FREE_HANDS) for action in verdict.actions):
        return "no"  # whoever seems lost may be in a hand still
    gone_on = {spot for action in verdict.actions for spot in touched(action)}
    is_to_be_seen = _is_to_be_seen(candidate.lags.keys() - gone_on, case, then.tolerated)
    return "proven" if is_to_be_seen else "perhaps"  # what came there may as well have come elsewhere


def _leads_to_another(actions: tuple[Action, ...], candidate: Candidate, asked: Question, case: Case) -> bool:
    """True if these actions are, or bring about, what another candidate is: that was asked about already."""
    others = [other for other in asked.candidates if other is not candidate]
    if any(other.actions == actions for other in others):
        return True
    table = _table_after(case.position, actions) if case.facts is None else None
    return table is not None and any(_table_after(case.position, other.actions) == table for other in others)


def _table_after(position: Position, actions: Sequence[Action]) -> Mapping[Spot, Tally] | None:
    """None if nobody knows it: what is under a tile has still to be dealt."""
    if any(isinstance(action, SinkTile) for action in actions):
        return None
    return tallies(_position_after(position, actions).layout())


def _is_to_be_seen(spots: Iterable[Spot], case: Case, bounds: Mapping[Spot, Span]) -> bool:
    """True if the spots clearly show that, where they have not shown it before."""
    before = tallies(case.position.layout())
    return all(_has_changed(case.evidence, spot, before.get(spot, NOTHING), bounds[spot]) for spot in spots)


def _has_changed(evidence: Evidence, spot: Spot, was: Tally, now: Span) -> bool:
    """True unless a spot is seen that should have changed, and does not clearly look as if it had."""
    if not evidence.seen(spot) or within(was, now):
        return True
    return evidence.misfit(spot, span(was)) >= evidence.misfit(spot, now) + DOUBT
