"""3.4, 13.2: the dice, and then a creature of the kind rolled, touched and sent to a lit hex; or left where it is."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.i18n import _, ngettext, pgettext
from companion.rules.actions import Creature, DiveFace, DiveHexes, EndPhase, MoveCreature, Roll
from companion.rules.events import DiceRolled, NoSuchCreature, Rolled
from companion.rules.geometry import Hex
from companion.table.session import Entry
from companion.viewmodel import danger
from companion.viewmodel.board import Choice
from companion.viewmodel.desk import Desk
from companion.viewmodel.falling_die import falls_s
from companion.viewmodel.log import NO_SUCH
from companion.viewmodel.states import UNROLLED, Button, Die, Light, Line
from companion.viewmodel.turn.panel import Panel, TurnPresenter
from companion.viewmodel.turn.words import CANNOT_MOVE, HOW_FAR, MOVE_CREATURE
from companion.viewmodel.words import creature

NOTHING_ROLLED_S = 2.0
"""So long it is said that there is no such creature."""

DIVE_RULE = "13.2"
"""What is explained where the two blue dice are rolled."""


class Rolling(TurnPresenter):
    """Waiting for the roll."""

    cell = "roll"

    def panel(self) -> Panel:
        """One button, or a touch on the cell; the die lies there already, so that people see it roll."""
        dive = self.desk.public.options.dive_dice
        return Panel(
            cell=self.cell,
            rule=DIVE_RULE if dive else "",
            die=Die(face=UNROLLED, serial=0, second=UNROLLED if dive else "", size="small"),
            sentence=_("Roll the two blue dice.") if dive else _("Roll the creature die."),
            cell_acts=True,
            primary=Button(id="roll", text=_("Roll the dice") if dive else _("Roll the die"), kind="primary"),
        )

    def touch_cell(self) -> None:
        """Rolls too."""
        self.desk.session.do(Roll())

    def act(self, button_id: str) -> None:
        """Roll."""
        if button_id == "roll":
            self.touch_cell()


class Fallen(msgspec.Struct, frozen=True):
    """The dice as they lie: the kind rolled, with the blue dice (13.2) the hexes, and the entry of the roll."""

    kind: DiveFace
    hexes: DiveHexes | None
    entry: Entry

    @property
    def rule(self) -> str:
        """What is to be explained, if not what the phase's cell says."""
        return "" if self.hexes is None else DIVE_RULE

    def die(self, size: Literal["large", "small"]) -> Die:
        """The picture; the entry's serial tells one roll from another."""
        second = "" if self.hexes is None else "dive" if self.hexes == "D" else str(self.hexes)
        return Die(face=self.kind, serial=self.entry.serial, second=second, size=size)

    def how_far(self) -> str:
        """7.2, 13.2."""
        if self.hexes is None:
            return _(HOW_FAR[self.kind])
        if self.hexes == "D":
            return _("It dives to any empty sea hex.")
        return ngettext("It moves 1 hex.", "It moves up to {n} hexes.", self.hexes).format(n=self.hexes)

    def what_to_do(self, count: int) -> str:
        """Which pieces may move; `count` is how many are bright."""
        if not count:
            return _(CANNOT_MOVE[self.kind])
        if self.hexes is None:
            return ngettext(*MOVE_CREATURE[self.kind], count).format(n=count)
        if self.hexes == "D":
            return _("Move a bright piece to any empty sea hex, or touch it here.")
        return ngettext(
            "Move a bright piece 1 hex, or touch it here.",
            "Move a bright piece up to {n} hexes, or touch it here.",
            self.hexes,
        ).format(n=self.hexes)


def last_roll(desk: Desk) -> Fallen:
    """The roll that came last."""
    for entry in reversed(desk.record):
        for event in entry.events:
            if isinstance(event, Rolled):
                return Fallen(event.face, None, entry)
            if isinstance(event, DiceRolled):
                return Fallen(event.creature, event.hexes, entry)
    raise AssertionError("somebody has rolled")


