"""The icons of `companion/ui/icons` as SVG fragments in any colour and size, with a halo on the chart."""

from __future__ import annotations

import copy
import functools
import importlib.resources
from xml.etree import ElementTree

from companion.ui.drawing import svg

_NAMESPACE = "{http://www.w3.org/2000/svg}"
ICON_SIZE = 64


@functools.cache
def _elements(name: str) -> tuple[ElementTree.Element, ...]:
    source = importlib.resources.files("companion.ui") / "icons" / f"{name}.svg"
    if not source.is_file():
        raise KeyError(f"there is no icon named {name!r}")
    root = ElementTree.fromstring(source.read_text("utf-8"))
    for element in root.iter():
        element.tag = element.tag.removeprefix(_NAMESPACE)
    return tuple(root)


@functools.cache
def _fragment(name: str, halo: float) -> str:
    """The icon's own elements in `currentColor`; with `halo`, every outline that much wider on both sides."""
    out = []
    for original in _elements(name):
        element = copy.deepcopy(original)
        if halo:
            for shape in element.iter():
                if shape.get("stroke"):
                    shape.set("stroke-width", svg.num(float(shape.get("stroke-width", "1")) + 2 * halo))
                elif shape.get("fill") not in (None, "none"):
                    shape.set("stroke", "currentColor")
                    shape.set("stroke-width", svg.num(2 * halo))
                    shape.set("stroke-linejoin", "round")
        out.append(ElementTree.tostring(element, encoding="unicode"))
    return "".join(out)


def icon(
    name: str, x: float, y: float, size: float, colour: str, *, halo: str | None = None, halo_width: float = 1.4
) -> str:
    """The icon centred on (x, y), `size` u wide; `halo` is a colour drawn round it. KeyError if unknown."""
    scale = size / ICON_SIZE
    body = ""
    if halo:
        body = svg.group(_fragment(name, halo_width / scale), color=halo)
    body += svg.group(_fragment(name, 0.0), color=colour)
    return f'<g transform="translate({svg.num(x - size / 2)} {svg.num(y - size / 2)}) scale({scale:.4f})">{body}</g>'
