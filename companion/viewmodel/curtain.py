"""7. Secret: the curtain, and what lies behind it for one player's eyes.

`Curtain` is the same picture whatever lies under it: only its owner's holding opens it, after a moment, and letting go
shuts it at once. So does whatever comes between, but then nothing comes of the look. What the card shows and what
follows a look is each kind's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.i18n import N_, _
from companion.rules.actions import Back, Reveal
from companion.rules.layout import Colour
from companion.rules.pieces import BACKS, WHEN
from companion.viewmodel.desk import Desk
from companion.viewmodel.presenter import Presenter
from companion.viewmodel.states import Button, Icon, SecretCard, SecretScreen
from companion.viewmodel.words import back_icon, back_name, back_text, under

OPENS_AFTER_S = 0.3
"""So long the button or corner is held before the card shows: a brush against it opens nothing."""

SEEN_S = 0.2
"""What a card says comes a little after the card; who lets go sooner has not looked, and holds anew."""

HAND_PLACES = 3
"""A card shows at least so many places for tiles, so that its size says less."""

_HOLD: Mapping[Colour, str] = {
    "red": N_("Hold your red button, or this corner."),
    "blue": N_("Hold your blue button, or this corner."),
    "yellow": N_("Hold your yellow button, or this corner."),
    "green": N_("Hold your green button, or this corner."),
}


def curtain_screen(desk: Desk, player: int, card: SecretCard | None, *, not_now: bool) -> SecretScreen:
    """The curtain for that player; nothing but `card` depends on a secret."""
    who = desk.players[player]
    return SecretScreen(
        player=player,
        colours=who.colours,
        corner=desk.corner(player),
        title=_("For {name}’s eyes").format(name=who.name),
        text="\n".join(
            (
                _("{name}, shade the screen with your hand.").format(name=who.name),
                _(_HOLD[who.colours[0]]),
                _("It hides again when you let go."),
            )
        ),
        hold_text=_("Let go to hide") if card else _("Hold to look"),
        card=card,
        not_now=Button(id="not_now", text=_("Not now")) if not_now and card is None else None,
    )


class Curtain(Presenter):
    """The base of all: opens while `player` alone holds, shuts at once."""

    not_now = True

    def __init__(self, desk: Desk, player: int) -> None:
        self.desk = desk
        self.player = player
        self._held_since: float | None = None
        self._opened_at: float | None = None

    @property
    def _open(self) -> bool:
        return self._opened_at is not None

    def state(self) -> SecretScreen:
        """The curtain; with the card only while it is open."""
        return curtain_screen(self.desk, self.player, self.card() if self._open else None, not_now=self.not_now)

    def card(self) -> SecretCard:
        """What the player sees while holding."""
        raise NotImplementedError

    def answer(self, button_id: str) -> None:
        """A button of the card was pressed while it is open."""

    def shut(self) -> None:
        """The player has looked and let go."""
        raise NotImplementedError

    def put_off(self) -> None:
        """Not now."""
        self.desk.postponed = True

    def press(self, button_id: str) -> None:
        """Not now, while it is shut; the card's answers, while it is open."""
        if self._open:
            self.answer(button_id)
        elif button_id == "not_now" and self.not_now:
            self.put_off()

    def hold(self, player: int) -> None:
        """Only its owner opens it."""
        if player == self.player:
            self._held_since = self.desk.shell.now

    def let_go(self, player: int) -> None:
        """It shuts at once; a card that was there for less than a glance has not been looked at."""
        if player != self.player:
            return
        opened_at, self._opened_at, self._held_since = self._opened_at, None, None
        if opened_at is not None and self.desk.shell.now - opened_at >= SEEN_S:
            self.shut()

    def cover(self, player: int) -> None:
        """It shuts at once and waits for its owner to hold anew."""
        if player == self.player:
            self._opened_at = self._held_since = None

    def tick(self, now: float) -> bool:
        """Held long enough, it opens."""
        if self._open or self._held_since is None or now - self._held_since < OPENS_AFTER_S:
            return False
        self._opened_at = now
        return True


class LookUnder(Curtain):
    """6.3: the back of the tile just sunk. The next screen is public again."""

    def __init__(self, desk: Desk) -> None:
        assert desk.look is not None, "a look waits"
        super().__init__(desk, desk.look.player)
        self._look = desk.look

    def card(self) -> SecretCard:
        """The back, and what it does."""
        back = self.desk.back_for(self.player)
        assert back is not None, "a look waits, so there is a back"
        at_once = self.desk.session.pending_look is None  # else it went into the hand (6.5)
        return SecretCard(
            over=under(self._look.tile, self._look.hex),
            title=back_name(back),
            icon=back_icon(back),
            text=back_text(back, at_once=at_once),
            strong=_("Let go, and everybody sees it.") if at_once else _("Let go, and it is hidden."),
        )

    def shut(self) -> None:
        """Seen."""
        self.desk.has_looked()


