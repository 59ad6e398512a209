"""The steps of a guided calibration: what each looks for in a picture, and what it keeps of it when it is taken."""

from __future__ import annotations

import dataclasses
from typing import Protocol

import msgspec
import numpy as np

from calibration import Calibration, CalibrationError, SessionInfo, calibrate
from calibration.arrays import Floats, Image
from calibration.cards import find_cards
from calibration.glance import Glance, Stillness, glance
from calibration.lens import CharucoSheet, Lens, SheetFinder, SheetView, fit_lens
from calibration.lens_views import coverage, is_held, is_new
from calibration.pose import PoseFit, fit_camera, pose_from_taps
from calibration.print import CARD_CORNERS, Hex
from calibration.quality import LENS_WIDTH, Quality
from calibration.session import MAX_SHIFT_MM, bare_calibration
from calibration.swatch_check import SwatchCheck
from companion.calibrating import words
from companion.calibrating.corners import board_corners
from companion.calibrating.state import CardShown, CardState, CornerShown, Pixel, Sight
from companion.i18n import _

ENOUGH_VIEWS, MOST_VIEWS = 8, 12
ENOUGH_COVERAGE = 0.7
MAX_LENS_ERROR = 1.0
"""Reprojection error in px of a picture `LENS_WIDTH` px wide, beyond which the lens is measured anew."""


@dataclasses.dataclass
class Material:
    """What the steps hand on to each other. `given`: corners of the board by card, as people have put them.

    `corners`: of the picture of the empty board, if its cards alone did not tell.
    """

    info: SessionInfo
    sheet: CharucoSheet
    given: dict[str, Pixel] = dataclasses.field(default_factory=dict)
    lens: Lens | None = None
    empty: Image | None = None
    cards: dict[str, Floats] = dataclasses.field(default_factory=dict)
    corners: tuple[Pixel, ...] | None = None
    bare: Calibration | None = None
    check: SwatchCheck | None = None
    result: Calibration | None = None

    @property
    def quality(self) -> Quality | None:
        """Of the picture of the empty board, once that is taken."""
        return None if self.bare is None else self.bare.quality

    def forget_board(self) -> None:
        """Another lens, or another picture of the board: nothing that rests on the last one holds."""
        self.empty = self.corners = self.bare = self.check = self.result = None


class Step(Protocol):
    """One step; it is begun anew by making it anew. What a step has taken counts until it takes something else."""

    def see(self, image: Image) -> Sight:
        """Look at a live picture (H x W x 3 uint8 BGR)."""
        ...

    def take(self) -> bool:
        """Keep what the last picture showed; True when the step is done. Raises CalibrationError: it will not do."""
        ...


class CardsStep:
    """All four cards in the picture, the camera where it should be."""

    def __init__(self, material: Material) -> None:
        self._material = material

    def see(self, image: Image) -> Sight:
        """What is wrong with cards and camera."""
        m = self._material
        seen = glance(image, m.info.board)
        advice = words.where_it_stands(seen, m.given)
        return Sight(advice=advice, ready=not advice, cards=_shown(seen), corners=_corners(seen, m))

    def take(self) -> bool:
        """Nothing is kept: cards may still be pushed straight."""
        return True


