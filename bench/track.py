"""Games followed by the camera: all that hands do on the simulated table is drawn, recognised and followed.

`./deploy/bench track [--games N] [--seed S] [--style NAME]... [--actions N] [--record FILE]`. People play at random by
the rules (but nobody goes to where he is lost at once, or straight back in a moment), in every game with other
players, options and light; they think for up to some seconds, and hands pass over the table. The screen is used for
what no picture shows (the roll, tiles from the hand, answers), and where the companion asks or complains: these are
the taps. A wrong commit is an action taken over that nobody did, or taken back.

A game takes three to four minutes of a core. With `--record` each is a line in a file as soon as it is over, and what
is there is not played again: a hundred games can be stopped and gone on with, or played by several processes at once.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from bench.simulated import board_object
from bench.table import LONGEST, ON_SCREEN, after_hands
from calibration import calibrate_session
from companion.rules import Options, Player, Position, apply
from companion.rules.actions import Action, EndPhase, MoveBoat, MoveExplorer, SinkTile
from companion.rules.geometry import Hex, load_board
from companion.rules.layout import COLOURS, Layout, encode_layout
from companion.table import Contradiction, Entry, Follower, Journal, Question, Session, Settled, start_game
from companion.table.dealer import Dealer
from companion.table.follow import FollowState
from companion.table.gestures import gesture, may_strike
from companion.table.step import IS_PAST_S
from companion.table.tally import Spot, Tally, tallies
from companion.vision.recogniser import Recogniser
from hardware.simulated import STYLES, SimulatedTable
from hardware.simulated.session import write_session

BOARD = load_board()

PICTURES_A_S = 5

PICTURES = 6
"""So many pictures of a table at rest are enough for an answer."""

PAUSE_S = (0.0, 15.0)
"""For so long people think before they do something."""

HAND_PICTURES = 2
"""The camera sees a hand that comes so often at most before it has done something, or not at all."""


class Outcome(msgspec.Struct, frozen=True):
    """What came of one game."""

    seed: int
    style: str
    by_camera: int
    asked: int
    complained: int
    by_touch: int
    wrong: int
    settled_s: list[float]

    @property
    def counts(self) -> tuple[int, ...]:
        """In the order of the table that is printed."""
        return self.by_camera, self.asked, self.complained, self.by_touch, self.wrong


class Watched:
    """One table, its camera and the companion that looks through it."""

    def __init__(self, style: str, seed: int) -> None:
        self.style = style
        self._table = SimulatedTable(board_object(), seed=seed, style=style)
        self._rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            write_session(self._table, Path(folder))
            self._recogniser = Recogniser(calibrate_session(Path(folder)), BOARD)
        self._number = 0
        self._time = 0.0
        self._drawn_s = 0.0

    def show(self, layout: Layout, second_boat: Hex | None = None) -> None:
        """Put the table so, on one hex with a boat too many; now and then the light changes with it."""
        self._table.put({**encode_layout(layout), "beyond_schema": beyond_schema(second_boat)})
        if self._rng.random() < 0.1:
            self._table.light(self._rng.uniform(0.85, 1.15), self._rng.uniform(-0.5, 0.5))

    def reach(self, at: tuple[float, float] | None) -> None:
        """A hand over that point of the board, or none."""
        self._table.hand(at, self._rng.uniform(0, 360))

    def keep_still(self, seconds: float) -> None:
        """Nobody does anything meanwhile, and no pictures of it are looked at."""
        self._time += seconds

    def look(self, follower: Follower) -> FollowState:
        """The companion sees the next picture."""
        started = time.perf_counter()
        picture = self._table.picture()
        self._drawn_s += time.perf_counter() - started
        self._number += 1
        self._time += 1 / PICTURES_A_S
        return follower.see(self._recogniser.observe(picture, self._number, self._time))

    def settle(self, follower: Follower) -> tuple[FollowState, float]:
        """Look until the table is understood or enough has been seen; how long that took to work out.

        Drawing is apart; and so is the wait for the camera's next picture, a tenth of a second at most.
        """
        started, drawn = time.perf_counter(), self._drawn_s
        for _ in range(PICTURES):
            state = self.look(follower)
            if isinstance(state, Settled | Question | Contradiction) or state.why == "chores":
                break
        return state, time.perf_counter() - started - (self._drawn_s - drawn)


class Game:
    """A game of random legal actions at a watched table."""

    def __init__(self, watched: Watched, seed: int) -> None:
        self._seed = seed
        rng = self._rng = random.Random(seed)
        people = [Player(name, (colour,)) for name, colour in zip(_NAMES, COLOURS, strict=True)]
        last_survivor = rng.random() < 0.5
        options = Options(
            overpopulation=rng.random() < 0.5,
            last_survivor=last_survivor,
            all_equal=rng.random() < 0.5,
            atlantis_sinks=not last_survivor and rng.random() < 0.5,
            backs="printed" if rng.random() < 0.25 else "dealt",
        )
        players = people[: rng.choice((2, 3, 4))]
        self._session: Session = start_game(Journal(":memory:"), players, options, dealer=Dealer(seed))
        self._watched = watched
        self._follower = Follower(self._session)
        self._count: Counter[str] = Counter()
        self._settled: list[float] = []

    def play(self, most: int) -> Outcome:
        """Play it to the end, or so many actions."""
        session = self._session
        self._show(session.position.layout())
        for _ in range(most):
            if session.position.phase in {"scoring", "over"}:
                break
            pause_s = self._rng.uniform(*PAUSE_S)
            action = self._choice(pause_s)
            self._watched.keep_still(pause_s)
            if isinstance(action, ON_SCREEN):
                session.do(action)
            else:
                self._do(action)
            self._show(session.position.layout())
        count = self._count
        return Outcome(
            self._seed,
            self._watched.style,
            count["camera"],
            count["asked"],
            count["complained"],
            count["touch"],
            count["wrong"],
            [round(s, 3) for s in self._settled],
        )

    def _choice(self, pause_s: float) -> Action:
        """Any legal action; but nobody goes to where he is lost at once if there is another way.

        Nor straight back, if the companion would take that for a move taken back.
        """
        legal = list(self._session.legal())
        spots = tallies(self._session.position.layout())
        last = self._session.record[-1].action if self._session.record else None
        sensible = (a for a in legal if not (is_sacrifice(spots, a) or (pause_s < IS_PAST_S and is_way_back(last, a))))
        return self._rng.choice([*sensible] or legal)

    def _show(self, layout: Layout) -> None:
        """The table is put as it is to be: whatever is taken over now nobody did."""
        before = self._session.record
        self._watched.show(layout)
        state, _ = self._watched.settle(self._follower)
        taken, back = self._changes(before)
        if taken or back:
            self._note("wrong", f"nothing: it took over {taken}, took back {back}")
            self._put_right(taken, back)
        if isinstance(state, Question | Contradiction):
            self._note("complained", f"the table is right, it says {_told(state)}")
            self._follower.dismiss()

    def _do(self, action: Action) -> None:
        """Hands do it: a hand comes, the table has changed, the hand goes; what does the companion say?"""
        session = self._session
        before, done = session.record, session.position
        after = after_hands(session.position, action)
        self._watched.reach(middle(action))
        for _ in range(self._rng.randint(0, HAND_PICTURES)):
            self._watched.look(self._follower)
        self._watched.show(after)
        self._watched.look(self._follower)
        self._watched.reach(None)
        state, took = self._watched.settle(self._follower)
        if isinstance(state, Question):
            self._note("asked", f"{action}: {_told(state)}")
            right = [c.actions for c in state.candidates if _means(c.actions, action, session.position, after)]
            if right:
                self._follower.answer(right[0])
            else:
                self._follower.dismiss()
        elif len(session.record) > len(before):
            self._settled.append(took)
        taken, back = self._changes(before)
        if back or (taken and not _means(taken, action, done, after)):
            self._note("wrong", f"{action}: it took over {taken}, took back {back}")
            self._put_right(taken, [*back, action])
        elif taken:
            self._count["camera"] += 1
        else:
            self._note("touch", f"{action}: it says {_told(state)}")
            session.do(action)

    def _changes(self, before: Sequence[Entry]) -> tuple[list[Action], list[Action]]:
        """What was taken over since the record was like that, and what was taken back."""
        record = self._session.record
        pairs = zip(before, record, strict=False)
        same = next((i for i, (a, b) in enumerate(pairs) if a.serial != b.serial), min(len(before), len(record)))
        taken, back = ([e.action for e in entries[same:] if e.action is not None] for entries in (record, before))
        return taken, back

    def _put_right(self, taken: Sequence[Action], missing: Sequence[Action]) -> None:
        everybody = range(len(self._session.position.players))
        for _ in taken:
            self._session.undo(everybody)
        for action in missing:
            self._session.do(action)

    def _note(self, what: str, words: str) -> None:
        self._count[what] += 1
        print(f"  {what} at {len(self._session.record)}, {words}", flush=True)


_NAMES = ("Ann", "Bo", "Cyd", "Dee")


def beyond_schema(second_boat: Hex | None) -> list[dict[str, object]]:
    """What a layout cannot say, as the recognition set's sequences write it."""
    return [] if second_boat is None else [{"hex": second_boat, "boat": {}}]


