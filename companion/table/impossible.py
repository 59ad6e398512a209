"""Facts that cannot be in this game, sifted out before anything is followed: else they would wait for ever.

In: the position that the first picture shows, and the facts in the order in which they will be given. Tiles go beach by
beach, then the forests, then the mountains (6.1), and what is not given has not happened; so it is known under which
terrain each back given was found, and who may hold what.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.rules import Position
from companion.rules.actions import Back, DiveRoll
from companion.rules.layout import TERRAINS, Terrain
from companion.rules.options import when_played
from companion.rules.pieces import DEFENCE_TILE
from companion.table.facts import Fact, Facts


def sift(position: Position, given: Mapping[str, Facts]) -> tuple[dict[str, Facts], list[str]]:
    """The facts by picture without those that no play from the position can lead to, and a complaint of each of these.

    A fact may still be never used: whether it is depends on what the pictures show.
    """
    stock = _Stock(position)
    possible: dict[str, Facts] = {}
    complaints: list[str] = []
    for picture, facts in given.items():
        left: list[Fact] = []
        for fact in facts:
            if why := stock.take(fact):
                complaints.append(f"{described(fact)} before {picture} cannot be: {why}")
            else:
                left.append(fact)
        possible[picture] = tuple(left)
    return possible, complaints


def described(fact: Fact) -> str:
    """`sink_tile volcano`, `decline 2`: the fact in a few words."""
    told = (fact.back, fact.tile, fact.face, fact.player)
    said = next((part for part in told if part is not None), None)
    if isinstance(said, DiveRoll):
        return f"{fact.type} {said.creature} {said.hexes}"
    return fact.type if said is None else f"{fact.type} {said}"


class _Stock:
    """What lies on the board, under it and in the hands, as far as facts say what becomes of it."""

    def __init__(self, position: Position) -> None:
        self._players, self._options = position.players, position.options
        self._tiles = Counter(content.tile for content in position.layout().hexes.values() if content.tile)
        if position.phase == "reveal" and position.sunk is not None:
            self._tiles[position.sunk.tile] += 1  # its back is still to be told
        self._backs = {terrain: Counter(position.backs[terrain]) for terrain in TERRAINS}
        self._hands = Counter(tile for hand in position.hands for tile in hand)
        self._defended = 0  # which of the two tiles it was is not told

    def take(self, fact: Fact) -> str | None:
        """Go on behind the fact; why there cannot be such a one next, None if there can."""
        match fact:
            case Fact(type="decline" | "defend", player=int(player)):
                return self._take_answer(fact, player)
            case Fact(type="roll", face=face) if isinstance(face, DiveRoll) != self._options.dive_dice:
                return f"this game is played with the {'dive dice' if self._options.dive_dice else 'creature die'}"
            case Fact(type="sink_tile" | "reveal", back=str(back)):
                return self._take_back(fact, back)
            case Fact(type="play_tile", tile=str(tile)):
                return self._take_tile(tile)
            case Fact(type="protect"):
                return self._why_unprotected(fact)
        return None

    def _take_back(self, fact: Fact, back: Back) -> str | None:
        told_by = "sink_tile" if self._options.backs == "dealt" else "reveal"
        if fact.type != told_by:
            return f"in a game whose backs are {self._options.backs}, `{told_by}` tells of them"
        terrain: Terrain | None = next((terrain for terrain in TERRAINS if self._tiles[terrain]), None)
        if terrain is None:
            return "no tile is left on the island by then"
        if not self._backs[terrain][back]:
            return f"the tile that is sunk then is a {terrain}, and no {back} is left under these"
        self._tiles[terrain] -= 1
        self._backs[terrain][back] -= 1
        if when_played(back, self._options) != "at once":
            self._hands[back] += 1
        return None

    def _take_tile(self, tile: Back) -> str | None:
        if when_played(tile, self._options) != "own turn":
            return "that tile is not played in one's own turn"
        if not self._hands[tile]:
            return "nobody has that tile by then"
        self._hands[tile] -= 1
        return None

    def _take_answer(self, fact: Fact, player: int) -> str | None:
        if not 0 <= player < len(self._players):
            return f"the players are 0 to {len(self._players) - 1}"
        if fact.type == "decline":
            return None
        if sum(self._hands[tile] for tile in DEFENCE_TILE.values()) <= self._defended:
            return "nobody has a tile to defend with by then"
        self._defended += 1
        return None

    def _why_unprotected(self, fact: Fact) -> str | None:
        if not self._options.dive_dice:
            return "dolphins protect only in a game with the dive dice"
        if strangers := fact.explorers.keys() - {colour for player in self._players for colour in player.colours}:
            return f"nobody plays {', '.join(sorted(strangers))}"
        return None
