"""`companion track --calibration FILE --position FILE [--given FILE] PICTURE...`: from pictures in order to actions."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration import CalibrationError
from calibration.small_file import read_json
from companion import rules
from companion.cli.picture_reader import PictureReader
from companion.cli.progress import progress
from companion.rules import Position, RulesError, decode_position, encode_action, encode_position
from companion.rules.actions import Action, Decline, Protect, Roll
from companion.rules.geometry import Hex
from companion.table.dealer import Dealer
from companion.table.errors import TableError
from companion.table.evidence import Evidence
from companion.table.facts import Fact, Facts, FactsError, decode_facts, tells
from companion.table.follow import MOST_MISREAD, Follower, FollowState, Settled, Waiting
from companion.table.impossible import described, sift
from companion.table.reconcile import Contradiction, Question
from companion.table.session import Source
from companion.table.tally import NOTHING, Spot, Tally, tallies
from companion.viewmodel.chores import chore_line
from companion.viewmodel.words import label
from companion.vision.observation import Observation

_SURE = 0.99
"""So surely read is what is told of although nobody seems to have touched it."""

_AHEAD = 3
"""So many pictures after the first tell what of it is misread."""


class TrackError(Exception):
    """A file that is not what it should be; the text names it."""


ERRORS: tuple[type[Exception], ...] = (CalibrationError, TableError, TrackError)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--calibration", metavar="FILE", type=Path, required=True, help="from `companion calibrate`")
    parser.add_argument("--position", metavar="FILE", type=Path, required=True, help="what the table shows at first")
    parser.add_argument(
        "--given",
        metavar="FILE",
        type=Path,
        help="rolls, backs and answers, which no picture shows, as JSON lines; needed for printed backs",
    )
    parser.add_argument("--seed", type=int, help="of the dealer, who rolls and draws where no facts are given")
    parser.add_argument("pictures", metavar="PICTURE", type=Path, nargs="+", help="in the order of time")


def run(args: argparse.Namespace) -> int:
    """Follow the pictures; 1 if one could not be read, a fact was left out, or no picture could be concluded from.

    Each is named, the others go on. What is seen on the table, or has not come to be, makes no difference: then 0.
    Raises CalibrationError, TableError and TrackError if one of the other files cannot be used.
    """
    position = _read_position(args.position)
    if position.options.backs == "printed" and args.given is None:
        raise TrackError(f"{args.position}: the backs are printed, and no picture shows them: tell them with --given.")
    given, all_are_used = _read_given(args.given, position, args.pictures)
    reader = PictureReader.of_file(args.calibration)
    status = 0 if all_are_used else 1
    pictures = _observations(reader, progress(args.pictures, "Tracking"))
    ahead = list(itertools.islice(pictures, 1 + _AHEAD))
    later = [observation for _, observation in ahead[1:] if isinstance(observation, Observation)]
    tracker = Tracker(position, given, args.seed, later=later)
    lines: list[dict[str, Any]] = []
    for path, observation in itertools.chain(ahead, pictures):
        if isinstance(observation, Observation):
            lines.append(tracker.see(path, observation))
            print(json.dumps(lines[-1]), flush=True)
            if otherwise := ", ".join(map(label, tracker.taken_for_misread)):
                text = f"not as in {args.position}: {otherwise}. That is taken for misread."
                print(f"companion track: {path}: {text}", file=sys.stderr)
        else:
            print(f"companion track: {observation}", file=sys.stderr)
            print(json.dumps(tracker.unread(path)), flush=True)
            status = 1
    print(json.dumps({"position": encode_position(tracker.position), "actions": tracker.untold()}))
    if unused := ", ".join(f"{described(fact)} before {picture}" for picture, fact in tracker.unused()):
        print(f"companion track: {args.given}: the game has not come to these facts: {unused}.", file=sys.stderr)
    if advice := _nothing_concluded(lines):
        print(f"companion track: {args.calibration}: {advice}", file=sys.stderr)
        status = 1
    return status


def _nothing_concluded(lines: Sequence[dict[str, Any]]) -> str | None:
    """What to do if all of the pictures that could be read were only waited out; these are their lines."""
    if not lines or any(line["status"] != "waiting" for line in lines):
        return None
    if all(line["why"] == "unregistered" for line in lines):
        return "the board is found in none of the pictures. If this is another table, calibrate that one."
    return (
        "nothing can be concluded from any of the pictures: hands, shadows or glare seem to hide the pieces."
        " If nothing hides them, this is another table, or another light: calibrate that one."
    )


def _observations(
    reader: PictureReader, paths: Iterable[Path]
) -> Iterator[tuple[Path, Observation | CalibrationError]]:
    """What each picture shows, or why it cannot be read."""
    for path in paths:
        try:
            trace = reader.trace(path)
        except CalibrationError as error:
            yield path, error
        else:
            yield path, trace.observation


class Tracker:
    """Follows pictures from a position, a line each; `given` are the facts by the picture's name, None if none are.

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
        self._play = _Play(position, None if given is not None else Dealer(seed))
        self._follower = Follower(self._play, agreeing=1, patience=1)
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
        return self._play.position

    def see(self, path: Path, observation: Observation) -> dict[str, Any]:
        """The line of the next picture."""
        self._take_facts(path)
        before, seen = self._play.position, self._play.seen
        shows_position = self._is_first and self._given is not None
        evidence = Evidence.of(observation)
        otherwise = self._otherwise(evidence) if shows_position else []
        state = (self._follower.see_position if shows_position else self._follower.see)(observation)
        gone_on = self._play.position is not before
        if isinstance(state, Question | Contradiction) and self._is_misread(state, evidence, gone_on):
            self._follower.dismiss()
            state = self._follower.see(observation)
        self.taken_for_misread = otherwise if _is_as_expected(state) and self._play.seen == seen else []
        self._is_first = False
        if self._is_odd(state, evidence, acted=self._play.seen > seen):
            state = Settled()  # as far as it goes; a piece too many or too few is told of if it stays
        state = self._accused(state, evidence)
        self._remember(evidence, state)
        self._complaint = state
        return _told(path, state, self._play)

    def unread(self, path: Path) -> dict[str, Any]:
        """The line of a picture that could not be read."""
        self._take_facts(path)
        self._is_first = False
        return {**_line(path, "waiting", []), "why": "unreadable"}

    def untold(self) -> list[dict[str, Any]]:
        """What was done since a picture was explained last: the position has it, no line tells of it."""
        return [*map(encode_action, self._play.taken())]

    def unused(self) -> list[tuple[str, Fact]]:
        """The facts given, each with the picture it came before, that the game has not come to."""
        left = list(self._told)
        for action in self._play.done:
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
        expected = tallies(self._play.position.layout())
        read = {spot: seen.best(spot) for spot in seen.spots}
        if isinstance(told, Contradiction) and told.rule is not None:
            read = {s: tally for s, tally in read.items() if s in told.spots or tally == expected.get(s, NOTHING)}
        self._read |= read

    def _otherwise(self, seen: Evidence) -> list[Hex]:
        """The hexes that clearly do not look as the position has them."""
        expected = tallies(self._play.position.layout())
        hexes = (h for h in self._play.position.board.hexes if seen.seen(h))
        return [h for h in hexes if seen.best(h) != expected.get(h, NOTHING) and seen.is_clearly(h, seen.best(h))]

    def _accused(self, said: FollowState, seen: Evidence) -> FollowState:
        """What is said of a picture, but an illegal act as long as that is clearly to be seen, whoever plays on."""
        if isinstance(said, Waiting) and said.why != "chores":
            return said
        if self._act is not None:
            act, shown = self._act
            expected = tallies(self._play.position.layout())
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
        was_right = self._read.get(spot) == tallies(self._play.position.layout()).get(spot, NOTHING)
        was_told = isinstance(self._complaint, Contradiction) and spot in self._complaint.spots
        return seen.sureness(spot) >= _SURE and (was_right or was_told or not acted)

    def _stays(self, spots: Iterable[Spot], first: Evidence) -> bool:
        """True if each of the spots is seen again soon, and looks or reads the same whenever it is."""
        return all(
            any(picture.seen(spot) for picture in self._later)
            and all(_is_same(spot, first, picture) for picture in self._later if picture.seen(spot))
            for spot in spots
        )

    def _take_facts(self, path: Path) -> None:
        if self._given and (facts := self._given.pop(path.name, None)):
            self._told += [(path.name, fact) for fact in facts]
            self._follower.give(facts)


