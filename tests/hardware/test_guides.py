"""The guides' drawings and numbers: made of the same tables that the program reads, and committed as they are made."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from gpiozero.pins.pi import PiBoardInfo

from calibration.quality import CRITERIA
from hardware.camera import mounting
from hardware.camera.mounting import BOARD_MM, LENSES, PICTURE_PX, stand
from hardware.panel.pins import load_pins
from hardware.panel.wiring import GROUNDS, HEADER, parts, wiring
from hardware.simulated.plan import CARD_MM

DOCS = Path(__file__).parents[2] / "docs"
PI_5 = 0xC04170
README = Path(__file__).parents[2] / "hardware" / "README.md"


# --- wiring ---


def test_the_committed_drawing_is_the_one_that_the_pin_file_gives():
    assert (DOCS / "wiring.svg").read_text() == wiring(load_pins()), "run ./deploy/drawings"


def test_every_wire_is_drawn_with_its_number():
    words = "".join(ElementTree.fromstring(wiring(load_pins())).itertext())
    pins = load_pins()
    for gpio in (*pins.buttons.values(), *pins.leds.values()):
        assert f"GPIO {gpio}" in words
    for name in ("Player 1", "Player 4 light", "OK", "Undo", "Roll"):
        assert name in words


def test_another_wiring_gives_another_drawing():
    pins = load_pins()
    moved = msgspec.structs.replace(pins, buttons=pins.buttons | {"ok": 12})
    ok = next(part for part in parts(moved) if part.name == "OK")
    assert (ok.gpio, ok.pin) == (12, 32)
    assert wiring(moved) != wiring(pins)


def test_the_header_is_the_one_of_the_raspberry_pi():
    header = PiBoardInfo.from_revision(PI_5).headers["J8"]
    names = [header.pins[number].name.removeprefix("GPIO") for number in range(1, 41)]
    assert names == [str(carries) for carries in HEADER]


def test_the_list_of_parts_has_a_piece_for_every_pin_and_the_screens_power_stays_free():
    pins = load_pins()
    pieces = dict(re.findall(r"^\| ([^,|]+?)(?:,[^|]*| )?\| (\d+) \|", (DOCS / "parts.md").read_text(), re.MULTILINE))
    wired = len(pins.buttons) + len(pins.leds)
    assert int(pieces["arcade button"]) + int(pieces["push button"]) == len(pins.buttons)
    assert int(pieces["arcade button"]) == int(pieces["resistor 330 ohms"]) == len(pins.leds)
    assert int(pieces["wires with sockets (female jumper wires)"]) == wired + len(GROUNDS)
    assert not {2, 4, 6} & {*GROUNDS.values(), *(part.pin for part in parts(pins))}


def test_the_readmes_table_of_pins_is_the_pin_files():
    rows = re.findall(
        r"^\| (player \d|OK|undo|roll) \| (\d+) \| (\d+) \| (\d*) ?\| (\d*) ?\|$", README.read_text(), re.MULTILINE
    )
    by_name = {part.name: part for part in parts(load_pins())}
    assert len(rows) == 7
    for name, gpio, pin, led_gpio, led_pin in rows:
        words = name.replace("player", "Player") if "player" in name else name if name == "OK" else name.capitalize()
        assert (by_name[words].gpio, by_name[words].pin) == (int(gpio), int(pin))
        if led_gpio:
            light = by_name[f"{words} light"]
            assert (light.gpio, light.pin) == (int(led_gpio), int(led_pin))


# --- mounting ---


def test_the_committed_guide_is_the_one_that_the_lenses_give():
    assert (DOCS / "mounting.svg").read_text() == mounting.drawing(), "run ./deploy/drawings"
    page = (DOCS / "mounting.md").read_text()
    assert mounting.guide(page) == page, "run ./deploy/drawings"
    assert all(row in page for row in mounting.rows())


def test_sizes_and_limits_are_the_boards_and_the_calibrations(board):
    limits = {criterion.name: criterion.good for criterion in CRITERIA}
    assert tuple(board["physical_mm"]["board"]) == BOARD_MM
    assert board["physical_mm"]["hex_flat_to_flat"] == mounting.HEX_MM
    assert mounting.CARD_MM == CARD_MM
    assert limits["a hex"] == mounting.LEAST_HEX_PX
    assert limits["tilt"] == mounting.MOST_TILT_DEG


@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)
@pytest.mark.parametrize("tilt", [0.0, 15.0, 30.0])
def test_from_the_nearest_place_all_cards_are_in_the_picture_and_one_centimetre_nearer_they_are_not(lens, tilt):
    def seen(distance):
        """The outermost corner of a card as a share of the half picture, by a camera's matrix of its own."""
        angle = np.radians(tilt)
        turn = np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])
        corners = np.array([[sx * 315.0, sy * 285.0, 0] for sx in (-1, 1) for sy in (-1, 1)])
        camera = corners @ turn.T + (0, 0, distance)
        return np.abs(camera[:, :2] / camera[:, 2:] / lens.half).max()

    here = stand(lens, tilt)
    assert seen(here.nearest) <= mounting.MARGIN + 1e-6 < seen(here.nearest - 10)


def test_at_the_farthest_place_a_hex_is_just_large_enough():
    here = stand(LENSES[0])
    px_per_mm = PICTURE_PX / (2 * here.farthest * np.tan(np.radians(33)))
    assert px_per_mm * mounting.HEX_MM == pytest.approx(mounting.LEAST_HEX_PX)


def test_a_camera_that_leans_too_far_has_no_place():
    with pytest.raises(ValueError, match="cannot lean by 50 degrees"):
        stand(LENSES[0], 50)
