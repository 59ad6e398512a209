"""Which function draws which screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.ui.parts import Part
from companion.ui.screens.calibrate import calibrate
from companion.ui.screens.contradiction import contradiction
from companion.ui.screens.defence import defence
from companion.ui.screens.games import games
from companion.ui.screens.home import home
from companion.ui.screens.kit import Page
from companion.ui.screens.new_game import new_game
from companion.ui.screens.overlays import dialog, toast
from companion.ui.screens.picture_card import picture_card
from companion.ui.screens.podium import podium
from companion.ui.screens.replay import replay
from companion.ui.screens.rule import rule_card
from companion.ui.screens.rules import rules
from companion.ui.screens.score import score
from companion.ui.screens.secret import secret, turned
from companion.ui.screens.settings import settings
from companion.ui.screens.setup import setup
from companion.ui.screens.shut import shut
from companion.ui.screens.statistics import statistics
from companion.ui.screens.turn import turn
from companion.viewmodel import states as s

_SCREENS: Mapping[type[Any], Callable[[Page, Any], list[Part]]] = {
    s.ShutScreen: shut,
    s.HomeScreen: home,
    s.NewGameScreen: new_game,
    s.SetupScreen: setup,
    s.TurnScreen: turn,
    s.ContradictionScreen: contradiction,
    s.SecretScreen: secret,
    s.DefenceScreen: defence,
    s.ScoreScreen: score,
    s.PodiumScreen: podium,
    s.StatisticsScreen: statistics,
    s.GamesScreen: games,
    s.ReplayScreen: replay,
    s.RulesScreen: rules,
    s.SettingsScreen: settings,
    s.CalibrateScreen: calibrate,
}


def screen_parts(page: Page, screen: s.Screen) -> tuple[Part, ...]:
    """The parts of any screen."""
    return tuple(_SCREENS[type(screen)](page, screen))


def is_turned(screen: s.Screen) -> bool:
    """True if the screen is turned by 180 degrees, for a viewer opposite."""
    return isinstance(screen, s.SecretScreen) and turned(screen)


_DIALOGS: Mapping[type[Any], Callable[[Page, Any], list[Part]]] = {
    s.Dialog: dialog,
    s.RuleCard: rule_card,
    s.PictureCard: picture_card,
}


def dialog_parts(page: Page, shown: s.DialogState | None) -> tuple[Part, ...]:
    """The parts of what lies over a screen; none if nothing does."""
    return tuple(_DIALOGS[type(shown)](page, shown)) if shown else ()


def toast_parts(page: Page, shown: s.Toast | None) -> tuple[Part, ...]:
    """The parts of a toast; none if there is none."""
    return tuple(toast(page, shown)) if shown else ()
