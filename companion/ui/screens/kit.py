"""What the screens are put together from: the page and its boxes, pictures, paragraphs, lines of a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.rules.layout import Colour
from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces
from companion.ui.drawing.chart import Projection
from companion.ui.drawing.icons import icon
from companion.ui.drawing.marks import extent, mark
from companion.ui.parts import Art, BoardPart, Drawn, Part, Picture, Press, Span, Words
from companion.ui.text import Halign, Typesetter
from companion.viewmodel.states import BoardView, Line

TONES = {"normal": t.INK, "soft": t.INK_SOFT, "strong": t.INK, "danger": t.RED_PENCIL, "ok": t.OK}


@dataclass(frozen=True)
class Page:
    """The screen to fill: its size in u, what measures text, the letters that marks bear, if they do.

    `board_right`: on a wide screen the board lies at the right edge.
    """

    width: float
    height: float
    type: Typesetter
    mark_letters: Mapping[Colour, str] = field(default_factory=dict)
    board_right: bool = False

    def mark(self, colour: Colour, x: float, y: float, size: float, *, halo: bool = True) -> Picture:
        """A mark centred on (x, y)."""
        r = extent(size, letters=bool(self.mark_letters))
        return Picture(Box(x - r, y - r, 2 * r, 2 * r), self.drawn_mark(colour, r, r, size, halo=halo))

    def drawn_mark(self, colour: Colour, x: float, y: float, size: float, *, halo: bool = True) -> str:
        """The drawing of a mark alone, for a picture that has more in it."""
        return mark(colour, x, y, size, halo=halo, letter=self.mark_letters.get(colour, ""))

    @property
    def upright(self) -> bool:
        """Taller than wide: what lies side by side on a wide screen lies one below the other on this."""
        return self.height > self.width

    @property
    def board_box(self) -> Box:
        """The board: at the left or right edge, full height, or over the panel, full width."""
        if self.upright:
            return Box(0, 0, self.width, t.BOARD_HEIGHT * min(1.0, self.width / t.BOARD_WIDTH))
        return Box(self.width - t.BOARD_WIDTH if self.board_right else 0, 0, t.BOARD_WIDTH, self.height)

    @property
    def neatline(self) -> Box:
        """Between the board and the panel."""
        board = self.board_box
        if self.upright:
            return Box(0, board.bottom, self.width, t.NEATLINE)
        return Box(board.x - t.NEATLINE if self.board_right else board.right, 0, t.NEATLINE, self.height)

    @property
    def ground(self) -> Box:
        """All that is the panel's, from the neatline to the edges of the screen."""
        line = self.neatline
        if self.upright:
            return Box(0, line.bottom, self.width, self.height - line.bottom)
        return (
            Box(0, 0, line.x, self.height)
            if self.board_right
            else Box(line.right, 0, self.width - line.right, self.height)
        )

    @property
    def panel(self) -> Box:
        """The panel's content: extra width up to 420, then margins; over an upright screen's whole width.

        What is at its head keeps a distance from its upper edge; from the neatline it needs less.
        """
        if self.upright:
            top = self.neatline.y - 6
            return Box(t.EDGE, top, self.width - 2 * t.EDGE, self.height - top)
        ground = self.ground
        width = min(ground.w, t.PANEL_WIDTH_MOST)
        return Box(ground.x + (ground.w - width) / 2 + t.EDGE, 0, width - t.EDGE - 14, self.height)

    @property
    def foot(self) -> float:
        """The upper edge of the buttons along the panel's lower edge."""
        return self.height - (74 if self.upright else 77)

    @property
    def body(self) -> Box:
        """The whole screen within its edges, under the header."""
        return Box(t.EDGE, t.HEADER_HEIGHT + 16, self.width - 2 * t.EDGE, self.height - t.HEADER_HEIGHT - 32)


def icon_picture(name: str, x: float, y: float, size: float, colour: str = t.INK) -> Picture:
    """An icon centred on (x, y)."""
    return Picture(Box(x - size / 2, y - size / 2, size, size), icon(name, size / 2, size / 2, size, colour))


def board(page: Page, view: BoardView) -> list[Part]:
    """The board and the neatline between it and the panel."""
    box = page.board_box
    return [BoardPart("board", box, view, projection(box)), neatline(page)]


def neatline(page: Page) -> Art:
    """The line between the board and the panel."""
    box = page.neatline
    return Art("neatline", (Picture(box, surfaces.neatline(box.w, box.h)),))


def projection(box: Box) -> Projection:
    """Where the hexes lie in the board's box; they are smaller where it is narrow."""
    side = t.HEX_SIDE * min(1.0, box.w / t.BOARD_WIDTH)
    return Projection(box.w, box.h, box.w / 2, box.h / 2 - 1, side)


def move(drawn: Drawn, dx: float, dy: float) -> Drawn:
    """The same thing elsewhere."""
    if isinstance(drawn, Picture):
        return Picture(drawn.box.moved(dx, dy), drawn.svg, drawn.opacity)
    return Words(drawn.box.moved(dx, dy), drawn.spans, drawn.style, drawn.size, drawn.halign, drawn.valign)


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
        drawn.append(page.mark(line.mark, box.x + 12, middle, mark_size))
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


def list_row(row_id: str, box: Box, drawn: tuple[Drawn, ...]) -> Press:
    """A row of a list that leads somewhere: what is drawn in it, an arrow at its end, a rule below it."""
    rule = Picture(Box(box.x, box.bottom - 1, box.w, 1), surfaces.rule(box.w))
    low = Picture(Box(box.x, box.y, box.w, box.h - 1), surfaces.plain(box.w, box.h - 1, t.WELL, radius=6))
    face = (*drawn, icon_picture("forward", box.right - 18, box.y + box.h / 2 + 1, 29), rule)
    return Press(row_id, row_id, box, face, (low, *face))


def laid_over(page: Page, box: Box) -> tuple[Picture, Picture]:
    """The veil over a screen, and the ground of the dialog or card that lies on it."""
    veil = surfaces.plain(page.width, page.height, t.VEIL, radius=0)
    return (
        Picture(Box(0, 0, page.width, page.height), veil, t.DIALOG_VEIL_STRENGTH),
        Picture(box, surfaces.card(box.w, box.h, width=3, radius=14)),
    )


def no_picture(page: Page, room: Box, said: str) -> tuple[Drawn, ...]:
    """Where the camera's picture comes, and why there is none yet."""
    middle = room.y + room.h / 2
    words = Box(room.x + 24, middle + 16, room.w - 48, 60)
    return (
        icon_picture("camera", room.x + room.w / 2, middle - 34, 72, t.INK_SOFT),
        page.type.fit(Span(said, t.INK_SOFT), "lead", words, halign="center"),
    )
