"""Accuracy a session and time a step over the recognition set that lies beside the checkout.

`python -m bench.vision`; the set is looked for in `../shared/vision` or, if ATLANTIS_SHARED is set, in its `vision`.
The sessions the recogniser was developed on are told apart from those that only served to choose a few thresholds; on
a table that has never been seen it does no better than on the latter.
"""

from __future__ import annotations

import importlib.util
import json
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from calibration import calibrate_session
from calibration.pictures import read_picture
from companion.rules.geometry import load_board
from companion.rules.layout import encode_layout
from companion.vision.recogniser import Recogniser

DEVELOPED_ON = ("dev01", "dev02", "dev03")
CHECKED_ON = ("dev04", "dev05")

ROWS = (
    ("terrain", "terrain"),
    ("explorers", "explorers_count_and_colour"),
    ("boats", "boats_presence"),
    ("passengers", "boats_passengers"),
    ("creatures", "creatures"),
    ("safe lands", "safe_lands"),
    ("hex exact", "hex_exact_all"),
)


def shared_folder() -> Path | None:
    """The recognition set's folder, None if it is not there."""
    root = Path(os.environ.get("ATLANTIS_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    folder = root / "vision"
    return folder if (folder / "dev").is_dir() and (folder / "score.py").is_file() else None


def recognise_all(sessions: Sequence[str], out: Path) -> dict[str, dict[str, float]]:
    """Write a layout for every frame to `out/<session>`; the mean seconds by step of each session."""
    folder = shared_folder()
    assert folder is not None
    means: dict[str, dict[str, float]] = {}
    for session in sessions:
        started = time.perf_counter()
        recogniser = Recogniser(calibrate_session(folder / "dev" / session), load_board())
        steps: dict[str, list[float]] = defaultdict(list)
        steps["calibration, once"].append(time.perf_counter() - started)
        (out / session).mkdir(parents=True, exist_ok=True)
        for path in sorted((folder / "dev" / session).glob("f[0-9]*.jpg")):
            started = time.perf_counter()
            image = read_picture(path)
            steps["reading the file"].append(time.perf_counter() - started)
            layout = recogniser.observe(image).layout()
            assert recogniser.trace is not None
            for step, seconds in recogniser.trace.seconds.items():
                steps[step].append(seconds)
            (out / session / f"{path.stem}.json").write_text(json.dumps(encode_layout(layout)))
        means[session] = {step: float(np.mean(seconds)) for step, seconds in steps.items()}
    return means


def score(sessions: Sequence[str], out: Path) -> dict[str, Any]:
    """The set's own scoring, over those sessions together."""
    folder = shared_folder()
    assert folder is not None
    scorer = _scorer(folder / "score.py")
    sums = dict.fromkeys(scorer.FIELDS, 0)
    for session in sessions:
        for truth in sorted((folder / "dev" / session).glob("f[0-9]*.json")):
            scorer.score_frame(truth, out / session / truth.name, sums, [])
    return dict(scorer.summary(sums))


def _scorer(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("vision_score", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _line(name: str, figures: Mapping[str, Any]) -> str:
    cells = (("-" if figures[key] is None else f"{100 * figures[key]:.1f}") for _, key in ROWS)
    return f"{name:<22}" + "".join(f"{cell:>12}" for cell in cells)


def main() -> None:
    """Print the figures."""
    if shared_folder() is None:
        print("The recognition set is not there (../shared/vision, or set ATLANTIS_SHARED): nothing measured.")
        return
    with tempfile.TemporaryDirectory() as name:
        out = Path(name)
        seconds = recognise_all((*DEVELOPED_ON, *CHECKED_ON), out)
        print(f"{'% right, hand-free':<22}" + "".join(f"{label:>12}" for label, _ in ROWS))
        for session in (*DEVELOPED_ON, *CHECKED_ON):
            print(_line(session, score((session,), out)))
        print(_line("developed on", score(DEVELOPED_ON, out)))
        print(_line("checked on", score(CHECKED_ON, out)))
    print("\nmilliseconds a picture, mean")
    for step in next(iter(seconds.values())):
        print(f"{step:<22}{1000 * np.mean([s[step] for s in seconds.values()]):>8.0f}")


if __name__ == "__main__":
    main()
