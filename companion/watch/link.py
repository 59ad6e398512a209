"""The table as the view model knows it: the watching process on one side, the followed game on the other.

In: observations from a `Watcher`, a `Session` to follow. Out: the view model's `TableLink`. `poll` is called by the
screen's clock and hardly waits (`thinking.AT_ONCE_S`). `WatchedCalibration` is the same for its `CalibrationLink`.
"""

from __future__ import annotations

import contextlib
import logging
import math
import traceback
from collections.abc import Iterator, Mapping, Sequence

from companion.faults import Fault, Said, told
from companion.i18n import N_, language
from companion.rules.actions import Action
from companion.rules.geometry import LANDS, Hex
from companion.rules.layout import Layout, encode_layout
from companion.table.errors import TableError
from companion.table.follow import Follower, FollowState
from companion.table.session import Session
from companion.viewmodel.calibration_link import Card, Guided, GuideStep
from companion.viewmodel.cutout import Cutout
from companion.viewmodel.table_link import Bumped, LinkStatus, Lost, Seeing, Starting, Uncalibrated
from companion.vision.observation import Blurred, Moved, Observation
from companion.watch import watcher
from companion.watch.messages import BeginAnew, GoToStep, PutCorner, SkipStep, TakePicture
from companion.watch.thinking import Thinker
from companion.watch.watcher import Watcher

log = logging.getLogger(__name__)

BUMP_S = 8.0
"""So long it is told that board or camera was moved."""

UNFOUND_S = 3.0
"""So long the board may be out of sight, as under an arm, or smeared, before that is told."""


class FollowingError(Fault):
    """A fault of ours: what lies on the table is no longer followed. The game has not changed."""

    def __init__(self) -> None:
        super().__init__(
            N_(
                "The program has made a mistake, and the camera follows this game no longer."
                " Play on by touch; “Play with the camera” is in the menu."
            )
        )


class WatchedTable:
    """Hands every observation to the follower of the open game, and remembers what the table last looked like."""

    def __init__(self, watching: Watcher) -> None:
        self._watcher = watching
        self._thinker: Thinker | None = None
        self._layout: Layout | None = None
        self._tiles_sure: dict[Hex, float] = {}
        self._now = 0.0
        self._bumped: tuple[Bumped, float] | None = None
        self._unfound_since: float | None = None
        self._is_blurred = False

    def poll(self, now: float) -> None:
        """Take in what has been seen. `now` is the monotonic clock, in seconds, that the watcher was started with.

        Raises TableError if a move could not be recorded, FollowingError if no game is followed from now on.
        """
        self._now = now
        for seen in self._watcher.poll(now):
            observation = seen.observation
            if isinstance(observation.registration, Moved):
                self._bumped = observation.registration.what, now
            if observation.registered:
                self._unfound_since = None
            elif self._unfound_since is None:
                self._unfound_since = now
            self._is_blurred = isinstance(observation.registration, Blurred)
            if observation.registered and not observation.moving:
                self._layout = _remembering(observation, self._layout)
                self._tiles_sure |= _tiles_sure(observation)
            if self._thinker is not None and not (seen.still and self._thinker.knows_all):
                with self._stopping_at_a_fault():
                    self._thinker.see(observation)
        if self._thinker is not None:
            with self._stopping_at_a_fault():
                self._thinker.go_on()

    @contextlib.contextmanager
    def _stopping_at_a_fault(self) -> Iterator[None]:
        """What is wrong with the record of games is told as it is. Of any other error only where it happened is logged.

        What it says may be a secret.
        """
        try:
            yield
        except TableError:
            raise
        except Exception as error:
            where = "".join(traceback.format_tb(error.__traceback__))
            log.error("The game is no longer followed: %s\n%s", type(error).__name__, where)
            self.follow(None)
            raise FollowingError from None

    @property
    def status(self) -> LinkStatus:
        """Whether there are pictures."""
        match self._watcher.status:
            case watcher.Watching():
                found = self._is_found()
                return Seeing(bumped=self._just_bumped(), registered=found, sharp=found or not self._is_blurred)
            case watcher.Starting():
                return Starting()
            case watcher.Blind(text=text, about=about):
                return Uncalibrated(told(Said(text, {**about})))
            case watcher.Lost(text=text, retry_at=at, about=about):
                reason = told(Said(text, {**about}))
                return Lost(reason, retry_s=None if at is None else max(0, math.ceil(at - self._now)))
        raise AssertionError(self._watcher.status)

    def _is_found(self) -> bool:
        return self._unfound_since is None or self._now - self._unfound_since < UNFOUND_S

    def _just_bumped(self) -> Bumped | None:
        if self._bumped is None or self._now - self._bumped[1] >= BUMP_S:
            return None
        return self._bumped[0]

    @property
    def follow_state(self) -> FollowState | None:
        """What the last steady pictures mean for the game that is followed."""
        return None if self._thinker is None else self._thinker.state

    def latest_layout(self) -> Layout | None:
        """What stood on the table when it was last steady and in sight."""
        return self._layout

    def tiles_sure(self) -> Mapping[Hex, float]:
        """How probable the tile of each hex of that layout is."""
        return self._tiles_sure

    def follow(self, session: Session | None) -> None:
        """From now on read moves of this game off the table; None: of no game."""
        if self._thinker is not None:
            self._thinker.close()
        self._thinker = None if session is None else Thinker(session, Follower(session, known=False))

    def sync(self, layout: Layout) -> None:
        """On the simulated table people are quick: what the companion's book says stands there at once."""
        if self._watcher.plan.camera == "simulated":
            self._watcher.lay(encode_layout(layout))

    def next_picture(self) -> None:
        """The folder of pictures: go on to the next one."""
        self._watcher.next_picture()

    def show(self, hexes: tuple[Hex, ...]) -> None:
        """Ask for what the picture shows of these hexes."""
        self._watcher.show(hexes)

    @property
    def cutout(self) -> Cutout | None:
        """What was asked for last."""
        return self._watcher.cutout

    def answer(self, actions: Sequence[Action]) -> None:
        """People say which of a question's candidates was played."""
        if self._thinker is not None:
            self._thinker.answer(actions)

    def dismiss(self) -> None:
        """What lies there now is not asked about again until it changes."""
        if self._thinker is not None:
            self._thinker.dismiss()


