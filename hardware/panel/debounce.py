"""Tells a finger from a bouncing contact, out of nothing but levels and times.

In: (level, time) samples of one input, taken at any rate. Out: the changes that were meant. Interrupts play no part:
edges come twice, come from a neighbouring wire's spark, or do not come at all, whereas a level that is read again a few
milliseconds later is simply true. A change counts once every sample for `settle_s` has agreed on it.
"""

from __future__ import annotations


class Debouncer:
    """One input; `pressed` is the level that counts now. Starts released."""

    def __init__(self, settle_s: float) -> None:
        self.pressed = False
        self._settle_s = settle_s
        self._since: float | None = None  # when the samples began to contradict `pressed`

    def sample(self, level: bool, time: float) -> bool:
        """Take in one reading (True: closed) at a monotonic time in s; True if `pressed` has changed by it."""
        if level == self.pressed:
            self._since = None
            return False
        if self._since is None:
            self._since = time
        if time - self._since < self._settle_s:
            return False
        self.pressed, self._since = level, None
        return True
