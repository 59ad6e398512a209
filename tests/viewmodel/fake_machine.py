"""The staged machine of the scenes, that may also refuse to be switched off."""

from __future__ import annotations

from companion.scenes.staged_machine import StagedMachine


class NoPowerError(Exception):
    """The machine may not be switched off."""


class FakeMachine(StagedMachine):
    may_not = False

    def shut_down(self) -> None:
        super().shut_down()
        if self.may_not:
            raise NoPowerError("The computer cannot be switched off from here.")
