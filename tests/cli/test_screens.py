"""`companion screens`: every screen as a picture, a sheet of all, and one sentence where that cannot be."""

from __future__ import annotations

import cv2
import pytest

from companion.__main__ import main


def test_scenes_are_drawn_in_the_languages_asked_for_with_a_sheet_each(tmp_path, capsys):
    out = tmp_path / "new" / "pictures"
    assert main(["screens", "--out", str(out), "--language", "ru", "--language", "sv", "--only", "10a_no"]) == 0
    assert sorted(str(path.relative_to(out)) for path in out.rglob("*.png")) == [
        "ru.png", "ru/10a_no_games.png", "sv.png", "sv/10a_no_games.png",
    ]  # fmt: skip
    assert cv2.imread(str(out / "ru" / "10a_no_games.png")).shape == (480, 800, 3)
    assert "2 pictures" in capsys.readouterr().out


def test_the_size_is_the_screens(tmp_path):
    assert main(["screens", "--out", str(tmp_path), "--language", "en", "--only", "10a_no", "--size", "1280x720"]) == 0
    assert cv2.imread(str(tmp_path / "en" / "10a_no_games.png")).shape == (720, 1280, 3)


def test_a_screen_that_stands_upright_is_taller_than_wide(tmp_path):
    assert main(["screens", "--out", str(tmp_path), "--language", "en", "--only", "10a_no", "--size", "480x800"]) == 0
    assert cv2.imread(str(tmp_path / "en" / "10a_no_games.png")).shape == (800, 480, 3)


def test_a_folder_that_cannot_be_written_is_named_in_a_sentence(tmp_path, capsys):
    (tmp_path / "taken").write_text("a file")
    assert main(["screens", "--out", str(tmp_path / "taken" / "below"), "--only", "10a_no"]) == 1
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1
    assert said[0].startswith(f"companion screens: {tmp_path}/taken")


@pytest.mark.parametrize(
    "wrong", [("--only", "no_such"), ("--size", "0x480"), ("--size", "wide"), ("--language", "xx")]
)
def test_wrong_usage_is_refused(tmp_path, wrong):
    with pytest.raises(SystemExit) as refused:
        main(["screens", "--out", str(tmp_path), *wrong])
    assert refused.value.code == 2
