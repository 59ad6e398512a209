"""From a session's pictures to the calibration file and back, and every way in which that can go wrong."""

import json
import shutil

import cv2
import msgspec
import numpy as np
import pytest
from lights import from_linear
from pushes import placed, table_moved

from calibration import CalibrationError, calibrate, calibrate_session, load_calibration, save_calibration
from calibration.assessment import assess
from calibration.colours import of_class
from calibration.errors import BoardPictureError, SwatchPictureError
from calibration.file import require_writable
from calibration.hexes import hex_outline, hex_pixels
from calibration.light import to_lab, to_linear
from calibration.model import BRIGHT_LEVEL, BRIGHT_PERCENT
from calibration.pictures import read_picture
from calibration.print import HEXES
from calibration.session import SessionInfo
from calibration.swatch import PRESCRIBED, Swatch, decode_swatches


def test_the_printed_lines_are_met_to_a_third_of_a_millimetre(table_calibration):
    assert table_calibration.quality.line_rms_mm < 0.35
    assert assess(table_calibration).advice == ()
    assert 15 < table_calibration.quality.tilt_degrees < 30


def test_cards_laid_by_hand_do_not_decide_where_the_board_lies(table_calibration):
    """They lie up to 1.5 mm off; the print is met much better than the cards."""
    assert table_calibration.quality.card_rms_mm > 2 * table_calibration.quality.line_rms_mm


def test_the_colours_of_the_session_tell_the_paints_apart(table_calibration):
    table = table_calibration.colours
    for name, data in table_calibration.samples.items():
        samples = np.frombuffer(data, np.int8).reshape(-1, 3).astype(np.float32)
        if name in ("red", "blue", "yellow", "green"):
            found = table(samples[None])
            best = np.argmax([of_class(found, i)[0] for i in range(len(table.classes))], axis=0)
            assert (best == table.index[name]).mean() > 0.7, name


def test_the_prescribed_layout_is_that_of_the_swatch_file(table_dir):
    listed = decode_swatches((table_dir / "calib_pieces.json").read_bytes(), "calib_pieces.json")
    assert {msgspec.json.encode(s) for s in listed} == {msgspec.json.encode(s) for s in PRESCRIBED}


def test_a_saved_calibration_is_read_back_equal(table_calibration, tmp_path):
    path = tmp_path / "deep" / "table.json"
    save_calibration(path, table_calibration)
    assert load_calibration(path) == table_calibration
    assert [p.name for p in path.parent.iterdir()] == ["table.json"]
    assert path.stat().st_size < 1_000_000


def test_whether_a_file_can_be_written_is_told_and_nothing_is_changed(tmp_path):
    require_writable(tmp_path / "deep" / "down" / "table.json")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").touch()
    with pytest.raises(CalibrationError, match="cannot be written"):
        require_writable(tmp_path / "file" / "down" / "table.json")


def test_a_file_from_before_the_exposure_was_kept_goes_by_the_empty_board(table_calibration, tmp_path):
    path = tmp_path / "table.json"
    older = msgspec.to_builtins(table_calibration)
    del older["brightened"]
    path.write_bytes(msgspec.json.encode(older))
    light = load_calibration(path).reference_light()[table_calibration.on_board].max(axis=1)
    assert np.percentile(light, BRIGHT_PERCENT) == pytest.approx(BRIGHT_LEVEL, rel=1e-3)


def test_a_file_from_before_the_focus_was_kept_is_read_and_a_focus_is_kept(table_calibration, tmp_path):
    path = tmp_path / "table.json"
    older = msgspec.to_builtins(table_calibration)
    del older["focus"]
    path.write_bytes(msgspec.json.encode(older))
    assert load_calibration(path) == table_calibration
    focused = msgspec.structs.replace(table_calibration, focus=("imx708", 1.07))
    save_calibration(path, focused)
    assert load_calibration(path).focus == ("imx708", 1.07)


