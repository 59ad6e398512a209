"""Solids of pieces: as large as they are to be, standing on the board, closed."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import get_args

import cv2
import numpy as np
import pytest

from training.shapes import SIZES_MM, Creatures, Mesh, make_shapes

SEEDS = range(12)


def sets(creatures: Creatures = "usual"):
    return [make_shapes(np.random.default_rng(seed), creatures) for seed in SEEDS]


def edges(mesh: Mesh) -> Counter[tuple[int, int]]:
    """How often each edge is walked along, in that direction."""
    return Counter((a, b) for face in mesh.faces for a, b in zip(face, (*face[1:], face[0]), strict=True))


@pytest.mark.parametrize("creatures", get_args(Creatures))
@pytest.mark.parametrize("kind", ["serpent", "shark", "whale"])
def test_creatures_are_as_large_as_a_real_sets_and_stand_on_the_board(kind, creatures):
    for shapes in sets(creatures):
        (mesh,) = shapes.solids[kind]
        np.testing.assert_allclose(np.ptp(mesh.corners, axis=0), np.array(SIZES_MM[kind])[[0, 2, 1]], rtol=0.08)
        assert mesh.corners[:, 2].min() == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("creatures", get_args(Creatures))
def test_every_solid_is_closed(creatures):
    for shapes in sets(creatures):
        for mesh in (mesh for solids in shapes.solids.values() for mesh in solids):
            walked = edges(mesh)
            assert set(walked.values()) == {1}
            assert {(b, a) for a, b in walked} == set(walked)


@pytest.mark.parametrize("creatures", get_args(Creatures))
def test_faces_are_walked_round_as_seen_from_outside(creatures):
    for shapes in sets(creatures):
        for mesh in (mesh for solids in shapes.solids.values() for mesh in solids):
            corners = [mesh.corners[list(face)] for face in mesh.faces]
            fans = [(c[0], c[i], c[i + 1]) for c in corners for i in range(1, len(c) - 1)]
            assert np.linalg.det(np.array(fans)).sum() > 0  # six times the volume


def silhouette(mesh: Mesh) -> np.ndarray:
    """The side view, 8 px a mm."""
    drawn = np.zeros((360, 360), np.uint8)
    for face in mesh.faces:
        flat = mesh.corners[list(face)][:, [0, 2]] * 8 + (180, 20)
        cv2.fillPoly(drawn, [np.round(flat).astype(np.int32)], 1)
    return drawn > 0


@pytest.mark.parametrize("kind", ["serpent", "shark", "whale"])
def test_no_strange_creature_looks_like_a_usual_one(kind):
    usual, strange = ([silhouette(s.solids[kind][0]) for s in sets(of)] for of in ("usual", "strange"))
    assert max((a & b).sum() / (a | b).sum() for a in usual for b in strange) < 0.85  # two of a design: 0.88 and more


@pytest.mark.parametrize("kind", ["serpent", "shark", "whale"])
def test_no_two_sets_have_the_same_invented_creature(kind):
    drawn = [silhouette(shapes.solids[kind][0]) for shapes in sets("invented")]
    assert max((a & b).sum() / (a | b).sum() for a, b in itertools.combinations(drawn, 2)) < 0.9


@pytest.mark.parametrize("creatures", ["strange", "invented"])
def test_sets_with_other_creatures_differ_from_usual_ones_by_these_alone(creatures):
    for seed in SEEDS:
        one, other = np.random.default_rng(seed), np.random.default_rng(seed)
        usual, strange = make_shapes(one), make_shapes(other, creatures)
        for kind in ("explorer", "boat"):
            for solid, same in zip(usual.solids[kind], strange.solids[kind], strict=True):
                np.testing.assert_array_equal(solid.corners, same.corners)
            assert usual.bevel[kind] == strange.bevel[kind]
        assert usual.slot_floor == strange.slot_floor
        assert one.random() == other.random()  # what is made of it next is the same, too
