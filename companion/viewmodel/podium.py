"""9b. Who has won, with what, and the proof that the deal was fair.

In: a finished game. Out: a step a player, a row a colour, the note on fairness; asked for, the game in figures (9c).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from companion.i18n import _, ngettext
from companion.rules.actions import Score
from companion.rules.layout import Colour
from companion.table.game import ATLANTIS
from companion.table.session import Session
from companion.viewmodel.presenter import Presenter
from companion.viewmodel.score import rescued
from companion.viewmodel.states import Button, Note, PodiumScreen, PodiumStep, StatisticsScreen
from companion.viewmodel.statistics import in_figures
from companion.viewmodel.words import names, short_fingerprint


class Podium(Presenter):
    """The end of a game. `done` is where it leads on to, `again` shows how it came to it.

    `undo` takes back what ended it, while it is still open; `export` writes the game into a file, where it is kept.
    """

    def __init__(
        self,
        session: Session,
        done: Callable[[], None],
        *,
        again: Callable[[], None],
        undo: Callable[[], None] | None = None,
        export: Callable[[], None] | None = None,
    ) -> None:
        self._session = session
        ways = {"done": done, "again": again, "undo": undo, "export": export}
        self._ways = {name: way for name, way in ways.items() if way}
        self._in_figures = False

    def state(self) -> PodiumScreen | StatisticsScreen:
        """The podium, or the statistics in its place."""
        return in_figures(self._session) if self._in_figures else self._podium()

    def _podium(self) -> PodiumScreen:
        """The highest step has the second at its left hand, all others at its right; equal totals share a rank."""
        position = self._session.position
        result = ATLANTIS.result(position)
        assert result is not None, "the podium is shown when the game is over"
        ranked = sorted(zip(position.players, result.totals, strict=True), key=lambda place: place[1], reverse=True)
        steps = tuple(
            PodiumStep(
                name=player.name,
                colours=player.colours,
                total=total,
                rank=1 + sum(other > total for other in result.totals),
            )
            for player, total in (ranked[1], ranked[0], *ranked[2:])
        )
        return PodiumScreen(
            title=self._title(result.winners),
            steps=steps,
            rows=self._rows(),
            fairness=self._fairness(),
            buttons=(
                Button(id="again", text=_("Watch again"), icon="games"),
                Button(id="statistics", text=_("Statistics")),
                *((Button(id="undo", text=_("Take back"), icon="undo"),) if "undo" in self._ways else ()),
                *((Button(id="export", text=_("Export"), icon="export"),) if "export" in self._ways else ()),
            ),
            primary=Button(id="done", text=_("Done"), kind="primary"),
        )

    def _title(self, winners: tuple[int, ...]) -> str:
        position = self._session.position
        if not any(rescued(position, colour) for player in position.players for colour in player.colours):
            return _("The sea won")
        text = ngettext("{names} wins", "{names} win", len(winners))
        return text.format(names=names(position.players[number] for number in winners))

    def _rows(self) -> tuple[tuple[Colour, tuple[int, ...], int], ...]:
        """The values entered, highest first; where values do not matter (12.3) the number of rescued alone."""
        position = self._session.position
        values: dict[Colour, tuple[int, ...]] = {
            entry.action.colour: tuple(sorted(entry.action.values, reverse=True))
            for entry in self._session.record
            if isinstance(entry.action, Score)
        }
        everybody = [colour for player in position.players for colour in player.colours]
        rows = [
            (
                colour,
                values.get(colour, ()),
                rescued(position, colour) if position.options.all_equal else sum(values.get(colour, ())),
            )
            for colour in everybody
        ]
        return tuple(sorted(rows, key=lambda row: -row[2]))

    def _fairness(self) -> Note | None:
        """The dealer's commitment, opened now, against the fingerprint published at the start."""
        proof = self._session.proof
        if proof is None:
            return None
        published = self._session.fingerprint
        found = hashlib.sha256(proof.encode()).hexdigest()
        if found == published:
            text = _("Seed and deck match the fingerprint {fingerprint}.")
            text = text.format(fingerprint=short_fingerprint(published))
            return Note(strong=_("The deal was fair."), text=text, icon="lock")
        text = _("The fingerprint was {published}, and the seed gives {found}.").format(
            published=short_fingerprint(published), found=short_fingerprint(found)
        )
        return Note(strong=_("The deal does not match."), text=text, kind="warning", icon="warning")

    def press(self, button_id: str) -> None:
        """On, through the game once more, or back into it; to the figures and back from them."""
        if self._in_figures:
            self._in_figures = button_id != "back"
        elif button_id == "statistics":
            self._in_figures = True
        elif button_id in self._ways:
            self._ways[button_id]()
