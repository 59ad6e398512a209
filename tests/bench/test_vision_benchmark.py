"""What the recognition benchmark says of a set of pictures is what its figures are."""

import json
import math
import weakref
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bench.corners import corner_errors, fit_session
from bench.vision import main
from bench.vision import measure as measuring
from bench.vision.kinds import confusions
from bench.vision.reliability import Claim, bins, claims, expected_calibration_error
from bench.vision.report import weights_hash, write_report
from bench.vision.results import measure
from bench.vision.scoring import Score, Scorer, Share
from bench.vision.sets import (
    SetError,
    light_conditions,
    pose_conditions,
    print_conditions,
    read_kept_out,
    read_sessions,
    shared_folder,
)
from bench.vision.tables import Table, all_tables
from companion.rules.geometry import load_board
from companion.rules.layout import HexContent, Layout
from companion.vision.observation import HexEvidence, HexHypothesis, Observation
from companion.vision.recogniser import Recogniser
from companion.watch import worker

SET = shared_folder()


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I
        (15, 148, 0.0624, 0.1605),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_wilsons(right, total, low, high):
    assert Share(right, total).interval == pytest.approx((low, high), abs=1e-4)


def test_nothing_measured_is_no_share():
    assert math.isnan(Share(0, 0).value)
    assert Share(0, 0).interval == (0.0, 1.0)


def test_probabilities_that_are_honest_have_no_calibration_error():
    honest = [Claim(0.8, i < 8) for i in range(10)] + [Claim(1.0, True)] * 5
    assert expected_calibration_error(bins(honest)) == pytest.approx(0.0)


def test_probabilities_that_boast_have_one():
    boasting = [Claim(0.95, i < 5) for i in range(10)] + [Claim(0.6, True)] * 10
    used = bins(boasting)
    assert [(b.low, b.high, b.share.right, b.share.total) for b in used] == [(0.5, 0.7, 10, 10), (0.9, 0.97, 5, 10)]
    assert expected_calibration_error(used) == pytest.approx(0.5 * 0.4 + 0.5 * 0.45)


def test_only_hexes_that_hold_something_or_are_said_to_are_claims():
    boat, sea = HexContent(boat={}), HexContent()
    seen = Observation(
        0,
        0.0,
        (
            HexEvidence((0, 0), (HexHypothesis(boat, 0.9),)),
            HexEvidence((1, 0), (HexHypothesis(sea, 0.8),)),
            HexEvidence((2, 0), (HexHypothesis(sea, 1.0),)),
            HexEvidence((3, 0), (), "hand"),
        ),
        (),
    )
    truth = Layout({(0, 0): boat, (1, 0): boat, (3, 0): boat})
    assert claims(seen, truth) == [Claim(0.9, True), Claim(0.8, False)]


def test_a_mistake_is_told_by_what_differs():
    wrong = [
        [[0, 1], {"tile": "forest", "explorers": {"red": 2}}, {"tile": "forest", "explorers": {"red": 1}}, "free"],
        [[2, -1], {"serpents": 1}, {"sharks": 1}, "free"],
        [[3, -1], {"serpents": 1}, {"sharks": 1}, "hand_seen"],
        [[4, -1], {"boat": {"blue": 1}}, "empty", "free"],
        ["nw", {"red": 1}, {}, "safe"],
    ]

    class Frame:
        session, name = "s", "f01"

    found = confusions([(Frame, Score({}, wrong))])
    assert [(len(c.places), c.truth, c.claim) for c in found] == [
        (2, "1 serpents", "1 sharks"),
        (1, "1 red", "nothing"),
        (1, "2 red", "1 red"),
        (1, "boat (1 blue)", "empty"),
    ]
    assert found[0].places == ["s/f01 [2, -1]", "s/f01 [3, -1] beside a hand"]


@pytest.mark.parametrize(
    ("turn", "name"),
    [
        (3, "upright"),
        (-15, "upright"),
        (95, "turned a quarter clockwise"),
        (179, "upside down"),
        (-178, "upside down"),
        (-90, "turned a quarter anticlockwise"),
        (45, "slanted"),
        (-130, "slanted"),
    ],
)
def test_how_the_board_lies_in_the_picture_has_a_name(turn, name):
    assert pose_conditions(66, 12, turn) == {
        "lens": "lens up to 75 degrees",
        "tilt": "tilt 10 to 20 degrees",
        "turn": name,
    }


