"""The two type families, Vollkorn and Lato, from Debian's packages `fonts-vollkorn` and `fonts-lato`.

When a file is missing, Kivy's bundled face stands in and a sentence on stderr names the package to install.
"""

from __future__ import annotations

import functools
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


@functools.cache
def register() -> dict[Face, Path]:
    """Tell Kivy of the faces; returns the file each was found in (Kivy's own where the package is missing)."""
    from kivy import kivy_data_dir
    from kivy.core.text import LabelBase

    bundled = Path(kivy_data_dir) / "fonts"
    found: dict[Face, Path] = {}
    missing: set[str] = set()
    for face, source in _SOURCES.items():
        there = source.file.is_file()
        if not there:
            missing.add(source.package)
        found[face] = source.file if there else bundled / source.fallback
        bold = str(source.bold if source.bold.is_file() else bundled / "Roboto-Bold.ttf") if source.bold else None
        LabelBase.register(face, str(found[face]), fn_bold=bold)
    for package in sorted(missing):
        print(
            f"The type face of the package {package} is not installed; the screens use another one. "
            f"Install it with: sudo apt install {package}",
            file=sys.stderr,
        )
    return found
