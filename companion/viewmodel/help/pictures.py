"""The small pictures of the rules, as tables of words: scraps of a board, ways that are open or not, signs and dice.

A row of a scrap is words, one a hex; every second row lies half a hex to the right. A word begins with the ground, `~`
sea, `b` beach, `f` forest, `m` mountain, `_` landing hex, `#` safe land, `.` nothing; then come explorers `r u y g`,
after `=` those in a boat, creatures `S` serpent, `K` shark, `W` whale, `D` dolphin; at the end a light, `*` legal,
`!` deadly, `@` chosen. A way is `01>10`, row and place it leads from and to, with `x` for `>` one that is not open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.rules.geometry import Hex
from companion.rules.layout import Colour, HexContent, Terrain
from companion.viewmodel.states import Die, HexView, Icon, Light, Scrap, Way

_TILES: Mapping[str, Terrain] = {"b": "beach", "f": "forest", "m": "mountain"}
_COLOURS: Mapping[str, Colour] = {"r": "red", "u": "blue", "y": "yellow", "g": "green"}
_CREATURES = {"S": "serpents", "K": "sharks", "W": "whales", "D": "dolphins"}
_LIGHTS: Mapping[str, Light] = {"*": "legal", "!": "deadly", "@": "chosen"}


class _Drawing(NamedTuple):
    rows: str = ""
    ways: str = ""
    icons: tuple[Icon, ...] = ()
    die: Die | None = None


_DRAWINGS: Mapping[str, _Drawing] = {
    "1.2": _Drawing(icons=("explorer", "eye_closed")),
    "1.3": _Drawing(icons=("back_dolphin", "back_boat", "back_volcano")),
    "2.2": _Drawing(". b f / m ~S b / . f b"),
    "2.3": _Drawing(". b* fr / fu b* m* / . f* by"),
    "2.4": _Drawing("~* ~* ~S / ~* b f / ~= ~* ~*"),
    "3": _Drawing(icons=("phase_play_tile", "phase_move", "phase_sink", "phase_roll", "phase_creature")),
    "3.1": _Drawing(icons=("back_dolphin", "back_wind", "back_move_shark")),
    "3.2": _Drawing("fr b ~ / f ~= ~", "00>01 01>11 11>12"),
    "3.3": _Drawing("b* f b* / m f b*"),
    "3.4": _Drawing(die=Die(face="shark", serial=0)),
    "4.1": _Drawing("b* ~=u* / fr@ ~*", "10>00 10>01 10>11"),
    "4.2": _Drawing("~ ~=u* / _=r@ #", "10>01 10>11"),
    "4.3": _Drawing("~= ~* / _r@ #", "10x00 10>01 10>11"),
    "4.4": _Drawing("f b / ~r@ ~=u", "10x00 10x01"),
    "4.5": _Drawing("f ~r ~", "00>01 01x02"),
    "4.7": _Drawing("fu b / #", "00x01"),
    "5.1": _Drawing("fr ~=uyg", "00x01"),
    "5.2": _Drawing("~=r@ ~* / ~=u f", "00>01 00x10"),
    "5.3": _Drawing("~=rru ~", "00>01"),
    "5.4": _Drawing("~W= ~S=uy!"),
    "6.1": _Drawing("b* f b* / f m b*"),
    "6.2": _Drawing(". b* b* / b* b b* / . b* b*"),
    "6.3": _Drawing("f ~ru@ b", icons=("eye",)),
    "6.4": _Drawing("f ~K@ b", icons=("back_shark",)),
    "6.5": _Drawing(icons=("back_dolphin", "eye_closed", "hand")),
    "7.1": _Drawing("~K@ ~* / f", "00>01 00x10"),
    "7.2": _Drawing("~S ~* ~ ~ / ~K ~* ~* / ~W ~* ~* ~*"),
    "7.3": _Drawing("~K@ ~r! ~", "00>01 01x02"),
    "7.4": _Drawing("~* ~* / ~* ~W@ ~* / ~* ~*"),
    "8": _Drawing("~Kr ~=uyW / ~Sg"),
    "9.1": _Drawing("~Kr ~=uW", icons=("back_shark_defence", "back_whale_defence")),
    "9.2": _Drawing("~Kru@", icons=("shield",)),
    "9.4": _Drawing("~KKru@"),
    "9.5": _Drawing("~K ~r@", "00>01", icons=("shield",)),
    "10.1": _Drawing("~r@ ~* ~* ~*", icons=("back_dolphin",)),
    "10.2": _Drawing("~=r@ ~* ~* ~*", icons=("back_wind",)),
    "10.3": _Drawing(icons=("back_move_serpent", "back_move_shark", "back_move_whale")),
    "11.1": _Drawing(icons=("volcano", "rescued")),
    "11.2": _Drawing(icons=("rescued", "trophy")),
    "12.1": _Drawing(". b f / f bru b / . f b"),
    "12.2": _Drawing(icons=("explorer", "boat", "swimmer")),
    "12.3": _Drawing(icons=("rescued", "rescued", "trophy")),
    "12.4": _Drawing(icons=("island", "whirlpool")),
    "13.1": _Drawing("f ~D@ b", icons=("back_dolphin",)),
    "13.2": _Drawing(die=Die(face="shark", second="2", serial=0)),
    "13.3": _Drawing("~K@ ~rD! ~", "00>01 01x02"),
    "13.4": _Drawing("~KrrD"),
    "13.5": _Drawing("~rD@ ~*", "00>01"),
    "13.6": _Drawing("~rD ~D= / ~SD"),
}


def _place(row: int, column: int) -> Hex:
    return column - row // 2, row


def _hex(word: str, h: Hex) -> HexView:
    """One word that is no safe land."""
    ground, rest = word[0], word[1:]
    light = _LIGHTS.get(rest[-1:], "plain")
    standing, boat, aboard = rest.partition("=")
    content = HexContent(
        tile=_TILES.get(ground),
        explorers=_explorers(standing),
        boat=_explorers(aboard) if boat else None,
        **{field: rest.count(letter) for letter, field in _CREATURES.items()},
    )
    return HexView(hex=h, content=content, light=light)


def _explorers(letters: str) -> dict[str, int]:
    return {colour: letters.count(letter) for letter, colour in _COLOURS.items() if letter in letters}


def picture(rule: str) -> Scrap:
    """The picture of a rule; KeyError if it has none."""
    drawing = _DRAWINGS[rule]
    words = {
        _place(row, column): word
        for row, line in enumerate(drawing.rows.split("/"))
        for column, word in enumerate(line.split())
        if word != "."
    }
    ways = [(way, _place(int(way[0]), int(way[1])), _place(int(way[3]), int(way[4]))) for way in drawing.ways.split()]
    return Scrap(
        hexes=tuple(_hex(word, h) for h, word in words.items() if word[0] != "#"),
        lands=tuple(h for h, word in words.items() if word[0] == "#"),
        landings=tuple(h for h, word in words.items() if word[0] == "_"),
        ways=tuple(Way(origin=origin, target=target, open=way[2] == ">") for way, origin, target in ways),
        icons=drawing.icons,
        die=drawing.die,
    )
