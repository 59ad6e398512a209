"""The settings screen as people find it, pressed for at a view model: every group, the house rules, the questions."""

from __future__ import annotations

from companion.table.journal import Journal
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.preferences.model import Preferences
from companion.viewmodel.states import AppState, SetupScreen


class SomeMachine:
    """A companion on a table. `light`: its screen has one that can be set."""

    appliance = True
    version = "0.1.0"
    folders = ("/var/lib/atlantis/games.sqlite", "/var/lib/atlantis/settings.toml")
    free_mb = 24_000

    def __init__(self, *, light: bool = True) -> None:
        self.light = light
        self.percent = 0

    def shine(self, percent: int) -> bool:
        self.percent = percent
        return self.light

    def shut_down(self) -> None:
        raise AssertionError("nobody has pressed that")


def _after(*presses: str, light: bool = True) -> AppState:
    """What stands on the screen after these presses, the one for the settings left out."""
    chosen = Preferences(brightness=70)
    view_model = AppViewModel(Journal(":memory:"), preferences=chosen, machine=SomeMachine(light=light))
    if presses[0] == "new_game":
        view_model.press("new_game")
        while not isinstance(view_model.state.screen, SetupScreen):
            view_model.press("next")
        view_model.press("begin")
        view_model.press("menu")
        presses = presses[1:]
    for button_id in ("settings", *presses):
        view_model.press(button_id)
    return view_model.state


def settings_samples() -> dict[str, AppState]:
    """Sample states by name."""
    return {
        "12a_settings_language": _after("group:language"),
        "12b_settings_sound": _after("group:sound"),
        "12c_settings_screen": _after("group:screen"),
        "12d_settings_timing": _after("group:timing"),
        "12e_settings_rules": _after("group:rules"),
        "12f_settings_rules_locked": _after("new_game", "group:rules"),
        "12g_settings_about": _after("group:about"),
        "12h_settings_turned": _after("group:screen", "rotation:180"),
        "12i_settings_shut_down": _after("group:shut_down"),
        "12j_settings_shutting_down": _after("group:shut_down", "shut_down"),
        "12k_settings_no_sound": _after("group:sound", "sound"),
        "12l_settings_darkened": _after("group:screen", light=False),
    }
