"""`companion recognise --calibration FILE --out DIR PICTURE...`: one layout a picture."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2

from calibration import Calibration, CalibrationError, PictureError
from calibration.arrays import Image
from calibration.atomic import write_atomically
from calibration.session import read_info, swatch_layout_file
from calibration.small_file import read_json
from companion.cli.arguments import place
from companion.cli.output import OutputError
from companion.cli.picture_reader import PictureReader
from companion.cli.progress import progress
from companion.rules.layout import HexContent, Layout, encode_layout
from companion.rules.pieces import BOAT_CAPACITY
from companion.vision.observation import Blurred, Observation
from companion.vision.registration import moved
from companion.vision.show import STEPS, pictures

ERRORS: tuple[type[Exception], ...] = (CalibrationError,)

FAR_MM = 20.0
FAR_DEGREES = 5.0
"""By so much a board is hardly ever bumped during a game."""

_QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 92]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--calibration", metavar="FILE", type=place, required=True, help="from `companion calibrate`")
    parser.add_argument("--out", metavar="DIR", type=place, required=True, help="where the layouts are written")
    parser.add_argument(
        "--debug", metavar="DIR", type=place, help="write a folder a picture with what each step saw, to find out why"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON object a picture")
    parser.add_argument("pictures", metavar="PICTURE", type=place, nargs="+")


def run(args: argparse.Namespace) -> int:
    """Recognise; 0 if all pictures were read, 1 if one could not be: it is named, the others go on.

    Raises CalibrationError if the calibration cannot be used; then nothing is written. Raises OutputError at the end if
    nobody could be told.
    """
    paths = list(dict.fromkeys(args.pictures))
    named = Counter(path.stem for path in paths)
    reader = PictureReader.of_file(args.calibration)
    for folder in (args.out, args.debug):
        try:
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            return _failed(f"{folder}: the folder cannot be made ({error.strerror or error}); name another one.")
    status, unheard = 0, None
    for path in progress(paths, "Recognising"):
        layout = args.out / f"{path.stem}.json"
        try:
            _remove_earlier(layout, args.debug and args.debug / path.stem)
            if named[path.stem] > 1:
                raise PictureError(
                    f"{path}: another picture is named {path.stem} too: recognise them one by one, each with another "
                    "folder after --out."
                )
            told = _recognise(reader, path, layout, args.debug)
        except CalibrationError as error:
            told = {"picture": str(path), "error": str(error)}
        except OSError as error:
            text = (
                f"{layout}: what was seen in {path} cannot be written ({error.strerror or error}). Make room, or name "
                "another folder with --out."
            )
            told = {"picture": str(path), "error": text}
        if "error" in told:
            status = _failed(told["error"])
        try:
            _tell(path, told, as_json=args.json)
        except OutputError as error:
            unheard = error
    if unheard:
        raise unheard
    return status


def _tell(path: Path, told: Mapping[str, Any], *, as_json: bool) -> None:
    """Raises OutputError."""
    with contextlib.suppress(BrokenPipeError):  # who read what is told has gone (`| head`); the layouts are wanted
        if as_json:
            print(json.dumps(told), flush=True)
        elif "ms" in told:
            print(_printable(f"{path}: {told['ms']:.0f} ms"), flush=True)


def _remove_earlier(file: Path, steps: Path | None) -> None:
    """Remove an earlier run's layout, and pictures of the steps: they would be taken for this run's, if it fails.

    Raises PictureError if something else is there, and OSError.
    """
    if steps is not None:
        _remove_steps(steps)
    if _is_sessions_own(file):
        raise PictureError(f"{file}: this file may belong to the session beside it: name another folder with --out.")
    if not file.exists():
        return
    if not _is_layout(file):
        raise PictureError(f"{file}: this file is not what an earlier run has written: name another folder with --out.")
    file.unlink()


def _remove_steps(folder: Path) -> None:
    """Remove what an earlier run saw of a picture of that name; what cannot be removed cannot be written either."""
    with contextlib.suppress(OSError):
        for step in STEPS:
            (folder / f"{step}.jpg").unlink(missing_ok=True)


def _is_sessions_own(file: Path) -> bool:
    """True if it lies beside a session's description, or would be its swatch layout."""
    description = file.parent / "session.json"
    if not description.exists() or _is_layout(description):  # what a picture of that name shows
        return False
    try:
        return file.exists() or file == swatch_layout_file(file.parent, read_info(description))
    except CalibrationError:
        return False


def _is_layout(file: Path) -> bool:
    """True if an earlier run may have written it."""
    try:
        layout = json.loads(read_json(file))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(layout, dict) and {"hexes", "safe"} <= layout.keys() <= {"hexes", "safe", "unknown"}


