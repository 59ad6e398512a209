"""The design tokens: colours, type, sizes and times of every screen, in one table.

Sizes are in `u`, a 480th of the screen's height on the usual shapes: 1 u = 1 px on 800x480, 1.5 px on 1280x720.
Times are in seconds. Colours are `#RRGGBB`.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from companion.rules.layout import Colour, Terrain

# --- grounds, inks and signals
PAPER: Final = "#F4EBD6"
CARD: Final = "#FCF7EA"
WELL: Final = "#E6D9BA"
INK: Final = "#1D2B36"
INK_SOFT: Final = "#4A5560"
RULE: Final = "#8A7A55"
RULE_SOFT: Final = "#D3C49C"
OFF_TEXT: Final = "#5C5A4C"
SEA_INK: Final = "#1F4E5F"
SEA_INK_EDGE: Final = "#12323E"
SEA_INK_PRESSED: Final = "#163947"
SEA_INK_PALE: Final = "#4A6B78"
CURTAIN: Final = "#173E4C"
CURTAIN_ENGRAVING: Final = "#2E6274"
CURTAIN_FRAME: Final = "#7FA9B0"
RED_PENCIL: Final = "#A8281E"
BRASS: Final = "#7E5A12"
AMBER: Final = "#F2B632"
OK: Final = "#2C6239"
DIE_TOP: Final = "#BE3A2E"
DIE_BOTTOM: Final = "#9C241B"
DIE_EDGE: Final = "#6E1710"
BLUE_DIE_TOP: Final = "#2A5BA8"
BLUE_DIE_BOTTOM: Final = "#1B4796"
BLUE_DIE_EDGE: Final = "#0F2B5E"
HARD_EDGE: Final = "#A9A393"

# --- the chart
CHART_SEA: Final = "#AFCDD1"
CHART_SEA_DEEP: Final = "#9FC1C7"
CHART_LINE: Final = "#86AEB5"
CHART_LETTER: Final = "#173C49"
ISLAND_LINE: Final = "#417E8E"
SAFE_LAND: Final = "#E7D7A2"
LANDING: Final = "#DCD9B5"
COAST: Final = "#8A7440"
LIT_SEA: Final = "#E9F7F8"
LIT_RING: Final = "#FFE9A8"
DEADLY_RING: Final = "#F6B9AC"
DEADLY_FILL: Final = "#F3DAD5"
VEIL: Final = "#23414E"
VEIL_STRENGTH: Final = 0.46
VEILED_PIECE_STRENGTH: Final = 0.82
DIALOG_VEIL_STRENGTH: Final = 0.62
HULL: Final = "#8A5A36"
BENCH: Final = "#E9CFA0"


class TerrainLook(NamedTuple):
    """How a tile is drawn: its face, the edge under it (u thick) and the ink of its drawing."""

    face: str
    edge: str
    thickness: float
    drawing: str


TERRAIN: Final[dict[Terrain, TerrainLook]] = {
    "beach": TerrainLook("#F0DFAE", "#C9AE6B", 2.2, "#D3B777"),
    "forest": TerrainLook("#8DAA66", "#5F7A3E", 3.4, "#67854A"),
    "mountain": TerrainLook("#93837A", "#63554E", 4.8, "#63554E"),
}

PLAYER: Final[dict[Colour, str]] = {"red": "#B3241C", "blue": "#1B4796", "yellow": "#F6C832", "green": "#43A866"}


# --- type
Face = Literal["Vollkorn", "VollkornItalic", "Lato", "LatoBold", "LatoBlack"]


class Style(NamedTuple):
    """A text style: its face, the sizes it may shrink through, largest first, and the line height at the first (u)."""

    face: Face
    sizes: tuple[int, ...]
    line: int


SMALLEST_TEXT: Final = 18

STYLES: Final[dict[str, Style]] = {
    "display": Style("Vollkorn", (44, 36, 31), 46),
    "title": Style("Vollkorn", (31, 27, 24), 34),
    "panel_title": Style("Vollkorn", (28, 25, 24), 31),
    "name": Style("Vollkorn", (31, 27, 24), 34),
    "subtitle": Style("Vollkorn", (24, 22), 26),
    "motto": Style("VollkornItalic", (20, 18), 24),
    "phase": Style("LatoBold", (22, 20, 19, 18), 25),
    "primary": Style("LatoBold", (22, 20, 19, 18), 25),
    "button": Style("LatoBold", (20, 19, 18), 22),
    "strong": Style("LatoBold", (20, 19, 18), 24),
    "body_strong": Style("LatoBold", (18,), 23),
    "lead": Style("Lato", (20, 19, 18), 26),
    "curtain": Style("Lato", (22, 20, 18), 30),
    "body": Style("Lato", (18,), 23),
    "figure": Style("LatoBold", (24,), 27),
    "number": Style("LatoBlack", (24,), 28),
    "big_number": Style("LatoBlack", (38, 31), 40),
    "key": Style("LatoBlack", (30,), 34),
}

# --- sizes
EDGE: Final = 16.0
GAP: Final = 8.0
BUTTON_HEIGHT: Final = 64.0
BUTTON_EDGE: Final = 3.0
TOUCH: Final = 60.0
TOUCH_IN_ROW: Final = 48.0
HEADER_HEIGHT: Final = 72.0
BOARD_WIDTH: Final = 492.0
BOARD_HEIGHT: Final = 460.0
NEATLINE: Final = 8.0
BAR: Final = 7.0
PANEL_WIDTH_MOST: Final = 420.0
HEX_SIDE: Final = 22.6
FINGER: Final = 30.0
CORNER_RADIUS: Final = 180.0


# --- times
class Motion(NamedTuple):
    """How long what moves takes: lights, a panel that comes in, a piece (a hex, and at most), the red pencil's circle,
    a toast that comes and goes, the curtain's card that comes in, the die's tumbling, the die fading in."""

    light: float
    panel: float
    move_a_hex: float
    move_most: float
    circle: float
    toast_in: float
    toast_out: float
    curtain: float
    die_tumble: float
    die_fade: float


USUAL_MOTION: Final = Motion(
    light=0.16, panel=0.2, move_a_hex=0.26, move_most=0.6, circle=0.4, toast_in=0.16, toast_out=0.24, curtain=0.12,
    die_tumble=0.7, die_fade=0.0,
)  # fmt: skip
LESS_MOTION: Final = Motion(*[0.0] * len(Motion._fields))._replace(die_fade=0.12)
