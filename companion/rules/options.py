"""Who plays and by which options (2.1, 12), and what of it the other rules ask again and again."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Sequence
from typing import Literal

import msgspec

from companion.rules.actions import Back
from companion.rules.errors import BadSetup
from companion.rules.layout import COLOURS, Colour
from companion.rules.pieces import BOAT_CAPACITY, BOATS, WHEN, Load, When

EDITIONS = ("anniversary",)
"""The editions whose rules this package knows."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House rules and challenges, named and defaulted as in the referee protocol."""

    overpopulation: bool = False
    last_survivor: bool = False
    all_equal: bool = False
    atlantis_sinks: bool = False
    dive_dice: bool = False
    boats_per_player: int = 2
    defence: Literal["any", "moved"] = "any"
    backs: Literal["dealt", "printed"] = "dealt"


class Player(msgspec.Struct, frozen=True):
    """A player and the colour, or with two players the two colours, that are the player's own (2.1)."""

    name: str
    colours: tuple[Colour, ...]


class Setup(msgspec.Struct, frozen=True):
    """What does not change during a game; made by `make_setup`, shared by all positions of the game.

    `owner` is the player of each colour; `control` are the players that may move a boat with that load (5.3).
    """

    edition: str
    options: Options
    players: tuple[Player, ...]
    owner: dict[Colour, int]
    control: dict[Load, frozenset[int]]


def when_played(back: Back, options: Options) -> When:
    """When a back is played: as 1.3 says, but with `dive_dice` a dolphin at once (13.1)."""
    return "at once" if back == "dolphin" and options.dive_dice else WHEN[back]


def make_setup(edition: str, options: Options, players: Sequence[Player]) -> Setup:
    """The setup of these players and options; BadSetup if 2.1 or 12 forbid it."""
    if edition not in EDITIONS:
        raise BadSetup(f"edition: this referee knows {', '.join(EDITIONS)}, not {edition!r} yet")
    _check_players(players)
    _check_options(options, len(players))
    owner = {colour: number for number, player in enumerate(players) for colour in player.colours}
    return Setup(
        edition=edition,
        options=options,
        players=tuple(players),
        owner=owner,
        control=_control_table(owner, len(players)),
    )


def _check_players(players: Sequence[Player]) -> None:
    if not 2 <= len(players) <= 4:
        raise BadSetup("players: two to four people play (2.1)")
    for player in players:
        if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in player.name):
            raise BadSetup("players: a name is one line of text")
    sizes = {len(player.colours) for player in players}
    if sizes not in ({1}, {2}):
        raise BadSetup("players: everybody plays one colour; with two players both may play two (2.1)")
    if sizes == {2} and len(players) != 2:
        raise BadSetup("players: only two players may play two colours each (2.1)")
    colours = [colour for player in players for colour in player.colours]
    if len(set(colours)) != len(colours):
        raise BadSetup("players: each colour belongs to one player only (2.1)")
    if unknown := [colour for colour in colours if colour not in COLOURS]:
        raise BadSetup(f"players: {unknown[0]!r} is not one of the colours {', '.join(COLOURS)} (1.1)")


def _check_options(options: Options, players: int) -> None:
    if options.last_survivor and options.atlantis_sinks:
        raise BadSetup("options: last_survivor and atlantis_sinks do not go together (12.2, 12.4)")
    if not 0 <= options.boats_per_player <= BOATS // players:
        raise BadSetup(
            f"options: boats_per_player must be 0 to {BOATS // players} with {players} players; there are {BOATS} boats"
        )


def _control_table(owner: dict[Colour, int], players: int) -> dict[Load, frozenset[int]]:
    """5.3 for every load there can be."""
    table = {}
    for size in range(BOAT_CAPACITY + 1):
        for load in itertools.combinations_with_replacement(sorted(owner), size):
            aboard = [sum(owner[colour] == player for colour in load) for player in range(players)]
            table[load] = frozenset(player for player in range(players) if aboard[player] == max(aboard))
    return table
