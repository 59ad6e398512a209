"""`companion calibrate`: from a session's pictures or guided from a live camera; says how good the result is."""

from __future__ import annotations

import argparse
import json
import math
import sys
from contextlib import nullcontext

import msgspec

from calibration import (
    Calibration,
    CalibrationError,
    PictureError,
    SessionInfo,
    calibrate_session,
    save_calibration,
)
from calibration.assessment import Assessment, assess
from calibration.camera_model import LensKind
from calibration.file import require_calibration_or_nothing, require_writable
from calibration.session import read_info, swatch_layout_file, unnamed_lens_folder
from companion.calibrating import Guide, words
from companion.cli.arguments import place, seed
from companion.cli.devices import CameraChoiceError
from companion.cli.guided import GuideError, SilentFace, conduct
from companion.cli.live import TerminalFace, on_terminal
from companion.cli.written import telling_of_a_new_folder
from companion.i18n import LanguageError, set_language
from companion.rules.geometry import load_board
from companion.settings import Settings, SettingsError, folders, load_settings
from companion.watch.setting_out import People, Scenery, recorded, rehearsal
from hardware.camera import CameraError, list_cameras, open_live
from hardware.camera.pictures import PicturesCamera
from hardware.simulated import SimulatedTable
from hardware.simulated.rehearsal import RehearsalCamera

ERRORS: tuple[type[Exception], ...] = (
    CalibrationError,
    CameraChoiceError,
    CameraError,
    GuideError,
    LanguageError,
    SettingsError,
)

REAL_CAMERAS = ("auto", "picamera2", "v4l2")
CAMERAS = (*REAL_CAMERAS, "pictures", "simulated")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "session",
        metavar="SESSION_DIR",
        type=place,
        nargs="?",
        help="session.json and the calibration pictures",
    )
    parser.add_argument(
        "--corners",
        metavar='"X,Y X,Y X,Y X,Y"',
        type=_corners,
        help="with SESSION_DIR, instead of cards: where the board's corners lie in the picture of the empty board, in "
        "px to about 15, in the order nw ne se sw",
    )
    parser.add_argument("--camera", metavar="NAME", choices=CAMERAS, help=f"guided, live: one of {', '.join(CAMERAS)}")
    parser.add_argument("--pictures", metavar="DIR", type=place, help="guided, with a folder's pictures as the camera")
    parser.add_argument("--simulate", action="store_true", help="guided, at the simulated table")
    parser.add_argument("--guided", action="store_true", help="on a terminal: take no picture before Return is pressed")
    parser.add_argument(
        "--lens",
        choices=("normal", "wide"),
        help="where the camera does not tell; wide, beyond 80 degrees, wants the lens sheet",
    )
    parser.add_argument("--seed", type=seed, help="with --simulate: which table (1)")
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=place,
        help="the calibration file to write (with a real camera: the household's own; else none)",
    )
    parser.add_argument("--json", action="store_true", help="print the quality measures as JSON")


def run(args: argparse.Namespace) -> int:
    """Calibrate and print the quality. Raises one of ERRORS; then the file is as it was before.

    Without `--out` a real camera's calibration is the household's; a rehearsal with pictures or at the simulated table
    leaves that one alone and writes nothing. From a session's pictures a poor calibration is written too, as they may
    be all there is; the last line says that it is poor. At a camera people can do better, and it is refused.
    """
    wrong = _wrong_usage(args)
    if wrong:
        args.wrong_usage(wrong)
    where = folders()
    settings = load_settings(where.settings)
    set_language(settings.language)
    out = args.out or (where.calibration if args.camera in REAL_CAMERAS else None)
    if out is not None:
        require_writable(out)
    if args.out:  # the household's own is replaced whatever has become of it
        require_calibration_or_nothing(args.out)
    calibration = _recorded(args) if args.session else _guided(args, settings)
    if out is not None:
        with telling_of_a_new_folder("calibrate", out) if args.out else nullcontext():
            save_calibration(out, calibration)
    assessment = assess(calibration)
    if args.json:
        print(json.dumps(quality_object(calibration, assessment)))
    else:
        print("\n".join(quality_lines(calibration, assessment)))
    if out is None:
        print(
            "A rehearsal: nothing was written. To keep it say --out FILE.", file=sys.stderr if args.json else sys.stdout
        )
    return 0


def _wrong_usage(args: argparse.Namespace) -> str | None:
    """Which arguments do not go together: none is ignored in silence."""
    named = (
        {args.camera} - {None}
        | ({"pictures"} if args.pictures else set())
        | ({"simulated"} if args.simulate else set())
    )
    usages = (
        (
            bool(args.session) == bool(named) or len(named) > 1,
            "say either SESSION_DIR or one of --camera, --pictures and --simulate",
        ),
        (args.camera == "pictures" and not args.pictures, "--camera pictures goes with --pictures DIR"),
        (args.session and not args.out, "say --out FILE"),
        (args.corners and not args.session, "--corners goes with SESSION_DIR"),
        (args.session and (args.lens or args.guided), "--lens and --guided go with a camera, not with SESSION_DIR"),
        (args.seed is not None and "simulated" not in named, "--seed goes with --simulate"),
    )
    return next((text for wrong, text in usages if wrong), None)


