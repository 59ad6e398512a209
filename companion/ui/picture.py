"""What a widget looks like now, as pixels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.graphics import ClearBuffers, ClearColor, Fbo, Translate


def save(widget: Any, path: Path | str) -> None:
    """Draw a widget that is in no window into a PNG file."""
    fbo = Fbo(size=(round(widget.width), round(widget.height)), with_stencilbuffer=True)
    with fbo:
        ClearColor(0, 0, 0, 1)
        ClearBuffers()
        Translate(-widget.x, -widget.y, 0)
    fbo.add(widget.canvas)
    fbo.draw()
    fbo.texture.save(str(path), flipped=True)
    fbo.remove(widget.canvas)
