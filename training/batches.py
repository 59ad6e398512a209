"""Batches of windows to learn from: sessions, hexes and distortions drawn at random.

In: prepared sessions. Out: `Table`s, of which a batch is made. Colours are dealt anew in every batch: which
paint is called red is told by the planes of paints alone, so that no hue is learnt by heart.
"""

from __future__ import annotations

import collections
import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import rounded
from calibration.swatch import COLOURS, CREATURES, TERRAINS
from calibration.view import View
from companion.rules.geometry import load_board
from companion.vision.inputs import CHANNELS
from companion.vision.questions import CELL, EXAMPLES, QUESTIONS
from companion.vision.windows import HEX_FRAME, WINDOW_CHANNELS, Frame, Jitter, Window, WindowCutter
from hardware.simulated.arrays import Floats
from training.dataset import Prepared
from training.labels import HEATMAPS, Labels

EXAMPLE_HEXES = 18
QUERIES = 44
FRAMES = 2
WEIGHTS = {
    "print": 0.01,
    "bare": 0.25,
    "tile": 0.35,
    "free": 1.0,
    "crew": 1.6,
    "boat": 1.2,
    "creatures": 3.0,
    "hidden": 0.5,
}
"""How often a hex is drawn, by the most telling thing on it. Where nothing is, recognition does not look if it sees
nothing but "print"; what it looks at is "bare"."""

FORGOTTEN = 0.15
"""Share of the tables whose swatch layout lacks one kind of example."""

HARDNESS = (0.25, 4.0)
HARDNESS_STEP = 0.5
"""A hex is drawn so much less or more often by how its loss was when it was last drawn, against the usual loss; half of
what was known of it before is kept."""

USUAL_STEP = 0.01

HEAP = 0.5
"""By so much more often a hex is drawn for each thing more that stands on it."""

RENAMED = 0.4
"""Share of the tables whose terrains, and of those whose creatures, are called by each other's names: only the examples
then tell which is which, as they do for shapes and faces that nobody has seen."""

STRETCH = 0.08
"""By so much a table's windows are stretched either way (standard deviation of the logarithm): other shapes from the
same pieces. Shapes that had been seen were known: of creatures 97.9 % on tables learnt from, 93.3 % on others."""

ALIKE = 0.25
"""Share of the tables whose creatures' planes are blended, as if all were of one colour: shapes tell them apart."""

WOODEN = 0.12
"""Share of the tables with a paint like the boats' wood: of these there are few."""

BLURRED = 0.3
BLUR_PX = (0.4, 1.0)
"""Share of the tables whose windows are blurred as a smaller picture is, and by how much: standard deviation, px of the
windows."""

GRAINY = 0.4
GRAIN = (1.0, 5.0)
"""Share of the tables with more noise over them, and how much: standard deviation, bytes of the picture's planes."""

AHEAD = 5
"""So many batches are made before the losses of the first of them count."""

SPREAD = 0.9
"""Standard deviation of a foot's peak in the maps, cells."""

AT_FOOT, NEAR_FOOT = 0.8, 1.3
"""A cell of a safe land is to say that somebody stands there if its middle is so near to a foot, in cells: one cell or
up to four, which all touch each other, so that the likeliest of them says it for all. Up to the second it may say what
it will. If one cell alone were the right one, two would share the probability where a foot stands between them."""

_AB = [CHANNELS.index(f"{of} {axis}") for of in ("picture", "reference") for axis in ("a", "b")]
_PAINTS = [CHANNELS.index(c) for c in COLOURS]
_CREATURES = [CHANNELS.index(c) for c in CREATURES]
_TERRAINS = [CHANNELS.index(t) for t in TERRAINS]
_L = [CHANNELS.index("picture L"), CHANNELS.index("reference L")]
_DENSITIES = slice(CHANNELS.index("print"), CHANNELS.index("detail"))
_DETAIL = CHANNELS.index("detail")
_BOAT = CHANNELS.index("boat")
_REFERENCE = [CHANNELS.index(f"reference {axis}") for axis in "Lab"]
_SEEN = [c for c in range(len(CHANNELS)) if c not in _REFERENCE]
_PICTURE = [*(CHANNELS.index(f"picture {axis}") for axis in "Lab"), _DETAIL]


