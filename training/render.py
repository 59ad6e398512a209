"""Render training sessions: `python -m training.render --out DIR --sessions 0:100 [--frames 8] [--hands 0.14]
[--blending 0] [--ashore 0] [--sets 1] [--scale 1] [--strange | --invented] [--drawn]`.

`--stretches DIR` instead draws the pictures of the stretches of play that `bench.stretches` has written there.

Each session is one table in the form of the recognition set (`session.json`, calibration pictures, frames with their
truth); the truth also holds `pieces`: where every piece stands. A session depends on its number and the options alone,
so that any part of a set can be made again anywhere. Runs where `bpy` is installed (see README.md).
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import math
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrangement import Arrangement, Piece
from hardware.simulated.arrays import Floats
from hardware.simulated.occlusion import is_covered, land_rim
from hardware.simulated.optics import View
from hardware.simulated.plan import CORNER_SIGNS, LANDS, BoardPlan, hexagon
from hardware.simulated.session import describe_session, lens_pictures, swatch_layout
from training.arm import Limb, arm_mask, make_arm
from training.art import bare_lands, bare_sea, board_art, card, table_top, tile_faces
from training.layouts import BOARD_FILE, HAND_SHARE, STRANGE, opened, packed_layout, random_layout, teeming_layout
from training.photo import MAX_PIXELS, Sensor, Window, box_around, develop, make_sensor
from training.props import Props, Textures
from training.scene import SAMPLES, Scene
from training.shapes import SIZES_MM, Creatures, Shapes, make_shapes
from training.tables import Lighting, blending, like_lands, make_look, make_table, other_light, random_of

if TYPE_CHECKING:
    from training.raster import RasterScene

MARGIN_MM = 24.0
FAR_PIXELS = 150_000
"""The table beyond the cards is rendered coarsely: nothing is read there."""
LENS_PICTURES_FROM_DEG = 80.0
LIGHT_CHANGES = 0.25
"""In a stretch of play the light changes with so many of the pictures."""
STRETCH_TABLES = 1_000_000
"""The tables of stretches have numbers of their own, from here on: nothing is learnt from them."""
_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 97]


class Session:
    """One table, by its number; by these chances something on it is painted like its tiles or its sea, and one colour's
    explorers like its safe lands.

    `scale`: its pictures are so many times as wide and high as the recognition set's. `creatures`: see
    `training.shapes`; all else is the same. `drawn`, not path-traced; `samples` of light a pixel if it is.
    """

    def __init__(
        self,
        number: int,
        threads: int,
        blending_share: float = 0.0,
        ashore_share: float = 0.0,
        *,
        scale: float = 1.0,
        creatures: Creatures = "usual",
        drawn: bool = False,
        samples: int = SAMPLES,
    ) -> None:
        rng = self._rng = random_of(number)
        self.plan = BoardPlan.from_json(json.loads(BOARD_FILE.read_text()))
        self.look, self.view = make_table(rng, self.plan.card_corners(), scale)
        self.shapes: Shapes = make_shapes(rng, creatures)
        self.sensor: Sensor = make_sensor(rng)
        board, faces = board_art(rng), tile_faces(rng)
        textures = Textures(board, faces, table_top(rng), {c: card(i) for i, c in enumerate(CORNER_SIGNS)})
        self._faces, self._sea, self._lands = faces, bare_sea(board), bare_lands(board)
        self._blending_share, self._ashore_share, self._creatures = blending_share, ashore_share, creatures
        self._blend()
        self._outline_of = functools.lru_cache(maxsize=512)(functools.partial(_outline, self.view))
        draws = _raster_scene() if drawn else functools.partial(Scene, samples=samples)
        self._scene: Scene | RasterScene = draws(
            self.plan, Props(self.look, self.shapes, textures), self.view, rng, threads
        )
        most = round(MAX_PIXELS * scale**2)
        self._far = Window(self.view, (0, 0, *self.view.size), FAR_PIXELS)
        self._cards = Window(self.view, box_around(self.view, self.plan.card_corners()), most)
        self._board = Window(self.view, box_around(self.view, _around_board(self.plan)), most)
        self._around: Floats = np.zeros((0, 0, 3), np.float32)
        self._lens: Path | None = None
        self._exposure = 1.0
        self._white: NDArray[np.float64] = np.ones(3)

    def unpack_another_set(self) -> None:
        """Other pieces, in other paints, on the same table."""
        self.look = dataclasses.replace(self.look, paints=make_look(self._rng).paints)
        self._blend()
        self.shapes = make_shapes(self._rng, self._creatures)
        self._scene.unpack(self.look, self.shapes)

    def _blend(self) -> None:
        """By these chances something is painted like the table's tiles or its sea, or like its safe lands."""
        if self._blending_share and self._rng.random() < self._blending_share:
            self.look = blending(self._rng, self.look, self._faces, self._sea)
        if self._ashore_share and self._rng.random() < self._ashore_share:
            self.look = like_lands(self._rng, self.look, self._lands)

    def write(
        self,
        folder: Path,
        frames: int,
        packed: int = 0,
        hands: float = HAND_SHARE,
        *,
        teeming: int = 0,
        in_play: bool = False,
    ) -> None:
        """The calibration pictures and that many frames, the last `packed` of them with far more than a box holds,
        `teeming` ones before these full of creatures; the others, if they are `in_play`, as games leave the board.

        `hands`: the share of frames with an arm over the table.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._calibrate(folder)
        for i in range(1, frames + 1):
            if i > frames - packed:
                layout = packed_layout(self._rng, self.plan)
            elif i > frames - packed - teeming:
                layout = teeming_layout(self._rng, self.plan)
            else:
                layout = random_layout(self._rng, self.plan, in_play=in_play)
            self._write_frame(folder / f"f{i:02d}.jpg", layout, hands)
        self._describe(folder)

    def photograph(self, folder: Path) -> None:
        """The pictures of a stretch of play (`bench.stretches`); what nobody touches stays where it stands."""
        self._calibrate(folder)
        arrangement, lighting = self._arrange({}), self.look.lighting
        for file in sorted(folder.glob("p[0-9]*.json")):
            picture = json.loads(file.read_text())
            arrangement.put({**picture["layout"], "beyond_schema": picture.get("beyond_schema", ())})
            if self._rng.random() < LIGHT_CHANGES:
                lighting = other_light(self._rng, self.look.lighting)
            at = picture.get("hand_at")
            arm = make_arm(self._rng, self.plan.size, at) if at else []
            self._take(file.with_suffix(".jpg"), arrangement, lighting, arm)
            if arm:
                file.write_text(json.dumps(picture | self._hidden(arrangement, arm)))
        self._describe(folder)

    def _calibrate(self, folder: Path) -> None:
        if not self._around.size:  # nothing on it is another one where only the pieces are
            empty = self._arrange({})
            far, near = (self._scene.render(empty, self.look.lighting, window) for window in (self._far, self._cards))
            self._around = self._paste(self._cards, near, self._far.bend(far))
            self._set_exposure()
        self._save(folder / "calib_board.jpg", self._around)
        swatches = self._arrange(swatch_layout())
        light = self._scene.render(swatches, self.look.lighting, self._cards)
        self._save(folder / "calib_pieces.jpg", self._paste(self._cards, light, self._around))
        (folder / "calib_pieces.json").write_text(json.dumps(swatch_layout()))
        if self._is_wide and self._lens:  # the same for every set of pieces
            shutil.copytree(self._lens, folder / "lens", dirs_exist_ok=True)
        elif self._is_wide:
            self._lens = folder / "lens"
            self._lens.mkdir(exist_ok=True)
            for i, picture in enumerate(lens_pictures(self.view)):
                cv2.imwrite(str(self._lens / f"{i:02d}.jpg"), picture, _JPEG)

    @property
    def _is_wide(self) -> bool:
        return self.look.lens.view_deg > LENS_PICTURES_FROM_DEG

    def _describe(self, folder: Path) -> None:
        pose, lens = self.look.pose, self.look.lens
        words = f"lens {lens.view_deg:.0f} degrees, tilt {pose.tilt_deg:.0f} degrees, turn {pose.turn_deg:.0f} degrees"
        description = describe_session(self.plan, self.view.size, self._is_wide, words)
        (folder / "session.json").write_text(json.dumps(description, indent=1))  # last: the session is whole

    def _write_frame(self, path: Path, layout: dict[str, Any], hands: float) -> None:
        arrangement = self._arrange(layout, opened(self._rng, self.plan, layout["safe"]))
        lighting = other_light(self._rng, self.look.lighting)
        arm = make_arm(self._rng, self.plan.size) if self._rng.random() < hands else []
        self._take(path, arrangement, lighting, arm)
        truth = {
            **layout,
            "condition": {"light": _words(lighting), "hand": bool(arm)},
            "pieces": _standing(arrangement, self.shapes),
        }
        if arm:
            truth |= self._hidden(arrangement, arm)
        path.with_suffix(".json").write_text(json.dumps(truth))

    def _take(self, path: Path, arrangement: Arrangement, lighting: Lighting, arm: Sequence[Limb]) -> None:
        light = self._scene.render(arrangement, lighting, self._board, arm)
        self._save(path, self._paste(self._board, light, self._around), float(self._rng.uniform(0.2, 0.8)))

    def _arrange(self, layout: dict[str, Any], plan: BoardPlan | None = None) -> Arrangement:
        arrangement = Arrangement(plan or self.plan, self._rng, self._cover)
        arrangement.put(layout)
        return arrangement

    def _paste(self, window: Window, pinhole: Floats, around: Floats) -> Floats:
        """The window's light in the whole picture."""
        whole = around.copy()
        left, top, right, bottom = window.box
        whole[top:bottom, left:right] = window.bend(pinhole)
        return whole

    def _set_exposure(self) -> None:
        """As the camera settles on the empty board: bright parts nearly white, the light's colour mostly taken out."""
        left, top, right, bottom = self._board.box
        board = self._around[top:bottom, left:right]
        self._exposure = float(self._rng.uniform(0.5, 0.95) / max(1e-4, np.percentile(board.max(axis=2), 97)))
        tint = sum(np.array(lamp.light) for lamp in self.look.lighting.lamps) + 0.6 * np.array(
            self.look.lighting.ambient
        )
        tint = tint / tint.mean()
        self._white = tint ** -float(self._rng.uniform(0.65, 1.0)) * self._rng.normal(1, 0.03, 3)

    def _save(self, path: Path, light: Floats, follow: float = 0.0) -> None:
        """Develop and write; the exposure follows the light's change by the share `follow`."""
        change = max(1e-4, float(light.mean())) / max(1e-4, float(self._around.mean()))
        gains = self._white * self._exposure * change**-follow
        if not cv2.imwrite(str(path), develop(light, gains, self.sensor, self._rng), _JPEG):
            raise OSError(f"{path} cannot be written: is the disk full?")

    def _cover(self, a: Piece, b: Piece) -> float:
        one, other = self._outline_of(a), self._outline_of(b)
        shared, _ = cv2.intersectConvexConvex(one, other)
        return float(shared) / max(1.0, min(cv2.contourArea(one), cv2.contourArea(other)))

    def _hidden(self, arrangement: Arrangement, arm: Sequence[Limb]) -> dict[str, Any]:
        """Hexes and lands of which the arm hides more than a quarter, or of a piece there."""
        mask = arm_mask(arm, self.view)
        hexes = []
        for h in self.plan.hexes:
            place = arrangement.hexes.get(h)
            face = self.plan.centre(h) + hexagon(self.plan.side)
            outlines = [self.view.project(np.column_stack([face, np.zeros(6)])).astype(np.float32)]
            outlines += [self._outline_of(p) for p in (*place.pieces, *place.passengers())] if place else []
            if any(is_covered(mask, o) for o in outlines):
                hexes.append(list(h))
        lands = []
        for land in LANDS:
            place = arrangement.lands.get(land)
            outlines = [self.view.project(land_rim(self.plan, land)).astype(np.float32)]
            outlines += [self._outline_of(p) for p in place.pieces] if place else []
            if any(is_covered(mask, o) for o in outlines):
                lands.append(land)
        return {"occluded": hexes, "occluded_safe": lands}


