"""The creature die, red as the real one."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.drawing import svg
from companion.ui.drawing.icons import icon

SHADOW = 8.0
"""Room left all round the die for its blurred shadow, in u."""


def die(size: float, face: str, turn: float = 0.0) -> str:
    """A die of `size` u with the silhouette `face`, turned by `turn` degrees, in a box `SHADOW` u larger all round."""
    radius = 8 if size < 80 else 15
    definitions = (
        '<defs><linearGradient id="face" x1="0" y1="0" x2="0.6" y2="1">'
        f'<stop offset="0" stop-color="{t.DIE_TOP}"/><stop offset="1" stop-color="{t.DIE_BOTTOM}"/></linearGradient>'
        '<filter id="shadow" x="-20%" y="-20%" width="140%" height="150%"><feGaussianBlur stdDeviation="3"/></filter>'
        "</defs>"
    )
    body = svg.rect(2, 8, size - 4, size - 2, radius=radius, fill=t.INK, fill_opacity=0.3, filter="url(#shadow)")
    body += svg.rect(1, 5, size - 2, size - 1, radius=radius, fill=t.DIE_EDGE)
    body += svg.rect(0, 0, size, size, radius=radius, fill="url(#face)")
    body += icon(face, size / 2, size / 2, size * 0.72, t.CARD)
    if turn:
        middle = svg.num(size / 2)
        body = svg.group(body, transform=f"rotate({svg.num(turn)} {middle} {middle})")
    return definitions + svg.at(SHADOW, SHADOW, body)