@pytest.mark.parametrize(
    ("sea", "lines", "style"),
    [
        ((30, -6, -25), 8, ("blue sea", "light lines")),
        ((55, -25, -15), 20, ("turquoise sea", "light lines")),
        ((50, -20, 3), -9, ("green sea", "dark lines")),
        ((50, 2, -3), 1, ("grey sea", "faint lines")),
        ((40, 20, 10), 0, ("brown sea", "faint lines")),
        ((40, 20, -30), 0, ("violet sea", "faint lines")),
    ],
)
def test_the_style_of_a_print_has_a_name(sea, lines, style):
    assert tuple(print_conditions(sea, lines).values()) == style


def test_the_light_is_read_from_its_words():
    assert light_conditions("key light 124 %, fill 118 %, warmer, a person's soft shadow over the table") == {
        "light": "brighter",
        "shadow": "a person's shadow",
        "tint": "warmer",
    }
    assert light_conditions("") == {"light": "as strong as calibrated", "shadow": "no shadow"}


def test_tables_can_be_printed_and_written():
    table = Table("Title", "notes", ("a", "b"), [("1", "x|y"), ("long", "")])
    assert table.text() == "Title (notes)\n  a     b\n  1     x|y\n  long"
    assert "| 1 | x\\|y |" in table.markdown()


def test_a_camera_that_is_a_pixel_off_misses_every_corner_by_as_much(table_dir):
    image, info, fit = fit_session(table_dir)
    assert np.median(corner_errors(image, fit.camera, info.board)) < 0.2
    x, y = fit.camera.centre
    aside = msgspec.structs.replace(fit.camera, centre=(x + 0.6, y - 0.8))
    assert np.median(corner_errors(image, aside, info.board)) == pytest.approx(1.0, abs=0.1)


def test_pictures_are_let_go_of_as_the_watching_process_does(table_dir, table_calibration, tmp_path, monkeypatch):
    """Else the memory measured would be another's."""
    pictures, there = [], []
    read_file, read = measuring.read_picture, Recogniser.read

    def opened(path):
        there.append(recogniser.trace is not None)
        image = read_file(path)
        pictures.append(weakref.ref(image))
        return image

    def looked(recogniser, *found):
        there.append(pictures[-1]() is not None)
        return read(recogniser, *found)

    monkeypatch.setattr(worker, "KEPT_SIDE", 800)
    monkeypatch.setattr(measuring, "read_picture", opened)
    monkeypatch.setattr(Recogniser, "read", looked)
    recogniser = Recogniser(table_calibration, load_board(), patience=0)
    watch = measuring.Watch(recogniser, tmp_path)
    seen = [watch.look(table_dir / f"{name}.jpg", number) for number, name in enumerate(("f01", "f03"))]
    assert there == [False] * 4
    assert [next(iter(frame.steps)) for frame in seen] == [measuring.READING] * 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["f01.json", "f03.json"]


@pytest.mark.skipif(SET is None, reason="the set's score.py is not here: ../shared/vision, or ATLANTIS_SHARED=DIR")
def test_a_set_is_measured_and_a_report_written(table_dir, tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "table").symlink_to(table_dir)
    sessions = read_sessions(tmp_path / "set")
    assert [f.name for f in sessions[0].frames] == ["f01", "f03"]
    *_, results = measure(sessions, SET / "score.py", tmp_path / "out", large=True)
    assert not list(results.failures())
    (run,) = results.runs
    assert 50 < run.peak_mb < 1000
    assert len(run.large.times) == 2
    assert run.large.peak_mb > run.peak_mb  # by less than a picture: it goes before the rest is read
    assert not list((tmp_path / "out").rglob("*.jpg"))
    assert len(run.corners) > 100
    assert max(run.corners) < 0.5
    assert run.tilt_degrees < 40
    assert all(t.wall > 0 for f in run.frames for t in f.steps.values())
    assert {t.title for t in all_tables(results)} >= {"All sessions together", "Frames with a hand", "Time a picture"}
    write_report(results, "set", tmp_path / "report.md", looked_at=False)
    page = (tmp_path / "report.md").read_text()
    assert "were looked at during" not in page
    assert f"weights {weights_hash()}" in page
    assert "./deploy/bench vision --report --kept-out DIR" in page
    assert "1 without a hand and 1 with one" in page
    for bar in ("ms", "12 megapixels, MB", "calibrating, s", "printed, px", "under a hand", "lands beside a hand"):
        assert any(bar in line and ("reached" in line or "missed" in line) for line in page.splitlines()), bar
    assert str(tmp_path) not in page
    write_report(results, "dev", tmp_path / "seen.md", looked_at=True, kept_out=results)
    seen = (tmp_path / "seen.md").read_text()
    assert "were looked at during" in seen
    assert seen.count("### All sessions together") == 2
    assert (tmp_path / "report.png").stat().st_size > 10_000


