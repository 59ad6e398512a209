"""What a widget looks like now, as pixels."""

from __future__ import annotations

import io
from typing import Any

from kivy.graphics import ClearBuffers, ClearColor, Fbo, Translate
from kivy.utils import get_color_from_hex

from companion.ui.tokens import PAPER


def png(widget: Any) -> bytes:
    """A widget that is in no window, on paper, as a PNG file."""
    fbo = Fbo(size=(round(widget.width), round(widget.height)), with_stencilbuffer=True)
    with fbo:
        ClearColor(*get_color_from_hex(PAPER))
        ClearBuffers()
        Translate(-widget.x, -widget.y, 0)
    fbo.add(widget.canvas)
    fbo.draw()
    file = io.BytesIO()
    fbo.texture.save(file, flipped=True, fmt="png")
    fbo.remove(widget.canvas)
    return file.getvalue()
