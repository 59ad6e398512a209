"""Sessions as the network reads them: `python -m training.dataset SESSIONS --out DIR [--changed]`.

In: a folder of sessions in the recognition set's form. Out: for each an .npy of planes (pictures x `Planes`,
the swatch picture first) and an .npz of labels, made by the steps that recognition itself takes, errors of pose and
light included. `--changed`: each frame a second time, with something over it (`changes`).
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration import CalibrationError, calibrate_session
from calibration.pictures import read_picture
from companion.rules.geometry import load_board
from companion.rules.layout import COLOURS
from companion.vision.box import beyond_box, things
from companion.vision.evidence import PixelStep
from companion.vision.field import Field
from companion.vision.inputs import STORED, Planes, lab_bytes, network_inputs, shrunk
from companion.vision.look import example_of, foreign, middles, worth_a_look
from companion.vision.questions import EXAMPLES
from companion.vision.readings import content_of
from training.changes import Seen, changed
from training.labels import Labels, read_labels
from training.layouts import STRANGE

STORED_AS = "; ".join(", ".join(names) for names in STORED)
"""How the planes lie on the disk."""

KEPT_OUT = 12
"""One session in so many is never learnt from."""


def prepare(session: Path, out: Path, *, twice: bool = False) -> None:
    """Write one session's planes and labels; each frame `twice`: as it is, and with something over it.

    Raises CalibrationError if it cannot be calibrated or read, OSError if nothing can be written.
    """
    board = load_board()
    calibration = calibrate_session(session)
    step = PixelStep(calibration)
    reference = lab_bytes(calibration.ground.lab())
    frames = sorted(session.glob("f*.jpg"))
    places = middles(Field(board, calibration))
    pictures: list[Planes] = [network_inputs(step.read_view(calibration.swatch_image()), reference)]
    labels = [
        read_labels(msgspec.to_builtins({"hexes": calibration.swatches}), board, np.array(calibration.swatch_eye))
    ]
    plain = [0]
    rng = np.random.default_rng(list(session.name.encode()))
    for path in frames:
        truth, view = _truth(path.with_suffix(".json")), step.rectify(read_picture(path))
        seen = Seen(view, calibration.view, calibration.camera.eye, tuple(truth.get("pieces", ())))
        plain += [len(pictures)] * (2 if twice else 1)
        for picture in [view, changed(seen, rng)] if twice else [view]:
            pictures.append(network_inputs(step.read_view(picture), reference))
            labels.append(read_labels(truth, board, calibration.camera.eye))
    examples = np.full(len(board.hexes), -1)
    for swatch in calibration.swatches:
        examples[board.index[swatch.hex]] = EXAMPLES.index(example_of(swatch))
    looked = [worth_a_look(picture, foreign(picture), places) for picture in pictures]
    feet = [np.column_stack([np.full(len(label.feet), i), label.feet]) for i, label in enumerate(labels)]
    planes = np.stack(pictures)
    np.save(out.with_suffix(".npy"), planes)
    part = out.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(
            file,
            eye=calibration.camera.eye,
            swatch_eye=np.array(calibration.swatch_eye),
            examples=examples,
            hexes=np.stack([label.hexes for label in labels]),
            hidden=np.stack([label.hidden for label in labels]),
            lands=np.stack([label.lands for label in labels]),
            lands_hidden=np.stack([label.lands_hidden for label in labels]),
            looked=np.stack(looked),
            plain=np.array(plain),
            feet=np.concatenate(feet),
            planes=zlib.crc32(planes.data),
            stored=STORED_AS,
        )
    part.replace(out.with_suffix(".npz"))  # last and at once: the session is whole


def _truth(path: Path) -> Any:
    """What lies on the table in a frame. Raises CalibrationError naming the file if it cannot be read."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise CalibrationError(f"{path}: the frame's truth cannot be read ({error}).") from error


