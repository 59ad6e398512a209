"""A table under a camera that does as a test tells it."""

from __future__ import annotations

from companion.rules.layout import Layout
from companion.table.follow import FollowState, Settled
from companion.table.session import Session
from companion.viewmodel.table_link import LinkStatus, Seeing


class FakeTable:
    """A `TableLink`; what is done with it is written down."""

    def __init__(self, layout: Layout | None = None) -> None:
        self.status: LinkStatus = Seeing()
        self.state: FollowState = Settled()
        self.layout = layout
        self.session: Session | None = None
        self.synced: Layout | None = None
        self.answered: list[int] = []
        self.dismissed = 0

    @property
    def follow_state(self) -> FollowState | None:
        return self.state if self.session else None

    def latest_layout(self) -> Layout | None:
        return self.layout

    def follow(self, session: Session | None) -> None:
        self.session = session

    def sync(self, layout: Layout) -> None:
        self.synced = layout

    def answer(self, candidate_number: int) -> None:
        self.answered.append(candidate_number)
        self.state = Settled()

    def dismiss(self) -> None:
        self.dismissed += 1
        self.state = Settled()
