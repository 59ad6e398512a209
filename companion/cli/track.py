"""`companion track --calibration FILE --position FILE [--given FILE] PICTURE...`: from pictures in order to actions."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from calibration import CalibrationError
from calibration.small_file import read_json
from companion.cli.arguments import place, seed
from companion.cli.picture_reader import PictureReader
from companion.cli.progress import progress
from companion.rules import Position, RulesError, decode_position, encode_action, encode_position
from companion.rules.actions import Action
from companion.table.errors import TableError
from companion.table.facts import Facts, FactsError, decode_facts
from companion.table.follow import FollowState, Settled, Waiting
from companion.table.impossible import described, sift
from companion.table.reconcile import Contradiction, Question
from companion.table.track import Tracker
from companion.viewmodel.chores import chore_line
from companion.viewmodel.words import label
from companion.vision.observation import Observation

_AHEAD = 3
"""So many pictures after the first tell what of it is misread."""


class TrackError(Exception):
    """A file that is not what it should be; the text names it."""


ERRORS: tuple[type[Exception], ...] = (CalibrationError, TableError, TrackError)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--calibration", metavar="FILE", type=place, required=True, help="from `companion calibrate`")
    parser.add_argument("--position", metavar="FILE", type=place, required=True, help="what the table shows at first")
    parser.add_argument(
        "--given",
        metavar="FILE",
        type=place,
        help="rolls, backs and answers, which no picture shows, as JSON lines; needed for printed backs",
    )
    parser.add_argument("--seed", type=seed, help="of the dealer, who rolls and draws where no facts are given")
    parser.add_argument("pictures", metavar="PICTURE", type=place, nargs="+", help="in the order of time")


def run(args: argparse.Namespace) -> int:
    """Follow the pictures; 1 if one could not be read, a fact was left out, or no picture could be concluded from.

    Each is named, the others go on. What is seen on the table, or has not come to be, makes no difference: then 0.
    Raises CalibrationError, TableError and TrackError if one of the other files cannot be used.
    """
    position = _read_position(args.position)
    if position.options.backs == "printed" and args.given is None:
        raise TrackError(f"{args.position}: the backs are printed, and no picture shows them: tell them with --given.")
    given, all_are_used = _read_given(args.given, position, args.pictures)
    reader = PictureReader.of_file(args.calibration)
    status = 0 if all_are_used else 1
    pictures = _observations(reader, progress(args.pictures, "Tracking"))
    ahead = list(itertools.islice(pictures, 1 + _AHEAD))
    later = [observation for _, observation in ahead[1:] if isinstance(observation, Observation)]
    tracker = Tracker(position, given, args.seed, later=later)
    lines: list[dict[str, Any]] = []
    for path, observation in itertools.chain(ahead, pictures):
        if isinstance(observation, Observation):
            lines.append(_told(path, tracker.see(path.name, observation), tracker))
            print(json.dumps(lines[-1]), flush=True)
            if otherwise := ", ".join(map(label, tracker.taken_for_misread)):
                text = f"not as in {args.position}: {otherwise}. That is taken for misread."
                print(f"companion track: {path}: {text}", file=sys.stderr)
        else:
            print(f"companion track: {observation}", file=sys.stderr)
            tracker.miss(path.name)
            print(json.dumps({**_line(path, "waiting", []), "why": "unreadable"}), flush=True)
            status = 1
    untold = [encode_action(action) for action in tracker.news()]
    print(json.dumps({"position": encode_position(tracker.position), "actions": untold}))
    if unused := ", ".join(f"{described(fact)} before {picture}" for picture, fact in tracker.unused()):
        print(f"companion track: {args.given}: the game has not come to these facts: {unused}.", file=sys.stderr)
    if advice := _nothing_concluded(lines, args.calibration):
        print(f"companion track: {advice}", file=sys.stderr)
        status = 1
    return status


def _nothing_concluded(lines: Sequence[dict[str, Any]], calibration: Path) -> str | None:
    """What to do if all of the pictures that could be read were only waited out; these are their lines."""
    if not lines or any(line["status"] != "waiting" for line in lines):
        return None
    why = {line["why"] for line in lines}
    if why == {"unregistered"}:
        return (
            f"{calibration}: the board is found in none of the pictures. If this is another table, calibrate that one."
        )
    if why <= {"unregistered", "blurred"}:
        return "None of the pictures is sharp: wipe the lens, set its focus on the board, and take them again."
    return (
        f"{calibration}: nothing can be concluded from any of the pictures: hands, shadows or glare seem to hide the"
        " pieces. If nothing hides them, this is another table, or another light: calibrate that one."
    )


def _observations(
    reader: PictureReader, paths: Iterable[Path]
) -> Iterator[tuple[Path, Observation | CalibrationError]]:
    """What each picture shows, or why it cannot be read."""
    for path in paths:
        try:
            trace = reader.trace(path)
        except CalibrationError as error:
            yield path, error
        else:
            yield path, trace.observation


def _told(path: Path, state: FollowState, tracker: Tracker) -> dict[str, Any]:
    """A picture's line. What was done is told where all of a table is explained, if need be some pictures later."""
    match state:
        case Contradiction(hexes=hexes, rule=rule, message=message, way_back=chores):
            way_back = [chore_line(chore).text for chore in chores]
            told = {"message": message or "; ".join(way_back), "way_back": way_back}
            return {**_line(path, "contradiction", []), "rule": rule, "hexes": hexes, **told}
        case Question(candidates=candidates, hexes=hexes):
            asked = [{"actions": [*map(encode_action, c.actions)], "probability": c.probability} for c in candidates]
            return {**_line(path, "question", []), "hexes": hexes, "candidates": asked}
        case Waiting(why=why, hexes=hexes) if why != "chores":
            return {**_line(path, "waiting", []), "hexes": hexes, "why": why}
        case Waiting() | Settled():
            return _line(path, "explained", tracker.news())


