"""Solids of pieces: as large as they are to be, standing on the board, closed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from training.shapes import SIZES_MM, Mesh, make_shapes

SEEDS = range(12)


def sets(*, strange: bool = False):
    return [make_shapes(np.random.default_rng(seed), strange=strange) for seed in SEEDS]


def edges(mesh: Mesh) -> Counter[tuple[int, int]]:
    """How often each edge is walked along, in that direction."""
    return Counter((a, b) for face in mesh.faces for a, b in zip(face, (*face[1:], face[0]), strict=True))


@pytest.mark.parametrize("strange", [False, True])
@pytest.mark.parametrize("kind", ["serpent", "shark", "whale"])
def test_creatures_are_as_large_as_a_real_sets_and_stand_on_the_board(kind, strange):
    for shapes in sets(strange=strange):
        (mesh,) = shapes.solids[kind]
        np.testing.assert_allclose(np.ptp(mesh.corners, axis=0), np.array(SIZES_MM[kind])[[0, 2, 1]], rtol=0.08)
        assert mesh.corners[:, 2].min() == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("strange", [False, True])
def test_every_solid_is_closed(strange):
    for shapes in sets(strange=strange):
        for mesh in (mesh for solids in shapes.solids.values() for mesh in solids):
            walked = edges(mesh)
            assert set(walked.values()) == {1}
            assert {(b, a) for a, b in walked} == set(walked)


def test_strange_sets_have_other_creatures_and_the_same_people():
    for usual, strange in zip(sets(), sets(strange=True), strict=True):
        for solid, other in zip(usual.solids["explorer"], strange.solids["explorer"], strict=True):
            np.testing.assert_array_equal(solid.corners, other.corners)
        for kind in ("serpent", "shark", "whale"):
            assert usual.solids[kind][0].corners.shape != strange.solids[kind][0].corners.shape
