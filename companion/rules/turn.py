"""3: how phases and turns follow each other, and which are skipped.

`proceed` is called when an action of a phase has had all its effects (8 settled); it decides what comes next.
"""

from __future__ import annotations

from companion.rules.draft import Draft
from companion.rules.ending import end_game
from companion.rules.events import PhaseBegan, TurnBegan
from companion.rules.pieces import MOVES_PER_TURN
from companion.rules.position import Phase, Resume, State


def begin_phase(d: Draft, phase: Phase) -> None:
    """Wait for an action of this phase of the active player."""
    d.phase = phase
    d.events.append(PhaseBegan(phase=phase, player=d.active))


def begin_turn(d: Draft, player: int) -> None:
    """3.1, skipped with an empty hand (3.5)."""
    d.active = player
    d.die = None
    d.events.append(TurnBegan(player=player))
    if d.hands[player]:
        begin_phase(d, "play_tile")
    else:
        begin_move(d)


def begin_move(d: Draft) -> None:
    """3.2, skipped by who has no explorer on the board."""
    if on_board(d, d.active):
        d.moves_left = MOVES_PER_TURN
        begin_phase(d, "move")
    else:
        begin_sink(d)


def begin_sink(d: Draft) -> None:
    """3.3, skipped when no tile is left (12.2)."""
    d.moves_left = 0
    d.swum_at = {}
    d.carried_at = {}
    begin_phase(d, "sink" if d.land else "roll")


def begin_next_turn(d: Draft) -> None:
    """The turn passes clockwise."""
    begin_turn(d, (d.active + 1) % len(d.setup.players))


def proceed(d: Draft, done: Resume) -> None:
    """What follows an action of the phase `done`, also after a reaction that interrupted it."""
    options = d.setup.options
    if options.last_survivor and not any(on_board(d, player) for player in range(len(d.setup.players))):
        end_game(d, "last_survivor")
    elif done == "play_tile":
        begin_move(d)
    elif done == "move":
        if not d.moves_left:
            begin_sink(d)
        elif d.phase != "move":
            begin_phase(d, "move")
    elif done == "creature":
        begin_next_turn(d)
    elif options.atlantis_sinks and not d.land:
        end_game(d, "atlantis_sinks")
    else:
        begin_phase(d, "roll")


def on_board(p: State, player: int) -> bool:
    """3.2: whether one of the player's explorers is on a tile, in a boat or swimming."""
    return any(
        p.dry[colour]
        or any(colour in load for load in p.boats.values())
        or any(colour in load for load in p.swimmers.values())
        for colour in p.setup.players[player].colours
    )