def _raster_scene() -> type[RasterScene]:
    """Loaded when something is drawn: it wants OpenGL."""
    from training.raster import RasterScene

    return RasterScene


def _outline(view: View, piece: Piece) -> NDArray[np.float32]:
    """Convex outline of a piece in the picture, px (N, 2), of a box of its kind's size."""
    length, height, breadth = SIZES_MM[piece.kind]
    if piece.lying:
        height, breadth = breadth, height
    flat = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (length / 2, breadth / 2)
    c, s = math.cos(piece.yaw), math.sin(piece.yaw)
    flat = flat @ np.array([[c, s], [-s, c]]) + piece.at
    corners = np.vstack([np.column_stack([flat, np.full(4, piece.ground + z)]) for z in (0.0, height)])
    return np.asarray(cv2.convexHull(view.project(corners).astype(np.float32)), np.float32).reshape(-1, 2)


def _standing(arrangement: Arrangement, shapes: Shapes) -> list[dict[str, Any]]:
    """Every piece: kind, colour, where its middle stands (mm: east, south, up), whether it sits in a boat."""
    found = []
    for place in (*arrangement.hexes.values(), *arrangement.lands.values()):
        for boat, pieces in ((False, place.pieces), (True, place.passengers())):
            for p in pieces:
                up = shapes.slot_floor if boat else p.ground
                found.append(
                    {
                        "kind": p.kind,
                        "colour": p.colour,
                        "at": [*p.at, up],
                        "boat": boat,
                        "yaw": p.yaw,
                        "lying": p.lying,
                    }
                )
    return found


