"""5, and the question of 4: the table shows what the game cannot explain, or could explain in two ways.

In: the follower's state. Out: the screen that says it in words; `answer` and `dismiss` go to the table's link. Both go
away by themselves when the table is right again, because the state behind them does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from companion.i18n import N_, NN_, _, listed, ngettext
from companion.rules.actions import (
    Action,
    LoadBoat,
    MoveBoat,
    MoveCreature,
    MoveExplorer,
    PlaceBoat,
    PlaceExplorer,
    SinkTile,
)
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, Colour, Counts, HexContent, Layout
from companion.table.chores import Chore
from companion.table.follow import FollowState
from companion.table.reconcile import Contradiction, Question
from companion.viewmodel.board import Choice, board_view
from companion.viewmodel.camera import explains
from companion.viewmodel.chores import chore_line, what_is_there
from companion.viewmodel.desk import Desk
from companion.viewmodel.help.card import rule_button
from companion.viewmodel.help.rules import RULES
from companion.viewmodel.presenter import Presenter
from companion.viewmodel.show_picture import show_picture, table_in_sight
from companion.viewmodel.states import (
    Arrow,
    Button,
    ContradictionScreen,
    Icon,
    Light,
    TurnScreen,
)
from companion.viewmodel.turn.panel import CELL_OF_PHASE, Panel, common, turn_screen
from companion.viewmodel.words import label

_GOES_AWAY = (
    N_("This goes away by itself when the table is right."),
    NN_(
        "This goes away by itself when {hexes} is right.",
        "This goes away by itself when {hexes} are right.",
    ),
)
_NOT_LOOKED_AT = (
    N_("Enter here what was done. The camera does not look until something changes."),
    NN_(
        "Enter here what was done. Until {hexes} changes it is not looked at.",
        "Enter here what was done. Until {hexes} change they are not looked at.",
    ),
)
"""What people have to do now, and what the camera does not any more."""


class Contradicted(Presenter):
    """The hex, the rule, the way back."""

    def __init__(self, desk: Desk) -> None:
        assert isinstance(desk.following, Contradiction), "the table contradicts the rules"
        self._desk = desk
        self._found = desk.following

    def state(self) -> ContradictionScreen:
        """The board stays bright; a circle, an arrow, and words."""
        found = self._found
        back = next((chore for chore in found.way_back if chore.origin_hex and chore.hex), None)
        arrow = Arrow(origin=back.origin_hex, target=back.hex, colour=back.colour) if back else None  # type: ignore[arg-type]
        wrong: tuple[Hex, ...] = (arrow.origin,) if arrow else found.hexes
        legal = self._desk.public.layout
        layout = _as_it_lies(legal, back) if back else legal
        lights: dict[Hex, Light] = dict.fromkeys(wrong, "contradicted")
        rule = found.rule
        return ContradictionScreen(
            title=_("Look at {hex}").format(hex=label(wrong[0])) if wrong else _("Look at the safe lands"),
            board=board_view(layout, Choice(lights=lights, arrow=arrow)),
            sentence=self._sentence(wrong),
            strong=_(RULES[rule].sentence) if rule else found.message or "",
            rule=rule_button(rule) if rule else None,
            way_back=tuple(chore_line(chore) for chore in found.way_back),
            hint=self._told(_GOES_AWAY),
            buttons=(
                Button(id="menu", text=_("Menu"), icon="menu"),
                *((Button(id="why", text=_("See why")),) if table_in_sight(self._desk) else ()),
                Button(id="fix", text=_("Fix by touch")),
            ),
        )

    def _sentence(self, wrong: tuple[Hex, ...]) -> str:
        """What is there, as far as one piece of the way back tells it."""
        there = (chore for chore in self._found.way_back if (chore.origin_hex or chore.hex) in wrong)
        first = next(there, None)
        return _("What lies there does not go by the rules.") if first is None else what_is_there(first)

    def _told(self, words: tuple[str, tuple[str, str]]) -> str:
        """A sentence about the hexes that were found, or the one that is said where none was."""
        hexes = self._found.hexes
        if not hexes:
            return _(words[0])
        return ngettext(*words[1], len(hexes)).format(hexes=listed(label(h) for h in hexes))

    def press(self, button_id: str) -> None:
        """People see why, or say by touch what is there; the menu leads to playing without the camera."""
        desk = self._desk
        if button_id == "fix" and desk.shell.table:
            desk.shell.table.dismiss()
            desk.shell.toast(self._told(_NOT_LOOKED_AT), icon="camera_off")
        elif button_id == "why":
            found = self._found
            show_picture(desk, found.hexes, lambda: _is_about(found, desk.following))
        elif button_id == "menu":
            desk.go_for_menu()


def _is_about(found: Contradiction, following: FollowState | None) -> bool:
    """Whether what was found there still is; a hand over the board does not make it right."""
    if isinstance(following, Contradiction):
        return following.hexes == found.hexes
    return following is not None and not explains(following)


def _as_it_lies(layout: Layout, back: Chore) -> Layout:
    """The layout with the piece of a carrying where it was seen, not where it belongs."""
    here, there = back.origin_hex, back.hex
    assert here is not None, "it is carried from a hex"
    assert there is not None, "to a hex"
    hexes = dict(layout.hexes)
    boat = layout.at(there).boat or {}
    for h, by in ((there, -1), (here, 1)):
        hexes[h] = _changed(layout.at(h), back, by, boat)
    return Layout(hexes, layout.safe, layout.unknown)


def _changed(content: HexContent, back: Chore, by: int, boat: Counts) -> HexContent:
    """A hex with that piece more or less; a boat comes with who is in it."""
    match back.piece:
        case "tile":
            return msgspec.structs.replace(content, tile=back.terrain if by > 0 else None)
        case "boat":
            return msgspec.structs.replace(content, boat=boat if by > 0 else None)
        case "explorer" if by < 0 and back.on == "boat":
            return msgspec.structs.replace(content, boat=_counted(content.boat or {}, back.colour, by))
        case "explorer":
            return msgspec.structs.replace(content, explorers=_counted(content.explorers, back.colour, by))
        case creature:
            of_kind = f"{creature}s"
            return msgspec.structs.replace(content, **{of_kind: max(0, getattr(content, of_kind) + by)})


def _counted(people: Counts, colour: Colour | None, by: int) -> Counts:
    """Explorers with one of a colour more or less."""
    counts = {str(c): people.get(c, 0) + by * (c == colour) for c in COLOURS}
    return {c: n for c, n in counts.items() if n > 0}


class Questioned(Presenter):
    """One question, an answer a candidate, and the way out that asks no more."""

    def __init__(self, desk: Desk) -> None:
        assert isinstance(desk.following, Question), "the table leaves a question"
        self._desk = desk
        self._question = desk.following
        self._page = 0

    def state(self) -> TurnScreen:
        """In the turn's panel, also while setting up: the hexes marked, the answers as wide buttons."""
        panel = Panel(
            cell=CELL_OF_PHASE.get(self._desk.public.phase),
            phase=_("One question"),
            choice=Choice(lights=dict.fromkeys(self._question.hexes, "doubt")),
            sentence=_("What was done?"),
            lines=(),
            prompt=self._answers(),
            primary=Button(id="wait", text=_("Waiting for an answer"), kind="primary", enabled=False),
        )
        return turn_screen(self._desk, panel, page=self._page)

    def _answers(self) -> tuple[Button, ...]:
        told = [[action for action in c.actions if type(action) in _TELL] for c in self._question.candidates]
        return (
            *(_answer(f"answer:{i}", actions, told) for i, actions in enumerate(told)),
            Button(id="none", text=_("None of these"), line=_("enter it by touch")),
        )

    def hold(self, player: int) -> None:
        """The own button is the own hand, as in the turn."""
        self._desk.hold_hand(player)

    def press(self, button_id: str) -> None:
        """It was that one, or none; menu, hand and undo as ever."""
        ways = {**common(self._desk), "more": self._turn_page}
        ways.get(button_id, lambda: self._answer(button_id))()

    def _turn_page(self) -> None:
        self._page += 1

    def _answer(self, button_id: str) -> None:
        table = self._desk.shell.table
        candidates = {f"answer:{i}": candidate for i, candidate in enumerate(self._question.candidates)}
        if table and button_id in candidates:
            table.answer(candidates[button_id].actions)
        elif table and button_id == "none":
            table.dismiss()


