"""Calibrate from one table's pictures: of the empty board, of the swatch layout and, where there are any, of the lens.

In: pictures (in memory or in a session directory) and what is known of sizes and lens. Out: a `Calibration`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import cv2
import msgspec
import numpy as np

from calibration.appearance import learn_appearance
from calibration.arrays import Floats, Image
from calibration.camera import Pixels
from calibration.camera_model import LensKind
from calibration.cards import find_cards
from calibration.errors import BAD_JSON, BoardPictureError, CalibrationError, PictureError, SwatchPictureError
from calibration.haze import black_and_white, black_share, measure_haze
from calibration.laid import Laid
from calibration.lens import CharucoSheet, Lens, lens_from_charuco
from calibration.locate import BoardFinder
from calibration.model import Calibration, encode_view
from calibration.pictures import read_picture
from calibration.pose import PoseFit, fit_camera, pose_from_taps
from calibration.print import CARD_CORNERS, BoardPrint, HexWidth, Length, MarkerIds, Side, Thickness
from calibration.quality import measure_quality
from calibration.small_file import read_json
from calibration.swatch import PRESCRIBED, WRITE_ANEW, Swatch, decode_swatches, kind_of
from calibration.swatch_check import SwatchCheck
from calibration.view import Rectifier, board_view

PICTURE_SUFFIXES = {".jpg", ".jpeg", ".png"}

MOST_FORGOTTEN = 3
"""So many missing swatch pieces are let pass: most kinds lie there several times, and recognition does without a piece
that bare print stands for. More are another layout."""

MAX_NAMED = 4
"""So many missing pieces are named in one sentence."""

DARK = 40.0
"""Of a picture that fails for its darkness no more than 3 % are lighter (luma); of those of the recognition set 3 % are
lighter than 175 to 229."""

MAX_SHIFT_MM = 0.5
"""If the board lies further from where it lay in the picture of the empty board, it is found anew."""


LENS_FOLDER = "lens"

FileName = Annotated[str, msgspec.Meta(min_length=1, pattern=r"^[^\x00-\x1f]+\Z")]


class Cards(msgspec.Struct, frozen=True):
    """The corner cards as the session file describes them."""

    ids: MarkerIds = msgspec.field(default_factory=lambda: dict(BoardPrint().marker_ids))
    marker_dict: str = "DICT_4X4_50"
    card_mm: Length = 60.0
    marker_mm: Length = 40.0


class LensPictures(msgspec.Struct, frozen=True):
    """Where the lens pictures lie and what sheet they show."""

    charuco: CharucoSheet
    folder: FileName = LENS_FOLDER


class SessionInfo(msgspec.Struct, frozen=True):
    """What is known of a table beforehand; the fields are those of `session.json`."""

    image_size: tuple[Pixels, Pixels] | None = None
    lens: LensKind = "normal"
    board_mm: tuple[Side, Side] = (510.0, 450.0)
    board_thickness_mm: Thickness = 4.0
    hex_flat_to_flat_mm: HexWidth = 38.0
    cards: Cards = msgspec.field(default_factory=Cards)
    lens_pictures: LensPictures | None = None
    calib_board: FileName = "calib_board.jpg"
    calib_pieces: FileName = "calib_pieces.jpg"

    def __post_init__(self) -> None:
        """Raises CalibrationError if no such table can be."""
        _ = self.board

    @property
    def board(self) -> BoardPrint:
        """The sizes of print and cards."""
        return BoardPrint(
            board=self.board_mm,
            thickness=self.board_thickness_mm,
            hex_flat_to_flat=self.hex_flat_to_flat_mm,
            card=self.cards.card_mm,
            marker=self.cards.marker_mm,
            marker_dict=self.cards.marker_dict,
            marker_ids=self.cards.ids,
        )


def calibrate(
    board_image: Image,
    pieces_image: Image,
    info: SessionInfo | None = None,
    lens: Lens | None = None,
    swatches: Sequence[Swatch] = PRESCRIBED,
    *,
    corners: Sequence[tuple[float, float]] | None = None,
) -> Calibration:
    """Calibrate from pictures in memory (H x W x 3 uint8 BGR). Raises CalibrationError saying what to do.

    It is a BoardPictureError or a SwatchPictureError where one of the two pictures is known to be the wrong one.

    `lens`: measured before; without one it is fitted as well as the board alone allows.
    `corners`: where the board's four corners were tapped in the picture of the empty board (px; see
    `pose_from_taps`); then no cards are needed.
    """
    info = info or SessionInfo()
    size = (board_image.shape[1], board_image.shape[0])
    for wrong, name, (width, height) in (
        (SwatchPictureError, "swatch picture is", (pieces_image.shape[1], pieces_image.shape[0])),
        (BoardPictureError, "lens pictures are", lens.size if lens else size),
    ):
        if (width, height) != size:
            how = "the camera held the same way" if (height, width) == size else "the same camera mode"
            raise wrong(
                f"The {name} {width} x {height}, that of the empty board {size[0]} x {size[1]}; take all of them with "
                f"{how}."
            )
    if info.image_size is not None and tuple(info.image_size) != size:
        raise BoardPictureError(
            f"The session says {info.image_size[0]} x {info.image_size[1]}, the picture of the empty board is "
            f"{size[0]} x {size[1]}."
        )
    with _darkness_told(board_image, pieces_image):
        return _calibrate(board_image, pieces_image, info, lens, swatches, corners=corners)


def _calibrate(
    board_image: Image,
    pieces_image: Image,
    info: SessionInfo,
    lens: Lens | None,
    swatches: Sequence[Swatch],
    *,
    corners: Sequence[tuple[float, float]] | None,
) -> Calibration:
    board = info.board
    with _about(BoardPictureError):
        cards = find_cards(board_image, board)
        if corners is None:
            fit = fit_camera(board_image, cards, board, lens, info.lens)
        else:
            fit = pose_from_taps(board_image, corners, board, lens, info.lens)
    empty, rectify = bare_calibration(board_image, fit, board, cards, lens, pieces_image=pieces_image)
    model = _in_swatch_picture(empty, pieces_image)
    if model is not empty:  # moved in between
        rectify = Rectifier(model.camera, model.view, model.haze)
    view = rectify(pieces_image)
    model = model.showing(view)
    check = SwatchCheck(model, swatches)
    laid = check.compare(view)
    try:
        _require_as_laid(check, laid)
    except CalibrationError as error:
        if corners is not None and _lie_elsewhere(cards, fit, board):
            raise CalibrationError(
                "By the cards in the picture north lies elsewhere: the corners belong in the order north-west, "
                "north-east, south-east, south-west."
            ) from error
        raise
    with _about(SwatchPictureError):
        samples = learn_appearance(laid)
    x, y, height = (float(v) for v in model.camera.eye)
    return msgspec.structs.replace(
        model,
        noise=laid.noise,
        samples={k: v.tobytes() for k, v in samples.items()},
        swatch=encode_view(laid.view),
        swatches=tuple(swatches),
        swatch_eye=(x, y, height),
    )


def bare_calibration(
    image: Image,
    fit: PoseFit,
    board: BoardPrint,
    cards: Mapping[str, Floats],
    lens: Lens | None,
    *,
    pieces_image: Image | None = None,
) -> tuple[Calibration, Rectifier]:
    """What the picture of the empty board tells (H x W x 3 uint8 BGR), and what brings others into its view.

    `cards`: the markers' corners by card, 4 x 2 px each. `pieces_image`: the swatch picture, as large, if it was taken
    already; it tells haze that the cards alone do not prove.
    """
    rectify = Rectifier(fit.camera, board_view(board))
    view = rectify(image)
    swatch_view = None if pieces_image is None else rectify(pieces_image)
    told = black_and_white(image, board, cards)
    rectify.haze = measure_haze(told, view, rectify.face, swatch_view)
    bare = Calibration.bare(
        fit.camera,
        board,
        {name: [(float(x), float(y)) for x, y in at] for name, at in cards.items()},
        rectify.clear(view),
        measure_quality(image, fit, board, cards, lens.rms if lens else None, black=black_share(told)),
        haze=rectify.haze,
    )
    return bare, rectify


def calibrate_session(session_dir: Path, corners: Sequence[tuple[float, float]] | None = None) -> Calibration:
    """Calibrate from a session directory; `corners` as in `calibrate`.

    Raises CalibrationError naming the file and what is wrong with it.
    """
    info = read_info(session_dir / "session.json")
    board, pieces = session_dir / info.calib_board, session_dir / info.calib_pieces
    board_image, pieces_image = read_picture(board), read_picture(pieces)
    swatches = _session_swatches(swatch_layout_file(session_dir, info))
    lens = session_lens(session_dir, info)
    try:
        return calibrate(board_image, pieces_image, info, lens, swatches, corners=corners)
    except BoardPictureError as error:
        raise CalibrationError(f"{board}: {error}") from error
    except SwatchPictureError as error:
        raise CalibrationError(f"{pieces}: {error}") from error
    except CalibrationError as error:
        raise CalibrationError(f"{board} and {pieces}: {error}") from error


def session_lens(session_dir: Path, info: SessionInfo) -> Lens | None:
    """The lens from a session's pictures of the lens sheet; None if it names none.

    Raises CalibrationError naming the folder, or the picture, and what is wrong with it.
    """
    if info.lens_pictures is None:
        return None
    paths = lens_picture_paths(session_dir, info)
    folder = session_dir / info.lens_pictures.folder
    if not paths:
        raise CalibrationError(f"{folder}: the lens pictures that the session names are not there.")
    try:
        return lens_from_charuco((read_picture(path) for path in paths), info.lens_pictures.charuco)
    except PictureError:  # which names its file
        raise
    except CalibrationError as error:
        raise CalibrationError(f"{folder}: {error}") from error


def lens_picture_paths(session_dir: Path, info: SessionInfo) -> list[Path]:
    """A session's pictures of the lens sheet in the order of their names."""
    return [] if info.lens_pictures is None else _pictures_in(session_dir / info.lens_pictures.folder)


