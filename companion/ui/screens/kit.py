"""What the screens are put together from: buttons, notes, lines, chips, headers, each a function to parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.rules.layout import Colour
from companion.ui import tokens as t
from companion.ui.drawing import surfaces, svg
from companion.ui.drawing.chart import Projection
from companion.ui.drawing.icons import icon
from companion.ui.drawing.marks import mark
from companion.ui.parts import Art, BoardPart, Box, Drawn, Part, Picture, Press, Span, Words
from companion.ui.text import Halign, Typesetter
from companion.viewmodel.states import BoardView, Button, Line, Note

TONES = {"normal": t.INK, "soft": t.INK_SOFT, "strong": t.INK, "danger": t.RED_PENCIL, "ok": t.OK}


@dataclass(frozen=True)
class Page:
    """The screen to fill: its size in u and what measures text."""

    width: float
    height: float
    type: Typesetter

    @property
    def board_box(self) -> Box:
        """The board at the left edge, full height."""
        return Box(0, 0, t.BOARD_WIDTH, self.height)

    @property
    def panel(self) -> Box:
        """The panel's content, beside the neatline: extra width up to 420, then margins."""
        left = t.BOARD_WIDTH + t.NEATLINE
        room = self.width - left
        width = min(room, t.PANEL_WIDTH_MOST)
        return Box(left + (room - width) / 2 + t.EDGE, 0, width - t.EDGE - 14, self.height)

    @property
    def body(self) -> Box:
        """The whole screen within its edges, under the header."""
        return Box(t.EDGE, t.HEADER_HEIGHT + 16, self.width - 2 * t.EDGE, self.height - t.HEADER_HEIGHT - 32)


def mark_picture(colour: Colour, x: float, y: float, size: float, *, halo: bool = True) -> Picture:
    """A mark centred on (x, y)."""
    r = size * 0.65 + 2
    return Picture(Box(x - r, y - r, 2 * r, 2 * r), mark(colour, r, r, size, halo=halo))


def icon_picture(name: str, x: float, y: float, size: float, colour: str = t.INK) -> Picture:
    """An icon centred on (x, y)."""
    return Picture(Box(x - size / 2, y - size / 2, size, size), icon(name, size / 2, size / 2, size, colour))


def board(page: Page, view: BoardView, key: str = "board", *, live: bool = True) -> list[Part]:
    """The board and the neatline beside it."""
    box = page.board_box
    projection = Projection(box.w, box.h, box.w / 2, box.h / 2 - 1, t.HEX_SIDE)
    line = Picture(Box(t.BOARD_WIDTH, 0, t.NEATLINE, page.height), surfaces.neatline(page.height))
    return [BoardPart(key, box, view, projection, live=live), Art("neatline", (line,))]


def button(
    page: Page, box: Box, b: Button, key: str | None = None, *,
    align: Literal["center", "left"] = "center", arrow: bool = False, style: str | None = None,
    icon_size: float = 32, line: str | None = None,
) -> Press:  # fmt: skip
    """A button whose face fills `box`; its hard edge reaches `BUTTON_EDGE` below. `arrow`: a chevron after the text."""
    w, h = box.w, box.h + t.BUTTON_EDGE
    outer = Box(box.x, box.y, w, h)
    if not b.enabled:
        ground = down_ground = surfaces.off(w, h)
        ink = soft = t.OFF_TEXT
    elif b.kind == "primary":
        ground, down_ground = surfaces.primary(w, h), surfaces.primary(w, h, pressed=True)
        ink = soft = t.CARD
    else:
        rim = line or (t.RED_PENCIL if b.kind == "danger" else t.INK)
        ground, down_ground = surfaces.secondary(w, h, line=rim), surfaces.secondary(w, h, pressed=True, line=rim)
        ink, soft = (t.RED_PENCIL if b.kind == "danger" else t.INK), t.INK_SOFT
    text_style = style or ("primary" if b.kind == "primary" else "button")
    face = _face(page, box, b, ink, soft, text_style, align, arrow, icon_size)
    pressed = tuple(move(d, 0, t.BUTTON_EDGE) for d in face)
    return Press(
        key or b.id, b.id, box, (Picture(outer, ground), *face), (Picture(outer, down_ground), *pressed), b.enabled
    )


def move(drawn: Drawn, dx: float, dy: float) -> Drawn:
    """The same thing elsewhere."""
    if isinstance(drawn, Picture):
        return Picture(drawn.box.moved(dx, dy), drawn.svg, drawn.opacity)
    return Words(drawn.box.moved(dx, dy), drawn.spans, drawn.style, drawn.size, drawn.halign, drawn.valign)


