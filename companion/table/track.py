"""A game followed in pictures that were taken before, with nobody there to be asked.

In: a position, the facts that no picture shows, an `Observation` a picture. Out: what is said of each, as `Follower`
says it, and the actions that were done. What a person would be asked about is taken here as the pictures after it have
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion import rules
from companion.rules import Position
from companion.rules.actions import Action, Decline, Protect, Roll
from companion.rules.geometry import Hex
from companion.table.alike import Done
from companion.table.dealer import Dealer
from companion.table.evidence import Evidence
from companion.table.facts import Fact, Facts, tells
from companion.table.follow import MOST_MISREAD, Follower, FollowState, Settled, Waiting
from companion.table.reconcile import Contradiction, Question
from companion.table.session import Past, Source
from companion.table.tally import NOTHING, Spot, Tally, tallies
from companion.vision.observation import Observation

_SURE = 0.99
"""So surely read is what is told of although nobody seems to have touched it."""


class Tracker:
    """Follows pictures from a position; `given` are the facts by the picture's name, None if none are.

    Facts are given once, if several pictures have that name before the first. Each picture counts, and nobody is there
    to be asked: what is too much or too little in the first one, or was complained of and people play on, is misread.
    So is an act that the first one seems to show: where facts are given it shows the position; else if nobody has put
    it right in the `later` ones, the next few. Any other act that a rule forbids is told of as long as it is clearly to
    be seen.
    """

    def __init__(
        self,
        position: Position,
        given: Mapping[str, Facts] | None,
        seed: int | None = None,
        *,
        later: Sequence[Observation] = (),
    ) -> None:
        self._game = TrackedGame(position, None if given is not None else Dealer(seed))
        self._follower = Follower(self._game, agreeing=1, patience=1)
        self._given = None if given is None else dict(given)
        self._told: list[tuple[str, Fact]] = []
        if given is not None:
            self._follower.give(())
        self._is_first = True
        self._complaint: FollowState | None = None
        self._act: tuple[Contradiction, dict[Spot, Tally]] | None = None
        self._read: dict[Spot, Tally] = {}  # when it was seen last
        self._doubted: tuple[Spot, ...] = ()  # where a piece seemed to be too many or too few in the last clear picture
        self.taken_for_misread: list[Hex] = []
        """Where the last picture clearly looks otherwise than the position that it shows, and may do so from now on."""
        self._later = [Evidence.of(observation) for observation in later if observation.registered]

    @property
    def position(self) -> Position:
        """As far as it has been followed."""
        return self._game.position

    def see(self, picture: str, observation: Observation) -> FollowState:
        """What is said of the next picture, of that name."""
        self._take_facts(picture)
        before, seen = self._game.position, self._game.seen
        shows_position = self._is_first and self._given is not None
        evidence = Evidence.of(observation)
        otherwise = self._otherwise(evidence) if shows_position else []
        state = (self._follower.see_position if shows_position else self._follower.see)(observation)
        gone_on = self._game.position is not before
        if isinstance(state, Question | Contradiction) and self._is_misread(state, evidence, gone_on):
            self._follower.dismiss()
            state = self._follower.see(observation)
        self.taken_for_misread = otherwise if _is_as_expected(state) and self._game.seen == seen else []
        self._is_first = False
        if self._is_odd(state, evidence, acted=self._game.seen > seen):
            state = Settled()  # as far as it goes; a piece too many or too few is told of if it stays
        state = self._accused(state, evidence)
        if observation.registered:
            self._remember(evidence, state)
        self._complaint = state
        return state

    def miss(self, picture: str) -> None:
        """The next picture, of that name, could not be read."""
        self._take_facts(picture)
        self._is_first = False

    def news(self) -> list[Action]:
        """What has been done since this was last asked."""
        return self._game.taken()

    def unused(self) -> list[tuple[str, Fact]]:
        """The facts given, each with the picture it came before, that the game has not come to."""
        left = list(self._told)
        for action in self._game.done:
            said = next((given for given in left if tells(given[1], action)), None)
            if said is not None:
                left.remove(said)
        return left

    def _is_misread(self, said: Question | Contradiction, seen: Evidence, gone_on: bool) -> bool:
        """True for what is odd where nothing can have been done yet, and for a doubt beside which people play on.

        Without facts an act that a rule forbids is told even there, if it does not stay as it is.
        """
        if self._is_first and len(said.hexes) <= MOST_MISREAD:
            if isinstance(said, Contradiction) and said.rule is not None:
                return self._stays(said.spots, seen)
            return True
        if not (gone_on and isinstance(said, Contradiction) and said.rule is None and said == self._complaint):
            return False
        return not any(self._is_news(spot, seen, acted=False) for spot in said.spots if seen.seen(spot))

    def _remember(self, seen: Evidence, told: FollowState) -> None:
        """How spots read. What is wrong beside an act that is told of is news still: one thing is told at a time."""
        expected = tallies(self._game.position.layout())
        read = {spot: seen.best(spot) for spot in seen.spots}
        if isinstance(told, Contradiction) and told.rule is not None:
            read = {s: tally for s, tally in read.items() if s in told.spots or tally == expected.get(s, NOTHING)}
        self._read |= read

    def _otherwise(self, seen: Evidence) -> list[Hex]:
        """The hexes that clearly do not look as the position has them."""
        expected = tallies(self._game.position.layout())
        hexes = (h for h in self._game.position.board.hexes if seen.seen(h))
        return [h for h in hexes if seen.best(h) != expected.get(h, NOTHING) and seen.is_clearly(h, seen.best(h))]

    def _accused(self, said: FollowState, seen: Evidence) -> FollowState:
        """What is said of a picture, but an illegal act as long as that is clearly to be seen, whoever plays on."""
        if isinstance(said, Waiting) and said.why != "chores":
            return said
        if self._act is not None:
            act, shown = self._act
            expected = tallies(self._game.position.layout())
            if all(seen.is_clearly(s, tally) and tally != expected.get(s, NOTHING) for s, tally in shown.items()):
                is_another = isinstance(said, Contradiction) and said.rule and set(said.spots).isdisjoint(act.spots)
                if not is_another:
                    return act
            self._act = None
        if isinstance(said, Contradiction) and said.rule is not None:
            shown = {spot: seen.best(spot) for spot in said.spots if seen.seen(spot)}
            self._act = (said, shown) if shown else None
        return said

    def _is_odd(self, said: FollowState, seen: Evidence, *, acted: bool) -> bool:
        """True for a piece too many or too few that is no more than a doubt, and was not there in the last picture.

        `acted`: hands have done something else meanwhile; then it may have been there.
        """
        if not isinstance(said, Contradiction) or said.rule is not None:
            if not isinstance(said, Waiting) or said.why == "chores":
                self._doubted = ()
            return False
        stays, self._doubted = said.spots == self._doubted, said.spots
        told = any(self._is_news(spot, seen, acted=acted) for spot in said.spots if seen.seen(spot))
        return not (told or (stays and not acted))

    def _is_news(self, spot: Spot, seen: Evidence, *, acted: bool) -> bool:
        """True if a spot clearly shows what it should not, and looks as if it had been touched; else it must be sure.

        Where hands have `acted` elsewhere all must have been right there just before, or it was told already.
        """
        if self._follower.has_changed([spot]) or not (spot in seen.looks or acted):
            return seen.is_clearly(spot, seen.best(spot))
        was_right = self._read.get(spot) == tallies(self._game.position.layout()).get(spot, NOTHING)
        was_told = isinstance(self._complaint, Contradiction) and spot in self._complaint.spots
        return seen.sureness(spot) >= _SURE and (was_right or was_told or not acted)

    def _stays(self, spots: Iterable[Spot], first: Evidence) -> bool:
        """True if each of the spots is seen again soon, and looks or reads the same whenever it is."""
        return all(
            any(picture.seen(spot) for picture in self._later)
            and all(_is_same(spot, first, picture) for picture in self._later if picture.seen(spot))
            for spot in spots
        )

    def _take_facts(self, picture: str) -> None:
        if self._given and (facts := self._given.pop(picture, None)):
            self._told += [(picture, fact) for fact in facts]
            self._follower.give(facts)


def _is_as_expected(said: FollowState) -> bool:
    """True if the table is taken to show the position, but for what hands still have to do."""
    return isinstance(said, Settled) or (isinstance(said, Waiting) and said.why == "chores")


def _is_same(spot: Spot, one: Evidence, other: Evidence) -> bool:
    looks_same = spot in one.looks and one.looks[spot] == other.looks.get(spot)
    return looks_same or (one.seen(spot) and one.best(spot) == other.best(spot))


class TrackedGame:
    """A position that goes on by what the pictures show.

    With a dealer it rolls and draws itself, and nobody defends; without one all that has to be given.
    """

    def __init__(self, position: Position, dealer: Dealer | None = None) -> None:
        self.position = position
        self._dealer = dealer
        self._steps: list[Past] = []
        self._taken = 0
        self.seen = 0
        """How many actions the camera has seen."""
        self._go_on()

    @property
    def done(self) -> list[Action]:
        """All that was done, in order."""
        return [step.action for step in self._steps]

    def do(self, action: Action, source: Source) -> None:
        """Carry it out."""
        self.seen += source == "camera"
        self._carry_out(action, source)
        self._go_on()

    def exchange(self, actions: Sequence[Action], others: Sequence[Done]) -> bool:
        """As `GameSession.exchange`. What was told of them stays told."""
        last = self._steps[-len(actions) :]
        if [step.action for step in last] != list(actions):
            return False
        del self._steps[-len(actions) :]
        self.position = last[0].before
        for action, source in others:
            self._carry_out(action, source)
        self._taken += len(others) - len(actions)
        return True

    def lately(self) -> Iterator[Past]:
        """As `GameSession.lately`."""
        return reversed(self._steps)

    def taken(self) -> list[Action]:
        """What has been done since this was last asked."""
        news, self._taken = self.done[self._taken :], len(self._steps)
        return news

    def _go_on(self) -> None:
        while self._dealer is not None and self.position.phase in {"roll", "reaction", "protect"}:
            match self.position.phase, self.position.threat:
                case "roll", _:
                    self._carry_out(Roll(), "answer")
                case "reaction", threat if threat is not None:
                    self._carry_out(Decline(player=threat.asked[0]), "answer")
                case _:
                    self._carry_out(Protect(explorers={}), "answer")

    def _carry_out(self, action: Action, source: Source) -> None:
        if self._dealer is not None:
            action = self._dealer.complete(self.position, action)
        self._steps.append(Past(self.position, action, source))
        self.position = rules.apply(self.position, action).position