@dataclasses.dataclass
class Table:
    """One session's share of a batch. `cut` are its windows as they were cut, N x rows x columns x channels (bytes);
    `factors` (channels x channels) and `offsets` (channels) make of them what the network is shown, 0 to 1.

    `examples`: the example that each of the first windows is of; the others are queries with `answers` (Q x slots) and
    `hidden` (Q), `drawn` (Q x 3: number of the session, picture, hex). `plain`: the queries' windows with nothing over
    the picture, none if nobody asks for them. `maps`: the peaks of all windows' feet.
    """

    cut: NDArray[np.uint8]
    plain: NDArray[np.uint8]
    factors: Floats
    offsets: Floats
    examples: NDArray[np.int64]
    answers: NDArray[np.int64]
    hidden: NDArray[np.bool_]
    drawn: NDArray[np.int64]
    maps: Floats

    @property
    def windows(self) -> Floats:
        """What the network is shown of hexes: N x rows x columns x channels, 0 to 1."""
        return np.asarray(self.cut @ self.factors + self.offsets, np.float32)


def board_cutter() -> WindowCutter:
    """Cuts windows out of views of the board."""
    board = load_board()
    width, height = (float(v) for v in board.physical.board)
    centres = np.array([board.centre_mm(h) for h in board.hexes])
    return WindowCutter(View((width, height)), (width, height), centres, board.physical.hex_flat_to_flat / 2)


def stretched(rng: np.random.Generator) -> Floats:
    """By how much one table's pieces are stretched, along the windows' columns and up."""
    return np.asarray(np.exp(rng.normal(0, STRETCH, 2)), np.float32)


def jittered(rng: np.random.Generator, count: int, stretch: Floats) -> list[Jitter]:
    """Of so many windows of one table, whose pieces are all stretched alike (along columns, up)."""
    scales = np.exp(rng.normal(0, 0.03, (count, 1))) * stretch
    return [
        Jitter(
            float(rng.normal(0, 0.05)),
            (float(rng.normal(0, 0.8)), float(rng.normal(0, 0.8))),
            (float(along), float(ahead)),
            bool(rng.random() < 0.5),
        )
        for along, ahead in scales
    ]


