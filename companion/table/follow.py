"""Picture by picture: the camera's evidence becomes moves of the session, or a state that a screen can show.

In: one Observation at a time. It waits while a hand or a movement is in the picture, and until several pictures in a
row agree; then `reconcile` says what was done. What is explained goes to the session at once. What the position wants
changed on the table and the people have not done yet (a boat that is lost, a shark under a tile) is a list of chores,
not a contradiction. A contradiction or a question has to stand for some pictures before it is shown, and goes away by
itself: a piece in the air looks just the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

import msgspec

from companion.rules import Position
from companion.rules.actions import Action, EndPhase, SinkTile
from companion.rules.events import Event
from companion.rules.geometry import Hex
from companion.table.alike import Done, moves_of_turn, other_ways
from companion.table.amiss import Amiss
from companion.table.chores import Chore
from companion.table.evidence import FIT, Evidence
from companion.table.facts import Facts, due, name_a_back, without
from companion.table.gestures import risen_after, sunk_in, threatened, touched
from companion.table.lags import NOTHING_DUE, NOTHING_NAMED, Lags, Named
from companion.table.played_on import extends, played_on, still_open
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
)
from companion.table.session import Past, Source, Undone, UndoOffer
from companion.table.step import Step
from companion.table.tally import NOTHING, Span, Spot, Table, Tally, has_tile, keeping_creatures, span, tallies
from companion.table.weighing import Case, Thinking, at_once
from companion.vision.observation import Blurred, Observation

Why = Literal["hand", "moving", "settling", "chores", "unregistered", "blurred", "unseen"]

_REMEMBERED = 4
"""Evidence is the average of at most so many pictures."""


MOST_MISREAD = 6
"""Where more spots are known to be misread, the table is read too badly for anything to be taken over unasked."""

_MOST_UNSEEN = 0.5
"""Where a larger share of what stands on the table lies in shadow or glare, nothing is concluded."""

_NONE: Mapping[Spot, Span] = MappingProxyType({})


class _Table(NamedTuple):
    """All that a verdict rests on in a picture, but for small changes of what is probable: the readings of each spot
    that fit, the best one first, and the spots that are known to have changed."""

    readings: Mapping[Spot, tuple[Tally, ...]]
    changed: frozenset[Spot]


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


class _Told(NamedTuple):
    """What people read, and the pictures that it rests on; a hand that is over the board by now does not change it."""

    what: Question | Contradiction
    pictures: tuple[Evidence, ...]


class FollowedGame(Protocol):
    """The game that is followed: a `Session`, or a position with nothing round it."""

    @property
    def position(self) -> Position:
        """The last legal position."""

    def do(self, action: Action, source: Source) -> object:
        """Carry out a legal action."""

    def lately(self) -> Iterator[Past]:
        """What was done and not taken back, the latest first."""

    def exchange(self, actions: Sequence[Action], others: Sequence[Done]) -> bool:
        """Take back the last actions, do others instead; False if they are not the last, or somebody has to agree."""


@runtime_checkable
class Retractable(FollowedGame, Protocol):
    """A game of which a step can be taken back: a `Session`."""

    @property
    def undo_offer(self) -> UndoOffer[Action, Event] | None:
        """What `undo` would take back, and who has to agree."""

    @property
    def undone(self) -> Undone[Action, Event] | None:
        """What was taken back, if nothing has been done since."""

    def undo(self, *, source: Source) -> object:
        """Take it back."""


class Follower:
    """Follows one session. `agreeing` pictures in a row are evidence, `patience` show a question or complaint.

    `known`: the table is known to show the position, or what was done since. Else nobody knows how it was left (a game
    resumed, a step undone before the pieces were carried back), and until it has shown the position once, or people
    have said what is so, nothing is taken over unasked.

    Not for several threads: it is the session's writer while it looks. What takes long may be worked out elsewhere
    (`seeing`).
    """

    def __init__(self, session: FollowedGame, agreeing: int = 2, patience: int = 5, *, known: bool = True) -> None:
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
        self._contradiction: tuple[_Table, Contradiction] | None = None
        self._complained: frozenset[Spot] = frozenset()  # of what a tile has brought (6.4)
        self._risen: set[Spot] = set()  # where a tile was sunk, and what came up has not been clearly seen yet
        self._named = NOTHING_NAMED  # an illegal act, where each picture counts
        self._asked: Question | None = None  # and nobody has answered
        self._told: _Told | None = None
        self._step: Step | None = None
        self._seen: list[Table] = []  # in this turn's moves; before a game was resumed nobody knows what was
        self._amiss = Amiss(agreeing, () if known else self._recall.expected.keys())
        self._time = 0.0  # of the last picture, s
        self._considered: Verdict | None = None  # the last object beside which another step was looked for
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
        if isinstance(self.state, Question | Contradiction):
            self._told = _Told(self.state, tuple(self._pictures))
        elif not isinstance(self.state, Waiting) or self.state.why == "chores":
            self._told = None
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
        self._learn_said(picture, self._pictures, picture.spots)
        self._is_known = True
        self._learn(self._evidence(self._pictures))
        self._take_facts()
        self.state = self._chores(self._evidence(self._pictures))
        return self.state

    def give(self, facts: Facts) -> None:
        """From now on nothing is dealt, rolled or answered that is not given; these facts wait for their turn.

        Where a tile has been sunk the pictures before it show another table.
        """
        self._facts = (*(self._facts or ()), *facts)
        self._contradiction = None
        if name_a_back(facts):
            self._forget()

    def has_changed(self, spots: Iterable[Spot]) -> bool:
        """True if one of these spots looks otherwise than when all was as it should be, and most others do not."""
        return bool(self._pictures) and not self._recall.inform(self._pictures[-1]).changed.isdisjoint(spots)

    def answer(self, actions: Sequence[Action]) -> None:
        """The people say which candidate of the question it was; what does not look like it is misread.

        It is named by its `actions`: what they have read may be another question than the one that stands by now. If
        it is none of that one's candidates, nothing is done.
        """
        told = self._told
        if told is not None and isinstance(told.what, Question) and self._session.position is self._position:
            said = next((c for c in told.what.candidates if c.actions == tuple(actions)), None)
            if said is None:
                return
            self._take_over(said, "answer")
            self._is_known = True
            self._learn_said(self._evidence(told.pictures), told.pictures, said.lags.keys())
        self._keep_up()
        self.state = Waiting("settling")

    def dismiss(self) -> None:
        """The people put it right by touch: what is to stand there now may look like that from now on."""
        if self._told is not None:
            evidence = self._evidence(self._told.pictures)
            self._learn_said(evidence, self._told.pictures, evidence.spots)
            self._is_known = True
            self._contradiction = self._told = None
        self.state = Waiting("settling")

    def _learn_said(self, evidence: Evidence, pictures: Sequence[Evidence], spots: Iterable[Spot]) -> None:
        """What people have said of these spots is so, whatever they look like."""
        bounds = {spot: self._bounds(spot) for spot in evidence.spots & set(spots)}
        self._recall.learn_said(evidence, pictures, bounds)

    def disturbed(self, observation: Observation) -> Waiting | None:
        """What nothing can be concluded for: a hand, a movement, a board or too many pieces out of sight."""
        hands = tuple(e.hex for e in observation.hexes if e.hidden == "hand")
        unseen = tuple(e.hex for e in observation.hexes if e.hidden and any(self._recall.expected.get(e.hex, NOTHING)))
        if not observation.registered:
            return Waiting("blurred" if isinstance(observation.registration, Blurred) else "unregistered")
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
        if not self._agree([*self._pictures, picture]):
            self._forget()
        self._pictures.append(picture)
        self._count += 1
        self._look_for_what_is_amiss()
        if self._count < self._agreeing:
            return Waiting("settling")
        evidence = self._evidence(self._pictures)
        expected = self._recall.expected
        self._risen -= {s for s in self._risen if evidence.is_clearly(s, expected.get(s, NOTHING))}
        self._lags.let_go(evidence, expected)
        if any(evidence.seen(s) and evidence.best(s) != tally for s, tally in self._named.shown.items()):
            self._named = NOTHING_NAMED
        verdict = yield from self._verdict(evidence)
        if isinstance(verdict, Explained) and (dark := _sunk_in_shadow(verdict, observation)):
            return Waiting("unseen", dark)
        if verdict is not self._considered:
            instead: Verdict | None = yield from self._instead(verdict, evidence)
            instead = instead or (yield from self._by_the_other(verdict, evidence))
            self._considered = verdict
            verdict = instead or verdict
        while isinstance(verdict, Explained) and verdict.actions:
            if self._has_to_be_asked(verdict, evidence) or (done := self._new_in(verdict)) is None:
                verdict = as_question(verdict)
                break
            self._take_over(done, "camera")
            self._take_facts()
            self.state = Waiting("settling")  # what was asked is past, whatever else is seen
            self._lags.let_go(evidence, self._recall.expected)
            verdict = yield from self._verdict(evidence)
        return self._state(verdict, evidence)

    def _count_new(self, actions: Sequence[Action]) -> int:
        """How many of them the table shows to have been done in their turn; if all is given, nobody was too early."""
        return self._amiss.count_new(self._position, actions) if self._facts is None else len(actions)

    def _new_in(self, explained: Explained) -> Explained | None:
        """What of it the table shows to have been done in its turn: what comes after that has to be asked about."""
        count = self._count_new(explained.actions)
        if count == len(explained.actions):
            return explained
        actions = explained.actions[:count]
        spots = {spot for action in actions for spot in touched(action)}
        while actions and isinstance(actions[-1], EndPhase):
            actions = actions[:-1]
        lags = {spot: bounds for spot, bounds in explained.lags.items() if spot in spots}
        return Explained(actions, lags) if actions else None

    def _take_over(self, done: Explained | Candidate, source: Source) -> None:
        """Carry it out; what was given of it has been told."""
        for action in done.actions:
            before = self._session.position
            self._session.do(action, source)
            after = self._session.position
            self._step = Step(before, action, after, calm_since=self._time) if source == "camera" else None
            self._amiss.taken_over(before, action, after)
            self._risen = risen_after(self._risen, before, action)
        if self._facts is not None:
            self._facts = without(self._facts, done.actions)
        self._keep_up(done.lags)

    def _instead(self, verdict: Verdict, evidence: Evidence) -> Thinking[Explained | None]:
        """What was done instead of the last step, which is taken back then: put back where it was, or carried on.

        A hand that rests on the way has been taken at its word; that is no reason to hold anybody to it, until the
        table has been left alone with the step for a while.
        """
        step, session = self._step, self._session
        if step is None or step.is_past or session.position is not step.after or not isinstance(session, Retractable):
            return None
        offer = session.undo_offer
        if offer is None or offer.consent or isinstance(verdict, Question | Unclear) or verdict == Explained():
            return None
        case = self._case(evidence).without(touched(step.action, sunk_in(step.before)))
        other = yield case._replace(position=step.before, complained=()).weigh
        if not isinstance(other, Explained) or step.action in other.actions:
            return None
        is_longer = isinstance(verdict, Explained) and len(other.actions) >= len(verdict.actions)
        if is_longer or (other.actions and (step.stands or self._has_to_be_asked(other, evidence))):
            return None
        session.undo(source="camera")
        self._step = None
        self._keep_up()
        self._lags.let_go(evidence, self._recall.expected)
        return other

    def _by_the_other(self, verdict: Verdict, evidence: Evidence) -> Thinking[Verdict | None]:
        """What was done if others alike had moved before in this turn (4.5), where nothing legal was if these had.

        It has been they then. However long ago that was: nobody could have seen it.
        """
        if not isinstance(verdict, Contradiction):
            return None  # what explains it otherwise with fewer actions has perhaps overlooked one
        moves = moves_of_turn(self._session.lately())
        for others, position in other_ways(moves, self._position, self._seen):
            other = yield self._case(evidence)._replace(position=position).weigh
            is_answer = isinstance(other, Explained | Question)
            if is_answer and self._session.exchange([step.action for step in moves], others):
                self._step = None
                self._keep_up()
                return other
        return None

    def _has_to_be_asked(self, explained: Explained, evidence: Evidence) -> bool:
        """True if nobody knows how the table was left, or it is read too badly.

        That is, if too much is known to be misread, or something would come to where it is, and is unclear still; if a
        spot read so before already, when nothing had been done; or if a tile's sinking is not clear.
        """
        if not self._is_known or len(self._recall.still_misread(self._pictures[-1])) > MOST_MISREAD:
            return True
        if evidence.is_unclear_about(explained.lags.keys() & self._recall.misread.keys()):
            return True
        if explained.lags.keys() & self._recall.standing(evidence):
            return True
        sunk = [action.hex for action in explained.actions if isinstance(action, SinkTile)]
        return any(self._is_doubtful_sinking(h, explained, evidence) for h in sunk)

    def _is_doubtful_sinking(self, h: Hex, explained: Explained, evidence: Evidence) -> bool:
        """True if a tile may as well lie there still, or something else have come up than its back brings (6.4)."""
        if not evidence.seen(h):
            return False  # where nobody sees it
        is_there = has_tile(self._recall.expected.get(h, NOTHING)) and evidence.misfit(h, self._bounds(h)) <= FIT
        return is_there or (h in explained.lags and evidence.misfit(h, explained.lags[h]) > 0.0)

    def _take_facts(self) -> None:
        """Carry out what is known to have happened without a sign on the table."""
        while self._facts and (action := due(self._session.position, self._facts)) is not None:
            self._session.do(action, "answer")
            self._facts = without(self._facts, [action])
            self._keep_up()

    def _state(self, verdict: Verdict, evidence: Evidence) -> FollowState:
        match verdict:
            case Explained():
                self._complained, self._named, self._asked, self._is_known = frozenset(), NOTHING_NAMED, None, True
                self._learn(evidence)
                return self._chores(evidence)
            case Unclear(question=question):
                verdict = question
        if self._count < self._patience:
            return Waiting("settling", verdict.hexes)
        if isinstance(verdict, Contradiction) and verdict.rule == "6.4":
            self._complained = frozenset(verdict.hexes)
        elif isinstance(verdict, Contradiction) and verdict.rule is not None and self._agreeing == 1:
            wrong = (s for s in verdict.spots if evidence.seen(s) and evidence.misfit(s, self._bounds(s)) > FIT)
            shown = {**self._named.shown, **{s: evidence.best(s) for s in wrong}}
            self._named = Named(shown, self._named.active if self._named.shown else self._position.active)
        if isinstance(verdict, Question) and (self._asked is None or self._goes_on(verdict, self._asked)):
            self._asked = verdict
        if isinstance(verdict, Question) and isinstance(self.state, Question) and is_same(verdict, self.state):
            return self.state  # in the order in which people read it
        return verdict

    def _verdict(self, evidence: Evidence) -> Thinking[Verdict]:
        """`weigh`, but a contradiction is not searched for again while the table shows the same."""
        table = _Table({spot: tuple(evidence.fitting(spot)) for spot in evidence.spots}, evidence.changed)
        if self._contradiction is not None and self._contradiction[0] == table:
            return self._contradiction[1]
        verdict = yield self._case(evidence).weigh
        if self._asked is not None:
            verdict = yield from self._after_question(self._asked, verdict, evidence)
        self._contradiction = (table, verdict) if isinstance(verdict, Contradiction) else None
        return verdict

    def _after_question(self, asked: Question, verdict: Verdict, evidence: Evidence) -> Thinking[Verdict]:
        """The verdict while nobody has answered; no picture decides it that does not show clearly what was asked."""
        case = self._case(evidence)
        said: Verdict | None = None
        if evidence.is_unclear_about(asked.hexes):
            said = asked if isinstance(verdict, Explained) and verdict.actions else None
        elif isinstance(verdict, Question | Contradiction):
            open_ = [c for c in asked.candidates if not (c.doubtful or self._count_new(c.actions) < len(c.actions))]
            said = yield from played_on(open_, asked, case)
        if said is None and self._facts is not None and isinstance(verdict, Contradiction):
            said = yield from still_open(asked, case)
        return said or verdict

    def _goes_on(self, question: Question, asked: Question) -> bool:
        """True if where all is given it is the same question, later on."""
        return self._facts is not None and extends(question, asked)

    def _chores(self, evidence: Evidence) -> FollowState:
        left, behind = self._lags.chores(evidence, self._recall.expected, self._recall.misread.keys())
        return Waiting("chores", hexes_of(behind), left) if left else Settled()

    # What the table may still show

    def _go_along(self) -> None:
        """The game may have gone on by other means: what was amiss before it did is not what people do now."""
        if self._session.position is self._position:
            return
        self._amiss.game_went_on(self._position, self._session.position)
        undone = isinstance(self._session, Retractable) and self._session.undone is not None
        self._keep_up(undone=undone)

    def _look_for_what_is_amiss(self) -> None:
        picture = self._recall.inform(self._pictures[-1])
        tolerated, expected = self._tolerated(), self._recall.expected
        known = keeping_creatures(expected, tolerated)
        bounds = {spot: tolerated.get(spot) or span(expected.get(spot, NOTHING)) for spot in picture.spots}
        self._amiss.look(picture.knowing(known, self._recall.distrusted(picture), self._risen), bounds)

    def _keep_up(self, lags: Mapping[Spot, Span] = _NONE, *, undone: bool = False) -> None:
        """After the session has changed: the table may still show what was expected before.

        `lags`: what it may show instead where the camera has just seen an action; `undone` as in `Lags.keep_up`.
        """
        position = self._session.position
        if position is self._position:
            return
        expected = tallies(position.layout())
        self._lags.keep_up(self._recall.expected, expected, lags, threatened(position), undone=undone)
        if position.active != self._position.active or position.phase in {"play_tile", "creature", "roll"}:
            self._seen.clear()  # the moves are over
        self._seen.append(expected)
        if position.active != self._named.active:
            self._named = self._named._replace(active=-1)
        self._position = position
        self._recall.expect(expected)
        self._contradiction = self._asked = self._told = None

    def _bounds(self, spot: Spot) -> Span:
        return self._lags.bounds(spot, self._recall.expected)

    def _tolerated(self) -> dict[Spot, Span]:
        tolerated = dict(self._lags.spans)
        for spot, shown in self._recall.misread.items():
            tolerated[spot] = span(*self._bounds(spot), shown)
        return tolerated

    def _case(self, evidence: Evidence) -> Case:
        """All that there is to weigh. Where all is given, hands follow at once, or are ahead: nothing is due."""
        return Case(
            self._position,
            evidence,
            self._tolerated(),
            self._facts,
            complained=self._complained,
            distrusted=self._recall.distrusted(evidence),
            risen=frozenset(self._risen),
            named=self._named,
            due=self._lags.due(evidence, self._recall.expected) if self._facts is None else NOTHING_DUE,
        )

    def _evidence(self, pictures: Iterable[Evidence]) -> Evidence:
        """What the pictures say; where each of them counts, and the last one is clear, it alone."""
        informed = [self._recall.inform(picture) for picture in pictures]
        evidence = Evidence.mean(informed)
        return evidence if self._agreeing > 1 else evidence.cleared_by(informed[-1])

    def _learn(self, evidence: Evidence) -> None:
        """All is as it should be but where people lag."""
        self._recall.learn(evidence, self._pictures, evidence.spots - self._lags.spans.keys() - self._risen)

    def _agree(self, pictures: Sequence[Evidence]) -> bool:
        """True unless some spot that the last one and another show is clearly another one: what is in doubt may waver.

        What is as it should be in both does so too, whatever it is misread as.
        """
        if len(pictures) == 1:
            return True
        known = keeping_creatures(self._recall.expected, self._tolerated())
        informed = map(self._recall.inform, pictures)
        *earlier, last = (p.knowing(known, self._recall.distrusted(p), self._risen) for p in informed)

        def is_alike(spot: Spot, one: Evidence, other: Evidence) -> bool:
            if one.best(spot) == other.best(spot):
                return True
            expected = span(self._recall.expected.get(spot, NOTHING))
            if all(p.misfit_at_rest(spot, expected) <= FIT for p in (one, other)):
                return True
            return one.misfit(spot, span(other.best(spot))) <= FIT and other.misfit(spot, span(one.best(spot))) <= FIT

        return all(is_alike(spot, one, last) for one in earlier for spot in one.spots & last.spots)

    def _forget(self) -> None:
        self._pictures.clear()
        self._count = 0


def _sunk_in_shadow(explained: Explained, observation: Observation) -> tuple[Hex, ...]:
    """The hexes of which it is only known that their tiles were sunk, and which will be seen when the shadow goes."""
    sunk = {action.hex for action in explained.actions if isinstance(action, SinkTile)}
    return tuple(e.hex for e in observation.hexes if e.hidden == "shadow" and e.hex in sunk)
