"""Precision and recall a kind of thing, and what was taken for what.

In: truth and claims by hex, from frames without a hand. Out: counts by kind; wrong claims, most frequent first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.vision.scoring import Score, Scorer, Share
from bench.vision.sets import Frame
from companion.rules.layout import COLOURS, TERRAINS

_CREATURES = ("serpents", "sharks", "whales")
KINDS = (
    *TERRAINS,
    *(f"explorers, {c}" for c in COLOURS),
    "boats",
    *(f"passengers, {c}" for c in COLOURS),
    *_CREATURES,
)

NOTHING: tuple[Any, ...] = (None, (), None, (0, 0, 0, 0))
"""A hex of bare sea, as `score.py` writes it: tile, explorers, boat, creatures."""


_NOTES = {"hand_seen": " beside a hand", "hand_safe": " beside a hand", "hand_hidden": " under a hand"}


class Kind(NamedTuple):
    """`found` of what is there (recall), `true` of what was claimed (precision)."""

    name: str
    found: Share
    true: Share


class Confusion(NamedTuple):
    """A kind of mistake and where it was made."""

    truth: str
    claim: str
    places: list[str]


def count_kinds(scorer: Scorer, frames: Iterable[Frame], out: Path) -> list[Kind]:
    """Over all hexes of the frames without a hand; a piece in the wrong hex is one missed and one too many."""
    there: Counter[str] = Counter()
    claimed: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for frame in frames:
        if frame.hand:
            continue
        truth, _ = scorer.content(frame.truth_file)
        claims, _ = scorer.content(out / frame.session / f"{frame.name}.json")
        for place in truth.keys() | claims.keys():
            a, b = (Counter(dict(_things(hexes.get(place, NOTHING)))) for hexes in (truth, claims))
            there += a
            claimed += b
            right += a & b
    return [Kind(k, Share(right[k], there[k]), Share(right[k], claimed[k])) for k in KINDS if there[k] or claimed[k]]


def confusions(frames: Iterable[tuple[Frame, Score]]) -> list[Confusion]:
    """The wrong claims of all frames, hands too, by what differs between truth and claim."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for frame, score in frames:
        for place, truth, claim, sort in score.wrong:
            where = place if isinstance(place, str) else f"[{place[0]}, {place[1]}]"
            note = _NOTES.get(sort, "")
            places[_difference(truth, claim)].append(f"{frame.session}/{frame.name} {where}{note}")
    found = [Confusion(*pair, where) for pair, where in places.items()]
    return sorted(found, key=lambda c: (-len(c.places), c.truth, c.claim))


def _things(content: Any) -> Iterator[tuple[str, int]]:
    """Kind and count; of what `score.py` calls broken nothing."""
    tile, explorers, boat, creatures = content
    if tile in TERRAINS:
        yield tile, 1
    for colour, count in explorers:
        yield f"explorers, {colour}", count
    if boat is not None:
        yield "boats", 1
        for colour, count in boat:
            yield f"passengers, {colour}", count
    yield from zip(_CREATURES, creatures, strict=False)


def _difference(truth: Any, claim: Any) -> tuple[str, str]:
    """The parts of both that differ, in words."""
    if not isinstance(truth, dict) or not isinstance(claim, dict):
        return _words(truth), _words(claim)
    keys = [k for k in {**truth, **claim} if truth.get(k) != claim.get(k)]
    return tuple(_words({k: side[k] for k in keys if k in side} or "nothing") for side in (truth, claim))  # type: ignore[return-value]


def _words(content: Any) -> str:
    if not isinstance(content, dict):
        return str(content)
    parts = []
    for key, value in content.items():
        if isinstance(value, dict):
            crew = " ".join(f"{n} {colour}" for colour, n in value.items()) or "empty"
            parts.append(f"boat ({crew})" if key == "boat" else crew)
        elif isinstance(value, int):
            parts.append(f"{value} {key}")
        else:
            parts.append(str(value))
    return " + ".join(parts)