def is_sacrifice(spots: dict[Spot, Tally], action: Action) -> bool:
    """True if somebody would go to where he is lost at once."""
    return isinstance(action, MoveExplorer | MoveBoat) and any(map(may_strike, gesture(spots, action).values()))


def is_way_back(last: Action | None, action: Action) -> bool:
    """True if it undoes the last move."""
    moves = (MoveExplorer, MoveBoat)
    if not (isinstance(last, moves) and isinstance(action, moves) and type(last) is type(action)):
        return False
    return (last.origin, last.target) == (action.target, action.origin)


def _told(state: FollowState) -> str:
    if isinstance(state, Question):
        return f"Question({'; '.join(str(c.actions) for c in state.candidates)})"
    return str(state)


def _means(actions: Sequence[Action], action: Action, position: Position, after: Layout) -> bool:
    """True if the actions are that one, or lead to the same table by another way."""
    gestures = [one for one in actions if not isinstance(one, EndPhase)]
    sunk = [one.hex for one in gestures if isinstance(one, SinkTile)]
    if sunk:
        return len(gestures) == 1 and isinstance(action, SinkTile) and sunk == [action.hex]
    for one in actions:
        position = apply(position, one).position
    return position.layout() == after


def middle(action: Action) -> tuple[float, float] | None:
    """Where a hand goes for it, mm."""
    places = [getattr(action, name, None) for name in ("target", "hex", "origin")]
    hexes: Iterator[Hex | None] = (getattr(place, "hex", place) for place in places if place is not None)
    h = next((h for h in hexes if isinstance(h, tuple)), None)
    return None if h is None else BOARD.centre_mm(h)


