"""Paints sheets, shadows and shaded faces into a canvas, as the camera sees them.

In: world geometry in mm (x east, y south, h up from the board's face). Out: changes in place of a supersampled canvas
(H, W, 3) uint8 BGR, under even light.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrays import Floats, Image, Points
from hardware.simulated.optics import SUPERSAMPLE, View
from hardware.simulated.solids import Solid
from hardware.simulated.styles import Lamp
from hardware.simulated.texture import Bgr

_SHIFT = 3  # sub-pixel bits of OpenCV's drawing functions
_SHADOW_DEPTH = 0.62
_LACQUER = 30.0


@dataclass(frozen=True)
class Sheet:
    """Something flat with a picture on it: its outline (N, 2) in mm about its middle, where and how it lies."""

    texture: Image
    px_per_mm: float
    outline: Points
    at: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    h: float = 0.0

    def edge(self) -> Points:
        """The outline in the world, shape (N, 3)."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        flat = self.outline @ np.array([[c, s], [-s, c]]) + np.array(self.at)
        return np.column_stack([flat, np.full(len(flat), self.h)])


class Painter:
    """Knows the view and the lamps."""

    def __init__(self, view: View, lamps: tuple[Lamp, ...], ambient: float) -> None:
        self.view = view
        self._lamps = lamps
        self._ambient = ambient
        self._total = ambient + sum(lamp.share for lamp in lamps)

    def blank(self) -> Image:
        """A black canvas."""
        width, height = (side * SUPERSAMPLE for side in self.view.size)
        return np.zeros((height, width, 3), np.uint8)

    def finish(self, canvas: Image) -> Image:
        """The canvas averaged down to the size of the picture."""
        return np.asarray(cv2.resize(canvas, self.view.size, interpolation=cv2.INTER_AREA), np.uint8)

    def cover(self, canvas: Image, sheet: Sheet) -> None:
        """Fill the whole canvas with a sheet's plane; beyond its edge the picture is mirrored."""
        canvas[:] = self._look(sheet, 0, 0, canvas.shape[1], canvas.shape[0])

    def lay(self, canvas: Image, sheet: Sheet) -> None:
        """Draw a sheet."""
        height, width = canvas.shape[:2]
        edge = self.view.fine(sheet.edge())
        left, top = (int(v) for v in np.clip(np.floor(edge.min(axis=0)), 0, (width, height)))
        right, bottom = (int(v) for v in np.clip(np.ceil(edge.max(axis=0)) + 1, 0, (width, height)))
        if left >= right or top >= bottom:
            return
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillPoly(mask, [_fixed(edge - (left, top))], 255, cv2.LINE_8, _SHIFT)
        cv2.copyTo(self._look(sheet, left, top, right, bottom), mask, canvas[top:bottom, left:right])

    def _look(self, sheet: Sheet, left: int, top: int, right: int, bottom: int) -> Image:
        """What a window of the canvas sees of the sheet's endless plane."""
        x, y = self.view.plane(sheet.h, left, top, right, bottom)
        x, y = x - np.float32(sheet.at[0]), y - np.float32(sheet.at[1])
        c, s = np.float32(math.cos(sheet.turn)), np.float32(math.sin(sheet.turn))
        rows, columns = sheet.texture.shape[:2]
        u = (c * x + s * y) * np.float32(sheet.px_per_mm) + np.float32((columns - 1) / 2)
        v = (c * y - s * x) * np.float32(sheet.px_per_mm) + np.float32((rows - 1) / 2)
        seen = cv2.remap(sheet.texture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(seen, np.uint8)

    def faces(self, canvas: Image, solid: Solid, paint: Bgr) -> None:
        """Draw the faces turned to the camera, far ones first, shaded by the lamps, upper edges paler."""
        to_eye = self.view.eye - solid.middles
        shown = np.flatnonzero(np.einsum("ij,ij->i", solid.normals, to_eye) > 0)
        outlines = solid.split(_fixed(self.view.fine(solid.corners)))
        colours = np.outer(solid.tones * self._shade(solid), paint) + self._shine(solid, to_eye)[:, None]
        for i in sorted(shown, key=lambda i: -float(to_eye[i] @ to_eye[i])):
            cv2.fillPoly(canvas, [outlines[i]], colours[i].clip(0, 255).tolist(), cv2.LINE_AA, _SHIFT)
            if solid.normals[i, 2] > 0.4:
                worn = (1.18 * colours[i] + 6).clip(0, 255).tolist()
                cv2.polylines(canvas, [outlines[i]], True, worn, 1, cv2.LINE_AA, _SHIFT)

    def shadows(self, canvas: Image, solids: list[tuple[Solid, float]], blur_px: float) -> None:
        """Darken the ground: one soft shadow a lamp of each (solid, height of the level that it stands on)."""
        height, width = canvas.shape[:2]
        light = np.ones((height // SUPERSAMPLE, width // SUPERSAMPLE), np.float32)
        for lamp in self._lamps:
            mask = np.zeros(light.shape, np.uint8)
            for solid, ground in solids:
                lit = np.einsum("ij,ij->i", solid.normals, _towards(lamp, solid.middles)) > 0
                outlines = solid.split(_fixed(self.view.project(fall(solid.corners, lamp, ground))))
                for i in np.flatnonzero(lit):  # their shadows are the whole shadow
                    cv2.fillPoly(mask, [outlines[i]], 255, cv2.LINE_8, _SHIFT)
            soft = cv2.GaussianBlur(mask, (0, 0), blur_px).astype(np.float32) / 255
            light -= np.float32(_SHADOW_DEPTH * lamp.share / self._total) * soft
        gain = cv2.resize(_encode(light), (width, height), interpolation=cv2.INTER_LINEAR)
        cv2.multiply(canvas, cv2.merge([gain, gain, gain]), canvas, scale=1 / 255)

    def _shade(self, solid: Solid) -> Points:
        """Brightness (F,) of the faces next to a level one's 1, in the picture's gamma-encoded scale."""
        light = self._ambient * (0.72 + 0.28 * solid.normals[:, 2])
        for lamp in self._lamps:
            ray = _towards(lamp, solid.middles)
            cosine = np.einsum("ij,ij->i", solid.normals, ray) / np.linalg.norm(ray, axis=1)
            light = light + lamp.share * np.maximum(cosine, 0)
        return np.asarray((light / self._total) ** 0.6, np.float64)

    def _shine(self, solid: Solid, to_eye: Points) -> Points:
        """Grey levels (F,) that the lacquer's reflection of the lamps adds to each face."""
        shine = np.zeros(len(to_eye))
        for lamp in self._lamps:
            ray = _towards(lamp, solid.middles)
            half = ray / np.linalg.norm(ray, axis=1)[:, None] + to_eye / np.linalg.norm(to_eye, axis=1)[:, None]
            cosine = np.einsum("ij,ij->i", solid.normals, half) / np.linalg.norm(half, axis=1)
            shine += _LACQUER * lamp.share * np.maximum(cosine, 0) ** 10
        return shine


def _towards(lamp: Lamp, points: Points) -> Points:
    """From points (N, 3) to the lamp, not normalised."""
    return np.array([lamp.east, lamp.south, lamp.height]) - points


def fall(points: Points, lamp: Lamp, ground: float) -> Points:
    """Where the shadows of points (N, 3) fall on the level at height `ground`, shape (N, 3)."""
    reach = (points[:, 2:] - ground) / (lamp.height - points[:, 2:])
    fallen = points[:, :2] - (np.array([lamp.east, lamp.south]) - points[:, :2]) * reach
    return np.column_stack([fallen, np.full(len(fallen), ground)])


def _encode(light: Floats) -> Image:
    """Linear brightness 0..1 as a gamma-encoded gain 0..255."""
    return np.asarray(np.clip(light, 0.02, 1) ** 0.7 * 255, np.uint8)


def _fixed(points: Points) -> NDArray[np.int32]:
    """Pixels as OpenCV's fixed-point numbers."""
    return np.asarray(np.round(points * 2**_SHIFT), np.int32)
