"""9a. The values under the rescued explorers, a colour at a time, entered on six keys (11.2).

In: the rescued explorers of each colour. Out: one `Score` action a colour. The ten values of 1.2 are the check.
"""

from __future__ import annotations

from collections import Counter

from companion.i18n import _, ngettext
from companion.rules.actions import Score
from companion.rules.layout import Colour
from companion.rules.pieces import EXPLORER_VALUES
from companion.rules.position import Position
from companion.viewmodel.desk import Desk
from companion.viewmodel.presenter import Presenter
from companion.viewmodel.states import Button, Note, ScoreScreen, ValueSlot

KEYS = tuple(sorted(set(EXPLORER_VALUES)))


class Scoring(Presenter):
    """The colour that is entered next. A new presenter comes with each; what has been typed is kept on the desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._session = desk.session
        position = desk.session.position
        self._colours = to_score(position)
        self._colour = next(colour for colour in self._colours if colour not in position.scores)
        self._values = desk.typed.setdefault(self._colour, [None] * rescued(position, self._colour))
        self._chosen = self._values.index(None) if None in self._values else 0

    def state(self) -> ScoreScreen:
        """Slots, keys, the sum so far, and what the ten values cannot give."""
        position = self._session.position
        name = position.players[position.setup.owner[self._colour]].name
        surplus = self._surplus()
        complete = None not in self._values and not surplus
        done = [colour for colour in self._colours if colour in position.scores]
        total = sum(value or 0 for value in self._values)
        return ScoreScreen(
            title=_("Turn over {name}’s rescued").format(name=name),
            menu=Button(id="menu", text=_("Menu"), icon="menu"),
            colour=self._colour,
            progress=_("{n} of {all}").format(n=len(done) + 1, all=len(self._colours)),
            sentence=_("Touch a piece, then its number."),
            slots=tuple(
                ValueSlot(
                    id=f"slot:{i}",
                    value=value,
                    chosen=i == self._chosen,
                    tone="doubt" if value in surplus else "normal" if value is None else "ok",
                )
                for i, value in enumerate(self._values)
            ),
            keys=tuple(Button(id=f"key:{value}", text=str(value)) for value in KEYS),
            total=_("{name} has {total} so far.").format(name=name, total=total),
            help=_("Of each colour: three ones, two twos, two threes, a four, a five, a six."),
            note=_impossible(surplus),
            secondary=self._undo(first=not done),
            primary=self._primary(complete=complete),
        )

    def _primary(self, *, complete: bool) -> Button:
        missing = self._values.count(None)
        if missing:
            text = ngettext("{n} number to go", "{n} numbers to go", missing).format(n=missing)
        elif not complete:
            text = _("Check the numbers")
        elif following := self._following():
            position = self._session.position
            text = _("Right, next: {name}").format(name=position.players[position.setup.owner[following]].name)
        else:
            text = _("Right, who has won?")
        return Button(id="score", text=text, kind="primary", enabled=complete)

    def _undo(self, *, first: bool) -> Button:
        """Back to the colour before; of the first one, back into the game."""
        text = _("Undo") if first else _("Back")
        return Button(id="undo", text=text, icon="undo", enabled=self._session.undo_offer is not None)

    def _following(self) -> Colour | None:
        left = [colour for colour in self._colours if colour not in self._session.position.scores]
        return left[1] if len(left) > 1 else None

    def _surplus(self) -> Counter[int]:
        entered = Counter(value for value in self._values if value is not None)
        return entered - Counter(EXPLORER_VALUES)

    def press(self, button_id: str) -> None:
        """Choose a piece, give it a number, take the set over, or leave."""
        verb, _sep, value = button_id.partition(":")
        if verb == "slot" and value.isdigit() and int(value) < len(self._values):
            self._chosen = int(value)
        elif verb == "key" and value in {str(key) for key in KEYS}:
            self._values[self._chosen] = int(value)
            self._chosen = self._next_empty()
        elif verb == "score" and None not in self._values and not self._surplus():
            values = tuple(value for value in self._values if value is not None)
            self._session.do(Score(colour=self._colour, values=values))
        elif verb == "undo":
            self._desk.undo()
        elif verb == "menu":
            self._desk.go_for_menu()

    def _next_empty(self) -> int:
        count = len(self._values)
        ahead = [(self._chosen + step) % count for step in range(1, count)]
        return next((i for i in ahead if self._values[i] is None), self._chosen)


def _impossible(surplus: Counter[int]) -> Note | None:
    if not surplus:
        return None
    value = min(surplus)
    times = EXPLORER_VALUES.count(value)
    text = ngettext(
        "There is only {n} piece with the number {value}.", "There are only {n} pieces with the number {value}.", times
    )
    return Note(text=text.format(n=times, value=value), kind="warning", icon="warning")


def rescued(position: Position, colour: Colour) -> int:
    """How many explorers of the colour are on safe land."""
    return sum(counts.get(colour, 0) for counts in position.layout().safe.values())


def to_score(position: Position) -> tuple[Colour, ...]:
    """The colours with rescued explorers, in the order of the players."""
    return tuple(colour for player in position.players for colour in player.colours if rescued(position, colour))
