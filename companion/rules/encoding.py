"""Positions, views, actions and events as JSON objects of the referee protocol, and actions back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.rules import actions as a
from companion.rules.errors import BadAction
from companion.rules.events import Event
from companion.rules.layout import COLOURS, encode_layout
from companion.rules.position import Position
from companion.rules.secrets import PlayerView, view
from companion.rules.squares import SQUARE

Json = dict[str, Any]


def encode_position(position: Position) -> Json:
    """The whole position, secrets included; `decode_position` is its inverse."""
    out = _encode(view(position, None))
    return {
        **out,
        "hands": [list(hand) for hand in position.hands],
        "backs": {terrain: dict(left) for terrain, left in position.backs.items()},
    }


def encode_view(seen: PlayerView) -> Json:
    """The position as a viewer may see it."""
    return _encode(seen)


def _encode(seen: PlayerView) -> Json:
    return {
        "edition": seen.edition,
        "options": plain(seen.options),
        "players": plain(seen.players),
        "layout": encode_layout(seen.layout),
        "active": seen.active,
        "phase": seen.phase,
        "moves_left": seen.moves_left,
        "swum": plain(seen.swum),
        "die": plain(seen.die),
        "hands": [{"count": hand.count} if hand.tiles is None else list(hand.tiles) for hand in seen.hands],
        "supply": plain(seen.supply),
        "unplaced": plain(seen.unplaced),
        "threat": _encode_threat(seen),
        "sunk": plain(seen.sunk),
        "scores": dict(seen.scores),
        "winners": plain(seen.winners),
        **({"carried": plain(seen.carried)} if seen.options.dive_dice else {}),
    }


def _encode_threat(seen: PlayerView) -> Json | None:
    """With `protected` and `moved` only where the protocol has them (13.4)."""
    if seen.threat is None:
        return None
    out: Json = plain(seen.threat)
    if seen.phase != "protect":
        del out["moved"]
    if not seen.options.dive_dice:
        del out["protected"]
    return out


def plain(data: object) -> Any:
    """Structs as dicts and tuples as lists, all the way down: what JSON gives back."""
    return msgspec.json.decode(msgspec.json.encode(data))


def encode_action(action: a.Action) -> Json:
    """The action with all it carries; see `public_action` for what others may know of it."""
    out: Json = plain(action)
    return out


def encode_event(event: Event) -> Json:
    """An event; it holds no secret."""
    out: Json = plain(event)
    return out


def decode_action(data: object) -> a.Action:
    """Read an action of the protocol. Raises BadAction if it is malformed; whether it is legal is another matter."""
    try:
        action: a.Action = msgspec.convert(data, a.Action)
    except (msgspec.ValidationError, UnicodeError) as error:
        raise BadAction(f"action: {error}") from None
    for field in ("hex", "origin", "target"):
        _check_where(getattr(action, field, None), field)
    match action:
        case a.PlayTile(tile="dolphin", colour=None):
            raise BadAction("play_tile: the dolphin needs the `colour` of the swimmer")
        case a.PlayTile(tile=tile, colour=colour) if colour is not None and tile != "dolphin":
            raise BadAction("play_tile: `colour` goes with the dolphin only")
        case a.LoadBoat(explorers=explorers):
            return a.LoadBoat(explorers=_counts(explorers))
        case a.Protect(explorers=explorers):
            return a.Protect(explorers=_counts(explorers))
    return action


_WORDS: Mapping[str, str] = {"origin": "from", "target": "to"}


def _check_where(where: object, field: str) -> None:
    name = _WORDS.get(field, field)
    if isinstance(where, a.Place):
        on_hex, on_land = where.hex is not None and where.on is not None, where.safe is not None
        if on_hex == on_land or (on_land and (where.hex is not None or where.on is not None)):
            raise BadAction(f'{name}: a place is {{"hex": [q, r], "on": "tile", "sea" or "boat"}} or {{"safe": "nw"}}')
        where = where.hex
    if where is not None and where not in SQUARE:
        raise BadAction(f"{name}: {where} is not a hex of the board")


def _counts(explorers: Mapping[str, int]) -> dict[str, int]:
    for colour, count in explorers.items():
        if colour not in COLOURS or count < 0:
            raise BadAction(f"explorers.{colour}: must map colours ({', '.join(COLOURS)}) to counts")
    return {colour: explorers[colour] for colour in COLOURS if explorers.get(colour)}
