"""A table whose pictures are perfect: hands change a layout, and the real follower reads it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.actions import Action
from companion.rules.geometry import Hex, load_board
from companion.rules.layout import HexContent, Layout
from companion.table.follow import Follower, FollowState
from companion.table.session import Session
from companion.viewmodel.cutout import Cutout
from companion.viewmodel.table_link import LinkStatus, Seeing
from companion.vision.observation import (
    HexEvidence,
    HexHypothesis,
    LandEvidence,
    LandHypothesis,
    Observation,
)

LANDS = ("nw", "ne", "sw", "se")


class SeenTable:
    """A `TableLink` over a layout that a test lays out."""

    def __init__(self) -> None:
        self.status: LinkStatus = Seeing()
        self.layout = Layout()
        self._follower: Follower | None = None
        self._frame = 0

    def put(self, *changes: tuple[Hex, HexContent]) -> None:
        """Hands leave these hexes like this; then pictures are taken until they are taken seriously."""
        self.layout = Layout(hexes={**self.layout.hexes, **dict(changes)}, safe=self.layout.safe)
        self.look()

    def look(self, times: int = 8) -> None:
        for _ in range(times):
            self._frame += 1
            if self._follower:
                self._follower.see(observation_of(self.layout, self._frame))

    @property
    def follow_state(self) -> FollowState | None:
        return self._follower.state if self._follower else None

    def latest_layout(self) -> Layout | None:
        return self.layout

    def tiles_sure(self) -> dict[Hex, float]:
        return {}

    def follow(self, session: Session | None) -> None:
        self._follower = Follower(session) if session else None

    def sync(self, layout: Layout) -> None:
        """A real table does not arrange itself."""

    cutout: Cutout | None = None

    def show(self, hexes: tuple[Hex, ...]) -> None:
        """No picture is behind it."""

    def answer(self, actions: Sequence[Action]) -> None:
        assert self._follower
        self._follower.answer(actions)

    def dismiss(self) -> None:
        assert self._follower
        self._follower.dismiss()


def observation_of(layout: Layout, frame: int) -> Observation:
    """What a recogniser without any doubt would say of it."""
    return Observation(
        frame=frame,
        time=frame / 5,
        hexes=tuple(HexEvidence(h, (HexHypothesis(layout.at(h), 0.999),)) for h in load_board().hexes),
        safe=tuple(LandEvidence(land, (LandHypothesis(layout.safe.get(land, {}), 0.999),)) for land in LANDS),
    )
