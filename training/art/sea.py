"""The designs of the sea: each paints the whole sheet; lands, lines and emblems come over it.

In: `Water`. Out: nothing; the sheet is painted. Colours are drawn from spans that a printed sea may have.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from hardware.simulated.arrays import Floats, Points
from hardware.simulated.texture import Bgr
from training.art.canvas import circle, scattered, turned
from training.art.colour import between, even, mixed, over, ramp, scaled, shaded
from training.art.water import Water

_WHITE: Bgr = (250, 248, 244)


def painterly(w: Water) -> None:
    """Deep blue oil paint: swirls, brush strokes, bright water and curls of foam at the shores."""
    rng = w.rng
    hue = rng.uniform(205, 232)
    sea = between(rng, (hue - 6, hue + 6), (0.75, 0.98), (0.45, 0.8))
    deep = between(rng, (hue, hue + 12), (0.75, 0.95), (0.18, 0.4))
    shallow = between(rng, (188, 206), (0.7, 0.95), (0.7, 0.92))
    cell = rng.uniform(50, 130)
    body = 0.5 * w.warped(cell, rng.uniform(20, 60)) + 0.5 * w.noise(260, 2)
    near = 1 - w.depth(rng.uniform(25, 70))
    w.wash(
        np.asarray(1.4 * near + 1 - body, np.float32),
        [(0.1, deep), (0.9, sea), (1.5, mixed(sea, shallow, 0.7)), (2, shallow)],
    )
    length, width, alpha = rng.uniform(18, 60), rng.uniform(1.2, 4), rng.uniform(0.25, 0.55)
    w.brushed(5, int(rng.integers(60, 160)), length_mm=length, width_mm=width, tone=0.22, alpha=alpha)
    curls = w.anywhere(70)
    curls = curls[np.abs(w.at(w.off, curls) - 20) < 30]
    w.canvas.strokes(w.currents(curls, 3.0, 16, 2.0, 28), mixed(shallow, _WHITE, 0.4), 0.5, rng.uniform(0.25, 0.7))


def flat_waves(w: Water) -> None:
    """Flat turquoise with small white wave signs and lines along the shores."""
    rng = w.rng
    hue = rng.uniform(174, 208)
    sea = between(rng, (hue, hue), (0.45, 0.95), (0.55, 0.92))
    far = between(rng, (hue, hue + 14), (0.5, 0.95), (0.4, 0.8))
    w.wash(w.depth(rng.uniform(60, 260)), even([mixed(sea, _WHITE, rng.uniform(0, 0.3)), sea, far]))
    ink = mixed(sea, _WHITE, rng.uniform(0.5, 1)) if rng.random() < 0.75 else scaled(far, 0.6)
    alpha = rng.uniform(0.4, 1)
    w.foam(ink, int(rng.integers(1, 5)), alpha, rng.uniform(0.4, 1.3))
    places = scattered(rng, w.canvas.size, rng.uniform(14, 40), 0.9)
    places = places[w.at(w.off, places) > 8]
    long = rng.uniform(4, 10)
    sign = _WAVE_SIGNS[int(rng.integers(len(_WAVE_SIGNS)))] * (long, long * rng.uniform(0.5, 1))
    w.canvas.strokes([p + sign * rng.uniform(0.8, 1.2) for p in places], ink, rng.uniform(0.35, 0.9), alpha)


def navy(w: Water) -> None:
    """Almost black blue, lighter towards the lands, with thin depth lines or sparks of light."""
    rng = w.rng
    hue = rng.uniform(206, 230)
    deep = between(rng, (hue, hue), (0.5, 0.9), (0.1, 0.24))
    sea = between(rng, (hue - 10, hue), (0.55, 0.9), (0.2, 0.42))
    lit = between(rng, (hue - 25, hue - 10), (0.4, 0.8), (0.4, 0.65))
    mist = w.noise(rng.uniform(80, 260), 3)
    w.wash(np.asarray(0.7 * w.depth(rng.uniform(60, 200)) + 0.5 * mist, np.float32), even([lit, sea, deep, deep]))
    if rng.random() < 0.6:
        for level in np.arange(8, 120, rng.uniform(10, 26)):
            w.canvas.strokes(w.shorelines(float(level)), lit, 0.35, rng.uniform(0.2, 0.6), closed=True)
    for radius in (0.25, 0.45, 0.8):
        w.canvas.discs(
            w.anywhere(int(rng.integers(20, 160)), 5), radius, mixed(lit, _WHITE, 0.5), rng.uniform(0.2, 0.8)
        )


def lagoon(w: Water) -> None:
    """Pale aqua over sand with a net of light and foam."""
    rng = w.rng
    hue = rng.uniform(170, 196)
    pale = between(rng, (hue - 8, hue), (0.12, 0.45), (0.82, 0.97))
    sea = between(rng, (hue, hue + 8), (0.35, 0.8), (0.65, 0.9))
    deep = between(rng, (hue + 4, hue + 20), (0.5, 0.9), (0.45, 0.72))
    body = 0.6 * w.depth(rng.uniform(40, 150)) + 0.55 * w.warped(120, 40)
    below = ramp(body.astype(np.float32), even([pale, sea, deep, deep]))
    cell = rng.uniform(14, 40)
    net = np.maximum(_ridge(w.warped(cell, 0.5 * cell, 2), 7), 0.7 * _ridge(w.warped(0.7 * cell, 0.4 * cell, 2), 7))
    patches = np.clip(1.6 * w.noise(90, 2) - rng.uniform(0, 0.6), 0, 1)
    w.cover(over(below, _WHITE, np.asarray(rng.uniform(0.3, 0.9) * net * patches, np.float32)))
    if rng.random() < 0.6:
        w.foam(_WHITE, int(rng.integers(1, 4)), rng.uniform(0.3, 0.8), rng.uniform(0.5, 1.8))


def chart(w: Water) -> None:
    """An old sea chart: teal, courses, compass roses, arrows along the currents."""
    rng = w.rng
    hue = rng.uniform(172, 208)
    sea = between(rng, (hue, hue), (0.3, 0.75), (0.4, 0.75))
    w.wash(
        np.asarray(0.6 * w.noise(160, 4) + 0.4 * w.depth(60), np.float32),
        even([scaled(sea, 1.18), sea, scaled(sea, 0.82)]),
    )
    ink = mixed(_WHITE, sea, rng.uniform(0, 0.4)) if rng.random() < 0.55 else scaled(sea, rng.uniform(0.25, 0.6))
    alpha = rng.uniform(0.3, 0.85)
    roses = w.anywhere(14, 30)[: int(rng.integers(1, 4))]
    for rose in roses:
        w.canvas.strokes([rose + np.array([[0, 0], 900 * d]) for d in circle(16)], ink, 0.3, 0.4 * alpha)
        _rose(w, rose, rng.uniform(12, 30), ink, alpha)
    arrows = w.currents(w.anywhere(int(rng.integers(20, 90)), 12), rng.uniform(0.5, 1.2), 10, rng.uniform(1.5, 4), 150)
    width = rng.uniform(0.4, 1.0)
    w.canvas.strokes(arrows, ink, width, alpha)
    for line in arrows:
        ahead = (line[-1] - line[-2]) / np.hypot(*(line[-1] - line[-2]))
        aside = np.array([-ahead[1], ahead[0]])
        tip, size = line[-1] + 2.2 * width * ahead, 2.4 * width + 0.6
        w.canvas.polygon(
            [tip + size * ahead, tip - size * ahead + size * aside, tip - size * ahead - size * aside], ink, alpha
        )
    w.foam(ink, int(rng.integers(1, 6)), alpha, 0.35)


def retro(w: Water) -> None:
    """A flat print of the 1980s: two or three solid inks, hatching or a dot screen."""
    rng = w.rng
    hue = rng.uniform(188, 222)
    sea = between(rng, (hue, hue), (0.5, 0.95), (0.5, 0.85))
    other = mixed(sea, _WHITE, rng.uniform(0.2, 0.5)) if rng.random() < 0.5 else scaled(sea, rng.uniform(0.55, 0.85))
    bands = np.floor(w.depth(120) * rng.integers(1, 4) + 0.3 * w.noise(60, 1))
    w.wash(bands.astype(np.float32), [(0.0, mixed(sea, _WHITE, 0.25)), (1.0, sea), (2.0, scaled(sea, 0.85))])
    width, height = w.canvas.size
    if rng.random() < 0.65:
        step, high, long = rng.uniform(4, 11), rng.uniform(0.3, 2.2), rng.uniform(12, 60)
        x = np.arange(-width / 2, width / 2, 1.5)
        tilt = rng.uniform(-0.1, 0.1)
        rows = [
            np.stack([x, y + tilt * x + high * np.sin(2 * np.pi * (x / long + rng.uniform(0, 0.15)))], axis=1)
            for y in np.arange(-height / 2 - 20, height / 2 + 20, step)
        ]
        broken = [r[s : s + n] for r in rows for s, n in _dashes(rng, len(r), rng.uniform(10, 120))]
        w.canvas.strokes(broken, other, rng.uniform(0.35, 1.4), rng.uniform(0.5, 1))
    else:
        step = rng.uniform(2.0, 4.5)
        dots = turned(scattered(rng, (1.5 * width, 1.5 * width), step, 0), rng.uniform(15, 75))
        dots = dots[(np.abs(dots) < np.asarray(w.canvas.size) / 2).all(axis=1)]
        tone = w.at(w.noise(120, 2), dots)
        for i, share in enumerate((0.2, 0.45, 0.7)):
            w.canvas.discs(dots[np.abs(tone - share) < 0.125], step * (0.15 + 0.1 * i), other, 0.9)
    if rng.random() < 0.5:
        w.foam(_WHITE, int(rng.integers(1, 4)), 1.0, rng.uniform(0.5, 1.6))


def stormy(w: Water) -> None:
    """Grey-blue swell under clouds, with crests of spray."""
    rng = w.rng
    hue = rng.uniform(195, 222)
    grey = rng.uniform(0.28, 0.55)
    deep = between(rng, (hue, hue), (grey, grey + 0.2), (0.15, 0.35))
    sea = between(rng, (hue - 8, hue), (grey, grey + 0.15), (0.38, 0.62))
    crest = between(rng, (hue - 15, hue), (0.05, 0.3), (0.65, 0.9))
    swell = w.warped(rng.uniform(14, 40), rng.uniform(8, 24), 4, rng.uniform(1.6, 4))
    body = 0.55 * swell + 0.45 * w.noise(170, 3)
    below = ramp(body.astype(np.float32), [(0.1, deep), (0.6, sea), (1, mixed(sea, crest, 0.5))])
    spray = np.clip((swell - rng.uniform(0.72, 0.85)) * 6, 0, 1) * np.clip(2 * w.noise(8, 2) - 0.7, 0, 1)
    w.cover(over(below, crest, np.asarray(rng.uniform(0.3, 0.9) * spray, np.float32)))
    w.brushed(2, 120, length_mm=rng.uniform(8, 24), width_mm=rng.uniform(0.5, 1.6), tone=0.3, alpha=0.4)
    w.foam(crest, int(rng.integers(1, 4)), rng.uniform(0.2, 0.6), rng.uniform(0.6, 1.6))


def terraces(w: Water) -> None:
    """Depth in steps, cut out like paper, each step with a soft shadow or a thin line."""
    rng = w.rng
    hue = rng.uniform(184, 216)
    steps = int(rng.integers(4, 9))
    value = rng.uniform(0.7, 0.95)
    colours = [
        between(rng, (hue + 3 * i, hue + 3 * i), (0.45 + 0.06 * i, 0.5 + 0.06 * i), (value - 0.6 * i / steps,) * 2)
        for i in range(steps)
    ]
    body = 0.55 * w.depth(rng.uniform(80, 200)) + 0.6 * w.noise(rng.uniform(90, 200), 2)
    step = np.floor(np.clip(body, 0, 0.999) * steps).astype(np.float32)
    image = ramp(step, [(float(i), c) for i, c in enumerate(colours)])
    lower = cv2.GaussianBlur(step, (0, 0), rng.uniform(1.5, 5))
    w.cover(shaded(image, np.asarray(1 - rng.uniform(0.2, 0.7) * np.clip(step - lower, 0, 1), np.float32)))


def ripples(w: Water) -> None:
    """As photographed from above: small waves crossing, lit from one side."""
    rng = w.rng
    hue = rng.uniform(190, 226)
    deep = between(rng, (hue, hue + 8), (0.6, 0.95), (0.2, 0.45))
    sea = between(rng, (hue - 10, hue), (0.55, 0.9), (0.45, 0.75))
    pale = between(rng, (hue - 22, hue - 8), (0.25, 0.7), (0.7, 0.95))
    x, y = w.canvas.grid(2)
    x, y = x[: w.off.shape[0], : w.off.shape[1]], y[: w.off.shape[0], : w.off.shape[1]]
    bend = rng.uniform(10, 30) * w.noise(60, 3)
    main = rng.uniform(0, np.pi)
    light = np.zeros_like(x)
    for _ in range(4):
        angle, long = main + rng.normal(0, 0.5), rng.uniform(5, 22)
        light += np.sin(2 * np.pi / long * (np.cos(angle) * x + np.sin(angle) * y + bend)).astype(np.float32)
    body = 0.5 * w.depth(rng.uniform(30, 160)) + 0.5 * w.noise(200, 3)
    image = ramp(body.astype(np.float32), even([pale, sea, deep, deep]))
    gain = 1 + rng.uniform(0.03, 0.1) * light + rng.uniform(0, 0.4) * (light > 2.3)
    w.cover(shaded(image, gain.astype(np.float32)))


DESIGNS: tuple[Callable[[Water], None], ...] = (
    painterly,
    painterly,
    flat_waves,
    navy,
    lagoon,
    chart,
    retro,
    stormy,
    terraces,
    ripples,
)
"""Drawn from evenly; who stands here twice comes twice as often, as in the shops."""

_ARC = np.stack([np.linspace(-0.5, 0.5, 9), 0.4 * np.cos(np.linspace(-np.pi / 2, np.pi / 2, 9))], axis=1)
_WAVE_SIGNS: tuple[Points, ...] = (
    np.concatenate([_ARC + shift for shift in ([-0.5, 0], [0.5, 0])]),
    np.concatenate([_ARC * (1, -1) - (0.5, 0), _ARC * (1, -1) + (0.5, 0)]),
    np.stack([np.linspace(-1, 1, 17), 0.25 * np.sin(np.linspace(0, 4 * np.pi, 17))], axis=1),
    np.concatenate([_ARC * (1, -1) + (k, 0) for k in (-1, 0, 1)]),
)


def _ridge(noise: Floats, sharpness: float) -> Floats:
    """1 along the middle level of the noise, 0 away from it."""
    return np.asarray(np.clip(1 - np.abs(noise - 0.5) * 2 * sharpness, 0, 1), np.float32)


def _rose(w: Water, at: Points, radius: float, ink: Bgr, alpha: float) -> None:
    """A compass rose of eight points."""
    for count, long in ((8, 0.55), (4, 1.0)):
        tips, notches = circle(count), circle(count, np.pi / count)
        star = np.stack([long * tips, 0.22 * notches], axis=1).reshape(-1, 2)
        w.canvas.polygon(at + radius * star, ink, 0.6 * alpha if count > 4 else alpha)
    for share in (0.62, 0.68):
        w.canvas.ring(at, share * radius, ink, 0.35, alpha)


def _dashes(rng: np.random.Generator, total: int, long: float) -> list[tuple[int, int]]:
    """Starts and lengths of strokes that follow each other with small gaps."""
    found, start = [], 0
    while start < total:
        count = 2 + int(rng.exponential(long))
        found.append((start, count))
        start += count + int(rng.integers(2, 12))
    return found
