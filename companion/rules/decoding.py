"""Positions from JSON objects of the referee protocol: read, checked and built.

Three steps: the wire type says which fields there are and of what kind; `validation` says whether such a position can
be; then the pieces are sorted into the fields of `Position`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from companion.rules.actions import Back, Creature, DiveRoll, Face
from companion.rules.errors import BadPosition, BadSetup
from companion.rules.layout import COLOURS, TERRAINS, Colour, Counts, Land, Layout, LayoutError, Terrain, decode_layout
from companion.rules.options import Options, Player, Setup, make_setup
from companion.rules.pieces import BOAT_CAPACITY, Load
from companion.rules.position import Carried, Phase, Position, Sunk, Supply, Swum, Threat, Unplaced
from companion.rules.squares import BOARD, SQUARE, mask_of
from companion.rules.validation import check_fields, check_layout, check_position


class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The position's fields as the protocol has them; `layout` is read on its own."""

    edition: str
    options: Options
    players: tuple[Player, ...]
    layout: Any
    active: int
    phase: Phase
    moves_left: int
    swum: tuple[Swum, ...]
    die: Face | DiveRoll | None
    hands: tuple[tuple[Back, ...], ...]
    backs: dict[Terrain, dict[Back, int]]
    supply: Supply
    unplaced: Unplaced
    threat: Threat | None
    sunk: Sunk | None
    scores: dict[Colour, int]
    winners: tuple[int, ...] | None
    carried: tuple[Carried, ...] = ()


def decode_position(data: object) -> Position:
    """The position of a JSON object. Raises BadPosition, naming the field, if it is malformed or cannot be."""
    if not isinstance(data, Mapping):
        raise BadPosition("position", "not an object")
    setup = _setup(data)
    try:
        wire = msgspec.convert(data, Wire)
    except (msgspec.ValidationError, UnicodeError) as error:
        raise _bad_field(error) from None
    try:
        layout = decode_layout(wire.layout, BOARD)
    except LayoutError as error:
        raise BadPosition("layout", str(error)) from None
    check_layout(layout, setup)
    check_fields(wire, layout, setup)
    position = _build(wire, layout, setup)
    check_position(position)
    return position


def _setup(data: Mapping[str, Any]) -> Setup:
    """Edition, options and players first: the other fields depend on them."""
    read: dict[str, Any] = {}
    for field, kind in (("edition", str), ("options", Options), ("players", tuple[Player, ...])):
        if field not in data:
            raise BadPosition(field, "is missing")
        try:
            read[field] = msgspec.convert(data[field], kind)
        except (msgspec.ValidationError, UnicodeError) as error:
            raise BadPosition(field, str(error)) from None
    try:
        return make_setup(read["edition"], read["options"], read["players"])
    except BadSetup as error:
        field, _, reason = str(error).partition(": ")
        raise BadPosition(field, reason) from None


def _bad_field(error: msgspec.ValidationError | UnicodeError) -> BadPosition:
    """The text of the library ends with the path, `at `$.threat.hex``; a missing field is named in the text."""
    reason, _, path = str(error).partition(" - at `$")
    return BadPosition(path.rstrip("`").lstrip(".") or "position", reason)


def _build(wire: Wire, layout: Layout, setup: Setup) -> Position:
    tiles = dict.fromkeys(TERRAINS, 0)
    dry: dict[Colour, dict[int, int]] = {colour: {} for colour in setup.owner}
    swimmers: dict[int, Load] = {}
    boats: dict[int, Load] = {}
    where: dict[Creature, list[int]] = {"serpent": [], "shark": [], "whale": [], "dolphin": []}
    for h, content in layout.hexes.items():
        s = SQUARE[h]
        if content.tile:
            tiles[content.tile] |= mask_of([s])
            for colour, count in content.explorers.items():
                dry[cast(Colour, colour)][s] = count
        elif content.explorers:
            swimmers[s] = _load(content.explorers)
        if content.boat is not None:
            boats[s] = _load(content.boat)
        for kind, there in where.items():
            there.extend([s] * getattr(content, f"{kind}s"))
    safe: dict[Colour, dict[Land, int]] = {colour: {} for colour in setup.owner}
    for land, counts in layout.safe.items():
        for colour, count in counts.items():
            safe[cast(Colour, colour)][cast(Land, land)] = count
    return Position(
        setup=setup,
        phase=wire.phase,
        active=wire.active,
        moves_left=wire.moves_left,
        die=wire.die,
        hands=tuple(tuple(sorted(hand)) for hand in wire.hands),
        backs={terrain: {back: n for back, n in wire.backs.get(terrain, {}).items() if n} for terrain in TERRAINS},
        supply=wire.supply,
        unplaced=Unplaced(
            explorers={colour: wire.unplaced.explorers.get(colour, 0) for colour in setup.owner},
            boats=wire.unplaced.boats,
        ),
        threat=wire.threat,
        sunk=wire.sunk if wire.phase in ("reveal", "load_boat") else None,
        scores=wire.scores,
        winners=wire.winners,
        swum_at={(swum.on, SQUARE[swum.hex], swum.colour): swum.count for swum in wire.swum},
        carried_at={SQUARE[carried.hex]: carried.count for carried in wire.carried},
        land=tiles["beach"] | tiles["forest"] | tiles["mountain"],
        tiles=tiles,
        dry=dry,
        swimmers=swimmers,
        boats=boats,
        safe=safe,
        creatures={kind: tuple(sorted(squares)) for kind, squares in where.items()},
        lairs={kind: mask_of(squares) for kind, squares in where.items()},
        swim_mask=mask_of([*swimmers]),
        boat_mask=mask_of([*boats]),
        laden_mask=mask_of([s for s, load in boats.items() if load]),
        room_mask=mask_of([s for s, load in boats.items() if len(load) < BOAT_CAPACITY]),
    )


def _load(counts: Counts) -> Load:
    return tuple(sorted(colour for colour in COLOURS for _ in range(counts.get(colour, 0))))
