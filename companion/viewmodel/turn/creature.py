"""3.4: the die, and then a creature of the kind rolled, touched and sent to a lit hex; or left where it is."""

from __future__ import annotations

from collections import Counter

from companion.i18n import _, ngettext
from companion.rules.actions import EndPhase, Face, MoveCreature, Roll
from companion.rules.events import NoSuchCreature, Rolled
from companion.rules.geometry import Hex
from companion.table.session import Entry
from companion.viewmodel import danger
from companion.viewmodel.board import Choice
from companion.viewmodel.desk import Desk
from companion.viewmodel.log import NO_SUCH
from companion.viewmodel.states import Button, Die, Light, Line
from companion.viewmodel.turn.panel import Panel, TurnPresenter
from companion.viewmodel.turn.words import HOW_FAR, MOVE_CREATURE
from companion.viewmodel.words import creature

NOTHING_ROLLED_S = 2.0
"""So long it is said that there is no such creature."""


class Rolling(TurnPresenter):
    """Waiting for the roll."""

    cell = "roll"

    def panel(self) -> Panel:
        """One button, or a touch on the cell."""
        return Panel(
            cell=self.cell,
            sentence=_("Roll the creature die."),
            primary=Button(id="roll", text=_("Roll the die"), kind="primary"),
        )

    def touch_cell(self) -> None:
        """Rolls too."""
        self.desk.session.do(Roll())

    def act(self, button_id: str) -> None:
        """Roll."""
        if button_id == "roll":
            self.touch_cell()


def last_roll(desk: Desk) -> tuple[Face, Entry]:
    """The face that came last, and its entry: its serial tells one roll from another."""
    return next(
        (event.face, entry) for entry in reversed(desk.record) for event in entry.events if isinstance(event, Rolled)
    )


class Creatures(TurnPresenter):
    """The creature phase: the kind rolled is lit; one chosen, the hexes that it reaches."""

    cell = "creature"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._moves = [action for action in desk.legal() if isinstance(action, MoveCreature)]
        self._face, entry = last_roll(desk)
        self._serial = entry.serial
        self._origin: Hex | None = None

    def panel(self) -> Panel:
        """With a large die until a creature is chosen."""
        standing = self._standing()
        primary = Button(
            id="leave", text=ngettext("Leave it there", "Leave them", sum(standing.values())), kind="primary"
        )
        name = creature(self._face)
        if self._origin is None:
            lights: dict[Hex, Light] = dict.fromkeys(standing, "legal")
            n = sum(standing.values())
            return Panel(
                cell=self.cell,
                phase=_("Rolled"),
                choice=Choice(lights=lights, touch=lights.keys(), veiled=True),
                die=Die(face=self._face, serial=self._serial, size="large"),
                subtitle=name,
                sentence=ngettext(*MOVE_CREATURE[self._face], n).format(n=n),
                lines=(),
                primary=primary,
            )
        layout = self.desk.public.layout
        lights, warnings = {}, []
        for move in self._moves:
            if move.origin == self._origin:
                warning = danger.of_creature(layout, self._face, move.target, self.desk.players)
                lights[move.target] = "deadly" if warning else "legal"
                warnings += [warning] if warning else []
        lights[self._origin] = "chosen"
        return Panel(
            cell=self.cell,
            choice=Choice(lights=lights, touch=lights.keys() | standing.keys(), veiled=True),
            die=Die(face=self._face, serial=self._serial, size="small"),
            subtitle=name,
            sentence=_(HOW_FAR[self._face]),
            lines=tuple(Line(text=text, icon="warning", tone="danger") for text in warnings),
            primary=primary,
        )

    def _standing(self) -> Counter[Hex]:
        """Where creatures of the kind stand that can move, and how many there are."""
        layout = self.desk.public.layout
        movable = {move.origin for move in self._moves}
        return Counter({h: getattr(layout.at(h), f"{self._face}s") for h in movable})

    def touch_hex(self, h: Hex) -> None:
        """A target of the one chosen, or a creature to choose."""
        moves = [move for move in self._moves if move.origin == self._origin and move.target == h]
        if moves:
            self.desk.session.do(moves[0])
        else:
            self._origin = h if h in self._standing() and h != self._origin else None

    def touch_away(self) -> None:
        """Choose anew."""
        self._origin = None

    def act(self, button_id: str) -> None:
        """Leave them all where they are."""
        if button_id == "leave":
            self.desk.session.do(EndPhase())


class RolledNothing(TurnPresenter):
    """3.4: no such creature is on the board. Says so for two seconds; the game has gone on already."""

    cell = "creature"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._face, self._entry = last_roll(desk)
        self._until = desk.shell.now + NOTHING_ROLLED_S

    def panel(self) -> Panel:
        """The die as it fell, for who rolled it."""
        return Panel(
            cell=self.cell,
            phase=_("Rolled"),
            player=self._entry.player,
            die=Die(face=self._face, serial=self._entry.serial, size="large"),
            subtitle=creature(self._face),
            sentence=_(NO_SUCH[self._face]),
            lines=(),
            primary=Button(id="on", text=_("Go on"), kind="primary"),
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


def rolled_nothing(desk: Desk) -> bool:
    """True while the last thing that happened is a roll for nothing that has not been read."""
    last = desk.last
    return (
        last is not None
        and not desk.has_read("nothing rolled")
        and any(isinstance(event, NoSuchCreature) for event in last.events)
    )
