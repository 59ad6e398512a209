"""The questions that lie over a screen: the menu, whose hand, consent to an undo, a fault.

Each is a `DialogPresenter`; the safe answer leaves everything as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from companion.i18n import N_, _, ngettext
from companion.rules.actions import Action
from companion.rules.events import Event
from companion.table.session import UndoOffer
from companion.viewmodel.presenter import DialogPresenter
from companion.viewmodel.states import Button, Dialog
from companion.viewmodel.words import names

if TYPE_CHECKING:
    from companion.viewmodel.desk import Desk


class Menu(DialogPresenter):
    """The way out of a game, and the camera's switch where there is one."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def state(self) -> Dialog:
        """What can be done besides playing."""
        answers = [
            Button(id="home", text=_("Home"), icon="island"),
            Button(id="new_game", text=_("New game"), icon="plus"),
            Button(id="hand", text=_("Look at a hand"), icon="hand"),
            Button(id="rules", text=_("The rules"), icon="rules"),
            Button(id="settings", text=_("Settings"), icon="settings"),
        ]
        if self._desk.shell.table and not self._desk.practice:
            text = _("Play without the camera") if self._desk.camera else _("Play with the camera")
            icon = "camera_off" if self._desk.camera else "camera"
            answers.append(Button(id="camera", text=text, icon=icon))
        return Dialog(
            title=_("Menu"),
            text=_("Practice is not recorded: it ends when you leave it.")
            if self._desk.practice
            else _("The game is kept at every step; you can go on whenever you like."),
            answers=tuple(answers),
            safe=Button(id="close", text=_("Back to the game"), kind="primary"),
        )

    def press(self, button_id: str) -> None:
        """Home, a new game (which asks first), a hand, the rules, the settings, the camera."""
        desk = self._desk
        ways: dict[str, Callable[[], None]] = {
            "home": desk.shell.show_home,
            "new_game": lambda: desk.shell.ask(LeaveGame(desk)),
            "hand": desk.go_for_hand,
            "rules": desk.go_for_rules,
            "settings": desk.go_for_settings,
            "camera": lambda: desk.watch(camera=not desk.camera),
        }
        if button_id in ways:
            desk.shell.ask(None)
            ways[button_id]()


class LeaveGame(DialogPresenter):
    """A new game while another is open."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def state(self) -> Dialog:
        """It says whether anything is lost."""
        return Dialog(
            title=_("Leave this game?"),
            text=_("Practice is not recorded: it ends when you leave it.")
            if self._desk.practice
            else _("The game of {names} stays in the list and can be continued.").format(
                names=names(self._desk.players)
            ),
            answers=(Button(id="leave", text=_("Start a new game"), icon="plus"),),
            safe=Button(id="close", text=_("Go on playing"), kind="primary"),
        )

    def press(self, button_id: str) -> None:
        """To the wizard."""
        if button_id == "leave":
            self._desk.shell.ask(None)
            self._desk.shell.show_new_game()


class WhoseHand(DialogPresenter):
    """Whose hand is to be looked at; how many tiles each holds is public (3.5)."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def state(self) -> Dialog:
        """A button a player."""
        desk = self._desk
        return Dialog(
            title=_("Whose hand?"),
            text=_("Nobody else sees it."),
            answers=tuple(
                Button(
                    id=f"hand:{number}",
                    text=player.name,
                    line=ngettext("{n} tile", "{n} tiles", desk.holds(number)).format(n=desk.holds(number)),
                    mark=player.colours[0],
                    enabled=desk.holds(number) > 0,
                )
                for number, player in enumerate(desk.players)
            ),
            safe=Button(id="close", text=_("Nobody’s"), kind="primary"),
        )

    def press(self, button_id: str) -> None:
        """Put up that player's curtain."""
        numbers = {f"hand:{number}": number for number in range(len(self._desk.players))}
        if button_id in numbers and self._desk.holds(numbers[button_id]):
            self._desk.shell.ask(None)
            self._desk.open_hand(numbers[button_id])


_UNDO_TITLES: Mapping[str, str] = {"roll": N_("Take back the roll?"), "secret": N_("Take back what was revealed?")}
_UNDO_TEXTS: Mapping[str, str] = {
    "roll": N_("The die will be rolled anew. Everybody must agree: press your button or your mark."),
    "secret": N_("Somebody has learnt something by it. Everybody must agree: press your button or your mark."),
}


class AgreeToUndo(DialogPresenter):
    """Taking back a roll or something revealed needs everybody; asked for one entry, as long as that is the last."""

    def __init__(self, desk: Desk, offer: UndoOffer[Action, Event]) -> None:
        self._desk = desk
        self._entry = offer.entry
        self._reason = offer.reasons[0]
        self._agreed: set[int] = set()

    def state(self) -> Dialog:
        """A mark a player; who has agreed has a tick."""
        return Dialog(
            title=_(_UNDO_TITLES[self._reason]),
            text=_(_UNDO_TEXTS[self._reason]),
            marks=tuple(
                Button(
                    id=f"agree:{number}",
                    text=player.name,
                    mark=player.colours[0],
                    icon="check" if number in self._agreed else None,
                )
                for number, player in enumerate(self._desk.players)
            ),
            safe=Button(id="close", text=_("Leave it as it is"), kind="primary"),
        )

    def press(self, button_id: str) -> None:
        """A mark was pressed."""
        numbers = {f"agree:{number}": number for number in range(len(self._desk.players))}
        if button_id in numbers:
            self.hold(numbers[button_id])

    def hold(self, player: int) -> None:
        """That player agrees; with the last one it is taken back."""
        if self.refresh():
            return
        self._agreed.add(player)
        if len(self._agreed) == len(self._desk.players):
            self._desk.shell.ask(None)
            self._desk.take_back(sorted(self._agreed))

    def awaits(self) -> frozenset[int]:
        """Who has not agreed yet."""
        return frozenset(range(len(self._desk.players))) - self._agreed

    def refresh(self) -> bool:
        """Consent is to nothing else: once something else is the last, nobody is asked any more."""
        last = self._desk.last
        if last is not None and last.serial == self._entry.serial:
            return False
        self._desk.shell.ask(None)
        self._desk.shell.toast(_("Something was done meanwhile: nothing is taken back."), icon="undo")
        return True
