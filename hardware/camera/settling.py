"""When a camera's automatics have found what they look for: two measurements in a row say the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

MOST_S = 8.0
"""Light that flickers may never settle: what was measured by then is held, where a driver has no less time."""

STEADY = 0.02
"""Two measurements in a row that differ by less, as a share, have settled."""

Measured = TypeVar("Measured")
Figures = Sequence[float] | None
"""What is compared of a measurement, none below 0; None: the camera is still on its way."""


def until_steady(
    measure: Callable[[], Measured],
    figures: Callable[[Measured], Figures],
    least_s: float,
    most_s: float = MOST_S,
    *,
    wait: Callable[[float], None],
    clock: Callable[[], float],
) -> Measured:
    """What is measured once it stands still, after `least_s` at the earliest; after `most_s` as it then is."""
    until = clock() + most_s
    wait(least_s)
    before: Figures = None
    measured = measure()
    while not alike(before, now := figures(measured), STEADY) and clock() < until:
        before, measured = now, measure()
    return measured


def alike(before: Figures, now: Figures, share: float) -> bool:
    """True if no figure differs from what it was by more than that share of it."""
    if before is None or now is None or len(before) != len(now):
        return False
    return all(abs(a - b) <= share * max(a, b) for a, b in zip(before, now, strict=True))
