"""The screen's own light, in a /sys of the test's making."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.display import DisplayError, open_backlight


def light(root: Path, name: str, *, most: int = 255, now: int = 100, kind: str = "raw") -> Path:
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "max_brightness").write_text(f"{most}\n")
    (folder / "brightness").write_text(f"{now}\n")
    (folder / "type").write_text(f"{kind}\n")
    return folder


def test_a_screen_without_a_light_has_none(tmp_path):
    assert open_backlight(tmp_path) is None
    assert open_backlight(tmp_path / "no such folder") is None


@pytest.mark.parametrize(("most", "percent", "figure"), [(255, 100, 255), (255, 15, 39), (31, 15, 5), (3, 15, 1)])
def test_percents_become_the_lights_own_figures(tmp_path, most, percent, figure):
    folder = light(tmp_path, "10-0045", most=most, now=1)
    backlight = open_backlight(tmp_path)
    assert backlight is not None
    assert backlight.name == "10-0045"
    assert (folder / "brightness").read_text().strip() == "1", "opening changes nothing"
    backlight.shine(percent)
    assert (folder / "brightness").read_text() == str(figure)


def test_of_one_light_seen_twice_the_firmwares_is_taken(tmp_path):
    light(tmp_path, "a_raw")
    light(tmp_path, "z_firmware", kind="firmware")
    light(tmp_path, "b_platform", kind="platform")
    backlight = open_backlight(tmp_path)
    assert backlight is not None
    assert backlight.name == "z_firmware"


def test_a_light_that_this_user_may_not_set_is_named(tmp_path, monkeypatch):
    light(tmp_path, "rpi_backlight")
    monkeypatch.setattr(Path, "write_text", _refused)
    with pytest.raises(DisplayError, match=r"rpi_backlight\) cannot be set by this user"):
        open_backlight(tmp_path)


def test_a_light_that_is_pulled_off_is_told(tmp_path, monkeypatch):
    light(tmp_path, "rpi_backlight")
    backlight = open_backlight(tmp_path)
    assert backlight is not None
    monkeypatch.setattr(Path, "write_text", _refused)
    with pytest.raises(DisplayError, match="does not answer"):
        backlight.shine(50)


def _refused(_path: Path, _text: str) -> int:
    raise PermissionError(13, "Permission denied")
