"""The answers to a question: one below the other, or side by side where there is no room for that."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.parts import Part
from companion.ui.screens.buttons import USUAL_HEIGHT, Look, button, height_for, look_in_row
from companion.ui.screens.kit import Page
from companion.viewmodel.states import Button

_GAP, _LOW_GAP = 12.0, 8.0
"""Above the answers."""
_PITCH = t.BUTTON_EDGE + t.GAP
"""From an answer's lower edge to the next."""
_WAYS = ((1, True), (1, False), (2, False))
_LOW_WAYS = ((1, True), (2, True), (3, True), (2, False), (3, False), (4, False))
"""Answers in a row, and whether they are as high as they would like: what is tried in a high panel and in a low one."""


def prompt(page: Page, answers: tuple[Button, ...], room: Box) -> tuple[list[Part], float]:
    """The answers in the first way that fits into `room`, or in the last there is. Where they end."""
    if not answers:
        return [], room.y
    y = room.y + _gap(page)
    columns, w, look, heights = _rows(page, answers, room)
    parts: list[Part] = []
    for i, height in enumerate(heights):
        for j, b in enumerate(answers[i * columns : (i + 1) * columns]):
            parts.append(button(page, Box(room.x + j * (w + t.GAP), y, w, height), b, look))
        y += height + _PITCH
    return parts, y - t.GAP


def prompt_height(page: Page, answers: tuple[Button, ...], width: float) -> float:
    """How much room the answers would like to have one below the other."""
    return _height(page, [height_for(page, b, width) for b in answers]) if answers else 0.0


def _gap(page: Page) -> float:
    return _LOW_GAP if page.upright else _GAP


def _height(page: Page, rows: list[float]) -> float:
    """Of all rows, from what lies above to the last one's lower edge."""
    return _gap(page) + sum(rows) + _PITCH * len(rows) - t.GAP


def _rows(page: Page, answers: tuple[Button, ...], room: Box) -> tuple[int, float, Look, list[float]]:
    """How many answers stand in a row, how wide each is, how it looks, and how high every row is."""
    for most, tall in _LOW_WAYS if page.upright else _WAYS:
        columns = min(most, len(answers))
        w = (room.w - t.GAP * (columns - 1)) / columns
        look = Look(align="left") if columns == 1 else look_in_row(page, answers, [w] * len(answers))
        rows = [answers[i : i + columns] for i in range(0, len(answers), columns)]
        heights = [max(height_for(page, b, w, look) for b in row) if tall else USUAL_HEIGHT for row in rows]
        if _height(page, heights) <= room.h + 2:
            break
    return columns, w, look, heights
