"""12: the settings, group by group, and what is asked there."""

from __future__ import annotations

from companion.scenes.games import at_home, midgame
from companion.scenes.scene import Scene, press

SETTINGS = (
    Scene("12a_settings_language", at_home(), press("settings")),
    Scene("12b_settings_sound", at_home(), press("settings", "group:sound")),
    Scene("12c_settings_screen", at_home(), press("settings", "group:screen")),
    Scene("12d_settings_timing", at_home(), press("settings", "group:timing")),
    Scene("12e_settings_rules", at_home(), press("settings", "group:rules")),
    Scene("12f_settings_rules_locked", midgame(), press("menu", "settings", "group:rules")),
    Scene("12g_settings_about", at_home(), press("settings", "group:about")),
    Scene("12h_settings_turned", at_home(), press("settings", "group:screen", "rotation:180")),
    Scene("12i_settings_shut_down", at_home(), press("settings", "group:shut_down")),
    Scene("12j_settings_shutting_down", at_home(), press("settings", "group:shut_down", "shut_down")),
    Scene("12k_settings_no_sound", at_home(), press("settings", "group:sound", "sound")),
    Scene("12l_settings_darkened", at_home(light=False), press("settings", "group:screen")),
)
