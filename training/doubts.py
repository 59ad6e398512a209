"""Where creatures are in doubt at prepared sessions: a file beside each, so that the networks of hexes are asked once.

In: what `training.find_doubts` finds. Out: the same to those who learn from it. Nothing here knows a network.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.swatch import CREATURES
from companion.vision.questions import EXAMPLES, QUESTIONS
from training.dataset import Prepared, load_prepared

SUFFIX = ".doubts"

_QUESTION = next(q for q in QUESTIONS if q.name == "creatures")
_CREATURES = {EXAMPLES.index(creature) for creature in CREATURES}


class Doubts(NamedTuple):
    """A session's hexes in sight on which creatures are or may be: `picture` and `hex` (Q each), how many of each
    creature are `wanted` (Q x creatures), and what the networks of hexes say of each number (`said`, Q x creatures x
    numbers, the mean of the logarithms of the probabilities, without their temperatures). `pieces`: how many stand
    there in all (Q)."""

    picture: NDArray[np.int64]
    hex: NDArray[np.int64]
    pieces: NDArray[np.int64]
    wanted: NDArray[np.int64]
    said: NDArray[np.float32]

    def of_pictures(self, numbers: NDArray[np.int64]) -> Doubts:
        """Those in pictures of these numbers, which are counted from 0 then, as `dataset.as_played` does."""
        kept = np.isin(self.picture, numbers)
        picture = np.searchsorted(numbers, self.picture[kept])
        return Doubts(picture, self.hex[kept], self.pieces[kept], self.wanted[kept], self.said[kept])


NO_DOUBTS = Doubts(
    np.zeros(0, np.int64),
    np.zeros(0, np.int64),
    np.zeros(0, np.int64),
    np.zeros((0, _QUESTION.count), np.int64),
    np.zeros((0, _QUESTION.count, _QUESTION.values), np.float32),
)


def write_doubts(prepared: Iterable[Path], networks: str, find: Callable[[Prepared], Doubts]) -> None:
    """Of each session (its .npz) whose swatch picture shows all creatures write what these `networks` doubt, which
    `find` asks, unless that was written since it was prepared."""
    for path in prepared:
        session, file, contents = load_prepared(path), path.with_suffix(SUFFIX), _contents(path)
        if set(session.examples) >= _CREATURES and not (file.is_file() and _asked(file) == (networks, contents)):
            found = find(session)
            part = path.with_suffix(f"{SUFFIX}.part")
            with part.open("wb") as into:
                np.savez(into, networks=networks, contents=contents, **found._asdict())
            part.replace(file)
            print(f"{session.name}: {len(found.hex)} hexes", flush=True)


def load_doubts(folder: Path, sessions: Sequence[Prepared]) -> list[tuple[Prepared, Doubts]]:
    """Of sessions prepared in that folder those with hexes in doubt.

    Raises ValueError if one was not looked at since it was prepared, or if other networks looked at some.
    """
    loaded, networks = [], set()
    for session in sessions:
        if set(session.examples) >= _CREATURES:
            file = folder / f"{session.name}{SUFFIX}"
            if not file.is_file():
                raise ValueError(f"{file} is not there: run training.find_doubts on its folder first.")
            of_networks, contents = _asked(file)
            if contents != _contents(file.with_suffix(".npz")):
                raise ValueError(f"{file} is older than its session: run training.find_doubts again.")
            networks.add(of_networks)
            with np.load(file) as data:
                found = Doubts(*(data[name] for name in Doubts._fields)).of_pictures(session.numbers)
            if len(found.hex):
                loaded.append((session, found))
    if len(networks) > 1:
        raise ValueError(f"{folder}: not all were looked at by the same networks: run training.find_doubts again.")
    return loaded


def _asked(file: Path) -> tuple[str, str]:
    """Which networks were asked, and about which contents; none if an earlier version wrote the file."""
    with np.load(file) as data:
        return str(data["networks"]), str(data.get("contents"))


def _contents(prepared: Path) -> str:
    """What tells a prepared session (its .npz) from any other: the checksums of all in it, its planes' among them."""
    with zipfile.ZipFile(prepared) as archive:
        return ",".join(f"{item.filename}:{item.CRC:08x}" for item in archive.infolist())
