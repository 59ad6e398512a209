"""What is wrong with a screen, found by measuring its parts; nothing is drawn, so there is time for all languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import msgspec

from companion.ui import text
from companion.ui.box import Box, px_a_unit
from companion.ui.parts import Art, Part, Press, Scroll, Slider, Words
from companion.ui.screens.catalogue import dialog_parts, screen_parts, toast_parts
from companion.ui.screens.kit import Page
from companion.ui.text import Typesetter
from companion.ui.tokens import SMALLEST_TEXT, TOUCH, TOUCH_IN_ROW
from companion.viewmodel import states as s

TIE = "\u00a0"
"""A space where no line ends."""

MARK = "…"
"""What stands for text that was left out."""


class Measured(NamedTuple):
    """A text, where its ink lies, and the button it is on, if any."""

    said: str
    words: Words
    ink: Box
    on: Press | None


def page_of(size: tuple[int, int], display: s.Display = s.Display()) -> Page:  # noqa: B008 - immutable
    """The page of a screen of that size in px."""
    scale = px_a_unit(*size)
    letters, right = display.mark_letters, display.board_right
    return Page(size[0] / scale, size[1] / scale, Typesetter(scale), letters, right)


def layers(page: Page, state: s.AppState) -> tuple[tuple[Part, ...], ...]:
    """Screen, dialog and toast: what lies over each other may overlap."""
    return screen_parts(page, state.screen), dialog_parts(page, state.dialog), toast_parts(page, state.toast)


def complaints(page: Page, state: s.AppState, names: tuple[str, ...]) -> list[str]:
    """All that is wrong, in sentences. Of `names` the middle may be left out."""
    found: list[str] = []
    shown: list[str] = []
    own = set(_strings(state))
    for parts in layers(page, state):
        found += _layer(page, parts)
        for part in _flat(parts):
            for measured in _measured(page, part):
                shown.append(measured.said)
                if MARK in measured.said and measured.said not in own and not _is_name(measured.said, names):
                    found.append(f"cut: {measured.said}")
    found += [f"not shown: {wanted}" for wanted in _needed(state) if not _is_shown(wanted, shown, names)]
    return found


def _layer(page: Page, parts: tuple[Part, ...]) -> Iterator[str]:
    yield from _sheet(page, parts, Box(0, 0, page.width, page.height))
    for part in parts:
        if isinstance(part, Scroll):
            yield from _sheet(page, part.parts, Box(part.box.x, part.box.y, part.box.w, part.height))


def _sheet(page: Page, parts: tuple[Part, ...], room: Box) -> Iterator[str]:
    texts = [measured for part in parts for measured in _measured(page, part)]
    presses = [part for part in parts if isinstance(part, Press)]
    sliders = [part for part in parts if isinstance(part, Slider)]
    for measured in texts:
        yield from _own(measured, room)
    for a, b in combinations(texts, 2):
        if _overlap(a.ink.inset(0.5, 3.5), b.ink.inset(0.5, 3.5)):
            yield f"over each other: {a.said} | {b.said}"
    for press in presses:
        if press.area.w < TOUCH_IN_ROW or press.area.h < TOUCH:
            yield f"too small for a finger: {press.key} {press.area.w:.0f}x{press.area.h:.0f}"
        yield from (f"under a button: {t.said} | {press.key}" for t in texts
                    if t.on is not press and _overlap(t.ink.inset(0.5, 3.5), press.box))  # fmt: skip
    yield from (f"under a slider: {t.said} | {slider.key}" for slider in sliders for t in texts
                if _overlap(t.ink.inset(0.5, 3.5), slider.box))  # fmt: skip
    yield from (f"buttons over each other: {a.key} | {b.key}" for a, b in combinations(presses, 2)
                if _overlap(a.box, b.box))  # fmt: skip


def _own(measured: Measured, room: Box) -> Iterator[str]:
    """What is wrong with a text by itself."""
    said, words, ink, on = measured
    if words.size < SMALLEST_TEXT:
        yield f"too small: {said}"
    if ink.w > words.box.w + 1 or ink.h > words.box.h + 6:
        yield f"outside its box: {said}"
    bounds = on.box if on else room
    if ink.x < bounds.x - 1 or ink.right > bounds.right + 1 or ink.y < bounds.y - 6 or ink.bottom > bounds.bottom + 6:
        yield f"outside {'its button' if on else 'the screen'}: {said}"


def _measured(page: Page, part: Part) -> Iterator[Measured]:
    things = part.drawn if isinstance(part, Art) else part.up if isinstance(part, Press) else ()
    for thing in things:
        if isinstance(thing, Words) and thing.spans:
            said = "".join(run.text for run in thing.spans).replace(TIE, " ")
            yield Measured(said, thing, ink_box(thing, page.type.scale), part if isinstance(part, Press) else None)


def _flat(parts: tuple[Part, ...]) -> Iterator[Part]:
    for part in parts:
        yield part
        if isinstance(part, Scroll):
            yield from part.parts


def ink_box(words: Words, scale: float) -> Box:
    """Where the text itself lies within its box."""
    w, h = text.measure(words.spans, words.style, words.size, words.box.w, scale)
    one = min(w, text.measure(words.spans, words.style, words.size, None, scale)[0])
    x = words.box.x + {"left": 0.0, "center": (words.box.w - one) / 2, "right": words.box.w - one}[words.halign]
    y = words.box.y + {"top": 0.0, "middle": (words.box.h - h) / 2, "bottom": words.box.h - h}[words.valign]
    return Box(x, y, one, h)


def _overlap(a: Box, b: Box) -> bool:
    return not (a.right <= b.x or b.right <= a.x or a.bottom <= b.y or b.bottom <= a.y)


# What has to be there, whatever else gives way


def _needed(state: s.AppState) -> Iterator[str]:
    """Titles, sentences, rules, the way back, dangers, notes, answers: of lines only what is strong or dangerous.

    What was touched gives way to a question about it, and that something is wrong to what is wrong.
    """
    for value in _structs(state):
        match value:
            case s.Line(text=said, tone="danger" | "strong"):
                yield said
            case s.Note():
                yield from filter(None, (value.strong, value.text))
            case s.TurnScreen(die=s.Die(tumbles=True)):
                yield from (value.name, value.phase)
                yield from _on_buttons((value.primary,))
            case s.TurnScreen():
                yield from filter(
                    None, (value.name, value.phase, "" if value.prompt else value.subtitle, value.sentence)
                )
                yield from _on_buttons((*value.prompt, value.primary))
            case s.ContradictionScreen():
                yield from filter(None, (value.title, value.strong or value.sentence))
                yield from _on_buttons((value.rule,) if value.rule else ())
                yield from (line.text for line in value.way_back)
                yield from _on_buttons(tuple(b for b in value.buttons if b.icon != "menu"))  # it is its icon
            case s.SetupScreen():
                yield from filter(None, (value.title, value.sentence))
                yield from _on_buttons(value.prompt)
            case s.SecretScreen(card=None):
                yield from filter(None, (value.title, value.text, value.hold_text))
            case s.SecretCard():
                yield from filter(None, (value.over, value.title, value.text, value.strong))
                yield from (b.text for b in value.answers)
                yield from (name for _icon, name in value.tiles if name)
            case s.DefenceScreen() | s.ScoreScreen():
                yield value.title
                yield value.sentence
            case s.StatisticsScreen():
                yield from (value.title, value.sentence, *(row.text for row in value.rows))
                yield from (fact.text for fact in value.facts)
            case s.Dialog():
                yield from (value.title, value.text)
                yield from _on_buttons((*value.answers, value.safe))
            case s.RuleCard():
                yield from filter(None, (value.rule, value.title, value.sentence, value.text))
                yield from _on_buttons((value.safe,))
            case s.ReplayScreen():
                yield from (value.title, value.heading.text)
                yield from _on_buttons(value.buttons[-1:])
            case s.Toast(text=said):
                yield said
            case s.CalibrateScreen():
                yield value.title
                yield from () if value.note else filter(None, (value.sentence,))
                yield from _on_buttons(tuple(tab.button for tab in value.tabs))
                yield from _on_buttons((*([value.secondary] if value.secondary else []), value.primary))
            case s.SettingsScreen():
                yield value.title
                yield from _on_buttons(value.groups)
            case s.HomeScreen():
                yield from _on_buttons((*value.buttons, *value.small_buttons))
            case s.RulesScreen(title=said) | s.RuleGroup(title=said):
                yield said
            case s.RuleRow():
                yield from (value.number, value.title, value.line)
            case s.GameRow(result=result, line=line):
                yield from filter(None, (result, line))


def _on_buttons(buttons: tuple[s.Button, ...]) -> Iterator[str]:
    for button in buttons:
        yield from filter(None, (button.text, button.line))


def _structs(value: Any) -> Iterator[msgspec.Struct]:
    if isinstance(value, tuple):
        for item in value:
            yield from _structs(item)
    elif isinstance(value, msgspec.Struct) and not isinstance(value, s.BoardView):
        yield value
        for field in value.__struct_fields__:
            yield from _structs(getattr(value, field))


def _strings(state: s.AppState) -> Iterator[str]:
    for value in _structs(state):
        yield from (found for field in value.__struct_fields__ if isinstance(found := getattr(value, field), str))


def _is_shown(wanted: str, shown: list[str], names: tuple[str, ...]) -> bool:
    return any(wanted in said or _is_cut_of(said, wanted, names) for said in shown)


def _is_cut_of(said: str, wanted: str, names: tuple[str, ...]) -> bool:
    head, mark, tail = said.partition(MARK)
    return bool(mark) and wanted in names and wanted.startswith(head) and wanted.endswith(tail)


def _is_name(said: str, names: tuple[str, ...]) -> bool:
    """True if it is a name whose middle was left out."""
    return bool(re.fullmatch(rf"\S+{MARK}\S+", said)) and any(_is_cut_of(said, name, names) for name in names)
