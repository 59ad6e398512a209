"""3. Set-up before the game: the island being laid.

`Island` is pure: what lies where against the forty tiles of 1.1. `CountTiles` counts what the camera sees or fingers
enter. `other_pieces`: are the serpents in their places (2.2), and is nothing else left on the board?
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import msgspec

from companion.i18n import N_, _, ngettext, pgettext
from companion.rules.geometry import Hex
from companion.rules.layout import TERRAINS, HexContent, Layout, Terrain
from companion.rules.pieces import TILE_COUNTS
from companion.table.start import start_game
from companion.viewmodel.board import Choice, board_view
from companion.viewmodel.camera import blind_note
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.presenter import Presenter, Shell
from companion.viewmodel.states import Button, Light, Line, Note, SetupScreen
from companion.viewmodel.words import BOARD, label, labels, terrain_name

_AT_SEA: Mapping[Terrain, str] = {
    "beach": N_("Move that beach onto the island."),
    "forest": N_("Move that forest onto the island."),
    "mountain": N_("Move that mountain onto the island."),
}
_TOO_MANY: Mapping[Terrain, str] = {
    "beach": N_("There are {count} beaches, and there should be {all}. Change the one at {hex}."),
    "forest": N_("There are {count} forests, and there should be {all}. Change the one at {hex}."),
    "mountain": N_("There are {count} mountains, and there should be {all}. Change the one at {hex}."),
}
_SURE = 0.9
"""So surely read, what the camera sees anew counts more than what was touched before."""
_NAMED_BARE = 4
"""So many bare places are named; more are only counted."""


class Island(msgspec.Struct, frozen=True):
    """Tiles by hex, anywhere on the board, against 16, 16 and 8 on the forty island hexes (1.1, 2.2).

    `sure`: how probable those are that the camera has read.
    """

    tiles: dict[Hex, Terrain]
    sure: dict[Hex, float] = {}

    @property
    def counts(self) -> tuple[tuple[Terrain, int, int], ...]:
        """Each terrain, how many lie, how many there should be."""
        return tuple((t, sum(tile == t for tile in self.tiles.values()), TILE_COUNTS[t]) for t in TERRAINS)

    @property
    def bare(self) -> tuple[Hex, ...]:
        """Places of the island without a tile."""
        return tuple(h for h in BOARD.island if h not in self.tiles)

    @property
    def wrong(self) -> tuple[tuple[Hex, str, str], ...]:
        """What cannot stay, in the order of the board: the hex, what is wrong in short, what to do."""
        at_sea = [
            (h, _("{hex} is open sea.").format(hex=label(h)), _(_AT_SEA[tile]))
            for h, tile in self.tiles.items()
            if h not in BOARD.island
        ]
        surplus = []
        for terrain, count, all_of_it in self.counts:
            if count > all_of_it:
                laid = [h for h in reversed(BOARD.hexes) if self.tiles.get(h) == terrain]
                h = min(laid, key=lambda h: self.sure.get(h, 1.0))  # the one that may be misread
                text = _(_TOO_MANY[terrain]).format(count=count, all=all_of_it, hex=label(h))
                surplus.append((h, "", text))
        return tuple(sorted(at_sea, key=lambda item: BOARD.index[item[0]])) + tuple(surplus)

    @property
    def complete(self) -> bool:
        """The island can be played on."""
        return not self.bare and not self.wrong

    def lights(self) -> dict[Hex, Light]:
        """Bare places dashed, wrong tiles circled."""
        return {**dict.fromkeys(self.bare, "bare"), **{h: "contradicted" for h, _short, _text in self.wrong}}

    def note(self) -> Note | None:
        """The first thing that is wrong."""
        if not self.wrong:
            return None
        _h, strong, text = self.wrong[0]
        return Note(strong=strong, text=text, kind="warning", icon="warning")

    def lines(self) -> tuple[Line, ...]:
        """Which places are bare, while they are few."""
        if not 0 < len(self.bare) <= _NAMED_BARE:
            return ()
        text = ngettext("{n} place is still bare: {hexes}.", "{n} places are still bare: {hexes}.", len(self.bare))
        return (Line(text=text.format(n=len(self.bare), hexes=labels(self.bare)), tone="soft"),)

    def waits_for(self) -> str:
        """What the primary button says while it is off."""
        if self.bare:
            return ngettext("{n} place to fill", "{n} places to fill", len(self.bare)).format(n=len(self.bare))
        return _("Put the tiles right")


def tiles_of(layout: Layout) -> dict[Hex, Terrain]:
    """The tiles of a layout."""
    return {h: content.tile for h, content in layout.hexes.items() if content.tile}


def other_pieces(seen: Layout | None) -> tuple[tuple[Line, ...], dict[Hex, Light]]:
    """What is to be done beside laying tiles, in words and on the board; without a camera people are reminded only."""
    if seen is None:
        return (Line(text=_("Serpents go on their five hexes."), icon="serpent"),), {}
    looked_at = [h for h in BOARD.hexes if h not in seen.unknown]
    bare = [h for h in looked_at if h in BOARD.serpent_starts and seen.at(h).serpents == 0]
    astray = [h for h in looked_at if seen.at(h).serpents > (h in BOARD.serpent_starts)]
    left = [h for h in looked_at if _left_over(seen.at(h))]
    lines = []
    if bare:
        text = ngettext("Put a serpent on {hexes}.", "Put serpents on {hexes}.", len(bare))
        lines.append(Line(text=text.format(hexes=labels(bare)), icon="serpent"))
    elif not astray:
        lines.append(Line(text=_("The serpents are in their places."), icon="serpent", tone="ok"))
    if astray:
        text = ngettext("Take the serpent off {hexes}.", "Take the serpents off {hexes}.", len(astray))
        lines.append(Line(text=text.format(hexes=labels(astray)), icon="serpent"))
    if left:
        text = (
            _("Take the pieces off {hexes}.") if len(left) <= _NAMED_BARE else _("Take all other pieces off the board.")
        )
        lines.append(Line(text=text.format(hexes=labels(left)), icon="warning"))
    return tuple(lines), {**dict.fromkeys(bare, "bare"), **dict.fromkeys((*astray, *left), "contradicted")}


def _left_over(content: HexContent) -> bool:
    """Something that is put on the board later, or never."""
    standing = content.explorers or content.sharks or content.whales or content.dolphins
    return bool(standing) or content.boat is not None


def _tile_name(tile: Terrain | None) -> str:
    return terrain_name(tile) if tile else pgettext("nothing lies on the hex", "No tile")


class CountTiles(Presenter):
    """The forty tiles as they lie: read by the camera, or entered by touching a place until it shows the right one.

    What is touched counts until the camera surely sees something else there than it did then; while both disagree, that
    is said before anything else.
    """

    def __init__(self, shell: Shell, draft: NewGameDefaults) -> None:
        self._shell = shell
        self._draft = draft
        self._by_touch: dict[Hex, Terrain | None] = {}
        self._seen_then: dict[Hex, Terrain | None] = {}
        self._seen: Layout | None = None
        self._sure: Mapping[Hex, float] = {}
        self._look()

    def _look(self) -> bool:
        table = self._shell.table
        layout = table.latest_layout() if table and self._draft.camera else None
        sure = {} if table is None or layout is None else table.tiles_sure()
        surely = {h for h in self._by_touch if layout and h not in layout.unknown and sure.get(h, 0) >= _SURE}
        overruled = [h for h in surely if layout and layout.at(h).tile != self._seen_then[h]]
        for h in overruled:
            del self._by_touch[h]
        if layout == self._seen and not overruled:
            return False
        self._seen, self._sure = layout, dict(sure)
        return True

    def _disputed(self) -> dict[Hex, tuple[Terrain | None, Terrain | None]]:
        """Where people have said something else than the camera sees: both, in the order of the board."""
        seen = self._seen
        if seen is None:
            return {}
        said = {h: self._by_touch[h] for h in BOARD.island if h in self._by_touch and h not in seen.unknown}
        return {h: (tile, seen.at(h).tile) for h, tile in said.items() if tile != seen.at(h).tile}

    def _dispute(self) -> Note | None:
        """The first of them."""
        for h, (said, seen) in self._disputed().items():
            text = _("{hex}: you said “{said}”, the camera sees “{seen}”.")
            names = {"said": _tile_name(said), "seen": _tile_name(seen)}
            return Note(text=text.format(hex=label(h), **names), kind="warning", icon="camera")
        return None

    def _blind(self) -> Note | None:
        """Why the camera reads nothing, where it is to read."""
        table = self._shell.table
        return blind_note(table.status) if table and self._draft.camera else None

    def _island(self) -> Island:
        seen = tiles_of(self._seen) if self._seen else {}
        tiles = {**seen, **self._by_touch}
        sure = {h: p for h, p in self._sure.items() if h not in self._by_touch} | dict.fromkeys(self._disputed(), 0.0)
        return Island({h: tile for h, tile in tiles.items() if tile}, sure)

    def _serpents(self) -> dict[Hex, int]:
        """Where they have been seen; where nothing has been, where they belong (2.2)."""
        seen = self._seen
        found = {h: content.serpents for h, content in seen.hexes.items() if content.serpents} if seen else {}
        return found | {h: 1 for h in BOARD.serpent_starts if seen is None or h in seen.unknown}

    def state(self) -> SetupScreen:
        """Counts, the first wrong hex, the bare places."""
        island = self._island()
        lines, lights = other_pieces(self._seen)
        serpents = self._serpents()
        lights |= {**island.lights(), **dict.fromkeys(self._disputed(), "doubt")}
        layout = Layout(
            hexes={
                h: HexContent(tile=island.tiles.get(h), serpents=serpents.get(h, 0)) for h in island.tiles | serpents
            },
            unknown=self._seen.unknown if self._seen else frozenset(),
        )
        return SetupScreen(
            title=_("Lay the island"),
            board=board_view(layout, Choice(lights=lights, touch=frozenset(BOARD.island))),
            sentence="" if island.tiles else _("Lay the first tile."),
            tiles=tuple((t, terrain_name(t), laid, whole) for t, laid, whole in island.counts),
            lines=(*island.lines(), *lines),
            note=self._blind() or self._dispute() or island.note(),
            hint=_("Or touch a place until it shows its tile."),
            buttons=(Button(id="back", text=_("Back"), icon="back"),),
            primary=Button(
                id="begin",
                text=_("The island lies") if island.complete else island.waits_for(),
                kind="primary",
                enabled=island.complete,
            ),
        )

    def touch_hex(self, h: Hex) -> None:
        """Bare, beach, forest, mountain, bare."""
        if h in BOARD.island:
            ring: tuple[Terrain | None, ...] = (None, *TERRAINS, None)
            self._by_touch[h] = dict(pairwise(ring))[self._island().tiles.get(h)]
            self._seen_then[h] = self._seen.at(h).tile if self._seen else None

    def press(self, button_id: str) -> None:
        """Back to the wizard, or begin."""
        if button_id == "back":
            self._shell.show_new_game(last_step=True)
        elif button_id == "begin":
            tiles = self._island().tiles
            session = start_game(
                self._shell.journal, self._draft.seated(), self._draft.options, tiles, self._shell.deal()
            )
            self._shell.play(session, camera=self._draft.camera)

    def tick(self, now: float) -> bool:  # noqa: ARG002 - looks whenever asked
        """The camera may have seen another tile."""
        return self._look()
