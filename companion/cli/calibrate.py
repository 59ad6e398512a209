"""`companion calibrate SESSION_DIR --out FILE`: calibrate from pictures and say how good the result is."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import msgspec

from calibration import Calibration, CalibrationError, calibrate_session, save_calibration

ERRORS: tuple[type[Exception], ...] = (CalibrationError,)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("session", metavar="SESSION_DIR", type=Path, help="session.json and the calibration pictures")
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="the calibration file to write")
    parser.add_argument("--json", action="store_true", help="print the quality measures as JSON")


def run(args: argparse.Namespace) -> int:
    """Calibrate and print the quality. Raises CalibrationError; then no file is written."""
    calibration = calibrate_session(args.session)
    save_calibration(args.out, calibration)
    if args.json:
        print(json.dumps(msgspec.to_builtins(calibration.quality)))
    else:
        print("\n".join(quality_lines(calibration)))
    return 0


def quality_lines(calibration: Calibration) -> list[str]:
    """The quality measures as a table, then the advice."""
    q = calibration.quality
    hex_px = q.px_per_mm * calibration.board.hex_flat_to_flat
    rows = [
        ("printed lines", f"{q.line_rms_mm:.2f} mm", f"{q.line_rms_px:.2f} px reprojection error"),
        ("corner cards", f"{q.card_rms_mm:.2f} mm", "from where they should lie"),
        (
            "scale",
            f"{q.px_per_mm:.2f} px/mm",
            f"a hex is {hex_px:.0f} px wide",
        ),
        ("camera", f"{q.distance_mm / 1000:.2f} m", f"away, tilted {q.tilt_degrees:.0f} degrees"),
        ("sharpness", f"{q.edge_mm:.2f} mm", "width of an edge"),
        ("exposure", f"{q.level:.0f}", f"the cards' white, of 255; {100 * q.clipped:.1f} % of the board burnt out"),
    ]
    if q.lens_rms_px is not None:
        rows.append(("lens", f"{q.lens_rms_px:.2f} px", "error of the lens pictures"))
    lines = [f"{name:<14}{value:>11}  {note}" for name, value, note in rows]
    return [*lines, *(q.advice or ("All is well.",))]
