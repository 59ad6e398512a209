"""Setting text: how large a run of text becomes, and at which of its style's sizes it fits.

All sizes are in u; measuring is done at the scale the text is shown at, because hinting makes widths depend on it.
"""

from __future__ import annotations

import functools
import re
from typing import Any, Literal

from kivy.core.text import Label as CoreLabel
from kivy.core.text.markup import MarkupLabel
from kivy.utils import escape_markup

from companion.ui import fonts
from companion.ui.box import Box
from companion.ui.parts import Span, Words
from companion.ui.tokens import STYLES

# How much lower (em) each face must lie for its letters, not its line, to be in the middle.
_NUDGE = {"Vollkorn": 0.06, "VollkornItalic": 0.06, "Lato": 0.05, "LatoBold": 0.03, "LatoBlack": 0.03}

_TIED = re.compile(r"(?<=[^\s,;:.]) (?=(?:[A-M]?\d{1,2})\b)|(?<=\b[\dA-F]{4}) (?=[\dA-F]{4}\b)")
"""The space between a word and the hex or the number after it: no line begins with those alone; and that within a
fingerprint, which people compare as one thing.
"""

_TIE = "\u00a0"

Halign = Literal["left", "center", "right"]
Valign = Literal["top", "middle", "bottom"]


class Typesetter:
    """Measures and fits text at one scale (px a u)."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def height(self, spans: tuple[Span, ...], style: str, width: float, size: float | None = None) -> float:
        """How high the text becomes in u when it is wrapped to `width` u."""
        return measure(_runs(spans), style, size or STYLES[style].sizes[0], width, self.scale)[1]

    def width(self, spans: tuple[Span, ...], style: str, size: float | None = None) -> float:
        """How wide the text is on one line, in u."""
        return measure(_runs(spans), style, size or STYLES[style].sizes[0], None, self.scale)[0]

    def fit(
        self, spans: tuple[Span, ...] | Span | str, style: str, box: Box, *,
        halign: Halign = "left", valign: Valign = "top", lines: int | None = None,
    ) -> Words:  # fmt: skip
        """The text at the largest size of its style that fits the box, in at most `lines` lines.

        If none does, a word that is longer than a line (a file's whole name) is cut in its middle, and then words are
        left out from the end; a mark says so.
        """
        runs = _runs(spans)
        sizes = STYLES[style].sizes
        for size in sizes:
            if self._fits(runs, style, size, box, lines):
                return Words(box, runs, style, size, halign, valign)
        shorter = self._shortened(runs, style, sizes[-1], box, lines)
        return Words(box, shorter, style, sizes[-1], halign, valign)

    def flow(
        self, spans: tuple[Span, ...] | Span | str, style: str, x: float, y: float, width: float, *,
        halign: Halign = "left", room: float | None = None,
    ) -> Words:  # fmt: skip
        """The text from (x, y) down, as high as it needs to be, at most `room` u."""
        runs = _runs(spans)
        sizes = STYLES[style].sizes
        if room is not None:
            words = self.fit(runs, style, Box(x, y, width, room), halign=halign)
            height = self.height(words.spans, style, width, words.size)
            return Words(Box(x, y, width, min(height, room)), words.spans, style, words.size, halign)
        size = next((s for s in sizes if self._longest_word_fits(runs, style, s, width)), sizes[-1])
        return Words(Box(x, y, width, self.height(runs, style, width, size)), runs, style, size, halign)

    def _fits(self, runs: tuple[Span, ...], style: str, size: float, box: Box, lines: int | None) -> bool:
        if not self._longest_word_fits(runs, style, size, box.w):
            return False
        height = measure(runs, style, size, box.w, self.scale)[1]
        most = line_height(style, size) * lines + 0.5 if lines else box.h
        return height <= min(box.h, most) + 0.5

    def _longest_word_fits(self, runs: tuple[Span, ...], style: str, size: float, width: float) -> bool:
        words = {word for run in runs for word in run.text.split(" ")}
        bold = any(run.bold for run in runs)
        return all(measure((Span(word, bold=bold),), style, size, None, self.scale)[0] <= width + 0.5 for word in words)

    def _shortened(
        self, runs: tuple[Span, ...], style: str, size: float, box: Box, lines: int | None
    ) -> tuple[Span, ...]:
        first = runs[0]
        narrow = []
        for run in runs:
            words = (self._narrowed(word, run.bold, style, size, box.w) for word in run.text.split(" "))
            narrow.append(run._replace(text=" ".join(words)))
        if self._fits(tuple(narrow), style, size, box, lines):
            return tuple(narrow)
        left = narrow
        while left:
            head, _, _ = left[-1].text.rstrip().rpartition(" ")
            if head:
                left[-1] = left[-1]._replace(text=head)
                shown = (*left[:-1], left[-1]._replace(text=head.rstrip(",;:. ") + "…"))
                if self._fits(shown, style, size, box, lines):
                    return shown
            else:
                left.pop()
        return (first._replace(text="…"),)

    def _narrowed(self, word: str, bold: bool, style: str, size: float, width: float) -> str:
        """The word, or as much of its two ends as goes into the width."""
        ends = (word[: (keep + 1) // 2] + "…" + word[len(word) - keep // 2 :] for keep in range(len(word) - 1, 2, -1))
        for cut in (word, *ends):
            if self._longest_word_fits((Span(cut, bold=bold),), style, size, width):
                return cut
        return word[:1] + "…"


def whole(words: Words, text: str) -> bool:
    """True if the words are the text, with nothing left out."""
    return "".join(run.text for run in words.spans).replace(_TIE, " ") == text


def line_height(style: str, size: float) -> float:
    """The height of a line at `size`, in the proportion of the style's table."""
    return STYLES[style].line * size / STYLES[style].sizes[0]


@functools.lru_cache(maxsize=4096)
def measure(spans: tuple[Span, ...], style: str, size: float, width: float | None, scale: float) -> tuple[float, float]:
    """Width and height in u of the text, wrapped to `width` u if that is given."""
    if not any(run.text for run in spans):
        return 0.0, 0.0
    wrapped = Words(Box(0, 0, width or 0, 0), spans, style, size)
    w, h = _label(wrapped, scale, wrap=width is not None).render()
    return w / scale, _count_lines(h, style, size, scale) * line_height(style, size)


@functools.lru_cache(maxsize=512)
def texture(words: Words, scale: float) -> Any:
    """The text as a Kivy texture, wrapped to its box's width, at `scale` px a u; None for no text."""
    if not any(run.text for run in words.spans):
        return None
    label = _label(words, scale)
    label.refresh()
    return label.texture


def lead(words: Words, pixel_height: int, scale: float) -> float:
    """How far a text's glyphs must be lowered (px, may be negative) to lie in the middle of their lines.

    A texture `pixel_height` high that is higher than its line has accents on capitals, which must not push it down.
    """
    style, size = words.style, words.size
    line = line_height(style, size) * scale
    natural = _natural_line(STYLES[style].face, round(size * scale))
    one_line = _count_lines(pixel_height, style, size, scale) == 1
    over = max(0.0, pixel_height - line) if one_line and natural <= line else 0.0
    return (line - natural) / 2 + _NUDGE[STYLES[style].face] * size * scale - over


def _count_lines(pixel_height: float, style: str, size: float, scale: float) -> int:
    """Lines of a rendered text. Kivy gives the last line its natural height if that is more than the line height."""
    line = line_height(style, size) * scale
    natural = _natural_line(STYLES[style].face, round(size * scale))
    return max(1, round((pixel_height - max(0.0, natural - line)) / line))


def _label(words: Words, scale: float, *, wrap: bool = True) -> Any:
    # Hinting stays Kivy's default: it keeps one font a face and size, hinted as whoever asked first wanted it.
    face = STYLES[words.style].face
    pixels = round(words.size * scale)
    return MarkupLabel(
        text="".join(_markup(run) for run in words.spans),
        markup=True,
        font_name=_registered(face),
        font_size=pixels,
        line_height=line_height(words.style, words.size) * scale / _natural_line(face, pixels),
        text_size=(round(words.box.w * scale) if wrap else None, None),
        halign=words.halign,
        color=(1, 1, 1, 1),
    )


def _markup(run: Span) -> str:
    text = f"[color={run.colour}]{escape_markup(run.text)}[/color]"
    return f"[b]{text}[/b]" if run.bold else text


@functools.cache
def _natural_line(face: str, pixels: int) -> int:
    height: int = CoreLabel(font_name=_registered(face), font_size=pixels).get_extents("Hg")[1]
    return height


def _registered(face: str) -> str:
    fonts.register()
    return face


def _runs(spans: tuple[Span, ...] | Span | str) -> tuple[Span, ...]:
    runs = (Span(spans),) if isinstance(spans, str) else (spans,) if isinstance(spans, Span) else spans
    return tuple(run._replace(text=_TIED.sub(_TIE, run.text)) for run in runs)
