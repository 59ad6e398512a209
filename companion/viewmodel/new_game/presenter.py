"""2. New game: the wizard's frame. Nothing is lost on the way back or forth; the last step begins the game.

In: the last table. Out: a draft filled in, remembered, and handed on: to a game whose tiles the companion lays, to the
screen that counts the tiles as they lie, or to the one that goes on from a game in progress.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.i18n import N_, _
from companion.table.start import start_game
from companion.viewmodel.defaults import Laying, NewGameDefaults
from companion.viewmodel.help.all_rules import AllRules
from companion.viewmodel.laying import CountTiles
from companion.viewmodel.new_game import edition, players, rules, tiles
from companion.viewmodel.new_game.step import Step
from companion.viewmodel.presenter import Presenter, Shell
from companion.viewmodel.states import Button, NewGameScreen
from companion.viewmodel.take_over import GoOn

STEPS: tuple[Step, ...] = (
    Step(title=N_("Edition"), next_text=N_("Next: edition"), show=edition.show, press=edition.press),
    Step(title=N_("Players"), next_text=N_("Next: players"), show=players.show, press=players.press),
    Step(title=N_("Rules"), next_text=N_("Next: rules"), show=rules.show, press=rules.press),
    Step(title=N_("Tiles"), next_text=N_("Next: tiles"), show=tiles.show, press=tiles.press),
)

_BEGIN: dict[Laying, str] = {
    "companion": N_("Lay the island"),
    "as they lie": N_("Count the tiles"),
    "in progress": N_("Look at the table"),
}


class NewGame(Presenter):
    """The wizard, with what was chosen the last time. `last_step`: people come back from what follows it."""

    def __init__(self, shell: Shell, *, last_step: bool = False) -> None:
        self._shell = shell
        self._step = len(STEPS) - 1 if last_step else 0
        self._has_table = shell.table is not None
        draft = shell.household.last_table
        usable = self._has_table or draft.laying != "in progress"
        self._draft = draft if usable else replace(draft, laying="companion")

    def state(self) -> NewGameScreen:
        """The step that is open."""
        view = STEPS[self._step].show(self._draft, self._has_table)
        last = self._step == len(STEPS) - 1
        text = _BEGIN[self._draft.laying] if last else STEPS[self._step + 1].next_text
        return NewGameScreen(
            title=_("New game"),
            steps=tuple(_(step.title) for step in STEPS),
            step=self._step,
            back=Button(id="back", text=_("Back"), icon="back"),
            done=tuple(Button(id=f"step:{i}", text=_(step.title)) for i, step in enumerate(STEPS[: self._step])),
            players=view.players,
            seats=view.seats,
            seats_hint=view.seats_hint,
            rows=view.rows,
            note=view.note,
            secondary=view.secondary,
            primary=Button(
                id="next", text=view.waits_for or _(text), kind="primary", icon="forward", enabled=not view.waits_for
            ),
        )

    def press(self, button_id: str) -> None:
        """On, back, to a step already done, to the rules and back to this page; all else belongs to the step."""
        verb, _sep, value = button_id.partition(":")
        if verb == "back":
            self._back()
        elif verb == "next":
            self._next()
        elif verb == "step":
            if value.isdigit() and int(value) < self._step:
                self._step = int(value)
        elif verb == "rules":
            self._shell.show(AllRules(self._draft.options, lambda: self._shell.show(self)))
        else:
            self._draft = STEPS[self._step].press(self._draft, button_id)

    def edit(self, field: str, text: str) -> None:
        """A name was typed."""
        self._draft = players.rename(self._draft, field, text)

    def _back(self) -> None:
        if self._step:
            self._step -= 1
        else:
            self._shell.show_home()

    def _next(self) -> None:
        if STEPS[self._step].show(self._draft, self._has_table).waits_for:
            return
        if self._step < len(STEPS) - 1:
            self._step += 1
            return
        _BEGINNINGS[self._draft.laying](self._shell, self._draft)
        self._shell.household.remember_table(
            self._draft
        )  # last: a table that cannot be remembered is no reason not to play


def _shuffled(shell: Shell, draft: NewGameDefaults) -> None:
    session = start_game(shell.journal, draft.seated(), draft.options, None, shell.deal())
    shell.play(session, camera=draft.camera, laid=False)


_BEGINNINGS: dict[Laying, Callable[[Shell, NewGameDefaults], None]] = {
    "companion": _shuffled,
    "as they lie": lambda shell, draft: shell.show(CountTiles(shell, draft)),
    "in progress": lambda shell, draft: shell.show(GoOn(shell, draft)),
}