def main(arguments: Sequence[str] = ()) -> None:
    """Print a line a game and a line a tap, and the totals."""
    parser = argparse.ArgumentParser(prog="./deploy/bench track", description="games followed by the camera")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--actions", type=int, default=LONGEST, help="leave a game after so many")
    parser.add_argument("--style", action="append", choices=sorted(STYLES), help="default: all, by the seed")
    parser.add_argument("--record", type=Path, help="a file of games: what is there is not played again")
    args = parser.parse_args(arguments)
    styles = args.style or sorted(STYLES)
    print(f"{'game':>4} {'style':>10} {'seen':>6} {'asked':>6} {'again':>6} {'touch':>6} {'wrong':>6}")
    games: list[Outcome] = []
    for seed in range(args.seed, args.seed + args.games):
        outcome = _played(args.record).get(seed)
        if outcome is None:
            outcome = Game(Watched(styles[seed % len(styles)], seed), seed).play(args.actions)
            if args.record is not None:
                with args.record.open("ab") as record:
                    record.write(msgspec.json.encode(outcome) + b"\n")
        games.append(outcome)
        print(f"{seed:4} {outcome.style:>10} " + " ".join(f"{n:6}" for n in outcome.counts), flush=True)
    _sum_up(games)


def _played(record: Path | None) -> dict[int, Outcome]:
    """The games of a record, by seed."""
    if record is None or not record.exists():
        return {}
    return {game.seed: game for game in msgspec.json.Decoder(Outcome).decode_lines(record.read_bytes())}


def _sum_up(games: Sequence[Outcome]) -> None:
    seen, asked, again, touch, wrong = (sum(counts) for counts in zip(*(game.counts for game in games), strict=True))
    settled = sorted(s for game in games for s in game.settled_s)
    print(
        f"{len(games)} games, {seen + touch + wrong} actions by hand: {seen} taken over ({asked} asked), {touch} by "
        f"touch, {wrong} wrong; {again} complaints about a table that was right."
    )
    if settled:
        late = settled[min(len(settled) - 1, math.ceil(0.95 * len(settled)) - 1)]
        print(
            f"From the hand gone to the action shown: {statistics.median(settled):.2f} s, 95th percentile {late:.2f} s."
        )
