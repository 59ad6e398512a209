"""Take over a game that is already in progress on the table, from nothing but what stands where.

What no picture shows is made up fairly or taken as it must be: the backs under the tiles left are drawn from all there
are (1.3), with the volcano among them as long as it would have ended the game; the hands are empty; an explorer that
is neither on the board nor safe is lost; what is not on the board is beside it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from companion import rules
from companion.faults import Said
from companion.i18n import N_
from companion.rules import BACKS, TILE_COUNTS, BadPosition, BadSetup, Options, Player
from companion.rules.geometry import load_board
from companion.rules.layout import COLOURS, TERRAINS, Colour, HexContent, Layout, Terrain, encode_layout
from companion.rules.pieces import BOAT_CAPACITY, BOATS, CREATURE_COUNTS, EXPLORERS_PER_COLOUR, MOVES_PER_TURN
from companion.table import fairness
from companion.table.dealer import Dealer
from companion.table.errors import CannotAdopt
from companion.table.gestures import may_strike
from companion.table.journal import Journal
from companion.table.session import Session
from companion.table.start import begin
from companion.table.tally import tally_of


def start_from_layout(
    journal: Journal,
    players: Sequence[Player],
    options: Options,
    layout: Layout,
    active: int,
    *,
    dealer: Dealer | None = None,
) -> Session:
    """Begin a session at the start of a turn of the player `active`, with the table as it lies.

    Raises CannotAdopt with a sentence for each thing that cannot be, and JournalError.
    """
    dealer = dealer or Dealer()
    return begin(journal, adopt(players, options, layout, active, dealer.seed), dealer)


def adopt(players: Sequence[Player], options: Options, layout: Layout, active: int, seed: bytes) -> rules.Position:
    """The position for `start_from_layout`; the backs are drawn by the seed. Raises CannotAdopt."""
    problems = tuple(_problems(players, options, layout))
    if problems:
        raise CannotAdopt(problems)
    tiles = _tiles(layout)
    shown = _dolphins_shown(layout)
    boats = sum(content.boat is not None for content in layout.hexes.values())
    own = players[active].colours
    on_board = any(
        content.explorers.get(colour) or (content.boat or {}).get(colour)
        for content in layout.hexes.values()
        for colour in own
    )
    data = {
        "edition": "anniversary",
        "options": msgspec.to_builtins(options),
        "players": [{"name": player.name, "colours": list(player.colours)} for player in players],
        "layout": encode_layout(layout),
        "active": active,
        "phase": "move" if on_board else "sink" if tiles else "roll",  # 3.2, 12.2
        "moves_left": MOVES_PER_TURN if on_board else 0,
        "swum": [],
        "die": None,
        "hands": [[] for _ in players],
        "backs": {terrain: _draw_backs(terrain, tiles[terrain], shown[terrain], options, seed) for terrain in TERRAINS},
        "supply": {
            "boats": BOATS - max(boats, options.boats_per_player * len(players)),
            "sharks": CREATURE_COUNTS["shark"] - sum(content.sharks for content in layout.hexes.values()),
            "whales": CREATURE_COUNTS["whale"] - sum(content.whales for content in layout.hexes.values()),
        },
        "unplaced": {"explorers": {c: 0 for player in players for c in player.colours}, "boats": [0] * len(players)},
        "threat": None,
        "sunk": None,
        "scores": {},
        "winners": None,
    }
    try:
        return rules.decode_position(data)
    except (BadPosition, BadSetup) as error:
        cannot = Said(N_("The table cannot be taken over as it lies: {why}."), {"why": error})
        raise CannotAdopt((cannot,)) from error


def _draw_backs(terrain: Terrain, tiles: int, dolphins: int, options: Options, seed: bytes) -> dict[str, int]:
    left: Counter[str] = Counter(BACKS[terrain])
    left["dolphin"] -= dolphins
    drawn: Counter[str] = Counter()
    if "volcano" in left and _volcano_ends(options):
        drawn["volcano"] = left.pop("volcano")
    for n in range(tiles - drawn.total()):
        back = fairness.draw(seed, f"adopt {terrain}", n, ((b, count) for b, count in left.items() if count))
        left[back] -= 1
        drawn[back] += 1
    return dict(drawn)


def _dolphins_shown(layout: Layout) -> Counter[Terrain]:
    """13.1: the terrains whose `dolphin` backs are on the board as dolphins, those that go first taken first."""
    dolphins = sum(content.dolphins for content in layout.hexes.values())
    tiles = _tiles(layout)
    shown: Counter[Terrain] = Counter()
    for terrain in TERRAINS:
        shown[terrain] = min(
            dolphins - shown.total(), BACKS[terrain].get("dolphin", 0), TILE_COUNTS[terrain] - tiles[terrain]
        )
    return shown


def _volcano_ends(options: Options) -> bool:
    """12.2, 12.4: it acts as a whirlpool there."""
    return not (options.last_survivor or options.atlantis_sinks)


def _tiles(layout: Layout) -> Counter[Terrain]:
    return Counter(content.tile for content in layout.hexes.values() if content.tile is not None)


_TOO_MANY: Mapping[str, str] = {
    "serpent": N_("There are more sea serpents on the table ({there}) than the game has ({most})."),
    "shark": N_("There are more sharks on the table ({there}) than the game has ({most})."),
    "whale": N_("There are more whales on the table ({there}) than the game has ({most})."),
    "boat": N_("There are more boats on the table ({there}) than the game has ({most})."),
    "beach": N_("There are more beach tiles on the table ({there}) than the game has ({most})."),
    "forest": N_("There are more forest tiles on the table ({there}) than the game has ({most})."),
    "mountain": N_("There are more mountain tiles on the table ({there}) than the game has ({most})."),
    "red": N_("There are more red explorers ({there}) than the game has ({most})."),
    "blue": N_("There are more blue explorers ({there}) than the game has ({most})."),
    "yellow": N_("There are more yellow explorers ({there}) than the game has ({most})."),
    "green": N_("There are more green explorers ({there}) than the game has ({most})."),
}
_NOBODYS: Mapping[Colour, str] = {
    "red": N_("There are red explorers on the table, but nobody plays red."),
    "blue": N_("There are blue explorers on the table, but nobody plays blue."),
    "yellow": N_("There are yellow explorers on the table, but nobody plays yellow."),
    "green": N_("There are green explorers on the table, but nobody plays green."),
}
_GOES_FIRST: Mapping[Terrain, str] = {
    "beach": N_("A forest tile is missing although beach tiles are left; those go first (6.1)."),
    "forest": N_("A mountain tile is missing although forest tiles are left; those go first (6.1)."),
}


def _too_many(what: str, there: int, most: int) -> Iterator[Said]:
    if there > most:
        yield Said(_TOO_MANY[what], {"there": there, "most": most})


def _problems(players: Sequence[Player], options: Options, layout: Layout) -> Iterator[Said]:
    """What has to be put right before the table can be a game of these players, a sentence each."""
    labels = load_board().labels
    if layout.unknown:
        unseen = ", ".join(sorted(labels[h] for h in layout.unknown))
        yield Said(N_("These hexes could not be seen: {hexes}."), {"hexes": unseen})
    if options.backs == "printed":
        yield Said(N_("A game in progress can be taken over only if the companion deals the backs."))
    yield from _tile_problems(layout, options)
    yield from _explorer_problems(players, layout)
    for creature, most in CREATURE_COUNTS.items():
        there = sum(getattr(content, f"{creature}s") for content in layout.hexes.values())
        yield from _too_many(creature, there, most)
    dolphins = sum(content.dolphins for content in layout.hexes.values())
    if dolphins and not options.dive_dice:
        yield Said(N_("There are dolphins on the table; they are played with the dive dice only (13)."))
    elif dolphins > _dolphins_shown(layout).total():
        yield Said(
            N_("There are more dolphins on the table ({there}) than the tiles sunk can have shown (13.1)."),
            {"there": dolphins},
        )
    boats = [h for h, content in layout.hexes.items() if content.boat is not None]
    yield from _too_many("boat", len(boats), BOATS)
    for h in boats:
        if sum((layout.hexes[h].boat or {}).values()) > BOAT_CAPACITY:
            yield Said(N_("The boat on {hex} holds more than {most} (5.1)."), {"hex": labels[h], "most": BOAT_CAPACITY})
    for h, content in layout.hexes.items():
        if may_strike(tally_of(_without_protected(content))):
            yield Said(N_("Nobody can be on {hex} together with the creature there (8)."), {"hex": labels[h]})


def _without_protected(content: HexContent) -> HexContent:
    """Where there are no more swimmers than dolphins nothing harms them (13.4)."""
    is_safe = sum(content.explorers.values()) <= content.dolphins
    return msgspec.structs.replace(content, explorers={}) if is_safe else content


def _tile_problems(layout: Layout, options: Options) -> Iterator[Said]:
    board = load_board()
    tiles = _tiles(layout)
    for terrain in TERRAINS:
        yield from _too_many(terrain, tiles[terrain], TILE_COUNTS[terrain])
    for h, content in layout.hexes.items():
        if content.tile is not None and h not in board.island:
            yield Said(N_("The tile on {hex} lies outside the island (2.2)."), {"hex": board.labels[h]})
    for lower, higher in itertools.pairwise(TERRAINS):
        if tiles[lower] and tiles[higher] < TILE_COUNTS[higher]:
            yield Said(_GOES_FIRST[lower])
    if not tiles["mountain"] and _volcano_ends(options):
        yield Said(N_("No mountain is left, so the volcano has been found and the game is over (11.1)."))
    if not tiles and options.atlantis_sinks:
        yield Said(N_("No tile is left, so Atlantis has sunk and the game is over (12.4)."))


def _explorer_problems(players: Sequence[Player], layout: Layout) -> Iterator[Said]:
    counts: Counter[str] = Counter()
    for content in layout.hexes.values():
        counts.update(content.explorers)
        counts.update(content.boat or {})
    on_board = counts.total()
    for safe in layout.safe.values():
        counts.update(safe)
    own = {colour for player in players for colour in player.colours}
    for colour in COLOURS:
        if counts[colour] and colour not in own:
            yield Said(_NOBODYS[colour])
        yield from _too_many(colour, counts[colour], EXPLORERS_PER_COLOUR)
    if not on_board:
        yield Said(N_("No explorer is left on the board: there is nothing to go on with."))