def _answer(button_id: str, actions: list[Action], candidates: list[list[Action]]) -> Button:
    """A candidate by what tells it from the others, and how much more was done."""
    if not actions:
        return Button(id=button_id, text=_("Nothing was done"))
    own = (action for action in actions if not all(action in other for other in candidates))
    first, more = next(own, actions[0]), len(actions) - 1
    return Button(
        id=button_id,
        text=_TELL[type(first)](first),
        line=ngettext("and {n} thing more", "and {n} things more", more).format(n=more) if more else "",
        mark=getattr(first, "colour", None),
        icon=getattr(first, "creature", _ICONS.get(type(first))),
    )


def _placed(h: Hex) -> str:
    return _("Placed on {hex}").format(hex=label(h))


def _moved(origin: Hex | None, target: Hex | None) -> str:
    if target is None or origin is None:
        return _("From {origin} to safe land").format(origin=label(origin) if origin else "")
    return _("From {origin} to {target}").format(origin=label(origin), target=label(target))


_TELL: Mapping[type, Callable[[Any], str]] = {
    PlaceExplorer: lambda action: _placed(action.hex),
    PlaceBoat: lambda action: _placed(action.hex),
    MoveExplorer: lambda action: _moved(action.origin.hex, action.target.hex),
    MoveBoat: lambda action: _moved(action.origin, action.target),
    MoveCreature: lambda action: _moved(action.origin, action.target),
    SinkTile: lambda action: _("{hex} was sunk").format(hex=label(action.hex)),
    LoadBoat: lambda _action: _("The boat was loaded"),
}
"""What hands have done; actions that no hand does are not told."""

_ICONS: Mapping[type, Icon] = {PlaceBoat: "boat", MoveBoat: "boat", SinkTile: "phase_sink", LoadBoat: "boat"}
