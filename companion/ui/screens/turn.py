"""4 and 6. The turn: board, phase strip, what happened or can happen, hands, and the buttons; the roll with its die."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.parts import Art, DiePart, Drawn, Part, Picture, Press, Span, Words
from companion.ui.screens import kit
from companion.ui.screens.buttons import HELP, Look, as_icon, button, helped
from companion.ui.screens.heads import panel_title
from companion.ui.screens.kit import Page
from companion.ui.screens.notes import note_box
from companion.ui.screens.prompt import prompt, prompt_height
from companion.ui.text import whole
from companion.viewmodel.states import Chip, Line, PhaseCell, TurnScreen

_CHIPS_ICON, _CHIP, _CHIP_MORE = 26.0, 37.0, 18.0
"""In the head of a low panel: the sign before the chips, a chip of one colour, what another colour adds."""
_LARGE_DIE, _SMALL_DIE = 104.0, 70.0
_TIGHT_DIE = 56.0
_DIE_SIDES: Mapping[tuple[Literal["large", "small"], bool], float] = {
    ("large", False): 92.0,
    ("large", True): _SMALL_DIE,
    ("small", False): _SMALL_DIE,
    ("small", True): _TIGHT_DIE,
}
"""Of a die that has its words beside it; True: it is one of two."""


class _Places(NamedTuple):
    """Where the panel's fixed things lie: the strip, the phase in words, the chips, the room for all else."""

    strip: Box
    phase: Box
    chips: Box
    text: Box


def _places(page: Page, s: TurnScreen) -> _Places:
    """Each below the other; in a low panel the phase beside the strip, and the chips beside the name."""
    x, y, w, _ = page.panel
    if page.upright:
        chips = _CHIPS_ICON + sum(_CHIP + _CHIP_MORE * (len(chip.colours) - 1) for chip in s.chips) if s.chips else 0.0
        strip = Box(x, y + 67, 5 * t.TOUCH_IN_ROW + 16, t.TOUCH_IN_ROW)
        phase = Box(strip.right + 14, strip.y, x + w - strip.right - 14, strip.h)
        top = strip.bottom + 12
        return _Places(strip, phase, Box(x + w - 49 - chips, y + 17, chips, 42), Box(x, top, w, page.foot - 6 - top))
    chips_top = page.foot - 49
    end = (chips_top if s.chips else page.foot) - 6
    return _Places(
        Box(x, y + 72, w, t.TOUCH_IN_ROW),
        Box(x, y + 133, w, 28),
        Box(x, chips_top, w, 42),
        Box(x, y + 168, w, end - y - 168),
    )


def turn(page: Page, s: TurnScreen) -> list[Part]:
    """The parts of the turn's screen."""
    places = _places(page, s)
    panel = page.panel
    parts = kit.board(page, s.board)
    parts += panel_title(page, s.name, s.colours, s.menu, free=places.chips.w if page.upright and s.chips else 0)
    parts += _strip(s.cells, places.strip)
    parts += _phase_line(page, s, places.phase)
    y, end = places.text.y, places.text.bottom
    if s.note:
        # with a piece chosen, or a die in a low panel, there is better use for the room of the note's second line
        shown = msgspec.structs.replace(s.note, line="") if s.subtitle or (s.die and page.upright) else s.note
        note, y = note_box(page, shown, Box(panel.x, y + 2, panel.w, 0))
        parts.append(note)
        y += 6
    if s.die:
        die, words, room = _die(page, s, Box(panel.x, y, panel.w, end - y))
        parts += [die] if s.die.tumbles else [die, words]
    else:
        words, below = _heading(page, s.subtitle, s.sentence, y, end)
        if s.sentence and below + prompt_height(page, s.prompt, panel.w) > end + 2:
            words, below = _heading(page, "", s.sentence, y, end)
        parts.append(words)
        room = Box(panel.x, below, panel.w, end - below)
    answers, y = prompt(page, s.prompt, room)
    parts += answers
    if not (s.note and y > end - (26 if page.upright else 30)):
        parts += _lines(page, s, y, end)
    if s.chips:
        parts.append(_chips(page, s.chips, places.chips))
    parts += _foot(page, s, page.foot)
    return parts


