"""4 and 6. The turn: board, phase strip, what happened or can happen, hands, and the buttons; the roll with its die."""

from __future__ import annotations

import math

import msgspec

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, DiePart, Drawn, Part, Picture, Press, Span, Words
from companion.ui.screens import kit
from companion.ui.screens.buttons import USUAL_HEIGHT, Look, button, height_for, helped, look_in_row
from companion.ui.screens.heads import panel_title
from companion.ui.screens.kit import Page
from companion.ui.screens.notes import note_box
from companion.ui.text import whole
from companion.viewmodel.states import Button, Chip, Line, PhaseCell, TurnScreen

_STRIP_TOP = 72.0
_PHASE_TOP = 133.0
_TEXT_TOP = 168.0
_CHIPS_TOP = 354.0
_BUTTONS_TOP = 403.0
_PROMPT_GAP = 12.0
_LARGE_DIE = 104.0
_SMALL_DIE = 70.0
_PAIRED_DIE = 56.0


def turn(page: Page, s: TurnScreen) -> list[Part]:
    """The parts of the turn's screen."""
    foot = page.height - 480.0
    panel = page.panel
    parts = kit.board(page, s.board)
    parts += panel_title(page, s.name, s.colours, s.menu)
    parts += _strip(page, s.cells)
    parts += _phase_line(page, s)
    y = _TEXT_TOP
    end = (_CHIPS_TOP if s.chips else _BUTTONS_TOP) + foot - 6
    if s.note:
        # with a piece chosen there is better use for the room of the note's second line
        shown = msgspec.structs.replace(s.note, line="") if s.subtitle else s.note
        note, y = note_box(page, shown, Box(panel.x, y + 2, panel.w, 0))
        parts.append(note)
        y += 6
    if s.die:
        die, words, y = _die(page, s, y)
        parts += [die, words]
    else:
        words, below = _heading(page, s.subtitle, s.sentence, y, end)
        if s.sentence and below + _prompt_height(page, s.prompt) > end + 2:
            words, below = _heading(page, "", s.sentence, y, end)
        parts.append(words)
        y = below
    answers, y = _prompt(page, s.prompt, y, end)
    parts += answers
    if not (s.note and y > end - 30):
        parts += _lines(page, s, y, end)
    if s.chips:
        parts.append(_chips(page, s.chips, _CHIPS_TOP + foot))
    parts += _foot(page, s, _BUTTONS_TOP + foot)
    return parts


