"""What following a game costs: a step synced to the disk, a journal opened, a picture understood.

`python -m bench.table`, from the folder whose disk is to be measured. Times in ms, of the disk by the clock on the
wall, of thinking by the processor's, of what holds up a screen by the clock: median, 99th percentile, worst.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.rules import Options, Player, Position, apply, legal_actions
from companion.rules.actions import (
    Action,
    Decline,
    Defend,
    EndPhase,
    MoveBoat,
    MoveExplorer,
    PlayTile,
    Protect,
    Reveal,
    Roll,
    SinkTile,
)
from companion.rules.geometry import LANDS, load_board
from companion.rules.layout import COLOURS, HexContent, Layout
from companion.table import Contradiction, Follower, Journal, Session, resume, start_game
from companion.table.dealer import Dealer
from companion.table.reconcile import Explained, reconcile
from companion.table.start import begin
from companion.vision.observation import HexEvidence, HexHypothesis, LandEvidence, LandHypothesis, Observation
from companion.watch.thinking import SWITCH_S, Thinker

PEOPLE = (Player("Ann", ("red",)), Player("Bo", ("blue",)), Player("Cy", ("yellow",)), Player("Dee", ("green",)))
ON_SCREEN = (Roll, Reveal, PlayTile, Decline, Defend, Protect, EndPhase)
"""What people do on the screen; all else they do on the table."""

LONGEST = 400
"""Actions after which a game is left: by chance alone the last survivor may wander about for ever."""

GAMES = 200
"""Games in the journal whose opening is timed: two years of a busy table."""


IN_DOUBT = 12
"""So many hexes are read in doubt where light is bad."""

FRAME_S = 1 / 60
WAITS = 8
"""A screen lets go of the interpreter so often in each of its frames, and has to get hold of it again."""


def main() -> None:
    """Print all figures."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        positions = _journal(Path(folder))
    sys.setswitchinterval(SWITCH_S)
    _reconcile(positions)


def _journal(folder: Path) -> list[Position]:
    """Times the journal; returns the positions of the game that was played for it."""
    rng = random.Random(1)
    path = folder / "games.db"
    journal = Journal(path)
    session = start_game(journal, PEOPLE, Options(all_equal=True), dealer=Dealer(1))
    times: list[float] = []
    positions = []
    while session.position.phase != "over":
        positions.append(session.position)
        action = rng.choice(session.legal())
        times.append(_timed(session.do, action))
    _report("a step: dealt, checked, appended and synced", times)
    _report("taking a finished game up again", [_timed(resume, journal, session.game_id) for _ in range(10)])
    bodies = [(record.kind, record.content()) for record in journal.records(session.game_id)]
    for n in range(GAMES):
        journal.append(f"copy {n}", bodies)
    journal.close()
    print(f"a journal of {GAMES + 1} games, {(GAMES + 1) * len(bodies)} records, {path.stat().st_size / 1e6:.0f} MB:")
    _report("opening it, every record checked", [_timed(lambda: Journal(path).close()) for _ in range(3)])
    return positions


def _reconcile(positions: list[Position]) -> None:
    rng = random.Random(2)
    nothing, one, doubtful, held, turn, wrong = [], [], [], [], [], []
    for position in positions:
        layout = position.layout()
        nothing.append(_thought(reconcile, position, [look(layout)] * 2))
        actions = [a for a in legal_actions(position) if isinstance(a, MoveExplorer | MoveBoat | SinkTile)]
        if not actions:
            continue
        picture = look(after_hands(position, rng.choice(actions)))
        one.append(_thought(reconcile, position, [picture] * 2))
        dubious = _in_doubt(picture, rng)
        doubtful.append(_thought(reconcile, position, [dubious] * 2))
        held.append(_held_up(position, dubious))
        if position.phase == "move" and position.moves_left == 3:
            picture = look(_turn(position, rng))
            started = time.process_time()
            if isinstance(reconcile(position, [picture] * 2), Explained):
                turn.append(time.process_time() - started)
        spoilt = look(_spoilt(layout, rng))
        started = time.process_time()
        if isinstance(reconcile(position, [spoilt] * 2), Contradiction):
            wrong.append(time.process_time() - started)
    session: Session = start_game(Journal(":memory:"), PEOPLE, Options(), dealer=Dealer(1))
    follower = Follower(session)
    picture = look(session.position.layout())
    seen = [_thought(follower.see, picture) for _ in range(200)]
    _report("a picture that shows nothing new, followed", seen)
    _report("reconcile, nothing done", nothing)
    _report("reconcile, one action", one)
    _report(f"reconcile, one action and {IN_DOUBT} hexes in doubt", doubtful)
    _report("the same beside the screen: it is held up", held)
    _report("reconcile, three moves and a tile at once", turn)
    _report("reconcile, an illegal table", wrong)