def _face(
    page: Page, box: Box, b: Button, ink: str, soft: str, style: str, align: str, arrow: bool, icon_size: float
) -> tuple[Drawn, ...]:
    """Icon or mark, text and second line, side by side; centred together or from the left."""
    if not b.text:
        middle = (box.x + box.w / 2, box.y + box.h / 2)
        if b.mark:
            return (mark_picture(b.mark, *middle, min(30.0, box.h * 0.5)),)
        return (icon_picture(b.icon or "forward", *middle, icon_size, ink),)
    before = 0.0
    if b.mark:
        before = 38.0 if align == "center" else 42.0
    elif b.icon:
        before = icon_size + 8.0
    after = 32.0 if arrow else 0.0
    pad = 12.0 if box.w > 130 else 8.0
    room = box.w - 2 * pad - before - after
    lines = 1 if b.line else 2
    text = page.type.fit(Span(b.text, ink), style, Box(0, 0, room, box.h - 8 if not b.line else 25), lines=lines)
    second = page.type.fit(Span(b.line, soft), "body", Box(0, 0, room, 23), lines=1) if b.line else None
    width = max(
        page.type.width(text.spans, style, text.size) if page.type.height(text.spans, style, room, text.size) < 32
        else room,
        page.type.width(second.spans, "body") if second else 0,
    )  # fmt: skip
    width = min(width + 1, room)
    total = before + width + after
    x = box.x + (pad if align == "left" else (box.w - total) / 2)
    halign: Halign = "left" if align == "left" or before or second else "center"
    drawn: list[Drawn] = []
    middle_y = box.y + box.h / 2
    if b.mark:
        drawn.append(mark_picture(b.mark, x + (15 if align == "center" else 19), middle_y, 23))
    elif b.icon:
        drawn.append(icon_picture(b.icon, x + icon_size / 2, middle_y, icon_size, ink))
    x += before
    if align == "left":
        width = room
    if second:
        drawn.append(Words(Box(x, middle_y - 25, width, 25), text.spans, style, text.size, halign, "middle"))
        drawn.append(Words(Box(x, middle_y - 1, width, 23), second.spans, "body", second.size, halign, "middle"))
    else:
        drawn.append(Words(Box(x, box.y + 3, width, box.h - 6), text.spans, style, text.size, halign, "middle"))
    if arrow:
        drawn.append(icon_picture("forward", x + width + 22, middle_y, 26, ink))
    return tuple(drawn)


def icon_button(b: Button, box: Box, key: str | None = None, *, size: float = 30, colour: str = t.INK) -> Press:
    """An icon without a ground, in the header or at the end of a row."""
    middle = (box.x + box.w / 2, box.y + box.h / 2)
    ink = colour if b.enabled else t.RULE_SOFT
    up = icon_picture(b.icon or "close", *middle, size, ink)
    down = Picture(box, surfaces.plain(box.w, box.h, t.WELL))
    return Press(key or b.id, b.id, box, (up,), (down, up), b.enabled)


def header(
    page: Page, title: str, back: Button | None = None, *, right: float = 16.0
) -> tuple[list[Part], float]:
    """Title, double rule and the way back; `right` is what is kept free at the right. Returns the title's end too."""
    parts: list[Part] = []
    x = 22.0
    if back:
        shown = Button(id=back.id, text="", icon=back.icon or "back", enabled=back.enabled)
        parts.append(icon_button(shown, Box(8, 6, 60, 60), "back", size=32))
        x = 80.0
    words = page.type.fit(Span(title), "title", Box(x, 10, page.width - x - right, 52), valign="middle", lines=1)
    rule = Picture(Box(0, t.HEADER_HEIGHT - 1, page.width, 5), surfaces.double_rule(page.width))
    parts.append(Art("header", (words, rule)))
    return parts, x + page.type.width(words.spans, "title", words.size)


def panel_title(page: Page, name: str, colours: tuple[Colour, ...], menu: Button | None, *, icon_name: str = "",
                colour: str = t.INK) -> list[Part]:  # fmt: skip
    """The head of the panel: marks or an icon, the name, the menu."""
    panel = page.panel
    drawn: list[Drawn] = []
    x = panel.x
    for c in colours:
        drawn.append(mark_picture(c, x + 20, 37, 32))
        x += 40
    if icon_name:
        drawn.append(icon_picture(icon_name, x + 20, 40, 40, colour))
        x += 44
    if x > panel.x:
        x += 9
    right = panel.right - (44 if menu else 0)
    drawn.append(page.type.fit(Span(name, colour), "name", Box(x, 12, right - x, 50), valign="middle", lines=1))
    parts: list[Part] = [Art("title", tuple(drawn))]
    if menu:
        shown = Button(id=menu.id, text="", icon=menu.icon or "menu", enabled=menu.enabled)
        parts.append(icon_button(shown, Box(panel.right - 48, 7, 60, 60), "menu", size=34))
    return parts


def paragraph(page: Page, spans: tuple[Span, ...] | Span, style: str, y: float, *, room: float | None = None,
              halign: Halign = "left", box: Box | None = None) -> Words:  # fmt: skip
    """Text across the panel from `y` down."""
    at = box or page.panel
    return page.type.flow(spans, style, at.x, y, at.w, halign=halign, room=room)


