"""Follows a game without keeping the screen waiting: what takes long is weighed in a thread of its own.

In: observations, and what people answer. Out: the follower's state, and what it takes over in the session; both change
in `go_on`, `answer` and `dismiss` only, in the thread that calls them.
"""

from __future__ import annotations

import functools
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait

from companion.rules import Position
from companion.table.follow import Follower, FollowState, Play, Thinking, Waiting, Weighing
from companion.table.reconcile import Verdict
from companion.vision.observation import Observation

AT_ONCE_S = 0.01
"""Most tables are weighed in less: what is known that soon is shown at once."""


class Thinker:
    """Shows one follower picture after the other.

    Of steady pictures that come while it thinks it shows the last; a hand that came and went in between as well.
    """

    def __init__(self, session: Play, follower: Follower) -> None:
        self._session = session
        self._follower = follower
        self._thread = ThreadPoolExecutor(1, "thinking")
        self._waiting: deque[Observation] = deque()
        self._thinking: Thinking[FollowState] | None = None
        self._weighing: Future[Verdict] | None = None
        self._weighed_for: Position | None = None
        self._read_for: Position | None = None

    @property
    def state(self) -> FollowState:
        """What the last pictures mean that were thought about."""
        return self._follower.state

    @property
    def is_busy(self) -> bool:
        """True if a picture that came is not yet thought through."""
        return self._weighing is not None or bool(self._waiting)

    @property
    def knows_all(self) -> bool:
        """True if a table that shows the same tells nothing new: the game has not gone on, no pictures are wanted."""
        wanted = isinstance(self.state, Waiting) and self.state.why == "settling"
        return self._session.position is self._read_for and not wanted

    def see(self, observation: Observation) -> None:
        """The next picture."""
        if self._waiting and _is_steady(self._waiting[-1]) == _is_steady(observation):
            self._waiting.pop()
        self._waiting.append(observation)
        self.go_on()

    def go_on(self) -> None:
        """Take up what has been weighed by now, and then the next picture. Raises JournalError as `Follower.see`."""
        until = time.monotonic() + AT_ONCE_S
        while self.is_busy:
            if self._weighing is None:
                self._begin()
            elif self._session.position is not self._weighed_for:
                self._drop()  # people have gone on by touch
            elif not self._take_up(max(0.0, until - time.monotonic())):
                return

    def answer(self, number: int) -> None:
        """As `Follower.answer`."""
        self._drop()
        self._follower.answer(number)

    def dismiss(self) -> None:
        """As `Follower.dismiss`."""
        self._drop()
        self._follower.dismiss()

    def close(self) -> None:
        """The game is followed no more."""
        self._drop()
        self._waiting.clear()
        self._thread.shutdown(wait=False)

    def _begin(self) -> None:
        self._thinking = self._follower.seeing(self._waiting.popleft())
        self._advance(functools.partial(next, self._thinking))

    def _take_up(self, patience: float) -> bool:
        """False if it is being weighed still, after so many seconds."""
        assert self._thinking is not None
        assert self._weighing is not None
        if not wait([self._weighing], patience).done:
            return False
        weighed, self._weighing = self._weighing, None
        self._advance(functools.partial(self._thinking.send, weighed.result()))
        return True

    def _advance(self, step: Callable[[], Weighing]) -> None:
        """On to the next that has to be weighed, or to the end of this picture."""
        try:
            weighing = step()
        except StopIteration:
            self._thinking, self._read_for = None, self._session.position
            return
        self._weighed_for = self._session.position
        self._weighing = self._thread.submit(weighing)

    def _drop(self) -> None:
        if self._thinking is not None:
            self._thinking.close()
        self._thinking = self._weighing = None


def _is_steady(observation: Observation) -> bool:
    """False if something moves, a hand is in the picture or the board is not found."""
    hand = any(e.hidden == "hand" for e in observation.hexes) or any(e.hidden == "hand" for e in observation.safe)
    return observation.registered and not (observation.moving or hand)
