"""What a scene is: a game at some point, a few steps of people, and the screen they are shown then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.i18n import N_, _, language, set_language
from companion.rules.geometry import Hex
from companion.scenes.people import People
from companion.scenes.positions import at
from companion.table.follow import FollowState
from companion.viewmodel.states import AppState
from companion.viewmodel.table_link import LinkStatus, Lost

Step = Callable[[People], object]

SILENT = N_("The camera does not answer.")
ENDED = N_("The camera program has ended unexpectedly.")
"""What the watching process says when there are no pictures."""


class Scene:
    """`name` begins with the number of the screen in the design. `finger`: the hex that a finger is on meanwhile."""

    def __init__(self, name: str, start: Callable[[], People], *steps: Step, finger: str = "") -> None:
        self.name = name
        self.finger: Hex | None = at(finger) if finger else None
        self._start = start
        self._steps = steps

    def state(self, code: str) -> AppState:
        """What is shown to people who speak this language (`en`, `ru`...). Raises LanguageError."""
        with _speaking(code):
            people = self._start()
            for step in self._steps:
                step(people)
            people.vm.close()
            return people.state

    def __repr__(self) -> str:
        return f"Scene({self.name!r})"


@contextmanager
def _speaking(code: str) -> Iterator[None]:
    before = language()
    set_language(code)
    try:
        yield
    finally:
        set_language(before)


# What people do

LETTERS = ("settings", "group:screen", "letters", "back")
"""The buttons that give the marks letters, from where there are settings and back."""
BOARD_RIGHT = ("settings", "group:screen", "board_right", "back")
"""... and those that bring the board to the right."""


def press(*ids: str) -> Step:
    """Press one button after another."""
    return lambda people: people.press(*ids)


def at_once(button_id: str) -> Step:
    """Press a button: what is shown in that very moment."""

    def pressing(people: People) -> None:
        people.settle()
        people.vm.press(button_id)

    return pressing


def touch(*labels: str) -> Step:
    """Touch one hex of the board after another."""

    def touching(people: People) -> None:
        for label in labels:
            people.touch(at(label))

    return touching


def hold(*answers: str) -> Step:
    """Hold until the card opens, press the answers, and go on holding."""

    def holding(people: People) -> None:
        people.hold()
        people.press(*answers)

    return holding


def look(*answers: str) -> Step:
    """Hold until the card opens, press the answers, let go."""
    return lambda people: people.look(*answers)


def wait(seconds: float) -> Step:
    """Let time pass."""
    return lambda people: people.wait(seconds)


def write(field: str, text: str) -> Step:
    """Write into a field."""
    return lambda people: people.vm.edit(field, text)


# What the camera does


def camera(status: LinkStatus, *, waiting_s: float = 0.5) -> Step:
    """The camera is like this from now on; so long it stays so."""

    def changed(people: People) -> None:
        assert people.table is not None, "these people have no camera"
        people.table.status = status
        people.wait(waiting_s)

    return changed


def lost(reason: str, retry_s: int | None = None) -> Step:
    """There is no picture; `reason` is a text of the catalogues."""

    def losing(people: People) -> None:
        camera(Lost(_(reason), retry_s))(people)

    return losing


def seen(state: FollowState, *, waiting_s: float = 0.5) -> Step:
    """The pictures mean this; so long it stays so."""

    def following(people: People) -> None:
        assert people.table is not None, "these people have no camera"
        people.table.state = state
        people.wait(waiting_s)

    return following
