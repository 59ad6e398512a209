"""The benchmark that follows whole games counts what the companion does wrong, whenever it does so."""

from __future__ import annotations

from bench.track import Game
from companion.rules.actions import MoveExplorer
from companion.rules.layout import Layout
from companion.table import Settled


class Fanciful:
    """A table at which a companion sees, now and then, a move that nobody made while all is as it should be."""

    style = "fanciful"

    def __init__(self, fancies: int) -> None:
        self.left = fancies
        self._layout: Layout | None = None

    def show(self, layout: Layout) -> None:
        """Put it so."""
        self._layout = layout

    def keep_still(self, seconds: float) -> None:
        """Time does not matter here."""

    def reach(self, at: tuple[float, float] | None) -> None:
        """No hands here."""

    def look(self, _: object) -> Settled:
        """A picture in which nothing has happened."""
        return Settled()

    def settle(self, follower: object) -> tuple[Settled, float]:
        """Take over a move if the table is right and there are fancies left."""
        session = follower._session  # type: ignore[attr-defined]  # the follower's own way to the game
        moves = [action for action in session.legal() if isinstance(action, MoveExplorer)]
        if self.left and moves and session.position.layout() == self._layout:
            self.left -= 1
            session.do(moves[0], "camera")
        return Settled(), 0.0


def test_what_is_taken_over_while_the_table_is_right_is_wrong() -> None:
    outcome = Game(Fanciful(9), 3).play(120)  # type: ignore[arg-type]  # it is looked at in the same way
    assert outcome.wrong == 9
