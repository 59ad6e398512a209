"""Journeys through the calibration screen, with a guide that says what a test wants."""

from __future__ import annotations

from typing import Any

import pytest

from companion.scenes.staged_calibration import StagedCalibration
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.calibration_link import CARDS, Accuracy, Corner, Guided, Spot
from companion.viewmodel.states import CalibrateScreen, HomeScreen
from companion.viewmodel.table_link import Lost, Seeing, Starting, Uncalibrated
from viewmodel.fake_table import FakeTable
from viewmodel.people import People, at_table, table_of

STEPS = ("lens", "cards", "board", "swatch", "result")
PLACES = {"nw": (400.0, 100.0), "ne": (1100.0, 110.0), "se": (1120.0, 760.0), "sw": (390.0, 750.0)}
FOUND = Accuracy(0.12, 0.4, 0.8)
MISSING = "The north-east card is not seen: is it covered, or does a lamp shine on it?"


class Calibrator(People):
    """People in front of the screen; `shows` is what the guide says next."""

    def __init__(self, vm: AppViewModel, link: StagedCalibration) -> None:
        super().__init__(vm, calibration=link)
        self.link = link

    def shows(self, step: str, taken: str = "", **what: Any) -> CalibrateScreen:
        corners = what.pop("corners", corners_of() if step in ("cards", "board", "swatch", "result") else ())
        self.link.guided = Guided(
            step=step, steps=STEPS, taken=tuple(taken.split()), task="Do it.", corners=corners, size=(1536, 864), **what
        )  # type: ignore[arg-type]
        self.link.picture = b"jpeg"
        self.wait(0.1)
        return self.screen  # type: ignore[return-value]

    def said(self) -> list[Any]:
        said, self.link.said = self.link.said, []
        return said


def corners_of(**hows: str) -> tuple[Corner, ...]:
    return tuple(Corner(card, *PLACES[card], hows.get(card, "seen")) for card in CARDS)  # type: ignore[arg-type]


@pytest.fixture
def people(tmp_path):
    link = StagedCalibration()
    home = at_table(tmp_path, 1, table_of(2), table=FakeTable(), calibration=link, panel=True)
    calibrator = Calibrator(home.vm, link)
    calibrator.press("calibrate")
    return calibrator


def tabs(screen: CalibrateScreen) -> list[tuple[str, str, bool]]:
    return [(tab.button.text, tab.state, tab.button.enabled) for tab in screen.tabs]


def test_home_leads_to_it_and_leaving_gives_the_camera_back(people):
    assert people.said() == ["begin"]
    assert isinstance(people.screen, CalibrateScreen)
    people.press("back")
    assert isinstance(people.screen, HomeScreen)
    assert people.said() == ["end"]


def test_a_camera_that_is_not_calibrated_is_told_on_home_with_the_way_to_it(tmp_path):
    table = FakeTable()
    table.status = Uncalibrated("The camera is not calibrated yet.")
    screen = at_table(tmp_path, 1, table_of(2), table=table).screen
    assert screen.camera.text == "The camera must be calibrated first: touch Calibrate."
    assert next((button.id, button.icon) for button in screen.small_buttons) == ("calibrate", "calibrate")


def test_through_all_steps_to_a_kept_calibration(people):
    screen = people.shows("lens")
    assert (screen.primary.text, screen.gauge) == ("Next", None)
    people.press("next")
    screen = people.shows("cards", "lens", advice=(MISSING,), corners=corners_of(ne="guessed"))
    assert not screen.primary.enabled
    screen = people.shows("board", "lens cards", ready=True)
    assert screen.primary.text == "Take the picture"
    people.press("next")
    screen = people.shows("board", "lens cards", busy=True)
    assert not screen.primary.enabled
    screen = people.shows("swatch", "lens cards board", advice=("Still to lay: the beach on H4.",), accuracy=FOUND,
                          spots=(Spot(500.0, 400.0, "missing"),))  # fmt: skip
    assert (screen.note.text, screen.spots[0].tone) == ("Still to lay: the beach on H4.", "missing")
    assert not screen.primary.enabled
    people.shows("swatch", "lens cards board", ready=True, accuracy=FOUND)
    people.press("next")
    screen = people.shows("result", "lens cards board swatch", ready=True, grade="good", accuracy=FOUND)
    assert (screen.sentence, screen.primary.text) == ("The calibration is good.", "Keep this")
    people.press("next")
    screen = people.shows("result", "lens cards board swatch", ready=True, grade="good", done=True)
    assert people.said() == ["begin", "skip", "take", "take", "take"]
    assert people.state.toast.text == "The new calibration is in use."
    assert tabs(screen)[3] == ("Buttons", "now", True)
    assert [state for _text, state, _on in tabs(screen)[:3]] == ["done"] * 3
    people.press("done")
    assert isinstance(people.screen, HomeScreen)


