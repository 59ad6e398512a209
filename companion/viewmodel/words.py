"""What things are called: pieces, terrains, tile backs, phases, hexes and people, ready to stand in a sentence.

In: the protocol's identifiers. Out: words in the language in force. Texts stand in tables, marked for the catalogues;
whatever agrees with a colour in gender or case is a whole sentence per colour (see the README of this folder).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from companion.i18n import N_, _, listed, pgettext
from companion.rules.actions import Back
from companion.rules.geometry import Hex, load_board
from companion.rules.layout import COLOURS, Colour, Terrain
from companion.rules.options import Player
from companion.table.fairness import SHOWN_DIGITS
from companion.viewmodel.states import Icon, Marks

BOARD = load_board("anniversary")


def label(h: Hex) -> str:
    """The name people use for a hex, `F8`."""
    return BOARD.labels[h]


def labels(hexes: Iterable[Hex]) -> str:
    """Several hexes in the order of the board, `D7, E7, F8`."""
    return ", ".join(label(h) for h in sorted(hexes, key=BOARD.index.__getitem__))


def names(players: Iterable[Player]) -> str:
    """`Ann, Bo and Olena`."""
    return listed(player.name for player in players)


def marks(counts: Mapping[str, int]) -> Marks:
    """Explorers by colour in the order of the colours."""
    return tuple((colour, counts[colour]) for colour in COLOURS if counts.get(colour))


COLOUR_NAMES: Mapping[Colour, str] = {
    "red": N_("Red"),
    "blue": N_("Blue"),
    "yellow": N_("Yellow"),
    "green": N_("Green"),
}


def colour_name(colour: Colour) -> str:
    """`Red`, as a label of its own."""
    return _(COLOUR_NAMES[colour])


def colour_letter(colour: Colour) -> str:
    """What stands for a colour in its mark: a letter, or two where one would be the same for several."""
    letters: dict[Colour, str] = {
        "red": pgettext("a colour's letter", "R"),
        "blue": pgettext("a colour's letter", "B"),
        "yellow": pgettext("a colour's letter", "Y"),
        "green": pgettext("a colour's letter", "G"),
    }
    return letters[colour]


_CREATURES: Mapping[str, str] = {
    "serpent": N_("Sea serpent"),
    "shark": N_("Shark"),
    "whale": N_("Whale"),
    "dolphin": N_("Dolphin"),
    "boat": N_("Boat"),
    "star": N_("Star"),
}


def creature(kind: str) -> str:
    """`Sea serpent`, as a title."""
    return _(_CREATURES[kind])


BACKS: Mapping[Back, tuple[str, str]] = MappingProxyType(
    {
        "shark": (N_("Shark"), N_("It works at once: a shark comes up where the tile was.")),
        "whale": (N_("Whale"), N_("It works at once: a whale comes up where the tile was.")),
        "boat": (N_("Boat"), N_("It works at once: a boat comes up and takes the swimmers there aboard.")),
        "whirlpool": (
            N_("Whirlpool"),
            N_("It works at once: everything in the sea there and on the spaces around leaves the game."),
        ),
        "volcano": (N_("Volcanic eruption"), N_("It works at once: the volcano breaks out.")),
        "dolphin": (
            N_("Dolphin"),
            N_("It stays in your hand. At the start of one of your turns a swimmer of yours goes one to three hexes."),
        ),
        "wind": (
            N_("Favourable wind"),
            N_("It stays in your hand. At the start of one of your turns a boat of yours goes one to three hexes."),
        ),
        "move_serpent": (
            N_("Move a serpent"),
            N_("It stays in your hand. At the start of one of your turns a serpent goes to any empty sea hex."),
        ),
        "move_shark": (
            N_("Move a shark"),
            N_("It stays in your hand. At the start of one of your turns a shark goes to any empty sea hex."),
        ),
        "move_whale": (
            N_("Move a whale"),
            N_("It stays in your hand. At the start of one of your turns a whale goes to any empty sea hex."),
        ),
        "shark_defence": (
            N_("Shark defence"),
            N_("It stays in your hand. On another’s turn it drives a shark away from your swimmers."),
        ),
        "whale_defence": (
            N_("Whale defence"),
            N_("It stays in your hand. On another’s turn it drives a whale away from a boat with you aboard."),
        ),
    }
)
"""1.3: what each back is called and what it tells its finder."""


def back_name(back: Back) -> str:
    """`Dolphin`."""
    return _(BACKS[back][0])


_DOLPHIN_COMES_UP = N_("It works at once: a dolphin comes up where the tile was.")
"""13.1: with the dive dice a dolphin is not kept."""


def back_text(back: Back, *, at_once: bool) -> str:
    """What the back does, in a sentence or two."""
    text = _DOLPHIN_COMES_UP if back == "dolphin" and at_once else BACKS[back][1]
    return _(text)


def back_icon(back: Back) -> Icon:
    """The picture of a back: all are drawn with the same weight."""
    return f"back_{back}"


TERRAIN_NAMES: Mapping[Terrain, str] = {"beach": N_("Beach"), "forest": N_("Forest"), "mountain": N_("Mountain")}


def terrain_name(tile: Terrain) -> str:
    """`Beach`, as a label of its own."""
    return _(TERRAIN_NAMES[tile])


_UNDER: Mapping[str, str] = {
    "beach": N_("Under the beach at {hex}"),
    "forest": N_("Under the forest at {hex}"),
    "mountain": N_("Under the mountain at {hex}"),
}


def under(tile: Terrain, h: Hex) -> str:
    """`Under the beach at F8`."""
    return _(_UNDER[tile]).format(hex=label(h))


CHALLENGES: Mapping[str, tuple[str, str]] = {
    "overpopulation": (N_("Overcrowding"), N_("Two explorers may start on a tile inside the island.")),
    "last_survivor": (N_("To the last survivor"), N_("The game goes on until nobody is left on the board.")),
    "atlantis_sinks": (N_("Atlantis has sunk"), N_("The game goes on until the last tile has sunk.")),
    "all_equal": (N_("All are equal"), N_("Most rescued wins; the numbers do not count.")),
    "dive_dice": (N_("Dolphins and dive dice"), N_("Two blue dice for the red one; dolphins protect swimmers.")),
}
"""12, 13: the options that are switches, in the order people meet them."""

NOT_TOGETHER: Mapping[str, str] = {
    "last_survivor": N_("Not together with “Atlantis has sunk”."),
    "atlantis_sinks": N_("Not together with “To the last survivor”."),
}
"""12.2, 12.4: why a switch is greyed."""


def challenge(option: str) -> str:
    """`To the last survivor`."""
    return _(CHALLENGES[option][0])


def fingerprint(published: str) -> str:
    """Its first twenty hexadecimal digits in groups of four, to write down: no second seed with these can be found.

    That would take 2^80 trials; for eight digits 2^32, which a computer makes in a day.
    """
    return " ".join(published[i : i + 4] for i in range(0, SHOWN_DIGITS, 4)).upper()


def short_fingerprint(published: str) -> str:
    """The first two groups of it, `7F3A 91C4`: to find it again, where it has been compared already."""
    return fingerprint(published)[:9]
