"""The calibration: all that recognition has to know about one table, camera and set of pieces."""

from __future__ import annotations

import functools
from typing import Annotated, Self

import cv2
import msgspec
import numpy as np

from calibration.arrays import Floats32, Image, Mask
from calibration.camera import Bounded, Camera
from calibration.cells import spread, to_cells
from calibration.colours import ColourTable
from calibration.errors import CalibrationError
from calibration.ground import Ground
from calibration.haze import Haze
from calibration.laid import Places
from calibration.light import LightMeter, percentile_light, to_lab, to_linear
from calibration.print import BoardPrint
from calibration.quality import Quality
from calibration.reflection import Surface, darkest_near, learn_surface, thinned
from calibration.swatch import CREATURES, TERRAINS, Swatch
from calibration.view import View, board_view

FORMAT = 2
"""Version of the calibration file."""

HAZY_FORMAT = 3
"""That of one with haze: programs that know of none would compare what has it with what has it not."""

_JPEG_QUALITY = 97

BRIGHT_PERCENT = 97.0
BRIGHT_LEVEL = 0.9
"""Linear light to which the empty board's brightest parts are brought."""

SWATCH_PERCENT, SWATCH_LEVEL = 99.0, 0.95
"""And up to which those of the swatch picture may come: of a dark board's brightening two thirds of the sand's pixels
were cut off at white."""

_CUT_OFF = 0.9
"""Linear light from which on a pixel may be cut off by the camera itself."""

_WHOLE = 0.9
"""A cell of which so much shows a tile's face shows the tile."""


FourCorners = Annotated[list[tuple[Bounded, Bounded]], msgspec.Meta(min_length=4, max_length=4)]


