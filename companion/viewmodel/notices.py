"""Dialogs that know no game: a notice, where an export lies, leaving a calibration."""

from __future__ import annotations

from collections.abc import Callable

from companion.i18n import _, pgettext
from companion.viewmodel.presenter import DialogPresenter, Shell
from companion.viewmodel.states import Button, Dialog


class Notice(DialogPresenter):
    """Something happened that everybody should know; the text says what to do about it."""

    def __init__(self, title: str, text: str) -> None:
        self._title = title
        self._text = text

    def state(self) -> Dialog:
        """What, and one way on."""
        return Dialog(
            title=self._title,
            text=self._text,
            safe=Button(id="close", text=pgettext("a notice is read", "Go on"), kind="primary"),
        )


def export_of(shell: Shell, game_id: str) -> Callable[[], None] | None:
    """What writes a game into a file and says where it is; None where nothing can be written."""
    exporter = shell.exporter
    if exporter is None:
        return None

    def export() -> None:
        place = exporter(game_id)
        shell.ask(Notice(_("The game has been written down"), _("The file: {place}").format(place=place)))

    return export


class LeaveCalibrating(DialogPresenter):
    """What has been taken would be lost."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def state(self) -> Dialog:
        """What stays, and what goes."""
        return Dialog(
            title=_("Leave calibrating?"),
            text=_("The pictures taken now are forgotten. What was calibrated before stays in use."),
            answers=(Button(id="leave", text=_("Leave"), icon="island"),),
            safe=Button(id="stay", text=_("Go on calibrating"), kind="primary"),
        )

    def press(self, button_id: str) -> None:
        """Leave."""
        if button_id == "leave":
            self._shell.ask(None)
            self._shell.show_home()
