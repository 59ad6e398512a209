"""`companion print`: the PDF is rendered again and measured, as a person with a ruler and the camera would."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from pypdfium2 import raw

from calibration import CalibrationError
from calibration.cards import find_cards
from calibration.lens import charuco_board, lens_from_charuco
from calibration.print import BoardPrint
from calibration.targets import LENS_SHEET
from companion.cli.program import main
from companion.printing.swatch import contents

DPI = 300
MM = 25.4 / DPI
TOLERANCE_MM = 0.1
LINE_MM = 0.2
SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATLANTIS_HOME", str(tmp_path))


@pytest.fixture(params=SIZES, scope="module")
def printed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    path = tmp_path_factory.mktemp("print") / "targets.pdf"
    assert main(["print", "--out", str(path), "--paper", request.param]) == 0
    return path, request.param


def picture(path: Path, page: int) -> np.ndarray:
    """A page as the printer would lay it on paper, BGR, `DPI`."""
    with pypdfium2.PdfDocument(path) as document:
        return np.ascontiguousarray(document[page].render(scale=DPI / 72).to_numpy()[..., :3])


def outlines(page: np.ndarray) -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of everything that is drawn or written in one piece, mm."""
    ink = (cv2.cvtColor(page, cv2.COLOR_BGR2GRAY) < 160).astype(np.uint8)
    contours, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return [tuple(MM * side for side in cv2.boundingRect(c)) for c in contours]


def test_the_pages_have_the_papers_size(printed: tuple[Path, str]) -> None:
    path, paper = printed
    with pypdfium2.PdfDocument(path) as document:
        sizes = [tuple(side * 25.4 / 72 for side in page.get_size()) for page in document]
    width, height = SIZES[paper]
    assert [pytest.approx(s, abs=0.01) for s in sizes] == [(width, height)] * 3 + [(height, width)]


def test_nothing_is_a_bitmap(printed: tuple[Path, str]) -> None:
    with pypdfium2.PdfDocument(printed[0]) as document:
        for page in document:
            assert list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE])) == []


def test_the_four_cards_are_found_with_markers_of_40_mm_on_squares_of_60(printed: tuple[Path, str]) -> None:
    page = picture(printed[0], 0)
    cards = find_cards(page, BoardPrint())
    assert set(cards) == {"nw", "ne", "se", "sw"}
    grey = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
    for corners in cards.values():
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1) * MM
        assert sides == pytest.approx([40.0] * 4, abs=TOLERANCE_MM)
        left, top = corners.min(axis=0)
        above = grey[round(top - 13 / MM)]  # the cutting marks that stand above this card
        marks = np.flatnonzero(above[round(left - 12 / MM) : round(left + 52 / MM)] < 200) * MM - 12
        assert (marks.min(), marks.max()) == pytest.approx((-10.0, 50.0), abs=0.2)


def test_a_camera_sees_each_card_the_right_way_up_and_its_place_beside_the_others(printed: tuple[Path, str]) -> None:
    cards = find_cards(picture(printed[0], 0), BoardPrint())
    for corners in cards.values():
        (ax, ay), (bx, by) = corners[0], corners[1]
        assert bx > ax
        assert by == pytest.approx(ay, abs=1)
    middle = {name: corners.mean(axis=0) for name, corners in cards.items()}
    assert middle["nw"][0] == pytest.approx(middle["sw"][0], abs=1)
    assert middle["nw"][0] < middle["ne"][0]
    assert middle["nw"][1] == pytest.approx(middle["ne"][1], abs=1)
    assert middle["nw"][1] < middle["sw"][1]


def test_the_corner_that_touches_the_board_is_black_on_each_card(printed: tuple[Path, str]) -> None:
    grey = cv2.cvtColor(picture(printed[0], 0), cv2.COLOR_BGR2GRAY)
    for name, corners in find_cards(picture(printed[0], 0), BoardPrint()).items():
        middle = corners.mean(axis=0)
        for corner, (east, south) in {"nw": (1, 1), "ne": (-1, 1), "se": (-1, -1), "sw": (1, -1)}.items():
            x, y = np.round(middle + np.array([east, south]) * 28.6 / MM).astype(int)
            assert (grey[y, x] < 80) == (corner == name), (name, corner)


def test_the_ruler_is_150_mm_long_with_a_tick_every_millimetre(printed: tuple[Path, str]) -> None:
    page = picture(printed[0], 1)
    ((left, top, length, _),) = [o for o in outlines(page) if 140 < o[2] < 160]
    assert length == pytest.approx(150 + LINE_MM, abs=TOLERANCE_MM)  # half a line's width of ink beyond both ends
    row = round((top + 2.5) / MM)
    below = 255 - page[row, round((left - 1) / MM) : round((left + 151.5) / MM), 0].astype(float)
    assert int(((below[1:-1] > below[:-2]) & (below[1:-1] >= below[2:]) & (below[1:-1] > 30)).sum()) == 151


def test_a_bank_card_fits_its_outline(printed: tuple[Path, str]) -> None:
    ((_, _, width, height),) = [o for o in outlines(picture(printed[0], 1)) if 80 < o[2] < 90]
    assert (width, height) == pytest.approx((85.60 + LINE_MM, 53.98 + LINE_MM), abs=TOLERANCE_MM)


