"""The open game as its screens see it: what is public in it, and which of its screens people have asked for.

`Desk` stands between a `Session` and the presenters of one game. Everything public comes from `Session.view(None)`;
`legal` gives no action that only somebody with a look into a hand could know. The few marks that people leave
behind (a curtain put up, a look postponed, a message read) are its attributes; `play` chooses the screen by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import msgspec

from companion.i18n import _
from companion.rules.actions import Action, Back, EndPhase, Score, SinkTile
from companion.rules.events import BackShown, TileSunk
from companion.rules.geometry import Hex
from companion.rules.layout import Colour, HexContent, Layout, Terrain
from companion.rules.options import Player
from companion.rules.secrets import PlayerView
from companion.table.follow import FollowState
from companion.table.replay import Replay
from companion.table.session import Entry, Session
from companion.viewmodel.dialogs import AgreeToUndo, Menu, WhoseHand
from companion.viewmodel.help.all_rules import AllRules
from companion.viewmodel.presenter import Shell
from companion.viewmodel.replay import Replaying
from companion.viewmodel.seating import corners
from companion.viewmodel.states import Corner
from companion.viewmodel.table_link import LinkStatus, Off, Seeing

SECRET_PHASES = ("play_tile", "reaction")
"""Where what can be done follows from a hand (3.5, 9.3)."""


Message = Literal["back", "nothing rolled", "end"]
"""What is said once about an entry before the game's screens go on: each is put away by a look, a press or time."""


class Look(msgspec.Struct, frozen=True):
    """A tile just sunk whose back its player has not seen yet (6.3), whatever it is."""

    player: int
    hex: Hex
    tile: Terrain


