"""12. Settings: a rail of groups and the rows of one; each change holds at once and can be taken back the same way.

In: what the household has chosen, the machine. Out: choices kept, or a line that they could not be. The way up is only
tried until people say that they can still read it: without an answer it goes back by itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.i18n import _
from companion.viewmodel.new_game import rules
from companion.viewmodel.preferences.definitions import (
    GROUPS,
    Definition,
    Value,
    choices_of,
    definition,
    range_of,
)
from companion.viewmodel.preferences.questions import KeepTurned
from companion.viewmodel.preferences.rows import SettingRow, about_rows, choice_id, rule_rows, setting_rows, works
from companion.viewmodel.presenter import Presenter, Shell
from companion.viewmodel.states import Button, Note, SettingsScreen

TRIAL_S = 10.0
"""So long people have to say that a turned screen can be used."""


class SettingsPage(Presenter):
    """The settings. `back` leads to where people came from."""

    def __init__(self, shell: Shell, back: Callable[[], None]) -> None:
        self._shell = shell
        self._back = back
        self._household = shell.household
        self._group = GROUPS[0].id
        self._open_game = shell.journal.open_game()
        self._trial: tuple[Definition, Value, float] | None = None
        """What is tried out, and until when."""
        self._question = KeepTurned(self._seconds_left, self._keep_trial, self._end_trial)

    def state(self) -> SettingsScreen:
        """The rail, and the rows of the group that is open."""
        return SettingsScreen(
            title=_("Settings"),
            back=Button(id="back", text=_("Back"), icon="back"),
            groups=tuple(
                Button(id=f"group:{group.id}", text=_(group.name), icon=group.icon)
                for group in GROUPS
                if group.id != "shut_down" or self._shell.machine
            ),
            chosen=f"group:{self._group}",
            rows=self._rows(),
            note=self._note(),
        )

    def _rows(self) -> tuple[SettingRow, ...]:
        match self._group:
            case "rules":
                return rule_rows(self._household.last_table, self._open_game)
            case "about":
                return about_rows(self._shell)
        return setting_rows(self._group, self._household.preferences)

    def _note(self) -> Note | None:
        if self._group != "rules":
            return None
        if self._open_game:
            return Note(text=_("A game is open: its rules stay as they are until it is over."), icon="lock")
        return Note(text=_("A new game starts with these; you can change them there too."), icon="info")

    # What people do

    def press(self, button_id: str) -> None:
        """Another group, a switch, a choice, a house rule; shutting down asks first."""
        verb, _sep, value = button_id.partition(":")
        if verb == "back":
            self._back()
        elif button_id == "group:shut_down":
            self._shell.ask_to_shut_down()
        elif verb == "group":
            self._group = next((group.id for group in GROUPS if group.id == value), self._group)
        elif self._group == "rules":
            self._change_rules(button_id)
        elif d := self._shown(verb):
            self._set(d, button_id)

    def _shown(self, field: str) -> Definition | None:
        d = definition(field)
        return d if d and d.group == self._group else None

    def _set(self, d: Definition, button_id: str) -> None:
        now = getattr(self._household.preferences, d.field)
        if d.control == "switch":
            self._choose(d.field, not now)
            return
        value = next((v for v in choices_of(d.field) if button_id == choice_id(d.field, v)), now)
        if value == now:
            return
        if d.tried_first:
            self._try_out(d, value)
        else:
            self._choose(d.field, value)

    def _choose(self, field: str, value: Value) -> None:
        if not self._household.choose(field, value):
            self._say_not_kept()
        elif field == "language":
            self._shell.clear_toast()  # it speaks the old one

    def _say_not_kept(self) -> None:
        self._shell.toast(_("It stays as it was: the disk is full or cannot be written."), icon="warning")

    def slide(self, field: str, value: int, *, done: bool) -> None:
        """It is seen at once, and kept when the finger has left it."""
        d = definition(field)
        if d is None or d.control != "slider" or not works(d, self._household.preferences):
            return
        least, most = range_of(field)
        within = min(most, max(least, value))
        if done:
            self._choose(field, within)
        else:
            self._household.try_out(field, within)

    def _change_rules(self, button_id: str) -> None:
        if self._open_game:
            return
        before = self._household.last_table
        after = rules.press(before, button_id)
        if after != before and not self._household.change_table(after):
            self._say_not_kept()

    # What is tried out

    def _try_out(self, d: Definition, value: Value) -> None:
        self._household.try_out(d.field, value)
        self._trial = d, value, self._shell.now + TRIAL_S
        self._shell.ask(self._question)

    def _seconds_left(self) -> int:
        return max(0, math.ceil(self._trial[2] - self._shell.now)) if self._trial else 0

    def _keep_trial(self) -> None:
        if self._trial:
            d, value, _until = self._trial
            self._trial = None
            self._shell.ask(None)
            self._choose(d.field, value)

    def _end_trial(self) -> None:
        self._trial = None
        self._household.put_back()

    def tick(self, now: float) -> bool:
        """A trial counts down and ends; at once where something else is asked: nobody can say then that it may stay."""
        if self._trial is None:
            return False
        asked = self._shell.asks(self._question)
        if not asked or now >= self._trial[2]:
            self._end_trial()
        if asked and self._trial is None:
            self._shell.ask(None)
        return True

    def close(self) -> None:
        """What was only tried out goes back."""
        self._end_trial()
