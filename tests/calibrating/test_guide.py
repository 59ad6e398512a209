"""What people meet who calibrate step by step: the guide's model on the simulated table."""

from __future__ import annotations

import ast
import copy
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from cameras import with_spare_card
from lights import from_linear

import calibration
from calibration import CalibrationError, SessionInfo
from calibration.assessment import Assessment
from calibration.glance import Glance
from calibration.light import to_linear
from calibration.quality import CRITERIA, Advice, Measure
from companion.calibrating import Guide, guide, words
from companion.rules.geometry import load_board
from hardware.simulated import SimulatedTable, swatch_layout
from hardware.simulated.session import lens_pictures
from tests.simulated import simulated_table

POOR = Assessment("poor", (Measure("light", 9.0, "of 255", "poor", Advice("Too dark.")),), ("blue", "sea"))


@pytest.fixture(scope="module")
def table():
    return simulated_table(2)


@pytest.fixture(scope="module")
def empty(table):
    table.put({})
    return table.picture()


@pytest.fixture(scope="module")
def full(table, empty):
    table.put(swatch_layout())
    return table.picture()


@pytest.fixture(scope="module")
def sheets():
    return list(lens_pictures(SimulatedTable(msgspec.to_builtins(load_board()), seed=2, style="wide").view))


@pytest.fixture(scope="module")
def _at_the_swatch(empty):
    started = Guide()
    step(started, empty)
    step(started, empty)
    return started


@pytest.fixture
def at_the_swatch(_at_the_swatch):
    """The camera is met on the empty board, the swatch pieces are to be laid."""
    assert _at_the_swatch.state.step == "swatch"
    return copy.deepcopy(_at_the_swatch)


def look(g, picture):
    """The picture for some time: still."""
    g.see(picture)
    return g.see(picture).sight


def step(g, picture):
    assert look(g, picture).ready, g.state
    return g.take()


def test_from_the_cards_to_a_good_calibration(empty, full):
    g = Guide()
    assert (g.state.step, g.state.steps) == ("cards", ("cards", "board", "swatch", "result"))
    assert step(g, empty).step == "board"
    assert step(g, empty).step == "swatch"
    assert step(g, full).step == "result"
    assert g.state.assessment.grade == "good"
    assert not g.state.done
    assert g.take().done
    assert g.result.quality.line_rms_mm < 0.2


def test_through_a_hazy_lens_the_layout_is_checked_and_the_result_says_so(empty, full):
    g = Guide()
    hazy = [from_linear(to_linear(image) * 0.7 + 0.2) for image in (empty, full)]
    step(g, hazy[0])
    step(g, hazy[0])
    assert step(g, hazy[1]).step == "result"
    assert g.state.assessment.grade == "usable"
    assert "wipe the lens" in str(g.state.assessment.advice[0])
    g.take()
    assert min(g.result.haze.added) > 0.1


def test_nothing_is_taken_before_it_is_ready(empty):
    g = Guide()
    assert g.take().step == "cards"
    covered = empty.copy()
    covered[:300, :500] = 90
    g.see(covered)
    assert g.take().step == "cards"


def test_a_covered_card_is_named(empty):
    g = Guide()
    g.see(empty)
    for card in g.state.sight.cards:
        hidden = empty.copy()
        cv2.fillConvexPoly(hidden, np.round(card.corners).astype(np.int32), (90, 90, 90))
        sight = g.see(hidden).sight
        assert [c.name for c in sight.cards if c.state == "missing"] == [card.name]
        assert sight.advice == (words._(words._MISSING[card.name]),)


def test_a_spare_card_on_the_table_is_told_of(empty):
    g = Guide()
    for card in g.see(empty).sight.cards:
        twice = with_spare_card(empty, np.array(card.corners), (60, 380))
        assert g.see(twice).sight.advice == (words._(words._SPARE),)


def test_a_board_that_is_small_or_cut_is_told(empty):
    far = np.full_like(empty, 90)
    far[200:632, 400:1168] = cv2.resize(empty, (768, 432), interpolation=cv2.INTER_AREA)
    assert any("small in the picture" in text for text in Guide().see(far).sight.advice)
    cut = np.roll(empty, 60, axis=0)
    cut[:60] = 90
    sight = Guide().see(cut).sight
    assert any("cut off by the picture's edge" in text for text in sight.advice)
    assert not any("small" in text or "not seen" in text for text in sight.advice)


