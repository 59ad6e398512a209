"""The trained network: what it reads, what its numbers mean, and running it.

In: the planes of `inputs.network_inputs`. Out: per hex the log probabilities of each question's answers, and maps of
where pieces stand. The weights (`weights/*.onnx`) come from `training/`; OpenCV runs them.
"""

from __future__ import annotations

import dataclasses
import importlib.resources

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Calibration
from calibration.appearance import lean
from calibration.view import View
from companion.rules.geometry import Board
from companion.vision.inputs import Planes

Floats32 = npt.NDArray[np.float32]

TILES = ("sea", "beach", "forest", "mountain")
COLOURS = ("red", "blue", "yellow", "green")
CREATURES = ("serpent", "shark", "whale")
MAPS = (*COLOURS, "boat", *CREATURES)
"""What the maps show: in each a spot where such a piece stands."""

MOST_FREE, MOST_CREW, MOST_CREATURES = 4, 3, 2
"""The largest counts that are told apart: explorers of a colour, passengers of a colour, creatures of a kind."""

QUESTIONS: tuple[tuple[str, int, int], ...] = (
    ("tile", 1, len(TILES)),
    ("free", len(COLOURS), MOST_FREE + 1),
    ("boat", 1, 2),
    ("crew", len(COLOURS), MOST_CREW + 1),
    ("creatures", len(CREATURES), MOST_CREATURES + 1),
    ("hidden", 1, 2),
)
"""Name, how many of them, how many answers each has; the head's logits in this order."""

LOGITS = sum(many * answers for _, many, answers in QUESTIONS)

CELL = 4
"""View px a cell of the feature map."""

FEATURES = 32
WINDOW = (15, 15)
"""Cells (rows, columns) of the feature map that the head sees of a hex: the hex itself is about 10 x 12."""

LEAN_HEIGHT_MM = 20.0
LEAN_UNIT_PX = 10.0


@dataclasses.dataclass(frozen=True)
class Reading:
    """The network's answers: by question the log probabilities (N, many, answers) for the board's N hexes; `maps`:
    (len(MAPS), rows, columns), the probability that such a piece stands in that cell."""

    answers: dict[str, Floats32]
    maps: Floats32


class Network:
    """The network on one calibrated table."""

    def __init__(self, calibration: Calibration, board: Board) -> None:
        weights = importlib.resources.files("companion.vision") / "weights"
        self._backbone = cv2.dnn.readNetFromONNX(np.frombuffer((weights / "backbone.onnx").read_bytes(), np.uint8))
        self._head = cv2.dnn.readNetFromONNX(np.frombuffer((weights / "head.onnx").read_bytes(), np.uint8))
        self._lean = lean_planes(calibration)[None]
        self._cells = hex_cells(calibration.view, board)

    def __call__(self, planes: Planes) -> Reading:
        """Read one picture's planes (16, H, W)."""
        self._backbone.setInput(planes[None].astype(np.float32), "planes")
        self._backbone.setInput(self._lean, "lean")
        features, maps = self._backbone.forward(["features", "maps"])
        self._head.setInput(self._windows(features[0]))
        return Reading(split_logits(self._head.forward()), 1.0 / (1.0 + np.exp(-maps[0])))

    def _windows(self, features: Floats32) -> Floats32:
        rows, columns = WINDOW
        padded = np.pad(features, ((0, 0), (rows // 2, rows // 2), (columns // 2, columns // 2)))
        return np.stack([padded[:, r : r + rows, c : c + columns] for r, c in self._cells])


def split_logits(logits: Floats32) -> dict[str, Floats32]:
    """By question the log probabilities (N, many, answers) of logits (N, `LOGITS`)."""
    found: dict[str, Floats32] = {}
    start = 0
    for name, many, answers in QUESTIONS:
        part = logits[:, start : start + many * answers].reshape(-1, many, answers)
        part = part - part.max(axis=2, keepdims=True)
        found[name] = np.asarray(part - np.log(np.exp(part).sum(axis=2, keepdims=True)), np.float32)
        start += many * answers
    return found


def hex_cells(view: View, board: Board) -> npt.NDArray[np.intp]:
    """(N, 2): the cell (row, column) of the feature map in which each hex's middle lies."""
    centres = view.pixels(np.array([board.centre_mm(h) for h in board.hexes]))
    return np.asarray(np.round(centres[:, ::-1] / CELL), np.intp)


def lean_planes(calibration: Calibration) -> Floats32:
    """(2, rows, columns) by cell: how far (east, south) what is `LEAN_HEIGHT_MM` up appears moved, `LEAN_UNIT_PX` px
    as 1."""
    view = calibration.view
    rows, columns = view.shape
    cells = np.stack(np.meshgrid(np.arange(0, columns, CELL), np.arange(0, rows, CELL)), axis=-1).reshape(-1, 2)
    places = view.mm(cells)
    moved = view.pixels(lean(calibration.camera.eye, places, LEAN_HEIGHT_MM)) - view.pixels(places)
    planes = (moved / LEAN_UNIT_PX).T.reshape(2, -(-rows // CELL), -(-columns // CELL))
    return np.ascontiguousarray(planes, np.float32)