def distortion(
    rng: np.random.Generator, deal: NDArray[np.int64], terrains: NDArray[np.int64], creatures: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Other hues, other light, colours dealt anew: a matrix and an offset for a window's bytes, to 0 to 1."""
    matrix, offset = np.eye(len(WINDOW_CHANNELS)), np.zeros(len(WINDOW_CHANNELS))
    angle = rng.uniform(0, 2 * math.pi)
    chroma = rng.uniform(0.6, 1.3) if rng.random() < 0.9 else 0.1
    turn = chroma * np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    for pair in (_AB[:2], _AB[2:]):
        matrix[np.ix_(pair, pair)] = turn
        offset[pair] = 0.5 - turn.sum(axis=0) / 2
    for planes, names in ((_PAINTS, deal), (_TERRAINS, terrains), (_CREATURES, creatures)):
        matrix[np.ix_(planes, planes)] = np.eye(len(planes))[:, names]
    gain = rng.uniform(0.85, 1.12)
    matrix[_L[0], _L[0]] = gain * np.exp(rng.normal(0, 0.05))
    matrix[_L[1], _L[1]] = gain
    detail = rng.uniform(0.5, 1.4)
    matrix[_DETAIL, _DETAIL], offset[_DETAIL] = detail, (1 - detail) / 2
    offset[_DENSITIES] = rng.normal(0, 0.02, _DENSITIES.stop - _DENSITIES.start)
    if rng.random() < ALIKE:
        alike = rng.uniform(0.3, 1.0)
        mix = (1 - alike) * np.eye(len(_CREATURES)) + alike / len(_CREATURES)
        matrix[:, _CREATURES] = matrix[:, _CREATURES] @ mix
    return (matrix / 255).astype(np.float32), offset.astype(np.float32)


def degrade(rng: np.random.Generator, windows: Sequence[NDArray[np.uint8]]) -> None:
    """Change one table's windows (arrays of N x rows x columns x channels, bytes, in place) as other paints and worse
    cameras would, all of them alike.

    Nothing in them moves, and what they show of the empty board, and of where they lie, stays as it is.
    """
    paint = int(rng.choice(_PAINTS)) if rng.random() < WOODEN else None
    alike = rng.uniform(0.7, 1.0)
    blur = rng.uniform(*BLUR_PX) if rng.random() < BLURRED else 0.0
    grain = rng.uniform(*GRAIN) if rng.random() < GRAINY else 0.0
    for cut in windows:
        if paint is not None:
            for plane, other in ((paint, _BOAT), (_BOAT, paint)):
                cut[..., plane] = np.maximum(cut[..., plane], (cut[..., other] * alike).astype(np.uint8))
        if blur:
            for window in cut:
                window[..., _SEEN] = cv2.GaussianBlur(np.ascontiguousarray(window[..., _SEEN]), (0, 0), blur)
        if grain:
            seen = cut[..., _PICTURE]
            noise = rng.standard_normal(seen.shape, np.float32) * np.float32(grain)
            cut[..., _PICTURE] = rounded(seen + noise).reshape(seen.shape)


class Sampler:
    """Draws batches from sessions."""

    def __init__(
        self,
        sessions: Sequence[Prepared],
        cutter: WindowCutter,
        seed: int,
        *,
        frame: Frame = HEX_FRAME,
        plainly: bool = False,
    ) -> None:
        """`frame`: of the windows. `plainly`: each query is cut out once more, with nothing over the picture."""
        self._frame = frame
        self._sessions = list(sessions)
        self._plainly = plainly
        self._cutter = cutter
        self._rng = np.random.default_rng(seed)
        self._slots = {q.name: q.slots for q in QUESTIONS}
        self._hardness = [np.ones(session.looked.shape, np.float32) for session in self._sessions]
        self._usual_loss = 1.0

    def learn_of(self, table: Table, losses: NDArray[np.floating]) -> None:
        """Draw what was hard more often from now on, and what was easy less; `losses`: of the table's queries (Q)."""
        self._usual_loss += USUAL_STEP * (float(losses.mean()) - self._usual_loss)
        told = np.clip(losses / max(self._usual_loss, 1e-3), *HARDNESS)
        for (session, picture, h), hard in zip(table.drawn, told, strict=True):
            self._hardness[session][picture, h] += HARDNESS_STEP * (hard - self._hardness[session][picture, h])

    def table(self) -> Table:
        """One session's share."""
        rng, cutter = self._rng, self._cutter
        number = int(rng.integers(len(self._sessions)))
        session = self._sessions[number]
        examples = self._example_hexes(session)
        stretch = stretched(rng)
        jitters = jittered(rng, len(examples), stretch)
        shrink = self._frame.shrink
        swatches = cutter.hexes(session.swatch_eye, examples, jitters, self._frame)
        windows = [swatches.cut(session.picture(0, shrink))]
        maps = [self._hex_maps(session, 0, examples, jitters)]
        plain, answers, hidden, drawn = [], [], [], []
        frames = 1 + rng.choice(len(session.labels) - 1, min(FRAMES, len(session.labels) - 1), replace=False)
        for frame in frames:
            labels, planes = session.labels[frame], session.picture(frame, shrink)
            weights = self._weights(labels, session.looked[frame]) * self._hardness[number][frame]
            chosen = rng.choice(len(weights), QUERIES // len(frames), replace=False, p=weights / weights.sum())
            drawn.append(np.column_stack([np.full(len(chosen), number), np.full(len(chosen), frame), chosen]))
            jitters = jittered(rng, len(chosen), stretch)
            at = cutter.hexes(session.eye, chosen, jitters, self._frame)
            windows.append(at.cut(planes))
            if self._plainly:
                bare = session.plain[frame]
                plain.append(windows[-1] if bare == frame else at.cut(session.picture(bare, shrink)))
            maps.append(self._hex_maps(session, frame, chosen, jitters))
            answers.append(labels.hexes[chosen])
            hidden.append(labels.hidden[chosen])
        if not self._plainly:  # there what comes over a picture is learnt, beside the very same windows without it
            degrade(rng, windows)
        deal = rng.permutation(len(COLOURS))
        terrains, creatures = (
            rng.permutation(len(names)) if rng.random() < RENAMED else np.arange(len(names))
            for names in (TERRAINS, CREATURES)
        )
        factors, offsets = distortion(rng, deal, terrains, creatures)
        table = Table(
            np.concatenate(windows),
            np.concatenate(plain or [windows[0][:0]]),
            factors,
            offsets,
            session.examples[examples],
            np.concatenate(answers),
            np.concatenate(hidden),
            np.concatenate(drawn),
            np.concatenate(maps),
        )
        self._deal_colours(table, deal)
        self._rename_terrains(table, terrains)
        self._rename_creatures(table, creatures)
        return table

    def _example_hexes(self, session: Prepared) -> NDArray[np.int64]:
        """Some hexes of the swatch picture, each kind at least once."""
        rng = self._rng
        there = np.flatnonzero(session.examples >= 0)
        rng.shuffle(there)
        _, first = np.unique(session.examples[there], return_index=True)
        rest = np.setdiff1d(np.arange(len(there)), first)
        chosen = there[np.concatenate([first, rest])][: max(EXAMPLE_HEXES, len(first))]
        if rng.random() < FORGOTTEN:  # somebody's layout lacks a kind
            chosen = chosen[session.examples[chosen] != rng.integers(len(EXAMPLES))]
        return np.asarray(chosen)

    def _weights(self, labels: Labels, looked: NDArray[np.bool_]) -> NDArray[np.float64]:
        """How often each hex is drawn."""
        hexes = labels.hexes
        weight = np.where(looked, WEIGHTS["bare"], WEIGHTS["print"])
        for name in ("tile", "free", "boat", "crew", "creatures"):
            weight[hexes[:, self._slots[name]].any(axis=1)] = WEIGHTS[name]
        things = hexes[:, 1:].sum(axis=1)  # of heaps more is to be learnt, and there are few
        weight *= 1 + HEAP * np.clip(things - 1, 0, 3)
        weight[labels.hidden] = WEIGHTS["hidden"]
        return weight

    def _hex_maps(self, session: Prepared, frame: int, hexes: NDArray[np.int64], jitters: list[Jitter]) -> Floats:
        """The maps of windows; NaN where nobody can tell: of the swatch picture, and under an arm."""
        if frame == 0:
            cells = self._frame.rows // CELL, self._frame.columns // CELL
            return np.full((len(hexes), len(HEATMAPS), *cells), np.nan, np.float32)
        windows = [
            Window(self._frame, session.eye, self._cutter.centres[h], j) for h, j in zip(hexes, jitters, strict=True)
        ]
        maps = np.stack([peaks(session.labels[frame].feet, window) for window in windows])
        maps[session.labels[frame].hidden[hexes]] = np.nan  # what is under an arm is not to be seen
        return maps

    def _deal_colours(self, table: Table, deal: NDArray[np.int64]) -> None:
        """Call the paints by each other's names in all answers."""
        for name in ("free", "crew"):
            slots = np.arange(table.answers.shape[1])[self._slots[name]]
            table.answers[:, slots] = table.answers[:, slots[deal]]
        table.maps[:, : 2 * len(deal)] = table.maps[:, [*deal, *(len(deal) + deal)]]
        _rename_examples(table, EXAMPLES.index(f"swimmer {COLOURS[0]}"), np.argsort(deal))

    def _rename_terrains(self, table: Table, names: NDArray[np.int64]) -> None:
        """What stands at place k of all planes and examples was at place `names[k]`."""
        back = np.argsort(names)
        tiles = table.answers[:, self._slots["tile"]]
        table.answers[:, self._slots["tile"]] = np.where(tiles > 0, 1 + back[tiles - 1], 0)
        _rename_examples(table, EXAMPLES.index(f"on {TERRAINS[0]}"), back)

    def _rename_creatures(self, table: Table, names: NDArray[np.int64]) -> None:
        """The same of creatures; their maps, made without looking at examples, are not asked of that table then."""
        slots = np.arange(table.answers.shape[1])[self._slots["creatures"]]
        table.answers[:, slots] = table.answers[:, slots[names]]
        if (names != np.arange(len(names))).any():
            table.maps[:, HEATMAPS.index(CREATURES[0]) :] = np.nan
        _rename_examples(table, EXAMPLES.index(CREATURES[0]), np.argsort(names))


Losses = Sequence[NDArray[np.floating]]
"""Of each table of a batch, by query (Q)."""


def supply(sampler: Sampler, tables: int, told: Callable[[], Losses]) -> Iterator[list[Table]]:
    """Batches of so many tables without end.

    `told` gives the losses of the oldest batch of which none were told; it is asked before every batch from the one on
    that is `AHEAD` after the first. So the same seed and the same losses give the same batches, however fast either is.
    """
    owing: collections.deque[list[Table]] = collections.deque()
    while True:
        if len(owing) == AHEAD:
            for table, losses in zip(owing.popleft(), told(), strict=True):
                sampler.learn_of(table, losses)
        owing.append([sampler.table() for _ in range(tables)])
        yield owing[-1]


def _rename_examples(table: Table, first: int, names: NDArray[np.int64]) -> None:
    """The example `first` + k becomes `first` + `names[k]`."""
    these = (table.examples >= first) & (table.examples < first + len(names))
    table.examples[these] = first + names[table.examples[these] - first]


def peaks(feet: NDArray[np.float64], window: Window) -> Floats:
    """`HEATMAPS` x cells: near 1 where a foot is seen (N x 3: map, x, y), falling off with the distance."""
    rows, columns = window.frame.rows // CELL, window.frame.columns // CELL
    out = np.zeros((len(HEATMAPS), rows, columns), np.float32)
    if not len(feet):
        return out
    at = (window.pixels(feet[:, 1:]) - (CELL - 1) / 2) / CELL
    seen = ((at > -1) & (at < (rows, columns))).all(axis=1)
    y, x = np.mgrid[:rows, :columns]
    # the cell nearest to a foot is the peak
    for kind, (row, column) in zip(feet[seen, 0].astype(int), at[seen].round(), strict=True):
        near = (y - row) ** 2 + (x - column) ** 2
        np.maximum(out[kind], np.exp(-near / (2 * SPREAD**2)), out=out[kind])
    return out


def where_people_stand(feet: NDArray[np.float64], window: Window) -> Floats:
    """Colours x cells of a window: 1 at the feet of free explorers (N x 3: map, x, y), NaN near them, 0 elsewhere."""
    rows, columns = window.frame.rows // CELL, window.frame.columns // CELL
    cells = np.moveaxis(np.mgrid[:rows, :columns], 0, -1)
    out = np.zeros((len(COLOURS), rows, columns), np.float32)
    kinds, at = feet[:, 0].astype(int), (window.pixels(feet[:, 1:]) - (CELL - 1) / 2) / CELL
    for number, colour in enumerate(COLOURS):
        of = at[kinds == HEATMAPS.index(f"free {colour}")]
        away = np.linalg.norm(cells[:, :, None] - of, axis=-1).min(axis=2, initial=np.inf)
        out[number] = np.select([away <= AT_FOOT, away <= NEAR_FOOT], [1.0, np.nan])
    return out