def _is_as_expected(said: FollowState) -> bool:
    """True if the table is taken to show the position, but for what hands still have to do."""
    return isinstance(said, Settled) or (isinstance(said, Waiting) and said.why == "chores")


def _is_same(spot: Spot, one: Evidence, other: Evidence) -> bool:
    looks_same = spot in one.looks and one.looks[spot] == other.looks.get(spot)
    return looks_same or (one.seen(spot) and one.best(spot) == other.best(spot))


class _Play:
    """A position that goes on by what the pictures show.

    With a dealer it rolls and draws itself, and nobody defends; without one all that has to be given.
    """

    def __init__(self, position: Position, dealer: Dealer | None) -> None:
        self.position = position
        self._dealer = dealer
        self.done: list[Action] = []
        """All that was done, in order."""
        self._taken = 0
        self.seen = 0
        """How many actions the camera has seen."""
        self._go_on()

    def do(self, action: Action, source: Source) -> None:
        """Carry it out."""
        self.seen += source == "camera"
        self._carry_out(action)
        self._go_on()

    def taken(self) -> list[Action]:
        """What has been done since this was last asked."""
        done, self._taken = self.done[self._taken :], len(self.done)
        return done

    def _go_on(self) -> None:
        while self._dealer is not None and self.position.phase in {"roll", "reaction", "protect"}:
            match self.position.phase, self.position.threat:
                case "roll", _:
                    self._carry_out(Roll())
                case "reaction", threat if threat is not None:
                    self._carry_out(Decline(player=threat.asked[0]))
                case _:
                    self._carry_out(Protect(explorers={}))

    def _carry_out(self, action: Action) -> None:
        if self._dealer is not None:
            action = self._dealer.complete(self.position, action)
        self.position = rules.apply(self.position, action).position
        self.done.append(action)


