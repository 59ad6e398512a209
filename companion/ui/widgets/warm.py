"""What a game will need is drawn before it is asked for: a little in each frame, after the start.

A veil that appears when a finger chooses a piece, the tiles of a board or the curtain of a secret must not wait for
their first drawing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import get_args

from kivy.clock import Clock

from companion.rules.geometry import Board, load_board
from companion.rules.layout import COLOURS, HexContent, Terrain
from companion.ui import textures
from companion.ui import tokens as t
from companion.ui.drawing import lights, pieces, surfaces
from companion.ui.drawing.chart import Projection
from companion.ui.drawing.lights import Sprite
from companion.ui.screens.kit import Page, projection
from companion.ui.widgets.board import sea_body, tile_sprites, veil_body
from companion.ui.widgets.stamp import placed
from companion.viewmodel.states import BoardView, HexView, Light

_A_FRAME_S = 0.004
"""So much of a frame may go into drawing ahead; what is one picture is not cut in two."""

_LIT: tuple[Light, ...] = ("legal", "chosen", "deadly")
_ASHORE = tuple(HexContent(tile="beach", explorers={colour: 1}) for colour in COLOURS)
_AFLOAT = (
    HexContent(boat={}), HexContent(serpents=1), HexContent(sharks=1), HexContent(whales=1), HexContent(dolphins=1),
    *(HexContent(explorers={colour: 1}) for colour in COLOURS), *(HexContent(boat={colour: 1}) for colour in COLOURS),
)  # fmt: skip


def warm_up(page: Page, board: str, scale: float) -> None:
    """Draw sea, veil, curtain, tiles, lights and the commonest pieces of `board` for screens like `page`."""
    jobs = _jobs(page, board, scale)

    def draw_next(_dt: float) -> None:
        end = time.perf_counter() + _A_FRAME_S
        for job in jobs:
            job()
            if time.perf_counter() >= end:
                Clock.schedule_once(draw_next)
                return

    Clock.schedule_once(draw_next)


def _jobs(page: Page, board: str, scale: float) -> Iterator[Callable[[], object]]:
    box = page.board_box
    place = projection(box)
    for whole in (lambda: sea_body(board, place, True), lambda: veil_body(board, place, ())):
        yield lambda whole=whole: textures.large_texture(whole(), (box.w, box.h), scale)  # type: ignore[misc]
    screen = page.width, page.height
    for body in (surfaces.plain(*screen, t.VEIL, radius=0), surfaces.waves(*screen)):
        yield lambda body=body: textures.texture(body, screen, scale)  # type: ignore[misc]
    for sprite in _sprites(load_board(board), place):
        yield lambda sprite=sprite: placed(sprite, box, place, scale)  # type: ignore[misc]


def _sprites(board: Board, place: Projection) -> Iterator[Sprite]:
    """What can be anywhere, anywhere it can be; most lie off a pixel as others do, and are drawn once for all."""
    terrains: tuple[Terrain, ...] = get_args(Terrain)
    for terrain in terrains:
        yield from tile_sprites(dict.fromkeys(board.island, terrain), place)
    for tile in (None, *terrains):
        for light in _LIT:
            where = board.hexes if tile is None else board.island
            view = BoardView(
                hexes=tuple(HexView(hex=h, content=HexContent(tile=tile), light=light) for h in where), veiled=True
            )
            yield from lights.lights(view, place)
            yield from lights.pencil(view, place)
    for contents, hexes in ((_ASHORE, board.island), (_AFLOAT, board.hexes)):
        for content in contents:
            body = pieces.pieces(content)
            yield from (Sprite(place.centre(h), body, pieces.REACH) for h in hexes)