class Desk:
    """One open game. `camera`: it is followed by the camera, as far as the machine has one.

    `practice`: it is played on the screen alone, and gone when it is left.
    """

    def __init__(
        self, shell: Shell, session: Session, *, camera: bool, laid: bool = True, practice: bool = False
    ) -> None:
        self.shell = shell
        self.session = session
        self.camera = camera
        self.practice = practice
        self.laid = laid
        """The tiles lie on the table as the game says."""
        self.hand_of: int | None = None
        """Whose hand the curtain is up for."""
        self.hand_held = False
        """... by the own button, with which it goes."""
        self.choosing_tile = False
        """The curtain is up for the active player to choose a tile to play."""
        self.tile: Back | None = None
        """The tile that the active player is playing; public from the choice on."""
        self.postponed = False
        """The secret that waits has been put off with "not now"."""
        self.answers: dict[int, bool] = {}
        """Who plays a defence against the threat, of those who have been asked: as secret as a hand (9.3)."""
        self.typed: dict[Colour, list[int | None]] = {}
        """The values that have been typed for a colour, also while people are elsewhere or have gone back (11.2)."""
        self._read = shell.read_in(session.game_id)
        self._forget()

    def _forget(self) -> None:
        for name in ("public", "record", "look", "_before_look", "_all_legal"):
            self.__dict__.pop(name, None)

    def refresh(self) -> None:
        """The session has changed: read it anew, and let go of what was begun."""
        self._forget()
        self.choosing_tile = False
        self.tile = None
        self.postponed = False
        if self.public.phase != "reaction":
            self.answers.clear()
        if self.public.phase not in ("scoring", "over"):
            self.typed.clear()

    # What is public

    @cached_property
    def public(self) -> PlayerView:
        """What everybody may see."""
        return self.session.view(None)

    @property
    def players(self) -> tuple[Player, ...]:
        """Clockwise from the first."""
        return self.public.players

    @property
    def active(self) -> Player:
        """Whose turn it is."""
        return self.players[self.public.active]

    @cached_property
    def record(self) -> tuple[Entry, ...]:
        """The public history."""
        return self.session.record

    @property
    def last(self) -> Entry | None:
        """The newest entry of the record."""
        return self.record[-1] if self.record else None

    def corner(self, player: int) -> Corner:
        """Where that player looks in secret."""
        return corners(self.players, self.shell.household.last_table.sides())[player]

    def holds(self, player: int) -> int:
        """How many tiles a player holds, which is public (3.5); while a look waits, how many before it."""
        view = self._before_look or self.public
        return view.hands[player].count

    @property
    def layout(self) -> Layout:
        """The board; while a look waits with the tile gone, who stood on it swimming, and nothing else done yet."""
        before, last = self._before_look, self.last
        if before is None or last is None or not isinstance(last.action, SinkTile):
            return self.public.layout
        sunk = last.action.hex
        swimming = HexContent(explorers=before.layout.at(sunk).explorers)
        return Layout(hexes={**before.layout.hexes, sunk: swimming}, safe=before.layout.safe)

    @cached_property
    def _before_look(self) -> PlayerView | None:
        """What everybody saw before the tile was sunk whose look waits; None if none does."""
        last = self.last
        if self.look is None or last is None or not isinstance(last.action, SinkTile):
            return None
        return self.session.view(None, after=len(self.record) - 1)

    def legal(self) -> Sequence[Action]:
        """What can be done, as far as it is public: in the secret phases only to go on."""
        actions = self._all_legal
        if self.public.phase in SECRET_PHASES:
            return [action for action in actions if isinstance(action, EndPhase)]
        return actions

    @cached_property
    def _all_legal(self) -> list[Action]:
        return self.session.legal()

    # What is for one player's eyes

    def hand(self, player: int) -> tuple[Back, ...]:
        """A player's tiles, for that player's eyes only."""
        return self.session.view(player).hands[player].tiles or ()

    def legal_with(self, tile: Back) -> Sequence[Action]:
        """What the active player can do with a tile of the hand; public once it is being played."""
        return [action for action in self._all_legal if getattr(action, "tile", None) == tile]

    # Messages about the last entry

    def has_read(self, message: Message) -> bool:
        """Whether people have seen what there was to say about the last entry."""
        return self.last is not None and (message, self.last.serial) in self._read

    def mark_read(self, message: Message) -> None:
        """They have."""
        if self.last:
            self._read.add((message, self.last.serial))

    # Sinking and looking

    @cached_property
    def look(self) -> Look | None:
        """The look that waits: every dealt back has one, so that the curtain tells nothing (6.3)."""
        if pending := self.session.pending_look:
            return Look(pending.player, pending.hex, pending.tile)
        last = self.last
        if last is None or not isinstance(last.action, SinkTile) or self.has_read("back"):
            return None
        if not any(isinstance(event, BackShown) for event in last.events):
            return None  # a printed back is read off the tile
        sunk = next(event for event in last.events if isinstance(event, TileSunk))
        return Look(last.player, sunk.hex, sunk.tile)

    def back_for(self, player: int) -> Back | None:
        """What lies under the tile of `look`, for its player's eyes only."""
        drawn: Back | None = self.session.drawn_back(player)  # type: ignore[assignment]  # the session knows any game
        if drawn or not self.last:
            return drawn
        return next((event.back for event in self.last.events if isinstance(event, BackShown)), None)

    def has_looked(self) -> None:
        """The look is done; from now on all see what there is to see."""
        self.mark_read("back")
        self.session.looked()
        self._forget()

    # What people ask for on any screen of the game

    def go_for_hand(self) -> None:
        """Whose hand? There is no question if nobody holds a tile."""
        if not any(self.holds(player) for player in range(len(self.players))):
            self.shell.toast(_("Nobody holds a tile."))
        else:
            self.shell.ask(WhoseHand(self))

    def open_hand(self, player: int) -> None:
        """Put the curtain up before that player's hand."""
        self.hand_of, self.hand_held = player, False

    def hold_hand(self, player: int) -> None:
        """Put it up for as long as the own button is held; there is none before an empty hand."""
        if self.holds(player):
            self.hand_of, self.hand_held = player, True
        else:
            self.shell.toast(_("{name}, you hold no tile.").format(name=self.players[player].name))

    def go_for_menu(self) -> None:
        """The way out."""
        self.shell.ask(Menu(self))

    def go_for_settings(self) -> None:
        """To the settings, and from them back to this game, followed by the camera as it is now."""
        self.shell.show_settings(self.shell.resume)

    def go_for_rules(self) -> None:
        """To the rules that hold in this game, and back to it in the same way."""
        self.shell.show(AllRules(self.public.options, self.shell.resume))

    def watch_again(self) -> None:
        """Look at the game from its first step on, and come back to it."""
        self.shell.show(Replaying(self.shell, Replay(self.session), self.shell.resume, kept=not self.practice))

    def undo(self) -> None:
        """Take back the last action; with everybody's consent where something has been revealed."""
        offer = self.session.undo_offer
        if offer is None:
            return
        if offer.consent:
            self.shell.ask(AgreeToUndo(self, offer))
        else:
            self.take_back(())

    def take_back(self, consent: Sequence[int]) -> None:
        """Take it back now; values that are taken back are typed already."""
        last = self.last
        self.session.undo(consent)
        if last is not None and isinstance(last.action, Score):
            self.typed[last.action.colour] = list(last.action.values)
        self.shell.toast(_("Taken back."), icon="undo")

    # The camera

    @property
    def status(self) -> LinkStatus:
        """Whether there are pictures for this game."""
        table = self.shell.table
        return table.status if table and self.camera else Off()

    @property
    def following(self) -> FollowState | None:
        """What the camera makes of the table."""
        table = self.shell.table
        return table.follow_state if table and self.camera else None

    @property
    def found(self) -> FollowState | None:
        """The same, while there are pictures: without them nothing that was wrong goes away by itself."""
        return self.following if isinstance(self.status, Seeing) else None

    def watch(self, *, camera: bool) -> None:
        """Follow this game with the camera from now on, or no longer; also when it is left and gone on with."""
        self.camera = camera
        self.shell.remember_watching(self.session.game_id, camera=camera)
        if table := self.shell.table:
            table.follow(self.session if camera else None)

    def leave(self) -> None:
        """The game is left: the camera follows none."""
        if table := self.shell.table:
            table.follow(None)
