"""`companion recognise --calibration FILE --out DIR PICTURE...`: one layout a picture."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

from calibration import CalibrationError, PictureError, load_calibration
from calibration.pictures import read_picture
from companion.rules.geometry import load_board
from companion.rules.layout import encode_layout
from companion.vision.recogniser import Recogniser

ERRORS: tuple[type[Exception], ...] = (CalibrationError,)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--calibration", metavar="FILE", type=Path, required=True, help="from `companion calibrate`")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="where the layouts are written")
    parser.add_argument("pictures", metavar="PICTURE", type=Path, nargs="+")


def run(args: argparse.Namespace) -> int:
    """Recognise; 0 if all pictures were read, 1 if one could not be: it is named, the others go on.

    Raises CalibrationError if the calibration cannot be used; then nothing is written.
    """
    twice = [stem for stem, count in Counter(path.stem for path in args.pictures).items() if count > 1]
    if twice:
        return _failed(f"two pictures are named {twice[0]}, and so would be their layouts: recognise them one by one.")
    recogniser = Recogniser(load_calibration(args.calibration), load_board())
    try:
        args.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return _failed(f"{args.out}: the folder cannot be made ({error.strerror or error}).")
    status = 0
    for number, path in enumerate(args.pictures):
        try:
            started = time.perf_counter()
            _write(args.out / f"{path.stem}.json", _recognise(recogniser, path, number))
            seconds = time.perf_counter() - started
        except CalibrationError as error:
            status = _failed(str(error))
        except OSError as error:
            status = _failed(f"{path}: its layout cannot be written ({error.strerror or error}).")
        else:
            print(f"{path}: {1000 * seconds:.0f} ms")
    return status


def _recognise(recogniser: Recogniser, path: Path, number: int) -> dict[str, object]:
    """The layout of one picture. Raises PictureError naming it."""
    image = read_picture(path)
    try:
        observation = recogniser.observe(image, number, 0.0)
    except PictureError as error:
        raise PictureError(f"{path}: {error}") from error
    if not observation.registered:
        raise PictureError(
            f"{path}: the board does not lie where the calibration says, or its corner cards are covered; "
            "put it back or calibrate again."
        )
    return encode_layout(observation.layout())


def _write(path: Path, layout: dict[str, object]) -> None:
    """Whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(json.dumps(layout, indent=1) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _failed(text: str) -> int:
    print(f"companion recognise: {text}", file=sys.stderr)
    return 1
