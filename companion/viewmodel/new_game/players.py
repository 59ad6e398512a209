"""Step 2: names, colours, seats and who begins."""

from __future__ import annotations

import itertools
from collections import Counter

from msgspec.structs import replace

from companion.i18n import _
from companion.rules.layout import COLOURS, Colour
from companion.viewmodel.defaults import NewGameDefaults, PlayerSetup
from companion.viewmodel.new_game.step import StepView
from companion.viewmodel.seating import SIDES
from companion.viewmodel.states import Button, PlayerRow

MIN_PLAYERS = 2
LONGEST_NAME = 12


def show(draft: NewGameDefaults, has_table: bool) -> StepView:  # noqa: ARG001 - the shape of every step
    """A row a player, the plan of the table, and who begins."""
    errors = name_errors(draft)
    beginner = draft.players[draft.begins]
    sitting = {player.side: player.colours for player in draft.players}
    return StepView(
        players=tuple(_row(draft, number, errors[number]) for number in range(len(draft.players))),
        seats=tuple(sitting.get(side, ()) for side in range(SIDES)),
        seats_hint=_("Drag a mark to its seat. Turns go clockwise."),
        secondary=Button(
            id="begins", text=_("{name} begins").format(name=beginner.name.strip()), mark=beginner.colours[0]
        ),
        waits_for=_("Two different names") if any(errors) else "",
    )


def _row(draft: NewGameDefaults, number: int, error: str) -> PlayerRow:
    player = draft.players[number]
    can_leave = len(draft.players) > MIN_PLAYERS
    return PlayerRow(
        number=number,
        name=player.name,
        colours=player.colours,
        colour_button=Button(id=f"colour:{number}", text=_("Colour"), mark=player.colours[0]),
        remove_button=Button(id=f"remove:{number}", text=_("Remove"), icon="close") if can_leave else None,
        error=error,
    )


def name_errors(draft: NewGameDefaults) -> tuple[str, ...]:
    """What is wrong with each name, empty if nothing is."""
    stripped = [player.name.strip() for player in draft.players]
    times = Counter(name.casefold() for name in stripped)
    return tuple(
        _("Write a name.") if not name else _("This name is there twice.") if times[name.casefold()] > 1 else ""
        for name in stripped
    )


def rename(draft: NewGameDefaults, field: str, text: str) -> NewGameDefaults:
    """The draft after typing into the entry field `name:{number}`; names are cut to what the screens have room for."""
    verb, _sep, value = field.partition(":")
    if verb != "name" or not _is_player(draft, value):
        return draft
    return _with(draft, int(value), replace(draft.players[int(value)], name=text[:LONGEST_NAME]))


def press(draft: NewGameDefaults, button_id: str) -> NewGameDefaults:
    """Next colour for a player, a player less, another one begins, two seats exchanged."""
    verb, *values = button_id.split(":")
    match verb, values:
        case "begins", []:
            return replace(draft, begins=(draft.begins + 1) % len(draft.players))
        case "colour", [number] if _is_player(draft, number):
            return _next_colours(draft, int(number))
        case "remove", [number] if _is_player(draft, number) and len(draft.players) > MIN_PLAYERS:
            return _without(draft, int(number))
        case "swap_seats", [a, b] if {a, b} <= {str(side) for side in range(SIDES)}:
            return _swapped(draft, int(a), int(b))
    return draft


def _is_player(draft: NewGameDefaults, text: str) -> bool:
    return text in {str(number) for number in range(len(draft.players))}


def _with(draft: NewGameDefaults, number: int, player: PlayerSetup) -> NewGameDefaults:
    return replace(draft, players=(*draft.players[:number], player, *draft.players[number + 1 :]))


def _without(draft: NewGameDefaults, number: int) -> NewGameDefaults:
    rest = (*draft.players[:number], *draft.players[number + 1 :])
    begins = draft.begins - (draft.begins > number)
    return replace(draft, players=rest, begins=min(begins, len(rest) - 1))


def _next_colours(draft: NewGameDefaults, number: int) -> NewGameDefaults:
    """The next colour, or pair of colours; whoever has one of them gets what becomes free instead."""
    mine = draft.players[number].colours
    sets: list[tuple[Colour, ...]] = list(itertools.combinations(COLOURS, len(mine)))
    wanted = sets[(sets.index(tuple(sorted(mine, key=COLOURS.index))) + 1) % len(sets)]
    given_up = [colour for colour in mine if colour not in wanted]
    exchange = dict(zip((colour for colour in wanted if colour not in mine), given_up, strict=True))
    players = [
        replace(
            player,
            colours=wanted
            if i == number
            else tuple(sorted((exchange.get(colour, colour) for colour in player.colours), key=COLOURS.index)),
        )
        for i, player in enumerate(draft.players)
    ]
    return replace(draft, players=tuple(players))


def _swapped(draft: NewGameDefaults, a: int, b: int) -> NewGameDefaults:
    to = {a: b, b: a}
    return replace(
        draft, players=tuple(replace(player, side=to.get(player.side, player.side)) for player in draft.players)
    )
