"""Standard output as the commands see it.

Letters that its encoding lacks are escaped, and that it cannot be written to is told from all other faults.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import json
import os
from collections.abc import Iterator
from typing import Any, TextIO

ESCAPED = "companion.escaped"
"""The error handler that writes what an encoding lacks as JSON does: people and programs can both read on."""


class OutputError(Exception):
    """Standard output cannot be written to; the text says why, and what to do."""


class Output:
    """Stands for a stream, None if it is closed. `write` and `flush` raise OutputError, BrokenPipeError."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream or _Closed()
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ESCAPED)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """As the stream does."""
        with _told():
            return self._stream.write(text)

    def flush(self) -> None:
        """As the stream does."""
        with _told():
            self._stream.flush()

    def give_up(self) -> None:
        """What could not be written goes nowhere: else Python complains of it at exit."""
        if not isinstance(self._stream, _Closed):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())


class _Closed(io.TextIOBase):
    """What Python has no stream for."""

    def write(self, _text: str) -> int:
        raise OSError(errno.EBADF, "it is closed")


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(
            f"Standard output cannot be written to ({error.strerror or error}): "
            "send it to a terminal, or to a file on a disk with room for it."
        ) from error


def _escaped(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(ESCAPED, _escaped)