@pytest.mark.skipif(SET is None, reason="the set's score.py is not here: ../shared/vision, or ATLANTIS_SHARED=DIR")
def test_a_wrong_safe_land_beside_a_hand_is_named_and_one_under_it_is_not(table_dir, tmp_path):
    about = json.loads((table_dir / "f03.json").read_text()) | {"safe": {"nw": {"red": 1}}, "occluded_safe": ["se"]}
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "f03.json").write_text(json.dumps(about))
    (tmp_path / "out" / "t").mkdir(parents=True)
    claim = {"hexes": about["hexes"], "safe": {"ne": {"blue": 2}, "se": {"green": 1}}}
    (tmp_path / "out" / "t" / "f03.json").write_text(json.dumps(claim))
    (tmp_path / "t" / "session.json").write_text("{}")
    ((frame,),) = (s.frames for s in read_sessions(tmp_path))
    scorer = Scorer(SET / "score.py")
    score = scorer.score(frame, tmp_path / "out")
    assert score.wrong == [
        ["nw", {"red": 1}, {}, "hand_safe"],
        ["ne", {}, {"blue": 2}, "hand_safe"],
    ]
    assert scorer.hand_shares([score])[2] == Share(1, 3)
    assert [c.places for c in confusions([(frame, score)])] == [
        ["t/f03 nw beside a hand"],
        ["t/f03 ne beside a hand"],
    ]


def test_tables_are_kept_out_by_their_numbers_and_packed_boards_are_not_measured_on(tmp_path):
    boats = [{"hex": [q, 0], "boat": {}} for q in range(-5, 6)]
    packed = [*boats, *({"hex": [q, 1], "boat": {}} for q in range(-5, 5))]
    for name in ("s00011", "s00012", "strange00012"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "session.json").write_text("{}")
        (tmp_path / name / "f01.json").write_text(json.dumps({"hexes": boats}))
        (tmp_path / name / "f02.json").write_text(json.dumps({"hexes": packed}))
    kept = [(session.name, [f.name for f in session.frames]) for session in read_kept_out(tmp_path)]
    assert kept == [("s00011", ["f01"]), ("strange00012", ["f01"])]


@pytest.mark.parametrize("name", ["session.json", "f01.json"])
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"hexes": [', "this file cannot be read (Expecting value: "),
        (b"\xff\xd8\xff", "this file cannot be read ("),
        (b"[]", "this file holds no JSON object."),
    ],
)
def test_a_set_with_a_broken_file_is_told_of_by_its_name(tmp_path, name, content, why):
    (tmp_path / "t").mkdir()
    for file in ("session.json", "f01.json"):
        (tmp_path / "t" / file).write_bytes(content if file == name else b"{}")
    with pytest.raises(SystemExit) as told:
        main(["--sessions", str(tmp_path), "--score", __file__])
    assert str(told.value).startswith(f"{tmp_path / 't' / name}: {why}")


def test_a_truth_that_is_no_layout_is_told_of_by_its_name(tmp_path):
    (tmp_path / "session.json").write_text("{}")
    (tmp_path / "f01.json").write_text(json.dumps({"hexes": [{"hex": [9, 9], "boat": {}}]}))
    with pytest.raises(SetError, match=r"f01\.json: hexes\[0\]\.hex: .*\.$"):
        read_sessions(tmp_path.parent)


def test_a_score_that_is_not_there_is_wrong_usage(tmp_path, capsys):
    with pytest.raises(SystemExit) as told:
        main(["--score", str(tmp_path / "score.py")])
    assert told.value.code == 2
    assert f"--score {tmp_path / 'score.py'}: there is no such file" in capsys.readouterr().err


@pytest.mark.skipif(SET is None, reason="the set's score.py is not here: ../shared/vision, or ATLANTIS_SHARED=DIR")
def test_a_table_that_cannot_be_calibrated_counts_as_all_wrong_and_is_named(table_dir, tmp_path):
    session = tmp_path / "set" / "broken"
    session.mkdir(parents=True)
    for name in ("session.json", "f01.json", "f01.jpg"):
        (session / name).write_bytes((table_dir / name).read_bytes())
    *_, results = measure(read_sessions(tmp_path / "set"), SET / "score.py", tmp_path / "out")
    (failure,) = results.failures()
    assert "broken" in failure
    assert "cannot be read" in failure
    shares = results.scorer.shares([r.score for r in results.readings])
    assert shares[0].right == 0
    assert shares[0].total > 40
    assert all_tables(results)


def test_the_report_in_the_repository_is_of_these_weights():
    page = (Path(__file__).parents[2] / "docs" / "recognition-report.md").read_text()
    assert f"weights {weights_hash()}" in page
