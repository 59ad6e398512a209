"""Whether a calibration is good enough to play by: one grade, and the measures behind it.

In: a `Calibration`. Out: an `Assessment`. To the figures of the picture (`quality`) comes what the colours are worth:
how far apart the two paints, or paint and ground, are that are hardest to tell apart in this place's light.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from calibration.arrays import Floats, Floats32
from calibration.colours import ColourModel
from calibration.light import to_lab
from calibration.model import Calibration
from calibration.print import HEXES
from calibration.quality import GRADES, N_, Advice, Grade, Measure, judge, worst
from calibration.swatch import COLOURS, TERRAINS

SEA, BOAT = "sea", "boat"

GOOD_DISTANCE, USABLE_DISTANCE = 0.6, 0.12
"""Bhattacharyya distances between two colour models: 0 for the same colours; at 0.6 a pixel that shows one of two
equally frequent colours is told wrongly in 27 of 100 cases at most, at 0.12 in 44.

Of 37 explorers on tiles nearer to their paint than 0.6, at 185 tables, 12 were read wrongly, of 174 up to 1.2 none."""

GOOD_FROM_SEA, USABLE_FROM_SEA = 0.16, 0.12
"""A swimmer stands out from the sea by more than his colour: of 119 that were nearer to it than 0.8, down to 0.17, all
were read rightly. A blue print brings that about, and no lamp mends it."""

_PHRASES = {
    "red": N_("red paint"),
    "blue": N_("blue paint"),
    "yellow": N_("yellow paint"),
    "green": N_("green paint"),
    "beach": N_("the beach"),
    "forest": N_("the forest"),
    "mountain": N_("the mountain"),
    SEA: N_("the sea"),
}
_ALIKE = N_(
    "To the camera {one} and {other} look alike, and it may take one for the other. A brighter, whiter lamp may help."
)

_HUES = {"red": 35.0, "blue": 280.0, "yellow": 90.0, "green": 150.0}
"""Of paints of these names, degrees in Lab's a-b plane; a set's own differ by some 20 degrees."""

GOOD_NAMING, USABLE_NAMING = 25.0, 60.0
"""By so many degrees, over all paints, the likeliest naming may fit better than the given one."""

_TERRAIN_LAB = {"beach": (19.0, 5.0, 12.0), "forest": (-14.0, -12.0, 1.0), "mountain": (-5.0, 7.0, -13.0)}
_TERRAIN_SPREAD = (8.0, 6.0, 8.0)
"""Of terrains of these names, Lab less the mean of the three, and by how much a print's own differ from that."""

GOOD_TERRAINS = 4.0
"""By so many squared spreads, over all terrains, the likeliest naming may fit better than the given one. Of 362
sets of pieces at tables of all kinds 3 have more, all at one table; of 1086 such with two terrains in each other's
places 1080, and of 1077 the right two are named."""

_SWAPPED = N_(
    "In the second picture {one} and {other} seem to stand in each other's places: lay the pieces as shown "
    "and take it again."
)

_POINTS_A_HEX = 12
_SPREAD_MM = 12.0


class Assessment(msgspec.Struct, frozen=True):
    """`grade` is that of the worst measure; `alike` names the two classes whose colours are hardest to tell apart."""

    grade: Grade
    measures: tuple[Measure, ...]
    alike: tuple[str, str]

    @property
    def advice(self) -> tuple[Advice, ...]:
        """What to do, the gravest first, each thing once."""
        said: list[Advice] = []
        for measure in sorted(self.measures, key=lambda m: -GRADES.index(m.grade)):
            if measure.advice and measure.advice not in said:
                said.append(measure.advice)
        return tuple(said)


def assess(calibration: Calibration) -> Assessment:
    """Grade a calibration."""
    distances = colour_distances(calibration)
    apart = {pair: _apart(pair, distance) for pair, distance in distances.items()}
    alike = max(apart, key=lambda pair: (GRADES.index(apart[pair]), -distances[pair]))
    separation = _separation(alike, distances[alike], apart[alike])
    measures = (*judge(calibration.quality), separation, _naming(calibration), _terrain_naming(calibration))
    return Assessment(worst(m.grade for m in measures), measures, alike)


def colour_distances(calibration: Calibration) -> dict[tuple[str, str], float]:
    """Bhattacharyya distance of each paint from each other paint, terrain and the printed sea."""
    samples = {name: calibration.colour_samples(name) for name in calibration.samples if name in (*COLOURS, *TERRAINS)}
    samples[SEA] = _sea(calibration)
    return _distances(samples, [*itertools.combinations(COLOURS, 2), *itertools.product(COLOURS, (*TERRAINS, SEA))])


