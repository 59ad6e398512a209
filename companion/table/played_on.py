"""A question that nobody has answered: if what was done since can only follow on one of its candidates, that was it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from companion.rules import Position, apply
from companion.rules.actions import Action, MoveCreature, Roll, SinkTile
from companion.table.evidence import DOUBT, Evidence
from companion.table.facts import due, without
from companion.table.gestures import touched
from companion.table.reconcile import Candidate, Explained, Question
from companion.table.tally import NOTHING, Span, Spot, Tally, span, tallies, within
from companion.table.weighing import Case, Thinking

_WITH_FREE_HANDS = (SinkTile, MoveCreature, Roll)
"""What nobody does who still holds an explorer or a boat in the hand."""


def played_on(open_: Iterable[Candidate], asked: Question, case: Case) -> Thinking[Explained | None]:
    """The candidate that was it, None if that is not clear; `open_` are those that playing on may prove.

    One on which people may have gone on as well, though that is no proof of it, leaves it open which it was.
    """
    followed: list[Candidate] = []
    is_proven = False
    for candidate in open_:
        goes_on = yield from _goes_on(candidate, asked, case)
        if goes_on != "no":
            followed.append(candidate)
            is_proven |= goes_on == "proven"
    tables = {frozenset(tallies(_after(case.position, c.actions).layout()).items()) for c in followed}
    return Explained(followed[0].actions, followed[0].lags) if is_proven and len(tables) == 1 else None


def _after(position: Position, actions: Iterable[Action]) -> Position:
    for action in actions:
        position = apply(position, action).position
    return position


def _goes_on(candidate: Candidate, asked: Question, case: Case) -> Thinking[Literal["no", "perhaps", "proven"]]:
    """Whether it, and something that was done after it and is not asked about, explain the table.

    `perhaps`: they do, but somebody would have come to where that is not clearly to be seen.
    """
    actions, position, facts = candidate.actions, case.position, case.facts
    if facts is None and any(isinstance(action, SinkTile) for action in actions):
        return "no"  # what is under it nobody knows before the session has dealt it
    facts = without(facts, actions) if facts is not None else None
    expected = tallies(position.layout())
    position = _after(position, actions)
    before = tallies(position.layout())
    while facts and (action_due := due(position, facts)) is not None:
        position, facts = apply(position, action_due).position, without(facts, [action_due])
    after = tallies(position.layout())
    changing = {s for s in before.keys() | after.keys() if before.get(s, NOTHING) != after.get(s, NOTHING)}
    due_now = {s: span(before.get(s, NOTHING), after.get(s, NOTHING)) for s in changing}
    tolerated = {**case.tolerated, **candidate.lags, **due_now}
    verdict = yield case._replace(position=position, tolerated=tolerated, facts=facts, complained=()).weigh
    if not (isinstance(verdict, Explained) and verdict.actions):
        return "no"
    if any(other.actions == actions + verdict.actions for other in asked.candidates):
        return "no"
    if candidate.lost and not any(isinstance(action, _WITH_FREE_HANDS) for action in verdict.actions):
        return "no"  # whoever seems lost may be in a hand still
    gone_on = {spot for action in verdict.actions for spot in touched(action)}
    for spot in candidate.lags.keys() - gone_on:
        if not _has_changed(case.evidence, spot, expected.get(spot, NOTHING), tolerated[spot]):
            return "perhaps"  # what came there may as well have come elsewhere
    return "proven"


def _has_changed(evidence: Evidence, spot: Spot, was: Tally, now: Span) -> bool:
    """True unless a spot is seen that should have changed, and does not clearly look as if it had."""
    if not evidence.seen(spot) or within(was, now):
        return True
    return evidence.misfit(spot, span(was)) >= evidence.misfit(spot, now) + DOUBT
