"""The keyboard for names, in two scripts: Latin with the Swedish letters, Cyrillic with the Ukrainian ones."""

from __future__ import annotations

from typing import Literal

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, Part, Picture, Span
from companion.ui.screens.buttons import button
from companion.ui.screens.kit import Page
from companion.viewmodel.states import Button

Script = Literal["latin", "cyrillic"]

ROWS: dict[Script, tuple[str, ...]] = {
    "latin": ("qwertyuiopå", "asdfghjklöä", "zxcvbnm'é"),
    "cyrillic": ("йцукенгшщзхъ", "фывапролджэё", "ячсмитьбюіїє"),
}
EXTRA: dict[Script, str] = {"latin": "-", "cyrillic": "ґ"}
"""A letter beside the space bar, where the rows have no room for it."""
OTHER: dict[Script, tuple[Script, str]] = {"latin": ("cyrillic", "АБВ"), "cyrillic": ("latin", "ABC")}

_KEY = 58.0
_GAP = 4.0
_STRIP = 62.0


def keyboard_top(page: Page) -> float:
    """The upper edge of the keyboard in u."""
    return page.height - 4 * (_KEY + 2 * _GAP) - _STRIP - 6


def keyboard(page: Page, text: str, script: Script, *, capitals: bool) -> list[Part]:
    """The text as it is so far, the letters, and the keys that end and mend."""
    top = keyboard_top(page)
    ground = Box(0, top, page.width, page.height - top)
    card = Picture(ground, surfaces.plain(ground.w, ground.h, t.WELL, radius=0))
    rule = Picture(Box(0, top, page.width, 2), surfaces.rule(page.width, t.INK))
    so_far = Box(t.EDGE, top + 8, page.width - 2 * t.EDGE, _STRIP - 12)
    field = Picture(so_far, surfaces.card(so_far.w, so_far.h, line=t.SEA_INK, width=3))
    words = page.type.fit(Span(text + "|"), "phase", so_far.inset(16, 2), valign="middle", lines=1)
    parts: list[Part] = [Art("keyboard", (card, rule, field, words))]
    y = top + _STRIP
    for letters in ROWS[script]:
        shown = [letter.upper() if capitals else letter for letter in letters]
        parts += _row(page, [Button(id=f"letter:{letter}", text=letter) for letter in shown], y)
        y += _KEY + 2 * _GAP
    extra = EXTRA[script].upper() if capitals else EXTRA[script]
    last = [
        Button(id="shift", text="Aa"),
        Button(id="script", text=OTHER[script][1]),
        Button(id=f"letter:{extra}", text=extra),
        Button(id="letter: ", text=" "),
        Button(id="erase", text="", icon="back"),
        Button(id="done", text="", icon="check", kind="primary"),
    ]
    parts += _row(page, last, y, widths=(1.5, 1.5, 1, 4, 1.5, 2))
    return parts


def _row(page: Page, keys: list[Button], y: float, widths: tuple[float, ...] = ()) -> list[Part]:
    """Keys across the page, as wide in proportion as `widths` says, else all alike with twelve to a row."""
    shares = widths or (1.0,) * len(keys)
    whole = sum(shares) if widths else 12.0
    unit = (page.width - 2 * _GAP) / whole
    x = (page.width - unit * sum(shares)) / 2
    parts: list[Part] = []
    for key, share in zip(keys, shares, strict=True):
        w = unit * share
        parts.append(button(page, Box(x + _GAP / 2, y, w - _GAP, _KEY), key))
        x += w
    return parts
