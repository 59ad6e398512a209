"""`companion recognise`: a layout a picture; a bad picture is named, the others go on."""

import errno
import itertools
import json
import os
import shutil
import struct
import sys
import weakref

import cv2
import msgspec
import numpy as np
import pytest

from calibration import jpeg, load_calibration, save_calibration
from companion.cli import picture_reader, recognise
from companion.cli.output import Output
from companion.cli.program import main
from companion.cli.recognise import written_layout
from companion.rules.geometry import load_board
from companion.rules.layout import HexContent, decode_layout
from companion.vision.observation import HexEvidence, HexHypothesis, Observation
from companion.vision.recogniser import Recogniser
from companion.vision.show import STEPS


def run(*words):
    return main(["recognise", *(str(w) for w in words)])


@pytest.fixture
def calibration_file(table_calibration, tmp_path):
    path = tmp_path / "calibration.json"
    save_calibration(path, table_calibration)
    return path


def test_a_picture_becomes_a_layout_and_its_time_is_told(table_dir, calibration_file, tmp_path, capsys):
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", table_dir / "f01.jpg") == 0
    layout = decode_layout(json.loads((tmp_path / "out" / "f01.json").read_text()), load_board())
    assert len(layout.hexes) > 40
    assert capsys.readouterr().out.strip().endswith(" ms")


def test_bad_pictures_are_named_and_the_others_go_on(table_dir, calibration_file, tmp_path, capsys):
    torn, small, grey = (tmp_path / f"{n}.jpg" for n in ("torn", "small", "grey"))
    data = (table_dir / "f01.jpg").read_bytes()
    torn.write_bytes(data[: len(data) // 2])
    image = cv2.imread(str(table_dir / "f01.jpg"))
    cv2.imwrite(str(small), cv2.resize(image, (768, 432)))
    cv2.imwrite(str(grey), cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    missing = tmp_path / "missing.jpg"
    out = tmp_path / "out"
    pictures = [torn, small, grey, missing, table_dir / "f01.jpg"]
    assert run("--calibration", calibration_file, "--out", out, *pictures) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 4
    for line, path in zip(errors, pictures, strict=False):
        assert str(path) in line
    assert [p.name for p in out.iterdir()] == ["f01.json"]


@pytest.mark.parametrize("option", ["--out", "--debug"])
def test_a_folder_without_a_name_is_wrong_usage(tmp_path, monkeypatch, capsys, option):
    """As a variable that is not set gives it: else layouts would be strewn where one is."""
    monkeypatch.chdir(tmp_path)
    words = {"--out": str(tmp_path / "out"), option: ""}
    with pytest.raises(SystemExit) as end:
        run("--calibration", "table.json", *itertools.chain(*words.items()), "f01.jpg")
    assert end.value.code == 2
    assert f"argument {option}: the name is empty" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.fixture
def elsewhere(tmp_path):
    """A picture without a board: a table cloth."""
    noise = np.random.default_rng(1).integers(0, 255, (864, 1536, 3), np.uint8)
    path = tmp_path / "elsewhere.jpg"
    cv2.imwrite(str(path), cv2.GaussianBlur(noise, (0, 0), 8) * 2)
    return path


def test_a_picture_of_another_place_is_named(calibration_file, elsewhere, tmp_path, capsys):
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", elsewhere) == 1
    assert "elsewhere.jpg: the board is not found in the picture" in capsys.readouterr().err
    assert not list((tmp_path / "out").iterdir())


def test_a_board_far_from_where_it_was_calibrated_is_told_of(table_dir, calibration_file, tmp_path, capsys):
    """It may be another table with the same print, whose light and paint are others."""
    image = cv2.imread(str(table_dir / "f01.jpg"))
    shift = np.array([[1, 0, 30], [0, 1, 0]], np.float32)
    there, still_there, back = (tmp_path / f"{name}.png" for name in ("there", "still_there", "back"))
    for path in (there, still_there):
        cv2.imwrite(str(path), cv2.warpAffine(image, shift, image.shape[1::-1], borderMode=cv2.BORDER_REFLECT))
    cv2.imwrite(str(back), image)
    pictures = [table_dir / "f01.jpg", there, still_there, back]
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", *pictures) == 0
    lines = capsys.readouterr().err.splitlines()
    named = zip(("there", "still_there"), lines, strict=True)
    assert all(f"{name}.png: the board lies" in line for name, line in named)
    assert all("from where it was calibrated" in line for line in lines)


def with_tag(path, image, orientation):
    """Save it with an EXIF tag that says how the camera was held."""
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 97])[1].tobytes()
    body = b"Exif\0\0MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    path.write_bytes(data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:])


@pytest.mark.parametrize(
    ("stored", "orientation"),
    [
        pytest.param(lambda i: cv2.rotate(i, cv2.ROTATE_180), 3, id="stored upside down, as the tag says"),
        pytest.param(lambda i: cv2.rotate(i, cv2.ROTATE_90_COUNTERCLOCKWISE), 6, id="stored sideways, as the tag says"),
        pytest.param(lambda i: i, 6, id="a telephone that looks down and guesses wrong"),
        pytest.param(lambda i: i, 3, id="the same, upside down"),
    ],
)
def test_however_the_camera_was_held_the_board_is_read_as_it_was_calibrated(
    table_dir, calibration_file, tmp_path, stored, orientation
):
    image = cv2.imread(str(table_dir / "f01.jpg"))
    with_tag(tmp_path / "held.jpg", stored(image), orientation)
    pictures = [table_dir / "f01.jpg", tmp_path / "held.jpg"]
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", *pictures) == 0
    plain, held = (json.loads((tmp_path / "out" / f"{n}.json").read_text())["hexes"] for n in ("f01", "held"))
    assert sum(h in held for h in plain) >= len(plain) - 3  # it was compressed once more


def test_a_picture_that_is_not_sharp_is_named_and_what_to_do(calibration_file, table_dir, tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "soft.jpg"), cv2.GaussianBlur(cv2.imread(str(table_dir / "f01.jpg")), (0, 0), 3))
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", tmp_path / "soft.jpg") == 1
    assert "soft.jpg: the picture is not sharp, its pieces would be misread: wipe the lens" in capsys.readouterr().err
    assert not (tmp_path / "out" / "soft.json").exists()