def _strip(cells: tuple[PhaseCell, ...], strip: Box) -> list[Part]:
    gap = 4.0
    w = (strip.w - gap * (len(cells) - 1)) / max(1, len(cells))
    parts: list[Part] = []
    for i, cell in enumerate(cells):
        box = Box(strip.x + i * (w + gap), strip.y, w, strip.h)
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


def _phase_line(page: Page, s: TurnScreen, box: Box) -> list[Part]:
    """The phase in words, and after it or below it the moves left; touched, the phase is explained."""
    w = 26.5 * s.pips.total + 1 if s.pips else 0.0
    lines = 1
    if page.upright:
        least = t.STYLES["phase"].sizes[-1]
        lines = 1 if page.type.width((Span(s.phase),), "phase", least) <= box.w - HELP else 2
        height = 25.0 if lines == 1 else 42.0
        words = Box(box.x, box.y if s.pips else box.y + (box.h - height) / 2, box.w, height)
        pips = Box(box.x - 3, words.bottom + 1, w, 22)
    else:
        words = Box(box.x, box.y, box.w - w - 4 if s.pips else box.w, box.h)
        pips = Box(box.right - w + 3, box.y + 4, w, 22)
    parts = [helped(page, Span(s.phase), "phase", words, s.help, key="phase", lines=lines)]
    if s.pips:
        parts.append(Art("pips", (Picture(pips, surfaces.pips(s.pips.left, s.pips.total)),)))
    return parts


def _die(page: Page, s: TurnScreen, room: Box) -> tuple[Part, Art, Box]:
    """The die with its result in words, and the room left for answers.

    Large it is centred over the words; small, or in a low panel, it has them beside it, and in that the answers too.
    A large one is small under a note that leaves no room for it.
    """
    assert s.die
    two = bool(s.die.second)
    if s.die.size == "large" and not page.upright:
        w = _LARGE_DIE * 2 + t.GAP if two else _LARGE_DIE
        die = DiePart("die", Box(room.x + (room.w - w) / 2, room.y + 2, w, _LARGE_DIE + 5), s.die)
        name = page.type.flow(Span(s.subtitle), "subtitle", room.x, room.y + _LARGE_DIE + 8, room.w, halign="center")
        below = kit.paragraph(page, Span(s.sentence), "body", name.box.bottom + 2, halign="center")
        if below.box.bottom <= room.bottom + 2:
            return die, Art("words", (name, below)), _below(room, below.box.bottom + 4)
        return _tight_die(page, s, room)
    return _die_beside(page, s, room)


def _die_beside(page: Page, s: TurnScreen, room: Box) -> tuple[Part, Art, Box]:
    """The die with its words at its right; a sentence alone stands in the middle of its height."""
    assert s.die
    two = bool(s.die.second)
    side = _DIE_SIDES[s.die.size, two]
    w = side * 2 + t.GAP if two else side
    die = DiePart("die", Box(room.x, room.y + 2, w, side + 4), s.die)
    beside = Box(room.x + w + 12, room.y - 3, room.w - w - 12, room.h + 3)
    if room.y + side > room.bottom:
        return _tight_die(page, s, room)
    if not s.subtitle:
        return die, _alone(page, s, Box(beside.x, die.box.y, beside.w, side)), _below(room, room.y + side + 8)
    if page.upright:
        name = page.type.flow(Span(s.subtitle), "subtitle", beside.x, beside.y, beside.w)
        below = page.type.flow(Span(s.sentence), "body", beside.x, name.box.bottom, beside.w)
        end = below.box.bottom
        if end > room.bottom + 2:
            return _tight_die(page, s, room)
        return (
            die,
            Art("words", (name, below)),
            (_below(beside, end) if s.prompt else _below(room, max(end, room.y + side) + 8)),
        )
    name = page.type.fit(Span(s.subtitle), "subtitle", Box(beside.x, room.y + 3, beside.w, 27), lines=1)
    below = page.type.fit(Span(s.sentence), "body", Box(beside.x, room.y + 30, beside.w, 46))
    if whole(name, s.subtitle) and whole(below, s.sentence):
        return die, Art("words", (name, below)), _below(room, room.y + _SMALL_DIE + 8)
    name = page.type.fit(
        Span(s.subtitle), "subtitle", Box(beside.x, room.y + 1, beside.w, side + 2), valign="middle", lines=2
    )
    below = kit.paragraph(page, Span(s.sentence), "body", room.y + side + 8)
    return die, Art("words", (name, below)), _below(room, below.box.bottom + 4)


