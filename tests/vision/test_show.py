"""Each step is drawn, and the verdict says of each hex what was claimed and how sure that is."""

import dataclasses

import cv2
import numpy as np
import pytest

from calibration.pictures import read_picture
from companion.rules.geometry import load_board
from companion.rules.layout import HexContent
from companion.vision.field import Field
from companion.vision.observation import HexEvidence, HexHypothesis, LandEvidence, LandHypothesis, Observation
from companion.vision.recogniser import Recogniser
from companion.vision.show import SCALE, pictures
from companion.vision.verdict import CERTAINTIES, draw_verdict, name_content

BOARD = load_board()
CENTRE = (0, 0)


@pytest.fixture(scope="module")
def shown(table_dir, table_calibration):
    """name -> what the steps look like; f03 has a hand in it."""
    recogniser = Recogniser(table_calibration, BOARD)
    found = {}
    for name in ("f01", "f03"):
        image = read_picture(table_dir / f"{name}.jpg")
        recogniser.observe(image)
        before = image.copy(), recogniser.trace.evidence.picture.copy()
        found[name] = (pictures(image, recogniser.trace, BOARD, table_calibration), recogniser.trace)
        after = image, recogniser.trace.evidence.picture
        assert all((a == b).all() for a, b in zip(before, after, strict=True)), "drawing must change nothing"
    return found


def test_every_step_is_shown_in_order_and_large_enough_to_read(shown):
    steps, _ = shown["f01"]
    assert list(steps) == sorted(steps)
    assert [name.split("-", 1)[1] for name in steps] == [
        "cards",
        "rectified",
        "light",
        "light-taken-out",
        "evidence",
        "hands",
        "windows",
        "print",
        "verdict",
    ]
    for image in steps.values():
        assert image.dtype == np.uint8
        assert image.shape[2] == 3
        assert image.shape[1] >= 1200
        assert image.std() > 5


def test_what_is_mirrored_of_lamps_and_of_the_room_is_shown_beside_the_light(shown, table_calibration, table_dir):
    _, trace = shown["f01"]
    plain = trace.evidence.measured
    cells, pixels = plain.factor.shape[:2], trace.evidence.picture.shape[:2]
    added = {"gloss": np.full(cells, 0.004, np.float32), "mirrored": np.full(pixels, 0.2, np.float32)}
    image = read_picture(table_dir / "f01.jpg")
    widths = []
    for some in ((), ("gloss",), ("mirrored", "gloss")):
        measured = plain._replace(**{name: added[name] for name in some})
        lit = dataclasses.replace(trace, evidence=dataclasses.replace(trace.evidence, measured=measured))
        widths.append(pictures(image, lit, BOARD, table_calibration)["3-light"].shape[1])
    assert widths == [widths[0], 2 * widths[0], 3 * widths[0]]


def test_the_arm_is_tinted_where_it_hides_the_board(shown):
    for name, least, most in (("f01", 0.0, 0.005), ("f03", 0.02, 0.6)):
        steps, trace = shown[name]
        drawn = steps["6-hands"][-SCALE * trace.evidence.picture.shape[0] :].astype(int)
        plain = steps["2-rectified"]
        assert drawn.shape[1] == plain.shape[1]
        large = cv2.resize(trace.evidence.picture, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_CUBIC)
        assert least <= (np.abs(drawn - large).max(axis=2) > 0).mean() <= most


def observation(*hypotheses, hidden=None):
    """Of the middle hex only."""
    middle = HexEvidence(CENTRE, tuple(HexHypothesis(c, p) for c, p in hypotheses), hidden)
    safe = tuple(LandEvidence(land, (LandHypothesis({"red": 1}, 0.7),)) for land in ("nw", "ne", "sw"))
    return Observation(1, 0.0, (middle,), (*safe, LandEvidence("se", (), "hand")))


def drawn_in_the_middle(table_calibration, seen):
    """The words in the middle hex, of the verdict on a black board."""
    field = Field(BOARD, table_calibration)
    rows, columns = field.view.shape
    image = draw_verdict(np.zeros((SCALE * rows, SCALE * columns, 3), np.uint8), seen, field, SCALE)
    x, y = np.round(field.view.pixels((0.0, 0.0)) * SCALE).astype(int)
    return image[y - 60 : y + 64, x - 60 : x + 60]


def nearest_ink(drawn):
    """Which certainty's colour the brightest pixels have; None for grey."""
    brightest = drawn.reshape(-1, 3)[drawn.sum(axis=2).argmax()].astype(float)
    inks = [np.array(c, float) for _, c, _ in CERTAINTIES] + [np.ones(3)]
    off = [np.abs(brightest / brightest.max() - c / c.max()).max() for c in inks]
    return int(np.argmin(off)) if off[-1] > min(off) else None


@pytest.mark.parametrize(("probability", "ink"), [(0.995, 0), (0.95, 1), (0.7, 2), (0.4, 3)])
def test_certainty_has_a_colour_of_its_own(table_calibration, probability, ink):
    drawn = drawn_in_the_middle(table_calibration, observation((HexContent(tile="forest"), probability)))
    assert nearest_ink(drawn) == ink


def test_another_reading_that_is_likely_is_named_too(table_calibration):
    sure = observation((HexContent(tile="forest"), 0.7))
    torn = observation((HexContent(tile="forest"), 0.7), (HexContent(tile="beach"), 0.3))
    drawn = [(drawn_in_the_middle(table_calibration, o) > 0).sum() for o in (sure, torn)]
    assert drawn[1] > 1.1 * drawn[0]


def test_a_hidden_hex_has_no_claim(table_calibration):
    assert nearest_ink(drawn_in_the_middle(table_calibration, observation(hidden="hand"))) is None


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (HexContent(), ["sea"]),
        (HexContent(tile="forest", explorers={"red": 2, "blue": 1}), ["forest", "2 red, blue"]),
        (HexContent(boat={}), ["boat: empty"]),
        (HexContent(boat={"green": 1}, sharks=1, whales=2), ["boat: green", "shark", "2 whales"]),
    ],
)
def test_content_is_named_in_words(content, lines):
    assert name_content(content) == lines
