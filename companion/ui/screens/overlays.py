"""What lies over a screen: the dialog with its veil, and the toast at the foot."""

from __future__ import annotations

from companion.ui import tokens as t
from companion.ui.box import Box
from companion.ui.drawing import surfaces, svg
from companion.ui.drawing.icons import icon
from companion.ui.parts import Art, Drawn, Part, Picture, Press, Span
from companion.ui.screens import kit
from companion.ui.screens.buttons import button
from companion.ui.screens.kit import Page
from companion.viewmodel.states import Button, Dialog, Toast

_WIDTH = 520.0
_MARK_HEIGHT = 92.0


def dialog(page: Page, d: Dialog) -> list[Part]:
    """The question, the marks that must agree, the answers; the safe one is the primary."""
    width = min(_WIDTH, page.width - 24)
    inner_w = width - 54
    left = (page.width - width) / 2
    x = left + 27
    text = page.type.flow(Span(d.text), "lead", x, 0, inner_w)
    title_h = page.type.height((Span(d.title),), "title", inner_w)
    rows = [row for row in (d.answers[i : i + 2] for i in range(0, len(d.answers), 2)) if row]
    height = 20 + title_h + 9 + text.box.h + 21 + (_MARK_HEIGHT + 18 if d.marks else 0) + 72 * len(rows) + 64 + 21
    top = max(8.0, (page.height - height) / 2)
    y = top + 20
    over = kit.laid_over(page, Box(left, top, width, height))
    title = page.type.flow(Span(d.title), "title", x, y, inner_w)
    y = title.box.bottom + 9
    text = page.type.flow(Span(d.text), "lead", x, y, inner_w)
    y = text.box.bottom + 21
    parts: list[Part] = [Art("veil", (*over, title, text))]
    if d.marks:
        gap = 12.0
        w = (inner_w - gap * (len(d.marks) - 1)) / len(d.marks)
        parts += [_consent(page, b, Box(x + i * (w + gap), y, w, _MARK_HEIGHT - 3)) for i, b in enumerate(d.marks)]
        y += _MARK_HEIGHT + 18
    for row in rows:
        w = (inner_w - t.GAP * (len(row) - 1)) / len(row)
        parts += [button(page, Box(x + i * (w + t.GAP), y, w, 61), b) for i, b in enumerate(row)]
        y += 72
    safe = Button(id=d.safe.id, text=d.safe.text, icon=d.safe.icon, kind="primary", enabled=d.safe.enabled)
    parts.append(button(page, Box(x, y, inner_w, 64), safe))
    return parts


def _consent(page: Page, b: Button, box: Box) -> Press:
    """A player's mark to press; pressed it stays down with a tick. `icon` is `check` once it was."""
    w, h = box.w, box.h + 3
    given = b.icon == "check"
    cx, cy = box.x + w / 2, box.y + 32
    face: list[Drawn] = []
    if b.mark:
        face.append(page.mark(b.mark, cx - (15 if given else 0), cy, 29, halo=False))
    if given:
        tick = Picture(Box(cx + 5, cy - 13, 26, 26), icon("check", 13, 13, 24, t.OK))
        face.append(tick)
    face.append(page.type.fit(Span(b.text), "button", Box(box.x + 6, box.y + 54, w - 12, 26), halign="center",
                              valign="middle", lines=1))  # fmt: skip
    rest = surfaces.card(w, h - 3, fill=t.WELL) if given else surfaces.secondary(w, h)
    ground, low = Box(box.x, box.y, w, h), surfaces.secondary(w, h, pressed=True)
    down = tuple(kit.move(d, 0, 3) for d in face)
    enabled = b.enabled and not given
    return Press(b.id, b.id, box, (Picture(ground, rest), *face), (Picture(ground, low), *down), enabled)


def toast(page: Page, shown: Toast) -> list[Part]:
    """A dark line at the board's foot, 60 high, with Undo if that is possible; the panel's buttons stay free.

    No finger reaches through it to the board.
    """
    board = page.board_box
    box = Box(board.x + 14, board.bottom - 74, board.w - 28, 60)
    drawn: list[Drawn] = [Picture(box, surfaces.plain(box.w, box.h, t.INK))]
    x = box.x + 20
    if shown.icon:
        drawn.append(kit.icon_picture(shown.icon, x + 14, box.y + 30, 28, t.CARD))
        x += 42
    parts: list[Part] = []
    right = box.right - 18
    if shown.undo:
        undo = shown.undo
        w = page.type.width((Span(undo.text, bold=True),), "body_strong") + 8
        place = Box(right - w, box.y + 16, w, 26)
        label = page.type.fit(Span(undo.text, t.CARD), "body_strong", place, valign="middle")
        underline = Picture(Box(right - w, box.y + 41, w, 2), svg.rect(0, 0, w - 6, 1.4, fill=t.CARD))
        area = Box(right - w - 12, box.y, w + 24, 60)
        pressed = Picture(area, surfaces.plain(area.w, area.h, t.SEA_INK))
        face: tuple[Drawn, ...] = (label, underline)
        parts.append(Press(undo.id, undo.id, area, face, (pressed, *face), undo.enabled))
        right -= w + 16
    drawn.append(page.type.fit(Span(shown.text, t.CARD), "body", Box(x, box.y + 5, right - x, 50), valign="middle"))
    return [Art("toast", tuple(drawn), box), *parts]
