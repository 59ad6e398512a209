"""Which function draws which screen."""

from __future__ import annotations

from companion.ui.parts import Part
from companion.ui.screens.calibrate import calibrate
from companion.ui.screens.contradiction import contradiction
from companion.ui.screens.defence import defence
from companion.ui.screens.games import games
from companion.ui.screens.home import home
from companion.ui.screens.kit import Page
from companion.ui.screens.new_game import new_game
from companion.ui.screens.overlays import dialog, toast
from companion.ui.screens.podium import podium
from companion.ui.screens.score import score
from companion.ui.screens.secret import secret, turned
from companion.ui.screens.setup import setup
from companion.ui.screens.turn import turn
from companion.viewmodel import states as s


def screen_parts(page: Page, screen: s.Screen) -> tuple[Part, ...]:
    """The parts of any screen."""
    match screen:
        case s.HomeScreen():
            parts = home(page, screen)
        case s.NewGameScreen():
            parts = new_game(page, screen)
        case s.SetupScreen():
            parts = setup(page, screen)
        case s.TurnScreen():
            parts = turn(page, screen)
        case s.ContradictionScreen():
            parts = contradiction(page, screen)
        case s.SecretScreen():
            parts = secret(page, screen)
        case s.DefenceScreen():
            parts = defence(page, screen)
        case s.ScoreScreen():
            parts = score(page, screen)
        case s.PodiumScreen():
            parts = podium(page, screen)
        case s.GamesScreen():
            parts = games(page, screen)
        case s.CalibrateScreen():
            parts = calibrate(page, screen)
    return tuple(parts)


def is_turned(screen: s.Screen) -> bool:
    """True if the screen is turned by 180 degrees, for a viewer opposite."""
    return isinstance(screen, s.SecretScreen) and turned(screen)


def dialog_parts(page: Page, shown: s.Dialog | None) -> tuple[Part, ...]:
    """The parts of a dialog; none if there is none."""
    return tuple(dialog(page, shown)) if shown else ()


def toast_parts(page: Page, shown: s.Toast | None) -> tuple[Part, ...]:
    """The parts of a toast; none if there is none."""
    return tuple(toast(page, shown)) if shown else ()