def test_where_next_to_nothing_can_be_said_of_a_picture_that_is_said(calibration_file, table_dir, tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "dark.png"), cv2.imread(str(table_dir / "f01.jpg")) // 6)
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", tmp_path / "dark.png") == 0
    unknown = len(json.loads((tmp_path / "out" / "dark.json").read_text())["unknown"])
    assert unknown > 100
    assert f"dark.png: of {unknown} of the 133 hexes nothing can be said: too little light," in capsys.readouterr().err


def test_safe_lands_that_are_hidden_are_named_as_the_layout_cannot(calibration_file, table_dir, tmp_path, capsys):
    image = cv2.imread(str(table_dir / "f01.jpg"))
    where = load_calibration(calibration_file).camera.project([[-230.0, -210.0, 0.0]])[0]
    cv2.circle(image, [round(v) for v in where], 130, (255, 255, 255), -1)
    cv2.imwrite(str(tmp_path / "lamp.png"), image)
    assert run("--json", "--calibration", calibration_file, "--out", tmp_path / "out", tmp_path / "lamp.png") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["hidden_lands"] == ["nw"]
    assert "lamp.png: who stands on the safe lands nw is hidden by glare," in err
    assert "nw" not in json.loads((tmp_path / "out" / "lamp.json").read_text())["safe"]


@pytest.mark.parametrize("orientation", [1, 3, 6])
def test_that_the_board_is_not_found_is_told_whatever_the_tag_says(
    calibration_file, elsewhere, tmp_path, capsys, orientation
):
    """Its size fits as the sensor gave it."""
    with_tag(tmp_path / "held.jpg", cv2.imread(str(elsewhere)), orientation)
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", tmp_path / "held.jpg") == 1
    assert "held.jpg: the board is not found in the picture" in capsys.readouterr().err


def test_a_picture_in_which_the_board_is_not_found_is_decoded_once(calibration_file, elsewhere, tmp_path, monkeypatch):
    decoded = []
    decode = jpeg.decode
    monkeypatch.setattr(jpeg, "decode", lambda data: decoded.append(data) or decode(data))
    for orientation in (1, 3, 6):
        with_tag(tmp_path / f"held{orientation}.jpg", cv2.imread(str(elsewhere)), orientation)
    pictures = sorted(tmp_path.glob("held*.jpg"))
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", *pictures) == 1
    assert len(decoded) == len(pictures) == 3


