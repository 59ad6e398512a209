"""From the network's answers to ranked readings of hexes and safe lands, together within the counts of the box.

In: a `Reading`. Out: for each hex its possible contents with probabilities, the first of them the one that is claimed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import cv2
import msgspec
import numpy as np

from companion.rules.geometry import LANDS, Hex, Land
from companion.rules.layout import Counts, HexContent
from companion.vision.field import Field
from companion.vision.network import CELL, COLOURS, CREATURES, MAPS, TILES, Floats32, Reading
from companion.vision.observation import HexEvidence, HexHypothesis, HiddenBy, LandEvidence, LandHypothesis

BOX: Mapping[str, int] = {
    "beach": 16,
    "forest": 16,
    "mountain": 8,
    **dict.fromkeys(COLOURS, 10),
    "boat": 12,
    "serpent": 5,
    "shark": 6,
    "whale": 5,
}
"""How many of each the box holds."""

SEATS = 3

UNLIKELY = math.log(0.002)
"""Answers less probable than this are not followed."""

BEAM = 12
"""Readings kept of a hex."""

SPOT = 0.3
"""Height of the map from which a spot is a piece."""

FAINT = 0.05
"""From this height it may be one."""

Scored = tuple[float, HexContent]
"""Log probability and content."""


def read_hexes(
    reading: Reading, hidden: Mapping[Hex, HiddenBy], field: Field, lands: Counts
) -> tuple[HexEvidence, ...]:
    """The evidence of all hexes; `lands`: explorers by colour that are seen on the safe lands."""
    board = field.board
    island = set(board.island)
    readings = {
        h: _readings({name: part[i] for name, part in reading.answers.items()}, h in island)
        for i, h in enumerate(board.hexes)
        if h not in hidden
    }
    _keep_to_the_box(readings, lands)
    return tuple(
        HexEvidence(h, hidden=hidden[h]) if h in hidden else HexEvidence(h, _hypotheses(readings[h]))
        for h in board.hexes
    )


def _readings(answers: Mapping[str, Floats32], island: bool) -> list[Scored]:
    """The likeliest contents of one hex, best first."""
    found: list[Scored] = [(0.0, HexContent())]
    if island:
        found = [(p, HexContent(tile=None if k == 0 else TILES[k])) for k, p in _likely(answers["tile"][0])]  # type: ignore[arg-type]
    for colour, row in zip(COLOURS, answers["free"], strict=True):
        found = _cross(found, row, lambda c, n, colour=colour: _with(c, "explorers", {**c.explorers, colour: n}))
    for kind, row in zip(CREATURES, answers["creatures"], strict=True):
        found = _cross(found, row, lambda c, n, kind=kind: None if c.tile else _with(c, f"{kind}s", n))
    found = _cross(found, answers["boat"][0], lambda c, _: None if c.tile else _with(c, "boat", {}))
    for colour, row in zip(COLOURS, answers["crew"], strict=True):
        found = _cross(found, row, lambda c, n, colour=colour: _board(c, colour, n), lambda c: c.boat is not None)
    return found


def _likely(row: Floats32) -> list[tuple[int, float]]:
    """The answers worth following with their log probabilities."""
    return [(k, float(p)) for k, p in enumerate(row) if p > UNLIKELY]


def _cross(
    found: Sequence[Scored],
    row: Floats32,
    add: Callable[[HexContent, int], HexContent | None],
    asked: Callable[[HexContent], bool] | None = None,
) -> list[Scored]:
    """Every reading with every likely count of one more thing; those that cannot be are dropped."""
    likely = _likely(row)
    if len(likely) == 1 and likely[0][0] == 0:
        return list(found)
    grown: list[Scored] = []
    for p, content in found:
        if asked is not None and not asked(content):
            grown.append((p, content))
            continue
        for n, q in likely:
            more = add(content, n) if n else content
            if more is not None:
                grown.append((p + q, more))
    return sorted(grown, key=lambda s: -s[0])[:BEAM]


def _with(content: HexContent, field: str, value: object) -> HexContent:
    return msgspec.structs.replace(content, **{field: value})


def _board(content: HexContent, colour: str, count: int) -> HexContent | None:
    crew = {**(content.boat or {}), colour: count}
    return _with(content, "boat", crew) if sum(crew.values()) <= SEATS else None


def _hypotheses(readings: Sequence[Scored]) -> tuple[HexHypothesis, ...]:
    """As probabilities that sum to 1 or less."""
    total = max(1.0, sum(math.exp(p) for p, _ in readings))
    return tuple(HexHypothesis(c, math.exp(p) / total) for i, (p, c) in enumerate(readings) if i == 0 or p > UNLIKELY)


def box_counts(content: HexContent) -> Counter[str]:
    """What of the box's contents a hex holds."""
    held = Counter(content.explorers)
    if content.tile:
        held[content.tile] += 1
    if content.boat is not None:
        held["boat"] += 1
        held.update(content.boat)
    for kind, count in zip(CREATURES, (content.serpents, content.sharks, content.whales), strict=True):
        held[kind] += count
    return held


