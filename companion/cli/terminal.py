"""The simulated game in the terminal: robots play on the simulated table, and the companion follows by its camera.

In: a seed. Out: the game's events as lines. The robots do what people do: they move pieces on the table and tidy up
after sharks and whales; the companion learns of it through its camera and the reconciler, as it would of people.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections import Counter

import msgspec
from rich.console import Console

from companion import rules
from companion.faults import Said
from companion.rules.actions import (
    Action,
    EndPhase,
    MoveBoat,
    MoveCreature,
    MoveExplorer,
    PlaceBoat,
    PlaceExplorer,
    Score,
    SinkTile,
)
from companion.rules.layout import COLOURS, Layout
from companion.rules.options import Options, Player
from companion.table.follow import Settled
from companion.table.journal import Journal
from companion.table.reconcile import Contradiction, Question
from companion.table.session import Session, Source
from companion.table.start import start_game
from companion.viewmodel.words import fingerprint
from companion.watch.link import WatchedTable
from companion.watch.messages import WatchPlan
from companion.watch.watcher import Lost, Starting, Watcher

PLAYERS = (
    Player("Ann", ("red",)),
    Player("Bo", ("blue",)),
    Player("Olena", ("yellow",)),
    Player("Maja", ("green",)),
)
PATIENCE_S = 6.0
"""So long the robots wait for the camera to see what they did; then they touch the screen, as people would."""

POLL_S = 0.1
ON_THE_TABLE = (PlaceExplorer, PlaceBoat, MoveExplorer, MoveBoat, SinkTile, MoveCreature)
"""Actions that a camera can see; everything else is said by button or touch."""


def play_in_terminal(seed: int) -> int:
    """Play one game to its end; exit status 1 if the table cannot be watched."""
    console = Console(highlight=False)
    with (
        Journal(":memory:") as journal,
        Watcher(WatchPlan(camera="simulated", seed=seed), now=time.monotonic()) as watcher,
    ):
        session = start_game(journal, PLAYERS, Options())
        console.print(f"The dealer's fingerprint is {fingerprint(session.fingerprint)}.")
        table = WatchedTable(watcher)
        robots = Robots(session, table, random.Random(seed), console)
        while session.position.phase != "over":
            if isinstance(watcher.status, Lost) and watcher.status.retry_at is None:
                why = Said(watcher.status.text, {**watcher.status.about})
                print(f"companion play: The simulated table cannot be watched: {why}", file=sys.stderr)
                return 1
            table.poll(time.monotonic())
            if not isinstance(watcher.status, Starting):
                robots.step(time.monotonic())
            watcher.wait(POLL_S)
        robots.report()
    return 0


class Robots:
    """All the players at once: they choose at random among what is legal, and put it on the table."""

    def __init__(self, session: Session, table: WatchedTable, choose: random.Random, console: Console) -> None:
        self._session = session
        self._table = table
        self._choose = choose
        self._console = console
        self._told = 0
        self._intended: Action | None = None
        self._since = math.inf
        self._known = 0
        self.seen = 0
        self.touched = 0
        self.doubted = 0
        self.misread = 0
        table.follow(session)
        table.sync(session.position.layout())

    def step(self, now: float) -> None:
        """Look at what the companion thinks, and do the next thing. `now` in seconds, monotonic."""
        self._tell()
        self._since = min(self._since, now)  # the first step begins now
        if self._session.pending_look is not None:
            self._session.looked()
        taken_over = self._session.record[self._known :]
        self._known += len(taken_over)
        self.misread += sum(not _is(entry.action, self._intended) for entry in taken_over)
        following = self._table.follow_state
        if self._intended is None:
            if isinstance(following, Settled):
                self._act(now)
            elif now - self._since > PATIENCE_S:
                self.doubted += 1
                self._table.dismiss()
                self._act(now)
        elif taken_over:
            self._intended, self._since = None, now
            self._table.sync(self._session.position.layout())
        elif now - self._since > PATIENCE_S or isinstance(following, Question | Contradiction):
            self._touch(self._intended)
            self._since = now

    def report(self) -> None:
        """Who won, and how well the companion followed."""
        self._tell()
        position = self._session.position
        winners = " and ".join(position.players[i].name for i in position.winners or ())
        self._console.print(f"{winners} won.", style="bold")
        self._console.print(
            f"{self.seen} moves read off the table, {self.touched} entered by touch; "
            f"{self.misread} were not what was done; "
            f"doubts about a table that was right: {self.doubted}."
        )

    def _act(self, now: float) -> None:
        action = self._next_action()
        self._since = now
        if isinstance(action, ON_THE_TABLE):
            self._intended = action
            self._table.sync(self._after(action))
        else:
            self._do(action, "buttons")

    def _do(self, action: Action, source: Source) -> None:
        self._session.do(action, source)
        self._known = len(self._session.record)
        self._table.sync(self._session.position.layout())

    def _next_action(self) -> Action:
        position = self._session.position
        if position.phase == "scoring":
            return self._score()
        return self._choose.choice(self._session.legal())

    def _score(self) -> Action:
        position = self._session.position
        rescued: Counter[str] = Counter()
        for counts in position.layout().safe.values():
            rescued.update(counts)
        colour = next(c for c in COLOURS if rescued[c] and c not in position.scores)
        return Score(colour=colour, values=tuple(self._choose.sample(rules.EXPLORER_VALUES, rescued[colour])))

    def _after(self, action: Action) -> Layout:
        """What people leave on the table by doing just this: without what a tile's back brings."""
        position = self._session.position
        if not isinstance(action, SinkTile):
            return rules.apply(position, action).position.layout()
        layout = position.layout()
        bare = msgspec.structs.replace(layout.at(action.hex), tile=None)
        return msgspec.structs.replace(layout, hexes={**layout.hexes, action.hex: bare})

    def _touch(self, action: Action) -> None:
        self.touched += 1
        self._intended = None
        self._table.dismiss()
        self._do(action, "touch")

    def _tell(self) -> None:
        for entry in self._session.record[self._told :]:
            self.seen += entry.source == "camera"
            by_touch = "" if entry.source == "camera" or not isinstance(entry.action, ON_THE_TABLE) else "  (by touch)"
            self._console.print(entry.notation + by_touch)
        self._told = len(self._session.record)


def _is(done: Action | None, intended: Action | None) -> bool:
    """True if the camera took over what was done: the end of a phase comes with what is done next."""
    if isinstance(done, SinkTile):
        done = msgspec.structs.replace(done, back=None)
    return done == intended or isinstance(done, EndPhase)
