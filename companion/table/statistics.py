"""What a finished game amounts to in figures, for the podium: only what everybody has seen happen.

In: the public record, the board it left behind, the times in the journal. Out: `Statistics`. An explorer ends in one
of two ways: rescued, or lost to one of `CAUSES`; all of a colour add up to those who were there at the start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal, TypeAlias, get_args

import msgspec

from companion.rules import events as ev
from companion.rules.actions import DiveFace, Face
from companion.rules.layout import TERRAINS, Layout, Terrain
from companion.table.session import Entry, Session

Cause = Literal["serpent", "shark", "whirlpool", "end"]
"""What takes explorers out of the game: 8.1, 8.2; 6.4; 11.1 and 12.4 those who were still on the board at its end.

A whale upsets boats and takes nobody (8.3).
"""

CAUSES: tuple[Cause, ...] = get_args(Cause)

Eater = Literal["serpent", "shark"]
_EATERS: tuple[Eater, ...] = get_args(Eater)

PAUSE = timedelta(minutes=10)
"""If nothing was done for longer than this, nobody played: a night, a meal, a plug that was pulled."""

Count: TypeAlias = Mapping[str, int]
"""Explorers by colour."""


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """A game in figures. `played` is without pauses; `sunk`, `rolled` and `lost` have a figure for everything there is.

    `rolled` has dolphin, boat and star only where they are on the dice (13.2).
    """

    turns: int
    played: timedelta
    rescued: Count
    lost: Mapping[Cause, Count]
    sunk: Mapping[Terrain, int]
    rolled: Mapping[DiveFace, int]
    boats_lost: int
    driven_away: int

    def taken_by(self, cause: Cause) -> int:
        """How many explorers of all colours were lost to it."""
        return sum(self.lost[cause].values())

    @property
    def deadliest(self) -> tuple[Eater, ...]:
        """The creature that took most explorers; both if they took as many, none if they took nobody."""
        most = max(map(self.taken_by, _EATERS))
        return tuple(creature for creature in _EATERS if most and self.taken_by(creature) == most)


def statistics(session: Session) -> Statistics:
    """Those of a game from its start or from where it was taken over."""
    view = session.view(None)
    faces: tuple[DiveFace, ...] = get_args(DiveFace) if view.options.dive_dice else get_args(Face)
    return count(session.record, view.layout, faces=faces, times=session.times)


def count(record: Sequence[Entry], left: Layout, *, faces: Iterable[DiveFace], times: Sequence[datetime]) -> Statistics:
    """The figures of a record that ended with the board `left`; `faces` are those of the creature die."""
    lost: dict[Cause, Counter[str]] = {cause: Counter() for cause in CAUSES}
    sunk: Counter[Terrain] = Counter()
    rolled: Counter[DiveFace] = Counter()
    boats = driven = 0
    for event in (event for entry in record for event in entry.events):
        match event:
            case ev.Eaten(by="serpent" | "shark" as by, explorers=eaten):
                lost[by].update(eaten)
            case ev.BoatLost(by=by, explorers=aboard):
                boats += 1
                if by == "serpent":
                    lost["serpent"].update(aboard)
            case ev.Swallowed():
                boats += event.boats
                lost["whirlpool"].update(event.explorers)
            case ev.TileSunk():
                sunk[event.tile] += 1
            case ev.Rolled():
                rolled[event.face] += 1
            case ev.DiceRolled():
                rolled[event.creature] += 1
            case ev.Defended():
                driven += 1
    for content in left.hexes.values():
        lost["end"].update(content.explorers)
        lost["end"].update(content.boat or {})
    rescued: Counter[str] = Counter()
    for counts in left.safe.values():
        rescued.update(counts)
    return Statistics(
        turns=max((entry.turn for entry in record), default=0),
        played=time_played(times),
        rescued=rescued,
        lost=lost,
        sunk={terrain: sunk[terrain] for terrain in TERRAINS},
        rolled={face: rolled[face] for face in faces},
        boats_lost=boats,
        driven_away=driven,
    )


def time_played(times: Sequence[datetime]) -> timedelta:
    """From the first to the last, without pauses, and without what a clock that was set back seems to add or take."""
    steps = (after - before for before, after in pairwise(times))
    return sum((step for step in steps if timedelta(0) < step <= PAUSE), timedelta(0))
