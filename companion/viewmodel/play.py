"""An open game: chooses the screen that the moment asks for, and keeps it while the moment lasts.

In: the session, the camera's state, what people have asked for (`Desk`). Out: one presenter at a time. The choice is a
table, read from the top: a curtain and what is asked in secret come before a contradiction, a contradiction before the
phase.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.i18n import _
from companion.rules.events import BoatLost, Defended, Eaten
from companion.rules.geometry import Hex
from companion.rules.layout import Land
from companion.table.follow import Waiting
from companion.table.reconcile import Contradiction, Question
from companion.table.session import Entry
from companion.viewmodel import camera
from companion.viewmodel.curtain import ChooseTile, EnterBack, LookAtHand, LookUnder
from companion.viewmodel.defence import Defence
from companion.viewmodel.desk import Desk
from companion.viewmodel.doubt import Contradicted, Questioned
from companion.viewmodel.ending import Ended, PutOff, just_ended
from companion.viewmodel.log import toast_text
from companion.viewmodel.notices import export_of
from companion.viewmodel.podium import Podium
from companion.viewmodel.presenter import Presenter
from companion.viewmodel.score import Scoring
from companion.viewmodel.setup import LayShuffled, Placing, PlacingBoats, PlacingExplorers
from companion.viewmodel.sounds import sound_of
from companion.viewmodel.states import Screen, SecretScreen
from companion.viewmodel.table_link import Starting
from companion.viewmodel.turn.boarding import Boarding
from companion.viewmodel.turn.creature import Creatures, RolledNothing, Rolling, rolled_nothing
from companion.viewmodel.turn.move import Moving
from companion.viewmodel.turn.panel import TurnPresenter
from companion.viewmodel.turn.protect import Protecting
from companion.viewmodel.turn.sink import Sinking
from companion.viewmodel.turn.tile import PlayingTile, TilePhase


def _podium(desk: Desk) -> Podium:
    export = None if desk.practice else export_of(desk.shell, desk.session.game_id)
    return Podium(desk.session, desk.shell.show_home, again=desk.watch_again, undo=desk.undo, export=export)


PHASES: Mapping[str, Callable[[Desk], Presenter]] = {
    "place_explorers": PlacingExplorers,
    "place_boats": PlacingBoats,
    "play_tile": TilePhase,
    "move": Moving,
    "sink": Sinking,
    "load_boat": Boarding,
    "roll": Rolling,
    "creature": Creatures,
    "protect": Protecting,
    "scoring": Scoring,
    "over": _podium,
}
"""The screen of each phase (3, 9, 11) that is not a moment of its own."""


class Moment(NamedTuple):
    """What comes before the phase's own screen while `holds`."""

    name: str
    holds: Callable[[Desk], bool]
    make: Callable[[Desk], Presenter]


MOMENTS: tuple[Moment, ...] = (
    Moment("hand", lambda desk: desk.hand_of is not None, LookAtHand),
    Moment("lay", lambda desk: not desk.laid and desk.public.phase == "place_explorers", LayShuffled),
    Moment("put off", lambda desk: desk.postponed and (bool(desk.look) or desk.public.phase == "reveal"), PutOff),
    Moment("look", lambda desk: desk.look is not None, LookUnder),
    Moment("reaction", lambda desk: desk.public.phase == "reaction", Defence),
    Moment("reveal", lambda desk: desk.public.phase == "reveal", EnterBack),
    Moment("choose tile", lambda desk: desk.choosing_tile, ChooseTile),
    Moment("contradiction", lambda desk: isinstance(desk.found, Contradiction), Contradicted),
    Moment("question", lambda desk: isinstance(desk.found, Question), Questioned),
    Moment("nothing rolled", rolled_nothing, RolledNothing),
    Moment("ended", just_ended, Ended),
    Moment("playing tile", lambda desk: desk.tile is not None, PlayingTile),
)
"""From the most pressing one down. What the camera finds waits until a secret is done with, lest answers are lost."""


