"""From pieces to the contents of hexes.

In: terrain scores, pieces with the points they stand on, hidden hexes. Out: the evidence per hex and safe land: ranked
readings with probabilities, under the counts of the box.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from companion.rules.geometry import LANDS, Hex
from companion.rules.layout import COLOURS, Counts, HexContent
from companion.vision.field import Field
from companion.vision.observation import HexEvidence, HexHypothesis, HiddenBy, LandEvidence, LandHypothesis
from companion.vision.piece import Piece
from companion.vision.terrain import KINDS, Terrain

TILE_COUNTS = {"beach": 16, "forest": 16, "mountain": 8}
EXPLORERS_EACH = 10
PIECE_COUNTS = {"boat": 12, "serpent": 5, "shark": 6, "whale": 5}
PASSENGERS = 3

BOAT_HALF = (19.5, 9.5)
"""A passenger stands within this of the boat's middle, along and across (mm)."""
STANDS_SIGMA = 1.5
"""Error of the point on which a piece is found to stand, mm."""

OFF_GRID_MM = 6.0
"""Pieces this far outside all hexes are on no hex."""


def limit_tiles(terrain: Terrain) -> dict[Hex, str | None]:
    """The tiles, no more of a terrain than the box holds: the least certain ones become their next best."""
    scores = terrain.scores.copy()
    for _ in range(len(terrain.hexes)):
        best = scores.argmax(axis=1)
        over = [k for k, kind in enumerate(KINDS) if kind in TILE_COUNTS and (best == k).sum() > TILE_COUNTS[kind]]
        if not over:
            break
        rows = np.flatnonzero(best == over[0])
        second = np.partition(scores[rows], -2, axis=1)[:, -2]
        worst = rows[int(np.argmin(scores[rows, over[0]] - second))]
        scores[worst, over[0]] = -np.inf
    return {h: None if k == 0 else KINDS[k] for h, k in zip(terrain.hexes, scores.argmax(axis=1), strict=True)}


def limit_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """The clearest pieces of each kind, no more than the box holds; a creature too many is what else it may be."""
    left: dict[str, int] = {**dict.fromkeys(COLOURS, EXPLORERS_EACH), **PIECE_COUNTS}
    kept = []
    for piece in sorted(pieces, key=lambda p: (p.doubt[1] if p.doubt else 0.0, -p.clarity)):
        kind = piece.kind
        if not left[kind] and piece.doubt:
            kind = piece.doubt[0]
        if left[kind]:
            left[kind] -= 1
            kept.append(piece if kind == piece.kind else dataclasses.replace(piece, kind=kind, doubt=None))
    return kept


@dataclasses.dataclass(frozen=True)
class Claim:
    """A piece claimed for one place with a probability; `aboard`: a passenger of the boat there."""

    kind: str
    probability: float
    aboard: bool = False
    doubt: tuple[str, float] | None = None


Place = Hex | str
"""A hex or the name of a safe land."""


def place_pieces(pieces: Sequence[Piece], field: Field) -> dict[Place, list[Claim]]:
    """Where each piece stands: near a border in both hexes, with shares; passengers where their boat does."""
    claims: dict[Place, list[Claim]] = defaultdict(list)
    boats = [p for p in pieces if p.kind == "boat"]
    crews: dict[int, list[tuple[float, Piece]]] = defaultdict(list)
    ashore: list[Piece] = []
    for piece in pieces:
        if piece.kind not in COLOURS:
            continue
        aboard = [(distance, i) for i, boat in enumerate(boats) if (distance := _aboard(piece, boat)) < 1.0]
        if aboard:
            distance, i = min(aboard)
            crews[i].append((distance, piece))
        else:
            ashore.append(piece)
    for i, boat in enumerate(boats):
        crew = sorted(crews[i], key=lambda c: c[0])
        ashore += [p for _, p in crew[PASSENGERS:]]
        for place, share in _places(boat, field):
            claims[place].append(Claim("boat", share * _exists(boat)))
            if share > 0.5:
                claims[place] += [Claim(p.kind, _exists(p), aboard=True) for _, p in crew[:PASSENGERS]]
    for piece in (*ashore, *(p for p in pieces if p.kind not in COLOURS and p.kind != "boat")):
        for place, share in _places(piece, field):
            claims[place].append(Claim(piece.kind, share * _exists(piece), doubt=piece.doubt))
    return claims


def _aboard(explorer: Piece, boat: Piece) -> float:
    """Below 1 if the explorer stands within the boat."""
    offset = explorer.at - boat.at
    cos, sin = math.cos(boat.angle), math.sin(boat.angle)
    along, across = abs(cos * offset[0] + sin * offset[1]), abs(cos * offset[1] - sin * offset[0])
    return float(max(along / BOAT_HALF[0], across / BOAT_HALF[1]))


def _exists(piece: Piece) -> float:
    """Probability that a piece found with this clarity is one."""
    return 1.0 / (1.0 + math.exp(-12.0 * (piece.clarity - 0.25)))


