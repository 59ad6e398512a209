"""The questions of the settings screen: whether a turned screen can still be used, and whether to shut down."""

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


class ShutDown(DialogPresenter):
    """Asked once. On an appliance it says when the plug may be pulled."""

    def __init__(self, shut_down: Callable[[], None], *, appliance: bool) -> None:
        self._shut_down = shut_down
        self._appliance = appliance

    def state(self) -> Dialog:
        """Nothing is lost either way."""
        return Dialog(
            title=_("Shut down?"),
            text=" ".join((_("The game is kept at every step."), _what_happens(appliance=self._appliance))),
            answers=(Button(id="shut_down", text=_("Shut down"), icon="power", kind="danger"),),
            safe=Button(id="stay", text=_("Stay on"), kind="primary"),
        )

    def press(self, button_id: str) -> None:
        """Down it goes."""
        if button_id == "shut_down":
            self._shut_down()


class ShuttingDown(DialogPresenter):
    """The last thing on the screen; there is nothing to answer."""

    def __init__(self, *, appliance: bool) -> None:
        self._appliance = appliance

    def state(self) -> Dialog:
        """When the plug may be pulled."""
        return Dialog(
            title=_("Shutting down"),
            text=_what_happens(appliance=self._appliance),
            safe=Button(id="wait", text=_("One moment"), kind="primary", enabled=False),
        )


def _what_happens(*, appliance: bool) -> str:
    if appliance:
        return _("Pull the plug only when the screen is dark and the green lamp on the board has stopped blinking.")
    return _("The program closes; the computer stays on.")