def tiles_shown(tiles: tuple[Back, ...]) -> tuple[tuple[Icon | None, str], ...]:
    """A hand as pictures, empty places added."""
    shown: list[tuple[Icon | None, str]] = [(back_icon(tile), back_name(tile)) for tile in tiles]
    return tuple(shown + [(None, "")] * (HAND_PLACES - len(shown)))


class LookAtHand(Curtain):
    """A player's own hand, at any time."""

    def __init__(self, desk: Desk) -> None:
        assert desk.hand_of is not None, "somebody has asked for a hand"
        super().__init__(desk, desk.hand_of)
        self._goes_with_the_button = desk.hand_held

    def card(self) -> SecretCard:
        """The tiles."""
        return SecretCard(
            title=_("Your hand"),
            tiles=tiles_shown(self.desk.hand(self.player)),
            text=_("To play one: let go, then touch Tile at the start of your turn."),
        )

    def let_go(self, player: int) -> None:
        """It shuts; what was put up by the own button is gone with it, also if it has not opened yet."""
        super().let_go(player)
        if player == self.player and self._goes_with_the_button:
            self.shut()

    def shut(self) -> None:
        """Back to the game."""
        self.desk.hand_of = None

    def put_off(self) -> None:
        """Back to the game without a look."""
        self.desk.hand_of = None


class ChooseTile(Curtain):
    """3.1: the active player chooses a tile to play, or none; nobody sees what there was to choose from."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, desk.public.active)
        self._choice: Back | None = None

    def card(self) -> SecretCard:
        """A button a kind of tile held; the one chosen stands out. Unplayable ones say why."""
        held = Counter(self.desk.hand(self.player))
        return SecretCard(
            title=_("Play a tile?"),
            answers=tuple(self._answer(tile, count) for tile, count in sorted(held.items())),
            text="" if self._choice else _("Press a tile to play it, or just let go."),
            strong=_("{tile}: let go, and everybody sees that you play it.").format(tile=back_name(self._choice))
            if self._choice
            else "",
        )

    def _answer(self, tile: Back, count: int) -> Button:
        playable = bool(self.desk.legal_with(tile))
        if WHEN[tile] == "defence":
            line = _("on another’s turn")
        elif not playable:
            line = _("nothing to move now")
        else:
            line = _("you hold {n}").format(n=count) if count > 1 else ""
        return Button(
            id=f"play:{tile}",
            text=back_name(tile),
            line=line,
            icon=back_icon(tile),
            kind="primary" if tile == self._choice else "secondary",
            enabled=playable,
        )

    def answer(self, button_id: str) -> None:
        """Choose it, or think again."""
        choices: dict[str, Back] = {f"play:{tile}": tile for tile in self.desk.hand(self.player)}
        tile = choices.get(button_id)
        if tile and self.desk.legal_with(tile):
            self._choice = None if tile == self._choice else tile

    def cover(self, player: int) -> None:
        """What was chosen is not played."""
        super().cover(player)
        self._choice = None

    def shut(self) -> None:
        """Play what was chosen, if anything."""
        self.desk.choosing_tile = False
        self.desk.tile = self._choice

    def put_off(self) -> None:
        """Back to the turn without a look."""
        self.desk.choosing_tile = False


class EnterBack(Curtain):
    """6.3 with printed backs: the player reads the tile and enters what it says. The list is the same every time."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, desk.public.active)
        self._choice: Back | None = None

    def card(self) -> SecretCard:
        """All kinds there are under such a tile (1.3), always in the same order."""
        sunk = self.desk.public.sunk
        assert sunk is not None, "in `reveal` there is a tile just removed"
        return SecretCard(
            over=under(sunk.tile, sunk.hex),
            title=_("What does it say?"),
            text=_("No such tile is left. Look at it again.")
            if self._choice and not self._possible()
            else _("Press what is printed under the tile."),
            strong=_("{tile}: let go, and it is entered.").format(tile=back_name(self._choice))
            if self._choice and self._possible()
            else "",
            answers=tuple(
                Button(
                    id=f"back:{back}",
                    text=back_name(back),
                    icon=back_icon(back),
                    kind="primary" if back == self._choice else "secondary",
                )
                for back in BACKS[sunk.tile]
            ),
        )

    def _possible(self) -> bool:
        return self._choice is not None and Reveal(back=self._choice) in self.desk.legal()

    def answer(self, button_id: str) -> None:
        """What the tile says."""
        sunk = self.desk.public.sunk
        assert sunk is not None, "in `reveal` there is a tile just removed"
        self._choice = {f"back:{back}": back for back in BACKS[sunk.tile]}.get(button_id, self._choice)

    def cover(self, player: int) -> None:
        """What was chosen is not entered."""
        super().cover(player)
        self._choice = None

    def shut(self) -> None:
        """Entered, if it can be."""
        if self._choice is not None and self._possible():
            self.desk.session.do(Reveal(back=self._choice))
