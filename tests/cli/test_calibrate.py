"""`companion calibrate`: a session becomes a file, with words on how good it is."""

import json
import shutil

import msgspec
import numpy as np
import pytest

from calibration import load_calibration
from calibration.assessment import Assessment, assess
from calibration.haze import Haze
from calibration.quality import Advice, Measure
from companion.cli import calibrate
from companion.cli.program import main


def run(*words):
    return main(["calibrate", *(str(w) for w in words)])


def test_a_session_becomes_a_calibration_file(table_dir, tmp_path, capsys):
    out = tmp_path / "table.json"
    assert run(table_dir, "--out", out) == 0
    assert load_calibration(out).camera.image_size == (1536, 864)
    printed = capsys.readouterr().out
    assert "reprojection error" in printed
    assert printed.strip().endswith("All is well.")


def test_a_poor_calibration_of_a_session_is_written_and_called_poor_on_the_last_line(
    table_dir, tmp_path, capsys, monkeypatch
):
    advice = Advice("Switch a lamp on.")
    measures = (Measure("light", 9.0, "of 255", "poor", advice), Measure("colours apart", 0.5, "", "good"))
    monkeypatch.setattr(calibrate, "assess", lambda _: Assessment("poor", measures, ("blue", "sea")))
    assert run(table_dir, "--out", tmp_path / "table.json") == 0
    assert load_calibration(tmp_path / "table.json").camera.image_size == (1536, 864)
    *_, said, last = capsys.readouterr().out.splitlines()
    assert said == "Switch a lamp on."
    assert last.startswith("This calibration is poor")


def test_the_quality_can_be_had_as_json(table_dir, tmp_path, capsys):
    assert run(table_dir, "--out", tmp_path / "t.json", "--json") == 0
    assert json.loads(capsys.readouterr().out)["line_rms_mm"] < 0.4


def test_a_session_that_is_not_there_is_named_and_nothing_is_written(tmp_path, capsys):
    assert run(tmp_path / "nowhere", "--out", tmp_path / "t.json") == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "session.json" in printed.err
    assert printed.err.count("\n") == 1
    assert not (tmp_path / "t.json").exists()


def test_a_file_is_no_session(table_dir, tmp_path, capsys):
    assert run(table_dir / "f01.jpg", "--out", tmp_path / "t.json") == 1
    said = f"companion calibrate: {table_dir / 'f01.jpg'}: this is a file; name a session's folder.\n"
    assert capsys.readouterr().err == said


def test_a_session_without_its_swatch_layout_is_told_which_plan_is_taken(table_dir, tmp_path, capsys):
    session, out = tmp_path / "session", tmp_path / "t.json"
    session.mkdir()
    for name in ("session.json", "calib_board.jpg", "calib_pieces.jpg", "calib_pieces.json"):
        shutil.copyfile(table_dir / name, session / name)
    assert run(session, "--out", out) == 0
    assert capsys.readouterr().err == ""
    (session / "calib_pieces.json").unlink()
    assert run(session, "--out", out) == 0
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"companion calibrate: {session / 'calib_pieces.json'}: this file is not there; ")
    assert "the plan that `companion print` draws" in said


def test_lens_pictures_that_the_session_does_not_name_are_told_of(table_dir, tmp_path, capsys):
    session = tmp_path / "session"
    shutil.copytree(table_dir, session)
    (session / "lens").mkdir()
    assert run(session, "--out", tmp_path / "t.json") == 0
    assert capsys.readouterr().err == ""
    shutil.copyfile(session / "calib_board.jpg", session / "lens" / "l01.jpg")
    assert run(session, "--out", tmp_path / "t.json") == 0
    said = f"companion calibrate: {session / 'lens'}: not read, as session.json says nothing of lens_pictures.\n"
    assert capsys.readouterr().err == said


def test_a_file_that_is_no_calibration_is_not_replaced_by_one(table_dir, tmp_path, capsys):
    session = tmp_path / "session"
    shutil.copytree(table_dir, session)
    (session / "game.json").write_text('{\n "format": "companion game record 1"}')
    for name in ("session.json", "calib_board.jpg", "game.json"):
        before = (session / name).read_bytes()
        assert run(session, "--out", session / name) == 1
        (said,) = capsys.readouterr().err.splitlines()
        assert said.startswith(f"companion calibrate: {session / name}: this file is no calibration, and would be lost")
        assert (session / name).read_bytes() == before


def test_a_folder_that_was_made_for_a_calibration_is_told_of(table_dir, tmp_path, capsys):
    mistyped = tmp_path / "tabels" / "t.json"
    for said in (f"companion calibrate: {mistyped}: the folder was not there, and was made.\n", ""):
        assert run(table_dir, "--out", mistyped) == 0
        assert capsys.readouterr().err == said