def _turn(position: Position, rng: random.Random) -> Layout:
    """The table after the moves of a turn and the tile taken off."""
    while position.phase == "move":
        actions: list[Action] = [a for a in legal_actions(position) if isinstance(a, MoveExplorer | MoveBoat)]
        position = apply(position, rng.choice(actions or [EndPhase()])).position
    return after_hands(position, rng.choice(legal_actions(position))) if position.phase == "sink" else position.layout()


def after_hands(position: Position, action: Action) -> Layout:
    """The table once hands have done a legal action; what a tile brings nobody knows yet."""
    if not isinstance(action, SinkTile):
        return apply(position, action).position.layout()
    layout = position.layout()
    gone = msgspec.structs.replace(layout.at(action.hex), tile=None)
    return Layout({**layout.hexes, action.hex: gone}, layout.safe)


def _spoilt(layout: Layout, rng: random.Random) -> Layout:
    """Two pieces put where they cannot have come."""
    board = load_board()
    extra = {h: HexContent(explorers={"red": 5}) for h in rng.sample(board.hexes, 2)}
    return Layout({**layout.hexes, **extra}, layout.safe)


def look(layout: Layout) -> Observation:
    """A picture of the layout by a recogniser that is fairly sure."""
    unlike = HexContent(explorers={"green": 9})
    return Observation(
        frame=0,
        time=0.0,
        hexes=tuple(
            HexEvidence(h, (HexHypothesis(layout.at(h), 0.97), HexHypothesis(unlike, 0.02))) for h in load_board().hexes
        ),
        safe=tuple(LandEvidence(land, (LandHypothesis(layout.safe.get(land, {}), 0.97),)) for land in LANDS),  # type: ignore[arg-type]
    )


def _in_doubt(picture: Observation, rng: random.Random) -> Observation:
    """The picture, with one more or less of an explorer read rather than what stands on some busy hexes."""
    busy = [evidence.hex for evidence in picture.hexes if not evidence.hypotheses[0].content.is_empty]
    doubted = set(rng.sample(busy, min(IN_DOUBT, len(busy))))

    def doubt(evidence: HexEvidence) -> HexEvidence:
        true = evidence.hypotheses[0].content
        colour = rng.choice(COLOURS)
        number = true.explorers.get(colour, 0)
        other = msgspec.structs.replace(true, explorers={**true.explorers, colour: number + (1 if number < 1 else -1)})
        return HexEvidence(evidence.hex, (HexHypothesis(other, 0.8), HexHypothesis(true, 0.18)))

    hexes = tuple(doubt(evidence) if evidence.hex in doubted else evidence for evidence in picture.hexes)
    return msgspec.structs.replace(picture, hexes=hexes)


def _held_up(position: Position, picture: Observation) -> float:
    """By how much a screen that wants to be drawn every `FRAME_S` is late at most while two such pictures are seen."""
    late = 0.0
    with Journal(":memory:") as journal:
        session = begin(journal, position, Dealer(1))
        thinker = Thinker(session, Follower(session))
        for _ in range(2):
            started = time.perf_counter()
            thinker.see(picture)
            late = max(late, time.perf_counter() - started)
            while thinker.is_busy:
                started = time.perf_counter()
                for _ in range(WAITS):
                    time.sleep(FRAME_S / WAITS)
                thinker.go_on()
                late = max(late, time.perf_counter() - started - FRAME_S)
        thinker.close()
    return late


def _timed(function: Callable[..., object], *arguments: object) -> float:
    started = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - started


def _thought(function: Callable[..., object], *arguments: object) -> float:
    started = time.process_time()
    function(*arguments)
    return time.process_time() - started


def _report(what: str, times: list[float]) -> None:
    times.sort()
    median, tail, worst = (1e3 * times[min(len(times) - 1, int(len(times) * q))] for q in (0.5, 0.99, 1.0))
    print(f"{what:48} {median:8.2f} {tail:8.2f} {worst:8.2f}   n={len(times)}")


if __name__ == "__main__":
    main()