def _line(path: Path, status: str, done: Sequence[Action]) -> dict[str, Any]:
    return {"picture": str(path), "status": status, "actions": [*map(encode_action, done)], "rule": None, "hexes": []}


def _read_position(path: Path) -> Position:
    try:
        return decode_position(json.loads(_read(path)))
    except (ValueError, RecursionError, RulesError) as error:
        raise TrackError(f"{path}: this is no position: {error}") from error


def _read_given(
    path: Path | None, position: Position, pictures: Sequence[Path]
) -> tuple[dict[str, Facts] | None, bool]:
    """The facts before each of these pictures, in their order, and whether nothing is wrong with any.

    Those that cannot be, or come before no picture, are told of on standard error. Nothing is wrong with those of
    pictures that lie beside these: only a part of them is followed.
    """
    if path is None:
        return None, True
    try:
        read = decode_facts(_read(path))
    except FactsError as error:
        raise TrackError(f"{path}: {error}.") from error
    given = {picture.name: read.pop(picture.name) for picture in pictures if picture.name in read}
    folders = {picture.parent for picture in pictures}
    beside = {name for name in read if any(os.path.lexists(folder / name) for folder in folders)}
    for names, why in ((read.keys() - beside, "no picture is called so"), (beside, "these pictures are not followed")):
        if names:
            text = f"{path} tells of {', '.join(sorted(names))}, and {why}: these facts are left out."
            print(f"companion track: {text}", file=sys.stderr)
    given, complaints = sift(position, given)
    for complaint in complaints:
        print(f"companion track: {path}: {complaint}. It is left out.", file=sys.stderr)
    return given, not complaints and read.keys() <= beside


def _read(path: Path) -> str:
    try:
        return read_json(path).decode()
    except OSError as error:
        raise TrackError(f"{path}: cannot be read ({error.strerror or error}); name the file that is meant.") from error
