"""Pictures of a folder are read one by one: what was before them is no movement."""

from __future__ import annotations

from companion.cli.picture_reader import PictureReader


def test_pictures_that_differ_are_no_movement(table_dir, table_calibration):
    reader = PictureReader(table_calibration)
    for name in ("f01", "f03", "f01"):
        image, trace = reader.read(table_dir / f"{name}.jpg")
        assert image.shape == (864, 1536, 3)
        assert trace.observation.registered
        assert not trace.observation.moving
