"""One grade for a calibration, the measures behind it, and advice for each that falls short."""

import itertools

import msgspec
import numpy as np
import pytest

from calibration import assessment
from calibration.assessment import assess, colour_distances
from calibration.quality import CRITERIA, judge, worst


@pytest.fixture(scope="module")
def quality(table_calibration):
    return table_calibration.quality


def changed(calibration, **figures):
    return msgspec.structs.replace(calibration, quality=msgspec.structs.replace(calibration.quality, **figures))


def test_the_test_tables_calibration_is_good_in_everything(table_calibration):
    found = assess(table_calibration)
    assert found.grade == "good"
    assert found.advice == ()
    assert {m.name for m in found.measures} >= {"printed lines", "a hex", "light", "colours apart"}


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({"line_rms_mm": 0.6}, "is the board flat"),
        ({"card_rms_mm": 8.0}, "push each card's inner corner"),
        ({"px_per_mm": 0.8}, "lower the camera"),
        ({"tilt_degrees": 40.0}, "closer to above the board"),
        ({"edge_mm": 2.5}, "set the focus"),
        ({"level": 45.0}, "switch a lamp on"),
        ({"clipped": 0.08}, "turn the lamp away"),
        ({"mirrored": 0.3}, "turn the lamp away"),
        ({"mirrored": 0.3, "clipped": 0.02}, "turn the lamp away"),
        ({"black": 0.3}, "wipe the lens"),
        ({"lens_rms_px": 1.1}, "glue the lens sheet"),
    ],
)
def test_what_falls_short_makes_it_usable_with_advice(table_calibration, figures, said):
    found = assess(changed(table_calibration, **figures))
    assert found.grade == "usable"
    (advice,) = found.advice
    assert said in str(advice)


def test_the_worst_measure_makes_the_grade_and_its_advice_comes_first(table_calibration):
    found = assess(changed(table_calibration, tilt_degrees=40.0, level=10.0))
    assert found.grade == "poor"
    assert ["lamp on" in str(found.advice[0]), "above the board" in str(found.advice[1])] == [True, True]


def test_the_lens_error_counts_by_the_size_of_the_picture(quality):
    def grade(width, height):
        measured = msgspec.structs.replace(quality, lens_rms_px=1.0, width=width, height=height)
        return next(m.grade for m in judge(measured) if m.name == "lens")

    assert (grade(1536, 864), grade(4608, 2592)) == ("usable", "good")
    assert (grade(864, 1536), grade(2592, 4608)) == ("usable", "good")  # turned
    assert (grade(1536, 0), grade(4608, 0)) == ("usable", "good")  # of a file from before the height was kept


def test_what_was_not_measured_is_not_judged(quality):
    blind = msgspec.structs.replace(
        quality, edge_mm=None, lens_rms_px=None, card_rms_mm=None, black=None, mirrored=None
    )
    unjudged = {c.name for c in CRITERIA} - {m.name for m in judge(blind)}
    assert unjudged == {"corner cards", "width of an edge", "mirrored lamp", "printed black", "lens"}


def test_two_paints_that_look_alike_are_named(table_calibration):
    samples = dict(table_calibration.samples)
    samples["blue"] = samples["green"]
    found = assess(msgspec.structs.replace(table_calibration, samples=samples))
    assert found.grade == "poor"
    assert str(found.advice[0]).startswith("To the camera blue paint and green paint look alike, and it may take one ")


@pytest.mark.parametrize(
    ("near", "grade", "alike"),
    [
        ({("blue", "sea"): 0.29}, "good", ("blue", "sea")),  # as at tables where blue is read rightly
        ({("blue", "sea"): 0.14}, "usable", ("blue", "sea")),
        ({("green", "forest"): 0.5}, "usable", ("green", "forest")),
        ({("blue", "sea"): 0.29, ("green", "forest"): 0.5}, "usable", ("green", "forest")),
        ({("blue", "sea"): 0.1, ("green", "forest"): 0.5}, "poor", ("blue", "sea")),
    ],
)
def test_paint_may_be_nearer_to_the_sea_than_to_a_tile(table_calibration, monkeypatch, near, grade, alike):
    distances = colour_distances(table_calibration) | near
    monkeypatch.setattr(assessment, "colour_distances", lambda _: distances)
    found = assess(table_calibration)
    assert (found.grade, found.alike) == (grade, alike)
    assert len(found.advice) == (grade != "good")


def test_blue_paint_of_the_seas_colour_is_named(table_calibration):
    from calibration.light import to_lab

    view, board = table_calibration.view, table_calibration.board
    at = np.round(view.pixels([board.centre((q, -3)) for q in range(-2, 6)])).astype(int)
    sea = to_lab(table_calibration.reference_light())[at[:, 1], at[:, 0]]
    blue = np.round(np.repeat(sea, 60, axis=0)).astype(np.int8).tobytes()
    painted = msgspec.structs.replace(table_calibration, samples={**table_calibration.samples, "blue": blue})
    before, after = (colour_distances(c)["blue", "sea"] for c in (table_calibration, painted))
    assert after < before / 2
    assert assess(painted).alike == ("blue", "sea")


def test_two_paints_in_each_others_places_are_named(table_calibration):
    """Every piece would be taken for somebody else's, in every picture: nothing later could tell."""
    samples = dict(table_calibration.samples)
    samples["red"], samples["yellow"] = samples["yellow"], samples["red"]
    found = assess(msgspec.structs.replace(table_calibration, samples=samples))
    assert found.grade == "poor"
    said = str(found.advice[0])
    assert "red paint" in said.lower()
    assert "yellow paint" in said.lower()
    assert "each other's places" in said


def test_paints_in_a_turn_are_named_too(table_calibration):
    names = ("red", "blue", "yellow", "green")
    turned = {a: table_calibration.samples[b] for a, b in zip(names, (*names[1:], names[0]), strict=True)}
    found = assess(msgspec.structs.replace(table_calibration, samples={**table_calibration.samples, **turned}))
    assert "each other's places" in str(found.advice[0])


@pytest.mark.parametrize("two", list(itertools.combinations(("beach", "forest", "mountain"), 2)))
def test_two_terrains_in_each_others_places_are_named(table_calibration, two):
    """Every tile would be read as the other."""
    one, other = two
    samples = dict(table_calibration.samples)
    samples[one], samples[other] = samples[other], samples[one]
    found = assess(msgspec.structs.replace(table_calibration, samples=samples))
    assert assess(table_calibration).advice == ()
    assert found.grade == "usable"  # no rule says how a print paints them
    (said,) = found.advice
    assert set(said.fields.values()) == {f"the {one}", f"the {other}"}
    assert "each other's places" in str(said)


def test_a_chain_is_as_strong_as_its_weakest_link():
    assert worst(["good", "poor", "usable"]) == "poor"
    assert worst(["good", "usable"]) == "usable"
