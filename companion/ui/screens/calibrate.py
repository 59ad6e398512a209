"""11. Calibrate: the live picture or the panel's buttons at the left; steps, one advice, one figure at the right."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import live, surfaces, svg
from companion.ui.drawing.icons import icon
from companion.ui.drawing.live import HANDLE, Frame
from companion.ui.parts import Art, Drawn, Live, Part, Picture, Press, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import button, icon_button
from companion.ui.screens.kit import Page
from companion.ui.screens.notes import note_box
from companion.viewmodel.states import CalibrateScreen, Gauge, Handle, StepTab, TestKey

_TABS_Y = 70.0
_TAB = 60.0
_TAB_PAD = 4.0
"""Beside the name on a tab that stands in a row of four."""
_GAUGE = 62.0
_BAR = 14.0
_GAP = 10.0


def calibrate(page: Page, s: CalibrateScreen) -> list[Part]:
    """The parts of the screen."""
    parts: list[Part] = _left(page, s)
    parts.append(kit.neatline(page))
    parts += _head(page, s)
    tabs = _tabs(page, s.tabs)
    parts += tabs
    foot = page.foot
    parts += _column(page, s, tabs[-1].box.bottom + 12, foot - 12)
    parts += _foot(page, s, foot)
    return parts


# --- left: the picture, or the panel's buttons


def _left(page: Page, s: CalibrateScreen) -> list[Part]:
    room = page.board_box
    ground = Picture(room, svg.rect(0, 0, room.w, room.h, fill=t.WELL))
    if s.keys:
        return [Art("ground", (ground,)), *_keys(page, s.keys, room)]
    if s.picture is None:
        return [Art("ground", (ground, *kit.no_picture(page, room, s.blank)))]
    frame = Frame(room, s.picture.window)
    tags = [drawn for handle in s.handles if handle.text for drawn in _tag(page, handle, frame)]
    return [
        Art("ground", (ground,)),
        Live("picture", room, s.picture, (s.outline,), s.spots, s.handles),
        Art("tags", tuple(tags)),
    ]


def _tag(page: Page, handle: Handle, frame: Frame) -> list[Drawn]:
    """A red label under a handle, or over it where there is no room, within the picture."""
    spans = (Span(handle.text, t.CARD),)
    w, h = page.type.width(spans, "button") + 26, 34.0
    x, y = frame.place(handle.x, handle.y)
    left = min(max(frame.room.x + 6, x - w / 2), frame.room.right - 6 - w)
    top = y + HANDLE + 5
    if top + h > frame.room.bottom - 4:
        top = y - HANDLE - 5 - h
    box = Box(left, top, w, h)
    ground = svg.rect(0, 0, w, h, radius=6, fill=t.RED_PENCIL)
    return [Picture(box, ground), page.type.fit(spans, "button", box.inset(6, 2), halign="center", valign="middle")]


def _keys(page: Page, keys: tuple[TestKey, ...], room: Box) -> list[Part]:
    """The players' four in a row, the others under them."""
    parts: list[Part] = []
    rows = ([k for k in keys if k.button.mark], [k for k in keys if not k.button.mark])
    h, gap = 124.0, 14.0
    y = room.y + (room.h - 2 * h - 28) / 2
    for row in rows:
        w = (room.w - 2 * 20 - gap * (len(row) - 1)) / max(1, len(row))
        for i, key in enumerate(row):
            parts.append(_key(page, key, Box(room.x + 20 + i * (w + gap), y, w, h)))
        y += h + 28
    return parts


def _key(page: Page, key: TestKey, box: Box) -> Press:
    b, down = key.button, key.state == "down"
    outer = Box(box.x, box.y, box.w, box.h + t.BUTTON_EDGE)
    fill = t.AMBER if down else t.CARD
    rest = Picture(outer, surfaces.secondary(outer.w, outer.h, pressed=down, fill=fill))
    if down:
        rest = Picture(outer, surfaces.card(outer.w, outer.h, fill=t.AMBER, width=3))
    pressed = Picture(outer, surfaces.secondary(outer.w, outer.h, pressed=True))
    middle = box.x + box.w / 2
    sign = (
        page.mark(b.mark, middle, box.y + 48, 44)
        if b.mark
        else kit.icon_picture(b.icon or "check", middle, box.y + 48, 46)
    )
    face: list[Drawn] = [
        sign,
        page.type.fit(Span(b.text), "button", Box(box.x + 6, box.bottom - 42, box.w - 12, 30), halign="center",
                      valign="middle", lines=1),
    ]  # fmt: skip
    if key.state == "done":
        tick = Picture(Box(box.right - 32, box.y + 7, 26, 26), icon("check", 13, 13, 24, t.OK))
        face.append(tick)
    moved = tuple(kit.move(d, 0, t.BUTTON_EDGE) for d in face)
    return Press(b.id, b.id, box, (rest, *face), (pressed, *moved), b.enabled)


# --- right: the panel


def _head(page: Page, s: CalibrateScreen) -> list[Part]:
    panel = page.panel
    room = Box(panel.x + 48, panel.y + 12, panel.w - 48, 50)
    return [
        icon_button(s.back, Box(panel.x - 14, panel.y + 7, 60, 60), "back", key="back", size=38),
        Art("title", (page.type.fit(Span(s.title), "panel_title", room, valign="middle", lines=1),)),
    ]


