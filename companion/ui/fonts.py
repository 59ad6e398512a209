"""The two type families, Vollkorn and Lato, from Debian's packages `fonts-vollkorn` and `fonts-lato`.

When a file is missing, Kivy's bundled face stands in and a sentence on stderr names the package to install.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from pathlib import Path
from typing import NamedTuple

from companion.ui.tokens import Face

_TRUETYPE = Path("/usr/share/fonts/truetype")


class _Source(NamedTuple):
    package: str
    file: Path
    bold: Path | None
    fallback: str


_SOURCES: dict[Face, _Source] = {
    "Vollkorn": _Source("fonts-vollkorn", _TRUETYPE / "vollkorn/Vollkorn-SemiBold.ttf", None, "Roboto-Bold.ttf"),
    "VollkornItalic": _Source("fonts-vollkorn", _TRUETYPE / "vollkorn/Vollkorn-Italic.ttf", None, "Roboto-Italic.ttf"),
    "Lato": _Source(
        "fonts-lato", _TRUETYPE / "lato/Lato-Regular.ttf", _TRUETYPE / "lato/Lato-Bold.ttf", "Roboto-Regular.ttf"
    ),
    "LatoBold": _Source("fonts-lato", _TRUETYPE / "lato/Lato-Bold.ttf", None, "Roboto-Bold.ttf"),
    "LatoBlack": _Source("fonts-lato", _TRUETYPE / "lato/Lato-Black.ttf", None, "Roboto-Bold.ttf"),
}


def font_file(face: Face) -> Path:
    """The file of a face; Kivy's own where the package is missing. Does not import Kivy."""
    source = _SOURCES[face]
    return source.file if source.file.is_file() else _bundled() / source.fallback


@functools.cache
def register() -> dict[Face, Path]:
    """Tell Kivy of the faces; returns the file each was found in (Kivy's own where the package is missing)."""
    from kivy.core.text import LabelBase

    bundled = _bundled()
    found: dict[Face, Path] = {}
    missing: set[str] = set()
    for face, source in _SOURCES.items():
        if not source.file.is_file():
            missing.add(source.package)
        found[face] = font_file(face)
        bold = str(source.bold if source.bold.is_file() else bundled / "Roboto-Bold.ttf") if source.bold else None
        LabelBase.register(face, str(found[face]), fn_bold=bold)
    for package in sorted(missing):
        print(
            f"The type face of the package {package} is not installed; the screens use another one. "
            f"Install it with: sudo apt install {package}",
            file=sys.stderr,
        )
    return found


def _bundled() -> Path:
    """The folder of the faces that Kivy brings along."""
    kivy = importlib.util.find_spec("kivy")
    assert kivy is not None
    assert kivy.origin is not None
    return Path(kivy.origin).parent / "data" / "fonts"
