"""What each viewer may see: the one source for any screen, log, export or protocol answer.

A viewer is a player's number, or None for a screen that all look at, which may see no secret. Secret are the tiles in
a hand (3.5) and the backs not yet drawn; what a player may do in `play_tile` and `reaction` follows from the hand.
"""

from __future__ import annotations

import msgspec

from companion.rules.actions import Action, Back, DiveRoll, Face, Reveal, SinkTile
from companion.rules.layout import Colour, Layout
from companion.rules.legal import legal_actions
from companion.rules.options import Options, Player, when_played
from companion.rules.pieces import BACKS
from companion.rules.position import Carried, Phase, Position, Sunk, Supply, Swum, Threat, Unplaced


class Hand(msgspec.Struct, frozen=True):
    """A hand as a viewer sees it: how many tiles, and which if it is the viewer's own."""

    count: int
    tiles: tuple[Back, ...] | None


class PlayerView(msgspec.Struct, frozen=True):
    """A position as a viewer may see it; fields as in `Position`, the backs left out."""

    viewer: int | None
    edition: str
    options: Options
    players: tuple[Player, ...]
    layout: Layout
    active: int
    phase: Phase
    moves_left: int
    swum: tuple[Swum, ...]
    carried: tuple[Carried, ...]
    die: Face | DiveRoll | None
    hands: tuple[Hand, ...]
    supply: Supply
    unplaced: Unplaced
    threat: Threat | None
    sunk: Sunk | None
    scores: dict[Colour, int]
    winners: tuple[int, ...] | None


def view(position: Position, viewer: int | None) -> PlayerView:
    """The position as the viewer may see it. Raises ValueError if there is no such player."""
    _check_viewer(position, viewer)
    return PlayerView(
        viewer=viewer,
        edition=position.edition,
        options=position.options,
        players=position.players,
        layout=position.layout(),
        active=position.active,
        phase=position.phase,
        moves_left=position.moves_left,
        swum=position.swum,
        carried=position.carried,
        die=position.die,
        hands=tuple(
            Hand(count=len(hand), tiles=hand if player == viewer else None)
            for player, hand in enumerate(position.hands)
        ),
        supply=position.supply,
        unplaced=position.unplaced,
        threat=position.threat,
        sunk=position.sunk,
        scores=position.scores,
        winners=position.winners,
    )


def to_act(position: Position) -> int:
    """The player whom the position waits for: the one asked in a reaction or for protection, else the active one."""
    return position.threat.asked[0] if position.threat is not None else position.active


def legal_for(position: Position, viewer: int | None) -> list[Action]:
    """The legal actions as far as the viewer may know them.

    What follows from a hand (`play_tile`, `reaction`) or from a look under the tile (`reveal`) is for the player who is
    to act. In `reveal` that is every back there is of the terrain: which of them are gone would tell of others' hands.
    """
    _check_viewer(position, viewer)
    if position.phase in ("play_tile", "reaction", "reveal") and viewer != to_act(position):
        return []
    if position.phase == "reveal" and position.sunk is not None:
        return [Reveal(back=back) for back in BACKS[position.sunk.tile]]
    return legal_actions(position)


def public_action(position: Position, action: Action) -> Action | None:
    """The action as everybody may know it: a back that goes into the hand is taken out of `sink_tile`.

    None for a `reveal` of such a back, which tells nobody anything but that the tile was kept.
    """
    if isinstance(action, SinkTile | Reveal) and action.back is not None and is_secret(position, action.back):
        return SinkTile(hex=action.hex) if isinstance(action, SinkTile) else None
    return action


def is_secret(position: Position, back: Back) -> bool:
    """Whether a back that has been turned over goes into the hand unseen (6.5, 13.1)."""
    return when_played(back, position.options) != "at once"


def _check_viewer(position: Position, viewer: int | None) -> None:
    if viewer is not None and not 0 <= viewer < len(position.players):
        raise ValueError(f"viewer: there is no player {viewer}")
