"""Where the table may still show something else than what is to stand there by now, because people have not followed.

A tap moves the game on before hands do; a boat that is lost, a shark under a tile, an explorer undone on the screen are
put right in their own time. So each such spot has bounds: from what stood there to what is to stand there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from companion.table.chores import Chore, chores
from companion.table.evidence import FIT, Evidence
from companion.table.tally import NOTHING, Span, Spot, Table, Tally, keeping_creatures, span


class Due(NamedTuple):
    """What hands have still to do, as far as it has not been seen done.

    `spans`: the spots that lag, with their bounds; `coming`: to which of them pieces are to come, but not back.
    """

    spans: Mapping[Spot, Span]
    coming: Collection[Spot]


NOTHING_DUE = Due(MappingProxyType({}), ())


class Named(NamedTuple):
    """An illegal act that was named and goes on standing: what its spots show; in whose turn, -1 once that is over."""

    shown: Mapping[Spot, Tally]
    active: int = -1


NOTHING_NAMED = Named(MappingProxyType({}))


class Lags:
    """The spots that lag behind what is expected, with their bounds."""

    def __init__(self) -> None:
        self._spans: dict[Spot, Span] = {}
        self._coming: set[Spot] = set()
        self._open: frozenset[Spot] = frozenset()

    @property
    def spans(self) -> Mapping[Spot, Span]:
        """The spots with their bounds."""
        return self._spans

    def bounds(self, spot: Spot, expected: Table) -> Span:
        """What a spot may show."""
        return self._spans.get(spot) or span(expected.get(spot, NOTHING))

    def keep_up(
        self, before: Table, expected: Table, seen: Mapping[Spot, Span], open_: Mapping[Spot, Span], *, undone: bool
    ) -> None:
        """Something else is expected now. `seen`: what the table may show where the camera has seen it happen.

        `open_`: what it may show until something else is expected, whatever it shows meanwhile, as nobody knows yet
        what is to stand there. `undone`: all goes back where it was.
        """
        for spot in expected.keys() | before.keys():
            old, new = before.get(spot, NOTHING), expected.get(spot, NOTHING)
            if old != new or spot in self._spans:
                self._spans[spot] = span(*self._spans.get(spot, (old, old)), new)
            if undone and old != new:
                self._coming.discard(spot)
            elif any(n < m for n, m in zip(old, new, strict=True)):
                self._coming.add(spot)
        for spot, bounds in seen.items():
            self._spans[spot] = span(*bounds, expected.get(spot, NOTHING))
        for spot, bounds in open_.items():
            self._spans[spot] = span(*bounds, *self._spans.get(spot, ()))
        self._open = frozenset(open_)

    def let_go(self, evidence: Evidence, expected: Table) -> None:
        """Forget the spots that show what is expected by now rather than anything that they might lag at."""
        evidence = evidence.knowing(keeping_creatures(expected, self._spans))
        for spot in evidence.spots & self._spans.keys() - self._open:
            wanted = expected.get(spot, NOTHING)
            if self._shown(spot, evidence) == wanted and evidence.misfit(spot, span(wanted)) <= FIT:
                del self._spans[spot]
                self._coming.discard(spot)

    def due(self, evidence: Evidence, expected: Table) -> Due:
        """What nobody has seen done yet."""
        behind = {
            spot: bounds
            for spot, bounds in self._spans.items()
            if not evidence.seen(spot) or self._shown(spot, evidence) != expected.get(spot, NOTHING)
        }
        return Due(behind, self._coming & behind.keys())

    def chores(
        self, evidence: Evidence, expected: Table, misread: Collection[Spot]
    ) -> tuple[tuple[Chore, ...], tuple[Spot, ...]]:
        """What is left to be done by hand where it is seen and read rightly, and on which spots."""
        settled = self._spans.keys() - self._open - set(misread)
        shown = {s: self._shown(s, evidence) for s in self._spans if evidence.seen(s) and s in settled}
        behind = tuple(spot for spot, tally in shown.items() if tally != expected.get(spot, NOTHING))
        return chores(shown, expected, shown), behind

    def _shown(self, spot: Spot, evidence: Evidence) -> Tally:
        return evidence.closest(spot, self._spans[spot])
