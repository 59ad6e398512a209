"""What the view model may ask of the machine under the screen: its light, its end, and where it keeps things.

The real one is put together elsewhere; on a machine of which nothing is known there is none.
"""

from __future__ import annotations

from typing import Protocol


class Machine(Protocol):
    """All calls come from the screen's one thread and do not wait."""

    @property
    def appliance(self) -> bool:
        """It is there for this program alone: shutting down switches it off. Else it only ends the program."""

    @property
    def version(self) -> str:
        """The program's version."""

    @property
    def folders(self) -> tuple[str, str]:
        """Where the games and where the settings lie, as people would write it."""

    @property
    def free_mb(self) -> int | None:
        """How much the disk of the games still holds; None if it does not say."""

    def shine(self, percent: int) -> bool:
        """Light the screen so much. False if it has no light that can be set: then the picture must be darkened."""

    def shut_down(self) -> None:
        """Begin to shut down. Raises an error whose text is for people if that cannot be."""
