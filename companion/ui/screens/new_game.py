"""2. New game: numbered steps; players with their seats round the table, or rows of switches and choices."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces, svg
from companion.ui.drawing.icons import icon
from companion.ui.parts import Art, Drawn, Entry, Part, Picture, Press, Scroll, Seats, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import Look, button, icon_button
from companion.ui.screens.choices import rows
from companion.ui.screens.heads import header
from companion.ui.screens.kit import Page
from companion.ui.screens.notes import note_box
from companion.viewmodel.states import Button, NewGameScreen, PlayerRow

_FOOT = 79.0
_ROW = 68.0
_LIST_WIDTH = 488.0
_STEPS = 50.0
_PLAN = 235.0
"""How high the plan of the table is with the marks round it."""


def new_game(page: Page, s: NewGameScreen) -> list[Part]:
    """The parts of the wizard."""
    steps, width = _steps(page, s)
    parts, _ = header(page, s.title, s.back, right=16 if page.upright else width + 32)
    parts += steps
    top = t.HEADER_HEIGHT + 5 + (_STEPS if page.upright else 0)
    body = Box(0, top, page.width, page.height - top - _FOOT - 6)
    if s.players:
        parts += _players(page, s, body)
    else:
        parts += rows(page, s.rows, s.note, body, Box(20, body.y, page.width - 56, body.h))
    y = page.height - _FOOT
    if s.secondary:
        w = 212 if page.upright else 260
        parts.append(button(page, Box(t.EDGE, y, w, 62), s.secondary, Look(icon_size=30)))
    w = 228 if page.upright else 240
    parts.append(button(page, Box(page.width - t.EDGE - w, y, w, 62), s.primary))
    return parts


def _steps(page: Page, s: NewGameScreen) -> tuple[list[Part], float]:
    """Numbered discs from the right: ticks on done ones, which lead back there, the name beside the present one.

    They stand beside the title, or below it in the middle.
    """
    drawn: list[Drawn] = []
    ticked: list[Box] = []
    x = page.width - t.EDGE
    y = t.HEADER_HEIGHT + 5 + _STEPS / 2 if page.upright else 36.0
    for i in reversed(range(len(s.steps))):
        now = i == s.step
        if now:
            w = page.type.width((Span(s.steps[i]),), "body_strong") + 1
            drawn.append(page.type.fit(Span(s.steps[i]), "body_strong", Box(x - w, y - 16, w, 30), valign="middle"))
            x -= w + 7
        if i < len(s.done):
            ticked.insert(0, Box(x - 33, y - 17, 34, 34))
        else:
            disc = svg.circle(17, 17, 15.5, fill=t.INK if now else t.PAPER,
                              stroke=t.INK if now else t.RULE, stroke_width=2)  # fmt: skip
            drawn.append(Picture(Box(x - 33, y - 17, 34, 34), disc))
            ink = t.CARD if now else t.INK_SOFT
            drawn.append(page.type.fit(Span(str(i + 1), ink), "body_strong", Box(x - 33, y - 17, 34, 33),
                                       halign="center", valign="middle"))  # fmt: skip
        x -= 33
        if i:
            drawn.append(Picture(Box(x - 25, y - 1, 18, 2), svg.rect(0, 0, 18, 2, fill=t.RULE)))
            x -= 31
    width = page.width - t.EDGE - x
    aside = (width - page.width) / 2 + t.EDGE if page.upright else 0.0
    here = Art("steps", tuple(kit.move(d, aside, 0) for d in drawn))
    return [here, *(_done_step(b, box.moved(aside, 0)) for b, box in zip(s.done, ticked, strict=True))], width


def _done_step(b: Button, box: Box) -> Press:
    """A ticked disc, pale at rest and dark under a finger."""
    up, down = (
        Picture(box, svg.circle(17, 17, 15.5, fill=fill, stroke=t.INK, stroke_width=2) + icon("check", 17, 17, 17, ink))
        for fill, ink in ((t.WELL, t.INK_SOFT), (t.INK, t.CARD))
    )
    return Press(b.id, b.id, box, (up,), (down,), b.enabled)


def _players(page: Page, s: NewGameScreen, body: Box) -> list[Part]:
    listed: list[Part] = []
    y = body.y + 10
    width = page.width - 2 * t.EDGE - 8 if page.upright else _LIST_WIDTH + (page.width - 800) / 2
    seats = _seats_box(page, body, t.EDGE + width)
    height = seats.y - body.y if page.upright else body.h
    for row in s.players:
        listed += _player(page, row, Box(t.EDGE, y, width, 58))
        y += _ROW + (24 if row.error else 0)
    box = Box(0, body.y, t.EDGE + width + 4, height)
    bar = Box(t.EDGE + width + 8, body.y + 10, t.BAR, height - 20)
    parts: list[Part] = [Scroll("players", box, tuple(listed), y - body.y, bar)]
    parts += _table(page, s, seats.x + seats.w / 2, seats.y + _PLAN / 2 + 12)
    below = seats.y + _PLAN + 12
    if s.note:
        note, _ = note_box(page, s.note, Box(seats.x, below, seats.w, 0))
        parts.append(note)
    elif s.seats_hint:
        hint = page.type.fit(Span(s.seats_hint, t.INK_SOFT), "body", Box(seats.x, below, seats.w, 70), halign="center")
        parts.append(Art("hint", (hint,)))
    return parts


def _seats_box(page: Page, body: Box, list_end: float) -> Box:
    """The room of the plan and of the words below it: beside the list, or between it and the foot."""
    if page.upright:
        height = _PLAN + 12 + 56
        return Box(t.EDGE, body.bottom - height, page.width - 2 * t.EDGE, height)
    room = page.width - t.EDGE - list_end - 52
    return Box((list_end + page.width) / 2 + 2 - room / 2, body.y, room, body.h)


def _player(page: Page, row: PlayerRow, box: Box) -> list[Part]:
    face = Box(box.x, box.y, 64, box.h)
    if len(row.colours) == 1:
        look = Button(id=row.colour_button.id, text="", mark=row.colours[0], enabled=row.colour_button.enabled)
        colour = button(page, Box(face.x, face.y, face.w, face.h - 3), look, key=f"colour:{row.number}")
    else:
        colour = _two_marks(page, row, face)
    right = box.right - 70
    parts: list[Part] = [colour, Entry(f"name:{row.number}", Box(box.x + 74, box.y, right - box.x - 74, box.h),
                                       f"name:{row.number}", row.name)]  # fmt: skip
    if row.remove_button:
        b = row.remove_button
        place = Box(right + 10, box.y - 1, 60, 60)
        parts.append(icon_button(b, place, "close", key=f"remove:{row.number}", size=26, colour=t.INK_SOFT))
    drawn: list[Drawn] = []
    end = box.bottom + 4
    if row.error:
        spans = (Span(row.error, t.RED_PENCIL, bold=True),)
        drawn.append(page.type.fit(spans, "body", Box(box.x + 74, box.bottom + 2, box.w - 74, 24), lines=1))
        end += 24
    drawn.append(Picture(Box(box.x, end, box.w, 1), surfaces.rule(box.w)))
    parts.append(Art(f"row:{row.number}", tuple(drawn)))
    return parts


def _two_marks(page: Page, row: PlayerRow, box: Box) -> Press:
    h = box.h
    marks = tuple(page.mark(c, box.x + 20 + 25 * i, box.y + box.h / 2 - 1, 21) for i, c in enumerate(row.colours[:2]))
    up = Picture(box, surfaces.secondary(box.w, h))
    down = Picture(box, surfaces.secondary(box.w, h, pressed=True))
    b = row.colour_button
    return Press(f"colour:{row.number}", b.id, box, (up, *marks), (down, *marks), b.enabled)


def _table(page: Page, s: NewGameScreen, x: float, y: float) -> list[Part]:
    """The plan of the table with a mark at every seat: south, west, north, east."""
    plan = svg.rect(1.2, 1.2, 112.6, 104.6, radius=4, fill=t.CHART_SEA, stroke=t.INK, stroke_width=2.4)
    plan += svg.polygon(svg.hexagon(57.5, 53.5, 38), fill=t.TERRAIN["beach"].face, stroke=t.COAST, stroke_width=2)
    bow = svg.path("M80 64Q45 56 24 10", stroke=t.BRASS, stroke_width=2.4, stroke_linecap="round")
    bow += svg.path("M18 22L22.500 8L34 15", stroke=t.BRASS, stroke_width=2.4, stroke_linecap="round",
                    stroke_linejoin="round")  # fmt: skip
    drawn: list[Drawn] = [Picture(Box(x - 57.5, y - 53.5, 115, 107), plan)]
    if s.seats:
        drawn.append(Picture(Box(x - 106, y + 16, 90, 70), bow))
    places = ((0.0, 88.0), (-90.0, 0.0), (0.0, -88.0), (90.0, 0.0))
    boxes = tuple(Box(x + dx - 22, y + dy - 22, 44, 44) for dx, dy in places)
    faces = tuple(
        Picture(box, "".join(
            page.drawn_mark(c, 22 + 18 * (j - (len(colours) - 1) / 2), 22, 32 if len(colours) == 1 else 22)
            for j, c in enumerate(colours)
        ))
        for box, colours in zip(boxes, s.seats, strict=False)
    )  # fmt: skip
    return [Art("table", tuple(drawn)), Seats("seats", boxes[: len(s.seats)], faces)]
