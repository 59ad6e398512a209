"""No sound at all."""

from __future__ import annotations

from typing import Self

from hardware.sound import Outcome


class Silence:
    """Everything is quiet. `played` is what would have been heard."""

    def __init__(self) -> None:
        self.played: list[str] = []
        self.outcome: Outcome | None = None

    def open(self) -> None:
        """Nothing to claim."""

    def play(self, name: str, volume: float) -> None:  # noqa: ARG002 - nothing is heard
        """Nothing is heard."""
        self.played.append(name)

    def poll(self) -> None:
        """Nothing plays."""

    def close(self) -> None:
        """Nothing to let go of."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        pass