def unnamed_lens_folder(session_dir: Path, info: SessionInfo) -> Path | None:
    """The folder with pictures of the lens sheet that a session's description forgets to name, if there is one."""
    folder = session_dir / LENS_FOLDER
    return folder if info.lens_pictures is None and _pictures_in(folder) else None


def _pictures_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix.lower() in PICTURE_SUFFIXES)


def read_info(path: Path) -> SessionInfo:
    """A session's description. Raises CalibrationError naming the file."""
    try:
        return msgspec.json.decode(read_json(path), type=SessionInfo)
    except NotADirectoryError as error:
        raise CalibrationError(f"{path.parent}: this is a file; name a session's folder.") from error
    except OSError as error:
        raise CalibrationError(
            f"{path}: the session cannot be read ({error.strerror or error}); name a session's folder."
        ) from error
    except BAD_JSON as error:
        raise CalibrationError(f"{path}: this is no session description ({error}).") from error


def swatch_layout_file(session_dir: Path, info: SessionInfo) -> Path:
    """Where a session's swatch layout lies, if it has one: else it is the prescribed one."""
    return (session_dir / info.calib_pieces).with_suffix(".json")


def _session_swatches(layout: Path) -> Sequence[Swatch]:
    """The layout in that file; the prescribed one if there is none. Raises CalibrationError naming the file."""
    try:
        data = read_json(layout)
    except FileNotFoundError:
        return PRESCRIBED
    except OSError as error:
        raise CalibrationError(
            f"{layout}: the swatch layout cannot be read ({error.strerror or error}); {WRITE_ANEW}."
        ) from error
    return decode_swatches(data, str(layout))


