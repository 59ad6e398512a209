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
UPRIGHT: dict[Script, tuple[str, ...]] = {
    "latin": ("abcdefg", "hijklmn", "opqrstu", "vwxyzåä", "öé'-"),
    "cyrillic": ("абвгґдеё", "єжзиіїйк", "лмнопрст", "уфхцчшщъ", "ыьэюя"),
}
"""A narrow screen has no room for the rows of a typewriter: the letters stand in the order of the alphabet."""
OTHER: dict[Script, tuple[Script, str]] = {"latin": ("cyrillic", "АБВ"), "cyrillic": ("latin", "ABC")}

_KEY = 58.0
_GAP = 4.0
_STRIP = 62.0


def keyboard_top(page: Page) -> float:
    """The upper edge of the keyboard in u."""
    rows = len(UPRIGHT["latin"] if page.upright else ROWS["latin"]) + 1
    return page.height - rows * (_KEY + 2 * _GAP) - _STRIP - 6


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
    rows, most = (UPRIGHT[script], len(UPRIGHT[script][0])) if page.upright else (ROWS[script], 12)
    for letters in rows:
        parts += _row(page, [_letter(letter, capitals) for letter in letters], y, (1.0,) * len(letters), most)
        y += _KEY + 2 * _GAP
    keys = [
        (Button(id="shift", text="Aa"), 1.5),
        (Button(id="script", text=OTHER[script][1]), 1.5),
        *([] if page.upright else [(_letter(EXTRA[script], capitals), 1.0)]),
        (Button(id="letter: ", text=" "), 3.0 if page.upright else 4.0),
        (Button(id="erase", text="", icon="back"), 1.5),
        (Button(id="done", text="", icon="check", kind="primary"), 2.0),
    ]
    widths = tuple(width for _, width in keys)
    return parts + _row(page, [key for key, _ in keys], y, widths, sum(widths))


def _letter(letter: str, capitals: bool) -> Button:
    shown = letter.upper() if capitals else letter
    return Button(id=f"letter:{shown}", text=shown)


def _row(page: Page, keys: list[Button], y: float, shares: tuple[float, ...], whole: float) -> list[Part]:
    """Keys in the middle of the page, as wide in proportion as `shares` says; `whole` of these fill it."""
    unit = (page.width - 2 * _GAP) / whole
    x = (page.width - unit * sum(shares)) / 2
    parts: list[Part] = []
    for key, share in zip(keys, shares, strict=True):
        w = unit * share
        parts.append(button(page, Box(x + _GAP / 2, y, w - _GAP, _KEY), key))
        x += w
    return parts