def _words(lighting: Lighting) -> str:
    strength = sum(sum(lamp.light) / 3 for lamp in lighting.lamps)
    return f"lamps {100 * strength:.0f} %, fill {100 * sum(lighting.ambient) / 3:.0f} %" + (
        ", a person's shadow" if lighting.head else ""
    )


def _around_board(plan: BoardPlan) -> NDArray[np.float64]:
    """The rim of what recognition looks at, subdivided, as a lens bends it; shape (N, 3)."""
    half = np.array(plan.size) / 2 + MARGIN_MM
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    rim = np.vstack([a + (b - a) * t for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)
                     for t in np.linspace(0, 1, 12, endpoint=False)])  # fmt: skip
    return np.column_stack([rim, np.zeros(len(rim))])


def _arguments() -> argparse.Namespace:
    """Of the command line; exits with a sentence if they do not go together."""
    parser = argparse.ArgumentParser(prog="python -m training.render", description=__doc__.splitlines()[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=Path)
    what.add_argument("--stretches", type=Path, help="draw what has been written there")
    parser.add_argument("--sessions", default="0:10", help="first:last+1[:step]")
    parser.add_argument("--frames", type=int, default=8)
    parser.add_argument("--packed", type=int, default=0, help="so many of the frames full of pieces, to learn from")
    parser.add_argument("--teeming", type=int, default=0, help="so many of them full of creatures, to learn from")
    parser.add_argument("--in-play", action="store_true", help="lay out the others as games leave the board")
    parser.add_argument("--hands", type=float, default=HAND_SHARE, help="share of the frames with an arm over it")
    parser.add_argument(
        "--blending", type=float, default=0.0, help="share of the tables with a paint like tiles or sea"
    )
    parser.add_argument(
        "--ashore", type=float, default=0.0, help="share of the tables with a paint like the safe lands"
    )
    designs = parser.add_mutually_exclusive_group()
    designs.add_argument(
        "--strange", action="store_true", help="creatures in designs that nothing is learnt from, to measure on"
    )
    designs.add_argument(
        "--invented", action="store_true", help="creatures in designs made up at random, to learn from"
    )
    parser.add_argument("--sets", type=int, default=1, help="so many sessions a table, each with pieces of its own")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="so many times the width and height of the recognition set's pictures"
    )
    parser.add_argument(
        "--drawn",
        action="store_true",
        help="draw them with OpenGL, in less than half of the time, instead of path-tracing",
    )
    parser.add_argument(
        "--samples",
        type=int,
        default=SAMPLES,
        help="of light a pixel: the more, the cleaner outlines are, and the slower",
    )
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    if (args.strange or args.invented) and args.stretches:
        parser.error(
            "--strange and --invented are for sessions; what is drawn of stretches depends on their numbers alone."
        )
    if args.scale <= 0:
        parser.error("--scale must be more than 0.")
    if args.scale != 1 and args.stretches:
        parser.error("--scale is for sessions; stretches are drawn in the recognition set's size.")
    if args.drawn and (args.stretches or args.strange):
        parser.error("--drawn is for sessions to learn from; what is measured on is path-traced.")
    if args.samples < 1:
        parser.error("--samples must be 1 or more.")
    if args.samples != SAMPLES and (args.drawn or args.stretches):
        parser.error("--samples is for sessions that are path-traced.")
    if args.packed + args.teeming > args.frames:
        parser.error("--packed and --teeming are of the --frames: there must be as many of these.")
    if args.in_play and args.stretches:
        parser.error("--in-play is for sessions; stretches are laid out already.")
    return args