class Calibration(msgspec.Struct, frozen=True, dict=True):
    """One table. `reference` is the empty board in `view` as JPEG bytes, `samples` Lab triples (int8) by class.

    `swatch` is the swatch picture in `view`, JPEG too, `swatches` what stands there, `swatch_eye` where the camera
    stood (x, y, height in mm): what the pieces of this set look like. `brightened`: the `exposure`, None if the empty
    board alone sets it, as in older files. `cards` are the markers' corners in px in the
    calibration picture, to see whether the camera was moved; `noise` belongs to `ground`, see there. `focus`: which
    lens took the pictures and where its motor held it, in the camera's own measure; None where that is not known, as in
    older files. `haze` is in the pictures that this camera takes, and was taken out of `reference` and `swatch`; None
    if the lens adds none that is known of.
    """

    format: int
    camera: Camera
    board: BoardPrint
    view: View
    cards: dict[str, FourCorners]
    reference: bytes
    noise: tuple[Annotated[float, msgspec.Meta(gt=0, le=100)], ...]
    samples: dict[str, bytes]
    quality: Quality
    swatch: bytes
    swatches: tuple[Swatch, ...]
    swatch_eye: tuple[float, float, float]
    focus: tuple[str, float] | None = None
    brightened: Annotated[float, msgspec.Meta(gt=0, le=100)] | None = None
    haze: Haze | None = None

    @classmethod
    def bare(
        cls,
        camera: Camera,
        board: BoardPrint,
        cards: dict[str, list[tuple[float, float]]],
        view: Image,
        quality: Quality,
        *,
        haze: Haze | None = None,
    ) -> Self:
        """What the empty board alone tells, as `view` (its picture in `board_view`) shows it: no pieces, no colours."""
        return cls(
            format=FORMAT if haze is None else HAZY_FORMAT,
            camera=camera,
            board=board,
            view=board_view(board),
            cards=cards,
            reference=encode_view(view),
            noise=(),
            samples={},
            swatch=b"",
            swatches=(),
            swatch_eye=(0.0, 0.0, 0.0),
            quality=quality,
            haze=haze,
        )

    def showing(self, swatch_view: Image) -> Calibration:
        """The same, exposed so that the swatch picture (in the view, BGR) is not cut off at white either.

        Its tiles may be far brighter than the board. A lamp in it, which the camera itself has cut off, is passed over.
        """
        brightest = percentile_light(swatch_view, self.on_board, SWATCH_PERCENT, below=_CUT_OFF)
        limit = SWATCH_LEVEL / max(1.0 if brightest is None else brightest, 0.01)
        calibration = msgspec.structs.replace(self, brightened=min(self.exposure, limit))
        calibration.__dict__.update(reference_image=self.reference_image, on_board=self.on_board)
        return calibration

    def moved(self, camera: Camera, cards: dict[str, list[tuple[float, float]]]) -> Calibration:
        """The same table after board or camera was moved: another pose, other cards, light and colours as before."""
        calibration = msgspec.structs.replace(self, camera=camera, cards=cards)
        calibration.__dict__.update(self.__dict__)  # worked out from what has not changed
        return calibration

    @functools.cached_property
    def reference_image(self) -> Image:
        """The empty board in the view, BGR."""
        return self._decoded(self.reference)

    def swatch_image(self) -> Image:
        """The swatch layout in the view, BGR."""
        return self._decoded(self.swatch)

    def _decoded(self, jpeg: bytes) -> Image:
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
        if image is None or image.shape[:2] != self.view.shape:
            raise CalibrationError("The calibration's picture of the board is damaged; calibrate again.")
        return np.asarray(image, np.uint8)

    def reference_light(self) -> Floats32:
        """The empty board in linear light, as if exposed so that its brightest parts are nearly white.

        Colours are compared in Lab, whose steps mean less in the dark: all tables are brought to the same exposure.
        """
        return self.light_as_taken() * np.float32(self.exposure)

    def light_as_taken(self) -> Floats32:
        """The empty board in linear light, as the camera took it."""
        return to_linear(self.reference_image)

    @functools.cached_property
    def exposure(self) -> float:
        """By how much `reference_light` is brighter than the picture of the empty board."""
        if self.brightened is not None:
            return self.brightened
        return BRIGHT_LEVEL / max(percentile_light(self.reference_image, self.on_board, BRIGHT_PERCENT) or 0.0, 0.01)

    @functools.cached_property
    def ground(self) -> Ground:
        """The bare print."""
        return Ground(to_lab(self.reference_light()), self.noise)

    @functools.cached_property
    def colours(self) -> ColourTable:
        """What tiles and pieces look like."""
        return ColourTable({name: self.colour_samples(name) for name in self.samples}, fine=CREATURES)

    def colour_samples(self, name: str) -> Floats32:
        """N x 3: Lab samples of a class."""
        return np.frombuffer(self.samples[name], np.int8).reshape(-1, 3).astype(np.float32)

    @functools.cached_property
    def tiles(self) -> tuple[Surface, ...]:
        """What the swatch picture's tiles look like in the light of the empty board's picture, each kind by itself;
        none if there is no such picture."""
        if not self.swatches:
            return ()
        picture = self.swatch_image()
        linear = to_linear(picture)
        measured = LightMeter(self.light_as_taken(), self.on_board, self.exposure).measure(picture, linear)
        light = measured.without(picture, linear) / spread(measured.factor, linear.shape[:2])
        cells = to_cells(light)
        near = darkest_near(thinned(light), cells.shape[:2])
        faces = Places(self.board, self.view, np.array(self.swatch_eye), self.swatches).faces
        found = []
        for terrain in TERRAINS:
            there = np.zeros(self.view.shape, np.float32)
            for s in self.swatches:
                if s.tile == terrain:
                    there.ravel()[faces[s.hex]] = 1.0
            found.append(learn_surface(cells, near, to_cells(there) > _WHOLE))
        return tuple(surface for surface in found if surface is not None)

    @functools.cached_property
    def on_board(self) -> Mask:
        """Pixels of the view that show the board's face, a little inside its edge."""
        return self.view.face(3.0)


def encode_view(image: Image) -> bytes:
    """JPEG bytes of a picture, of a quality at which its noise is below the camera's."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1].tobytes()