@pytest.mark.parametrize("orientation", [1, 3, 6])
def test_a_picture_of_another_size_is_told_by_its_size(calibration_file, tmp_path, capsys, orientation):
    with_tag(tmp_path / "small.jpg", np.random.default_rng(1).integers(0, 255, (432, 768, 3), np.uint8), orientation)
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", tmp_path / "small.jpg") == 1
    assert "small.jpg: The picture is 768 x 432, the calibration is for 1536 x 864" in capsys.readouterr().err


def test_room_is_made_before_a_picture_is_read(table_dir, calibration_file, tmp_path, monkeypatch):
    done = []
    read = picture_reader.read_turned
    monkeypatch.setattr(picture_reader.heap, "make_room", lambda _: done.append("room"))
    monkeypatch.setattr(picture_reader, "read_turned", lambda path: done.append(path.stem) or read(path))
    pictures = [table_dir / "f01.jpg", table_dir / "f03.jpg"]
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", *pictures) == 0
    assert done[-4:] == ["room", "f01", "room", "f03"]


def test_a_boat_in_which_four_are_read_is_written_with_three_or_unknown() -> None:
    """A layout has no word for it."""
    four, three = HexContent(boat={"red": 4}), HexContent(boat={"red": 3})
    readings = {(0, 0): (four, three), (1, 0): (four,), (2, 0): (three, four)}
    hexes = tuple(HexEvidence(h, tuple(HexHypothesis(c, 0.4) for c in said)) for h, said in readings.items())
    written = written_layout(Observation(frame=0, time=0.0, hexes=hexes, safe=()))
    assert written.hexes == {(0, 0): three, (2, 0): three}
    assert written.unknown == {(1, 0)}


def test_the_picture_is_let_go_of_before_it_is_read(table_dir, calibration_file, tmp_path, monkeypatch):
    """One of 12 megapixels takes as much memory as what is read of it."""
    pictures, there = [], []
    turned, read = picture_reader.read_turned, Recogniser.read

    def watched(path):
        image, orientation = turned(path)
        pictures.append(weakref.ref(image))
        return image, orientation

    def looked(recogniser, *found):
        there.append(pictures[-1]() is not None)
        return read(recogniser, *found)

    monkeypatch.setattr(picture_reader, "read_turned", watched)
    monkeypatch.setattr(Recogniser, "read", looked)
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", table_dir / "f01.jpg") == 0
    assert there == [False]


def test_damage_in_the_middle_of_a_picture_is_told_and_never_read(table_dir, calibration_file, tmp_path, capsys):
    data = (table_dir / "f01.jpg").read_bytes()
    rng = np.random.default_rng(1)
    pictures = []
    for number in range(12):
        broken, at = bytearray(data), int(rng.integers(5000, len(data) - 5000))
        broken[at : at + 512] = rng.bytes(512) if number % 2 else bytes(512)  # a sector of the card
        pictures.append(tmp_path / f"b{number}.jpg")
        pictures[-1].write_bytes(bytes(broken))
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", *pictures) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == len(pictures)
    assert all(str(path) in line and "damaged" in line for path, line in zip(pictures, errors, strict=True))
    assert not list((tmp_path / "out").iterdir())


def test_with_json_each_picture_is_an_object(table_dir, calibration_file, tmp_path, capsys):
    missing = tmp_path / "missing.jpg"
    out = tmp_path / "out"
    assert run("--json", "--calibration", calibration_file, "--out", out, missing, table_dir / "f01.jpg") == 1
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told[0]["picture"] == str(missing)
    assert "cannot be read" in told[0]["error"]
    assert told[1]["layout"] == str(out / "f01.json")
    assert told[1]["ms"] > 0


def test_a_name_that_is_no_text_is_printed_all_the_same_and_nothing_else_in_a_pipe(
    table_dir, calibration_file, tmp_path, capsys
):
    picture = tmp_path / os.fsdecode(b"f\xff.jpg")
    picture.write_bytes((table_dir / "f01.jpg").read_bytes())
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", picture) == 0
    streams = capsys.readouterr()
    assert len(streams.out.splitlines()) == 1
    assert streams.out.endswith(" ms\n")
    assert not streams.err