@contextmanager
def _about(picture: type[CalibrationError]) -> Iterator[None]:
    """What goes wrong in here is wrong with that picture."""
    try:
        yield
    except CalibrationError as error:
        raise picture(str(error)) from error


@contextmanager
def _darkness_told(board_image: Image, pieces_image: Image) -> Iterator[None]:
    """What goes wrong in here with a picture that is nearly black goes wrong because it is."""
    try:
        yield
    except CalibrationError as error:
        for picture, image in ((BoardPictureError, board_image), (SwatchPictureError, pieces_image)):
            if np.percentile(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), 97) < DARK:
                raise picture("The picture is too dark: switch a lamp on.") from error
        raise


def _lie_elsewhere(cards: Mapping[str, Floats], fit: PoseFit, board: BoardPrint) -> bool:
    """True if most of these cards are nearer to another of the board's corners than to their own."""
    corners = dict(zip(CARD_CORNERS, fit.camera.project(board.corners()), strict=True))
    nearest = {
        name: min(corners, key=lambda corner: float(np.linalg.norm(corners[corner] - at.mean(axis=0))))
        for name, at in cards.items()
    }
    return 2 * sum(name != corner for name, corner in nearest.items()) > len(cards)


def _in_swatch_picture(calibration: Calibration, pieces_image: Image) -> Calibration:
    """The calibration as of the swatch picture: board or camera may have been moved since that of the empty board."""
    finder = BoardFinder(calibration)
    motion = finder.motion(pieces_image)
    if motion is not None and finder.corner_shift(motion) < MAX_SHIFT_MM:
        return calibration
    found = finder.locate(pieces_image)
    if found is None:
        raise CalibrationError(
            "The board in the picture of the empty board is not found in the swatch picture; take both again, one "
            "after the other, without moving camera or board."
        )
    return found


