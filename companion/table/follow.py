"""Picture by picture: the camera's evidence becomes moves of the session, or a state that a screen can show.

In: one Observation at a time. It waits while a hand or a movement is in the picture, and until several pictures in a
row agree; then `reconcile` says what was done. What is explained goes to the session at once. What the position wants
changed on the table and the people have not done yet (a boat that is lost, a shark under a tile) is a list of chores,
not a contradiction. A contradiction or a question has to stand for some pictures before it is shown, and goes away by
itself: a piece in the air looks just the same.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

import msgspec

from companion.rules import Position, apply
from companion.rules.actions import Action, MoveCreature, Roll, SinkTile
from companion.rules.events import Event
from companion.rules.geometry import Hex
from companion.table.chores import Chore
from companion.table.evidence import DOUBT, FIT, Evidence
from companion.table.facts import Facts, due, without
from companion.table.gestures import touched
from companion.table.lags import Lags
from companion.table.recall import Recall
from companion.table.reconcile import (
    Candidate,
    Contradiction,
    Explained,
    Question,
    Unclear,
    Verdict,
    as_question,
    hexes_of,
    is_same,
    weigh,
)
from companion.table.session import Source, UndoOffer
from companion.table.tally import NOTHING, Span, Spot, Tally, has_tile, keeping_creatures, span, tallies, within
from companion.vision.observation import Observation

Why = Literal["hand", "moving", "settling", "chores", "unregistered", "unseen"]

_REMEMBERED = 4
"""Evidence is the average of at most so many pictures."""


MOST_MISREAD = 6
"""Where more spots are known to be misread, the table is read too badly for anything to be taken over unasked."""

STANDS_S = 2.0
"""A step that the table has shown for so long with nobody over it is not taken back when its piece goes on or back."""

_MOST_UNSEEN = 0.5
"""Where a larger share of what stands on the table lies in shadow or glare, nothing is concluded."""

_WITH_FREE_HANDS = (SinkTile, MoveCreature, Roll)
"""What nobody does who still holds an explorer or a boat in the hand."""

_NONE: Mapping[Spot, Span] = MappingProxyType({})


class Settled(msgspec.Struct, frozen=True):
    """The table shows the position."""


class Waiting(msgspec.Struct, frozen=True):
    """Nothing is concluded yet: for a hand or a piece in the air, for pictures to agree, for the board to be seen.

    With `chores` the people are still to do these.
    """

    why: Why
    hexes: tuple[Hex, ...] = ()
    chores: tuple[Chore, ...] = ()


FollowState: TypeAlias = Settled | Waiting | Question | Contradiction

Weighing: TypeAlias = Callable[[], Verdict]
"""What takes long. It touches nothing of the follower or the game, so that any thread may work it out."""

Result = TypeVar("Result")
Thinking: TypeAlias = Generator[Weighing, Verdict, Result]
"""Yields what is to be weighed and wants to be sent the verdict on it."""


def at_once(thinking: Thinking[Result]) -> Result:
    """Weigh everything here and now."""
    try:
        weighing = next(thinking)
        while True:
            weighing = thinking.send(weighing())
    except StopIteration as done:
        result: Result = done.value
        return result


class Play(Protocol):
    """The game that is followed: a `Session`, or a position with nothing round it."""

    @property
    def position(self) -> Position:
        """The last legal position."""

    def do(self, action: Action, source: Source) -> object:
        """Carry out a legal action."""


@runtime_checkable
class Retractable(Play, Protocol):
    """A game of which a step can be taken back: a `Session`."""

    @property
    def undo_offer(self) -> UndoOffer[Action, Event] | None:
        """What `undo` would take back, and who has to agree."""

    def undo(self, *, source: Source) -> object:
        """Take it back."""


class Step(NamedTuple):
    """The last action that the camera has seen.

    `calm_s`: for how long nobody has been over the table since; `calm_since`: from when on it has to be counted, None
    while somebody is.
    """

    before: Position
    action: Action
    after: Position
    calm_since: float | None
    calm_s: float = 0.0

    def seen(self, time: float, *, steady: bool) -> Step:
        """With the next picture. A table that keeps still is not looked at: all is calm until that picture."""
        calm_s = self.calm_s + (time - self.calm_since if self.calm_since is not None else 0.0)
        return self._replace(calm_s=calm_s, calm_since=time if steady else None)

    @property
    def stands(self) -> bool:
        """True if the table has been left alone with it: whatever hands do now, they begin."""
        return self.calm_s >= STANDS_S


class Follower:
    """Follows one session. `agreeing` pictures in a row are evidence, `patience` show a question or complaint.

    `known`: the table is known to show the position, or what was done since. Else nobody knows how it was left (a game
    resumed, a step undone before the pieces were carried back), and until it has shown the position once, or people
    have said what is so, nothing is taken over unasked.

    Not for several threads: it is the session's writer while it looks. What takes long may be worked out elsewhere
    (`seeing`).
    """

    def __init__(self, session: Play, agreeing: int = 2, patience: int = 5, *, known: bool = True) -> None:
        self._session = session
        self._facts: Facts | None = None
        self._agreeing = agreeing
        self._patience = patience
        self._is_known = known
        self._pictures: deque[Evidence] = deque(maxlen=max(agreeing, _REMEMBERED))
        self._count = 0  # of agreeing pictures, also those no longer remembered
        self._position = session.position
        self._lags = Lags()
        colours = {colour for player in session.position.players for colour in player.colours}
        self._recall = Recall(tallies(session.position.layout()), colours)
        self._contradiction: tuple[dict[Spot, Tally], Contradiction] | None = None
        self._complained: frozenset[Spot] = frozenset()  # of what a tile has brought (6.4)
        self._asked: Question | None = None  # and nobody has answered
        self._step: Step | None = None
        self._amiss: Mapping[Spot, Tally] = {}  # what no picture should show, and the last one does
        self._stale: dict[Spot, Tally] = {}  # what was amiss already when the game went on by other means
        self._time = 0.0  # of the last picture, s
        self._considered: Verdict | None = None  # whether something else was done instead of the last step
        self.state: FollowState = Waiting("settling")

    def see(self, observation: Observation) -> FollowState:
        """Take in the next picture and return the new state. What it explains is done in the session.

        Raises JournalError if a step could not be recorded; the next picture tries again.
        """
        return at_once(self.seeing(observation))

    def seeing(self, observation: Observation) -> Thinking[FollowState]:
        """`see`, which leaves the weighing to its caller.

        If the game goes on otherwise meanwhile, or people answer or dismiss, it has to be closed: what they did counts.
        The picture has been seen then, and concludes nothing; the next one will.
        """
        self._go_along()
        self._take_facts()
        waiting = self.disturbed(observation)
        if waiting is not None:
            self._forget()
        if self._step is not None:
            self._step = self._step.seen(observation.time, steady=waiting is None)
        self._time = observation.time
        self.state = waiting or (yield from self._steady(observation))
        return self.state

    def see_position(self, observation: Observation) -> FollowState:
        """`see` a picture that is known to show the position: what reads otherwise is misread.

        But if that is too much, it is another table's, and followed as any other.
        """
        self._go_along()
        picture = Evidence.of(observation)
        wrong = [spot for spot in picture.spots if picture.misfit(spot, self._bounds(spot)) > FIT]
        if len(wrong) > MOST_MISREAD or self.disturbed(observation) is not None:
            return self.see(observation)
        self._pictures.append(picture)
        self._count = self._agreeing
        self._learn_said(picture, picture.spots)
        self._is_known = True
        self._learn(self._evidence())
        self.state = self._chores(self._evidence())
        return self.state

    def give(self, facts: Facts) -> None:
        """From now on nothing is dealt, rolled or answered that is not given; these facts wait for their turn."""
        self._facts = (*(self._facts or ()), *facts)
        self._contradiction = None

    def has_changed(self, hexes: Iterable[Hex]) -> bool:
        """True if one of these hexes looks otherwise than when all was as it should be, and most others do not."""
        return bool(self._pictures) and not self._recall.inform(self._pictures[-1]).changed.isdisjoint(hexes)

    def answer(self, number: int) -> None:
        """The people say which candidate of the question it was; what does not look like it is misread."""
        if isinstance(self.state, Question) and self._session.position is self._position:
            said = self.state.candidates[number]
            self._take_over(said, "answer")
            self._is_known = True
            self._learn_said(self._evidence(), said.lags.keys())
        self._keep_up()
        self.state = Waiting("settling")

    def dismiss(self) -> None:
        """The people put it right by touch: what is to stand there now may look like that from now on."""
        if isinstance(self.state, Question | Contradiction) and self._pictures:
            evidence = self._evidence()
            self._learn_said(evidence, evidence.spots)
            self._is_known = True
            self._contradiction = None
        self.state = Waiting("settling")

    def _learn_said(self, evidence: Evidence, spots: Iterable[Spot]) -> None:
        """What people have said of these spots is so, whatever they look like."""
        bounds = {spot: self._bounds(spot) for spot in evidence.spots & set(spots)}
        self._recall.learn_said(evidence, self._pictures, bounds)

    def disturbed(self, observation: Observation) -> Waiting | None:
        """What nothing can be concluded for: a hand, a movement, a board or too many pieces out of sight."""
        hands = tuple(e.hex for e in observation.hexes if e.hidden == "hand")
        unseen = tuple(e.hex for e in observation.hexes if e.hidden and any(self._recall.expected.get(e.hex, NOTHING)))
        if not observation.registered:
            return Waiting("unregistered")
        if hands or any(e.hidden == "hand" for e in observation.safe):
            return Waiting("hand", hands)
        if observation.moving:
            return Waiting("moving")
        if len(unseen) > _MOST_UNSEEN * sum(map(any, self._recall.expected.values())):
            return Waiting("unseen", unseen)
        return None

    # One picture

    def _steady(self, observation: Observation) -> Thinking[FollowState]:
        if self._session.position.phase in {"scoring", "over"}:
            return Settled()  # 11.1: the table is left as it lies
        picture = Evidence.of(observation)
        if self._pictures and not self._agrees(self._pictures[-1], picture):
            self._forget()
        self._pictures.append(picture)
        self._count += 1
        self._look_for_stale()
        if self._count < self._agreeing:
            return Waiting("settling")
        evidence = self._evidence()
        self._lags.let_go(evidence, self._recall.expected)
        verdict = yield from self._verdict(evidence)
        if isinstance(verdict, Explained) and (dark := _sunk_in_shadow(verdict, observation)):
            return Waiting("unseen", dark)
        if verdict is not self._considered:
            instead = yield from self._instead(verdict, evidence)
            self._considered = verdict
            verdict = instead or verdict
        while isinstance(verdict, Explained) and verdict.actions:
            if self._has_to_be_asked(verdict, evidence):
                verdict = as_question(verdict)
                break
            self._take_over(verdict, "camera")
            self._take_facts()
            self.state = Waiting("settling")  # what was asked is past, whatever else is seen
            self._lags.let_go(evidence, self._recall.expected)
            verdict = yield from self._verdict(evidence)
        return self._state(verdict, evidence)

    def _take_over(self, done: Explained | Candidate, source: Source) -> None:
        """Carry it out; what was given of it has been told."""
        for action in done.actions:
            before = self._session.position
            self._session.do(action, source)
            after = self._session.position
            self._step = Step(before, action, after, calm_since=self._time) if source == "camera" else None
        if self._facts is not None:
            self._facts = without(self._facts, done.actions)
        self._keep_up(done.lags)

    def _instead(self, verdict: Verdict, evidence: Evidence) -> Thinking[Explained | None]:
        """What was done instead of the last step, which is taken back then: put back where it was, or carried on.

        A hand that rests on the way has been taken at its word; that is no reason to hold anybody to it, until the
        table has been left alone with the step.
        """
        step, session = self._step, self._session
        if step is None or step.stands or session.position is not step.after or not isinstance(session, Retractable):
            return None
        offer = session.undo_offer
        if offer is None or offer.consent or isinstance(verdict, Question | Unclear) or verdict == Explained():
            return None
        spots = touched(step.action)
        tolerated = {spot: bounds for spot, bounds in self._tolerated().items() if spot not in spots}
        distrusted = self._recall.distrusted(evidence) - {*spots}
        due = {spot: bounds for spot, bounds in self._due(evidence).items() if spot not in spots}
        other = yield functools.partial(weigh, step.before, evidence, tolerated, distrusted=distrusted, due=due)
        if not isinstance(other, Explained) or step.action in other.actions:
            return None
        is_longer = isinstance(verdict, Explained) and len(other.actions) >= len(verdict.actions)
        if is_longer or (other.actions and self._has_to_be_asked(other, evidence)):
            return None
        session.undo(source="camera")
        self._step = None
        self._keep_up()
        self._lags.let_go(evidence, self._recall.expected)
        return other

    def _has_to_be_asked(self, explained: Explained, evidence: Evidence) -> bool:
        """True if nobody knows how the table was left, or it is read too badly, or was so before it was anybody's turn.

        That is, if too much is known to be misread, or something would come to where it is, and is unclear still; if a
        spot read so before already, when nothing had been done, or was amiss before the game went on; or if a tile's
        sinking is not clear.
        """
        if not self._is_known or len(self._recall.still_misread(self._pictures[-1])) > MOST_MISREAD:
            return True
        if evidence.is_unclear_about(explained.lags.keys() & self._recall.misread.keys()):
            return True
        if explained.lags.keys() & self._recall.standing(evidence) or self._was_amiss(explained):
            return True
        sunk = [action.hex for action in explained.actions if isinstance(action, SinkTile)]
        return any(self._is_doubtful_sinking(h, explained, evidence) for h in sunk)

    def _is_doubtful_sinking(self, h: Hex, explained: Explained, evidence: Evidence) -> bool:
        """True if a tile may as well lie there still, or something else have come up than its back brings (6.4)."""
        if not evidence.seen(h):
            return False  # where nobody sees it
        is_there = has_tile(self._recall.expected.get(h, NOTHING)) and evidence.misfit(h, self._bounds(h)) <= FIT
        return is_there or (h in explained.lags and evidence.misfit(h, explained.lags[h]) > DOUBT)

    def _take_facts(self) -> None:
        """Carry out what is known to have happened without a sign on the table."""
        while self._facts and (action := due(self._session.position, self._facts)) is not None:
            self._session.do(action, "answer")
            self._facts = without(self._facts, [action])
            self._keep_up()

    def _state(self, verdict: Verdict, evidence: Evidence) -> FollowState:
        match verdict:
            case Explained():
                self._complained, self._asked, self._is_known = frozenset(), None, True
                self._stale.clear()
                self._learn(evidence)
                return self._chores(evidence)
            case Unclear(question=question):
                verdict = question
        if self._count < self._patience:
            return Waiting("settling", verdict.hexes)
        if isinstance(verdict, Contradiction) and verdict.rule == "6.4":
            self._complained = frozenset(verdict.hexes)
        if isinstance(verdict, Question) and self._asked is None:
            self._asked = verdict
        if isinstance(verdict, Question) and isinstance(self.state, Question) and is_same(verdict, self.state):
            return self.state  # in the order in which people read it
        return verdict

    def _verdict(self, evidence: Evidence) -> Thinking[Verdict]:
        """`weigh`, but a contradiction is not searched for again while the table shows the same."""
        table = {spot: evidence.best(spot) for spot in evidence.spots}
        if self._contradiction is not None and self._contradiction[0] == table:
            return self._contradiction[1]
        verdict = yield functools.partial(
            weigh,
            self._position,
            evidence,
            self._tolerated(),
            self._facts,
            complained=self._complained,
            distrusted=self._recall.distrusted(evidence),
            due=self._due(evidence),
        )
        if self._asked is not None:
            verdict = yield from self._after_question(self._asked, verdict, evidence)
        self._contradiction = (table, verdict) if isinstance(verdict, Contradiction) else None
        return verdict

    def _after_question(self, asked: Question, verdict: Verdict, evidence: Evidence) -> Thinking[Verdict]:
        """The verdict while nobody has answered; no picture decides it that does not show clearly what was asked."""
        if evidence.is_unclear_about(asked.hexes):
            return asked if isinstance(verdict, Explained) and verdict.actions else verdict
        if isinstance(verdict, Question | Contradiction):
            return (yield from self._played_on(asked, evidence)) or verdict
        return verdict

    def _played_on(self, asked: Question, evidence: Evidence) -> Thinking[Explained | None]:
        """What was asked, if nobody answered and what was done since can only follow on one of the candidates."""
        followed = []
        for candidate in asked.candidates:
            if (yield from self._goes_on(candidate, asked, evidence)):
                followed.append(candidate)
        return Explained(followed[0].actions, followed[0].lags) if len(followed) == 1 else None

    def _goes_on(self, candidate: Candidate, asked: Question, evidence: Evidence) -> Thinking[bool]:
        """True if it, and something that was done after it and is not asked about, explain the table."""
        if candidate.doubtful or self._was_amiss(candidate):
            return False
        actions = candidate.actions
        position = self._position
        if self._facts is None and any(isinstance(action, SinkTile) for action in actions):
            return False  # what is under it nobody knows before the session has dealt it
        facts = without(self._facts, actions) if self._facts is not None else None
        for action in actions:
            position = apply(position, action).position
        before = tallies(position.layout())
        while facts and (action_due := due(position, facts)) is not None:
            position, facts = apply(position, action_due).position, without(facts, [action_due])
        after = tallies(position.layout())
        changing = {s for s in before.keys() | after.keys() if before.get(s, NOTHING) != after.get(s, NOTHING)}
        due_now = {s: span(before.get(s, NOTHING), after.get(s, NOTHING)) for s in changing}
        tolerated = self._tolerated() | candidate.lags | due_now
        distrusted, due_before = self._recall.distrusted(evidence), self._due(evidence)
        verdict = yield functools.partial(
            weigh, position, evidence, tolerated, facts, distrusted=distrusted, due=due_before
        )
        if not (isinstance(verdict, Explained) and verdict.actions):
            return False
        if candidate.lost and not any(isinstance(action, _WITH_FREE_HANDS) for action in verdict.actions):
            return False  # whoever seems lost may be in a hand still
        gone_on = {spot for action in verdict.actions for spot in touched(action)}
        for spot in candidate.lags.keys() - gone_on:
            if not _has_changed(evidence, spot, self._recall.expected.get(spot, NOTHING), tolerated[spot]):
                return False  # what came there may as well have come elsewhere
        return all(other.actions != actions + verdict.actions for other in asked.candidates)

    def _chores(self, evidence: Evidence) -> FollowState:
        left, behind = self._lags.chores(evidence, self._recall.expected, self._recall.misread.keys())
        return Waiting("chores", hexes_of(behind), left) if left else Settled()

    # What the table may still show

    def _go_along(self) -> None:
        """The game may have gone on by other means: what was amiss before it did is not what people do now."""
        if self._session.position is not self._position:
            self._stale.update(self._amiss)
        self._keep_up()

    def _look_for_stale(self) -> None:
        """Whatever clearly reads otherwise by now has been touched since."""
        picture = self._recall.inform(self._pictures[-1])
        self._stale = {
            spot: shown
            for spot, shown in self._stale.items()
            if not picture.seen(spot) or picture.misfit(spot, span(shown)) <= FIT
        }
        tolerated = self._tolerated()
        known = keeping_creatures(self._recall.expected, tolerated)
        picture = picture.knowing(known, self._recall.distrusted(picture))
        expected = self._recall.expected
        bounds = {spot: tolerated.get(spot) or span(expected.get(spot, NOTHING)) for spot in picture.spots}
        self._amiss = {s: picture.best(s) for s, may in bounds.items() if picture.misfit_at_rest(s, may) > FIT}

    def _was_amiss(self, done: Explained | Candidate) -> bool:
        """True if one of its spots is amiss, and was so before the game went on: it shows nothing done since."""
        stale = self._stale.keys() & self._amiss.keys()
        return any(not stale.isdisjoint(touched(action)) for action in done.actions)

    def _keep_up(self, lags: Mapping[Spot, Span] = _NONE) -> None:
        """After the session has changed: the table may still show what was expected before.

        `lags`: what it may show instead where the camera has just seen an action.
        """
        position = self._session.position
        if position is self._position:
            return
        expected = tallies(position.layout())
        self._lags.keep_up(self._recall.expected, expected, lags)
        self._position = position
        self._recall.expect(expected)
        self._contradiction = self._asked = None

    def _bounds(self, spot: Spot) -> Span:
        return self._lags.bounds(spot, self._recall.expected)

    def _due(self, evidence: Evidence) -> dict[Spot, Span]:
        """See `weigh`. Where all is given, hands follow at once, or are ahead."""
        return self._lags.due(evidence, self._recall.expected) if self._facts is None else {}

    def _tolerated(self) -> dict[Spot, Span]:
        tolerated = dict(self._lags.spans)
        for spot, shown in self._recall.misread.items():
            tolerated[spot] = span(*self._bounds(spot), shown)
        return tolerated

    def _evidence(self) -> Evidence:
        """What the pictures say."""
        return Evidence.mean([self._recall.inform(picture) for picture in self._pictures])

    def _learn(self, evidence: Evidence) -> None:
        """All is as it should be but where people lag."""
        self._recall.learn(evidence, self._pictures, evidence.spots - self._lags.spans.keys())

    def _agrees(self, one: Evidence, other: Evidence) -> bool:
        """True unless some spot that both could see is clearly another one: a reading in doubt may waver.

        What is as it should be in both does so too, whatever it is misread as.
        """
        known = keeping_creatures(self._recall.expected, self._tolerated())
        pictures = map(self._recall.inform, (one, other))
        one, other = (picture.knowing(known, self._recall.distrusted(picture)) for picture in pictures)

        def is_alike(spot: Spot) -> bool:
            expected = span(self._recall.expected.get(spot, NOTHING))
            if all(p.misfit_at_rest(spot, expected) <= FIT for p in (one, other)):
                return True
            return one.misfit(spot, span(other.best(spot))) <= FIT and other.misfit(spot, span(one.best(spot))) <= FIT

        return all(is_alike(spot) for spot in one.spots & other.spots)

    def _forget(self) -> None:
        self._pictures.clear()
        self._count = 0


def _sunk_in_shadow(explained: Explained, observation: Observation) -> tuple[Hex, ...]:
    """The hexes of which it is only known that their tiles were sunk, and which will be seen when the shadow goes."""
    sunk = {action.hex for action in explained.actions if isinstance(action, SinkTile)}
    return tuple(e.hex for e in observation.hexes if e.hidden == "shadow" and e.hex in sunk)


def _has_changed(evidence: Evidence, spot: Spot, was: Tally, now: Span) -> bool:
    """True unless a spot is seen that should have changed, and does not clearly look as if it had."""
    if not evidence.seen(spot) or within(was, now):
        return True
    return evidence.misfit(spot, span(was)) >= evidence.misfit(spot, now) + DOUBT
