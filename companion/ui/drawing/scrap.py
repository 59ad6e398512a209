"""The small pictures on the cards of the rules: a scrap of a chart with ways drawn on it, signs in a row, or dice."""

from __future__ import annotations

import math

from companion.rules.geometry import Hex
from companion.ui import tokens as t
from companion.ui.drawing import chart, die, lights, svg
from companion.ui.drawing.chart import Projection
from companion.ui.drawing.icons import icon
from companion.ui.drawing.pieces import pieces
from companion.viewmodel.states import BoardView, Die, Scrap, Way

MOST_SIDE = 48.0
_MARGIN = 14.0
_SIGN = 64.0
_DIE = 92.0
_ENDS = {"stroke_linecap": "round", "stroke_linejoin": "round"}


def scrap(picture: Scrap, w: float, h: float) -> str:
    """The picture in a frame of (0, 0, w, h), as large as it fits."""
    sea = bool(picture.hexes)
    ground = svg.rect(1, 1, w - 2, h - 2, radius=8, fill=t.CHART_SEA_DEEP if sea else t.WELL)
    frame = svg.rect(1, 1, w - 2, h - 2, radius=8, stroke=t.INK, stroke_width=1.6)
    top = 0.0
    body = ""
    if picture.icons:
        top = _SIGN + 2 * _MARGIN if sea else h
        body += _signs(picture, w, top)
    if picture.die:
        body += _dice(picture.die, w, h)
    if sea:
        body += _chart(picture, _projection(picture, w, h, top))
    clip = f'<clipPath id="scrap">{svg.rect(1, 1, w - 2, h - 2, radius=8, fill="#000")}</clipPath>'
    return clip + ground + svg.group(body, clip_path="url(#scrap)") + frame


def _signs(picture: Scrap, w: float, h: float) -> str:
    """The icons side by side in the upper `h` u, on card where a chart lies below."""
    count = len(picture.icons)
    size = min(_SIGN if picture.hexes else 84.0, (w - 2 * _MARGIN - 8.0 * (count - 1)) / count)
    step = size + 8.0
    left = w / 2 - step * (count - 1) / 2
    back = svg.rect(0, 0, w, h - _MARGIN / 2, fill=t.CARD) if picture.hexes else ""
    return back + "".join(
        icon(name, left + i * step, (h - (_MARGIN / 2 if picture.hexes else 0)) / 2, size, t.INK)
        for i, name in enumerate(picture.icons)
    )


def _dice(shown: Die, w: float, h: float) -> str:
    faces = (shown.face, shown.second) if shown.second else (shown.face,)
    lacquer = die.BLUE if shown.second else die.RED
    step = _DIE + 14.0
    left = (w - step * len(faces) + 14.0) / 2
    top = (h - _DIE) / 2 - 3
    return "".join(
        svg.at(left + i * step - die.SHADOW, top - die.SHADOW, die.die(_DIE, face, 0.0, lacquer))
        for i, face in enumerate(faces)
    )


def _projection(picture: Scrap, w: float, h: float, top: float) -> Projection:
    """Where the hexes lie, so that all of them fit below `top`."""
    unit = Projection(0, 0, 0, 0, 1.0)
    centres = [unit.centre(place) for place in _places(picture)]
    xs, ys = [x for x, _ in centres], [y for _, y in centres]
    wide, high = max(xs) - min(xs) + math.sqrt(3), max(ys) - min(ys) + 2.0
    side = min(MOST_SIDE, (w - 2 * _MARGIN) / wide, (h - top - 2 * _MARGIN) / high)
    x = w / 2 - side * (max(xs) + min(xs)) / 2
    y = (top + h) / 2 - side * (max(ys) + min(ys)) / 2
    return Projection(w, h, x, y, side)


def _places(picture: Scrap) -> tuple[Hex, ...]:
    return (*(view.hex for view in picture.hexes), *picture.lands)


def _chart(picture: Scrap, projection: Projection) -> str:
    """Sea and land, tiles, lights, ways, and then the pieces, so that no way hides one."""
    k = projection.side / t.HEX_SIDE
    views = [view for view in picture.hexes if view.hex not in picture.lands]
    tiles = {view.hex: view.content.tile for view in views if view.content.tile}
    parts = [
        svg.polygon(projection.hexagon(view.hex), fill=t.CHART_SEA, stroke=t.CHART_LINE, stroke_width=1.1 * k)
        for view in views
    ]
    parts += [chart.landing(projection.hexagon(place, -2.6 * k), k) for place in picture.landings]
    parts += [
        svg.polygon(projection.hexagon(place, -0.8 * k), fill=t.SAFE_LAND, stroke=t.COAST, stroke_width=1.7 * k)
        for place in picture.lands
    ]
    parts.append(chart.water_lines(tiles, projection))
    rows = sorted(tiles.items(), key=lambda item: (item[0][1], item[0][0]))
    parts += [svg.at(*projection.centre(h), chart.tile(terrain, 0, 0, t.HEX_SIDE), scale=k) for h, terrain in rows]
    view = BoardView(hexes=tuple(views))
    parts += [svg.at(*sprite.centre, sprite.body, scale=k) for sprite in lights.lights(view, projection)]
    parts += [svg.at(*projection.centre(v.hex), body, scale=k) for v in views if (body := pieces(v.content))]
    parts += [svg.at(*sprite.centre, sprite.body, scale=k) for sprite in lights.pencil(view, projection)]
    parts += [_way(way, projection, k) for way in picture.ways]
    return "".join(parts)


def _way(way: Way, projection: Projection, k: float) -> str:
    """An arrow from hex to hex in ink; a way that is not open is a red-pencil cross between them."""
    (x1, y1), (x2, y2) = projection.centre(way.origin), projection.centre(way.target)
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    start = (x1 + ux * 13 * k, y1 + uy * 13 * k)
    tip = (x2 - ux * 10 * k, y2 - uy * 10 * k)
    if way.open:
        heading = math.atan2(uy, ux)
        barbs = [(tip[0] - 8 * k * math.cos(heading + a), tip[1] - 8 * k * math.sin(heading + a)) for a in (0.6, -0.6)]
        d = svg.polyline([start, tip]) + svg.polyline([barbs[0], tip, barbs[1]])
    else:
        x, y, r = (x1 + x2) / 2, (y1 + y2) / 2, 7.0 * k
        d = svg.polyline([(x - r, y - r), (x + r, y + r)]) + svg.polyline([(x - r, y + r), (x + r, y - r)])
    colour = t.INK if way.open else t.RED_PENCIL
    halo = svg.path(d, stroke=t.CARD, stroke_width=5.4 * k, **_ENDS)
    return halo + svg.path(d, stroke=colour, stroke_width=2.6 * k, **_ENDS)
