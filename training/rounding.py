"""Solids with rounded edges, as Blender's meshes.

In: a `Mesh` of `shapes` or `arm`. Out: a `bpy.types.Mesh`, 1 unit = 10 mm, smooth but for its sharp edges.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator

import bpy  # isort: skip - before bmesh, which it brings along
import bmesh

from training.shapes import Mesh

UNIT_MM = 10.0


def rounded(name: str, mesh: Mesh, bevel_mm: float) -> bpy.types.Mesh:
    """The mesh with edges rounded by `bevel_mm`."""
    data = bpy.data.meshes.new(name)
    data.from_pydata((mesh.corners / UNIT_MM).tolist(), [], [list(f) for f in mesh.faces])
    work = bmesh.new()
    work.from_mesh(data)
    bmesh.ops.recalc_face_normals(work, faces=work.faces)
    if bevel_mm:
        _bevel(work, bevel_mm)
    for face in work.faces:
        face.smooth = True
    work.to_mesh(data)
    work.free()
    data.set_sharp_from_angle(angle=math.radians(38))
    return data


@contextlib.contextmanager
def triangles_of(mesh: bpy.types.Mesh) -> Iterator[bpy.types.Mesh]:
    """The mesh with its triangles told, for as long as they are looked at; then it is gone."""
    mesh.calc_loop_triangles()
    yield mesh
    bpy.data.meshes.remove(mesh)


def _bevel(work: bmesh.types.BMesh, bevel_mm: float) -> None:
    sharp = [e for e in work.edges if len(e.link_faces) == 2 and e.calc_face_angle(0.0) > math.radians(40)]
    bmesh.ops.bevel(
        work, geom=sharp, offset=bevel_mm / UNIT_MM, segments=2, profile=0.6, affect="EDGES", clamp_overlap=True
    )