def _require_as_laid(check: SwatchCheck, laid: Laid) -> None:
    """Raises CalibrationError saying which picture to take again if something else lies there than should."""
    sight = check.judge(laid)
    if sight.board_was_not_empty:
        raise _not_bare(check.where_covered(laid, sight.covered), len(sight.covered))
    if MOST_FORGOTTEN < len(sight.gone) == len(laid.places.swatches) and check.is_laid_before():
        raise CalibrationError(
            "The two pictures show the same: take that of the empty board with nothing on it, and the swatch picture "
            "with the pieces laid as the plan shows."
        )
    if len(sight.gone) > MOST_FORGOTTEN:
        raise SwatchPictureError(
            f"Not seen in the swatch picture: {_some([f'{kind_of(s)} on {list(s.hex)}' for s in sight.gone])}. Lay the "
            "swatch pieces as the plan shows, and take that picture again."
        )
    if check.is_exchanged(laid):
        raise CalibrationError(
            "The picture of the empty board shows the tiles, the swatch picture shows none: the two are exchanged."
        )
    if sight.tiled:
        raise CalibrationError(
            f"A tile lies on {_some([str(list(h)) for h in sight.tiled])}, where the swatch layout has nothing, "
            "in one of the two pictures. Clear the board and take both pictures again."
        )


def _not_bare(picture: Literal["board", "swatch"] | None, count: int) -> CalibrationError:
    """What to say of so many hexes that should be bare and are not, in that picture or nobody knows in which."""
    if picture == "board":
        return BoardPictureError(
            f"The picture of the empty board was not of an empty board: {count} hexes that the swatch picture leaves "
            "bare look otherwise in it. Clear the board and take it again."
        )
    if picture == "swatch":
        return SwatchPictureError(
            f"The swatch picture was not of the swatch layout: something lies on {count} hexes that the layout leaves "
            "bare. Lay the swatch pieces as the plan shows, and take that picture again."
        )
    return CalibrationError(
        f"The two pictures are not of an empty board and of the swatch layout: {count} hexes that both should leave "
        "bare differ. Clear the board, then lay the swatch pieces as the plan shows, and take both pictures again."
    )


def _some(texts: Sequence[str]) -> str:
    """The first few, and how many more."""
    more = len(texts) - MAX_NAMED
    return ", ".join(texts[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
