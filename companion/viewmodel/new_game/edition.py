"""Step 1: which game lies on the table, how many play, and how many colours each."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.i18n import N_, _
from companion.rules.layout import COLOURS, Colour
from companion.rules.options import EDITIONS
from companion.viewmodel.defaults import NewGameDefaults, PlayerSetup, free_colours
from companion.viewmodel.new_game.step import StepView
from companion.viewmodel.seating import SIDES, USUAL_SIDES
from companion.viewmodel.states import Button, SegmentRow

EDITION_NAMES: Mapping[str, str] = {"anniversary": N_("Anniversary edition")}
USUAL_NAMES = ("Ann", "Bo", "Olena", "Maja")
PAIRS: tuple[tuple[Colour, Colour], ...] = (("red", "yellow"), ("blue", "green"))
"""2.1: two colours each, unless people choose otherwise."""


def show(draft: NewGameDefaults, has_table: bool) -> StepView:  # noqa: ARG001 - the shape of every step
    """Edition, number of players, colours each."""
    count = len(draft.players)
    each = len(draft.players[0].colours)
    return StepView(
        rows=(
            SegmentRow(
                title=_("Edition"),
                line=_("The board and the pieces on your table."),
                segments=tuple(Button(id=f"edition:{name}", text=_(EDITION_NAMES[name])) for name in EDITIONS),
                chosen=f"edition:{draft.edition}",
            ),
            SegmentRow(
                title=_("Players"),
                line=_("Two to four people play."),
                segments=tuple(Button(id=f"count:{n}", text=str(n)) for n in (2, 3, 4)),
                chosen=f"count:{count}",
            ),
            SegmentRow(
                title=_("Colours each"),
                line=_("Two players may both play two colours.")
                if count == 2
                else _("Two colours are for two players."),
                segments=tuple(Button(id=f"each:{n}", text=str(n), enabled=count == 2 or n == 1) for n in (1, 2)),
                chosen=f"each:{each}",
            ),
        )
    )


def press(draft: NewGameDefaults, button_id: str) -> NewGameDefaults:
    """Choose an edition, a number of players or of colours."""
    verb, _sep, value = button_id.partition(":")
    if verb == "edition" and value in EDITIONS:
        return replace(draft, edition=value)
    if verb == "count" and value in ("2", "3", "4"):
        return _with_players(draft, int(value))
    if verb == "each" and value in ("1", "2") and len(draft.players) == 2:
        return _with_colours_each(draft, int(value))
    return draft


def _with_players(draft: NewGameDefaults, count: int) -> NewGameDefaults:
    """People go from the end and come at the end; who stays keeps name, colour and, where it fits, seat."""
    players = [replace(player, colours=player.colours[:1]) for player in draft.players[:count]]
    if count == len(draft.players):
        players = list(draft.players)
    sides = [player.side for player in players]
    if count != len(draft.players) and any(side not in USUAL_SIDES[count] for side in sides):
        players = [replace(player, side=side) for player, side in zip(players, USUAL_SIDES[count], strict=False)]
    while len(players) < count:
        players.append(newcomer(players))
    return replace(draft, players=tuple(players), begins=min(draft.begins, count - 1))


def newcomer(players: list[PlayerSetup]) -> PlayerSetup:
    """One more player: the first name, colour and seat that nobody has."""
    names = {player.name.strip() for player in players}
    sides = {player.side for player in players}
    return PlayerSetup(
        name=next(name for name in USUAL_NAMES if name not in names),
        colours=free_colours(players)[:1],
        side=next(side for side in range(SIDES) if side not in sides),
    )


def _with_colours_each(draft: NewGameDefaults, each: int) -> NewGameDefaults:
    if each == len(draft.players[0].colours):
        return draft
    if each == 1:
        players = [replace(player, colours=player.colours[:1]) for player in draft.players]
    else:
        free = free_colours(draft.players)
        usual = dict(PAIRS) | {b: a for a, b in PAIRS}
        first = draft.players[0].colours[0]
        partner = usual[first] if usual[first] in free else free[0]
        rest = next(colour for colour in free if colour != partner)
        pairs = ((first, partner), (draft.players[1].colours[0], rest))
        players = [
            replace(player, colours=tuple(sorted(pair, key=COLOURS.index)))
            for player, pair in zip(draft.players, pairs, strict=True)
        ]
    return replace(draft, players=tuple(players))