def main() -> None:
    """Render the sessions that are not there yet."""
    args = _arguments()
    name = "q" if args.stretches else STRANGE if args.strange else "d" if args.drawn else "t"
    creatures: Creatures = "strange" if args.strange else "invented" if args.invented else "usual"
    first, last, *step = (int(v) for v in args.sessions.split(":"))
    for number in range(first, last, *step):
        folder = (args.stretches or args.out) / f"{name}{number:05d}"
        others = [folder.with_name(f"{folder.name}{letter}") for letter in ascii_lowercase[1 : args.sets]]
        is_done = all((f / "session.json").is_file() for f in (folder, *others))
        if is_done or (args.stretches and not folder.is_dir()):
            continue
        started = time.perf_counter()
        if args.stretches:
            Session(STRETCH_TABLES + number, args.threads).photograph(folder)
        else:
            session = Session(
                number,
                args.threads,
                args.blending,
                args.ashore,
                scale=args.scale,
                creatures=creatures,
                drawn=args.drawn,
                samples=args.samples,
            )
            session.write(folder, args.frames, args.packed, args.hands, teeming=args.teeming, in_play=args.in_play)
            for other in others:
                session.unpack_another_set()
                session.write(other, args.frames, args.packed, args.hands, teeming=args.teeming, in_play=args.in_play)
        print(f"{folder.name}: {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
