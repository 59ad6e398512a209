"""What the household has chosen, in force and kept.

In: what was kept last time, and what keeps one thing more (`keep`). Out: `preferences` and `last_table` as they hold
now. A choice is kept first and then holds; what cannot be kept does not hold, so that the screen never shows what a
restart would forget.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.i18n import set_language
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.preferences.definitions import Value
from companion.viewmodel.preferences.model import Preferences

Keep = Callable[[str, object], None]
"""Writes one thing down: a field of `Preferences`, or `last_table`, and what it is now."""


class Household:
    """`faults` are what `keep` raises when it cannot write."""

    def __init__(
        self,
        preferences: Preferences,
        last_table: NewGameDefaults,
        keep: Keep | None,
        faults: tuple[type[Exception], ...],
    ) -> None:
        self.preferences = preferences
        self.last_table = last_table
        self._kept = preferences
        self._keep: Keep = keep or (lambda _name, _value: None)
        self._faults = faults

    def choose(self, field: str, value: Value) -> bool:
        """It holds from now on. False, and all is as it was kept, if that could not be written down."""
        kept = self._write(field, value)
        if kept:
            self._kept = replace(self._kept, **{field: value})
        self.put_back()
        if kept and field == "language":
            set_language(str(value))
        return kept

    def try_out(self, field: str, value: Value) -> None:
        """It holds until it is chosen or put back."""
        self.preferences = replace(self.preferences, **{field: value})

    def put_back(self) -> None:
        """What was tried out is forgotten."""
        self.preferences = self._kept

    def change_table(self, table: NewGameDefaults) -> bool:
        """The next new game starts with this table. False, and all is as it was, if it could not be written down."""
        if kept := self._write("last_table", table):
            self.last_table = table
        return kept

    def remember_table(self, table: NewGameDefaults) -> None:
        """As `change_table`, but it holds in any case; raises what went wrong."""
        self.last_table = table
        self._keep("last_table", table)

    def _write(self, name: str, value: object) -> bool:
        try:
            self._keep(name, value)
        except self._faults:
            return False
        return True
