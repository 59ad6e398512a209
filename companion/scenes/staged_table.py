"""A table under a camera that sees what it is told to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rules.actions import Action
from companion.rules.geometry import Hex
from companion.rules.layout import Layout
from companion.table.follow import FollowState, Settled
from companion.table.session import Session
from companion.viewmodel.cutout import Cutout
from companion.viewmodel.table_link import LinkStatus, Seeing


class StagedTable:
    """A `TableLink`; what is done with it is written down."""

    def __init__(self, layout: Layout | None = None, status: LinkStatus = Seeing()) -> None:  # noqa: B008 - frozen
        self.status: LinkStatus = status
        self.state: FollowState = Settled()
        self.layout = layout
        self.session: Session | None = None
        self.synced: Layout | None = None
        self.sure: dict[Hex, float] = {}
        self.answered: list[Sequence[Action]] = []
        self.dismissed = 0
        self.cutout: Cutout | None = None
        self.asked: tuple[Hex, ...] | None = None

    @property
    def follow_state(self) -> FollowState | None:
        """What it was told, while a game is followed."""
        return self.state if self.session else None

    def latest_layout(self) -> Layout | None:
        """What it was told lies there."""
        return self.layout

    def tiles_sure(self) -> Mapping[Hex, float]:
        """What it was told; of all alike if nothing."""
        return self.sure

    def follow(self, session: Session | None) -> None:
        """Remember which game."""
        self.session = session

    def sync(self, layout: Layout) -> None:
        """Remember what the companion's book says."""
        self.synced = layout

    def show(self, hexes: tuple[Hex, ...]) -> None:
        """Remember what was asked for; the picture comes when `cutout` is set."""
        self.cutout, self.asked = None, hexes

    def answer(self, actions: Sequence[Action]) -> None:
        """Remember it; the question is settled."""
        self.answered.append(actions)
        self.state = Settled()

    def dismiss(self) -> None:
        """Count it; the table is settled."""
        self.dismissed += 1
        self.state = Settled()