def test_the_lens_sheet_has_all_its_corners_36_mm_apart(printed: tuple[Path, str]) -> None:
    page = picture(printed[0], 3)
    detector = cv2.aruco.CharucoDetector(charuco_board(LENS_SHEET))
    corners, ids, _, markers = detector.detectBoard(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY))
    assert sorted(np.ravel(ids)) == list(range(24))
    assert len(np.ravel(markers)) == 17
    grid = (corners.reshape(-1, 2) * MM)[np.argsort(np.ravel(ids))].reshape(4, 6, 2)
    assert np.diff(grid[..., 0], axis=1) == pytest.approx(np.full((4, 5), 36.0), abs=TOLERANCE_MM)
    assert np.diff(grid[..., 1], axis=0) == pytest.approx(np.full((3, 6), 36.0), abs=TOLERANCE_MM)


def test_the_lens_sheet_held_before_a_camera_measures_its_lens(printed: tuple[Path, str]) -> None:
    page = picture(printed[0], 3)
    rng = np.random.default_rng(4)
    focal = np.array([[900.0, 0, 639.5], [0, 900, 359.5], [0, 0, 1]])
    pictures = []
    for _ in range(8):
        turn, _ = cv2.Rodrigues(rng.uniform(-0.5, 0.5, 3))
        rays = focal @ np.column_stack([turn[:, :2], turn @ (-148.5, -105, 0) + (*rng.uniform(-40, 40, 2), 330)])
        seen = cv2.warpPerspective(page, rays @ np.diag([MM, MM, 1]), (1280, 720), flags=cv2.INTER_AREA)
        pictures.append(seen.astype(np.uint8))
    lens = lens_from_charuco(pictures, LENS_SHEET)
    assert lens.rms < 0.3
    assert lens.focal == pytest.approx((900, 900), rel=0.01)
    straight = cv2.warpPerspective(page, np.diag([4.0 * MM, 4.0 * MM, 1]), (1280, 720), flags=cv2.INTER_AREA)
    with pytest.raises(CalibrationError, match="tilt it another way in each picture"):
        lens_from_charuco([straight.astype(np.uint8)] * 5, LENS_SHEET)


def test_the_swatch_page_asks_for_no_more_than_the_box_holds() -> None:
    box = {"beach": 16, "forest": 16, "mountain": 8, "boat": 12, "serpent": 5, "shark": 6, "whale": 5}
    box |= dict.fromkeys(("red", "blue", "yellow", "green"), 10)
    needed = contents()
    assert needed.keys() <= box.keys()
    assert all(0 < needed[name] <= box[name] for name in needed)


def test_only_some_pages(tmp_path: Path) -> None:
    out = tmp_path / "some.pdf"
    assert main(["print", "--only", "ruler,cards", "--out", str(out)]) == 0
    with pypdfium2.PdfDocument(out) as document:
        words = [page.get_textpage().get_text_range() for page in document]
    assert ["Corner cards" in words[0], "Is the size right?" in words[1], len(words)] == [True, True, 2]
    assert all("Print at 100 %, do not fit to page." in text for text in words)


def test_a_page_that_is_none_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["print", "--only", "cards,dice"])
    assert end.value.code == 2
    assert "no page 'dice'" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named_and_an_older_one_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    assert main(["print", "--out", str(tmp_path / "folder")]) == 1
    assert capsys.readouterr().err.startswith("companion print: ")
    assert list(tmp_path.glob("folder/*")) == []
    assert list(tmp_path.glob(".*")) == []


def test_what_is_no_file_is_not_replaced_by_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main(["print", "--only", "ruler", "--out", str(tmp_path / "pipe")]) == 1
    why = "a folder, a device or a pipe has that name"
    said = f"the PDF cannot be written ({why}); make room, or name another file with --out."
    assert capsys.readouterr().err == f"companion print: {tmp_path}/pipe: {said}\n"
    assert [place.name for place in tmp_path.iterdir() if place.is_fifo()] == ["pipe"]


def test_without_the_type_faces_packages_the_pages_are_printed_in_another_face(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.ui import fonts

    bare = {face: source._replace(file=tmp_path / "none.ttf") for face, source in fonts._SOURCES.items()}
    monkeypatch.setattr(fonts, "_SOURCES", bare)
    out = tmp_path / "t.pdf"
    assert main(["print", "--out", str(out)]) == 0
    assert "Corner cards" in pypdfium2.PdfDocument(out)[0].get_textpage().get_text_range()


def test_a_folder_that_was_made_for_a_pdf_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mistyped = tmp_path / "prnits" / "t.pdf"
    for said in (f"companion print: {mistyped}: the folder was not there, and was made.\n", ""):
        assert main(["print", "--only", "ruler", "--out", str(mistyped)]) == 0
        assert capsys.readouterr().err == said


def test_a_file_that_is_no_pdf_is_not_replaced_by_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "table.json"
    out.write_bytes(b'{"format":2}')
    assert main(["print", "--only", "ruler", "--out", str(out)]) == 1
    said = "this file is no PDF, and would be lost; name another file with --out."
    assert capsys.readouterr().err == f"companion print: {out}: {said}\n"
    assert out.read_bytes() == b'{"format":2}'
    for before in (b"", b"%PDF-1.4 of last year"):
        out.write_bytes(before)
        assert main(["print", "--only", "ruler", "--out", str(out)]) == 0
        assert out.read_bytes().startswith(b"%PDF-")
