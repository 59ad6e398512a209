"""A photograph of a real board is measured where it is at hand, and drawn only into a folder that was named."""

import shutil

import cv2
import numpy as np
import pytest

from bench import pose


@pytest.mark.skipif(not pose.PHOTO.is_file(), reason=f"the photograph of a real board is not at hand ({pose.PHOTO})")
def test_the_photograph_has_a_row_and_an_overlay(tmp_path, capsys):
    pose.print_photograph(tmp_path / "drawn")
    row = next(line for line in capsys.readouterr().out.splitlines() if pose.PHOTO.stem in line)
    assert 0.0 < float(row.split()[1]) < 0.5
    (drawn,) = (tmp_path / "drawn").iterdir()
    height, width = cv2.imread(str(pose.PHOTO)).shape[:2]
    image = cv2.imread(str(drawn))
    assert image.shape == (2 * height, 2 * width, 3)
    red = (image[..., 2] > 180) & (image[..., :2] < 60).all(axis=2)
    assert 0.005 < np.mean(red) < 0.1


def test_without_the_photograph_that_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(pose, "PHOTO", tmp_path / "none.jpeg")
    pose.print_photograph(tmp_path / "drawn")
    assert "not at hand" in capsys.readouterr().out
    assert not (tmp_path / "drawn").exists()


def test_rendered_tables_are_measured_against_the_cameras_that_their_numbers_tell(
    table_dir, tmp_path, monkeypatch, capsys
):
    shutil.copytree(table_dir, tmp_path / "t00001")
    pose.rendered(tmp_path)  # it has not been rendered, and the number is another table's
    fitted = pose.fit_session(table_dir)[2].camera
    monkeypatch.setattr(pose, "make_table", lambda *_: (None, fitted))
    pose.rendered(tmp_path)
    others, same = (line for line in capsys.readouterr().out.splitlines() if "tables, of each" in line)
    assert others.endswith("above 0.5 px at 1")
    assert "  1 tables" in same
    assert "median 0.00" in same
    assert same.endswith("above 0.5 px at 0")


def test_a_folder_without_rendered_tables_is_named(tmp_path, capsys):
    pose.rendered(tmp_path)
    assert f"{tmp_path}: there are no tables" in capsys.readouterr().out
