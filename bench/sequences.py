"""Sequences of pictures followed by `companion track`, and what the recognition set's own scorer says of it.

`./deploy/bench sequences [--set DIR]`: a set is a folder of sequences in the form of the development sequences, which
are taken if none is said; `bench.stretches` and `training.render --stretches` make others, of tables that nothing is
learnt from.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.shared import shared
from calibration import CalibrationError, calibrate_session, save_calibration

SEQUENCES = shared() / "vision" / "sequences"
SCORER = SEQUENCES / "score_track.py"


def main(arguments: Sequence[str] = ()) -> None:
    """Print what the scorer says; a sequence whose table cannot be calibrated is named and left out."""
    parser = argparse.ArgumentParser(prog="./deploy/bench sequences", description="sequences of pictures, followed")
    parser.add_argument("--set", type=Path, default=SEQUENCES, help="a folder of sequences")
    args = parser.parse_args(arguments)
    if not SCORER.is_file():
        print(f"The scorer is not at hand: {SCORER}")
        return
    folders = sorted(file.parent for file in args.set.glob("*/session.json"))
    with tempfile.TemporaryDirectory(prefix="companion-sequences-") as place:
        for folder in folders:
            _follow(folder, Path(place))
        there = Path(place, "set")
        subprocess.run([sys.executable, str(SCORER), str(there), place], check=True)


def _follow(folder: Path, place: Path) -> None:
    """Write `<name>.jsonl` in that place, and the sequence's name in its folder `set`."""
    calibration = place / "calibration.json"
    try:
        save_calibration(calibration, calibrate_session(folder))
    except CalibrationError as error:
        print(f"{folder.name} is left out: {error}")
        return
    command = [sys.executable, "-m", "companion", "track", "--calibration", str(calibration)]
    command += ["--position", str(folder / "position.json"), "--given", str(folder / "given.jsonl")]
    pictures = [str(path) for path in sorted(folder.glob("p[0-9]*.jpg"))]
    with (place / f"{folder.name}.jsonl").open("w") as lines:
        subprocess.run([*command, *pictures], stdout=lines, check=True)
    (place / "set").mkdir(exist_ok=True)
    (place / "set" / folder.name).symlink_to(folder.resolve())


if __name__ == "__main__":
    main(sys.argv[1:])
