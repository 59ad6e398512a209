"""Every sample screen looks as it did when somebody last looked at it. A missing reference is a failure."""

from __future__ import annotations

import importlib.resources

import cv2
import numpy as np
import pytest
from references import FOLDER, picture, read, references, unlike

from companion.rules.geometry import load_board
from companion.rules.layout import COLOURS, HexContent
from companion.ui import textures
from companion.ui import tokens as t
from companion.ui.drawing import chart, marks, pieces
from companion.ui.drawing.die import die
from companion.ui.drawing.icons import icon

REFERENCES = references()
MOST_UNLIKE = 0.003


@pytest.mark.parametrize("name", REFERENCES)
def test_the_screen_looks_like_its_reference(name: str) -> None:
    part = unlike(picture(REFERENCES[name]), read(name))
    assert part <= MOST_UNLIKE, f"{part:.1%} of {name} differ from its reference"


def test_every_reference_belongs_to_a_screen() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == set(REFERENCES)


def test_one_mark_less_is_a_difference() -> None:
    """The comparison is tolerant, but not blind: a single mark taken off the board is seen."""
    a = read("04a_turn")
    b = a.copy()
    b[78:94, 76:92] = b[78:94, 56:72]
    assert unlike(a, b) > MOST_UNLIKE
    assert unlike(a, np.roll(a, 8, axis=1)) > MOST_UNLIKE


def opaque(body: str, size: float) -> np.ndarray:
    png = textures.render_png(body, (size, size), 1.0)
    picture = cv2.imdecode(np.frombuffer(png, dtype=np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    return np.asarray(picture[:, :, 3] > 40)


def coloured(body: str, size: float) -> np.ndarray:
    """Three px a u, blue, green and red."""
    picture = cv2.imdecode(np.frombuffer(textures.render_png(body, (size, size), 3.0), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture.astype(int)


ICONS = sorted(
    entry.name.removesuffix(".svg")
    for entry in (importlib.resources.files("companion.ui") / "icons").iterdir()
    if entry.name.endswith(".svg")
)


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_can_be_drawn_within_its_box(name: str) -> None:
    inked = opaque(icon(name, 40, 40, 64, "#000000"), 80)
    assert inked.any()
    assert not inked[:7].any()
    assert not inked[-7:].any()


def test_an_unknown_icon_is_named() -> None:
    with pytest.raises(KeyError, match="no_such_icon"):
        icon("no_such_icon", 0, 0, 10, "#000000")


@pytest.mark.parametrize("colour", COLOURS)
def test_a_mark_has_the_size_it_is_asked_for(colour: str) -> None:
    inked = opaque(marks.mark(colour, 40, 40, 40, halo=False), 80)  # type: ignore[arg-type]
    ys, xs = np.nonzero(inked)
    assert 33 <= np.ptp(xs) <= 48
    assert 33 <= np.ptp(ys) <= 48


@pytest.mark.parametrize("size", [24, 27, 32, 40])
@pytest.mark.parametrize(
    "letters", [("R", "B", "Y", "G"), ("К", "С", "Ж", "З"), ("Ч", "С", "Ж", "З"), ("Rö", "Bl", "Gu", "Gr")]
)
def test_letters_lie_within_their_mark_and_leave_its_outline_alone(letters: tuple[str, ...], size: int) -> None:
    r = marks.extent(size, letters=True)
    for colour, letter in zip(COLOURS, letters, strict=True):
        lettered, bare = (coloured(marks.mark(colour, r, r, size, letter=drawn), 2 * r) for drawn in (letter, " "))
        written = np.abs(lettered - bare).max(axis=2) > 24
        fill = [int(t.PLAYER[colour][i : i + 2], 16) for i in (5, 3, 1)]
        assert written.any()
        assert (np.abs(bare - fill).max(axis=2)[written] <= 24).all(), (colour, letter, size)


CROWDS = {
    "five of one": HexContent(tile="beach", explorers={"red": 5}),
    "seven mixed": HexContent(tile="beach", explorers={"red": 3, "blue": 2, "green": 2}),
    "three creatures and a boat": HexContent(boat={"red": 1}, sharks=2, whales=1),
    "all at once": HexContent(explorers={"red": 3, "green": 2}, boat={"blue": 3}, serpents=1, sharks=1, dolphins=3),
}


@pytest.mark.parametrize("colour", COLOURS)
def test_a_mark_bears_its_letter_where_there_is_room(colour: str) -> None:
    plain, lettered = (marks.mark(colour, 20, 20, 24, letter=letter) for letter in ("", "Gu"))  # type: ignore[arg-type]
    assert "Gu" not in plain
    assert "Gu" in lettered
    assert marks.mark(colour, 20, 20, 23, letter="Gu") == marks.mark(colour, 20, 20, 23)  # type: ignore[arg-type]


@pytest.mark.parametrize("what", CROWDS)
def test_a_crowd_stays_within_its_sprite(what: str) -> None:
    reach = pieces.REACH
    body = f'<g transform="translate({reach + 8} {reach + 8})">{pieces.pieces(CROWDS[what])}</g>'
    inked = opaque(body, 2 * reach + 16)
    assert inked.any()
    border = inked.copy()
    border[8:-8, 8:-8] = False
    assert not border.any()


def test_the_printed_outline_goes_round_the_island_and_not_round_the_middle() -> None:
    board = load_board()
    projection = chart.Projection(492, 480, 246, 240, 22.6)
    outline = chart.island_outline(board, projection)
    edges = outline.count("M")
    ring = {n for h in board.island for n in board.neighbours[h]} - set(board.island) - {(0, 0)}
    assert edges == sum(1 for h in board.island for n in board.neighbours[h] if n in ring)


def test_a_die_turned_half_way_is_another_picture() -> None:
    assert (opaque(die(70, "shark", 20.0), 90) != opaque(die(70, "shark"), 90)).any()
