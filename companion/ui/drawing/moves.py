"""What has moved between two boards: a piece that left one hex and came to another can be seen on its way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from companion.rules.geometry import Hex
from companion.rules.layout import EMPTY, HexContent

_CREATURES = ("serpents", "sharks", "whales", "dolphins")


class Move(NamedTuple):
    """`content` went from `origin` to `target`, as it is drawn on its way."""

    origin: Hex
    target: Hex
    content: HexContent


def moved(before: Mapping[Hex, HexContent], after: Mapping[Hex, HexContent]) -> Move | None:
    """The one move that tells the boards apart; None if there is none, or more has changed than that."""
    changes: dict[Hex, tuple[Counter[str], Counter[str]]] = {}
    for h, content in after.items():
        old = before.get(h, EMPTY)
        if old is not content and old != content:
            was, is_now = _count(old), _count(content)
            if was != is_now:
                changes[h] = was - is_now, is_now - was
    if len(changes) != 2:
        return None
    (a, (lost_a, gained_a)), (b, (lost_b, gained_b)) = changes.items()
    if lost_a and lost_a == gained_b and not gained_a and not lost_b:
        return Move(a, b, _content(lost_a))
    if lost_b and lost_b == gained_a and not gained_b and not lost_a:
        return Move(b, a, _content(lost_b))
    return None


def _count(content: HexContent) -> Counter[str]:
    """All pieces of a hex; passengers are explorers like any others."""
    pieces: Counter[str] = Counter(content.explorers)
    pieces.update(content.boat or {})
    pieces.update({kind: getattr(content, kind) for kind in _CREATURES})
    pieces["boat"] = int(content.boat is not None)
    return +pieces


def _content(pieces: Counter[str]) -> HexContent:
    explorers = {name: n for name, n in pieces.items() if name not in (*_CREATURES, "boat")}
    # on its way nobody swims
    content = HexContent(boat=explorers) if pieces["boat"] else HexContent(tile="beach", explorers=explorers)
    return msgspec.structs.replace(content, **{kind: pieces[kind] for kind in _CREATURES})
