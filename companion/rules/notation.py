"""One readable line for an action, in hex labels, for logs and lists of moves. It reveals no secret."""

from __future__ import annotations

from companion.rules import actions as a
from companion.rules.geometry import Hex
from companion.rules.layout import Counts
from companion.rules.position import Position
from companion.rules.secrets import is_secret, to_act
from companion.rules.sinking import terrain_at
from companion.rules.squares import LABEL, SQUARE


def notation(position: Position, action: a.Action) -> str:
    """`Ann: red E7-E8`: who does what, in the position before the action."""
    player = position.setup.owner.get(action.colour, position.active) if isinstance(action, a.Score) else None
    name = position.players[to_act(position) if player is None else player].name
    return f"{name}: {_what(position, action)}"


def _what(p: Position, action: a.Action) -> str:  # noqa: PLR0911, PLR0912 - one case an action
    match action:
        case a.PlaceExplorer(colour=colour, hex=h):
            return f"{colour} on {_label(h)}"
        case a.PlaceBoat(hex=h):
            return f"boat on {_label(h)}"
        case a.PlayTile(tile=tile, colour=colour, origin=origin, target=target):
            return f"plays {tile}, {colour + ' ' if colour else ''}{_label(origin)}-{_label(target)}"
        case a.MoveExplorer(colour=colour, origin=place, target=to, dolphin=dolphin):
            return f"{colour} {_place(place)}-{_place(to)}{' with a dolphin' if dolphin else ''}"
        case a.MoveBoat(origin=origin, target=target):
            return f"boat {_label(origin)}-{_label(target)}"
        case a.SinkTile(hex=h, back=back):
            terrain = terrain_at(p, SQUARE[h])
            return f"sinks {terrain} {_label(h)}" + ("" if back is None else f", {_back(p, back)}")
        case a.Reveal(back=back):
            return f"turns over: {_back(p, back)}"
        case a.LoadBoat(explorers=explorers):
            return f"loads {_counts(explorers)}"
        case a.Protect(explorers=explorers):
            return f"protects {_counts(explorers) or 'none'}"
        case a.Roll(face=face):
            if isinstance(face, a.DiveRoll):
                return f"rolls {face.creature} {face.hexes}"
            return f"rolls {face}" if face else "rolls"
        case a.MoveCreature(creature=creature, origin=origin, target=target):
            return f"{creature} {_label(origin)}-{_label(target)}"
        case a.Defend():
            return f"defends against the {p.threat.creature if p.threat else 'creature'}"
        case a.Decline():
            return "declines"
        case a.EndPhase():
            return f"ends {p.phase}"
        case a.Score(colour=colour, values=values):
            return f"{colour} scores {'+'.join(map(str, values)) or '0'}"


def _counts(explorers: Counts) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in explorers.items())


def _label(h: Hex) -> str:
    return LABEL[SQUARE[h]]


def _place(place: a.Place) -> str:
    if place.hex is None:
        return f"safe {place.safe}"
    return _label(place.hex) + ("" if place.on == "tile" else f" {place.on}")


def _back(p: Position, back: a.Back) -> str:
    return "kept" if is_secret(p, back) else back
