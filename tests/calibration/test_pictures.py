"""Pictures that are no pictures are named, with what is wrong."""

import cv2
import numpy as np
import pytest

from calibration import PictureError
from calibration.pictures import MAX_PIXELS, read_picture

GOOD = np.random.default_rng(1).integers(0, 255, (40, 60, 3), np.uint8)


def written(path, image):
    assert cv2.imwrite(str(path), image)
    return path


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_a_good_picture_is_read(tmp_path, suffix):
    image = read_picture(written(tmp_path / f"a{suffix}", GOOD))
    assert image.shape == GOOD.shape
    assert image.dtype == np.uint8


def test_a_missing_picture_is_named(tmp_path):
    with pytest.raises(PictureError, match=r"nowhere\.jpg: the picture cannot be read"):
        read_picture(tmp_path / "nowhere.jpg")


def test_an_empty_file_is_named(tmp_path):
    path = tmp_path / "empty.jpg"
    path.touch()
    with pytest.raises(PictureError, match=r"empty\.jpg: the file is empty"):
        read_picture(path)


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_a_torn_picture_is_named(tmp_path, suffix):
    path = written(tmp_path / f"torn{suffix}", np.tile(GOOD, (10, 10, 1)))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(PictureError, match="torn"):
        read_picture(path)


def test_text_is_no_picture(tmp_path):
    path = tmp_path / "note.jpg"
    path.write_text("no picture")
    with pytest.raises(PictureError, match="neither a JPEG nor a PNG"):
        read_picture(path)


def test_grey_and_deep_pictures_are_refused(tmp_path):
    with pytest.raises(PictureError, match="no colour"):
        read_picture(written(tmp_path / "grey.png", GOOD[..., 0]))
    with pytest.raises(PictureError, match="16 bits"):
        read_picture(written(tmp_path / "deep.png", GOOD.astype(np.uint16) * 257))


def test_a_huge_picture_is_refused_before_it_is_decoded(tmp_path):
    path = written(tmp_path / "huge.png", GOOD)
    data = bytearray(path.read_bytes())
    data[16:24] = (40_000).to_bytes(4) + (MAX_PIXELS // 40_000 + 1).to_bytes(4)
    path.write_bytes(bytes(data))
    with pytest.raises(PictureError, match="too many"):
        read_picture(path)
