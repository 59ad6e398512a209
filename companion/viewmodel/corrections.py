"""What people can change about a hex or a safe land that the camera has misread, a button for each thing.

In: what stands there now, what the camera read, which colours are played. Out: `Correction`s, each a button that says
what is there now and what stands there after a press on it. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from companion.i18n import N_, _, ngettext
from companion.rules.layout import COLOURS, TERRAINS, Colour, Counts, HexContent, Terrain
from companion.rules.pieces import BOAT_CAPACITY, EXPLORERS_PER_COLOUR
from companion.viewmodel.states import Button
from companion.viewmodel.words import colour_name

_TILES: Mapping[Terrain | None, str] = {
    "beach": N_("Tile: beach"),
    "forest": N_("Tile: forest"),
    "mountain": N_("Tile: mountain"),
    None: N_("Tile: none"),
}
_CREATURES: Mapping[str, str] = {
    "serpent": N_("Sea serpents: {n}"),
    "shark": N_("Sharks: {n}"),
    "whale": N_("Whales: {n}"),
    "dolphin": N_("Dolphins: {n}"),
}
_MOST_EXPLORERS = 4
_MOST_CREATURES = 2
"""After so many comes none again, unless the camera read more: what is that crowded is not worth the presses."""


class Correction(NamedTuple):
    """A button, and what stands on the hex after a press on it."""

    button: Button
    then: HexContent


class SafeCorrection(NamedTuple):
    """A button, and who is on the safe land after a press on it."""

    button: Button
    then: Counts


def hex_corrections(
    content: HexContent, seen: HexContent, colours: Iterable[Colour], *, island: bool, dolphins: bool
) -> tuple[Correction, ...]:
    """What can be changed about a hex that holds `content` and was read as `seen`.

    `island`: a tile can lie there (2.2). `dolphins`: they are in the game (13.1). On a tile stand explorers alone.
    """
    found: list[Correction] = []
    if island or content.tile:
        found.append(_tile(content))
    shown = _shown(colours, seen.explorers, seen.boat or {})
    found += _explorers(content, seen, shown)
    if content.tile is None:
        found.append(_boat(content))
        found += _passengers(content, shown)
        kinds = [kind for kind in _CREATURES if kind != "dolphin" or dolphins or seen.dolphins]
        found += (_creature(content, seen, kind) for kind in kinds)
    return tuple(found)


def safe_corrections(counts: Counts, seen: Counts, colours: Iterable[Colour]) -> tuple[SafeCorrection, ...]:
    """The same for a safe land."""
    return tuple(
        SafeCorrection(
            Button(id=f"explorers:{colour}", text=_figure(_("{colour}: {n}"), colour, counts), mark=colour),
            _counts(counts, colour, _next(counts.get(colour, 0), EXPLORERS_PER_COLOUR)),
        )
        for colour in _shown(colours, seen)
    )


def _shown(colours: Iterable[Colour], *seen: Counts) -> tuple[Colour, ...]:
    """The colours that are played, and those that the camera has taken something for."""
    played = set(colours)
    return tuple(colour for colour in COLOURS if colour in played or any(counts.get(colour) for counts in seen))


def _tile(content: HexContent) -> Correction:
    ring: tuple[Terrain | None, ...] = (None, *TERRAINS, None)
    tile = dict(pairwise(ring))[content.tile]
    then = HexContent(tile=tile, explorers=content.explorers) if tile else replace(content, tile=None)
    return Correction(Button(id="tile", text=_(_TILES[content.tile])), then)


def _explorers(content: HexContent, seen: HexContent, colours: Iterable[Colour]) -> Iterator[Correction]:
    text = _("{colour}: {n}") if content.tile else _("{colour}, swimming: {n}")
    for colour in colours:
        most = max(_MOST_EXPLORERS, seen.explorers.get(colour, 0))
        then = _counts(content.explorers, colour, _next(content.explorers.get(colour, 0), most))
        button = Button(id=f"explorers:{colour}", text=_figure(text, colour, content.explorers), mark=colour)
        yield Correction(button, replace(content, explorers=then))


def _boat(content: HexContent) -> Correction:
    if content.boat is None:
        return Correction(Button(id="boat", text=_("Boat: none"), icon="boat"), replace(content, boat={}))
    aboard = sum(content.boat.values())
    text = ngettext("Boat: {n} aboard", "Boat: {n} aboard", aboard).format(n=aboard) if aboard else _("Boat: empty")
    return Correction(Button(id="boat", text=text, icon="boat"), replace(content, boat=None))


def _passengers(content: HexContent, colours: Iterable[Colour]) -> Iterator[Correction]:
    if content.boat is None:
        return
    for colour in colours:
        now = content.boat.get(colour, 0)
        others = sum(content.boat.values()) - now
        boat = _counts(content.boat, colour, _next(now, BOAT_CAPACITY - others))
        text = _figure(_("{colour}, in the boat: {n}"), colour, content.boat)
        yield Correction(Button(id=f"passengers:{colour}", text=text, mark=colour), replace(content, boat=boat))


def _creature(content: HexContent, seen: HexContent, kind: str) -> Correction:
    field = f"{kind}s"
    now: int = getattr(content, field)
    most = max(_MOST_CREATURES, getattr(seen, field))
    button = Button(id=field, text=_(_CREATURES[kind]).format(n=now), icon=kind)
    return Correction(button, replace(content, **{field: _next(now, most)}))


def _figure(text: str, colour: Colour, counts: Counts) -> str:
    return text.format(colour=colour_name(colour), n=counts.get(colour, 0))


def _next(count: int, most: int) -> int:
    """One more; after the most, none."""
    return count + 1 if count < most else 0


def _counts(counts: Counts, colour: Colour, count: int) -> Counts:
    """The counts with that one changed, as a layout writes them: in order, without zeros."""
    changed = {**counts, colour: count}
    return {c: changed[c] for c in COLOURS if changed.get(c)}