def test_debug_writes_what_each_step_saw_even_if_the_board_was_not_found(
    table_dir, calibration_file, elsewhere, tmp_path
):
    debug, out = tmp_path / "why", tmp_path / "out"
    assert run("--calibration", calibration_file, "--out", out, "--debug", debug, table_dir / "f01.jpg", elsewhere) == 1
    for name in ("f01", "elsewhere"):
        written = sorted((debug / name).iterdir())
        assert [p.name[0] for p in written] == list("123456789")
        assert all(cv2.imread(str(p)) is not None for p in written)
    assert [p.name for p in out.iterdir()] == ["f01.json"]


def test_a_layout_is_told_of_though_what_each_step_saw_cannot_be_written(
    table_dir, calibration_file, elsewhere, tmp_path, capsys
):
    debug, out = tmp_path / "why", tmp_path / "out"
    debug.mkdir()
    for name in ("f01", "elsewhere"):
        (debug / name).touch()
    words = ["--json", "--calibration", calibration_file, "--out", out, "--debug", debug]
    assert run(*words, table_dir / "f01.jpg", elsewhere) == 1
    printed = capsys.readouterr()
    read, missed = (json.loads(line) for line in printed.out.splitlines())
    assert read["layout"] == str(out / "f01.json")
    assert decode_layout(json.loads((out / "f01.json").read_text()), load_board()).hexes
    assert read["error"].startswith(f"{debug / 'f01'}: what each step saw cannot be written")
    assert "layout" not in missed
    assert "the board is not found" in missed["error"]
    assert printed.err == "".join(f"companion recognise: {told['error']}\n" for told in (read, missed))


def test_a_layout_that_cannot_be_written_is_named_and_not_its_picture(
    table_dir, calibration_file, tmp_path, capsys, monkeypatch
):
    def full(path, _data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(recognise, "write_atomically", full)
    out, picture = tmp_path / "out", table_dir / "f01.jpg"
    assert run("--calibration", calibration_file, "--out", out, picture) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"companion recognise: {out / 'f01.json'}: what was seen in {picture} cannot be written (")
    assert said.endswith("Make room, or name another folder with --out.\n")


def test_a_file_that_is_no_calibration_is_named(table_dir, tmp_path, capsys):
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    assert run("--calibration", bad, "--out", tmp_path / "out", table_dir / "f01.jpg") == 1
    assert "bad.json" in capsys.readouterr().err


def test_a_calibration_that_nothing_can_be_read_by_is_named(table_dir, table_calibration, tmp_path, capsys):
    """Its swatch picture shows the bare board."""
    bare = tmp_path / "bare.json"
    save_calibration(bare, msgspec.structs.replace(table_calibration, swatch=table_calibration.reference))
    assert run("--calibration", bare, "--out", tmp_path / "out", table_dir / "f01.jpg") == 1
    assert f"{bare}: None of the pieces is seen" in capsys.readouterr().err


def test_whoever_reads_what_is_told_may_go_and_all_layouts_are_written(
    table_dir, calibration_file, tmp_path, monkeypatch
):
    def gone(*_):
        raise BrokenPipeError

    monkeypatch.setattr(sys.stdout, "write", gone)
    pictures = [table_dir / "f01.jpg", tmp_path / "missing.jpg", table_dir / "f03.jpg"]
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", *pictures) == 1
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["f01.json", "f03.json"]


def test_though_nobody_can_be_told_all_layouts_are_written(table_dir, calibration_file, tmp_path, monkeypatch, capsys):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(sys.stdout, "write", full)
        disk.setattr(Output, "give_up", lambda _: None)  # which takes the place of a file
        pictures = [table_dir / "f01.jpg", table_dir / "f03.jpg"]
        assert run("--calibration", calibration_file, "--out", tmp_path / "out", *pictures) == 1
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["f01.json", "f03.json"]
    assert "Standard output cannot be written to (No space left on device)" in capsys.readouterr().err


def test_what_an_earlier_run_saw_does_not_outlive_its_picture(table_dir, calibration_file, tmp_path):
    picture, debug = tmp_path / "f.jpg", tmp_path / "why"
    shutil.copyfile(table_dir / "f01.jpg", picture)
    words = ["--calibration", calibration_file, "--out", tmp_path / "out", "--debug", debug, picture]
    assert run(*words) == 0
    assert len(list((debug / "f").iterdir())) == len(STEPS)
    (debug / "f" / "notes.txt").touch()
    picture.write_bytes(picture.read_bytes()[:1000])
    assert run(*words) == 1
    assert [file.name for file in (debug / "f").iterdir()] == ["notes.txt"]


