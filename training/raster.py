"""Pictures of a table drawn with OpenGL (`moderngl`; without a graphics card by Mesa): more than twice as fast as
path-traced ones, and nearly as real.

In and out: as of `scene`, whose tables these are. Lamps are squares with soft shadows and reflections; what stands in
the way of the light from all around is dark at its foot; light that the table throws back is the same everywhere.
Shadows are those of several points of every lamp and of parts of the sky, each in a map of how far its light comes
(Williams, 1978). World here: mm, x east, y north, z up.
"""

from __future__ import annotations

import functools
import math
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import moderngl
import numpy as np
from numpy.typing import NDArray

from calibration.light import to_linear
from hardware.simulated.arrangement import Arrangement, Piece
from hardware.simulated.arrays import Floats, Image, Points
from hardware.simulated.optics import View
from hardware.simulated.plan import BOARD_THICKNESS_MM, CARD_MM, BoardPlan, hexagon
from training.arm import Limb, capsule
from training.photo import Window
from training.projection import Matrix, from_camera, from_far, from_lamp, parts_of_sky, points_of, square
from training.props import (
    COAT_ROUGHNESS,
    CUT_ROUGHNESS,
    PAPER,
    SKIN_ROUGHNESS,
    TABLE_MM,
    TILE_GAP_MM,
    TILE_TEXTURE_MM,
    Props,
    laid_cards,
    poses,
    standing,
    tiles_of,
)
from training.rounding import UNIT_MM, rounded, triangles_of
from training.shapes import Mesh, Shapes
from training.tables import Lamp, Lighting, Look, Paint

POINTS, SKIES = 12, 12
"""So many points of all lamps together, and parts of the sky, throw shadows."""

LEAST_POINTS = 4
"""Of each lamp."""

LAMP_PX, SKY_PX = 768, 512
"""Sides of the maps of their shadows, which show the board and `ROUND_MM` more."""

SAMPLES = 4
"""Of every pixel's edges."""

ROUND_MM = 30.0
"""Round the board, too, there are shadows so far, and no farther."""

_OVER_MM = 0.02
"""By this the table round the board lies over the rest of it."""

_COLUMNS = 4
"""Of maps of shadows, in a picture of them all."""

_SHADERS = Path(__file__).parent / "shaders"
_CORNER = "3f 3f 2x4", "corner", "normal"
_FACED_CORNER = "3f 3f 2f", "corner", "normal", "at_texture"
_PLACE = "3f 2f 5x4 /i", "place", "turn"
_THING = "3f 2f 3f 2f /i", "place", "turn", "albedo", "lacquer"
_FACED_THING = "3f 2f 3x4 2f /i", "place", "turn", "lacquer"


class _Shadow(NamedTuple):
    """What throws a solid's shadow, its edges not rounded: corners, and which of them its triangles have."""

    corners: moderngl.Buffer
    triangles: moderngl.Buffer


@dataclass(frozen=True)
class _Solid:
    """Triangles, of which each corner has its place, its normal and its place on the texture, if any."""

    corners: moderngl.Buffer
    shadow: _Shadow
    texture: moderngl.Texture | None = None
    is_open: bool = False
    """Far from the board."""


class _Things(NamedTuple):
    """So many `copies` of a solid, and where and in which paint each stands (`_row`)."""

    solid: _Solid
    rows: moderngl.Buffer
    copies: int


