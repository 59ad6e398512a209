"""What happened, in words: the public record of a game as lines for the panel.

In: entries of the session's record (public by themselves). Out: lines, newest first. Each event has one sentence; who
lost what is listed as `Bo 2, Olena 1`, which needs no grammar in any language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from companion.i18n import N_, _, ngettext
from companion.rules import events as ev
from companion.rules.actions import Back, Creature, Face
from companion.rules.layout import Counts, Terrain
from companion.rules.options import Player
from companion.table.session import Entry
from companion.viewmodel.states import Line, Note
from companion.viewmodel.words import back_icon, back_name, creature, label

LINES = 5
"""So many lines are told; the screen drops the oldest where there is less room."""

SUNK_AND_SHOWN: Mapping[Back, str] = {
    "shark": N_("{name} sank {hex}: a shark came up"),
    "whale": N_("{name} sank {hex}: a whale came up"),
    "boat": N_("{name} sank {hex}: a boat came up"),
    "dolphin": N_("{name} sank {hex}: a dolphin came up"),
    "whirlpool": N_("{name} sank {hex}: a whirlpool"),
    "volcano": N_("{name} sank {hex}: the volcano broke out"),
}
SHOWN: Mapping[Back, str] = {
    "shark": N_("A shark came up at {hex}."),
    "whale": N_("A whale came up at {hex}."),
    "boat": N_("A boat came up at {hex}."),
    "dolphin": N_("A dolphin came up at {hex}."),
    "whirlpool": N_("The sea at {hex} and around it is swept empty."),
    "volcano": N_("The volcano at {hex} has broken out."),
}
"""6.4, 13.1: what a back that works at once has done."""

ROLLED: Mapping[Face, str] = {
    "serpent": N_("{name} rolled a sea serpent"),
    "shark": N_("{name} rolled a shark"),
    "whale": N_("{name} rolled a whale"),
}
NO_SUCH: Mapping[str, str] = {
    "serpent": N_("There is no sea serpent on the board."),
    "shark": N_("There is no shark on the board."),
    "whale": N_("There is no whale on the board."),
    "dolphin": N_("There is no dolphin on the board."),
    "boat": N_("There is no empty boat on the board."),
    "star": N_("There is nothing on the board that could move."),
}
_NONE_LEFT: Mapping[str, str] = {
    "shark": N_("No shark was left to come up at {hex}"),
    "whale": N_("No whale was left to come up at {hex}"),
    "boat": N_("No boat was left to come up at {hex}"),
    "dolphin": N_("No dolphin was left to come up at {hex}"),
}
_CREATURE_MOVED: Mapping[Creature, str] = {
    "serpent": N_("{name}: serpent {origin} to {target}"),
    "shark": N_("{name}: shark {origin} to {target}"),
    "whale": N_("{name}: whale {origin} to {target}"),
    "dolphin": N_("{name}: dolphin {origin} to {target}"),
}
_EATEN: Mapping[Creature, str] = {
    "serpent": N_("Lost to the serpent at {hex}: {whose}"),
    "shark": N_("Lost to the shark at {hex}: {whose}"),
}
_BOAT_LOST: Mapping[Creature, str] = {
    "serpent": N_("Lost with the boat at {hex}: {whose}"),
    "whale": N_("The whale upset the boat at {hex}; now swimming: {whose}"),
}
_DEFENDED: Mapping[Creature, str] = {
    "shark": N_("{name} drove the shark away from {hex}"),
    "whale": N_("{name} drove the whale away from {hex}"),
}
ENDED: Mapping[str, str] = {
    "volcano": N_("The volcano has broken out. Who is not on safe land is lost."),
    "last_survivor": N_("Nobody is left on the board."),
    "atlantis_sinks": N_("The last tile has sunk."),
}
"""11.1, 12.2, 12.4: why the game is over."""

_SANK: Mapping[Terrain, str] = {
    "beach": N_("{name} sank the beach at {hex}"),
    "forest": N_("{name} sank the forest at {hex}"),
    "mountain": N_("{name} sank the mountain at {hex}"),
}


def whose(counts: Mapping[str, int], players: Sequence[Player]) -> str:
    """Explorers by their players: `Bo 2, Olena 1`."""
    sums = [(player.name, sum(counts.get(colour, 0) for colour in player.colours)) for player in players]
    return ", ".join(f"{name} {n}" for name, n in sums if n)


class _Tale:
    """The sentences of one entry: who acts, and who plays which colour."""

    def __init__(self, entry: Entry, players: Sequence[Player]) -> None:
        self.players = players
        self.entry = entry
        self.name = players[entry.player].name

    def own(self, text: str) -> Line:
        """A line of who acted."""
        return Line(text=text, mark=self.players[self.entry.player].colours[0])

    def of(self, player: int, text: str) -> Line:
        """A line of another player."""
        return Line(text=text, mark=self.players[player].colours[0])

    def lost(self, template: str, hex_label: str, counts: Counts, icon: str) -> Line:
        """Who lost how many, and where."""
        return Line(text=_(template).format(hex=hex_label, whose=whose(counts, self.players)), icon=icon)


def _explorer_moved(tale: _Tale, event: ev.ExplorerMoved) -> Line | None:
    if event.target.hex is None or event.origin.hex is None:
        return None  # Rescued tells it
    template = {
        "tile": N_("{name}: {origin} to {target}"),
        "boat": N_("{name}: {origin} to the boat at {target}"),
        "sea": N_("{name}: {origin} to {target}, swimming"),
    }[event.target.on or "tile"]
    text = _(template).format(name=tale.name, origin=label(event.origin.hex), target=label(event.target.hex))
    return Line(text=text, mark=event.colour)


def _rescued(tale: _Tale, event: ev.Rescued) -> Line:
    return Line(text=_("{name}: one explorer is on safe land").format(name=tale.name), mark=event.colour)


def _placed(tale: _Tale, event: ev.ExplorerPlaced) -> Line:
    return Line(text=_("{name}: explorer on {hex}").format(name=tale.name, hex=label(event.hex)), mark=event.colour)


def _boat_placed(tale: _Tale, event: ev.BoatPlaced) -> Line | None:
    if event.player is None:
        return None  # BackShown tells it
    return tale.own(_("{name}: boat on {hex}").format(name=tale.name, hex=label(event.hex)))


def _tile_played(tale: _Tale, event: ev.TilePlayed) -> Line:
    name = tale.players[event.player].name
    return tale.of(event.player, _("{name} played: {tile}").format(name=name, tile=back_name(event.tile)))


def _boat_moved(tale: _Tale, event: ev.BoatMoved) -> Line:
    text = _("{name}: boat {origin} to {target}")
    return tale.own(text.format(name=tale.name, origin=label(event.origin), target=label(event.target)))


def _creature_moved(tale: _Tale, event: ev.CreatureMoved) -> Line:
    text = _(_CREATURE_MOVED[event.creature])
    return tale.own(text.format(name=tale.name, origin=label(event.origin), target=label(event.target)))


def _tile_sunk(tale: _Tale, event: ev.TileSunk) -> Line:
    return tale.own(_(_SANK[event.tile]).format(name=tale.name, hex=label(event.hex)))


def _back_shown(tale: _Tale, event: ev.BackShown) -> Line:
    return tale.own(_(SUNK_AND_SHOWN[event.back]).format(name=tale.name, hex=label(event.hex)))


def _tile_kept(tale: _Tale, event: ev.TileKept) -> Line:
    return tale.own(_("{name} sank {hex} and keeps the tile").format(name=tale.name, hex=label(event.hex)))


def _supply_empty(tale: _Tale, event: ev.SupplyEmpty) -> Line:  # noqa: ARG001
    return Line(text=_(_NONE_LEFT[event.piece]).format(hex=label(event.hex)), icon=event.piece)


def _boarded(tale: _Tale, event: ev.Boarded) -> Line:
    return tale.lost(N_("Aboard at {hex}: {whose}"), label(event.hex), event.explorers, "boat")


def _swallowed(tale: _Tale, event: ev.Swallowed) -> Line | None:
    if not event.explorers:
        return None
    return Line(
        text=_("Lost in the whirlpool: {whose}").format(whose=whose(event.explorers, tale.players)), icon="whirlpool"
    )


def _rolled(tale: _Tale, event: ev.Rolled) -> Line:
    return tale.own(_(ROLLED[event.face]).format(name=tale.name))


def _dice_rolled(tale: _Tale, event: ev.DiceRolled) -> Line:
    hexes = _("dive") if event.hexes == "D" else str(event.hexes)
    text = _("{name} rolled: {creature}, {hexes}")
    return tale.own(text.format(name=tale.name, creature=creature(event.creature), hexes=hexes))


def _protected(tale: _Tale, event: ev.Protected) -> Line:
    n = sum(event.explorers.values())
    text = ngettext("{name}: {n} swimmer is protected", "{name}: {n} swimmers are protected", n)
    return tale.of(event.player, text.format(name=tale.players[event.player].name, n=n))


def _no_such_creature(tale: _Tale, event: ev.NoSuchCreature) -> Line:  # noqa: ARG001
    return Line(text=_(NO_SUCH[event.creature]), icon=event.creature)


def _defended(tale: _Tale, event: ev.Defended) -> Line:
    name = tale.players[event.player].name
    return tale.of(event.player, _(_DEFENDED[event.by]).format(name=name, hex=label(event.hex)))


def _eaten(tale: _Tale, event: ev.Eaten) -> Line:
    return tale.lost(_EATEN[event.by], label(event.hex), event.explorers, event.by)


def _boat_lost(tale: _Tale, event: ev.BoatLost) -> Line:
    return tale.lost(_BOAT_LOST[event.by], label(event.hex), event.explorers, event.by)


def _ended(tale: _Tale, event: ev.GameEnded) -> Line:  # noqa: ARG001
    return Line(text=_(ENDED[event.reason]), icon="island")


def _scored(tale: _Tale, event: ev.Scored) -> Line:
    text = _("{name} has entered the values").format(name=tale.name)
    return Line(text=text, mark=event.colour, figure=str(event.total))


_TELL: Mapping[type, Callable[[_Tale, Any], Line | None]] = {
    ev.ExplorerPlaced: _placed,
    ev.BoatPlaced: _boat_placed,
    ev.TilePlayed: _tile_played,
    ev.ExplorerMoved: _explorer_moved,
    ev.Rescued: _rescued,
    ev.BoatMoved: _boat_moved,
    ev.CreatureMoved: _creature_moved,
    ev.TileSunk: _tile_sunk,
    ev.BackShown: _back_shown,
    ev.TileKept: _tile_kept,
    ev.SupplyEmpty: _supply_empty,
    ev.Boarded: _boarded,
    ev.Swallowed: _swallowed,
    ev.Rolled: _rolled,
    ev.DiceRolled: _dice_rolled,
    ev.NoSuchCreature: _no_such_creature,
    ev.Protected: _protected,
    ev.Defended: _defended,
    ev.Eaten: _eaten,
    ev.BoatLost: _boat_lost,
    ev.GameEnded: _ended,
    ev.Scored: _scored,
}
"""Events without an entry say nothing that a line has not said: a phase or a turn began, a creature was placed, who was
threatened, who won."""


def lines_of(entry: Entry, players: Sequence[Player], *, back_known: bool = True) -> list[Line]:
    """One entry in words, the cause first. With `back_known` False: only that the tile was sunk (6.3)."""
    told = entry.events if back_known else tuple(e for e in entry.events if isinstance(e, ev.TileSunk))
    shown = any(isinstance(e, ev.BackShown | ev.TileKept) for e in told)
    tale = _Tale(entry, players)
    lines = []
    for event in told:
        if isinstance(event, ev.TileSunk) and shown:
            continue  # told together with what lay under it
        line = _TELL[type(event)](tale, event) if type(event) in _TELL else None
        if line:
            lines.append(line)
    return lines


def last_lines(record: Sequence[Entry], players: Sequence[Player], *, back_known: bool = True) -> tuple[Line, ...]:
    """The last things that happened, newest first; all but the newest entry in a softer tone."""
    lines: list[Line] = []
    for entry in reversed(record):
        newest = entry is record[-1]
        told = lines_of(entry, players, back_known=back_known or not newest)
        lines += told if newest else _softened(told)
        if len(lines) >= LINES:
            break
    return tuple(lines[:LINES])


def turn_so_far(record: Sequence[Entry], players: Sequence[Player]) -> tuple[Line, ...]:
    """What has happened in the turn of the newest entry, oldest first; all before that entry in a softer tone."""
    lines: list[Line] = []
    for entry in record:
        if entry.turn == record[-1].turn:
            lines = [*_softened(lines), *lines_of(entry, players)]
    return tuple(lines[-LINES:])


def _softened(lines: Iterable[Line]) -> list[Line]:
    return [Line(text=line.text, mark=line.mark, icon=line.icon, tone="soft", figure=line.figure) for line in lines]


def turned_over(entry: Entry, players: Sequence[Player]) -> Note | None:
    """6.4, 6.5: what everybody is told of a tile that has just been looked at; None if the entry is about no tile."""
    for event in entry.events:
        if isinstance(event, ev.BackShown):
            text = _(SHOWN[event.back]).format(hex=label(event.hex))
            return Note(strong=back_name(event.back), text=text, icon=back_icon(event.back))
        if isinstance(event, ev.TileKept):
            text = _("{name} keeps the tile from {hex}.").format(name=players[event.player].name, hex=label(event.hex))
            return Note(text=text, icon="tiles_in_hand")
    return None


def toast_text(entry: Entry, players: Sequence[Player]) -> str:
    """One line for what the camera took over."""
    lines = lines_of(entry, players, back_known=False) or lines_of(entry, players)
    return lines[0].text if lines else _("The move was entered")