def test_a_picture_that_is_named_twice_is_read_once(table_dir, calibration_file, tmp_path, capsys):
    picture = table_dir / "f01.jpg"
    assert run("--calibration", calibration_file, "--out", tmp_path / "out", picture, picture) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_of_two_pictures_of_one_name_neither_is_read_and_the_others_go_on(
    table_dir, calibration_file, tmp_path, capsys
):
    other = tmp_path / "f01.jpg"
    other.write_bytes((table_dir / "f01.jpg").read_bytes())
    out = tmp_path / "out"
    pictures = [table_dir / "f01.jpg", other, table_dir / "f03.jpg"]
    assert run("--calibration", calibration_file, "--out", out, *pictures) == 1
    errors = capsys.readouterr().err.splitlines()
    assert [str(path) in line for path, line in zip(pictures, errors, strict=False)] == [True, True]
    assert [p.name for p in out.iterdir()] == ["f03.json"]


def test_the_layout_of_an_earlier_run_does_not_outlive_its_picture(calibration_file, elsewhere, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "elsewhere.json").write_text('{"hexes": [], "safe": {}}')
    (out / "another.json").write_text('{"hexes": [], "safe": {}}')
    assert run("--calibration", calibration_file, "--out", out, elsewhere) == 1
    assert [p.name for p in out.iterdir()] == ["another.json"]


@pytest.mark.parametrize(
    "text", ["of last week", "[" * 100_000, '{"hexes": [], "safe": {}, "condition": {"hand": false}}']
)
def test_what_no_earlier_run_has_written_is_never_overwritten(calibration_file, elsewhere, tmp_path, text):
    """A calibration, a swatch layout, somebody's notes: the folder is one that was not meant."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "elsewhere.json").write_text(text)
    assert run("--calibration", calibration_file, "--out", out, elsewhere) == 1
    assert (out / "elsewhere.json").read_text() == text


def test_what_may_be_a_sessions_own_is_never_written(table_dir, calibration_file, tmp_path, capsys):
    """A frame's truth; its swatch layout, by which it would be calibrated from then on."""
    session = tmp_path / "session"
    session.mkdir()
    (session / "session.json").write_text("{}")
    (session / "f01.json").write_text('{"hexes": [], "safe": {}}')
    pictures = [table_dir / name for name in ("f01.jpg", "calib_pieces.jpg", "f03.jpg")]
    assert run("--calibration", calibration_file, "--out", session, *pictures) == 1
    said = "this file may belong to the session beside it: name another folder with --out."
    refused = (session / name for name in ("f01.json", "calib_pieces.json"))
    assert capsys.readouterr().err == "".join(f"companion recognise: {file}: {said}\n" for file in refused)
    assert (session / "f01.json").read_text() == '{"hexes": [], "safe": {}}'
    assert sorted(file.name for file in session.iterdir()) == ["f01.json", "f03.json", "session.json"]


def test_a_picture_may_be_called_session(table_dir, calibration_file, tmp_path):
    picture, out = tmp_path / "session.jpg", tmp_path / "out"
    shutil.copyfile(table_dir / "f01.jpg", picture)
    for _ in range(2):
        assert run("--calibration", calibration_file, "--out", out, picture) == 0


def test_a_pipe_of_the_layouts_name_is_not_waited_for_and_stays(table_dir, calibration_file, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    os.mkfifo(out / "f01.json")
    assert run("--calibration", calibration_file, "--out", out, table_dir / "f01.jpg") == 1
    assert f"{out / 'f01.json'}: this file is not what an earlier run has written" in capsys.readouterr().err
    assert (out / "f01.json").is_fifo()


def test_a_file_of_the_layouts_name_that_is_far_too_large_is_not_read(table_dir, calibration_file, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    with (out / "f01.json").open("wb") as file:
        file.truncate(3 << 30)  # takes no room on the disk
    assert run("--calibration", calibration_file, "--out", out, table_dir / "f01.jpg") == 1
    assert "this file is not what an earlier run has written" in capsys.readouterr().err
