"""What the view model knows of the table under the camera: a small protocol, whatever stands behind it.

The real one is put together elsewhere over the recogniser's process and `companion.table.follow.Follower`; without a
camera there is none. All calls come from the screen's one thread; nothing here waits for a picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import msgspec

from companion.rules.actions import Action
from companion.rules.geometry import Hex
from companion.rules.layout import Layout
from companion.table.follow import FollowState
from companion.table.session import Session
from companion.viewmodel.cutout import Cutout

Bumped = Literal["board", "camera", "either"]
"""What was moved; "either" where nothing tells which of the two."""


class Seeing(msgspec.Struct, frozen=True):
    """Pictures come. `bumped`: what was moved a moment ago; the board has been found again where it lies now.

    `registered`: the board is found in them; a hand over its edge for a moment does not count. `sharp`: its print is
    seen as it was when the camera was calibrated.
    """

    bumped: Bumped | None = None
    registered: bool = True
    sharp: bool = True


class Lost(msgspec.Struct, frozen=True):
    """No picture. `reason` says what to check, in a sentence; `retry_s` is how long until the next try, if any."""

    reason: str
    retry_s: int | None = None


class Uncalibrated(msgspec.Struct, frozen=True):
    """The camera is there, but nothing can be read before it is calibrated: why, in a sentence."""

    reason: str


class Starting(msgspec.Struct, frozen=True):
    """The camera is being made ready."""


class Off(msgspec.Struct, frozen=True):
    """Nobody has asked for the camera."""


LinkStatus = Seeing | Lost | Uncalibrated | Starting | Off


class TableLink(Protocol):
    """The table as the camera sees it, for one open game at a time."""

    @property
    def status(self) -> LinkStatus:
        """Whether there are pictures."""

    @property
    def follow_state(self) -> FollowState | None:
        """What the last steady pictures mean for the game that is followed; None while none is."""

    def latest_layout(self) -> Layout | None:
        """What stood on the table when it was last steady; None if it never was."""

    def tiles_sure(self) -> Mapping[Hex, float]:
        """How probable the tile of each hex of that layout is; what is not in it was not read."""

    def follow(self, session: Session | None) -> None:
        """From now on read moves of this game off the table; None: of no game."""

    def sync(self, layout: Layout) -> None:
        """This now stands on the table by the companion's book; a simulated table arranges itself so."""

    def show(self, hexes: tuple[Hex, ...]) -> None:
        """Ask for what the picture shows of these hexes; with none, of the whole board."""

    @property
    def cutout(self) -> Cutout | None:
        """What was asked for last; None until it has come."""

    def answer(self, actions: Sequence[Action]) -> None:
        """People say which of a question's candidates was played, by its actions; ignored if it is asked no longer."""

    def dismiss(self) -> None:
        """People settle it by touch: what lies there now is not asked about again until it changes."""
