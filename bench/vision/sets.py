"""Sessions of pictures with the truth beside them, in the recognition set's form, and their conditions.

In: a folder of sessions. Out: `Session`s with `Frame`s, each frame with its conditions in words.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from bench.shared import shared
from companion.rules.geometry import load_board
from companion.rules.layout import Layout, LayoutError, decode_layout
from companion.vision.box import beyond_box, things
from training.dataset import is_kept_out

ROOT = Path(__file__).resolve().parents[2]

_DIM, _BRIGHT = 90, 110
_SLANTED = 20
_GREYISH, _FAINT = 6, 2
_HUES = (("brown", 120), ("green", 185), ("turquoise", 235), ("blue", 290), ("violet", 361))
"""Up to which angle of Lab's a and b (degrees) a colour has that name."""
_QUARTERS = ("upright", "turned a quarter clockwise", "upside down", "turned a quarter anticlockwise")


class SetError(Exception):
    """A file of the set cannot be read; the text names it and says why."""


class Frame(msgspec.Struct, frozen=True):
    """A picture and its truth; `conditions` by kind of condition."""

    session: str
    name: str
    picture: Path
    truth_file: Path
    truth: Layout
    hand: bool
    conditions: dict[str, str]


class Session(msgspec.Struct, frozen=True):
    """One table; `words` describe it."""

    name: str
    folder: Path
    words: str
    frames: list[Frame]


def shared_folder() -> Path | None:
    """The recognition set's folder, with `dev` and `score.py`; None if it is not there."""
    folder = shared() / "vision"
    return folder if (folder / "dev").is_dir() and (folder / "score.py").is_file() else None


def read_sessions(folder: Path) -> list[Session]:
    """All sessions of a folder that have frames. Raises SetError."""
    sessions = []
    for info in sorted(folder.glob("*/session.json")):
        about = _object(info)
        truths = sorted(p for p in info.parent.glob("f*.json") if re.fullmatch(r"f\d+", p.stem))
        frames = [_frame(path) for path in truths]
        if frames:
            sessions.append(Session(info.parent.name, info.parent, str(about.get("condition", "")), frames))
    return sessions


def read_kept_out(folder: Path) -> list[Session]:
    """Of a folder of rendered tables those that nothing is learnt from, without the boards packed beyond a box.

    Raises SetError.
    """
    kept = []
    for session in read_sessions(folder):
        if is_kept_out(session.name):
            laid = [things(frame.truth.hexes.values(), frame.truth.safe.values()) for frame in session.frames]
            played = [frame for frame, there in zip(session.frames, laid, strict=True) if not beyond_box(there)]
            if played:
                kept.append(msgspec.structs.replace(session, frames=played))
    return kept


def pose_conditions(view_degrees: float, tilt_degrees: float, turn_degrees: float) -> dict[str, str]:
    """The conditions that the calibration tells: the picture's width, the camera's tilt, how the board lies in it.

    `turn_degrees`: of the board's east in the picture, clockwise from the picture's right.
    """
    quarter = round(turn_degrees / 90)
    slanted = abs(turn_degrees - 90 * quarter) > _SLANTED
    return {
        "lens": f"lens {_range(view_degrees, (75, 90))} degrees",
        "tilt": f"tilt {_range(tilt_degrees, (10, 20, 30))} degrees",
        "turn": "slanted" if slanted else _QUARTERS[quarter % 4],
    }


def print_conditions(sea: Sequence[float], lines: float) -> dict[str, str]:
    """The style of the print: the sea's colour (L, a, b), and by how much lighter (L of Lab) its lines are."""
    _, a, b = sea
    hue = math.degrees(math.atan2(b, a)) % 360
    colour = "grey" if math.hypot(a, b) < _GREYISH else next(name for name, end in _HUES if hue < end)
    ink = "light" if lines > _FAINT else "dark" if lines < -_FAINT else "faint"
    return {"sea": f"{colour} sea", "lines": f"{ink} lines"}


def _range(value: float, edges: Sequence[int]) -> str:
    """Between which edges a value lies: `up to 10`, `10 to 20`, `over 20`."""
    above = next((i for i, edge in enumerate(edges) if value < edge), len(edges))
    if above == 0:
        return f"up to {edges[0]}"
    return f"{edges[above - 1]} to {edges[above]}" if above < len(edges) else f"over {edges[-1]}"


def light_conditions(words: str) -> dict[str, str]:
    """The conditions in a frame's words about its light."""
    found = re.search(r"(\d+) ?%", words)
    level = int(found[1]) if found else 100
    tint = next((t for t in ("warmer", "cooler", "neutral") if t in words), None)
    return {
        "light": "dimmer" if level < _DIM else "brighter" if level > _BRIGHT else "as strong as calibrated",
        "shadow": "a person's shadow" if "shadow" in words else "no shadow",
        **({"tint": tint} if tint else {}),
    }


def _object(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError, RecursionError) as error:
        raise SetError(f"{path}: this file cannot be read ({error}).") from error
    if not isinstance(data, dict):
        raise SetError(f"{path}: this file holds no JSON object.")
    return data


def _frame(path: Path) -> Frame:
    data = _object(path)
    try:
        truth = decode_layout({key: data[key] for key in ("hexes", "safe") if key in data}, load_board())
    except LayoutError as error:
        raise SetError(f"{path}: {error}.") from error
    condition = data.get("condition") or {}
    hand = bool(condition.get("hand"))
    conditions = {
        **light_conditions(str(condition.get("light", ""))),
        "crowding": _crowding(truth),
        "hand": "a hand over the board" if hand else "no hand",
    }
    return Frame(path.parent.name, path.stem, path.with_suffix(".jpg"), path, truth, hand, conditions)


def _crowding(truth: Layout) -> str:
    """By the fullest hex of the board; a boat counts as its crew does, one each."""
    pieces = [
        sum(c.explorers.values())
        + (0 if c.boat is None else 1 + sum(c.boat.values()))
        + c.serpents
        + c.sharks
        + c.whales
        for c in truth.hexes.values()
    ]
    most = max(pieces, default=0)
    return f"fullest hex: {'1 or 2 pieces' if most <= 2 else '3 pieces' if most == 3 else '4 pieces or more'}"