def _recognise(reader: PictureReader, path: Path, layout: Path, debug: Path | None) -> dict[str, Any]:
    """Write one picture's `layout`, and what each step saw if asked for; returns what is told of it.

    There may be an `error` besides the `layout`: of the steps' pictures. Raises PictureError, OSError: no layout.
    """
    started = time.perf_counter()
    image: Image | None = None
    if debug is None:
        trace = reader.trace(path)
    else:
        image, trace = reader.read(path)
    told: dict[str, Any] = {"picture": str(path)}
    errors = []
    if trace.observation.registered:
        seen = written_layout(trace.observation)
        text = json.dumps(encode_layout(seen), indent=1) + "\n"
        write_atomically(layout, text.encode())
        told |= {"layout": str(layout), "ms": round(1000 * (time.perf_counter() - started), 1)}
        hidden = [str(e.land) for e in trace.observation.safe if e.claim is None]
        if hidden:
            told["hidden_lands"] = hidden
        _warn_of_hidden(path, len(seen.unknown), len(trace.observation.hexes), hidden)
        _warn_if_far(path, reader.calibration, trace.calibration)
    elif isinstance(trace.observation.registration, Blurred):
        errors.append(
            f"{path}: the picture is not sharp, its pieces would be misread: wipe the lens, set its focus on the board,"
            " hold the camera still, and take it again."
        )
    else:
        errors.append(
            f"{path}: the board is not found in the picture; its print must be the calibrated one, sharp, in the "
            "picture and not covered for the most part. Cards are not needed. If all that is so, calibrate again."
        )
    if debug is not None and image is not None:
        folder = debug / path.stem
        try:
            _write_steps(folder, pictures(image, trace, reader.board, reader.calibration))
        except OSError as error:
            errors.append(f"{folder}: what each step saw cannot be written ({error.strerror or error}).")
    return {**told, "error": " ".join(errors)} if errors else told


def written_layout(observation: Observation) -> Layout:
    """What is read; but a layout's boats hold three. Where four are read, the likeliest reading of no more, if any."""
    layout = observation.layout()
    overfull = [e for e in observation.hexes if _is_overfull(layout.at(e.hex))]
    likeliest = {e.hex: next((h.content for h in e.hypotheses if not _is_overfull(h.content)), None) for e in overfull}
    said = {h: content for h, content in likeliest.items() if content is not None}
    unknown = layout.unknown | (likeliest.keys() - said.keys())
    hexes = {h: content for h, content in {**layout.hexes, **said}.items() if h not in unknown and not content.is_empty}
    return Layout(hexes, layout.safe, frozenset(unknown))


def _is_overfull(content: HexContent) -> bool:
    return sum((content.boat or {}).values()) > BOAT_CAPACITY


def _warn_of_hidden(path: Path, unknown: int, hexes: int, hidden: Sequence[str]) -> None:
    """Say so if most of the board is unknown, or safe lands are `hidden`: the layout written holds nothing of them."""
    if unknown > hexes / 2:
        print(
            f"companion recognise: {path}: of {unknown} of the {hexes} hexes nothing can be said: too little light, "
            "glare, shadows, hands, or something that lies on the board. Take away what covers it, and light the table "
            "as it was when it was calibrated, or calibrate again.",
            file=sys.stderr,
        )
    elif hidden:
        print(
            f"companion recognise: {path}: who stands on the safe lands {', '.join(hidden)} is hidden by glare, "
            "shadows or hands; a layout has no word for that, so it names nobody there.",
            file=sys.stderr,
        )


def _warn_if_far(path: Path, calibrated: Calibration, found: Calibration) -> None:
    """Say so if the board is found far from where it was calibrated: another table may have the same print."""
    by = moved(calibrated, found)
    far = math.hypot(by.east_mm, by.south_mm)
    if far > FAR_MM or abs(by.turn_degrees) > FAR_DEGREES:
        print(
            f"companion recognise: {path}: the board lies {far:.0f} mm from where it was calibrated, turned by "
            f"{by.turn_degrees:.0f} degrees; it is read where it is. If this is another table, calibrate that one: "
            "its light and its pieces are not known.",
            file=sys.stderr,
        )


def _write_steps(folder: Path, steps: dict[str, Image]) -> None:
    for name, image in steps.items():
        write_atomically(folder / f"{name}.jpg", cv2.imencode(".jpg", image, _QUALITY)[1].tobytes())


def _failed(text: str) -> int:
    print(f"companion recognise: {text}", file=sys.stderr)
    return 1


def _printable(text: str) -> str:
    """File names may hold bytes that are no text."""
    return text.encode(errors="backslashreplace").decode()
