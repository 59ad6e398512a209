"""What the session and the journal know of a game: a small protocol, and Atlantis told in it.

A second family of games gives another instance of `Game`; the session, the journal, the dealer and the proof of
fairness stay as they are. Positions, actions, events and views are opaque to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypeVar

import msgspec

from companion import rules
from companion.rules.actions import Action, Decline, Defend, Reveal, Roll, Score, SinkTile
from companion.rules.events import Event, TileKept, TurnBegan
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, Terrain

PositionT = TypeVar("PositionT")
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")
ViewT_co = TypeVar("ViewT_co", covariant=True)

Reason = Literal["roll", "secret"]
"""What an undo goes back behind."""


class Chance(msgspec.Struct, frozen=True):
    """What chance has to add to an action: which of the dealer's streams it comes from, and the weighted outcomes."""

    stream: str
    outcomes: tuple[tuple[str, int], ...]


class HiddenDraw(msgspec.Struct, frozen=True):
    """A tile whose back went unseen into a hand. `back` is that player's secret and stays out of the `repr`."""

    player: int
    hex: Hex
    tile: Terrain
    back: str

    def __repr__(self) -> str:
        return f"HiddenDraw(player={self.player}, hex={self.hex}, tile={self.tile!r})"


class Result(msgspec.Struct, frozen=True):
    """How a game ended: numbers of the winners, points in the order of the players."""

    winners: tuple[int, ...]
    totals: tuple[int, ...]


class Game(Protocol[PositionT, ActionT, EventT, ViewT_co]):
    """One family of games. All methods are pure."""

    @property
    def name(self) -> str:
        """The name in the journal."""

    def encode_position(self, position: PositionT) -> object:
        """As JSON, the whole truth."""

    def decode_position(self, data: object) -> PositionT:
        """The inverse; raises ValueError."""

    def encode_action(self, action: ActionT) -> object:
        """As JSON, with its outcome."""

    def decode_action(self, data: object) -> ActionT:
        """The inverse; raises ValueError."""

    def legal_actions(self, position: PositionT) -> list[ActionT]:
        """Every legal action, without outcomes of chance."""

    def check(self, position: PositionT, action: ActionT) -> None:
        """Raises ValueError with the reason if the action is not legal."""

    def apply(self, position: PositionT, action: ActionT) -> tuple[PositionT, tuple[EventT, ...]]:
        """The next position and what everybody saw; raises like `check`."""

    def chance(self, position: PositionT, action: ActionT) -> Chance | None:
        """What is left to chance in a legal action, None if nothing is."""

    def with_outcome(self, action: ActionT, outcome: str) -> ActionT:
        """The action carrying what came."""

    def without_outcome(self, action: ActionT) -> ActionT:
        """The action as it was chosen, before chance added to it."""

    def is_entered(self, action: ActionT) -> bool:
        """True for an action by which people tell what came: no chance is left in it."""

    def decks(self, position: PositionT) -> Mapping[str, Mapping[str, int]]:
        """What is drawn without putting back, by stream, as far as the dealer deals it."""

    def laid_out(self, position: PositionT) -> tuple[str, ...] | None:
        """What lies where the dealer lays out, in the order of the stream `tiles`; None if not all of it is there."""

    def view(self, position: PositionT, viewer: int | None) -> ViewT_co:
        """What that player may see, with None what all may see together."""

    def encode_public(self, position: PositionT) -> object:
        """As JSON, what everybody may see."""

    def public_action(self, position: PositionT, action: ActionT) -> ActionT | None:
        """The action without what is secret in it, None if nothing is left then."""

    def notation(self, position: PositionT, action: ActionT) -> str:
        """One line for people; without secrets, also for an action with them."""

    def players(self, position: PositionT) -> int:
        """How many play."""

    def actor(self, position: PositionT, action: ActionT) -> int:
        """Whose action it is."""

    def phase(self, position: PositionT) -> str:
        """The phase of the position."""

    def turn_at(self, position: PositionT) -> int:
        """The number of the turn in a position that a game starts from: 0 while setting up, else 1."""

    def turns_begun(self, events: Sequence[EventT]) -> int:
        """How many turns these events begin."""

    def revealed(self, action: ActionT) -> tuple[Reason, ...]:
        """What the action has shown to somebody, so that taking it back needs consent."""

    def hidden_draw(self, position: PositionT, action: ActionT, events: Sequence[EventT]) -> HiddenDraw | None:
        """The tile that the action put into a hand by the dealer's hand, for its owner to look at."""

    def result(self, position: PositionT) -> Result | None:
        """How the game ended, None while it goes on."""


