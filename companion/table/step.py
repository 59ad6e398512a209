"""The last action that the camera has seen: for a while hands may take it back, or carry it on.

A hand that rests on the way has been taken at its word, and that is no reason to hold anybody to it. But once people
have left the table alone with it for some time, what they do next is something new; first if the piece goes on, later
also if it goes back.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.rules import Position
from companion.rules.actions import Action

STANDS_S, IS_PAST_S = 2.0, 10.0
"""A step that the table has shown for so long with nobody over it is not exchanged for another one; nor taken back."""


class Step(NamedTuple):
    """The action, and the positions around it.

    `calm_s`: for how long in all nobody has been over the table since; `calm_since`: from when on it has still to be
    counted, None while somebody is.
    """

    before: Position
    action: Action
    after: Position
    calm_since: float | None
    calm_s: float = 0.0

    def seen(self, time: float, *, steady: bool) -> Step:
        """With the next picture. A table that keeps still is not looked at: all is calm until that picture."""
        calm_s = self.calm_s + (time - self.calm_since if self.calm_since is not None else 0.0)
        return self._replace(calm_s=calm_s, calm_since=time if steady else None)

    @property
    def stands(self) -> bool:
        """True if a piece that goes on from there does something new."""
        return self.calm_s >= STANDS_S

    @property
    def is_past(self) -> bool:
        """True if also one that goes back does."""
        return self.calm_s >= IS_PAST_S
