"""10b and 13: what is looked up and not played: a game watched again, the rules; playing by buttons."""

from __future__ import annotations

from companion.rules.options import Options
from companion.scenes.games import at_home, midgame
from companion.scenes.people import People, seated
from companion.scenes.positions import at
from companion.scenes.scene import Scene, Step, press, seen, touch
from companion.scenes.turns import DONE
from companion.table.reconcile import Contradiction
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.states import GamesScreen


def _watch(people: People) -> None:
    """The newest game of the list."""
    people.press("menu", "home", "games")
    shown = people.screen
    assert isinstance(shown, GamesScreen), "the list of games"
    people.press(shown.rows[0].id)


def _unreadable(people: People) -> None:
    """The open game gets a step that no version of the rules knows."""
    game = people.vm.journal.open_game()
    assert game is not None, "it is being played"
    body = {"action": {"type": "no such action"}, "source": "touch", "turn": 3}
    people.vm.journal.append(game.id, [("action", body)])


def _to(step: int) -> Step:
    return lambda people: people.vm.slide("step", step, done=True)


REPLAYS = (
    Scene("10b_replay", midgame(), _watch, _to(4)),
    Scene("10b_replay_start", midgame(), _watch),
    Scene("10b_replay_running", midgame(cast="long"), _watch, _to(2), press("play")),
    Scene("10b_replay_end", midgame(), _watch, _to(99)),
    Scene("10b_replay_exported", midgame(), _watch, press("export")),
    Scene("10b_replay_unreadable", midgame(), _unreadable, _watch, _to(99)),
)


def _broken(rule: str) -> tuple[Step, ...]:
    """The camera sees that rule broken, and people ask what it says."""
    return seen(Contradiction((at("E8"),), rule, None, ())), press(f"rule:{rule}")


RULE_CARDS = (
    Scene("13_rule_move", midgame(), press("rule:3.2")),
    Scene("13_rule_sink", midgame(), DONE, touch("G7"), press("rule:6.1")),
    *(Scene(f"13_rule_{rule}", midgame(), *_broken(rule)) for rule in ("3", "4.3", "9.1", "13.2")),
)


def _buttons(*names: str) -> Step:
    """Buttons at the table's edge, one after another."""

    def tapping(people: People) -> None:
        for name in names:
            people.vm.panel(name, True)
            people.vm.panel(name, False)

    return tapping


BY_BUTTONS = (
    Scene("04k_cursor_on_a_hex", midgame(), DONE, _buttons("roll", "roll")),
    Scene("04k_cursor_on_a_button", midgame(), DONE, _buttons("roll", "undo", "undo")),
    Scene("04k_cursor_in_a_menu", midgame(), press("menu"), _buttons("roll")),
    Scene("12m_cursor_holds_a_slider", at_home(), press("settings", "group:sound"), _buttons("roll", "undo", "ok")),
)


def _with_dive_dice() -> NewGameDefaults:
    return seated(2, options=Options(dive_dice=True))


_TO_THE_RULES = press("new_game", "next", "next", "rules")

RULES = (
    Scene("13_rules", midgame(), press("menu", "rules")),
    Scene("13_rules_card", midgame(), press("menu", "rules", "rule:3")),
    Scene("13_rules_end", at_home(_with_dive_dice), _TO_THE_RULES, _buttons("roll", "undo")),
)
"""The last is at the list's end, where the cursor has gone, going back from the first: what holds only without them."""
