"""Tells systemd that the companion has started and still lives.

In: the environment that systemd gives a service of `Type=notify` (`NOTIFY_SOCKET`, `WATCHDOG_USEC`). Out: datagrams on
its socket, as sd_notify(3) describes. Without systemd nothing is sent.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping


class Watchdog:
    """`interval_s` is how often `beat` is to be called: half of systemd's patience, None if it is not watching."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        patience = environment.get("WATCHDOG_USEC", "")
        self.interval_s = int(patience) / 2e6 if patience.isdigit() and int(patience) else None
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) if address else None
        if self._socket is not None:
            self._socket.setblocking(False)

    def ready(self) -> None:
        """The first screen is shown."""
        self._send("READY=1")

    def beat(self) -> None:
        """Still alive."""
        self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """A line that `systemctl status` shows."""
        self._send("STATUS=" + text.replace("\n", " "))

    def stopping(self) -> None:
        """Closing down by itself."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if self._socket is None:
            return
        with contextlib.suppress(OSError):  # a full or missing socket must not stop the game
            self._socket.sendto(message.encode(), self._address)