def _tabs(page: Page, tabs: tuple[StepTab, ...]) -> list[Press]:
    """Two rows of two, or one row where the panel is wide."""
    panel = page.panel
    x, y = panel.x, panel.y + _TABS_Y
    if not page.upright:
        w = (panel.w - t.GAP) / 2
        return [
            _tab(page, tab, Box(x + i % 2 * (w + t.GAP), y + i // 2 * (_TAB + t.GAP), w, _TAB))
            for i, tab in enumerate(tabs)
        ]
    need = [page.type.width((Span(tab.button.text),), "button") + 2 * _TAB_PAD for tab in tabs]
    spare = (panel.w - t.GAP * (len(tabs) - 1) - sum(need)) / len(tabs)
    pressed: list[Press] = []
    for tab, wanted in zip(tabs, need, strict=True):
        pressed.append(_tab(page, tab, Box(x, y, wanted + spare, _TAB)))
        x += wanted + spare + t.GAP
    return pressed


def _tab(page: Page, tab: StepTab, box: Box) -> Press:
    """Ink is the step that is on; a done one has a tick; one that cannot be gone to yet is flat and dashed."""
    b, now = tab.button, tab.state == "now"
    ink = t.CARD if now else t.INK if b.enabled else t.OFF_TEXT
    if now:
        ground = surfaces.card(box.w, box.h, fill=t.INK)
    elif b.enabled:
        ground = surfaces.card(box.w, box.h, line=t.RULE)
    else:
        ground = surfaces.off(box.w, box.h + t.BUTTON_EDGE)
    done = tab.state == "done"
    tick = 28.0 if done and not page.upright else 0.0
    room = box.w - (2 * _TAB_PAD if page.upright else 16) - tick
    words = page.type.fit(Span(b.text, ink), "button", Box(0, box.y + 2, room, box.h - 4), lines=1)
    width = min(room, page.type.width(words.spans, "button", words.size) + 1)
    x = box.x + (box.w - width - tick) / 2
    at = Box(x, box.y + 2, width, box.h - 4)
    face: list[Drawn] = [page.type.fit(Span(b.text, ink), "button", at, halign="center", valign="middle", lines=1)]
    if tick:
        face.append(kit.icon_picture("check", x + width + 16, box.y + box.h / 2, 22, t.OK))
    elif done:
        face.append(Picture(Box(box.right - 17, box.y - 6, 20, 20), surfaces.tick_badge(8.5)))
    down = surfaces.card(box.w, box.h, fill=t.WELL)
    pressed = page.type.fit(Span(b.text), "button", at, halign="center", valign="middle", lines=1)
    return Press(b.id, b.id, box, (Picture(box, ground), *face), (Picture(box, down), pressed), b.enabled)


def _column(page: Page, s: CalibrateScreen, y: float, end: float) -> list[Part]:
    """What to do, what is in the way, the figure. What is in the way has its room; what to do gives way first."""
    panel = page.panel
    parts: list[Part] = []
    note, note_height = _note(page, s, end - y)
    gauge = s.gauge if note_height + _GAUGE + _GAP <= end - y else None
    left = end - y - note_height - (_GAUGE + _GAP if gauge else 0.0)
    if s.sentence and (not s.note or page.type.height((Span(s.sentence),), "body", panel.w) <= left - _GAP):
        words = page.type.flow(Span(s.sentence), "lead", panel.x, y, panel.w, room=left)
        parts.append(Art("sentence", (words,)))
        y = words.box.bottom + _GAP
    if note:
        parts.append(Art("note", tuple(kit.move(drawn, 0, y) for drawn in note.drawn)))
        y += note_height + _GAP
    if gauge:
        parts.append(_gauge(page, gauge, Box(panel.x, y, panel.w, _GAUGE)))
    return parts


def _note(page: Page, s: CalibrateScreen, room: float) -> tuple[Art | None, float]:
    """The note as if it began at 0, and its height."""
    if s.note is None:
        return None, 0.0
    return note_box(page, s.note, Box(page.panel.x, 0, page.panel.w, 0), room=room)


def _gauge(page: Page, g: Gauge, box: Box) -> Art:
    """The figure, its words, and the scale under them."""
    figure_w = page.type.width((Span(g.figure),), "big_number") + 2
    figure = page.type.fit(Span(g.figure), "big_number", Box(box.x, box.y, figure_w, 40), valign="middle", lines=1)
    beside = Box(box.x + figure_w + 8, box.y - 2, box.w - figure_w - 8, 48)
    words = page.type.fit(Span(g.text, t.INK_SOFT), "body", beside, valign="middle", lines=2)
    bar = Picture(Box(box.x, box.bottom - _BAR - 4, box.w, _BAR), live.scale(box.w, _BAR, g.at, g.fields))
    return Art("gauge", (figure, words, bar))


def _foot(page: Page, s: CalibrateScreen, y: float) -> list[Part]:
    panel = page.panel
    if s.secondary is None:
        return [button(page, Box(panel.x, y, panel.w, t.BUTTON_HEIGHT), s.primary, key="primary")]
    w = (panel.w - t.GAP) / 2
    return [
        button(page, Box(panel.x, y, w, t.BUTTON_HEIGHT), s.secondary, key="secondary"),
        button(page, Box(panel.x + w + t.GAP, y, w, t.BUTTON_HEIGHT), s.primary, key="primary"),
    ]
