"""What would happen to whom on a hex (8), in words: for the pink rings on the board and the red lines in the panel.

In: the layout, who plays which colour, what arrives and where. Out: a sentence, or None where nothing would.
A warning only: the rules decide what happens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.i18n import N_, _, ngettext
from companion.rules.actions import Creature
from companion.rules.geometry import Hex
from companion.rules.layout import HexContent, Layout
from companion.rules.options import Player
from companion.viewmodel.words import label, names

_THERE: Mapping[str, str] = {
    "serpents": N_("{hex}: a sea serpent is there"),
    "sharks": N_("{hex}: a shark is there"),
    "whales": N_("{hex}: a whale is there"),
}
_HUNTERS: Mapping[str, tuple[str, ...]] = {"swimmer": ("serpents", "sharks"), "boat": ("serpents", "whales")}
"""8: which creatures strike a swimmer or a boat with passengers that comes to them, the worst first."""


def for_swimmer(layout: Layout, h: Hex) -> str | None:
    """What waits for an explorer that enters the hex swimming (4.6); with a dolphin for everybody, nothing (13.4)."""
    content = layout.at(h)
    if content.dolphins > sum(content.explorers.values()):
        return None
    return _waiting(content, h, "swimmer")


def for_boat(layout: Layout, h: Hex) -> str | None:
    """What waits for a boat with passengers that comes to the hex, or for who boards an empty one there (5.4)."""
    return _waiting(layout.at(h), h, "boat")


def _waiting(content: HexContent, h: Hex, kind: str) -> str | None:
    for hunter in _HUNTERS[kind]:
        if getattr(content, hunter):
            return _(_THERE[hunter]).format(hex=label(h))
    return None


def of_creature(layout: Layout, kind: Creature, h: Hex, players: Sequence[Player]) -> str | None:
    """Whom a creature would meet on the hex (7.3, 8): `I9: Bo and Olena swim there.`."""
    content = layout.at(h)
    exposed = content.tile is None and sum(content.explorers.values()) > content.dolphins  # 13.4
    swimmers = _owners(content.explorers, players) if exposed else []
    sailors = _owners(content.boat or {}, players)
    if kind in ("serpent", "shark") and swimmers:
        text = ngettext("{hex}: {names} swims there.", "{hex}: {names} swim there.", len(swimmers))
        return text.format(hex=label(h), names=names(swimmers))
    if kind in ("serpent", "whale") and sailors:
        text = ngettext("{hex}: {names} is in the boat there.", "{hex}: {names} are in the boat there.", len(sailors))
        return text.format(hex=label(h), names=names(sailors))
    return None


def _owners(counts: Mapping[str, int], players: Sequence[Player]) -> list[Player]:
    return [player for player in players if any(counts.get(colour) for colour in player.colours)]
