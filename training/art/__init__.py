"""Textures of randomised game tables: boards, tile faces, table tops, corner cards. See README.md."""

from training.art.board import bare_lands, bare_sea, board_art
from training.art.cards import card
from training.art.tabletops import table_top
from training.art.tiles import tile_faces

__all__ = ["bare_lands", "bare_sea", "board_art", "card", "table_top", "tile_faces"]
