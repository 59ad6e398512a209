"""Tells systemd that the companion has started and still lives.

In: the environment that systemd gives a service of `Type=notify` (`NOTIFY_SOCKET`, `WATCHDOG_USEC`). Out: datagrams on
its socket, as sd_notify(3) describes. Without systemd nothing is sent.
"""

from __future__ import annotations

import contextlib
import math
import os
import socket
from collections.abc import Mapping


class Watchdog:
    """`interval_s` is how often a beat is sent: half of systemd's patience, None if it is not watching."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        patience = environment.get("WATCHDOG_USEC", "")
        self.interval_s = int(patience) / 2e6 if patience.isdigit() and int(patience) else None
        self._due = -math.inf
        self._is_ready = False
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) if address else None
        if self._socket is not None:
            self._socket.setblocking(False)

    def ready(self) -> None:
        """The first screen is shown; said once however often it is called."""
        if not self._is_ready:
            self._is_ready = True
            self._send("READY=1")

    def beat(self, now: float) -> None:
        """Still alive, at `now` s of a monotonic clock. Call it as often as you like: it is sent when it is due."""
        if self.interval_s is not None and now >= self._due:
            self._due = now + self.interval_s
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Closing down by itself."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if self._socket is None:
            return
        with contextlib.suppress(OSError):  # a full or missing socket must not stop the game
            self._socket.sendto(message.encode(), self._address)