class Creatures(TurnPresenter):
    """The creature phase: what may move is lit; one chosen, the hexes that it reaches. Nothing lit, people go on.

    With a star (13.2) several kinds may stand on one hex: then the panel asks which (`_which`).
    """

    cell = "creature"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._moves = [action for action in desk.legal() if isinstance(action, MoveCreature)]
        self._fallen = last_roll(desk)
        self._chosen: tuple[Creature, Hex] | None = None
        self._which: tuple[Creature, ...] = ()
        self._at: Hex | None = None

    def _kinds_at(self, h: Hex) -> tuple[Creature, ...]:
        return tuple(dict.fromkeys(move.creature for move in self._moves if move.origin == h))

    def _own(self) -> list[MoveCreature]:
        return [move for move in self._moves if (move.creature, move.origin) == self._chosen]

    def panel(self) -> Panel:
        """With a large die until a creature is chosen."""
        count = self._count()
        leave = ngettext("Leave it there", "Leave them", count) if count else _go_on()
        primary = Button(id="leave", text=leave, kind="primary")
        if self._chosen is not None:
            return self._targets(self._chosen, primary)
        lights: dict[Hex, Light] = dict.fromkeys((move.origin for move in self._moves), "legal")
        return Panel(
            cell=self.cell,
            phase=_("Rolled"),
            rule=self._fallen.rule,
            choice=Choice(lights=lights, touch=lights.keys(), veiled=bool(lights)),
            die=self._fallen.die("small" if self._which else "large"),
            subtitle=creature(self._fallen.kind),
            sentence=_("Which of them?") if self._which else self._fallen.what_to_do(count),
            lines=(),
            prompt=tuple(Button(id=f"kind:{kind}", text=creature(kind), icon=kind) for kind in self._which),
            choosing=bool(self._which),
            primary=primary,
        )

    def _targets(self, chosen: tuple[Creature, Hex], primary: Button) -> Panel:
        kind, origin = chosen
        layout = self.desk.public.layout
        lights: dict[Hex, Light] = {}
        warnings = []
        for move in self._own():
            warning = danger.of_creature(layout, kind, move.target, self.desk.players)
            lights[move.target] = "deadly" if warning else "legal"
            warnings += [warning] if warning else []
        lights[origin] = "chosen"
        touch = lights.keys() | {move.origin for move in self._moves}
        return Panel(
            cell=self.cell,
            rule=self._fallen.rule,
            choice=Choice(lights=lights, touch=touch, veiled=True),
            die=self._fallen.die("small"),
            subtitle=creature(kind),
            sentence=self._fallen.how_far(),
            lines=tuple(Line(text=text, icon="warning", tone="danger") for text in warnings),
            choosing=True,
            primary=primary,
        )

    def _count(self) -> int:
        """How many pieces stand there that can move."""
        layout = self.desk.public.layout
        pieces = {(move.creature, move.origin) for move in self._moves}
        return sum(1 if kind == "boat" else getattr(layout.at(h), f"{kind}s") for kind, h in pieces)

    def touch_hex(self, h: Hex) -> None:
        """A target of the one chosen, or a creature to choose."""
        moves = [move for move in self._own() if move.target == h]
        if moves:
            self.desk.session.do(moves[0])
            return
        kinds = self._kinds_at(h)
        again = self._chosen is not None and self._chosen[1] == h
        self.touch_away()
        if again:
            return
        if len(kinds) == 1:
            self._chosen = (kinds[0], h)
        else:
            self._which, self._at = kinds, h

    def touch_away(self) -> None:
        """Choose anew."""
        self._chosen, self._which = None, ()

    def act(self, button_id: str) -> None:
        """Leave them all where they are, or say which of several."""
        if button_id == "leave":
            self.desk.session.do(EndPhase())
        kinds = {f"kind:{kind}": kind for kind in self._which}
        if self._at is not None and button_id in kinds:
            self._chosen, self._which = (kinds[button_id], self._at), ()


class RolledNothing(TurnPresenter):
    """3.4: no such creature is on the board. Says so for two seconds; the game has gone on already."""

    cell = "creature"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._fallen = last_roll(desk)
        self._until = desk.shell.now + falls_s(desk.shell.household.preferences) + NOTHING_ROLLED_S

    def panel(self) -> Panel:
        """The die as it fell, for who rolled it."""
        return Panel(
            cell=self.cell,
            phase=_("Rolled"),
            rule=self._fallen.rule,
            player=self._fallen.entry.player,
            die=self._fallen.die("large"),
            subtitle=creature(self._fallen.kind),
            sentence=_(NO_SUCH[self._fallen.kind]),
            lines=(),
            primary=Button(id="on", text=_go_on(), kind="primary"),
        )

    def act(self, button_id: str) -> None:
        """No need to wait."""
        if button_id == "on":
            self.desk.mark_read("nothing rolled")

    def tick(self, now: float) -> bool:
        """On after two seconds."""
        if now < self._until:
            return False
        self.desk.mark_read("nothing rolled")
        return True


def _go_on() -> str:
    """Where there is nothing to choose."""
    return pgettext("nothing came of the roll", "Go on")


def rolled_nothing(desk: Desk) -> bool:
    """True while the last thing that happened is a roll for nothing that has not been read."""
    last = desk.last
    return (
        last is not None
        and not desk.has_read("nothing rolled")
        and any(isinstance(event, NoSuchCreature) for event in last.events)
    )
