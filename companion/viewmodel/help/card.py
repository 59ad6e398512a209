"""The card of a rule, and the button that opens it. The frame opens it wherever such a button is pressed."""

from __future__ import annotations

from companion.i18n import _, pgettext
from companion.viewmodel.help.pictures import picture
from companion.viewmodel.help.rules import RULES
from companion.viewmodel.presenter import DialogPresenter
from companion.viewmodel.states import Button, RuleCard

_VERB = "rule:"


def rule_button(rule: str) -> Button:
    """`Rule 4.4`; pressed, its card opens."""
    return Button(id=f"{_VERB}{rule}", text=_("Rule {number}").format(number=rule), icon="info")


def rule_of(button_id: str) -> str | None:
    """Which rule's card such a button opens; None if it is none of them."""
    rule = button_id.removeprefix(_VERB)
    return rule if button_id.startswith(_VERB) and rule in RULES else None


class RuleHelp(DialogPresenter):
    """A rule in the people's language, with its picture; it lies there until it is put away."""

    def __init__(self, rule: str) -> None:
        self._rule = rule

    def state(self) -> RuleCard:
        """What it says."""
        text = RULES[self._rule]
        return RuleCard(
            rule=_("Rule {number}").format(number=self._rule),
            title=_(text.title),
            sentence=_(text.says),
            text=_(text.besides) if text.besides else "",
            picture=picture(self._rule),
            safe=Button(id="close", text=pgettext("a notice is read", "Go on"), kind="primary"),
        )