def _remembering(observation: Observation, before: Layout | None) -> Layout:
    """What is seen now, and where something is hidden (a hand) what was seen there before."""
    seen = observation.layout()
    if before is None:
        return seen
    hexes = {h: content for h, content in before.hexes.items() if h in seen.unknown}
    hidden = {e.land for e in observation.safe if e.hidden}
    safe = {land: (before if land in hidden else seen).safe.get(land, {}) for land in LANDS}
    lands = {land: explorers for land, explorers in safe.items() if explorers}
    return Layout(seen.hexes | hexes, lands, seen.unknown & before.unknown)


def _tiles_sure(observation: Observation) -> dict[Hex, float]:
    """By hex, how probable it is that its tile is the one that is claimed, whatever stands on it."""
    return {
        e.hex: sum(h.probability for h in e.hypotheses if h.content.tile == e.hypotheses[0].content.tile)
        for e in observation.hexes
        if e.hypotheses
    }


class WatchedCalibration:
    """A calibration in the watching process of that table."""

    def __init__(self, table: WatchedTable, watching: Watcher) -> None:
        self._table, self._watcher = table, watching

    @property
    def status(self) -> LinkStatus:
        """Whether there are pictures."""
        return self._table.status

    @property
    def guided(self) -> Guided | None:
        """The last that was heard of it."""
        return self._watcher.guided

    @property
    def picture(self) -> bytes:
        """The last live picture."""
        return self._watcher.picture

    def begin(self) -> None:
        """In the language in force."""
        self._watcher.begin_calibrating(language())

    def take(self) -> None:
        """Take the picture, or keep the result."""
        self._watcher.steer(TakePicture())

    def skip(self) -> None:
        """Leave the lens out."""
        self._watcher.steer(SkipStep())

    def go(self, step: GuideStep) -> None:
        """To another step."""
        self._watcher.steer(GoToStep(step=step))

    def anew(self) -> None:
        """The step anew."""
        self._watcher.steer(BeginAnew())

    def put_corner(self, card: Card, x: float, y: float) -> None:
        """A corner of the board lies there."""
        self._watcher.steer(PutCorner(card=card, x=x, y=y))

    def end(self) -> None:
        """Watch again."""
        self._watcher.end_calibrating()