@pytest.mark.parametrize("before", [b"", b'{"format":2,"cam', b'{ "format": 1 }'])
def test_a_calibration_that_was_torn_or_is_old_is_replaced(table_dir, tmp_path, before):
    out = tmp_path / "table.json"
    out.write_bytes(before)
    assert run(table_dir, "--out", out) == 0
    assert load_calibration(out).camera.image_size == (1536, 864)


def in_words(corners):
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in corners)


def test_corners_that_are_said_do_for_cards(table_dir, table_calibration, tmp_path, capsys):
    corners = table_calibration.camera.project(table_calibration.board.corners())
    said = in_words(corners + np.array([(6, -5), (-7, 4), (3, 8), (-6, -4)]))
    out = tmp_path / "table.json"
    assert run(table_dir, "--out", out, "--corners", said) == 0
    found = load_calibration(out).camera.project(table_calibration.board.corners())
    assert abs(found - corners).max() < 0.5
    (cards,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("corner cards"))
    assert cards.split(maxsplit=2)[2] == "-  not measured"
    assert run(table_dir, "--out", out, "--corners", said, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["card_rms_mm"] is None
    assert "corner cards" not in {measure["name"] for measure in told["measures"]}


def test_without_cards_the_exposure_is_not_said_to_be_theirs(table_calibration):
    bare = msgspec.structs.replace(table_calibration, cards={})
    for calibration, said in ((table_calibration, "the cards' white, of 255"), (bare, "what is brightest, of 255")):
        assert any(said in line for line in calibrate.quality_lines(calibration, assess(calibration)))


def test_how_black_black_is_is_said_where_it_is_known(table_calibration):
    for black, said in ((0.031, "3 %"), (None, None)):
        quality = msgspec.structs.replace(table_calibration.quality, black=black)
        calibration = msgspec.structs.replace(table_calibration, quality=quality)
        told = [
            line.split()[1:3] for line in calibrate.quality_lines(calibration, assess(calibration)) if "black" in line
        ]
        assert told == ([said.split()] if said else [])


@pytest.mark.parametrize("black", [0.06, None])
def test_haze_is_said_where_there_is_some_at_tapped_tables_too(table_calibration, black):
    quality = msgspec.structs.replace(table_calibration.quality, black=black)
    for haze, told in ((None, []), (Haze((0.02, 0.03, 0.025), (0.3, 0.3, 0.3)), [["3.0", "%"]])):
        calibration = msgspec.structs.replace(table_calibration, quality=quality, haze=haze)
        lines = calibrate.quality_lines(calibration, assess(calibration))
        assert [line.split()[1:3] for line in lines if line.startswith("haze")] == told


def test_cards_in_each_others_places_are_told_in_one_line(table_dir, tmp_path, capsys):
    shutil.copytree(table_dir, tmp_path / "session")
    about = json.loads((table_dir / "session.json").read_text())
    about["cards"]["ids"] = {"nw": 1, "ne": 0, "se": 2, "sw": 3}
    (tmp_path / "session" / "session.json").write_text(json.dumps(about))
    assert run(tmp_path / "session", "--out", tmp_path / "t.json") == 1
    printed = capsys.readouterr().err
    assert "card" in printed
    assert printed.count("\n") == 1


@pytest.mark.parametrize(
    ("said", "why"),
    [
        pytest.param("9,9 1527,9 1527,855 9,-855", "outside the picture, which is 1536 x 864", id="outside"),
        pytest.param("9,9 19,9 19,19 9,19", "too close together", id="a spot"),
        pytest.param("500,300 700,300 700,500 500,500", "do not fit these four corners", id="no board"),
    ],
)
def test_corners_where_no_board_can_be_are_refused_in_one_line(table_dir, tmp_path, capsys, said, why):
    assert run(table_dir, "--out", tmp_path / "t.json", "--corners", said) == 1
    printed = capsys.readouterr().err
    assert why in printed
    assert printed.count("\n") == 1
    assert not (tmp_path / "t.json").exists()


@pytest.mark.parametrize("said", ["", "1,2 3,4 5,6", "1,2 3,4 5,6 7", "1,2 3,4 5,6 7,nan", "nw ne se sw"])
def test_corners_that_are_no_four_pairs_are_wrong_usage(table_dir, tmp_path, capsys, said):
    with pytest.raises(SystemExit) as left:
        run(table_dir, "--out", tmp_path / "t.json", "--corners", said)
    assert left.value.code == 2
    assert "four corners are needed" in capsys.readouterr().err


def test_corners_without_a_session_are_wrong_usage(capsys):
    with pytest.raises(SystemExit) as left:
        run("--simulate", "--corners", "1,1 9,1 9,9 1,9")
    assert left.value.code == 2
    assert "--corners goes with SESSION_DIR" in capsys.readouterr().err