def test_a_file_from_before_there_was_haze_is_read(table_calibration, tmp_path):
    path = tmp_path / "table.json"
    older = msgspec.to_builtins(table_calibration)
    assert (older["format"], older.pop("haze")) == (2, None)
    del older["quality"]["black"]
    path.write_bytes(msgspec.json.encode(older))
    quality = msgspec.structs.replace(table_calibration.quality, black=None)
    assert load_calibration(path) == msgspec.structs.replace(table_calibration, quality=quality)


def test_a_file_from_before_the_pictures_height_was_kept_is_read(table_calibration, tmp_path):
    path = tmp_path / "table.json"
    older = msgspec.to_builtins(table_calibration)
    del older["quality"]["height"]
    older["quality"]["card_rms_mm"] = 0.0  # where the corners were tapped
    path.write_bytes(msgspec.json.encode(older))
    quality = load_calibration(path).quality
    assert quality == msgspec.structs.replace(table_calibration.quality, height=0, card_rms_mm=0.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no calibration file"),
        ("[1, 2", "no calibration file"),
        ('{"format": 99}', "newer version"),
        ('{"format": 1}', "too old"),
        ('{"format": 2}', "no calibration file"),
    ],
)
def test_a_file_that_is_no_calibration_is_named(tmp_path, text, message):
    path = tmp_path / "c.json"
    path.write_text(text)
    with pytest.raises(CalibrationError, match=rf"c\.json: .*{message}"):
        load_calibration(path)


@pytest.mark.parametrize("picture", ["reference", "swatch"])
def test_a_damaged_picture_in_the_file_is_named_when_it_is_loaded(table_calibration, tmp_path, picture):
    path = tmp_path / "c.json"
    save_calibration(path, msgspec.structs.replace(table_calibration, **{picture: b"torn"}))
    with pytest.raises(CalibrationError, match=r"c\.json: .*damaged"):
        load_calibration(path)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"swatches": ()}, "swatch layout is damaged"),
        ({"swatches": (Swatch((20, 3), tile="beach"),)}, "swatch layout is damaged"),
        ({"swatch_eye": (0.0, 0.0, 0.0)}, "swatch layout is damaged"),
        ({"swatch_eye": (0.0, 0.0, 20.0)}, "swatch layout is damaged"),  # as high as an explorer
        ({"swatch_eye": (0.0, 0.0, 10.0)}, "swatch layout is damaged"),
        ({"swatch_eye": (1e9, 0.0, 700.0)}, "swatch layout is damaged"),
        ({"samples": {"beach": b"123"}}, "colours are not those"),
    ],
)
def test_a_calibration_that_lacks_a_part_is_refused_when_it_is_loaded(table_calibration, tmp_path, changed, message):
    path = tmp_path / "c.json"
    save_calibration(path, msgspec.structs.replace(table_calibration, **changed))
    with pytest.raises(CalibrationError, match=rf"c\.json: .*{message}.*calibrate again"):
        load_calibration(path)


def test_whales_that_were_forgotten_are_asked_for(table_dir, table_calibration):
    board, pieces = (read_picture(table_dir / f"calib_{n}.jpg") for n in ("board", "pieces"))
    for swatch in PRESCRIBED:
        if swatch.whales:
            at = table_calibration.camera.project([[*table_calibration.board.centre(swatch.hex), 8.0]])[0]
            column, row = np.round(at).astype(int)
            part = np.s_[row - 45 : row + 45, column - 45 : column + 45]
            pieces[part] = board[part]
    with pytest.raises(CalibrationError, match="No whale is seen where the swatch layout has it"):
        calibrate(board, pieces)