def wood_distances(calibration: Calibration) -> dict[str, float]:
    """Bhattacharyya distance of each paint from the boats' wood."""
    samples = {name: calibration.colour_samples(name) for name in (*COLOURS, BOAT)}
    return {paint: d for (paint, _), d in _distances(samples, [(c, BOAT) for c in COLOURS]).items()}


def _distances(samples: Mapping[str, Floats32], pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], float]:
    """Bhattacharyya distances, by the samples of all classes."""
    model = ColourModel(samples)
    density = {name: model.log_density(values) for name, values in samples.items()}
    return {(a, b): _distance(density[a], density[b], model.index[a], model.index[b]) for a, b in pairs}


def _distance(at_a: Floats32, at_b: Floats32, a: int, b: int) -> float:
    """From the log densities of all classes at samples of the classes number `a` and `b`."""
    overlap = 0.5 * (np.exp(0.5 * (at_a[:, b] - at_a[:, a])).mean() + np.exp(0.5 * (at_b[:, a] - at_b[:, b])).mean())
    return float(-np.log(np.clip(overlap, 1e-6, 1.0)))


def _naming(calibration: Calibration) -> Measure:
    """By how many degrees of hue, summed over the paints, they would fit better under other names than under their own.

    Were two colours laid in each other's places every piece would be taken for somebody else's.
    """
    lab = _median_lab(calibration, COLOURS)
    hues = np.degrees(np.arctan2(lab[:, 2], lab[:, 1])).astype(float)
    usual = np.array([_HUES[name] for name in COLOURS])
    better, advice = _likelier_names(COLOURS, abs((hues[:, None] - usual + 180) % 360 - 180))
    grade: Grade = "good" if better <= GOOD_NAMING else "usable" if better <= USABLE_NAMING else "poor"
    return Measure("paints as named", better, "degrees", grade, None if grade == "good" else advice)


def _terrain_naming(calibration: Calibration) -> Measure:
    """By how many squared spreads, summed over the terrains, their colours would fit better under other names.

    Were two terrains laid in each other's places every tile would be read as the other. As no rule says how a print
    paints them this only advises.
    """
    lab = _median_lab(calibration, TERRAINS)
    usual = np.array([_TERRAIN_LAB[name] for name in TERRAINS])
    off = (((lab - lab.mean(axis=0))[:, None] - usual) / _TERRAIN_SPREAD) ** 2
    better, advice = _likelier_names(TERRAINS, off.sum(axis=2))
    grade: Grade = "good" if better <= GOOD_TERRAINS else "usable"
    return Measure("terrains as named", better, "squared spreads", grade, None if grade == "good" else advice)


def _median_lab(calibration: Calibration, names: Sequence[str]) -> Floats32:
    """N x 3."""
    return np.stack([np.median(calibration.colour_samples(name), axis=0) for name in names])


def _likelier_names(names: Sequence[str], off: Floats) -> tuple[float, Advice]:
    """By how much all would fit better under the likeliest names; which two seem to stand in each other's places.

    `off`: by the name under which something is shown, and by each name, how far it is from what that name says.
    """
    given = tuple(range(len(names)))
    likeliest = min(itertools.permutations(given), key=lambda order: off[given, order].sum())
    one = max(given, key=lambda shown: off[shown, shown] - off[shown, likeliest[shown]])
    better = float(off[given, given].sum() - off[given, likeliest].sum())
    return better, Advice(_SWAPPED, {"one": _PHRASES[names[one]], "other": _PHRASES[names[likeliest[one]]]})


def _sea(calibration: Calibration) -> Floats32:
    """N x 3: Lab colours of the print in the hexes."""
    rng = np.random.default_rng(0)
    centres = np.array([calibration.board.centre(h) for h in HEXES])
    spread = rng.uniform(-_SPREAD_MM, _SPREAD_MM, (len(centres), _POINTS_A_HEX, 2))
    at = np.round(calibration.view.pixels((centres[:, None] + spread).reshape(-1, 2))).astype(int)
    return np.asarray(to_lab(calibration.reference_light())[at[:, 1], at[:, 0]], np.float32)


def _apart(pair: tuple[str, str], distance: float) -> Grade:
    good, usable = (GOOD_FROM_SEA, USABLE_FROM_SEA) if SEA in pair else (GOOD_DISTANCE, USABLE_DISTANCE)
    return "good" if distance >= good else "usable" if distance >= usable else "poor"


def _separation(alike: tuple[str, str], distance: float, grade: Grade) -> Measure:
    advice = None if grade == "good" else Advice(_ALIKE, {"one": _PHRASES[alike[0]], "other": _PHRASES[alike[1]]})
    return Measure("colours apart", distance, "", grade, advice)
