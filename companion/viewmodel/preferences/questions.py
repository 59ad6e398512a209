"""The question of the settings screen: whether a turned screen can still be used."""

from __future__ import annotations

from collections.abc import Callable

from companion.i18n import _, ngettext
from companion.viewmodel.presenter import DialogPresenter
from companion.viewmodel.states import Button, Dialog


class KeepTurned(DialogPresenter):
    """The screen has been turned; `seconds_left` until it turns back by itself. `keep` and `back` are the answers."""

    def __init__(self, seconds_left: Callable[[], int], keep: Callable[[], None], back: Callable[[], None]) -> None:
        self._seconds_left = seconds_left
        self._keep = keep
        self._back = back

    def state(self) -> Dialog:
        """Who can read this can press "keep"; nobody needs to press anything."""
        seconds = self._seconds_left()
        return Dialog(
            title=_("Is this way up right?"),
            text=ngettext(
                "It turns back by itself in {n} second.", "It turns back by itself in {n} seconds.", seconds
            ).format(n=seconds),
            answers=(Button(id="keep", text=_("Keep it like this"), icon="check"),),
            safe=Button(id="back", text=_("Turn it back"), kind="primary"),
        )

    def press(self, button_id: str) -> None:
        """It stays."""
        if button_id == "keep":
            self._keep()

    def safe(self) -> None:
        """It goes back at once."""
        self._back()
