"""How pictures are read that something has come over since the table was calibrated.

`./deploy/bench changes [--set DIR]`. In: sessions with the truth beside them, the recognition set's or, of a folder of
rendered ones, those that nothing is learnt from. Out: of the hexes in pictures without a hand, as they are and with
each of `training.changes` over them, how many are claimed wrongly, how many of these surely, and how many are not
claimed at all. Nothing depends on chance. The board is looked for in the pictures as they are: whether it is found, and
sharp enough, in a changed one is not measured here.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.vision.sets import Frame, Session, SetError, read_kept_out, read_sessions, shared_folder
from calibration import Calibration, CalibrationError, calibrate_session
from calibration.arrays import Image
from calibration.pictures import read_picture
from companion.rules.geometry import load_board
from companion.rules.layout import EMPTY
from companion.vision.recogniser import Recogniser
from training.changes import CHANGES, Seen

SURE = 0.9
"""A claim is sure from this probability on."""


@dataclasses.dataclass
class Tally:
    """Of hexes with something on them, or claimed to have: `there`; `wrong` ones, those that are `sure`; `unknown`."""

    pictures: int = 0
    there: int = 0
    wrong: int = 0
    sure: int = 0
    unknown: int = 0


def main(arguments: Sequence[str] = ()) -> None:
    """Print the table. Exits with a sentence if a set cannot be read."""
    parser = argparse.ArgumentParser(prog="./deploy/bench changes", description=__doc__.splitlines()[0])
    parser.add_argument("--set", type=Path, help="a folder of rendered sessions instead of the recognition set")
    args = parser.parse_args(arguments)
    shared = shared_folder()
    try:
        if args.set:
            sessions = read_kept_out(args.set)
        elif shared:
            sessions = read_sessions(shared / "dev")
        else:
            print("  skipped: the recognition set is not beside the checkout (ATLANTIS_SHARED names another place).")
            return
    except SetError as error:
        sys.exit(str(error))
    if not sessions:
        print(f"  {args.set or shared}: there are no sessions here that nothing is learnt from.")
        return
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for session in sessions:
        try:
            calibration = calibrate_session(session.folder)
        except CalibrationError as error:
            print(f"  {session.name}: {error}")
            continue
        _read(session, calibration, tallies)
    print(f"  {'':<12}{'pictures':>9}{'busy':>10}{'wrong':>7}{'surely':>8}{'unknown':>9}")
    for name, t in tallies.items():
        print(f"  {name:<12}{t.pictures:>9}{t.there:>10}{t.wrong:>7}{t.sure:>8}{t.unknown:>9}")


def _read(session: Session, calibration: Calibration, tallies: defaultdict[str, Tally]) -> None:
    """Add up what is claimed in a session's pictures."""
    recogniser = Recogniser(calibration, load_board(), patience=0)
    for frame in session.frames:
        if frame.hand:
            continue
        found = recogniser.find(read_picture(frame.picture))
        for name, view in _pictures(frame, found.view, calibration):
            observation = recogniser.read(dataclasses.replace(found, view=view))
            tally = tallies[name]
            tally.pictures += 1
            for evidence in observation.hexes:
                truth = frame.truth.hexes.get(evidence.hex, EMPTY)
                if not evidence.hypotheses:
                    tally.unknown += truth != EMPTY
                    tally.there += truth != EMPTY
                    continue
                claimed = evidence.hypotheses[0]
                tally.there += truth != EMPTY or claimed.content != EMPTY
                tally.wrong += truth != claimed.content
                tally.sure += truth != claimed.content and claimed.probability >= SURE


def _pictures(frame: Frame, view: Image, calibration: Calibration) -> Iterator[tuple[str, Image]]:
    """The picture in the view as it is, then with each change over it."""
    yield "as it is", view
    pieces = tuple(json.loads(frame.truth_file.read_text()).get("pieces", ()))  # rendered ones tell where they stand
    seen = Seen(view, calibration.view, calibration.camera.eye, pieces)
    for change, _ in CHANGES:
        yield change.__name__, change(seen, np.random.default_rng([*frame.session.encode(), *frame.name.encode()]))