def spans_of(line: Line) -> tuple[Span, ...]:
    """A line's text in the ink of its tone; of what is dangerous the first sentence stands out."""
    head, stop, rest = line.text.partition(". ")
    if line.tone == "danger" and rest:
        return Span(head + stop, t.RED_PENCIL, bold=True), Span(rest)
    return (Span(line.text, TONES[line.tone], line.tone in ("strong", "danger", "ok")),)


def list_line(page: Page, line: Line, box: Box, *, indent: float, mark_size: float = 19.0,
              icon_size: float = 26.0) -> list[Drawn]:  # fmt: skip
    """One line of a list: mark or icon, text, figure at the right."""
    drawn: list[Drawn] = []
    middle = box.y + box.h / 2
    if line.mark:
        drawn.append(mark_picture(line.mark, box.x + 12, middle, mark_size))
    elif line.icon:
        drawn.append(icon_picture(line.icon, box.x + 13, middle, icon_size, TONES[line.tone]))
    figure_width = 0.0
    if line.figure:
        spans = (Span(line.figure, TONES[line.tone], bold=True),)
        figure_width = page.type.width(spans, "lead") + 4
        place = Box(box.right - figure_width, box.y, figure_width, box.h)
        drawn.append(Words(place, spans, "lead", 20, "right", "middle"))
    x = box.x + (indent if line.mark or line.icon else 0)
    room = Box(x, box.y, box.right - x - figure_width, box.h)
    drawn.append(page.type.fit(spans_of(line), "body", room, valign="middle"))
    return drawn


def note(page: Page, n: Note, box: Box) -> tuple[Art, float]:
    """A note across `box`, as high as its text needs. Returns its lower end too."""
    fault = n.kind == "fault"
    ink = t.CARD if fault else t.INK
    strong_ink = {"fault": t.CARD, "warning": t.RED_PENCIL, "info": t.OK}[n.kind]
    default_icon = {"fault": "camera_off", "warning": "warning", "info": "info"}[n.kind]
    x = box.x + 54
    width = box.right - 14 - x
    y = box.y + 9
    words: list[Drawn] = []
    if fault and n.strong:
        head = page.type.flow(Span(n.strong, strong_ink), "strong", x, y, width)
        words.append(head)
        y = head.box.bottom
        spans: tuple[Span, ...] = (Span(n.text, ink),)
    else:
        spans = (*((Span(n.strong + " ", strong_ink, bold=True),) if n.strong else ()), Span(n.text, ink))
    if n.text or not fault:
        body = page.type.flow(spans, "body", x, y, width)
        words.append(body)
        y = body.box.bottom
    height = max(y + 9 - box.y, 56)
    rim = {"fault": t.RED_PENCIL, "warning": t.RED_PENCIL, "info": t.RULE_SOFT}[n.kind]
    ground = surfaces.plain(box.w, height, t.RED_PENCIL) if fault else surfaces.card(
        box.w, height, line=rim, width=1.2 if n.kind == "info" else 2.0
    )  # fmt: skip
    icon_ink = t.CARD if fault else (t.OK if n.kind == "info" else t.RED_PENCIL)
    sign = icon_picture(n.icon or default_icon, box.x + 28, box.y + min(28, height / 2), 34, icon_ink)
    drawn: list[Drawn] = [Picture(Box(box.x, box.y, box.w, height), ground), sign, *words]
    end = box.y + height
    if n.line:
        small = page.type.flow(Span(n.line, t.INK_SOFT), "body", box.x, end + 6, box.w)
        drawn.append(small)
        end = small.box.bottom
    return Art("note", tuple(drawn)), end


def button_row(page: Page, buttons: tuple[Button, ...], y: float, *, box: Box | None = None, height: float = 64.0,
               stretch_last: bool = False) -> list[Part]:  # fmt: skip
    """Buttons side by side along the foot: those with an icon only are square, the others share what is left."""
    at = box or page.panel
    if not buttons:
        return []
    squares = sum(1 for b in buttons if not b.text)
    shared = len(buttons) - squares
    rest = at.w - squares * height - t.GAP * (len(buttons) - 1)
    parts: list[Part] = []
    x = at.x
    for b in buttons:
        w = height if not b.text else rest / max(1, shared)
        parts.append(button(page, Box(x, y, w, height), b))
        x += w + t.GAP
    return parts


def scroll_bar(box: Box, shown: float, height: float) -> Art | None:
    """The bar beside a list that is longer than its box."""
    if height <= shown:
        return None
    thumb = max(40.0, shown * shown / height)
    body = svg.rect(0, 0, 7, box.h, radius=3.5, fill=t.WELL) + svg.rect(0, 0, 7, thumb, radius=3.5, fill=t.RULE)
    return Art("bar", (Picture(box, body),))
