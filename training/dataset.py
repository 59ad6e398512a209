"""From rendered sessions to what a network reads: `python -m training.dataset --sessions DIR --out DIR`.

Each session is calibrated as a person's table would be, each frame goes through the recogniser's own first steps, so
that training sees the very planes, errors included, that recognition sees. One file a frame: `<session>_<frame>.npz`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from calibration import CalibrationError, calibrate_session
from calibration.pictures import read_picture
from companion.rules.geometry import load_board
from companion.vision.evidence import PixelStep
from companion.vision.inputs import network_inputs
from companion.vision.network import lean_planes
from training.labels import hex_labels, piece_points


def prepare(session: Path, out: Path) -> int:
    """Write the frames of one session; how many. Raises CalibrationError if it cannot be calibrated."""
    calibration = calibrate_session(session)
    board = load_board()
    pixels = PixelStep(calibration)
    lean = lean_planes(calibration)
    frames = sorted(session.glob("f[0-9]*.json"))
    for path in frames:
        truth = json.loads(path.read_text())
        evidence = pixels(read_picture(path.with_suffix(".jpg")))
        arrays: dict[str, Any] = {
            "planes": network_inputs(evidence, calibration.ground.lab),
            "lean": lean,
            "pieces": piece_points(truth, calibration.view),
            **hex_labels(truth, board),
        }
        part = out / f".{session.name}_{path.stem}.npz"
        np.savez(part, **arrays)
        part.replace(out / part.name[1:])
    return len(frames)


def main() -> None:
    """Prepare the sessions that are whole and not prepared yet."""
    parser = argparse.ArgumentParser(prog="python -m training.dataset", description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for info in sorted(args.sessions.glob("*/session.json")):
        session = info.parent
        if (args.out / f"{session.name}_f01.npz").is_file():
            continue
        try:
            print(f"{session.name}: {prepare(session, args.out)} frames", flush=True)
        except CalibrationError as error:
            print(f"{session.name}: left out, {error}", flush=True)


if __name__ == "__main__":
    main()