def _places(piece: Piece, field: Field) -> list[tuple[Place, float]]:
    """The places a piece may stand on, with shares that sum to 1; none off the board."""
    near = field.nearest(piece.at)
    if not near or near[0][0] > OFF_GRID_MM:
        land = field.land(piece.at)
        return [(land, 1.0)] if land and piece.kind in COLOURS else []
    best, second = near[0], near[1] if len(near) > 1 else (math.inf, near[0][1])
    # the border lies half way between the two outlines
    margin = (second[0] - best[0]) / 2
    share = 0.5 * (1 + math.erf(margin / STANDS_SIGMA / math.sqrt(2)))
    return [(best[1], share)] if share > 0.98 else [(best[1], share), (second[1], 1 - share)]


def hex_evidence(
    terrain: Terrain, tiles: Mapping[Hex, str | None], claims: Mapping[Place, Sequence[Claim]],
    hidden: Mapping[Hex, HiddenBy], field: Field,
) -> tuple[HexEvidence, ...]:  # fmt: skip
    """The ranked readings of all hexes."""
    rows = {h: i for i, h in enumerate(terrain.hexes)}
    evidence = []
    for h in field.board.hexes:
        if h in hidden:
            evidence.append(HexEvidence(h, hidden=hidden[h]))
            continue
        ground = _tile_readings(terrain.scores[rows[h]], tiles[h]) if h in rows else [(None, 1.0)]
        readings = [
            HexHypothesis(_content(tile, standing), p * q)
            for tile, p in ground
            for standing, q in _standing(claims.get(h, ()))
        ]
        evidence.append(HexEvidence(h, tuple(_merged(readings))))
    return tuple(evidence)


def land_evidence(claims: Mapping[Place, Sequence[Claim]], hidden: Mapping[str, HiddenBy]) -> tuple[LandEvidence, ...]:
    """The ranked readings of the safe lands."""
    evidence = []
    for land in LANDS:
        if land in hidden:
            evidence.append(LandEvidence(land, hidden=hidden[land]))  # type: ignore[arg-type]
            continue
        readings = [LandHypothesis(_counts(s), p) for s, p in _standing(claims.get(land, ()))]
        evidence.append(LandEvidence(land, tuple(readings)))  # type: ignore[arg-type]
    return tuple(evidence)


def _tile_readings(scores: np.ndarray, tile: str | None) -> list[tuple[str | None, float]]:
    """The chosen tile first, then what else it may be."""
    finite = np.exp(scores - scores.max())
    share = finite / finite.sum()
    chosen = 0 if tile is None else KINDS.index(tile)
    order = [chosen, *(k for k in np.argsort(-share) if k != chosen and share[k] > 0.01)]
    return [(None if k == 0 else KINDS[k], float(share[k])) for k in order]


def _standing(claims: Sequence[Claim]) -> list[tuple[tuple[Claim, ...], float]]:
    """The likeliest set of claims first, then those that differ in one claim."""
    taken = tuple(c for c in claims if c.probability > 0.5)
    rest = [c for c in claims if c.probability <= 0.5]
    base = math.prod(c.probability for c in taken) * math.prod(1 - c.probability for c in rest)
    base *= math.prod(1 - c.doubt[1] for c in taken if c.doubt)
    readings = [(taken, base)]
    for i, c in enumerate(taken):
        odds = (1 - c.probability) / c.probability
        if odds > 0.01:
            # a boat that is none carries nobody
            without = tuple(o for j, o in enumerate(taken) if j != i and not (c.kind == "boat" and o.aboard))
            readings.append((without, base * odds))
        if c.doubt and c.doubt[1] > 0.01:
            other = dataclasses.replace(c, kind=c.doubt[0], doubt=None)
            readings.append(((*taken[:i], other, *taken[i + 1 :]), base * c.doubt[1] / (1 - c.doubt[1])))
    readings += [((*taken, c), base * c.probability / (1 - c.probability)) for c in rest if c.probability > 0.01]
    return [readings[0], *sorted(readings[1:], key=lambda r: -r[1])]


def _counts(claims: Sequence[Claim]) -> Counts:
    found = Counter(c.kind for c in claims if c.kind in COLOURS)
    return {c: found[c] for c in COLOURS if found[c]}


def _content(tile: str | None, claims: Sequence[Claim]) -> HexContent:
    """A hex holds at most one boat."""
    kinds = Counter(c.kind for c in claims)
    boat = _counts([c for c in claims if c.aboard]) if kinds["boat"] else None
    return HexContent(
        tile=tile,  # type: ignore[arg-type]
        explorers=_counts([c for c in claims if not c.aboard]),
        boat=boat,
        serpents=kinds["serpent"],
        sharks=kinds["shark"],
        whales=kinds["whale"],
    )


def _merged(readings: Sequence[HexHypothesis]) -> list[HexHypothesis]:
    """Ranked, the first one first even if the counts of the box made it so."""
    total = max(1.0, sum(r.probability for r in readings))
    ranked = [readings[0], *sorted(readings[1:], key=lambda r: -r.probability)]
    return [
        HexHypothesis(r.content, r.probability / total) for r in ranked if r is readings[0] or r.probability > 0.005
    ]
