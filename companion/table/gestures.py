"""What hands do on the table for an action, before the rules add anything: pieces taken from one spot, put on another.

Only actions that move something on the table have a gesture; who is eaten, and what a sunk tile's back brings, is
the rules' matter and follows later on the table too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.rules import Position
from companion.rules.actions import (
    Action,
    LoadBoat,
    MoveBoat,
    MoveCreature,
    MoveExplorer,
    Place,
    PlaceBoat,
    PlaceExplorer,
    PlayTile,
    SinkTile,
)
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS
from companion.rules.pieces import MOVED_BY_TILE
from companion.table.tally import INDEX, NOTHING, SORTS, Sort, Span, Spot, Tally, changed, span, tally_at

_CREW = tuple(sort for sort in SORTS if sort.piece == "boat" or sort.aboard)

_SWIMMERS = tuple(INDEX[Sort("explorer", colour)] for colour in COLOURS)
_PASSENGERS = tuple(INDEX[Sort("explorer", colour, aboard=True)] for colour in COLOURS)
_HUNTERS = tuple(INDEX[Sort(creature)] for creature in ("serpent", "shark", "whale"))

Shift = tuple[Spot, Sort, int]
"""So many more (or fewer) of a sort on a spot."""


def gesture(spots: Mapping[Spot, Tally], action: Action, sunk: Hex | None = None) -> dict[Spot, Tally]:
    """The spots that the action touches, as they are after the gesture; empty for an action without one.

    `spots` is the table before, spots that are missing are bare; `sunk` is the hex of the tile just removed, for
    `load_boat`.
    """
    after: dict[Spot, Tally] = {}
    for spot, sort, by in _shifts(spots, action, sunk):
        after[spot] = changed(after.get(spot) or spots.get(spot, NOTHING), sort, by)
    return after


def touched(action: Action, sunk: Hex | None = None) -> tuple[Spot, ...]:
    """The spots that the action's gesture touches; as in `gesture`."""
    match action:
        case MoveExplorer(origin=here, target=there):
            return spot_of(here), spot_of(there)
        case MoveBoat(origin=origin, target=target) | MoveCreature(origin=origin, target=target):
            return origin, target
        case PlayTile(origin=origin, target=target):
            return origin, target
        case PlaceExplorer(hex=h) | PlaceBoat(hex=h) | SinkTile(hex=h):
            return (h,)
        case LoadBoat() if sunk is not None:
            return (sunk,)
    return ()


def risen_after(risen: Iterable[Spot], before: Position, action: Action) -> set[Spot]:
    """Where something has come up from under a tile and nothing has been moved since; `risen`: before the action."""
    left = {*risen} - {*touched(action, sunk_in(before))}
    return left | {action.hex} if isinstance(action, SinkTile) else left


def sunk_in(position: Position) -> Hex | None:
    """The hex of the tile that has just been removed in that position, for `gesture` and `touched`."""
    return position.sunk.hex if position.sunk is not None else None


def _shifts(spots: Mapping[Spot, Tally], action: Action, sunk: Hex | None) -> list[Shift]:
    shifts: list[Shift] = []
    match action:
        case PlayTile():
            shifts = _played(spots, action)
        case PlaceExplorer(colour=colour, hex=h):
            shifts = [(h, Sort("explorer", colour), 1)]
        case PlaceBoat(hex=h):
            shifts = [(h, Sort("boat"), 1)]
        case MoveExplorer(colour=colour, origin=origin, target=target):
            shifts = [
                (spot_of(place), Sort("explorer", colour, aboard=place.on == "boat"), by)
                for place, by in ((origin, -1), (target, 1))
            ]
            if action.dolphin:  # 13.5
                shifts += [(spot_of(origin), Sort("dolphin"), -1), (spot_of(target), Sort("dolphin"), 1)]
        case MoveBoat(origin=origin, target=target):
            here = spots.get(origin, NOTHING)
            for sort in _CREW:
                if n := here[INDEX[sort]]:
                    shifts += [(origin, sort, -n), (target, sort, n)]
        case SinkTile(hex=h):
            here = spots.get(h, NOTHING)
            shifts = [(h, sort, -here[INDEX[sort]]) for sort in SORTS if sort.piece == "tile"]
        case LoadBoat(explorers=explorers) if sunk is not None:
            for colour in COLOURS:
                n = explorers.get(colour, 0)
                shifts += [(sunk, Sort("explorer", colour), -n), (sunk, Sort("explorer", colour, aboard=True), n)]
        case MoveCreature(creature=creature, origin=origin, target=target):
            shifts = [(origin, Sort(creature), -1), (target, Sort(creature), 1)]
    return shifts


def _played(spots: Mapping[Spot, Tally], action: PlayTile) -> list[Shift]:
    """10: what the tile carries goes from one hex to the other."""
    if action.tile == "wind":
        return _shifts(spots, MoveBoat(origin=action.origin, target=action.target), None)
    sort = Sort("explorer", action.colour) if action.tile == "dolphin" else Sort(MOVED_BY_TILE[action.tile])
    return [(action.origin, sort, -1), (action.target, sort, 1)]


def spot_of(place: Place) -> Spot:
    """The spot of an explorer's place."""
    spot: Spot | None = place.hex if place.hex is not None else place.safe
    assert spot is not None, "a place is a hex or a safe land"
    return spot


def may_strike(tally: Tally) -> bool:
    """True if 8 could apply on a hex with these pieces: then the table may be tidied in several ways."""
    swimmers = any(tally[i] for i in _SWIMMERS)
    passengers = any(tally[i] for i in _PASSENGERS)
    serpent, shark, whale = (tally[i] for i in _HUNTERS)
    return bool((serpent and (swimmers or passengers)) or (shark and swimmers) or (whale and passengers))


def threatened(position: Position) -> dict[Spot, Span]:
    """What the hex of a threat may show while people are asked (9.2): without who would be lost, or the creature."""
    threat = position.threat
    if threat is None:
        return {}
    return {threat.hex: span(*_outcomes(tally_at(position.layout(), threat.hex)))}


def _outcomes(tally: Tally) -> set[Tally]:
    """What may be left of it as people answer one way or the other, and all on the way there."""
    found = {tally}
    if may_strike(tally):
        fended_off = (changed(tally, Sort(kind), -1) for kind in ("whale", "shark") if tally[INDEX[Sort(kind)]])
        for after in (*fended_off, *struck(tally)[:1]):
            found |= _outcomes(after)
    return found


def struck(tally: Tally) -> tuple[Tally, ...]:
    """What is left on a hex, step by step, as 8 is carried out there and nobody defends himself."""
    serpent, _, whale = (tally[i] for i in _HUNTERS)
    steps: list[Tally] = []
    while may_strike(tally):
        left = list(tally)
        aboard = [tally[i] for i in _PASSENGERS]
        if any(aboard) and (serpent or whale):  # 8.1, 8.3
            left[INDEX[Sort("boat")]] = 0
            for swimmer, passenger, n in zip(_SWIMMERS, _PASSENGERS, aboard, strict=True):
                left[passenger], left[swimmer] = 0, tally[swimmer] + (0 if serpent else n)
        else:  # 8.2, 8.4
            for swimmer in _SWIMMERS:
                left[swimmer] = 0
        tally = tuple(left)
        steps.append(tally)
    return tuple(steps)
