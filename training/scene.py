"""Path-traced pictures of a table, with Blender as a module (`bpy`).

In: a `Look`, solids, textures, an arrangement. Out: linear RGB pictures as a pinhole camera sees them; `photo` turns
them into what a small camera delivers. World here: x east, y north, z up, 1 unit = 10 mm.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OPENCV_IO_ENABLE_OPENEXR", "1")

import bpy  # isort: skip - before bmesh, which it brings along
import bmesh
import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.arrangement import Arrangement, Piece, Tile
from hardware.simulated.arrays import Floats, Image
from hardware.simulated.optics import View
from hardware.simulated.plan import BOARD_THICKNESS_MM, CARD_MM, BoardPlan, hexagon
from training.arm import Limb, capsule
from training.photo import Window
from training.props import (
    COAT_ROUGHNESS,
    CUT_ROUGHNESS,
    PAPER,
    SKIN_ROUGHNESS,
    TABLE_MM,
    TILE_GAP_MM,
    TILE_TEXTURE_MM,
    Props,
    Textures,
    laid_cards,
    poses,
    standing,
    tiles_of,
)
from training.rounding import UNIT_MM, rounded
from training.shapes import Shapes
from training.tables import Lighting, Look, Paint, Rgb

SAMPLES = 1
"""Of light a pixel, if nothing else is said. One leaves outlines ragged."""

BOUNCES = 1
"""Of light from thing to thing: the second and third took a quarter of the time."""


class Scene:
    """One table under a fixed camera; `threads` to render with, `samples` of light a pixel."""

    def __init__(
        self,
        plan: BoardPlan,
        props: Props,
        view: View,
        rng: np.random.Generator,
        threads: int,
        *,
        samples: int = SAMPLES,
    ) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        look, shapes, textures = props.look, props.shapes, props.textures
        self._plan, self._look, self._view = plan, look, view
        self._scene = bpy.context.scene
        self._set_up_cycles(threads, samples)
        self._files = tempfile.TemporaryDirectory()
        cut = Paint(look.edge, CUT_ROUGHNESS)
        self._edge = self._material("edge", cut)
        self.unpack(look, shapes)
        self._faces = {
            terrain: [self._material(f"{terrain}{i}", look.tiles, image) for i, image in enumerate(images)]
            for terrain, images in textures.tiles.items()
        }
        self._lay_table(textures, rng)
        self._moving: list[bpy.types.Object] = []
        self._arm_paints: dict[Rgb, bpy.types.Material] = {}

    def unpack(self, look: Look, shapes: Shapes) -> None:
        """Play with a set of pieces of these shapes, in that look's paints, from now on."""
        self._shapes = shapes
        self._paints = {name: self._material(name, paint) for name, paint in look.paints.items()}
        self._meshes = {
            what: [_kept(rounded(f"{what[0]}{i}", m, bevel)) for i, m in enumerate(meshes)]
            for what, meshes, bevel in poses(shapes)
        }

    def render(self, arrangement: Arrangement, lighting: Lighting, window: Window, arm: Sequence[Limb] = ()) -> Floats:
        """(H, W, 3) linear RGB of that window of the pinhole picture."""
        for thing in self._moving:
            bpy.data.objects.remove(thing, do_unlink=True)
        self._moving = []
        for lamp in [light for light in bpy.data.lights if light.users == 0]:
            bpy.data.lights.remove(lamp)
        for mesh in [m for m in bpy.data.meshes if m.users == 0]:
            bpy.data.meshes.remove(mesh)
        self._light(lighting)
        for tile in tiles_of(arrangement):
            self._lay_tile(tile)
        for piece in standing(arrangement, self._shapes):
            self._stand(piece)
        for limb in arm:
            self._reach(limb)
        self._aim(window)
        path = Path(self._files.name) / "picture.exr"
        self._scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        seen = cv2.imread(str(path), cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH)
        assert seen is not None
        return np.ascontiguousarray(seen[..., 2::-1], np.float32)

    def _set_up_cycles(self, threads: int, samples: int) -> None:
        scene = self._scene
        scene.render.engine = "CYCLES"
        cycles = scene.cycles
        cycles.device = "CPU"
        cycles.samples = samples
        cycles.use_adaptive_sampling = False
        cycles.use_denoising = True
        cycles.denoiser = "OPENIMAGEDENOISE"
        cycles.denoising_quality = "FAST"
        cycles.denoising_prefilter = "NONE"
        cycles.max_bounces = cycles.diffuse_bounces = cycles.glossy_bounces = BOUNCES
        cycles.transmission_bounces = cycles.volume_bounces = cycles.transparent_max_bounces = 0
        cycles.caustics_reflective = cycles.caustics_refractive = False
        cycles.sample_clamp_indirect = 4.0
        render = scene.render
        render.use_persistent_data = True
        render.threads_mode, render.threads = "FIXED", threads
        render.image_settings.file_format = "OPEN_EXR"
        render.image_settings.color_depth = "16"
        scene.view_settings.view_transform = "Raw"
        scene.world = bpy.data.worlds.new("room")
        scene.world.use_nodes = True

    def _material(self, name: str, paint: Paint, image: Image | None = None) -> bpy.types.Material:
        material = bpy.data.materials.new(name)
        material.use_nodes = True
        shader = material.node_tree.nodes["Principled BSDF"]
        shader.inputs["Base Color"].default_value = (*paint.colour, 1)
        shader.inputs["Roughness"].default_value = paint.roughness
        shader.inputs["Coat Weight"].default_value = paint.coat
        shader.inputs["Coat Roughness"].default_value = COAT_ROUGHNESS
        if image is not None:
            path = Path(self._files.name) / f"{name}.png"
            cv2.imwrite(str(path), image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            node = material.node_tree.nodes.new("ShaderNodeTexImage")
            node.image = bpy.data.images.load(str(path))
            node.extension = "EXTEND"
            material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
        return material

    def _sheet(self, outline_mm: NDArray[np.float64], size_mm: tuple[float, float], heights: tuple[float, float],
               face: bpy.types.Material) -> bpy.types.Object:  # fmt: skip
        """A flat thing from `heights[0]` to `heights[1]`: its face textured over `size_mm` about its middle, its sides
        cardboard."""
        name, n = face.name, len(outline_mm)
        flat = outline_mm * (1, -1)
        corners = [(*p, heights[1]) for p in flat] + [(*p, heights[0]) for p in flat]
        faces = [tuple(range(n)), *((i, n + i, n + (i + 1) % n, (i + 1) % n) for i in range(n))]
        data = bpy.data.meshes.new(name)
        data.from_pydata((np.array(corners) / UNIT_MM).tolist(), [], [list(f) for f in faces])
        layer = data.uv_layers.new()
        for polygon in data.polygons:
            polygon.material_index = 0 if polygon.index == 0 else 1
            for loop in polygon.loop_indices:
                x, y, _ = corners[data.loops[loop].vertex_index]
                layer.data[loop].uv = (x / size_mm[0] + 0.5, y / size_mm[1] + 0.5)
        data.materials.append(face)
        data.materials.append(self._edge)
        work = bmesh.new()
        work.from_mesh(data)
        bmesh.ops.recalc_face_normals(work, faces=work.faces)
        work.to_mesh(data)
        work.free()
        return self._link(name, data)

    def _link(self, name: str, data: bpy.types.ID) -> bpy.types.Object:
        thing = bpy.data.objects.new(name, data)
        self._scene.collection.objects.link(thing)
        return thing

    def _lay_table(self, textures: Textures, rng: np.random.Generator) -> None:
        rim = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) / 2
        floor = -BOARD_THICKNESS_MM
        top = self._material("top", self._look.top, textures.top)
        table = self._sheet(rim * TABLE_MM, TABLE_MM, (floor - 20, floor), top)
        table.rotation_euler.z = float(rng.uniform(0, 2 * math.pi))
        board = self._material("board", self._look.board, textures.board)
        self._sheet(rim * self._plan.size, self._plan.size, (floor, 0.0), board)
        for corner, (x, y), yaw in laid_cards(self._plan, rng):
            paper = self._material(f"card{corner}", PAPER, textures.cards[corner])
            card = self._sheet(rim * CARD_MM, (CARD_MM, CARD_MM), (floor, floor + 0.3), paper)
            card.location = (x / UNIT_MM, -y / UNIT_MM, 0)
            card.rotation_euler.z = -yaw

    def _lay_tile(self, tile: Tile) -> None:
        faces = self._faces[tile.terrain]
        outline = hexagon(self._plan.side - TILE_GAP_MM)
        height = self._plan.tile_thickness[tile.terrain]
        size = (TILE_TEXTURE_MM, TILE_TEXTURE_MM)
        thing = self._sheet(outline, size, (0.0, height), faces[tile.face % len(faces)])
        thing.location = (tile.at[0] / UNIT_MM, -tile.at[1] / UNIT_MM, 0)
        thing.rotation_euler.z = -tile.yaw
        self._moving.append(thing)

    def _stand(self, piece: Piece) -> None:
        paint = self._paints[piece.colour or piece.kind]
        for mesh in self._meshes[piece.kind, piece.lying]:
            thing = self._link(piece.kind, mesh)
            if not mesh.materials:
                mesh.materials.append(None)
            slot = thing.material_slots[0]
            slot.link = "OBJECT"
            slot.material = paint
            thing.location = (piece.at[0] / UNIT_MM, -piece.at[1] / UNIT_MM, piece.ground / UNIT_MM)
            thing.rotation_euler.z = -piece.yaw
            self._moving.append(thing)

    def _reach(self, limb: Limb) -> None:
        """A tapered capsule as a row of merged rings."""
        data = rounded("limb", capsule(limb), 0.0)
        if limb.paint not in self._arm_paints:
            self._arm_paints[limb.paint] = self._material("limb", Paint(limb.paint, SKIN_ROUGHNESS))
        data.materials.append(self._arm_paints[limb.paint])
        thing = self._link("limb", data)
        self._moving.append(thing)

    def _light(self, lighting: Lighting) -> None:
        background = self._scene.world.node_tree.nodes["Background"]
        background.inputs[0].default_value = (*lighting.ambient, 1)
        for lamp in lighting.lamps:
            data = bpy.data.lights.new("lamp", "AREA")
            data.shape, data.size = "SQUARE", lamp.side / UNIT_MM
            at = np.array(lamp.at) * (1, -1, 1) / UNIT_MM
            far = float(np.linalg.norm(at))
            # a square lamp of power P that looks at the board gives it P / (pi far^2): radiance of white is that / pi
            data.energy = float(math.pi * far**2 * math.pi) * max(lamp.light)
            data.color = tuple(c / max(lamp.light) for c in lamp.light)
            thing = self._link("lamp", data)
            thing.location = at
            thing.rotation_mode = "QUATERNION"
            thing.rotation_quaternion = _look_down(at)
            thing.visible_camera = False
            self._moving.append(thing)
        if lighting.head:
            (x, y, z), radius = lighting.head
            mesh = bpy.data.meshes.new("head")
            work = bmesh.new()
            bmesh.ops.create_icosphere(work, subdivisions=3, radius=radius / UNIT_MM)
            work.to_mesh(mesh)
            work.free()
            thing = self._link("head", mesh)
            thing.location = (x / UNIT_MM, -y / UNIT_MM, z / UNIT_MM)
            thing.visible_camera = thing.visible_glossy = thing.visible_diffuse = False
            self._moving.append(thing)

    def _aim(self, window: Window) -> None:
        camera = self._scene.camera
        if camera is None:
            camera = self._link("camera", bpy.data.cameras.new("camera"))
            self._scene.camera = camera
            camera.data.clip_start, camera.data.clip_end = 1.0, 1000.0
            camera.data.sensor_fit = "HORIZONTAL"
            right, down, forward = self._view.rotation * (1, -1, -1)  # (east, south, down) to (east, north, up)
            turn = np.stack([right, -down, -forward], axis=1)
            x, y, z = self._view.eye
            matrix = np.eye(4)
            matrix[:3, :3] = turn
            matrix[:3, 3] = (x / UNIT_MM, -y / UNIT_MM, z / UNIT_MM)
            camera.matrix_world = _matrix(matrix)
        width, height = window.width, window.height
        camera.data.sensor_width = 36.0
        camera.data.lens = 36.0 * window.focal / width
        # the principal point, measured from the window's middle; pixel centres lie at whole numbers
        camera.data.shift_x = (width / 2 - window.centre[0] - 0.5) / width
        camera.data.shift_y = (window.centre[1] + 0.5 - height / 2) / width
        render = self._scene.render
        render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100


def _kept(mesh: bpy.types.Mesh) -> bpy.types.Mesh:
    """Shared by all pieces of a kind, also while none stands on the table."""
    mesh.use_fake_user = True
    return mesh


def _matrix(values: NDArray[np.float64]) -> object:
    from mathutils import Matrix

    return Matrix(values.tolist())


def _look_down(at: NDArray[np.float64]) -> object:
    """The rotation of a lamp at that point that shines on the origin."""
    from mathutils import Vector

    return Vector((-at).tolist()).to_track_quat("-Z", "Y")
