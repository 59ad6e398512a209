"""13.4: more swimmers than dolphins on a hex; the owners say in turn, in public, whom the dolphins protect."""

from __future__ import annotations

from companion.i18n import _, ngettext
from companion.rules.actions import Protect
from companion.rules.layout import COLOURS
from companion.viewmodel.board import Choice
from companion.viewmodel.desk import Desk
from companion.viewmodel.states import Button
from companion.viewmodel.turn.panel import Panel, TurnPresenter
from companion.viewmodel.words import colour_name, creature, label


class Protecting(TurnPresenter):
    """A button for each number of own swimmers that are to be protected."""

    cell = "creature"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        actions = [action for action in desk.legal() if isinstance(action, Protect)]
        self._choices = sorted(actions, key=lambda action: -sum(action.explorers.values()))

    def panel(self) -> Panel:
        """Of the player who is asked now."""
        threat = self.desk.public.threat
        assert threat is not None, "in `protect` there is a threat"
        return Panel(
            cell=self.cell,
            rule="13.4",
            player=threat.asked[0],
            choice=Choice(lights={threat.hex: "chosen"}, veiled=True),
            subtitle=creature(threat.creature),
            sentence=_("More swim at {hex} than there are dolphins. How many of yours do they protect?").format(
                hex=label(threat.hex)
            ),
            lines=(),
            prompt=tuple(_button(f"protect:{i}", action) for i, action in enumerate(self._choices)),
            primary=Button(id="protect", text=_("Waiting for an answer"), kind="primary", enabled=False),
        )

    def act(self, button_id: str) -> None:
        """So many."""
        choices = {f"protect:{i}": action for i, action in enumerate(self._choices)}
        if button_id in choices:
            self.desk.session.do(choices[button_id])


def _button(button_id: str, action: Protect) -> Button:
    colours = [colour for colour in COLOURS if action.explorers.get(colour)]
    if not colours:
        return Button(id=button_id, text=_("Nobody"))
    if len(colours) == 1:
        n = action.explorers[colours[0]]
        text = ngettext("{n} swimmer", "{n} swimmers", n).format(n=n)
        return Button(id=button_id, text=text, mark=colours[0])
    return Button(id=button_id, text=", ".join(f"{colour_name(c)} {action.explorers[c]}" for c in colours))