def _told(path: Path, state: FollowState, play: _Play) -> dict[str, Any]:
    """A picture's line. What was done is told where all of a table is explained, if need be some pictures later."""
    match state:
        case Contradiction(hexes=hexes, rule=rule, message=message, way_back=chores):
            way_back = [chore_line(chore).text for chore in chores]
            told = {"message": message or "; ".join(way_back), "way_back": way_back}
            return {**_line(path, "contradiction", []), "rule": rule, "hexes": hexes, **told}
        case Question(candidates=candidates, hexes=hexes):
            asked = [{"actions": [*map(encode_action, c.actions)], "probability": c.probability} for c in candidates]
            return {**_line(path, "question", []), "hexes": hexes, "candidates": asked}
        case Waiting(why=why, hexes=hexes) if why != "chores":
            return {**_line(path, "waiting", []), "hexes": hexes, "why": why}
        case Waiting() | Settled():
            return _line(path, "explained", play.taken())


def _line(path: Path, status: str, done: list[Action]) -> dict[str, Any]:
    return {"picture": str(path), "status": status, "actions": [*map(encode_action, done)], "rule": None, "hexes": []}


def _read_position(path: Path) -> Position:
    try:
        return decode_position(json.loads(_read(path)))
    except (ValueError, RecursionError, RulesError) as error:
        raise TrackError(f"{path}: this is no position: {error}") from error


def _read_given(
    path: Path | None, position: Position, pictures: Sequence[Path]
) -> tuple[dict[str, Facts] | None, bool]:
    """The facts before each of these pictures, in their order, and whether nothing is wrong with any.

    Those that cannot be, or come before no picture, are told of on standard error. Nothing is wrong with those of
    pictures that lie beside these: only a part of them is followed.
    """
    if path is None:
        return None, True
    try:
        read = decode_facts(_read(path))
    except FactsError as error:
        raise TrackError(f"{path}: {error}.") from error
    given = {picture.name: read.pop(picture.name) for picture in pictures if picture.name in read}
    folders = {picture.parent for picture in pictures}
    beside = {name for name in read if any(os.path.lexists(folder / name) for folder in folders)}
    for names, why in ((read.keys() - beside, "no picture is called so"), (beside, "these pictures are not followed")):
        if names:
            text = f"{path} tells of {', '.join(sorted(names))}, and {why}: these facts are left out."
            print(f"companion track: {text}", file=sys.stderr)
    given, complaints = sift(position, given)
    for complaint in complaints:
        print(f"companion track: {path}: {complaint}. It is left out.", file=sys.stderr)
    return given, not complaints and read.keys() <= beside


def _read(path: Path) -> str:
    try:
        return read_json(path).decode()
    except OSError as error:
        raise TrackError(f"{path}: cannot be read ({error.strerror or error}).") from error