def test_a_tile_that_was_forgotten_teaches_no_terrain(table_dir, table_calibration):
    """What lies in its place is the board's own print: learnt as that terrain, it would make bare hexes pass for it."""
    board, pieces = (read_picture(table_dir / f"calib_{n}.jpg") for n in ("board", "pieces"))
    table, missing = table_calibration.board, next(s for s in PRESCRIBED if s.tile == "mountain")
    at = table_calibration.camera.project([[*table.centre(missing.hex), 3.0]])[0]
    column, row = np.round(at).astype(int)
    part = np.s_[row - 32 : row + 32, column - 32 : column + 32]
    pieces[part] = board[part]
    there = hex_pixels(
        table_calibration.view, table_calibration.camera.eye, hex_outline(table.centre(missing.hex), 15.0), (0.0,)
    )
    shown = np.median(to_lab(table_calibration.reference_light()).reshape(-1, 3)[there], axis=0)
    learnt = np.frombuffer(calibrate(board, pieces).samples["mountain"], np.int8).reshape(-1, 3)
    assert (np.linalg.norm(learnt - shown, axis=1) < 8.0).mean() < 0.02


@pytest.mark.parametrize(
    ("kind", "shown", "bounds"),
    [("whale", 0.385, {"L": (25, 60), "b": (-60, 60)}), ("boat", 0.3, {"L": (10, 30), "b": (-60, 0)})],
)
def test_what_hardly_shows_on_its_sea_is_learnt(table_dir, table_calibration, kind, shown, bounds):
    """On a night-blue print a dark piece may be no more than a shade of it; refusing the table would help nobody."""
    pieces, bare = (read_picture(table_dir / f"calib_{name}.jpg") for name in ("pieces", "board"))
    faded = pieces.copy()
    for s in PRESCRIBED:
        if s.whales if kind == "whale" else s.boat == {}:
            centre = table_calibration.board.centre(s.hex)
            x, y = (round(v) for v in table_calibration.camera.project([[*centre, 8.0]])[0])
            around = np.s_[y - 32 : y + 33, x - 32 : x + 33]
            faded[around] = np.round((1 - shown) * bare[around] + shown * pieces[around])
    samples = np.frombuffer(calibrate(bare, faded).samples[kind], np.int8).reshape(-1, 3)
    assert len(samples) >= 80
    for channel, (low, high) in bounds.items():  # faded as they are, and not what the other pieces look like
        assert low < samples[:, "Lab".index(channel)].mean() < high


def test_a_picture_on_its_side_gives_the_same_camera(table_dir, table_calibration):
    pictures = (read_picture(table_dir / f"calib_{name}.jpg") for name in ("board", "pieces"))
    turned = calibrate(*(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE) for picture in pictures))
    assert turned.camera.eye[2] == pytest.approx(table_calibration.camera.eye[2], rel=0.01)