class LensStep:
    """Pictures of the lens sheet from all over the picture, until the lens is known well enough."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self._finder = SheetFinder(material.sheet)
        self._views: list[SheetView] = []
        self._last: SheetView | None = None
        self._over = False

    def see(self, image: Image) -> Sight:
        """Is the sheet seen, held still, somewhere new? Once the lens is measured, nothing more is asked for."""
        if self._over:
            return msgspec.structs.replace(self._sight(()), ready=False)
        view = self._finder.find(image)
        before, self._last = self._last, view
        return self._sight(self._advice(view, before))

    def take(self) -> bool:
        """Keep the view; measure the lens when there are enough of them."""
        if self._last is None:
            return False
        self._views.append(self._last)
        if not self._enough():
            return False
        try:
            lens = fit_lens(self._views, self._material.sheet)
        except CalibrationError as refused:
            self._views.clear()
            raise CalibrationError(
                _(
                    "The pictures of the sheet do not make a lens. "
                    "Hold it flat, tilt it another way in each picture, and take all of them anew."
                )
            ) from refused
        error = lens.rms * LENS_WIDTH / max(lens.size)
        if error <= MAX_LENS_ERROR:
            self._material.forget_board()
            self._material.lens, self._over = lens, True
            return True
        self._views.clear()
        raise CalibrationError(
            _(
                "The lens is measured only to {error:.1f} px: is the sheet flat, and held still? "
                "Glue it to stiff card, then take all lens pictures anew."
            ).format(error=error)
        )

    def _enough(self) -> bool:
        count = len(self._views)
        return count >= MOST_VIEWS or (count >= ENOUGH_VIEWS and coverage(self._views) >= ENOUGH_COVERAGE)

    def _advice(self, view: SheetView | None, before: SheetView | None) -> tuple[str, ...]:
        if view is None:
            return (_("The lens sheet is not seen: hold it nearer, whole and evenly lit."),)
        if not is_new(view, self._views):
            return (_("This view has been taken: hold the sheet somewhere else, or tip it."),)
        return () if is_held(view, before) else (_("Hold the sheet still."),)

    def _sight(self, advice: tuple[str, ...]) -> Sight:
        return Sight(
            advice=advice,
            ready=not advice,
            views=(len(self._views), ENOUGH_VIEWS if len(self._views) < ENOUGH_VIEWS else MOST_VIEWS),
            coverage=coverage(self._views),
        )


class BoardStep:
    """A steady, sharp, well-lit picture of the empty board; from it where the camera stands."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self._stillness = Stillness()
        self._image: Image | None = None
        self._seen: Glance | None = None

    def see(self, image: Image) -> Sight:
        """What is wrong with cards, camera, light and sharpness; does anything move?"""
        m = self._material
        self._seen = seen = glance(image, m.info.board, is_empty=True)
        first, still = self._image is None, self._stillness.see(image)
        self._image = image
        advice = (
            *words.where_it_stands(seen, m.given),
            *words.how_it_is_lit(seen),
            *(() if still or first else (words.moving(),)),
        )
        return Sight(
            advice=(*advice, *words.what_is_mirrored(seen)),
            ready=still and not advice,
            cards=_shown(seen),
            corners=_corners(seen, m),
        )

    def take(self) -> bool:
        """Fit the camera to the printed lines, from the cards or from the corners that people have given."""
        if self._image is None or self._seen is None:
            return False
        m, board = self._material, self._material.info.board
        cards = find_cards(self._image, board)
        corners = tuple(corner.at for corner in _corners(self._seen, m)) if m.given else None
        fit = self._fit(self._image, cards, corners)
        m.forget_board()
        m.empty, m.cards, m.corners = self._image, cards, corners
        m.bare, _ = bare_calibration(self._image, fit, board, cards, m.lens)
        m.check = SwatchCheck(m.bare)
        return True

    def _fit(self, image: Image, cards: dict[str, Floats], corners: tuple[Pixel, ...] | None) -> PoseFit:
        m, board = self._material, self._material.info.board
        if corners is None:
            return fit_camera(image, cards, board, m.lens, m.info.lens)
        return pose_from_taps(image, corners, board, m.lens, m.info.lens)


class SwatchStep:
    """The same board with the swatch layout; from both pictures the calibration."""

    def __init__(self, material: Material) -> None:
        assert material.empty is not None
        assert material.bare is not None
        assert material.check is not None
        self._material = material
        self._empty, self._bare, self._check = material.empty, material.bare, material.check
        self._stillness = Stillness()
        self._image: Image | None = None

    def see(self, image: Image) -> Sight:
        """What is missing where; has anything been pushed since the empty board?"""
        seen = glance(image, self._material.info.board)
        first, still = self._image is None, self._stillness.see(image)
        self._image = image
        cards = _shown(seen)
        if self._moved(seen):
            pushed = _("Board, cards or camera have moved since the picture of the empty board: take that one again.")
            return Sight(advice=(pushed,), cards=cards)
        if not still:
            return Sight(advice=() if first else (words.moving(),), cards=cards)
        sight = self._check.see(image)
        light = words.how_it_is_lit(seen)
        missing = tuple(s.hex for s in (*sight.tiles, *sight.pieces))
        return Sight(
            advice=(*words.what_is_missing(sight), *light),
            # what only seems to lie somewhere may be a shadow of a hard lamp: people see the place, and judge
            ready=not missing and not light and not sight.board_was_not_empty,
            cards=cards,
            missing=missing,
            strays=sight.strays,
            places={h: self._place(h) for h in (*missing, *sight.strays)},
        )

    def take(self) -> bool:
        """Calibrate."""
        if self._image is None:
            return False
        m = self._material
        m.result = calibrate(self._empty, self._image, m.info, m.lens, corners=m.corners)
        return True

    def _place(self, h: Hex) -> Pixel:
        ((x, y),) = self._bare.camera.project([(*self._bare.board.centre(h), 0.0)])
        return float(x), float(y)

    def _moved(self, seen: Glance) -> bool:
        shifts = [
            float(np.linalg.norm(at - self._material.cards[name], axis=1).mean())
            for name, at in seen.cards.items()
            if name in self._material.cards
        ]
        return bool(shifts) and float(np.median(shifts)) > MAX_SHIFT_MM * self._bare.quality.px_per_mm


def _corners(seen: Glance, material: Material) -> tuple[CornerShown, ...]:
    return board_corners(seen, material.given, material.info.board)


def _shown(seen: Glance) -> tuple[CardShown, ...]:
    shown = []
    for name in CARD_CORNERS:
        at = seen.cards.get(name)
        corners = None if at is None else tuple((float(x), float(y)) for x, y in at)
        state: CardState = "outside" if name in seen.outside else "missing" if at is None else "seen"
        shown.append(CardShown(name, state, corners))
    return tuple(shown)
