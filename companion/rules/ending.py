"""11: the end of the game, the score and who has won; 12.3."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from companion.rules.actions import Score
from companion.rules.draft import Draft
from companion.rules.errors import IllegalAction
from companion.rules.events import GameEnded, PhaseBegan, Scored, Won
from companion.rules.layout import Colour
from companion.rules.pieces import EXPLORER_VALUES
from companion.rules.position import Position, State

Reason = Literal["volcano", "last_survivor", "atlantis_sinks"]


def end_game(d: Draft, reason: Reason) -> None:
    """11.1, 12.2, 12.4: no more turns; on to the scoring if values decide and somebody is rescued."""
    d.events.append(GameEnded(reason=reason))
    d.moves_left = 0
    d.swum_at = {}
    d.carried_at = {}
    d.die = d.threat = d.sunk = None
    if not d.setup.options.all_equal and any(d.safe.values()):
        d.phase = "scoring"
        d.events.append(PhaseBegan(phase="scoring", player=d.active))
    else:
        _decide(d)


def rescued(p: State, colour: Colour) -> int:
    """How many explorers of the colour are on safe land."""
    return sum(p.safe[colour].values())


def unscored(p: State) -> list[Colour]:
    """Colours with rescued explorers whose values have not been entered."""
    return [colour for colour in p.setup.owner if p.safe[colour] and colour not in p.scores]


def check_score(p: Position, action: Score) -> None:
    """Raises IllegalAction."""
    colour, values = action.colour, action.values
    if colour not in p.setup.owner or not p.safe[colour]:
        raise IllegalAction("11.2", f"No {colour} explorer has been rescued, so {colour} has nothing to score.")
    if colour in p.scores:
        raise IllegalAction("11.2", f"The values of {colour} have been entered already.")
    if len(values) != rescued(p, colour):
        raise IllegalAction("11.2", f"{rescued(p, colour)} {colour} explorers were rescued, not {len(values)}.")
    if Counter(values) - Counter(EXPLORER_VALUES):
        raise IllegalAction(
            "1.2", f"Under the ten {colour} explorers stand {', '.join(map(str, EXPLORER_VALUES))}, nothing else."
        )


def do_score(d: Draft, action: Score) -> None:
    """Enter one colour's sum; with the last one the winners are known."""
    total = sum(action.values)
    d.scores = {**d.scores, action.colour: total}
    d.events.append(Scored(colour=action.colour, total=total))
    if not unscored(d):
        _decide(d)


def _decide(d: Draft) -> None:
    """11.2, 12.3: the most points, or with `all_equal` the most explorers; equals share the win."""
    results = [
        sum(rescued(d, colour) if d.setup.options.all_equal else d.scores.get(colour, 0) for colour in player.colours)
        for player in d.setup.players
    ]
    d.winners = tuple(player for player, result in enumerate(results) if result == max(results))
    d.phase = "over"
    d.events.append(PhaseBegan(phase="over", player=d.active))
    d.events.append(Won(players=d.winners))
