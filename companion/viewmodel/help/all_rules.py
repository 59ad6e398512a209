"""13. The rules in full: all that hold in a game, in chapters, and last those that do not.

In: the options of a game, played or being put together in the wizard. Out: a row a rule; touched, its card opens, which
the frame sees to wherever such a row stands.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.i18n import _
from companion.rules.options import Options
from companion.viewmodel.help.card import rule_button
from companion.viewmodel.help.chapters import chapters
from companion.viewmodel.help.rules import RULES
from companion.viewmodel.presenter import Presenter
from companion.viewmodel.states import Button, RuleGroup, RuleRow, RulesScreen


class AllRules(Presenter):
    """The list. `back` leads to where people came from."""

    def __init__(self, options: Options, back: Callable[[], None]) -> None:
        self._chapters = chapters(options)
        self._back = back

    def state(self) -> RulesScreen:
        """A group a chapter."""
        return RulesScreen(
            title=_("The rules"),
            back=Button(id="back", text=_("Back"), icon="back"),
            groups=tuple(
                RuleGroup(title=_(chapter.title), rows=tuple(map(_row, chapter.rules)), holds=chapter.holds)
                for chapter in self._chapters
            ),
        )

    def press(self, button_id: str) -> None:
        """Back."""
        if button_id == "back":
            self._back()


def _row(rule: str) -> RuleRow:
    text = RULES[rule]
    return RuleRow(id=rule_button(rule).id, number=rule, title=_(text.title), line=_(text.says))