class Atlantis:
    """Atlantis over `companion.rules`."""

    name = "atlantis"
    encode_position = staticmethod(rules.encode_position)
    decode_position = staticmethod(rules.decode_position)
    encode_action = staticmethod(rules.encode_action)
    decode_action = staticmethod(rules.decode_action)
    legal_actions = staticmethod(rules.legal_actions)
    check = staticmethod(rules.check)
    view = staticmethod(rules.view)
    public_action = staticmethod(rules.public_action)
    notation = staticmethod(rules.notation)

    def apply(self, position: rules.Position, action: Action) -> tuple[rules.Position, tuple[Event, ...]]:
        """The rules' `apply`."""
        return rules.apply(position, action)

    def encode_public(self, position: rules.Position) -> object:
        """The view of nobody in particular."""
        return rules.encode_view(rules.view(position, None))

    def chance(self, position: rules.Position, action: Action) -> Chance | None:
        """Backs come from a stream for each terrain, so that the order of each deck is settled from the start."""
        outcomes = rules.outcomes(position, action)
        if not outcomes:
            return None
        stream: str = "die"
        if isinstance(action, SinkTile):
            stream = position.layout().at(action.hex).tile or stream
        return Chance(stream, outcomes)

    def with_outcome(self, action: Action, outcome: str) -> Action:
        """The rules' `with_outcome`."""
        return rules.with_outcome(action, outcome)

    def without_outcome(self, action: Action) -> Action:
        """A tile to be sunk, a die to be rolled."""
        match action:
            case SinkTile(hex=h):
                return SinkTile(hex=h)
            case Roll():
                return Roll()
        return action

    def is_entered(self, action: Action) -> bool:
        """A printed back, read off the tile (1.3)."""
        return isinstance(action, Reveal)

    def decks(self, position: rules.Position) -> Mapping[str, Mapping[str, int]]:
        """The backs by terrain, if they are dealt (1.3)."""
        if position.options.backs == "printed":
            return {}
        return {terrain: {back: n for back, n in left.items()} for terrain, left in position.backs.items()}  # noqa: C416

    def laid_out(self, position: rules.Position) -> tuple[str, ...] | None:
        """2.2: the forty tiles by the hexes of the island."""
        layout = position.layout()
        tiles = tuple(tile for h in position.board.island if (tile := layout.at(h).tile))
        return tiles if len(tiles) == len(position.board.island) else None

    def players(self, position: rules.Position) -> int:
        """Two to four."""
        return len(position.players)

    def actor(self, position: rules.Position, action: Action) -> int:
        """Whom the position waits for (3, 9.2, 13.4); of a score the colour's owner."""
        return position.setup.owner[action.colour] if isinstance(action, Score) else rules.to_act(position)

    def phase(self, position: rules.Position) -> str:
        """The phase of section 3."""
        return position.phase

    def turn_at(self, position: rules.Position) -> int:
        """2 comes before the first turn."""
        return 0 if position.phase in {"place_explorers", "place_boats"} else 1

    def turns_begun(self, events: Sequence[Event]) -> int:
        """3."""
        return sum(isinstance(event, TurnBegan) for event in events)

    def revealed(self, action: Action) -> tuple[Reason, ...]:
        """The die's face; a tile's back, also if only its player may see it; an answer of 9.

        Whoever lifts a tile with a printed back has looked at it (6.3).
        """
        match action:
            case Roll():
                return ("roll",)
            case SinkTile() | Reveal() | Defend() | Decline():
                return ("secret",)
        return ()

    def hidden_draw(self, position: rules.Position, action: Action, events: Sequence[Event]) -> HiddenDraw | None:
        """6.5: the back that went into the hand, unless its player has read it off the tile itself."""
        kept = next((event for event in events if isinstance(event, TileKept)), None)
        if kept is None or not isinstance(action, SinkTile) or action.back is None:
            return None
        tile = position.layout().at(action.hex).tile
        assert tile is not None
        return HiddenDraw(player=kept.player, hex=action.hex, tile=tile, back=action.back)

    def result(self, position: rules.Position) -> Result | None:
        """11.2, 12.3: points of a player's colours added up, or explorers rescued."""
        if position.winners is None:
            return None
        points = {c: position.scores.get(c, 0) for c in COLOURS}
        if position.options.all_equal:
            safe = position.layout().safe
            points = {c: sum(counts.get(c, 0) for counts in safe.values()) for c in COLOURS}
        return Result(position.winners, tuple(sum(points[c] for c in player.colours) for player in position.players))


ATLANTIS = Atlantis()
"""The one instance there is now."""

GAMES = {ATLANTIS.name: ATLANTIS}
"""The games a journal may hold, by the name in their start records."""