def _corners(text: str) -> list[tuple[float, float]]:
    """Four pairs of px."""
    try:
        pairs = [tuple(float(number) for number in pair.split(",")) for pair in text.split()]
    except ValueError:
        pairs = []
    corners = [(pair[0], pair[1]) for pair in pairs if len(pair) == 2 and all(math.isfinite(v) for v in pair)]
    if len(corners) != 4 or len(pairs) != 4:
        raise argparse.ArgumentTypeError(
            f'four corners are needed, like "310,140 1134,140 1138,859 308,859"; not {text!r}'
        )
    return corners


def _recorded(args: argparse.Namespace) -> Calibration:
    """From a session's pictures; says what of it is taken for granted, what not read. Raises CalibrationError."""
    info = read_info(args.session / "session.json")
    layout = swatch_layout_file(args.session, info)
    if not layout.exists():
        print(
            f"companion calibrate: {layout}: this file is not there; the swatch pieces are taken to lie as on the plan "
            "that `companion print` draws.",
            file=sys.stderr,
        )
    unnamed = unnamed_lens_folder(args.session, info)
    if unnamed:
        print(
            f"companion calibrate: {unnamed}: not read, as session.json says nothing of lens_pictures.",
            file=sys.stderr,
        )
    return calibrate_session(args.session, args.corners)


def _guided(args: argparse.Namespace, settings: Settings) -> Calibration:
    source = _source(args, settings)
    guide = Guide(source.info)
    with source.camera as camera, TerminalFace() if on_terminal() else nullcontext(SilentFace()) as face:
        try:
            calibration = conduct(guide, camera, source.helper, face, by_key=args.guided)
        except PictureError as error:
            shown = camera.shown if isinstance(camera, PicturesCamera) else None
            raise PictureError(f"{shown}: {error}" if shown else str(error)) from error
        return msgspec.structs.replace(calibration, focus=camera.focus)


def _source(args: argparse.Namespace, settings: Settings) -> Scenery:
    """Raises CameraChoiceError, CameraError, CalibrationError."""
    name = "simulated" if args.simulate else "pictures" if args.pictures and not args.camera else args.camera
    lens: LensKind = args.lens or "normal"
    if name == "pictures":
        return recorded(args.pictures, args.lens)
    if name == "simulated":
        style = "wide" if lens == "wide" else "pine"
        table = SimulatedTable(
            msgspec.to_builtins(load_board()), seed=1 if args.seed is None else args.seed, style=style
        )
        return rehearsal(RehearsalCamera(table), lens)
    if name == "auto":
        found = list_cameras()
        if not found:
            raise CameraChoiceError("No camera is plugged in: see the cable, or try --simulate.")
        name = found[0][0]
    camera = open_live(name, settings.mains_hz)
    return Scenery(camera, People(), SessionInfo(lens=args.lens or camera.lens or "normal"))


def quality_object(calibration: Calibration, assessment: Assessment) -> dict[str, object]:
    """The figures, the grade and what it rests on, for programs."""
    return {
        **msgspec.to_builtins(calibration.quality),
        "haze": msgspec.to_builtins(calibration.haze),
        "grade": assessment.grade,
        "measures": msgspec.to_builtins(assessment.measures),
        "alike": list(assessment.alike),
        "advice": [str(advice) for advice in assessment.advice],
    }


def quality_lines(calibration: Calibration, assessment: Assessment) -> list[str]:
    """The quality measures as a table, then the advice."""
    q = calibration.quality
    hex_px = q.px_per_mm * calibration.board.hex_flat_to_flat
    laid = ("-", "not measured") if q.card_rms_mm is None else (f"{q.card_rms_mm:.2f} mm", "from where they should lie")
    white = "the cards' white" if calibration.cards else "what is brightest"
    rows = [
        ("printed lines", f"{q.line_rms_mm:.2f} mm", f"{q.line_rms_px:.2f} px reprojection error"),
        ("corner cards", *laid),
        ("scale", f"{q.px_per_mm:.2f} px/mm", f"a hex is {hex_px:.0f} px wide"),
        ("camera", f"{q.distance_mm / 1000:.2f} m", f"away, tilted {q.tilt_degrees:.0f} degrees"),
        ("sharpness", "?" if q.edge_mm is None else f"{q.edge_mm:.2f} mm", "width of an edge"),
        ("exposure", f"{q.level:.0f}", f"{white}, of 255; {100 * q.clipped:.1f} % of the board burnt out"),
    ]
    if q.mirrored is not None:
        rows.append(("shine", f"{100 * q.mirrored:.0f} %", "of white, of lamps in the board"))
    if q.black is not None:
        rows.append(("black", f"{100 * q.black:.0f} %", "of the cards' white"))
    if calibration.haze is not None:
        rows.append(
            ("haze", f"{100 * max(calibration.haze.added):.1f} %", "of full light, is taken out of all pictures")
        )
    if q.lens_rms_px is not None:
        rows.append(("lens", f"{q.lens_rms_px:.2f} px", "error of the lens pictures"))
    apart = next(m.value for m in assessment.measures if m.name == "colours apart")
    rows.append(("colours", f"{apart:.2f}", f"between {' and '.join(assessment.alike)}, the hardest to tell apart"))
    rows.append(("calibration", words.grade(assessment), ""))
    lines = [f"{name:<14}{value:>11}  {note}".rstrip() for name, value, note in rows]
    lines += words.advice(assessment) or ("All is well.",)
    if assessment.grade == "poor":
        lines.append(
            "This calibration is poor, and games are read badly with it: put that right and take the pictures again."
        )
    return lines