def _tight_die(page: Page, s: TurnScreen, room: Box) -> tuple[Part, Art, Box]:
    """The die as small as it gets, and all the words beside it."""
    assert s.die
    w = _TIGHT_DIE * 2 + t.GAP if s.die.second else _TIGHT_DIE
    die = DiePart("die", Box(room.x, min(room.y + 4, room.bottom - _TIGHT_DIE), w, _TIGHT_DIE + 4), s.die)
    if not s.subtitle:
        return (
            die,
            _alone(page, s, Box(die.box.right + 12, die.box.y, room.w - w - 12, _TIGHT_DIE)),
            _below(room, room.bottom),
        )
    name = page.type.flow(Span(s.subtitle), "subtitle", room.x + w + 12, room.y - 3, room.w - w - 12)
    below = Box(name.box.x, name.box.bottom, name.box.w, room.bottom - name.box.bottom + 2)
    return die, Art("words", (name, page.type.fit(Span(s.sentence), "body", below))), _below(room, room.bottom)


def _alone(page: Page, s: TurnScreen, box: Box) -> Art:
    """The sentence in the middle of the die's height, where nothing stands over it."""
    return Art("words", (page.type.fit(Span(s.sentence), "body", box, valign="middle"),))


def _below(room: Box, y: float) -> Box:
    """What is left of it under y."""
    return Box(room.x, y, room.w, room.bottom - y)


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
    least, indent = (34.0, 32.0) if ruled else (28.0 if page.upright else 31.0, 36.0)
    pad = least - 23

    def height_of(line: Line) -> float:
        room = panel.w - (indent if line.mark or line.icon else 0) - (40 if line.figure else 0)
        height = page.type.height(kit.spans_of(line), "body", room)
        return max(least, height + min(8.0, pad)) if line.mark or line.icon else height

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
            if ruled and i:
                drawn.append(Picture(Box(panel.x, y, panel.w, 1), surfaces.rule(panel.w)))
            drawn += kit.list_line(page, line, Box(panel.x, y, panel.w, height), indent=indent)
            y += height
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


def _chips(page: Page, chips: tuple[Chip, ...], row: Box) -> Art:
    """How many tiles each player holds, in seat order, the one to move outlined."""
    size, gap, mark, apart = (22.0, 3.0, 16.0, 4.0) if page.upright else (30.0, 4.0, 18.0, 7.0)
    left = row.x + size + apart
    drawn: list[Drawn] = [kit.icon_picture("tiles_in_hand", row.x + size / 2, row.y + 20, size, t.INK_SOFT)]
    w = (row.right - left - gap * (len(chips) - 1)) / len(chips)
    for i, chip in enumerate(chips):
        box = Box(left + i * (w + gap), row.y + 2, w, 38)
        if chip.active:
            box = Box(box.x - 1, row.y, w + 2, 42)
            drawn.append(Picture(box, surfaces.card(box.w, box.h, radius=8)))
        else:
            drawn.append(Picture(box, surfaces.plain(box.w, box.h, t.WELL, radius=8)))
        middle = box.y + box.h / 2
        step = 14.0
        marks = len(chip.colours)
        at = w * (0.32 if page.upright else 0.36)
        for j, colour in enumerate(chip.colours):
            x = box.x + at + (j - (marks - 1) / 2) * step
            drawn.append(page.mark(colour, x, middle, mark))
        number = Box(box.x + w * (0.57 if page.upright else 0.53) + (marks - 1) * step / 2, box.y, w * 0.4, box.h)
        drawn.append(Words(number, (Span(str(chip.count)),), "button", 20, "center", "middle"))
    return Art("chips", tuple(drawn))


def _foot(page: Page, s: TurnScreen, top: float) -> list[Part]:
    panel = page.panel
    parts: list[Part] = []
    x = panel.x
    for b in (as_icon(s.undo, "undo"), as_icon(s.hand, "tiles_in_hand")):
        parts.append(button(page, Box(x, top, 64, 64), b, Look(icon_size=34)))
        x += 64 + t.GAP
    parts.append(button(page, Box(x, top, panel.right - x, 64), s.primary))
    return parts
