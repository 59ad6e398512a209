"""The program's end of the pipe to the watching process: whole messages both ways, and never a wait.

The other end is a `multiprocessing` Connection. Such a one waits: for the rest of a message that has begun, and for
room where nobody takes in what is sent. A process that is stopped between a length and its body (an observation has
20 kB, a picture 70) would stop whoever reads so; here what has come of it is kept until the rest follows.
"""

from __future__ import annotations

import os
import struct
from multiprocessing.connection import Connection

_LENGTH = struct.Struct("!I")
"""How a Connection tells the length of the body that follows, in bytes, if that is less than 2 GiB."""

_AT_ONCE = 1 << 16
"""Bytes; what a pipe holds is read in a few such pieces."""

_MOST = 1 << 20
"""Bytes that are taken in at most in one call, so that nobody can keep the caller busy."""


class Wire:
    """Messages over a connection, which is its own from now on. Close it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        os.set_blocking(connection.fileno(), False)
        self._coming = bytearray()
        self._going = bytearray()

    def fileno(self) -> int:
        """To wait for: there is something to read, or the other side has gone."""
        return self._connection.fileno()

    def received(self) -> list[bytes]:
        """What has come whole since the last call, oldest first. Raises nothing if the other side has gone."""
        self._take_in()
        bodies, at = [], 0
        with memoryview(self._coming) as coming:
            while (end := self._end_of_message(at)) <= len(coming):
                bodies.append(bytes(coming[at + _LENGTH.size : end]))
                at = end
        del self._coming[:at]
        return bodies

    def send(self, body: bytes) -> None:
        """On its way, as soon as the other side has room. Raises nothing if the other side has gone."""
        self._going += _LENGTH.pack(len(body)) + body
        self.go_on()

    def go_on(self) -> None:
        """Send what there was no room for yet, as far as there is now."""
        try:
            while self._going:
                del self._going[: os.write(self.fileno(), self._going)]
        except BlockingIOError:
            pass
        except OSError:  # nobody is left to hear it
            self._going.clear()

    def close(self) -> None:
        """Nothing is heard or said any more."""
        self._connection.close()

    def _end_of_message(self, at: int) -> int:
        """Where the message that begins there ends, or, while its length is not all there, its length does."""
        begun = at + _LENGTH.size
        if begun > len(self._coming):
            return begun
        length: int = _LENGTH.unpack_from(self._coming, at)[0]
        return begun + length

    def _take_in(self) -> None:
        most = len(self._coming) + _MOST
        try:
            while len(self._coming) < most and (piece := os.read(self.fileno(), _AT_ONCE)):
                self._coming += piece
        except OSError:  # nothing more yet, or the other side has gone
            return
