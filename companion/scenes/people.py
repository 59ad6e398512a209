"""People at a table: they press, touch, hold and wait, and know nothing but the state they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from companion.i18n import language
from companion.rules.geometry import Hex
from companion.rules.layout import Colour
from companion.rules.options import Options
from companion.scenes.staged_calibration import StagedCalibration
from companion.scenes.staged_table import StagedTable
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.defaults import Laying, NewGameDefaults, PlayerSetup
from companion.viewmodel.seating import USUAL_SIDES
from companion.viewmodel.states import AppState, Screen, SecretCard, SecretScreen

Cast = Literal["usual", "long"]

_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "en": ("Ann", "Bo", "Olena", "Maja"),
        "ru": ("Аня", "Боря", "Олена", "Майя"),
        "uk": ("Аня", "Богдан", "Олена", "Майя"),
        "sv": ("Ann", "Bo", "Olena", "Maja"),
    }
)
_LATIN = ("Maximilianna", "Bartholomäus", "Wenceslawowa", "Constantinos")
_CYRILLIC = ("Александрина", "Володимирчик", "Максимилиана", "Пантелеймоша")
_LONG_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"en": _LATIN, "ru": _CYRILLIC, "uk": _CYRILLIC, "sv": _LATIN}
)
"""As long as the wizard lets a name be."""

ONE_EACH: tuple[tuple[Colour, ...], ...] = (("red",), ("blue",), ("yellow",), ("green",))
TWO_EACH: tuple[tuple[Colour, ...], ...] = (("red", "yellow"), ("blue", "green"))


def names(cast: Cast = "usual") -> tuple[str, ...]:
    """What the four are called, in the letters of the language in force."""
    return (_NAMES if cast == "usual" else _LONG_NAMES)[language()]


def people_called() -> tuple[str, ...]:
    """Everybody who is in a scene, in any language."""
    return tuple({name for cast in (_NAMES, _LONG_NAMES) for four in cast.values() for name in four})


def seated(
    count: int, *, cast: Cast = "usual", two_colours: bool = False, laying: Laying = "companion",
    options: Options = Options(),  # noqa: B008 - frozen
) -> NewGameDefaults:  # fmt: skip
    """So many people in their usual seats."""
    colours = TWO_EACH if two_colours else ONE_EACH[:count]
    players = tuple(
        PlayerSetup(name, own, side) for name, own, side in zip(names(cast), colours, USUAL_SIDES[count], strict=False)
    )
    return NewGameDefaults(players=players, options=options, laying=laying)


class People:
    """A view model with a clock, and what hands do with it. `table` is what the camera sees and `calibration`
    what it is set up by, as far as there is one."""

    def __init__(
        self, vm: AppViewModel, table: StagedTable | None = None, calibration: StagedCalibration | None = None
    ) -> None:
        self.vm = vm
        self.table = table
        self.calibration = calibration
        self.now = 0.0

    @property
    def state(self) -> AppState:
        """All that is on the touchscreen."""
        return self.vm.state

    @property
    def screen(self) -> Screen:
        """The screen, without what lies over it."""
        return self.vm.state.screen

    def wait(self, seconds: float, step: float = 0.25) -> None:
        """Let time pass, as the screen's clock tells it."""
        until = self.now + seconds
        while self.now < until:
            self.now = min(until, self.now + step)
            self.vm.tick(self.now)

    def settle(self) -> None:
        """Look at what is there: a die comes to lie, and nobody is in haste."""
        while not self.vm.settled:
            self.wait(0.05, step=0.05)

    def press(self, *ids: str) -> None:
        """One button after another, none before it has been looked at."""
        for button_id in ids:
            self.settle()
            self.vm.press(button_id)
        self.settle()

    def touch(self, h: Hex) -> None:
        """A hex of the board."""
        self.vm.touch_hex(h)

    def hold(self) -> SecretCard | None:
        """Who is asked to look holds until the card opens; the card."""
        shown = self.screen
        assert isinstance(shown, SecretScreen), f"nobody is asked to look on a {type(shown).__name__}"
        self.vm.hold(shown.player)
        self.wait(0.75)
        opened = self.screen
        return opened.card if isinstance(opened, SecretScreen) else None

    def look(self, *answers: str) -> SecretCard | None:
        """The owner holds until the card opens, presses the answers, lets go; the card as it was first seen."""
        shown = self.screen
        card = self.hold()
        self.press(*answers)
        assert isinstance(shown, SecretScreen), "as `hold` has found"
        self.vm.let_go(shown.player)
        return card
