"""Find the calibrated board again in a picture: where it was, a little moved, or anywhere.

In: a calibration, a picture of the table with whatever stands on it. Out: the small motion of the board (`motion`, a
few ms), or the camera's new pose (`locate`, a quarter of a second), or None where nothing is certain. A pose is first
guessed, from the patches of the art round their old places, from the cards, or from features anywhere in the picture;
then it is sharpened on the art's patches, which hold the printed lines, and believed only if enough of them agree.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import cv2
import numpy as np
import numpy.typing as npt

from calibration.arrays import Floats, Image, Mask
from calibration.art_match import AGREE_MM, MIN_AGREEING, Art, ArtView, Aside, Motion, Tracks, brightness, is_spread
from calibration.camera import Camera
from calibration.cards import MIN_CARDS, find_cards
from calibration.model import Calibration
from calibration.pose import pose_on_points

REACH_MM = 4.8
"""How far from their places patches are looked for in every picture."""

FAR_MM = 14.4
"""And when they are not there: less than half a hex, so that none is taken for its neighbour."""

SETTLED_MM = 0.1
ROUNDS = 5
"""A pose is sharpened until the board's corners would move by less, so often at most; a step to hexes aside counts."""

CERTAIN_MM = 0.5
"""It is believed if they would then move by less than this."""

FEATURES = 2500
FEATURE_WIDTH = 1536
"""Pictures are searched for features at this width at most: a hex is then some 50 px wide, as in the calibration."""

ROUND_MM = 4.0
CARDS_ROUND = 3
"""So many cards that lie round the board as they lay, to so many mm, tell that it lies there and not whole hexes aside.
They alone tell nothing: a card may be pushed, and a board moved without its cards."""

RATIO = 0.8
"""A feature's best match must be nearer than the next by this."""

MAGSAC_MM = 3.0
MIN_FEATURES = 20
"""So many features must follow one homography of the board to some 3 mm."""


class BoardFinder:
    """Knows one board's art, and where the camera saw it last."""

    def __init__(self, calibration: Calibration) -> None:
        self._art = Art(calibration.reference_image, calibration.view, calibration.board.hex_flat_to_flat)
        self._features: tuple[Floats, npt.NDArray[np.uint8]] | None = None
        self._take(calibration)

    @property
    def calibration(self) -> Calibration:
        """The calibration with the pose that was found last."""
        return self._calibration

    def motion(self, image: Image) -> Motion | None:
        """How far the board has moved since it was found last; None if that is more than 5 mm or cannot be told."""
        return self._motion(self._view.track(image, REACH_MM), image, self._calibration.camera)

    def corner_shift(self, motion: Motion) -> float:
        """By how many mm that motion moves the corner of the board that it moves most."""
        corners = self._calibration.board.corners()[:, :2]
        return float(np.linalg.norm(motion.shift(corners), axis=1).max())

    def locate(self, image: Image) -> Calibration | None:
        """Find the board, however far it or the camera was moved, and go on from there; None if nothing is certain."""
        for guess in self._guesses(image):
            found = self._settle(image, guess)
            if found is not None:
                self._take(self._calibration.moved(found[0], self._cards(image, found[0])), found[1])
                return self._calibration
        return None

    def go_back(self, calibration: Calibration) -> None:
        """What was found last does not count: go on from that calibration of this board."""
        self._take(calibration)

    def _take(self, calibration: Calibration, view: ArtView | None = None) -> None:
        self._calibration = calibration
        self._view = view or ArtView(self._art, calibration.camera, calibration.haze)

    def _guesses(self, image: Image) -> Iterator[Camera]:
        camera = self._calibration.camera
        near = _camera_on(camera, self._view.track(image, FAR_MM))
        if near is not None:
            yield near
        carded = self._from_cards(image)
        if carded is not None:
            yield carded
        featured = self._from_features(image)
        if featured is not None:
            yield featured

    def _settle(self, image: Image, camera: Camera) -> tuple[Camera, ArtView] | None:
        """The pose met on the art's patches, from within some mm; None if they do not agree."""
        best: tuple[float, Camera, ArtView] | None = None
        corners = self._calibration.board.corners()
        for turn in range(ROUNDS):
            view = ArtView(self._art, camera, self._calibration.haze)
            tracks = view.track(image, REACH_MM)
            motion = self._motion(tracks, image, camera)
            shift = math.inf if motion is None else self.corner_shift(motion)
            if best is None or shift < best[0]:
                best = shift, camera, view
            # a guess is sharpened once in any case: a shift and a turn do not show a change of tilt
            if tracks.aside is not None:
                better = _camera_aside(camera, tracks.aside, corners)
            else:
                better = None if turn and shift < SETTLED_MM else _camera_on(camera, tracks)
            if better is None:
                break
            camera = better
        assert best is not None
        return best[1:] if best[0] < CERTAIN_MM else None

    def _motion(self, tracks: Tracks, image: Image, camera: Camera) -> Motion | None:
        """What is certain of it through that camera; cards decide where the print hardly tells which hex is which."""
        if tracks.motion is not None or tracks.likely is None:
            return tracks.motion
        off = self._off(find_cards(image, self._calibration.board), camera)
        return tracks.likely if sum(by < ROUND_MM for by in off.values()) >= CARDS_ROUND else None

    def _cards(self, image: Image, camera: Camera) -> dict[str, list[tuple[float, float]]]:
        """Where the cards lie in the picture that this camera took.

        If those in sight tell that only the camera was moved, the others lie round the board as they lay.
        """
        lay, height = self._calibration, -self._calibration.board.thickness
        cards = find_cards(image, lay.board)
        in_picture = self._off(cards, lay.camera)
        round_board = self._off(cards, camera)
        stayed = [name for name, by in round_board.items() if by < min(ROUND_MM, in_picture[name])]
        if len(stayed) >= MIN_CARDS:
            for name, at in lay.cards.items():
                if name not in cards:
                    ground = lay.camera.ground(at, height)
                    cards[name] = camera.project(np.column_stack([ground, np.full(len(ground), height)]))
        return {name: [(float(x), float(y)) for x, y in at] for name, at in cards.items()}

    def _off(self, seen: Mapping[str, Floats], camera: Camera) -> dict[str, float]:
        """By how many mm each card lies aside from where it lay round the board, if that camera sees it there."""
        lay, height = self._calibration, -self._calibration.board.thickness
        both = [(name, lay.cards[name], at) for name, at in seen.items() if name in lay.cards]
        return {
            name: float(np.linalg.norm(camera.ground(at, height) - lay.camera.ground(lay_at, height), axis=1).mean())
            for name, lay_at, at in both
        }

    def _from_cards(self, image: Image) -> Camera | None:
        """The pose in which the cards lie where they lay: right if only the camera was moved."""
        board, camera = self._calibration.board, self._calibration.camera
        seen = find_cards(image, board)
        both = [name for name in self._calibration.cards if name in seen]
        if len(both) < MIN_CARDS:
            return None
        lay = np.concatenate([camera.ground(self._calibration.cards[name], -board.thickness) for name in both])
        points = np.column_stack([lay, np.full(len(lay), -board.thickness)])
        return pose_on_points(camera, points, np.concatenate([seen[name] for name in both]), AGREE_MM)

    def _from_features(self, image: Image) -> Camera | None:
        """The pose that most features of the art agree on, wherever the board lies."""
        if self._features is None:
            at, told = _features(brightness(self._calibration.reference_image))
            self._features = self._calibration.view.mm(at), told
        points, described = self._features
        shrink = max(1.0, image.shape[1] / FEATURE_WIDTH)
        size = round(image.shape[1] / shrink), round(image.shape[0] / shrink)
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if shrink > 1 else image
        at, told = _features(brightness(small))
        if min(len(at), len(points)) < MIN_FEATURES:
            return None
        pixels = (at + 0.5) * shrink - 0.5
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(told, described, 2)
        good = [first for first, second in pairs if first.distance < RATIO * second.distance]
        if len(good) < MIN_FEATURES:
            return None
        lay, seen = points[[m.trainIdx for m in good]], pixels[[m.queryIdx for m in good]]
        camera = self._calibration.camera
        # in mm through the old camera, which takes the lens's distortion out of the homography
        agree = _consensus(lay, camera.ground(seen), MAGSAC_MM)
        if agree.sum() < MIN_FEATURES or not is_spread(lay[agree]):
            return None
        flat = np.column_stack([lay[agree], np.zeros(agree.sum())])
        return pose_on_points(camera, flat, seen[agree], AGREE_MM)


