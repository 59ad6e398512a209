"""From the network's answers to ranked readings of hexes and safe lands, on a board as games leave it.

In: probabilities by question and hex, peaks of feet on the safe lands, what is hidden. Out: the evidence per hex and
land. Each question is answered by itself; here the answers are put together to contents that can be, and those of all
hexes to a board that can be: no more of anything than the box holds, tiles sunk in their order, serpents that stay.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from calibration.arrays import Floats, Floats32, Indices, Mask
from companion.rules.geometry import Board, Hex
from companion.rules.layout import COLOURS, EMPTY, TERRAINS, Counts, HexContent, Land
from companion.vision.box import BEYOND, BOX, settle
from companion.vision.camouflage import Camouflage
from companion.vision.feet import feet_on
from companion.vision.observation import HexEvidence, HexHypothesis, HiddenBy, LandEvidence, LandHypothesis
from companion.vision.questions import QUESTIONS, Answers
from companion.vision.totals import Count, weigh
from companion.vision.windows import LAND_SIDES

PASSENGERS = 3

PRINT_SEEN = 0.9995
"""Probability of bare sea where the print is seen all over a hex."""

LIKELY = 0.002
"""Answers below are not followed up."""

BEAM = 32
KEPT = 10

ODD = 0.02
"""By what boats and creatures on a tile, and tiles off the island, are less probable: they are rather an error, but
people do such things, and the table is to hear of it."""

OVERFULL = 0.5
"""By what four in a boat are less probable. Of four the network often sees three and hardly a fourth, of three no
fourth at all: whoever misses somebody has to hear of the slightest doubt."""

TOTAL_SIGMA = 0.35
"""What is either a shark or a whale is neither both nor nothing: how far the number of things of a kind is likely to
lie from the number expected."""

SHARED_DOUBT = {"free": 0.5, "crew": 0.5, "creatures": 1.0}
"""How far doubts about several slots of a question are one: whether it is a serpent, and whether it is a shark. If each
were another, what is 0.98 a shark and 0.02 a serpent would be a serpent with 0.0004. 0: each is another; 1: the answers
to each slot become as probable as it is said. At 24 unseen tables (120 pictures, 5540 hexes) some 30 hexes are read
wrongly at 0.9 and more, 71 if every doubt is another; of what is said with 0.99 to 0.999 99.7 % are right (97.9)."""

FITTED = 6
"""Rounds of fitting: then answers are within 0.01 of what is said."""

ALL_THERE = (10.0, 5.0, 1.5)
"""Of so many boards all five serpents are there for one that lacks any: while a beach is left, as no whirlpool has
sunk then, while a forest is, and after that (2.2, 6.4; of 400 games at random none, 13 % and 40 % of the positions lack
one). That is said carefully, as `IN_ORDER`: a fifth of the recognition set's layouts lack one, whatever is left, and
who forgets one is to hear of it. With 50, 10 and 4 while a beach is left, of 9583 hexes of 184 pictures with all five
224, 224 and 232 are wrong, of 4472 of 97 that lack one 142, 133 and 130."""

IN_ORDER = 5.0
"""Of so many boards no tile has sunk before its turn, forests before the last beach or mountains before the last forest
(6.1), for one on which one has. That is said carefully: of one of twenty of the recognition set's layouts it is not
true, people err, and who lays out the island lays tiles in any order. With 20 as many hexes are read rightly."""


def hex_evidence(
    board: Board,
    read: Sequence[Hex],
    answers: Answers,
    hidden: Mapping[Hex, HiddenBy],
    lands: Sequence[LandEvidence] = (),
    *,
    camouflage: Camouflage | None = None,
) -> tuple[HexEvidence, ...]:
    """The readings of all hexes, what is claimed first. `read`: those that the answers are about; the others show bare
    print.

    `lands`: what stands on the safe lands counts for what the box holds. `camouflage`: see `camouflage.Camouflage`.
    """
    island = frozenset(board.island)
    is_sure = _is_sure(answers)
    readings: dict[Hex, list[HexHypothesis]] = {}
    for i, h in enumerate(read):
        if h not in hidden:
            of_hex = {name: p[i] for name, p in answers.items()}
            at_home = h in island or not of_hex["tile"].argmax()
            ranked = _sure_reading(of_hex) if is_sure[i] and at_home else hex_readings(of_hex, island=h in island)
            readings[h] = _kept(camouflage.doubted(ranked)) if camouflage else ranked
    weighed: set[str] = set()
    if not hidden:
        weigh(readings, _serpents, _serpents_there)
        weighed.add("serpent")
    if not island & hidden.keys():
        weigh(readings, _tiles, _tiles_left)
        weighed.update(f"tile {terrain}" for terrain in TERRAINS)
    settle(readings, lands, weighed)
    return tuple(
        HexEvidence(h, hidden=hidden[h])
        if h in hidden
        else HexEvidence(h, tuple(readings.get(h) or [HexHypothesis(EMPTY, PRINT_SEEN)]))
        for h in board.hexes
    )


def _kept(ranked: Sequence[HexHypothesis]) -> list[HexHypothesis]:
    """The readings that count; what is missing to 1 is that of all others."""
    return [r for r in ranked if r.probability >= LIKELY][:KEPT]


def _is_sure(answers: Answers) -> Mask:
    """Of which hexes each question has one answer that counts."""
    asked = [(p >= LIKELY).sum(axis=2) == 1 for name, p in answers.items() if name != "hidden"]
    return np.asarray(np.concatenate(asked, axis=1).all(axis=1))


def _sure_reading(answers: Mapping[str, Floats32]) -> list[HexHypothesis]:
    """`hex_readings` where only one answer to each question counts: nothing has to be put together."""
    taken: list[int] = []
    for question in QUESTIONS:
        if question.name != "hidden":
            taken += answers[question.name].argmax(axis=1).tolist()
    return [HexHypothesis(content_of(taken), 1.0)]


def hex_readings(answers: Mapping[str, Floats32], *, island: bool) -> list[HexHypothesis]:
    """What one hex may hold, most probable first; `answers` by question, slots x values."""
    beams: list[Shared] = [(1.0, ())]
    for question in QUESTIONS:
        if question.name == "hidden":
            continue
        joint = _joint(answers[question.name].tolist(), SHARED_DOUBT.get(question.name, 0.0))
        if question.name == "tile" and not island:
            joint = [(p * ODD if values[0] else p, values) for p, values in joint]
        nobody = [(1.0, (0,) * question.count)]
        beams = heapq.nlargest(
            BEAM,
            [
                (p * q * _sense(question.name, taken, values), (*taken, *values))
                for p, taken in beams
                # without a boat there are no passengers, whatever is answered of them
                for q, values in (nobody if question.name == "crew" and not taken[_BOAT] else joint)
            ],
        )
    total = sum(p for p, _ in beams)
    return [HexHypothesis(content_of(taken), p / total) for p, taken in beams[:KEPT] if p >= LIKELY * total]


Shared = tuple[float, tuple[int, ...]]
"""A probability, and the answers that have it."""


def _joint(answers: Sequence[Sequence[float]], doubts: float) -> list[Shared]:
    """The answers to all slots of a question together, most probable first, summing to 1; `doubts`: `SHARED_DOUBT`."""
    options = [[(k, p) for k, p in enumerate(slot) if p >= LIKELY] for slot in answers]
    if all(len(slot) == 1 for slot in options):
        return [(1.0, tuple(k for ((k, _),) in options))]
    found: list[Shared] = [(1.0, ())]
    for slot in options:
        found = heapq.nlargest(BEAM, [(p * q, (*values, k)) for p, values in found for k, q in slot])
    if len(answers) > 1:
        expected = sum(k * p for slot in answers for k, p in enumerate(slot))
        found = [(p * math.exp(-0.5 * ((sum(v) - expected) / TOTAL_SIGMA) ** 2), v) for p, v in found]
        found = [
            (p ** (1 - doubts) * q**doubts, values)
            for (p, values), q in zip(found, _as_answered(found, answers), strict=True)
        ]
    total = sum(p for p, _ in found)
    return sorted(((p / total, values) for p, values in found if p >= LIKELY * total), reverse=True)


def _as_answered(together: Sequence[Shared], answers: Sequence[Sequence[float]]) -> list[float]:
    """How probable answers to all slots together are, as far from each other as they are said to be, so that those to
    each slot become as probable as it says (iterative proportional fitting: Deming and Stephan, 1940)."""
    total = sum(p for p, _ in together)
    fitted = [p / total for p, _ in together]
    slots = zip(*(values for _, values in together), strict=True)
    doubted = [(of, wanted) for of, wanted in zip(slots, answers, strict=True) if len(set(of)) > 1]
    for _ in range(FITTED if len(doubted) > 1 else 1):
        for of, wanted in doubted:
            there = [0.0] * len(wanted)
            for p, value in zip(fitted, of, strict=True):
                there[value] += p
            factors = [w / t if t else 0.0 for w, t in zip(wanted, there, strict=True)]
            fitted = [p * factors[value] for p, value in zip(fitted, of, strict=True)]
    return fitted


_BOAT = 1 + len(COLOURS)
"""Where the boat stands among the answers of a hex: tile, free explorers, boat, crew, creatures."""


def _sense(question: str, taken: tuple[int, ...], values: tuple[int, ...]) -> float:
    """How likely people do that at all, after the answers so far."""
    if question == "crew":
        return OVERFULL if sum(values) > PASSENGERS else 1.0
    ashore = taken and taken[0] and any(values) and question in ("boat", "creatures")
    return ODD if ashore else 1.0


def content_of(taken: Sequence[int]) -> HexContent:
    """What a hex holds by the answers to all questions but `hidden`, slot after slot."""
    colours = len(COLOURS)
    crew = taken[_BOAT + 1 : _BOAT + 1 + colours]
    serpents, sharks, whales = taken[_BOAT + 1 + colours :]
    return HexContent(
        tile=TERRAINS[taken[0] - 1] if taken[0] else None,
        explorers=_counts(taken[1:_BOAT]),
        boat=_counts(crew) if taken[_BOAT] else None,
        serpents=serpents,
        sharks=sharks,
        whales=whales,
    )


def _counts(values: Iterable[int]) -> Counts:
    return {c: n for c, n in zip(COLOURS, values, strict=True) if n}


def _serpents(content: HexContent) -> Count:
    return content.serpents, int(content.tile == "beach"), int(content.tile == "forest")


def _serpents_there(serpents: Indices, beaches: Indices, forests: Indices) -> Floats:
    """How probable so many are together: no serpent leaves the board before a whirlpool takes it."""
    most = BOX["serpent"]
    early, later, late = ALL_THERE
    there = np.where(beaches > 0, early, np.where(forests > 0, later, late))
    return np.where(serpents == most, there, np.where(serpents < most, 1.0, BEYOND))


def _tiles(content: HexContent) -> Count:
    return tuple(int(content.tile == terrain) for terrain in TERRAINS)


def _tiles_left(beaches: Indices, forests: Indices, mountains: Indices) -> Floats:
    """How probable so many are together: each terrain sinks when the one before has."""
    all_beaches, all_forests, all_mountains = (BOX[f"tile {terrain}"] for terrain in TERRAINS)
    beyond = (beaches > all_beaches) | (forests > all_forests) | (mountains > all_mountains)
    forests_stay = (forests == all_forests) | (beaches == 0)
    mountains_stay = (mountains == all_mountains) | ((beaches == 0) & (forests == 0))
    return np.select([beyond, forests_stay & mountains_stay], [BEYOND, IN_ORDER], 1.0)


def land_evidence(maps: Floats32, inside: Mask, hidden: Mapping[Land, HiddenBy]) -> tuple[LandEvidence, ...]:
    """The ranked readings of the safe lands, from `Look.lands`; `inside`: 4 x cells, where each land is."""
    evidence = []
    for i, land in enumerate(LAND_SIDES):
        by = hidden.get(land)
        if by not in (None, "hand"):
            evidence.append(LandEvidence(land, hidden=by))
            continue
        evidence.append(LandEvidence(land, tuple(_land_readings(feet_on(maps[i], inside[i]))), by))
    return tuple(evidence)


def _land_readings(feet: Sequence[Floats]) -> list[LandHypothesis]:
    """The counts with what is likeliest of each of the `feet_on` it, then those that differ in one of them.

    What is missing to 1 is the probability of all others.
    """
    likeliest = [int(foot.argmax()) for foot in feet]
    base = math.prod(float(foot.max()) for foot in feet)
    readings = {_people(likeliest): base}
    for i, foot in enumerate(feet):
        for other in set(range(len(foot))) - {likeliest[i]}:
            counts = _people([*likeliest[:i], other, *likeliest[i + 1 :]])
            readings[counts] = readings.get(counts, 0.0) + base * float(foot[other] / foot.max())
    ranked = sorted(readings.items(), key=lambda item: -item[1])
    return [LandHypothesis(_counts(c), p) for c, p in ranked[:KEPT] if p >= LIKELY or c == ranked[0][0]]


def _people(feet: Sequence[int]) -> tuple[int, ...]:
    """How many stand there of each of `COLOURS`, by what each foot is: 0 nobody's, or the place of a colour and one."""
    return tuple(np.bincount(feet, minlength=1 + len(COLOURS))[1:].tolist())
