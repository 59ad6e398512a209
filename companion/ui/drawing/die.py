"""The dice: the creature die, red as the real one, and the two blue ones of the game with dolphins (13.2)."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.drawing import svg
from companion.ui.drawing.icons import icon
from companion.viewmodel.states import UNROLLED

SHADOW = 8.0
"""Room left all round the die for its blurred shadow, in u."""


Lacquer = tuple[str, str, str]
RED: Lacquer = (t.DIE_TOP, t.DIE_BOTTOM, t.DIE_EDGE)
BLUE: Lacquer = (t.BLUE_DIE_TOP, t.BLUE_DIE_BOTTOM, t.BLUE_DIE_EDGE)


def die(size: float, face: str, turn: float = 0.0, lacquer: Lacquer = RED) -> str:
    """A die of `size` u showing `face`, turned by `turn` degrees, in a box `SHADOW` u larger all round.

    `face` is a number, `dive`, `UNROLLED` or the name of a creature's icon.
    """
    top, bottom, edge = lacquer
    radius = 8 if size < 80 else 15
    definitions = (
        '<defs><linearGradient id="face" x1="0" y1="0" x2="0.6" y2="1">'
        f'<stop offset="0" stop-color="{top}"/><stop offset="1" stop-color="{bottom}"/></linearGradient>'
        '<filter id="shadow" x="-20%" y="-20%" width="140%" height="150%"><feGaussianBlur stdDeviation="3"/></filter>'
        "</defs>"
    )
    body = svg.rect(2, 8, size - 4, size - 2, radius=radius, fill=t.INK, fill_opacity=0.3, filter="url(#shadow)")
    body += svg.rect(1, 5, size - 2, size - 1, radius=radius, fill=edge)
    body += svg.rect(0, 0, size, size, radius=radius, fill="url(#face)")
    body += _face(face, size)
    if turn:
        middle = svg.num(size / 2)
        body = svg.group(body, transform=f"rotate({svg.num(turn)} {middle} {middle})")
    return definitions + svg.at(SHADOW, SHADOW, body)


def _face(face: str, size: float) -> str:
    middle = size / 2
    if face.isdigit() or face == UNROLLED:
        return svg.figure(face, middle, middle, size * 0.62, fill=t.CARD)
    if face == "dive":
        return icon("phase_sink", middle, middle, size * 0.66, t.CARD)
    return icon(face, middle, middle, size * 0.72, t.CARD)