def _camera_on(camera: Camera, tracks: Tracks) -> Camera | None:
    """That camera moved to where most patches were seen, of those like no other place or of all; None if few agree."""
    unlike = tracks.unlike
    return _camera_at(camera, tracks.points[unlike], tracks.shifts[unlike]) or _camera_at(
        camera, tracks.points, tracks.shifts
    )


def _camera_aside(camera: Camera, aside: Aside, corners: Floats) -> Camera | None:
    """That camera moved so that the board lies aside in its picture; `corners` of the board, 4 x 3, mm."""
    lie = np.column_stack([aside.places(corners[:, :2]), np.zeros(len(corners))])
    return pose_on_points(camera, corners, camera.project(lie), AGREE_MM)


def _camera_at(camera: Camera, points: Floats, shifts: Floats) -> Camera | None:
    if len(points) < MIN_AGREEING:
        return None
    agree = _consensus(points, points + shifts, AGREE_MM)
    if agree.sum() < MIN_AGREEING or not is_spread(points[agree]):
        return None
    level = np.zeros((agree.sum(), 1))
    pixels = camera.project(np.hstack([(points + shifts)[agree], level]))
    return pose_on_points(camera, np.hstack([points[agree], level]), pixels, AGREE_MM)


def _consensus(points: Floats, seen: Floats, within: float) -> Mask:
    """Which pairs (N x 2 each, mm) follow the homography of the board that most follow (MAGSAC++)."""
    _, mask = cv2.findHomography(points, seen, cv2.USAC_MAGSAC, within, maxIters=5000, confidence=0.999)
    return np.zeros(len(points), bool) if mask is None else np.asarray(mask.ravel() > 0)


def _features(grey: npt.NDArray[np.uint8]) -> tuple[Floats, npt.NDArray[np.uint8]]:
    """Where features are (N x 2, px) and what they look like (N x 32 bytes)."""
    detector = cv2.ORB_create(FEATURES, fastThreshold=5)  # type: ignore[attr-defined]  # OpenCV's stub lacks it
    at, told = detector.detectAndCompute(grey, None)
    if told is None:
        return np.empty((0, 2)), np.empty((0, 32), np.uint8)
    return np.array([k.pt for k in at], float), np.asarray(told, np.uint8)