class RasterScene:
    """One table under a fixed camera, drawn; `threads` to draw with (of the first table in a process)."""

    def __init__(self, plan: BoardPlan, props: Props, view: View, rng: np.random.Generator, threads: int) -> None:
        look, textures = props.look, props.textures
        self._plan, self._look, self._view = plan, look, view
        os.environ.setdefault("LP_NUM_THREADS", str(threads))  # of Mesa, when it is loaded
        self._gl = _context()
        self._lamps = len(look.lighting.lamps)
        self._points = max(LEAST_POINTS, POINTS // self._lamps)
        self._faces, self._open = self._surface("FACE"), self._surface("FACE", "OPEN")
        self._lamp_maps = self._atlas(LAMP_PX, self._lamps * self._points)
        self._sky_maps = self._atlas(SKY_PX, SKIES)
        self._radius = math.hypot(*plan.size) / 2 + ROUND_MM
        self._edge = Paint(look.edge, CUT_ROUGHNESS)
        self._bare = to_linear(np.ascontiguousarray(textures.board[::8, ::8])).mean(axis=(0, 1))[::-1]  # BGR to RGB
        self._lay_table(props, rng)
        outline = hexagon(plan.side - TILE_GAP_MM)
        self._tiles = {
            terrain: [
                self._sheet(outline, (TILE_TEXTURE_MM,) * 2, (0.0, plan.tile_thickness[terrain]), i) for i in images
            ]
            for terrain, images in textures.tiles.items()
        }
        self.unpack(look, props.shapes)

    def unpack(self, look: Look, shapes: Shapes) -> None:
        """Play with a set of pieces of these shapes, in that look's paints, from now on."""
        self._shapes, self._paints = shapes, look.paints
        self._plain = self._surface(*(["COAT"] if any(paint.coat for paint in look.paints.values()) else []))
        self._solids = {what: [self._solid(m, bevel) for m in meshes] for what, meshes, bevel in poses(shapes)}

    def render(self, arrangement: Arrangement, lighting: Lighting, window: Window, arm: Sequence[Limb] = ()) -> Floats:
        """(H, W, 3) linear RGB of that window of the pinhole picture."""
        things = self._things(arrangement, arm)
        size = window.width, window.height
        gl = self._gl
        fine = gl.framebuffer(
            [gl.renderbuffer(size, 4, samples=SAMPLES, dtype="f2")], gl.depth_renderbuffer(size, SAMPLES)
        )
        mean = gl.framebuffer([gl.renderbuffer(size, 4, dtype="f2")])
        self._tell_lights(lighting)
        self._cast_lamps(lighting.lamps, things)
        self._cast_sky(things)
        self._set("seen_from", from_camera(self._view, window))
        fine.use()
        fine.clear(*lighting.ambient)
        self._draw([*things, *reversed(self._fixed)])  # what hides the most comes first
        gl.copy_framebuffer(mean, fine)
        seen = np.frombuffer(mean.read(components=3, dtype="f2"), np.float16)
        return seen.reshape(window.height, window.width, 3).astype(np.float32)

    def _surface(self, *words: str) -> moderngl.Program:
        return _surface(self._lamps, self._points, *words)

    def _things(self, arrangement: Arrangement, arm: Sequence[Limb]) -> list[_Things]:
        """What is drawn: solids, and where and in which paint so many things of each stand."""
        found: defaultdict[_Solid, list[tuple[float, ...]]] = defaultdict(list)
        for tile in tiles_of(arrangement):
            faces = self._tiles[tile.terrain]
            face, rim = faces[tile.face % len(faces)]
            found[face].append(_row((*tile.at, 0.0), tile.yaw, self._look.tiles))
            found[rim].append(_row((*tile.at, 0.0), tile.yaw, self._edge))
        for piece in standing(arrangement, self._shapes):
            for solid in self._solids[piece.kind, piece.lying]:
                found[solid].append(_stand(piece, self._paints))
        for limb in arm:
            solid = self._solid(capsule(limb), 0.0)
            found[solid].append(_row((0.0, 0.0, 0.0), 0.0, Paint(limb.paint, SKIN_ROUGHNESS)))
        return [self._many(solid, rows) for solid, rows in found.items()]

    def _many(self, solid: _Solid, rows: Sequence[tuple[float, ...]]) -> _Things:
        return _Things(solid, self._gl.buffer(np.array(rows, np.float32).tobytes()), len(rows))

    def _lay_table(self, props: Props, rng: np.random.Generator) -> None:
        """Table top, board and cards."""
        floor = -BOARD_THICKNESS_MM
        rim = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) / 2
        fixed: list[tuple[tuple[_Solid, _Solid], tuple[float, float, float], float, Paint]] = []
        textures, look = props.textures, props.look
        yaw = -float(rng.uniform(0, 2 * math.pi))
        top = self._sheet(rim * TABLE_MM, TABLE_MM, (floor - 20, floor), textures.top, is_open=True)
        fixed.append((top, (0.0, 0.0, 0.0), yaw, look.top))
        turn = np.array([[math.cos(yaw), -math.sin(yaw)], [math.sin(yaw), math.cos(yaw)]])
        beside = rim * (np.array(self._plan.size) + 2 * ROUND_MM) @ turn  # of the table, in its own axes
        near = self._sheet(beside, TABLE_MM, (floor - 20, floor + _OVER_MM), textures.top)
        fixed.append((near, (0.0, 0.0, 0.0), yaw, look.top))
        board = self._sheet(rim * self._plan.size, self._plan.size, (floor, 0.0), textures.board)
        fixed.append((board, (0.0, 0.0, 0.0), 0.0, look.board))
        for corner, at, yaw in laid_cards(self._plan, rng):
            card = self._sheet(rim * CARD_MM, (CARD_MM, CARD_MM), (floor, floor + 0.3), textures.cards[corner])
            fixed.append((card, (*at, 0.0), yaw, PAPER))
        self._fixed = [
            self._many(solid, [_row(at, yaw, paint)])
            for (face, edge), at, yaw, of_face in fixed
            for solid, paint in ((face, of_face), (edge, self._edge))
        ]

    def _solid(self, mesh: Mesh, bevel_mm: float) -> _Solid:
        """A piece, its edges rounded."""
        with triangles_of(rounded("solid", mesh, bevel_mm)) as data:
            loops = _read(data.loop_triangles, "loops", np.int32, 3).ravel()
            places = _read(data.vertices, "co", np.float32, 3)[_read(data.loops, "vertex_index", np.int32, 1)[loops, 0]]
            corners = self._corners(places * UNIT_MM, _read(data.corner_normals, "vector", np.float32, 3)[loops])
        with triangles_of(rounded("sharp", mesh, 0.0)) as data:
            sharp = _read(data.vertices, "co", np.float32, 3) * UNIT_MM
            triangles = _read(data.loop_triangles, "vertices", np.int32, 3)
        return _Solid(corners, self._shadow(sharp, triangles))

    def _sheet(
        self,
        outline_mm: Points,
        size_mm: tuple[float, float],
        heights: tuple[float, float],
        face: Image,
        *,
        is_open: bool = False,
    ) -> tuple[_Solid, _Solid]:
        """A flat convex thing from `heights[0]` to `heights[1]`: its face textured over `size_mm` about its middle, and
        its sides."""
        flat = outline_mm * (1, -1)
        n, (low, high) = len(flat), heights
        fan = np.array([(0, i, i + 1) for i in range(1, n - 1)]).ravel()
        top = np.column_stack([flat, np.full(n, high)])[fan]
        at_texture = flat[fan] / size_mm * (1, -1) + 0.5
        upwards = np.tile((0.0, 0.0, 1.0), (len(top), 1))
        upper = _Solid(self._corners(top, upwards, at_texture), self._shadow(top), self._texture(face), is_open)
        sides, normals = [], []
        for a, b in zip(flat, np.roll(flat, -1, axis=0), strict=True):
            sides += [(*a, high), (*b, high), (*b, low), (*a, high), (*b, low), (*a, low)]
            out = np.array([b[1] - a[1], a[0] - b[0], 0.0]) / np.linalg.norm(b - a)
            normals += [out if out[:2] @ (a + b) > 0 else -out] * 6
        rim = _Solid(self._corners(np.array(sides), np.array(normals)), self._shadow(np.array(sides)))
        return upper, rim

    def _shadow(self, places: Points | Floats, triangles: NDArray[np.int32] | None = None) -> _Shadow:
        """Of corners (N, 3), three after another a triangle if nothing else is said."""
        of_each = np.arange(len(places), dtype=np.int32) if triangles is None else triangles
        return _Shadow(self._gl.buffer(places.astype(np.float32).tobytes()), self._gl.buffer(of_each.tobytes()))

    def _corners(
        self, places: Points | Floats, normals: Points | Floats, at_texture: Points | None = None
    ) -> moderngl.Buffer:
        """Of triangles (3 N rows each)."""
        texels = np.zeros((len(places), 2)) if at_texture is None else at_texture
        return self._gl.buffer(np.column_stack([places, normals, texels]).astype(np.float32).tobytes())

    def _texture(self, face: Image) -> moderngl.Texture:
        rgb = np.ascontiguousarray(face[..., ::-1])
        size = rgb.shape[1], rgb.shape[0]
        texture = self._gl.texture(size, 3, rgb.tobytes(), alignment=1, internal_format=_SRGB8)
        texture.build_mipmaps()
        texture.repeat_x = texture.repeat_y = False
        return texture

    def _atlas(self, side: int, maps: int) -> moderngl.Framebuffer:
        """So many maps of shadows, in `_COLUMNS`."""
        depth = self._gl.depth_texture((side * _COLUMNS, side * -(-maps // _COLUMNS)))
        depth.compare_func = "<="
        depth.repeat_x = depth.repeat_y = False
        return self._gl.framebuffer(depth_attachment=depth)

    def _cast_lamps(self, lamps: Sequence[Lamp], things: Sequence[_Things]) -> None:
        """The shadows of some points of every lamp."""
        points = [p for i, lamp in enumerate(lamps) for p in points_of(lamp, self._points, i / len(lamps))]
        sees = [from_lamp(point, self._radius) for point in points]
        self._set("lamp_maps", *self._cast(self._lamp_maps, LAMP_PX, sees, things))

    def _cast_sky(self, things: Sequence[_Things]) -> None:
        """The shadows of parts of the sky."""
        parts = parts_of_sky(SKIES)
        sees = [from_far(part, self._radius) for part in parts]
        self._set("sky_from", *parts)
        self._set("sky_maps", *self._cast(self._sky_maps, SKY_PX, sees, things))

    def _cast(
        self, atlas: moderngl.Framebuffer, side: int, sees: Sequence[Matrix], things: Sequence[_Things]
    ) -> list[Matrix]:
        """What leads from the world to each map, in the picture of them all (0 to 1).

        What moves throws shadows; the board and what lies round it are too flat to.
        """
        gl = self._gl
        share = np.array([side / atlas.width, side / atlas.height])
        leads = []
        atlas.use()
        atlas.clear(depth=1.0)
        gl.enable_only(moderngl.DEPTH_TEST)
        gl.polygon_offset = 1.5, 4.0
        casting = [
            (
                gl.vertex_array(
                    _depth(), [(t.solid.shadow.corners, "3f", "corner"), (t.rows, *_PLACE)], t.solid.shadow.triangles
                ),
                t,
            )
            for t in things
        ]
        for number, seen in enumerate(sees):
            row, column = divmod(number, _COLUMNS)
            gl.viewport = column * side, row * side, side, side
            _depth()["seen_from"].write(_columns(seen))
            into = np.diag([*(share / 2), 0.5, 1.0])
            into[:3, 3] = *((np.array([column, row]) + 0.5) * share), 0.5
            leads.append(into @ seen)
            for corners, thing in casting:
                corners.render(instances=thing.copies)
        gl.polygon_offset = 0.0, 0.0
        return leads

    def _tell_lights(self, lighting: Lighting) -> None:
        """What the shader knows of the lights beside their shadows."""
        lamps = lighting.lamps
        squares = [square(lamp) for lamp in lamps]
        for name, values in zip(("lamp_at", "lamp_right", "lamp_up"), zip(*squares, strict=True), strict=True):
            self._set(name, *values)
        self._set("lamp_light", *(np.array(lamp.light) for lamp in lamps))
        self._set("ambient", np.array(lighting.ambient))
        up = sum(np.array(lamp.light) * lamp.at[2] / np.linalg.norm(lamp.at) for lamp in lamps)
        self._set("bounced", self._bare * (up + np.array(lighting.ambient)))
        (x, y, z), radius = lighting.head or ((0.0, 0.0, 0.0), 0.0)
        self._set("head", np.array([x, -y, z, radius]))
        self._set("radius", np.array(self._radius))
        self._set("eye", self._view.eye * (1, -1, 1))
        for unit, (name, atlas) in enumerate(
            (("lamp_shadows", self._lamp_maps), ("sky_shadows", self._sky_maps)), start=1
        ):
            atlas.depth_attachment.use(unit)
            for program in (self._faces, self._plain):
                program[name].value = unit

    def _draw(self, things: Sequence[_Things]) -> None:
        self._gl.enable_only(moderngl.DEPTH_TEST)
        content: list[tuple[Any, ...]]
        for solid, rows, copies in things:
            if solid.texture:
                solid.texture.use(0)
                program = self._open if solid.is_open else self._faces
                content = [(solid.corners, *_FACED_CORNER), (rows, *_FACED_THING)]
            else:
                program, content = self._plain, [(solid.corners, *_CORNER), (rows, *_THING)]
            self._gl.vertex_array(program, content).render(instances=copies)

    def _set(self, name: str, *values: NDArray[np.float64]) -> None:
        """What the shaders of surfaces know, if they do: one thing, or an array."""
        for program in (self._faces, self._open, self._plain):
            if name in program:
                program[name].write(b"".join(_columns(v) for v in values))


_SRGB8 = 0x8C41  # OpenGL's name of eight bits a channel that are made linear when they are read


@functools.cache
def _context() -> moderngl.Context:
    """One for all tables."""
    gl = moderngl.create_standalone_context(backend="egl")
    gl.gc_mode = "auto"
    return gl


@functools.cache
def _surface(lamps: int, points: int, *words: str) -> moderngl.Program:
    """What draws surfaces in the light of so many lamps; `words` of its source's that are to be defined."""
    corner, surface = ((_SHADERS / f"surface.{kind}").read_text() for kind in ("vert", "frag"))
    version, rest = surface.split("\n", 1)
    told = {
        "LAMPS": lamps,
        "POINTS": points,
        "SKIES": SKIES,
        "COAT_ROUGHNESS": COAT_ROUGHNESS,
        **dict.fromkeys(words, 1),
    }
    defined = "\n".join(f"#define {name} {value}" for name, value in told.items())
    return _context().program(corner, f"{version}\n{defined}\n{rest}")


@functools.cache
def _depth() -> moderngl.Program:
    """What draws maps of shadows."""
    return _context().program(*((_SHADERS / f"depth.{kind}").read_text() for kind in ("vert", "frag")))


def _row(at: tuple[float, float, float], yaw: float, paint: Paint) -> tuple[float, ...]:
    """Of a thing at that place (mm: east, south, up), turned clockwise: what the vertex shader reads."""
    x, y, z = at
    return x, -y, z, math.cos(yaw), -math.sin(yaw), *paint.colour, paint.roughness, paint.coat


def _stand(piece: Piece, paints: dict[str, Paint]) -> tuple[float, ...]:
    return _row((*piece.at, piece.ground), piece.yaw, paints[piece.colour or piece.kind])


def _read(collection: bpy.types.bpy_prop_collection, name: str, kind: type, columns: int) -> NDArray[Any]:
    """Of a collection of Blender's, an attribute of all, a row each."""
    values: NDArray[Any] = np.empty(len(collection) * columns, kind)
    collection.foreach_get(name, values)
    return values.reshape(-1, columns)


def _columns(values: NDArray[np.float64]) -> bytes:
    """As OpenGL wants a vector or a matrix."""
    return np.ascontiguousarray(values.T, np.float32).tobytes()