@dataclasses.dataclass(frozen=True)
class Prepared:
    """One session as `prepare` wrote it; `planes` stay on the disk until they are looked at.

    `looked`: pictures x hexes, those at which recognition would look, as they do not show their print all over.
    `plain`: of each picture the number of the one that shows the same with nothing over it, its own if it is that.
    `numbers`: which of the pictures that were prepared these are, in their order.
    """

    name: str
    planes: NDArray[np.uint8]
    eye: NDArray[np.float64]
    swatch_eye: NDArray[np.float64]
    examples: NDArray[np.int64]
    looked: NDArray[np.bool_]
    plain: NDArray[np.int64]
    labels: tuple[Labels, ...]
    numbers: NDArray[np.int64]

    def picture(self, number: int, shrink: int = 1) -> Planes:
        """One of the pictures, 0 the swatch picture; in coarser pixels if `shrink` is more than 1."""
        planes = list(np.asarray(self.planes[number]))
        return shrunk(planes, shrink) if shrink > 1 else planes

    def pictures(self, shrink: int = 1) -> Iterator[Planes]:
        """The pictures after the swatch picture."""
        return (self.picture(number, shrink) for number in range(1, len(self.planes)))


def load_prepared(path: Path) -> Prepared:
    """Read what `prepare` wrote; `path` is that of the .npz. Raises ValueError if an earlier version wrote it."""
    with np.load(path) as data:
        feet = data["feet"]
        labels = tuple(
            Labels(h, hidden, lands, lands_hidden, feet[feet[:, 0] == i, 1:])
            for i, (h, hidden, lands, lands_hidden) in enumerate(
                zip(data["hexes"], data["hidden"], data["lands"], data["lands_hidden"], strict=True)
            )
        )
        planes = np.load(path.with_suffix(".npy"), mmap_mode="r")
        if str(data.get("stored")) != STORED_AS or "plain" not in data:
            raise ValueError(f"{path} was prepared by an earlier version: empty its folder and prepare anew.")
        eye, swatch_eye, examples = data["eye"], data["swatch_eye"], data["examples"]
        looked, plain = data["looked"], data["plain"]
        numbers = np.arange(len(planes))
        return Prepared(path.stem, planes, eye, swatch_eye, examples, looked, plain, labels, numbers)


def _is_twice(session: Prepared) -> bool:
    """True if its frames were prepared a second time, with something over them."""
    return bool((session.plain != np.arange(len(session.plain))).any())


def as_played(session: Prepared, *, packed: bool = False) -> Prepared:
    """With nothing over the boards; without those on which more lies than a box holds, unless `packed` ones count."""
    is_plain = session.plain == np.arange(len(session.plain))
    kept = [i for i in np.flatnonzero(is_plain) if i == 0 or packed or not beyond_box(_laid(session.labels[i]))]
    return dataclasses.replace(
        session,
        planes=session.planes[kept],
        looked=session.looked[kept],
        plain=np.arange(len(kept)),
        labels=tuple(session.labels[i] for i in kept),
        numbers=session.numbers[kept],
    )


def _laid(labels: Labels) -> Counter[str]:
    """What lies on a board, its safe lands included."""
    ashore = (dict(zip(COLOURS, land, strict=True)) for land in labels.lands.tolist())
    return things(map(content_of, labels.hexes[:, :-1].tolist()), ashore)


def is_kept_out(name: str) -> bool:
    """By the number in a session's name; whatever its number if its creatures are strange."""
    return name.startswith(STRANGE) or int("".join(c for c in name if c.isdigit()) or 0) % KEPT_OUT == KEPT_OUT - 1


def split(folder: Path, *, packed: bool = False) -> tuple[list[Prepared], list[Prepared]]:
    """The prepared sessions to learn from and those to measure on, `as_played`."""
    learnt: list[Prepared] = []
    kept_out: list[Prepared] = []
    for path in sorted(folder.glob("*.npz")):
        session = load_prepared(path)
        if is_kept_out(path.stem):
            played = as_played(session, packed=packed)
            if len(played.planes) > 1:  # besides the swatch picture
                kept_out.append(played)
        else:
            learnt.append(session)
    return learnt, kept_out


def main() -> None:
    """Prepare the sessions that are not there yet."""
    parser = argparse.ArgumentParser(prog="python -m training.dataset", description=__doc__.splitlines()[0])
    parser.add_argument("sessions", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--changed", action="store_true", help="each frame once more, with something over it")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    for description in sorted(args.sessions.glob("*/session.json")):
        name = description.parent.name
        if (args.out / f"{name}.npz").is_file():
            if _is_twice(load_prepared(args.out / f"{name}.npz")) != args.changed:
                parser.error(
                    f"{args.out}: {name} was prepared otherwise (--changed): empty the folder, or name another."
                )
        else:
            try:
                prepare(description.parent, args.out / name, twice=args.changed)
            except CalibrationError as error:  # one bad session must not cost the night's work; a full disk does
                print(f"{name}: left out: {error}", flush=True)


if __name__ == "__main__":
    main()