def test_tiles_that_are_far_brighter_than_the_board_are_not_cut_off_at_white(table_calibration):
    """But a lamp's reflection, which the camera itself has cut off, counts for nothing."""
    board = np.array(table_calibration.reference_image // 4)
    reference = cv2.imencode(".png", board)[1].tobytes()
    dark = msgspec.structs.replace(table_calibration, reference=reference, brightened=None)
    shown = board.copy()
    shown[200:260, 200:300] = 200
    tiles = to_linear(shown[230:231, 250:251]).max()
    for burnt in (shown, cv2.circle(shown.copy(), (400, 400), 40, (255, 255, 255), -1)):
        told = dark.showing(burnt)
        assert dark.exposure * tiles > 1.2
        assert 0.9 < told.exposure * tiles < 1.0
        np.testing.assert_allclose(told.reference_light(), dark.light_as_taken() * told.exposure)
    assert dark.showing(board).exposure == dark.exposure


def test_one_covered_card_changes_nothing(table_dir, table_calibration):
    """The print decides where the board lies; two cards are enough to begin with."""
    board, pieces = (read_picture(table_dir / f"calib_{n}.jpg") for n in ("board", "pieces"))
    board[600:, :420] = 128
    corners = table_calibration.board.corners()
    seen = calibrate(board, pieces).camera.project(corners)
    assert np.abs(seen - table_calibration.camera.project(corners)).max() < 0.3


def test_covered_cards_are_named(table_dir):
    board, pieces = (read_picture(table_dir / f"calib_{n}.jpg") for n in ("board", "pieces"))
    board[600:] = 128
    board[:, 1000:] = 128
    with pytest.raises(CalibrationError, match="corner cards north-west, north-east and south-west"):
        calibrate(board, pieces)


def test_a_camera_moved_between_the_two_pictures_is_followed(table_dir, table_calibration):
    board, pieces = (read_picture(table_dir / f"calib_{n}.jpg") for n in ("board", "pieces"))
    push = (6.0, -4.0, 1.0)
    moved = calibrate(board, table_moved(pieces, table_calibration.camera, *push))
    corners = table_calibration.board.corners()
    off = moved.camera.project(corners) - table_calibration.camera.project(placed(corners, *push))
    assert np.linalg.norm(off, axis=1).max() < 0.6
    assert moved.samples.keys() == table_calibration.samples.keys()


def test_a_swatch_picture_of_something_else_is_refused(table_dir):
    board = read_picture(table_dir / "calib_board.jpg")
    with pytest.raises(CalibrationError, match="not found in the swatch picture"):
        calibrate(board, np.full_like(board, 120))


def test_four_tapped_corners_do_for_cards(table_dir, table_calibration):
    board, pieces = (read_picture(table_dir / f"calib_{n}.jpg") for n in ("board", "pieces"))
    corners = table_calibration.board.corners()
    taps = table_calibration.camera.project(corners) + np.array([(9, -11), (-12, 5), (3, 12), (-8, -8)])
    for at in table_calibration.cards.values():  # as if no card had ever lain there
        low, high = np.min(at, axis=0).astype(int) - 15, np.max(at, axis=0).astype(int) + 15
        for image in (board, pieces):
            image[low[1] : high[1], low[0] : high[0]] = 120
    tapped = calibrate(board, pieces, corners=[(float(x), float(y)) for x, y in taps])
    assert tapped.quality.card_rms_mm is None
    assert "corner cards" not in {m.name for m in assess(tapped).measures}
    off = tapped.camera.project(corners) - table_calibration.camera.project(corners)
    assert np.linalg.norm(off, axis=1).max() < 0.3
    assert tapped.cards == {}


def test_pictures_of_another_size_are_refused(table_dir):
    board, pieces = (read_picture(table_dir / f"calib_{n}.jpg") for n in ("board", "pieces"))
    with pytest.raises(CalibrationError, match="768 x 432"):
        calibrate(board, cv2.resize(pieces, (768, 432)))
    with pytest.raises(CalibrationError, match="The session says 4056 x 3040"):
        calibrate(board, pieces, SessionInfo(image_size=(4056, 3040)))


def test_pictures_that_are_exchanged_are_told_apart(table_dir):
    board, pieces = (read_picture(table_dir / name) for name in ("calib_board.jpg", "calib_pieces.jpg"))
    with pytest.raises(CalibrationError, match="the two are exchanged"):
        calibrate(pieces, board)


def test_an_empty_board_as_swatch_picture_is_refused(table_dir):
    board = read_picture(table_dir / "calib_board.jpg")
    with pytest.raises(CalibrationError, match=r"Not seen in the swatch picture: beach on \[1, 0\], .* and 24 more"):
        calibrate(board, board)


def test_the_swatch_layout_in_both_pictures_is_refused(table_dir):
    pieces = read_picture(table_dir / "calib_pieces.jpg")
    again = np.clip(0.9 * pieces + np.random.default_rng(1).normal(0, 2, pieces.shape), 0, 255).astype(np.uint8)
    with pytest.raises(CalibrationError, match=r"The two pictures show the same: .* with nothing on it"):
        calibrate(pieces, again)


@pytest.mark.parametrize("dark", ["board", "pieces"])
def test_a_picture_that_is_too_dark_fails_for_that(table_dir, dark):
    board, pieces = (
        read_picture(table_dir / f"calib_{n}.jpg") // (20 if n == dark else 1) for n in ("board", "pieces")
    )
    named = BoardPictureError if dark == "board" else SwatchPictureError
    with pytest.raises(named, match="too dark: switch a lamp on"):
        calibrate(board, pieces)


def test_corners_that_contradict_the_cards_are_told(table_dir, table_calibration):
    """The grid looks the same turned by half: then every piece would be missing where it should lie."""
    board, pieces = (read_picture(table_dir / f"calib_{n}.jpg") for n in ("board", "pieces"))
    corners = table_calibration.camera.project(table_calibration.board.corners())
    turned = [(float(x), float(y)) for x, y in np.roll(corners, 2, axis=0)]
    with pytest.raises(CalibrationError, match="By the cards in the picture north lies elsewhere"):
        calibrate(board, pieces, corners=turned)


@pytest.mark.parametrize("frame", ["f01.jpg", "f03.jpg"])
def test_a_game_as_the_picture_of_the_empty_board_is_refused(table_dir, frame):
    """Compared with it everything later would be read wrongly, and no figure of the calibration would tell."""
    game, pieces = (read_picture(table_dir / name) for name in (frame, "calib_pieces.jpg"))
    with pytest.raises(CalibrationError, match="The picture of the empty board was not of an empty board"):
        calibrate(game, pieces)


@pytest.mark.parametrize("frame", ["f01.jpg", "f03.jpg"])
def test_a_game_as_the_swatch_picture_is_not_blamed_on_the_empty_board(table_dir, frame):
    """Whoever took the good picture again would read the same sentence for ever."""
    board, game = (read_picture(table_dir / name) for name in ("calib_board.jpg", frame))
    with pytest.raises(CalibrationError, match="The swatch picture was not of the swatch layout: something lies on"):
        calibrate(board, game)


def test_where_both_pictures_show_tiles_that_the_other_lacks_neither_is_called_good(table_dir, table_calibration):
    held = {s.hex for s in PRESCRIBED}
    bare = [h for h in HEXES if h not in held and max(map(abs, h)) <= 4][:8]
    pictures = [read_picture(table_dir / f"calib_{n}.jpg") for n in ("board", "pieces")]
    for i, h in enumerate(bare):
        draw_tile(pictures[i % 2], table_calibration, h)
    with pytest.raises(CalibrationError, match="The two pictures are not of an empty board and of the swatch layout"):
        calibrate(*pictures)


@pytest.mark.parametrize("picture", [0, 1], ids=["the empty board's", "the swatch picture"])
def test_a_tile_that_was_forgotten_in_one_of_the_pictures_is_named(table_dir, table_calibration, picture):
    pictures = [read_picture(table_dir / f"calib_{n}.jpg") for n in ("board", "pieces")]
    draw_tile(pictures[picture], table_calibration, (-3, 3))
    with pytest.raises(CalibrationError, match=r"A tile lies on \[-3, 3\], where the swatch layout has nothing"):
        calibrate(*pictures)


def draw_tile(picture, calibration, h):
    board, camera = calibration.board, calibration.camera
    middle = camera.project([[*board.centre(h), 0.0]])[0]
    corners = camera.project(np.column_stack([hex_outline(board.centre(h), board.side), np.zeros(6)]))
    cv2.fillConvexPoly(picture, np.round(middle + 0.9 * (corners - middle)).astype(np.int32), (60, 120, 60))


def test_a_session_without_pictures_is_named(table_dir, tmp_path):
    shutil.copyfile(table_dir / "session.json", tmp_path / "session.json")
    with pytest.raises(CalibrationError, match=r"calib_board\.jpg: the picture cannot be read"):
        calibrate_session(tmp_path)


def test_lens_pictures_that_make_no_lens_are_named(table_dir, tmp_path):
    shutil.copytree(table_dir, tmp_path, dirs_exist_ok=True)
    sheet = {"squares": [7, 5], "square_mm": 30, "marker_mm": 22, "dict": "DICT_5X5_100"}
    about = json.loads((table_dir / "session.json").read_text()) | {"lens_pictures": {"charuco": sheet}}
    (tmp_path / "session.json").write_text(json.dumps(about))
    (tmp_path / "lens").mkdir(exist_ok=True)
    shutil.copyfile(table_dir / "f01.jpg", tmp_path / "lens" / "1.jpg")
    with pytest.raises(CalibrationError, match=rf"^{tmp_path / 'lens'}: The lens sheet is seen well in 0 of 1"):
        calibrate_session(tmp_path)
    (tmp_path / "lens" / "1.jpg").write_text("none")
    with pytest.raises(CalibrationError, match=rf"^{tmp_path / 'lens' / '1.jpg'}: this is neither"):
        calibrate_session(tmp_path)


@pytest.mark.parametrize(
    ("sources", "named", "said"),
    [
        (("blank", "calib_pieces"), ("calib_board.jpg",), "Not found in the picture: the corner cards north-west, "),
        (("f03", "calib_pieces"), ("calib_board.jpg",), "The picture of the empty board was not"),
        (("calib_board", "f03"), ("calib_pieces.jpg",), "The swatch picture was not"),
        (("calib_board", "calib_board"), ("calib_pieces.jpg",), "Not seen in the swatch picture"),
        (("calib_pieces", "calib_pieces"), ("calib_board.jpg", "calib_pieces.jpg"), "The two pictures show the same"),
        (("calib_pieces", "calib_board"), ("calib_board.jpg", "calib_pieces.jpg"), ".* the two are exchanged"),
        (("calib_board", "blank"), ("calib_board.jpg", "calib_pieces.jpg"), ".* not found in the swatch picture"),
    ],
)
def test_a_sessions_picture_that_will_not_do_is_named_with_its_file(table_dir, tmp_path, sources, named, said):
    for name in ("session.json", "calib_pieces.json"):
        shutil.copyfile(table_dir / name, tmp_path / name)
    for name, source in zip(("calib_board.jpg", "calib_pieces.jpg"), sources, strict=True):
        if source == "blank":
            cv2.imwrite(str(tmp_path / name), np.full((864, 1536, 3), (90, 120, 150), np.uint8))
        else:
            shutil.copyfile(table_dir / f"{source}.jpg", tmp_path / name)
    files = " and ".join(str(tmp_path / name) for name in named)
    with pytest.raises(CalibrationError, match=rf"^{files}: {said}"):
        calibrate_session(tmp_path)


def test_a_broken_session_file_is_named(tmp_path):
    (tmp_path / "session.json").write_text(json.dumps({"board_mm": "large"}))
    with pytest.raises(CalibrationError, match=r"session\.json: this is no session description"):
        calibrate_session(tmp_path)


def test_a_piece_that_looks_like_the_sea_in_a_shadow_is_learnt(table_dir, table_calibration):
    """A black shark on a grey sea: the print explains all of it, but for its edges."""
    pieces, bare = (read_picture(table_dir / f"calib_{name}.jpg") for name in ("pieces", "board"))
    shaded = pieces.copy()
    for s in PRESCRIBED:
        if s.sharks:
            x, y = (
                round(v) for v in table_calibration.camera.project([[*table_calibration.board.centre(s.hex), 8.0]])[0]
            )
            around, shark = np.s_[y - 32 : y + 33, x - 32 : x + 33], np.s_[y - 7 : y + 8, x - 13 : x + 14]
            shaded[around] = bare[around]
            shaded[shark] = from_linear(0.6 * to_linear(bare[shark]))
    samples = {n: np.frombuffer(s, np.int8).reshape(-1, 3) for n, s in calibrate(bare, shaded).samples.items()}
    assert len(samples["shark"]) >= 80
    assert np.median(samples["shark"][:, 0]) == pytest.approx(27, abs=2.5)  # the sea there: 32 and 38