def _prompt(page: Page, answers: tuple[Button, ...], y: float, end: float) -> tuple[list[Part], float]:
    """The answers one below the other; side by side where there is no room for that."""
    if not answers:
        return [], y
    panel = page.panel
    parts: list[Part] = []
    pitch = t.BUTTON_EDGE + t.GAP
    fits = y + _prompt_height(page, answers) <= end + 2
    y += _PROMPT_GAP
    if fits or y + (USUAL_HEIGHT + pitch) * len(answers) - t.GAP <= end + 2:
        for b in answers:
            height = height_for(page, b, panel.w) if fits else USUAL_HEIGHT
            parts.append(button(page, Box(panel.x, y, panel.w, height), b, Look(align="left")))
            y += height + pitch
        return parts, y - t.GAP
    w = (panel.w - t.GAP) / 2
    look = look_in_row(page, answers, [w] * len(answers))
    for i, b in enumerate(answers):
        place = Box(panel.x + i % 2 * (w + t.GAP), y + i // 2 * (USUAL_HEIGHT + pitch), w, USUAL_HEIGHT)
        parts.append(button(page, place, b, look))
    return parts, y + (USUAL_HEIGHT + pitch) * math.ceil(len(answers) / 2) - t.GAP


def _prompt_height(page: Page, answers: tuple[Button, ...]) -> float:
    """How much room the answers would like to have one below the other."""
    heights = [height_for(page, b, page.panel.w) + t.BUTTON_EDGE + t.GAP for b in answers]
    return _PROMPT_GAP + sum(heights) - t.GAP if heights else 0.0


def _strip(page: Page, cells: tuple[PhaseCell, ...]) -> list[Part]:
    panel = page.panel
    gap = 4.0
    w = (panel.w - gap * (len(cells) - 1)) / max(1, len(cells))
    parts: list[Part] = []
    for i, cell in enumerate(cells):
        box = Box(panel.x + i * (w + gap), _STRIP_TOP, w, t.TOUCH_IN_ROW)
        ink = t.CARD if cell.state == "now" else t.INK_SOFT
        icon = kit.icon_picture(cell.icon, box.x + w / 2, box.y + box.h / 2, 34, ink)
        ground_box = Box(box.x, box.y, w, box.h + 8)
        faces: list[tuple[Drawn, ...]] = []
        for pressed in (False, True):
            face: list[Drawn] = [Picture(ground_box, surfaces.phase_cell(w, box.h, cell.state, pressed=pressed)), icon]
            if cell.state == "done":
                face.append(Picture(Box(box.right - 18, box.y - 5, 20, 20), surfaces.tick_badge(8.5)))
            faces.append(tuple(face))
        touch = Box(box.x - gap / 2, box.y - 6, w + gap, t.TOUCH)
        parts.append(Press(f"cell:{cell.id}", cell.id, box, faces[0], faces[1], touch=touch))
    return parts


def _phase_line(page: Page, s: TurnScreen) -> list[Part]:
    """The phase in words and the moves left; touched, the phase is explained."""
    panel = page.panel
    width = panel.w
    parts: list[Part] = []
    if s.pips:
        w = 26.5 * s.pips.total + 1
        pips = Picture(Box(panel.right - w + 3, _PHASE_TOP + 4, w, 22), surfaces.pips(s.pips.left, s.pips.total))
        parts.append(Art("pips", (pips,)))
        width -= w + 4
    box = Box(panel.x, _PHASE_TOP, width, 28)
    parts.append(helped(page, Span(s.phase), "phase", box, s.help, key="phase", lines=1))
    return parts


def _die(page: Page, s: TurnScreen, y: float) -> tuple[Part, Art, float]:
    """The die with its result in words: large and centred, or small with the words beside it."""
    assert s.die
    panel = page.panel
    two = bool(s.die.second)
    if s.die.size == "large":
        w = _LARGE_DIE * 2 + t.GAP if two else _LARGE_DIE
        die = DiePart("die", Box(panel.x + (panel.w - w) / 2, y + 2, w, _LARGE_DIE + 5), s.die)
        y += _LARGE_DIE + 8
        name = page.type.flow(Span(s.subtitle), "subtitle", panel.x, y, panel.w, halign="center")
        below = kit.paragraph(page, Span(s.sentence), "body", name.box.bottom + 2, halign="center")
        return die, Art("words", (name, below)), below.box.bottom + 4
    side = _PAIRED_DIE if two else _SMALL_DIE
    w = side * 2 + t.GAP if two else side
    die = DiePart("die", Box(panel.x, y + 2, w, side + 4), s.die)
    x = panel.x + w + 12
    room = panel.right - x
    name = page.type.fit(Span(s.subtitle), "subtitle", Box(x, y + 3, room, 27), lines=1)
    below = page.type.fit(Span(s.sentence), "body", Box(x, y + 30, room, 46))
    if whole(name, s.subtitle) and whole(below, s.sentence):
        return die, Art("words", (name, below)), y + _SMALL_DIE + 8
    name = page.type.fit(Span(s.subtitle), "subtitle", Box(x, y + 1, room, side + 2), valign="middle", lines=2)
    below = kit.paragraph(page, Span(s.sentence), "body", y + side + 8)
    return die, Art("words", (name, below)), below.box.bottom + 4


def _heading(page: Page, subtitle: str, sentence: str, y: float, end: float) -> tuple[Art, float]:
    drawn: list[Words] = []
    if subtitle:
        drawn.append(kit.paragraph(page, Span(subtitle), "subtitle", y - 2))
        y = drawn[-1].box.bottom
    if sentence:
        drawn.append(kit.paragraph(page, Span(sentence), "body", y, room=max(23.0, end - y)))
        y = drawn[-1].box.bottom
    return Art("words", tuple(drawn)), y


def _lines(page: Page, s: TurnScreen, y: float, end: float) -> list[Part]:
    """What can be touched to hear more, then the last events with rules between them, or what a chosen piece can do.

    The last ones give way, dangers never.
    """
    why = [_why(page, line, y) for line in s.lines if line.id]
    lines = tuple(line for line in s.lines if not line.id)
    y = max((part.box.bottom + 6 for part in why), default=y)
    panel = page.panel
    ruled = not s.subtitle and all(line.mark or line.icon for line in lines)
    least, indent = (34.0, 32.0) if ruled else (31.0, 36.0)

    def height_of(line: Line) -> float:
        room = panel.w - (indent if line.mark or line.icon else 0) - (40 if line.figure else 0)
        height = page.type.height(kit.spans_of(line), "body", room)
        return max(least, height + 8) if line.mark or line.icon else height

    drawn: list[Drawn] = []
    if ruled and lines:
        y -= 1
    if y + sum(map(height_of, lines)) > end + 2:
        lines = tuple(sorted(lines, key=lambda line: line.tone != "danger"))
    for i, line in enumerate(lines):
        if line.mark or line.icon:
            height = height_of(line)
            if y + height > end + 2:
                break
            drawn += kit.list_line(page, line, Box(panel.x, y, panel.w, height), indent=indent)
            y += height
            if ruled and i + 1 < len(lines) and y + least <= end + 2:
                drawn.append(Picture(Box(panel.x, y, panel.w, 1), surfaces.rule(panel.w)))
        else:
            if y + 23 > end + 2:
                break
            words = kit.paragraph(page, kit.spans_of(line), "body", y, room=end - y)
            drawn.append(words)
            y = words.box.bottom
    return [*why, Art("lines", tuple(drawn))]


def _why(page: Page, line: Line, y: float) -> Press:
    """Why a touch was refused, to be touched to hear more."""
    panel = page.panel
    room = panel.w - 46 - 34
    height = max(60.0, page.type.height((Span(line.text),), "body", room) + 18)
    box = Box(panel.x, y + 8, panel.w, height)
    middle = box.y + height / 2
    face: tuple[Drawn, ...] = (
        kit.icon_picture(line.icon or "info", box.x + 25, middle, 30, t.INK_SOFT),
        page.type.fit(Span(line.text), "body", Box(box.x + 46, box.y + 8, room, height - 16), valign="middle"),
        kit.icon_picture("forward", box.right - 18, middle, 22, t.INK_SOFT),
    )
    up = Picture(box, surfaces.card(box.w, box.h, line=t.RULE, width=1.2))
    low = Picture(box, surfaces.card(box.w, box.h, line=t.RULE, width=1.2, fill=t.WELL))
    return Press(line.id, line.id, box, (up, *face), (low, *face))


def _chips(page: Page, chips: tuple[Chip, ...], top: float) -> Art:
    """How many tiles each player holds, in seat order, the one to move outlined."""
    panel = page.panel
    drawn: list[Drawn] = [kit.icon_picture("tiles_in_hand", panel.x + 15, top + 20, 30, t.INK_SOFT)]
    left = panel.x + 37
    gap = 4.0
    w = (panel.right - left - gap * (len(chips) - 1)) / len(chips)
    for i, chip in enumerate(chips):
        box = Box(left + i * (w + gap), top + 2, w, 38)
        if chip.active:
            box = Box(box.x - 1, top, w + 2, 42)
            drawn.append(Picture(box, surfaces.card(box.w, box.h, radius=8)))
        else:
            drawn.append(Picture(box, surfaces.plain(box.w, box.h, t.WELL, radius=8)))
        middle = box.y + box.h / 2
        step = 14.0
        marks = len(chip.colours)
        for j, colour in enumerate(chip.colours):
            drawn.append(kit.mark_picture(colour, box.x + w * 0.36 + (j - (marks - 1) / 2) * step, middle, 18))
        number = Box(box.x + w * 0.53 + (marks - 1) * step / 2, box.y, w * 0.4, box.h)
        drawn.append(Words(number, (Span(str(chip.count)),), "button", 20, "center", "middle"))
    return Art("chips", tuple(drawn))


def _foot(page: Page, s: TurnScreen, top: float) -> list[Part]:
    panel = page.panel
    parts: list[Part] = []
    x = panel.x
    for b in (s.undo, s.hand):
        shown = type(b)(id=b.id, text="", icon=b.icon or ("undo" if b is s.undo else "tiles_in_hand"),
                        enabled=b.enabled)  # fmt: skip
        parts.append(button(page, Box(x, top, 64, 64), shown, Look(icon_size=34)))
        x += 64 + t.GAP
    parts.append(button(page, Box(x, top, panel.right - x, 64), s.primary))
    return parts