def test_a_rehearsal_says_that_nothing_was_written(people):
    people.shows("result", "lens cards board swatch", ready=True, grade="good")
    people.shows("result", "lens cards board swatch", grade="good", done=True, rehearsal=True)
    assert people.state.toast.text == "A rehearsal: this calibration holds until the program ends."


def test_a_poor_result_cannot_be_kept(people):
    screen = people.shows("result", "lens cards board swatch", grade="poor", advice=("Too dark.",), accuracy=FOUND)
    assert not screen.primary.enabled
    assert screen.note.text == "Too dark."
    people.press("next")
    assert people.said() == ["begin"]
    assert screen.secondary.text == "Take it again"
    people.press("again")
    assert people.said() == [("go", "board")]


def test_the_figure_lies_on_a_scale_of_three_fields(people):
    gauge = people.shows("swatch", "lens cards board", accuracy=Accuracy(0.6, 0.4, 0.8)).gauge
    assert (gauge.figure, gauge.text) == ("0.60", "mm off, wants 0.4")
    assert gauge.at == pytest.approx(0.5)
    assert gauge.fields == pytest.approx((1 / 3, 2 / 3))
    assert people.shows("swatch", "lens cards board", accuracy=Accuracy(2.4, 0.4, 0.8)).gauge.at == 1.0


def test_a_card_is_looked_for_until_it_was_seen_and_covered_after_that(people):
    screen = people.shows("cards", "lens", advice=(MISSING,), corners=corners_of(ne="guessed"))
    assert (screen.note.strong, screen.note.kind) == ("Looking for the north-east card.", "info")
    assert [h.text for h in screen.handles] == ["", "not seen", "", ""]
    assert screen.outline == ()
    assert len(people.shows("cards", "lens", ready=True).outline) == 4
    screen = people.shows("cards", "lens", advice=(MISSING,), corners=corners_of(ne="guessed"))
    assert (screen.note.strong, screen.note.kind) == ("The north-east card is covered.", "warning")


def test_a_card_beyond_the_pictures_edge_is_told_as_that(people):
    cut = (*corners_of()[:3], Corner("sw", 10.0, 860.0, "guessed", cut=True))
    screen = people.shows("cards", "lens", advice=("Raise the camera.",), corners=cut)
    assert screen.note.text == "Raise the camera."


def test_a_corner_that_is_dragged_stays_where_it_was_put(people):
    people.shows("cards", "lens", advice=(MISSING,), corners=corners_of(ne="guessed"))
    people.vm.drag("corner:ne", 1090.0, 120.0)
    handle = people.screen.handles[1]
    assert (handle.x, handle.y, handle.tone, handle.text) == (1090.0, 120.0, "given", "")
    people.shows("cards", "lens", advice=(MISSING,), corners=corners_of(ne="guessed"), views=None)
    assert people.screen.handles[1].tone == "given", "the guide has not heard of it yet"
    assert people.said() == ["begin", ("ne", 1090.0, 120.0)]


def test_a_corner_is_not_dragged_out_of_the_picture_and_nothing_else_is_dragged(people):
    people.shows("cards", "lens", corners=corners_of(ne="guessed"))
    people.vm.drag("corner:ne", 5000.0, -20.0)
    people.vm.drag("corner:east", 1.0, 1.0)
    people.shows("swatch", "lens cards board")
    people.vm.drag("corner:ne", 900.0, 90.0)
    assert people.said() == ["begin", ("ne", 1535.0, 0.0)]


def test_corners_of_ones_own_can_be_forgotten(people):
    screen = people.shows("board", "lens cards", ready=True, corners=corners_of(ne="given"))
    assert screen.secondary.text == "Forget my corners"
    people.press("again")
    assert people.said() == ["begin", "anew"]


def test_nothing_is_lost_by_going_back_and_forth(people):
    screen = people.shows("swatch", "lens cards board", accuracy=FOUND)
    assert tabs(screen) == [("Lens", "done", True), ("Board", "done", True), ("Colours", "now", True),
                            ("Buttons", "todo", True)]  # fmt: skip
    people.press("tab:board")
    screen = people.shows("board", "lens cards board", ready=True, accuracy=FOUND)
    assert (screen.primary.text, screen.primary.enabled) == ("Next", True)
    people.press("next")
    people.press("back")
    assert people.said() == ["begin", ("go", "board"), ("go", "swatch"), ("go", "lens")]