class Play(Presenter):
    """The game's frame: routes every call to the presenter of the moment."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._told = len(desk.record)
        self._waits_for: type[Waiting | Starting] | None = None
        self._waiting_since = 0.0
        self._told_wrong: int | None = None  # after so many entries
        self._settled = False  # by touch, in this very call
        self._key: tuple[object, ...] = ()
        self._inner: Presenter = Presenter()
        self._under_hand: tuple[tuple[object, ...], Presenter] | None = None
        self._end_subscription = desk.session.subscribe(self._session_changed)
        desk.watch(camera=desk.camera)
        self.refresh()

    def close(self) -> None:
        """The game is left; the journal has all of it, unless it was practice."""
        self._end_subscription()
        self.desk.leave()

    # What has changed

    def _session_changed(self) -> None:
        self.desk.refresh()
        record = self.desk.record
        for entry in record[self._told :]:
            self._announce(entry)
        undone = self.desk.session.undone
        if len(record) < self._told and undone is not None and undone.source == "camera":
            what = toast_text(undone.entry, self.desk.players)
            self.desk.shell.toast(_("{what} (taken back)").format(what=what), icon="camera")
        self._told = len(record)

    def _announce(self, entry: Entry) -> None:
        """What is heard of it; and in words what nobody has pressed for, or what the answers in secret have come to."""
        if sound := sound_of(entry):
            self.desk.shell.sound(sound)
        text = toast_text(entry, self.desk.players)
        struck = [event for event in entry.events if isinstance(event, Defended | Eaten | BoatLost)]
        if entry.phase == "reaction" and struck:
            self.desk.shell.toast(text)
        elif entry.source == "camera":
            offer = self.desk.session.undo_offer
            free = offer is not None and offer.entry == entry and not offer.consent
            self.desk.shell.toast(text, icon="camera", undo=entry.serial if free else None)

    def refresh(self) -> bool:
        """The presenter that the moment asks for, kept if it is still the same moment; and what the camera adds."""
        desk = self.desk
        last = desk.last
        moment = next((moment for moment in MOMENTS if moment.holds(desk)), None)
        made_by = moment.make if moment else PHASES[desk.public.phase]
        what = moment.name if moment else desk.public.phase
        doubt = desk.following if what in ("contradiction", "question") else None
        key = (what, last.serial if last else None, doubt, desk.hand_of)
        changed = key != self._key
        if changed:
            desk.shell.notice_play()
            under, self._under_hand = self._under_hand, (self._key, self._inner) if what == "hand" else None
            self._inner = under[1] if under and under[0] == key else made_by(desk)
            self._key = key
            if (table := desk.shell.table) and not desk.practice:
                table.sync(desk.layout)
        self._sound_of_the_table(what)
        return self._overlay() or changed

    def _sound_of_the_table(self, what: str) -> None:
        """Something is wrong there, or has been put right by hand: heard when it is shown, and behind no curtain.

        It is right when the camera says so and not while a hand is over the board. That is said as well, unless a move
        that has been read off the table says it.
        """
        following, entries = self.desk.following, len(self.desk.record)
        if isinstance(following, Contradiction):
            if what == "contradiction" and self._told_wrong is None:
                self._told_wrong = entries
                self.desk.shell.sound("wrong")
        elif self._settled or following is None:
            self._told_wrong = None
        elif self._told_wrong is not None and camera.explains(following):
            unmoved, self._told_wrong = self._told_wrong == entries, None
            if not isinstance(self._inner.state(), SecretScreen):
                self.desk.shell.sound("right")
                if unmoved:
                    self.desk.shell.toast(_("The table is right again."), icon="check")
        self._settled = False

    def _overlay(self) -> bool:
        """What the camera adds to the screen; True if that is news."""
        inner = self._inner
        if not isinstance(inner, TurnPresenter | Placing) or isinstance(inner, PutOff):
            return False
        following, status = self.desk.following, self.desk.status
        waits_for = Starting if isinstance(status, Starting) else Waiting if isinstance(following, Waiting) else None
        if waits_for is not self._waits_for:
            self._waits_for, self._waiting_since = waits_for, self.desk.shell.now
        waited = self.desk.shell.now - self._waiting_since if waits_for else 0.0
        over = camera.overlay(status, following, waited)
        changed = over != inner.over
        inner.over = over
        return changed

    # Every call goes to the presenter of the moment

    def state(self) -> Screen:
        """What the moment shows."""
        return self._inner.state()

    def press(self, button_id: str) -> None:
        """A button was pressed."""
        self._settled = True
        self._inner.press(button_id)

    def touch_hex(self, h: Hex) -> None:
        """A hex was chosen."""
        self._inner.touch_hex(h)

    def touch_land(self, land: Land) -> None:
        """A safe land was chosen."""
        self._inner.touch_land(land)

    def touch_away(self) -> None:
        """Nothing was chosen."""
        self._inner.touch_away()

    def hold(self, player: int) -> None:
        """A player holds; the curtain that this puts up is held already."""
        before = self._inner
        before.hold(player)
        self.refresh()
        if self._inner is not before:
            self._inner.hold(player)

    def let_go(self, player: int) -> None:
        """... and no longer."""
        self._inner.let_go(player)

    def cover(self, player: int) -> None:
        """What a player holds open shuts."""
        self._inner.cover(player)

    def tick(self, now: float) -> bool:
        """Time passes."""
        return self._inner.tick(now)
