"""From SVG to textures: every drawing of the screens goes through here once for each size it is shown at.

Drawing in SVG and not in Kivy's own instructions gives true antialiasing on every GPU, and a scene of a few hundred
textured rectangles that even a small computer composes 60 times a second.
"""

from __future__ import annotations

import functools
import io
from typing import Any

import resvg_py
from kivy.core.image import Image as CoreImage

from companion.ui import fonts


def render_png(body: str, size: tuple[float, float], scale: float) -> bytes:
    """Draw an SVG fragment in user units (y down, origin top left) of `size` units at `scale` px a unit, as a PNG.

    The picture is rounded up to whole pixels, so that its origin falls on a pixel's corner.
    """
    width, height = pixels(size, scale)
    document = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width / scale:.4f} {height / scale:.4f}">{body}</svg>'
    )
    with_text = "<text" in body
    return resvg_py.svg_to_bytes(
        svg_string=document,
        skip_system_fonts=True,
        font_files=[str(path) for path in fonts.register().values()] if with_text else None,
        sans_serif_family=_family() if with_text else None,
    )


def pixels(size: tuple[float, float], scale: float) -> tuple[int, int]:
    """Whole pixels of a picture of `size` u at `scale` px a u."""
    return max(1, round(size[0] * scale + 0.49)), max(1, round(size[1] * scale + 0.49))


@functools.lru_cache(maxsize=2048)
def texture(body: str, size: tuple[float, float], scale: float) -> Any:
    """The fragment of `render_png` as a Kivy texture, kept for the next time it is asked for."""
    return _loaded(render_png(body, size, scale))


@functools.lru_cache(maxsize=12)
def large_texture(body: str, size: tuple[float, float], scale: float) -> Any:
    """As `texture`, for pictures of the whole board: only the last few are kept."""
    return _loaded(render_png(body, size, scale))


def _loaded(png: bytes) -> Any:
    """Shown pixel for pixel, so the nearest is the right one, and in software a sixth of a frame cheaper."""
    loaded = CoreImage(io.BytesIO(png), ext="png").texture
    loaded.min_filter = loaded.mag_filter = "nearest"
    return loaded


@functools.cache
def _family() -> str:
    return "Lato" if "lato" in str(fonts.register()["LatoBlack"]).lower() else "Roboto"