def test_a_picture_can_be_taken_again(people):
    people.shows("board", "lens cards board", accuracy=FOUND)
    people.press("again")
    screen = people.shows("board", "lens cards board", ready=True, accuracy=FOUND)
    assert screen.primary.text == "Take the picture"
    people.press("next")
    assert people.said() == ["begin", "anew", "take"]


def test_a_step_whose_turn_it_is_not_yet_cannot_be_touched(people):
    screen = people.shows("board", "lens cards")
    assert tabs(screen)[2] == ("Colours", "todo", False)
    people.press("tab:colours")
    assert people.said() == ["begin"]


def test_the_lens_counts_its_pictures_and_can_be_measured_anew(people):
    screen = people.shows("lens", views=(5, 8), advice=("Hold the sheet still.",))
    assert (screen.gauge.figure, screen.gauge.text, screen.note.text) == (
        "5", "of 8 pictures of the sheet", "Hold the sheet still."
    )  # fmt: skip
    screen = people.shows("lens", "lens", views=(8, 8))
    assert (screen.primary.text, screen.secondary.text) == ("Next", "Measure anew")
    people.press("again", "next")
    assert people.said() == ["begin", "anew", ("go", "cards")]


def test_a_picture_that_will_not_do_says_why(people):
    screen = people.shows("board", "lens cards", ready=True, refusal="Is the board empty?")
    assert screen.note.text == "Is the board empty?"
    assert screen.primary.enabled


def test_a_lost_camera_hatches_the_last_picture_and_goes_on_when_it_is_back(people):
    people.shows("board", "lens cards", ready=True)
    people.link.status = Lost("The cable is loose.", retry_s=4)
    people.wait(0.1)
    screen = people.screen
    assert screen.picture.hatched
    assert (screen.note.kind, screen.note.text, screen.note.line) == (
        "fault",
        "The cable is loose.",
        "Trying again in 4 s",
    )
    assert not screen.primary.enabled
    people.link.status = Starting()
    people.wait(0.1)
    assert people.screen.picture.hatched
    people.link.status = Seeing()
    people.wait(0.1)
    assert not people.screen.picture.hatched
    assert people.screen.primary.enabled


def test_leaving_with_pictures_taken_asks_first(people):
    people.shows("lens", "lens cards board")
    people.press("back")
    assert people.state.dialog.title == "Leave calibrating?"
    people.press("stay")
    assert isinstance(people.screen, CalibrateScreen)
    people.press("back", "leave")
    assert isinstance(people.screen, HomeScreen)
    assert people.said() == ["begin", "end"]


def test_the_board_is_shown_large_and_the_lens_sheet_wherever_it_is(people):
    assert people.shows("lens").picture.window == (0.0, 0.0, 1536.0, 864.0)
    x, y, w, h = people.shows("cards", "lens").picture.window
    assert w < 1536
    assert all(x <= px <= x + w and y <= py <= y + h for px, py in PLACES.values())
    nudged = tuple(Corner(c.card, c.x + 9, c.y, c.how) for c in corners_of())
    assert people.shows("cards", "lens", corners=nudged).picture.window == (x, y, w, h), "it does not jump"


def test_every_button_of_the_panel_lights_up_and_does_nothing_else(people):
    people.shows("board", "lens cards", ready=True)
    people.press("tab:buttons")
    people.vm.panel("player2", True)
    states = {key.button.id: key.state for key in people.screen.keys}
    assert (states["key:player2"], states["key:ok"]) == ("down", "todo")
    assert people.vm.leds() == (False, True, False, False)
    people.vm.panel("player2", False)
    assert people.vm.leds() == (False,) * 4
    for button in ("player1", "player3", "player4", "ok", "undo", "roll"):
        people.vm.panel(button, True)
        people.vm.panel(button, False)
    assert {key.state for key in people.screen.keys} == {"done"}
    assert people.said() == ["begin"]
    people.press("tab:lens")
    assert tabs(people.screen)[3] == ("Buttons", "done", True)


def test_without_a_camera_the_buttons_can_be_tried_by_touch(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("calibrate")
    assert people.screen.note.text == "There is no camera, so nothing is calibrated: play by touch."
    assert [enabled for _text, _state, enabled in tabs(people.screen)] == [False, False, False, True]
    people.press(*(key.button.id for key in people.screen.keys))
    assert {key.state for key in people.screen.keys} == {"done"}
    people.press("done")
    assert isinstance(people.screen, HomeScreen)
