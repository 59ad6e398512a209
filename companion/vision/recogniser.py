"""A picture of the table to an `Observation`: the steps in their order.

rectify, take the light out, look colours up (`evidence`) -> hands (`hands`) -> tiles (`terrain`) -> pieces
(`pieces`) -> what stands where (`decode`). Every step's result is kept in a `Trace`,
which `show` turns into pictures.
"""

from __future__ import annotations

import dataclasses
import time as clock

import cv2
import numpy as np

from calibration import Calibration, PictureError
from companion.rules.geometry import LANDS, Board, Hex
from companion.vision.decode import hex_evidence, land_evidence, limit_pieces, limit_tiles, place_pieces
from companion.vision.evidence import Floats32, Image, Mask, PixelEvidence, PixelStep
from companion.vision.field import Field
from companion.vision.hands import HandStep
from companion.vision.observation import HiddenBy, Moved, NotSeen, Observation
from companion.vision.piece import Piece
from companion.vision.pieces import PieceStep
from companion.vision.registration import PATIENCE, RegistrationStep
from companion.vision.terrain import Terrain, TerrainStep

PIECE_HEIGHT_MM = 20.0
HIDDEN_SHARE = 0.15
"""A hex is hidden if the hand covers this share of it, pieces that may stand on it included."""

MOVED_LAB = 12.0
MOVED_SHARE = 0.01
"""Something moved if more than this share of the board changed by more than `MOVED_LAB`."""


@dataclasses.dataclass
class Trace:
    """What the steps found in one picture and what was made of it; by step the seconds on the clock and on the CPU.

    `calibration` is the one that the picture was read by: the given one, gone along with a board that was moved.
    """

    calibration: Calibration
    evidence: PixelEvidence
    hidden: Mask
    terrain: Terrain
    tiles: dict[Hex, str | None]
    surface: Floats32
    pieces: list[Piece]
    observation: Observation
    seconds: dict[str, float]
    cpu_seconds: dict[str, float]


class Recogniser:
    """Reads pictures of one calibrated table."""

    def __init__(self, calibration: Calibration, board: Board, *, patience: int = PATIENCE) -> None:
        """`patience`: see `RegistrationStep`; 0 for pictures that do not follow each other."""
        self._board = board
        self._registration = RegistrationStep(calibration, patience)
        self._use(calibration)
        self._before: Floats32 | None = None
        self.trace: Trace | None = None

    def _use(self, calibration: Calibration) -> None:
        """Read pictures by that calibration from now on."""
        self._calibration = calibration
        self.field = Field(self._board, calibration)
        self._pixels = PixelStep(calibration)
        self._hands = HandStep(calibration, self.field)
        self._terrain = TerrainStep(calibration, self.field)
        self._pieces = PieceStep(calibration, self.field)

    def observe(self, image: Image, frame: int = 0, time: float = 0.0) -> Observation:
        """Read one picture (H x W x 3 uint8 BGR of the calibration's size).

        `frame` and `time` (s) are handed through. Raises PictureError if the picture is of another size or kind.
        """
        self._check(image)
        seconds: dict[str, float] = {}
        cpu_seconds: dict[str, float] = {}
        started, cpu_started = clock.perf_counter(), clock.process_time()

        def lap(step: str) -> None:
            nonlocal started, cpu_started
            now, cpu_now = clock.perf_counter(), clock.process_time()
            seconds[step], started = now - started, now
            cpu_seconds[step], cpu_started = cpu_now - cpu_started, cpu_now

        registration = self._registration(image)
        if self._registration.calibration is not self._calibration:
            self._use(self._registration.calibration)
        lap("registration")
        evidence = self._pixels(image)
        lap("pixels")
        moving = self._moving(evidence.lab)
        covered = self._hands(evidence)
        lap("hands")
        terrain = self._terrain(evidence)
        tiles = limit_tiles(terrain)
        surface, tiled = self._terrain.surface(evidence, tiles)
        lap("terrain")
        ignore = covered | ~self._pixels.inside
        pieces = limit_pieces(self._pieces(evidence, surface, tiled, ignore))
        lap("pieces")
        claims = place_pieces(pieces, self.field)
        hidden = self._hidden(covered)
        observation = Observation(
            frame=frame,
            time=time,
            hexes=hex_evidence(terrain, tiles, claims, hidden, self.field),
            safe=land_evidence(claims, self._hidden_lands(covered)),
            moving=moving or isinstance(registration, Moved),
            registered=not isinstance(registration, NotSeen),
            registration=registration,
        )
        lap("decode")
        self.trace = Trace(
            self._calibration, evidence, covered, terrain, tiles, surface, pieces, observation, seconds, cpu_seconds
        )
        return observation

    def _check(self, image: Image) -> None:
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
            raise PictureError("The picture must have three colour channels of 8 bits.")
        size, known = (image.shape[1], image.shape[0]), tuple(self._calibration.camera.image_size)
        if size != known:
            raise PictureError(
                f"The picture is {size[0]} x {size[1]}, the calibration is for {known[0]} x {known[1]}; "
                "calibrate again with this camera mode."
            )

    def _moving(self, lab: Floats32) -> bool:
        """True if the board looks different from the picture before."""
        now = cv2.resize(lab, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        before, self._before = self._before, np.asarray(now, np.float32)
        if before is None:
            return False
        return bool((np.abs(now - before).max(axis=2) > MOVED_LAB).mean() > MOVED_SHARE)

    def _hidden(self, covered: Mask) -> dict[Hex, HiddenBy]:
        hidden: dict[Hex, HiddenBy] = {}
        outside = ~self._pixels.inside
        for h in self.field.board.hexes:
            at = self.field.pixels(h, 0.0, PIECE_HEIGHT_MM, 0.0)
            if covered.ravel()[at].mean() > HIDDEN_SHARE:
                hidden[h] = "hand"
            elif outside.ravel()[at].mean() > HIDDEN_SHARE:
                hidden[h] = "edge"
        return hidden

    def _hidden_lands(self, covered: Mask) -> dict[str, HiddenBy]:
        hidden: dict[str, HiddenBy] = {}
        grid = self._calibration.view.grid_mm
        for land, (x, y) in zip(LANDS, ((-1, -1), (1, -1), (-1, 1), (1, 1)), strict=True):
            corner = (grid[..., 0] * x > 165) & (grid[..., 1] * y > 145)
            if covered[corner].mean() > HIDDEN_SHARE:
                hidden[land] = "hand"
        return hidden