def test_a_hand_a_blur_the_dark_and_a_shining_lamp_are_told_before_the_empty_board_is_taken(table, empty):
    g = Guide()
    step(g, empty)
    look(g, empty)
    table.put({})
    table.hand((0.0, 0.0))
    reaching = table.picture()
    table.hand(None)
    assert g.see(reaching).sight.advice == ("Something moves: take your hands away and wait.",)
    assert any("not sharp" in text for text in look(g, cv2.GaussianBlur(empty, (0, 0), 3)).advice)
    assert any("too dark" in text for text in look(g, empty // 5).advice)
    shining = empty.copy()
    cv2.circle(shining, (768, 432), 110, (255, 255, 255), -1)
    assert look(g, shining).advice == ("A lamp shines on the middle of the board: turn it away or move it aside.",)
    assert look(g, empty).ready


def test_a_lamp_that_the_board_mirrors_is_told_of_and_the_picture_may_be_taken(empty):
    """Not every lamp can be moved; the calibration advises it, too."""
    g = Guide()
    step(g, empty)
    y, x = np.mgrid[: empty.shape[0], : empty.shape[1]]
    lamp = 0.5 * np.exp(-((x - 768) ** 2 + (y - 432) ** 2) / 2 / 110**2)
    mirroring = np.minimum(from_linear(to_linear(empty) + lamp[..., None]), 250)
    sight = look(g, mirroring)
    assert sight.advice == ("A lamp shines on the middle of the board: turn it away or move it aside.",)
    assert sight.ready
    assert g.take().step == "swatch"


def test_missing_pieces_and_strays_are_named_by_their_hex(table, at_the_swatch):
    gone, bare = ([5, 0], [-3, 1], [4, -4]), [0, 1]
    layout = {
        "hexes": [
            {k: v for k, v in h.items() if k != "explorers" or h["hex"] != bare}
            for h in swatch_layout()["hexes"]
            if h["hex"] not in gone
        ]
    }
    layout["hexes"].append({"hex": [-5, 3], "sharks": 1})
    table.put(layout)
    sight = look(at_the_swatch, table.picture())
    assert set(sight.missing) == {(5, 0), (-3, 1), (4, -4), (0, 1)}
    assert sight.strays == ((-5, 3),)
    assert sight.advice == (
        "Still to lay: the beach on H4.",
        "Not seen: the red explorer on H7, the boat on C8 and the shark on G11.",
        "To be taken away: what lies on J2.",
    )
    table.put(swatch_layout())
    assert look(at_the_swatch, table.picture()).advice == ()


def test_what_only_seems_to_lie_there_is_shown_and_is_no_bar(table, at_the_swatch):
    """Under a hard lamp it may be a shadow: people see the place, and go on."""
    layout = swatch_layout()
    layout["hexes"].append({"hex": [-5, 3], "sharks": 1})
    table.put(layout)
    sight = look(at_the_swatch, table.picture())
    assert sight.strays == ((-5, 3),)
    assert sight.places.keys() == {(-5, 3)}
    assert sight.advice == ("Something seems to lie on J2. Take it away; if it is only a shadow or glare, go on.",)
    assert sight.ready
    assert not sight.sure, "nor is it taken by itself"
    assert at_the_swatch.take().step == "result"


def test_a_long_list_is_cut_short(empty, at_the_swatch):
    first = look(at_the_swatch, empty).advice[0]
    assert first.endswith("and 8 more.")
    assert first.count(" on ") == 4


def test_a_board_that_was_pushed_sends_people_back(full, empty, at_the_swatch):
    pushed = np.roll(full, 9, axis=0)
    assert "moved since" in look(at_the_swatch, pushed).advice[0]
    assert at_the_swatch.back().step == "board"
    assert step(at_the_swatch, np.roll(empty, 9, axis=0)).step == "swatch"
    assert look(at_the_swatch, pushed).ready


def test_a_board_that_is_not_empty_is_refused_with_the_reason(empty):
    g = Guide()
    step(g, empty)
    blank = empty.copy()
    at = np.array([c.corners for c in g.see(empty).sight.cards]).reshape(4, 4, 2).mean(axis=1)
    inner = at.mean(axis=0) + 0.75 * (at - at.mean(axis=0))
    cv2.fillConvexPoly(blank, np.round(inner).astype(np.int32), (60, 110, 60))  # a cloth over the board
    assert look(g, blank).ready
    state = g.take()
    assert state.step == "board"
    assert "Is the board empty" in state.refusal
    assert step(g, empty).step == "swatch"


def test_people_are_sent_back_when_the_first_picture_turns_out_not_to_have_been_of_an_empty_board(table, empty, full):
    table.put({"hexes": [{"hex": [q, 3], "tile": "forest"} for q in range(-4, 2)]})
    littered = table.picture()
    g = Guide()
    step(g, empty)
    assert step(g, littered).step == "swatch"
    (advice,) = look(g, full).advice
    assert "the first picture was not of an empty board: go back a step" in advice
    assert g.back().step == "board"
    step(g, empty)
    assert look(g, full).ready


def test_a_wide_lens_is_measured_with_its_sheet(empty, sheets):
    g = Guide(SessionInfo(lens="wide"))
    assert g.state.steps == ("lens", "cards", "board", "swatch", "result")
    assert g.see(empty).sight.advice == ("The lens sheet is not seen: hold it nearer, whole and evenly lit.",)
    assert g.see(sheets[0]).sight.advice == ("Hold the sheet still.",)
    covered = 0.0
    for count, sheet in enumerate(sheets, start=1):
        step(g, sheet)
        if g.state.step != "lens":
            break
        sight = g.see(sheet).sight
        assert sight.views[0] == count
        assert sight.coverage > covered
        covered = sight.coverage
        assert sight.advice == ("This view has been taken: hold the sheet somewhere else, or tip it.",)
        assert g.take().step == "lens"
    assert g.state.step == "cards"
    assert 8 <= count <= 12


def test_a_lens_sheet_that_is_not_flat_is_refused_with_its_error_and_begun_anew(sheets):
    g = Guide(lens=True)
    for i, sheet in enumerate(sheets):
        height = 864 - 60 * (i % 3)
        squeezed = np.full_like(sheet, 120)
        squeezed[:height] = cv2.resize(sheet, (1536, height), interpolation=cv2.INTER_AREA)
        if look(g, squeezed).ready:
            g.take()
        if g.state.refusal:
            break
    assert "The lens is measured only to" in g.state.refusal
    assert g.state.step == "lens"
    assert look(g, sheets[0]).views[0] == 0


def test_the_lens_sheet_may_be_left_out(empty):
    g = Guide(SessionInfo(lens="wide"))
    assert g.skip().step == "cards"
    assert g.state.taken == ("lens",)
    assert step(g, empty).step == "board"
    assert g.skip().step == "board", "it is needed"


def test_a_picture_of_another_size_is_refused(empty):
    g = Guide()
    g.see(empty)
    with pytest.raises(CalibrationError, match="768 x 432 px large, the camera's is 1536 x 864"):
        g.see(cv2.resize(empty, (768, 432)))


def test_a_poor_result_cannot_be_accepted_and_is_taken_again(full, at_the_swatch, monkeypatch):
    monkeypatch.setattr(guide, "assess", lambda _: POOR)
    assert step(at_the_swatch, full).step == "result"
    assert not at_the_swatch.take().done
    assert at_the_swatch.back().step == "swatch"
    monkeypatch.undo()
    step(at_the_swatch, full)
    assert at_the_swatch.take().done


def hidden(picture, *names):
    """The picture with these cards under cups, and where they lay."""
    seen = {card.name: card.corners for card in Guide().see(picture).sight.cards}
    hidden = picture.copy()
    for name in names:
        cv2.fillConvexPoly(hidden, np.round(seen[name]).astype(np.int32), (90, 90, 90))
    return hidden


def true_corners(picture):
    """The board's corners by card, in px."""
    return {corner.name: corner.at for corner in Guide().see(picture).sight.corners}


def test_the_boards_corners_are_known_from_their_cards_and_guessed_from_the_others(empty):
    corners = Guide().see(hidden(empty, "ne")).sight.corners
    assert [(c.name, c.how) for c in corners] == [("nw", "seen"), ("ne", "guessed"), ("se", "seen"), ("sw", "seen")]
    for corner in corners:
        assert np.linalg.norm(np.subtract(corner.at, true_corners(empty)[corner.name])) < 15


@pytest.mark.parametrize("covered", [("ne",), ("nw", "ne", "se", "sw")])
def test_corners_that_people_put_stand_in_for_cards_that_are_not_seen(empty, full, covered):
    truth = true_corners(empty)
    g = Guide()
    assert not look(g, hidden(empty, *covered)).ready
    for name in covered:
        assert not g.see(hidden(empty, *covered)).sight.ready, name
        x, y = truth[name]
        g.put_corner(name, (x + 6, y - 5))  # a finger is that wide
    assert step(g, hidden(empty, *covered)).step == "board"
    assert step(g, hidden(empty, *covered)).step == "swatch"
    assert g.state.figure.value < g.state.figure.good
    assert step(g, hidden(full, *covered)).step == "result"
    assert g.state.assessment.grade == "good"


def test_with_one_card_in_sight_a_push_is_measured_by_the_scale_of_the_empty_board(empty, full):
    """Half a millimetre of a large picture is more than half a pixel."""
    large, laid = (cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC) for picture in (empty, full))
    g = Guide()
    step(g, large)
    step(g, large)
    one = hidden(laid, "ne", "se", "sw")
    assert not any("moved since" in text for text in look(g, np.roll(one, 1, axis=1)).advice)
    assert "moved since" in look(g, np.roll(one, 3, axis=1)).advice[0]


def test_beginning_anew_forgets_the_corners_that_people_put(empty):
    g = Guide()
    g.put_corner("ne", (100.0, 100.0))
    assert {c.how for c in g.see(empty).sight.corners} == {"seen", "given"}
    g.anew()
    assert {c.how for c in g.see(empty).sight.corners} == {"seen"}


def test_nothing_is_lost_by_going_back_and_forth(full, at_the_swatch):
    g = at_the_swatch
    assert g.state.taken == ("cards", "board")
    assert g.go("result").step == "swatch", "there is none yet"
    assert step(g, full).step == "result"
    assert g.go("board").step == "board"
    assert g.state.taken == ("cards", "board", "swatch")
    assert g.go("result").assessment.grade == "good"


def test_another_picture_of_the_board_makes_what_rested_on_the_last_one_void(empty, full, at_the_swatch):
    g = at_the_swatch
    step(g, full)
    g.go("board")
    assert step(g, empty).taken == ("cards", "board")
    assert g.go("result").step == "swatch"


def test_missing_pieces_are_shown_where_they_should_lie(table, at_the_swatch):
    table.put({"hexes": [h for h in swatch_layout()["hexes"] if h["hex"] != [5, 0]]})
    sight = look(at_the_swatch, table.picture())
    ((h, at),) = sight.places.items()
    assert h == (5, 0)
    x, y = np.array([table.view.project(np.array([[*table.plan.centre(h), 0.0]]))[0]]).ravel()
    assert np.hypot(at[0] - x, at[1] - y) < 2


def test_what_is_refused_is_said_in_the_words_that_the_catalogues_have():
    folder = Path(calibration.__file__).parent
    said = {
        node.value
        for name in ("pose.py", "session.py")
        for node in ast.walk(ast.parse((folder / name).read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(words.REFUSALS) <= said


def test_the_camera_is_called_tilted_live_from_where_its_calibration_will_be():
    corners = dict.fromkeys(("nw", "ne", "se", "sw"), np.zeros((4, 2)))
    (limit,) = (criterion.good for criterion in CRITERIA if criterion.name == "tilt")
    for tilt, said in ((limit - 0.1, ()), (limit + 0.1, ("The camera is tilted by 36 degrees",))):
        found = words.where_it_stands(Glance(size=(1536, 864), cards=corners, tilt_degrees=tilt))
        assert tuple(text.partition(":")[0] for text in found) == said
