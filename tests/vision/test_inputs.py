"""What the network reads: every plane is what its name says, on the scale that it was trained on."""

import dataclasses

import numpy as np
import pytest

from calibration.colours import of_class
from calibration.pictures import read_picture
from companion.vision.evidence import PixelStep
from companion.vision.inputs import CHANNELS, lab_bytes, network_inputs, plane, shrunk


@pytest.fixture(scope="module")
def evidence(table_dir, table_calibration):
    return PixelStep(table_calibration)(read_picture(table_dir / "f01.jpg"))


@pytest.fixture(scope="module")
def planes(evidence, table_calibration):
    found = network_inputs(evidence, lab_bytes(table_calibration.ground.lab()))
    return {name: plane(found, name) for name in CHANNELS}


def near(plane, values):
    """The bytes are the values rounded (half a step of float noise allowed) and clipped."""
    return np.abs(plane - np.clip(values, 0, 255)).max() <= 0.51


def test_the_picture_and_the_empty_board_are_lab_bytes(planes, evidence, table_calibration):
    for name, lab in (("picture", evidence.lab), ("reference", table_calibration.ground.lab())):
        assert near(planes[f"{name} L"], 2.55 * lab[..., 0])
        assert near(planes[f"{name} a"], 128 + lab[..., 1])
        assert near(planes[f"{name} b"], 128 + lab[..., 2])


def test_densities_go_from_minus_18_to_minus_4(planes, evidence, table_calibration):
    def byte(density):
        return (density + 18) * 255 / 14

    assert near(planes["print"], byte(evidence.ground))
    for name, i in table_calibration.colours.index.items():
        np.testing.assert_array_equal(planes[name], of_class(evidence.classes, i), name)


def test_detail_is_what_the_lab_planes_have_smoothed_away(planes, evidence):
    """Of one grey on both sides of an edge it tells the sides apart next to the edge, and nothing further off."""
    picture = np.full_like(evidence.picture, 100)
    picture[:, 300:] = 140
    seen = network_inputs(dataclasses.replace(evidence, picture=picture), lab_bytes(evidence.lab))
    step = plane(seen, "detail")
    assert (step[:, :290] == 128).all()
    assert (step[:, 310:] == 128).all()
    assert (step[:, 299] < 120).all()
    assert (step[:, 300] > 136).all()
    assert planes["detail"].std() > 1


def test_coarser_pixels_are_the_means_of_whole_blocks():
    made = [np.random.default_rng(7).integers(0, 256, (7, 9, 4), np.uint8) for _ in range(2)]
    for coarse, fine in zip(shrunk(made, 2), made, strict=True):
        blocks = fine[:6, :8].reshape(3, 2, 4, 2, 4).mean(axis=(1, 3))
        assert coarse.shape == (3, 4, 4)
        assert np.abs(coarse - blocks).max() <= 0.5
