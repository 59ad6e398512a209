"""Follows a game without keeping the screen waiting: what takes long is weighed in a thread of its own.

In: observations, and what people answer. Out: the follower's state, and what it takes over in the session; both change
in `see`, `go_on`, `answer` and `dismiss` only, in the thread that calls them.
"""

from __future__ import annotations

import functools
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait

from companion.rules import Position
from companion.rules.actions import Action
from companion.table.follow import FollowedGame, Follower, FollowState, Waiting
from companion.table.reconcile import Contradiction, Question, Verdict
from companion.table.weighing import Thinking, Weighing
from companion.vision.observation import Observation

AT_ONCE_S = 0.01
"""So long a picture is waited for: most are weighed in less, and then shown at once."""

SWITCH_S = 0.0005
"""For `sys.setswitchinterval`: so long a screen waits for the interpreter, which it lets go of several times a frame,
while something is weighed. By itself Python lets it wait ten times as long."""


class Thinker:
    """Shows one follower picture after the other.

    Of steady pictures that come while it thinks it shows the last; a hand that came and went in between as well.
    """

    def __init__(self, session: FollowedGame, follower: Follower) -> None:
        self._session = session
        self._follower = follower
        self._scales = ThreadPoolExecutor(1, "thinking")
        self._pictures: deque[Observation] = deque()
        self._thinking: Thinking[FollowState] | None = None
        self._verdict: Future[Verdict] | None = None
        self._patient_until = 0.0
        self._weighed_for: Position | None = None
        self._read_for: Position | None = None

    @property
    def state(self) -> FollowState:
        """What the last pictures mean that were thought about; what was wrong in another position is none of it."""
        state = self._follower.state
        is_past = self._session.position is not self._read_for and isinstance(state, Question | Contradiction)
        return Waiting("settling") if is_past else state

    @property
    def is_busy(self) -> bool:
        """True if a picture that came is not yet thought through."""
        return self._verdict is not None or bool(self._pictures)

    @property
    def knows_all(self) -> bool:
        """True if a table that shows the same tells nothing new: the game has not gone on, no pictures are wanted."""
        wanted = isinstance(self.state, Waiting) and self.state.why in {"settling", "moving"}
        return self._session.position is self._read_for and not (wanted or self.is_busy)

    def see(self, observation: Observation) -> None:
        """The next picture."""
        if self._pictures and self._is_steady(self._pictures[-1]) == self._is_steady(observation):
            self._pictures.pop()
        self._pictures.append(observation)
        self.go_on()

    def go_on(self) -> None:
        """Take up what has been weighed by now, and then the next picture. Raises JournalError as `Follower.see`."""
        while self.is_busy:
            if self._verdict is None:
                self._begin()
            elif self._session.position is not self._weighed_for:
                self._drop()  # people have gone on by touch
            elif not self._take_up():
                return

    def answer(self, actions: Sequence[Action]) -> None:
        """As `Follower.answer`."""
        self._drop()
        self._follower.answer(actions)

    def dismiss(self) -> None:
        """As `Follower.dismiss`."""
        self._drop()
        self._follower.dismiss()

    def close(self) -> None:
        """The game is followed no more."""
        self._drop()
        self._pictures.clear()
        self._scales.shutdown(wait=False)

    def _begin(self) -> None:
        self._patient_until = time.monotonic() + AT_ONCE_S
        self._thinking = self._follower.seeing(self._pictures.popleft())
        self._advance(functools.partial(next, self._thinking))

    def _take_up(self) -> bool:
        """False if it is being weighed still, and has been for longer than is waited."""
        assert self._thinking is not None
        assert self._verdict is not None
        if not wait([self._verdict], max(0.0, self._patient_until - time.monotonic())).done:
            return False
        verdict, self._verdict = self._verdict, None
        self._advance(functools.partial(self._thinking.send, verdict.result()))
        return True

    def _advance(self, step: Callable[[], Weighing]) -> None:
        """On to the next that has to be weighed, or to the end of this picture."""
        try:
            weighing = step()
        except StopIteration:
            self._thinking, self._read_for = None, self._session.position
            return
        self._weighed_for = self._session.position
        self._verdict = self._scales.submit(weighing)

    def _drop(self) -> None:
        if self._verdict is not None:
            self._verdict.cancel()  # if it has not begun
        if self._thinking is not None:
            self._thinking.close()
        self._thinking = self._verdict = self._read_for = None

    def _is_steady(self, observation: Observation) -> bool:
        return self._follower.disturbed(observation) is None
