"""11: the moment in which the game ends, said to all before the rescued are turned over; and a secret put off."""

from __future__ import annotations

from collections.abc import Mapping

from companion.i18n import N_, _
from companion.rules.events import GameEnded
from companion.viewmodel.desk import Desk
from companion.viewmodel.log import ENDED, last_lines
from companion.viewmodel.states import Button
from companion.viewmodel.turn.panel import CELL_OF_PHASE, Panel, TurnPresenter
from companion.viewmodel.words import label

_TITLES: Mapping[str, str] = {
    "volcano": N_("Volcanic eruption"),
    "last_survivor": N_("To the last survivor"),
    "atlantis_sinks": N_("Atlantis has sunk"),
}
_RULES: Mapping[str, str] = {"volcano": "11.1", "last_survivor": "12.2", "atlantis_sinks": "12.4"}


def just_ended(desk: Desk) -> bool:
    """True until it has been read that the game is over."""
    last = desk.last
    return last is not None and not desk.has_read("end") and any(isinstance(e, GameEnded) for e in last.events)


class Ended(TurnPresenter):
    """Why no more turns follow."""

    def panel(self) -> Panel:
        """For who brought it about."""
        last = self.desk.last
        assert last is not None, "something has ended the game"
        reason = next(event.reason for event in last.events if isinstance(event, GameEnded))
        scoring = self.desk.public.phase == "scoring"
        return Panel(
            cell=CELL_OF_PHASE.get(last.phase, "sink"),
            phase=_("The game is over"),
            rule=_RULES[reason],
            player=self.desk.public.active,
            subtitle=_(_TITLES[reason]),
            sentence=_(ENDED[reason]),
            lines=last_lines(self.desk.record, self.desk.players),
            primary=Button(
                id="on",
                text=_("Turn over the rescued") if scoring else _("Who has won?"),
                kind="primary",
            ),
        )

    def act(self, button_id: str) -> None:
        """On to the values or the podium."""
        if button_id == "on":
            self.desk.mark_read("end")


class PutOff(TurnPresenter):
    """A secret that its player has put off: the game waits, and shows nothing of what is under the tile."""

    cell = "sink"

    def panel(self) -> Panel:
        """The board as before the look, and the way back to the curtain."""
        look = self.desk.look
        public = self.desk.public
        waiting_for = look.hex if look else public.sunk.hex if public.sunk else None
        player = self.desk.players[look.player if look else public.active]
        return Panel(
            cell=self.cell,
            rule="6.3",
            player=look.player if look else public.active,
            sentence=_("{name} has still to look under the tile from {hex}.").format(
                name=player.name, hex=label(waiting_for) if waiting_for else ""
            ),
            lines=(),
            primary=Button(id="look", text=_("Look now"), kind="primary"),
        )

    def hold(self, player: int) -> None:
        """The own button of who is to look leads there; of anybody else, to the own hand."""
        if player == self.panel().player:
            self.desk.postponed = False
        else:
            super().hold(player)

    def act(self, button_id: str) -> None:
        """Up with the curtain again."""
        if button_id == "look":
            self.desk.postponed = False
