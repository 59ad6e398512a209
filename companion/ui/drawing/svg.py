"""The few SVG elements all drawings are made of. Everything returns a fragment, in u, y down."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Point = tuple[float, float]


def num(value: float) -> str:
    """A coordinate with five digits: hundredths of a u on a screen of less than a thousand."""
    return f"{value:.5g}"


def attributes(**values: object) -> str:
    """XML attributes; `_` in a name becomes `-`, None is left out."""
    return "".join(
        f' {name.replace("_", "-")}="{num(v) if isinstance(v, float) else v}"'
        for name, v in values.items()
        if v is not None
    )


def path(d: str, *, fill: str = "none", **more: object) -> str:
    """A path; filled if `fill` is given."""
    return f'<path d="{d}"{attributes(fill=fill, **more)}/>'


def polyline(points: Iterable[Point], *, closed: bool = False) -> str:
    """The path data through `points`."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + ("Z" if closed else "")


def polygon(points: Iterable[Point], *, fill: str = "none", **more: object) -> str:
    """A closed shape of straight sides."""
    return path(polyline(points, closed=True), fill=fill, **more)


def circle(x: float, y: float, r: float, *, fill: str = "none", **more: object) -> str:
    """A circle about (x, y)."""
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}"{attributes(fill=fill, **more)}/>'


def rect(x: float, y: float, w: float, h: float, *, radius: float = 0.0, fill: str = "none", **more: object) -> str:
    """A rectangle with rounded corners."""
    size = f'x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}" rx="{num(radius)}"'
    return f"<rect {size}{attributes(fill=fill, **more)}/>"


def group(body: str, **more: object) -> str:
    """A group with attributes in common."""
    return f"<g{attributes(**more)}>{body}</g>"


def at(x: float, y: float, body: str, *, scale: float = 1.0) -> str:
    """`body` moved to (x, y) and scaled."""
    grow = "" if scale == 1.0 else f" scale({num(scale)})"
    return f'<g transform="translate({num(x)} {num(y)}){grow}">{body}</g>'


def figure(
    text: str, x: float, y: float, size: float, *, fill: str, halo: str | None = None, width: float = 4,
    weight: int = 900,
) -> str:  # fmt: skip
    """Heavy digits or letters centred on (x, y); `halo` draws a stroke of `width` behind them."""
    common = {
        "x": x,
        "y": y + size * 0.36,
        "font_size": size,
        "font_family": "sans-serif",
        "font_weight": weight,
        "text_anchor": "middle",
    }
    back = attributes(**common, fill=halo, stroke=halo, stroke_width=width, stroke_linejoin="round") if halo else ""
    front = attributes(**common, fill=fill)
    return (f"<text{back}>{text}</text>" if halo else "") + f"<text{front}>{text}</text>"


def smooth(points: Sequence[Point], *, closed: bool = False, first: int | None = None) -> str:
    """The path data of a curve through `points` (Catmull-Rom, as cubic Bezier pieces), or of its `first` few pieces."""
    n = len(points)
    pieces = [f"M{num(points[0][0])} {num(points[0][1])}"]
    whole = n if closed else n - 1
    for i in range(whole if first is None else first):
        p0 = points[(i - 1) % n] if closed or i > 0 else points[i]
        p1, p2 = points[i], points[(i + 1) % n]
        p3 = points[(i + 2) % n] if closed or i + 2 < n else p2
        c1 = (p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6)
        c2 = (p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6)
        pieces.append(f"C{num(c1[0])} {num(c1[1])} {num(c2[0])} {num(c2[1])} {num(p2[0])} {num(p2[1])}")
    return "".join(pieces) + ("Z" if closed else "")


def hexagon(x: float, y: float, side: float) -> list[Point]:
    """The corners of a pointy-top hex about (x, y), from the top clockwise."""
    half = side * math.sqrt(3) / 2
    return [
        (x, y - side),
        (x + half, y - side / 2),
        (x + half, y + side / 2),
        (x, y + side),
        (x - half, y + side / 2),
        (x - half, y - side / 2),
    ]