def _keep_to_the_box(readings: dict[Hex, list[Scored]], lands: Counts) -> None:
    """Where more is claimed than the box holds, the least certain hexes take their next best reading."""
    held = Counter(lands)
    for ranked in readings.values():
        held.update(box_counts(ranked[0][1]))
    while over := [what for what, most in BOX.items() if held[what] > most]:
        what = over[0]
        best: tuple[float, Hex, int] | None = None
        for h, ranked in readings.items():
            now = box_counts(ranked[0][1])
            if not now[what]:
                continue
            for i, (p, content) in enumerate(ranked[1:], start=1):
                then = box_counts(content)
                fits = all(held[k] - now[k] + n <= max(BOX[k], held[k]) for k, n in then.items())
                if then[what] < now[what] and fits:
                    loss = (ranked[0][0] - p) / (now[what] - then[what])
                    best = min(best or (math.inf, h, i), (loss, h, i))
                    break
        if best is None:
            return
        _, h, i = best
        ranked = readings[h]
        held.subtract(box_counts(ranked[0][1]))
        readings[h] = [ranked[i], *ranked[:i], *ranked[i + 1 :]]
        held.update(box_counts(readings[h][0][1]))


def read_lands(reading: Reading, hidden: Mapping[str, HiddenBy], field: Field) -> tuple[LandEvidence, ...]:
    """The explorers on the safe lands, from the spots in the maps that lie on no hex."""
    spots: dict[Land, list[tuple[str, float]]] = {land: [] for land in LANDS}
    for colour in COLOURS:
        plane = reading.maps[MAPS.index(colour)]
        peak = (plane == cv2.dilate(plane, np.ones((3, 3), np.uint8))) & (plane > FAINT)
        for row, column in np.argwhere(peak):
            at = field.view.mm(np.array([column, row]) * float(CELL))
            near = field.nearest(at)
            if (not near or near[0][0] > 0) and (land := field.safe_land(at)):
                spots[land].append((colour, float(plane[row, column])))
    return tuple(
        LandEvidence(land, hidden=hidden[land]) if land in hidden else LandEvidence(land, _land_readings(spots[land]))
        for land in LANDS
    )


def _land_readings(spots: Sequence[tuple[str, float]]) -> tuple[LandHypothesis, ...]:
    """All clear spots first, then with one spot more or less."""
    chance = [min(0.99, height / (height + SPOT)) if height > SPOT else 0.5 * height / SPOT for _, height in spots]
    taken = [p > 0.5 for p in chance]
    base = math.prod(p if t else 1 - p for p, t in zip(chance, taken, strict=True))

    def counts(marks: Sequence[bool]) -> Counts:
        found = Counter(colour for (colour, _), mark in zip(spots, marks, strict=True) if mark)
        return {c: found[c] for c in COLOURS if found[c]}

    readings = [LandHypothesis(counts(taken), base)]
    for i, p in enumerate(chance):
        odds = (1 - p) / p if taken[i] else p / (1 - p)
        if odds > 0.02:
            other = [t != (k == i) for k, t in enumerate(taken)]
            readings.append(LandHypothesis(counts(other), base * odds))
    return (readings[0], *sorted(readings[1:], key=lambda r: -r.probability))
