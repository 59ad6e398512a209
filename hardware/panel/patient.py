"""A panel that is not there yet, or not any more: it is tried again until it can be used.

In: what opens the real one. Out: its events as long as it works; without it no button comes and no lamp burns. The pins
may not be ours for the first seconds after switching on, and a program may take one and give it back; neither is worth
a game without buttons.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from typing import Self

from hardware.errors import PanelError
from hardware.panel import Panel
from hardware.panel.events import ButtonEvent

FIRST_RETRY_S = 2.0
LAST_RETRY_S = 30.0
"""It is tried again after so long, then after twice as long each time, in the end every half minute."""

log = logging.getLogger(__name__)


class PatientPanel:
    """A `Panel`. `open_it` opens the real one or raises PanelError. `open` never fails: see `fault`."""

    def __init__(self, open_it: Callable[[], Panel], clock: Callable[[], float] = time.monotonic) -> None:
        self._open_it = open_it
        self._clock = clock
        self._panel: Panel | None = None
        self._fault: PanelError | None = None
        self._failed = 0  # times in a row
        self._due = 0.0
        self._down: set[str] = set()

    @property
    def fault(self) -> PanelError | None:
        """Why there are no buttons, from the second failure in a row on: what passes by itself is not worth a word."""
        return self._fault if self._failed > 1 else None

    def open(self) -> None:
        """Try to; harmless when it is open."""
        if self._panel is not None:
            return
        try:
            self._panel = self._open_it()
        except PanelError as fault:
            self._lose(fault)

    def poll(self) -> list[ButtonEvent]:
        """What has happened since the last call; where there is no panel and it is time, it is tried.

        What was held when a panel is lost comes up: nobody's secret stays open.
        """
        if self._panel is None and self._clock() >= self._due:
            self.open()
        if self._panel is None:
            return self._released()
        try:
            events = self._panel.poll()
        except PanelError as fault:
            self._lose(fault)
            return self._released()
        self._failed, self._fault = 0, None
        for event in events:
            (self._down.add if event.pressed else self._down.discard)(event.button)
        return events

    def _released(self) -> list[ButtonEvent]:
        down, self._down = self._down, set()
        return [ButtonEvent(button, pressed=False, time=self._clock()) for button in sorted(down)]

    def set_led(self, player: str, on: bool) -> None:
        """Light the LED, if there is a panel."""
        try:
            if self._panel is not None:
                self._panel.set_led(player, on)
        except PanelError as fault:
            self._lose(fault)

    def _lose(self, fault: PanelError) -> None:
        """No panel until it is tried again; a fault is one line in the log however often it comes."""
        if str(fault) != str(self._fault):
            log.warning("No buttons: %s", fault)
        self._fault = fault
        self._due = self._clock() + min(LAST_RETRY_S, FIRST_RETRY_S * 2**self._failed)
        self._failed += 1
        self.close()

    def close(self) -> None:
        """Let the panel go, if there is one."""
        panel, self._panel = self._panel, None
        if panel is not None:
            with contextlib.suppress(PanelError):
                panel.close()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
