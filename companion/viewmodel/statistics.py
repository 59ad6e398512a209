"""9c. The game in figures: what became of everybody's explorers, how long it took, what sank and was rolled.

In: a finished game. Out: the screen. Everything is counted from what all have seen (`companion.table.statistics`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Literal

from companion.i18n import N_, NN_, _, ngettext
from companion.rules.events import GameEnded
from companion.table.session import Session
from companion.table.statistics import CAUSES, Cause, Count, Eater, Statistics, statistics
from companion.viewmodel.states import Button, CountRow, Fact, Figure, Icon, StatisticsScreen

_DEADLIEST: Mapping[tuple[Eater, ...], tuple[str, str]] = {
    ("serpent",): NN_(
        "The sea serpents were the most dangerous: they took {n} explorer.",
        "The sea serpents were the most dangerous: they took {n} explorers.",
    ),
    ("shark",): NN_(
        "The sharks were the most dangerous: they took {n} explorer.",
        "The sharks were the most dangerous: they took {n} explorers.",
    ),
    ("serpent", "shark"): NN_(
        "Sea serpents and sharks were equally dangerous: each took {n} explorer.",
        "Sea serpents and sharks were equally dangerous: each took {n} explorers.",
    ),
}
_LOST: Mapping[Cause, tuple[str, Icon]] = {
    "serpent": (N_("Lost to sea serpents"), "serpent"),
    "shark": (N_("Lost to sharks"), "shark"),
    "whirlpool": (N_("Lost in whirlpools"), "whirlpool"),
    "end": (N_("Left behind"), "island"),
}
_LOST_TO_THE_VOLCANO = N_("Lost to the volcano")


def in_figures(session: Session) -> StatisticsScreen:
    """Colours in the order of the players. What happens in few games only has no line if it did not happen."""
    found = statistics(session)
    columns = tuple(colour for player in session.position.players for colour in player.colours)

    def row(text: str, icon: Icon, counts: Count, tone: Literal["normal", "ok"] = "normal") -> CountRow:
        each = tuple(counts.get(colour, 0) for colour in columns)
        return CountRow(text=text, icon=icon, counts=each, total=sum(each), tone=tone)

    return StatisticsScreen(
        title=_("Statistics"),
        back=Button(id="back", text=_("Back"), icon="back"),
        sentence=_sentence(found),
        columns=columns,
        total=_("Total"),
        rows=(
            row(_("Rescued"), "rescued", found.rescued, "ok"),
            *(row(*_lost(session, cause), found.lost[cause]) for cause in CAUSES),
        ),
        facts=tuple(_facts(found)),
    )


def _sentence(found: Statistics) -> str:
    if not found.deadliest:
        return _("No creature took anybody.")
    n = found.taken_by(found.deadliest[0])
    return ngettext(*_DEADLIEST[found.deadliest], n).format(n=n)


def _lost(session: Session, cause: Cause) -> tuple[str, Icon]:
    ends = [event.reason for entry in session.record for event in entry.events if isinstance(event, GameEnded)]
    if cause == "end" and ends == ["volcano"]:
        return _(_LOST_TO_THE_VOLCANO), "volcano"
    text, icon = _LOST[cause]
    return _(text), icon


def _facts(found: Statistics) -> Iterator[Fact]:
    yield Fact(text=_("Turns"), figures=(Figure(text=str(found.turns)),))
    if found.played >= timedelta(minutes=1):
        yield Fact(text=_("Time played"), figures=(Figure(text=_duration(found.played)),))
    yield Fact(text=_("Boats lost"), figures=(Figure(text=str(found.boats_lost)),))
    if found.driven_away:
        yield Fact(text=_("Creatures driven away"), figures=(Figure(text=str(found.driven_away)),))
    yield Fact(
        text=_("Tiles sunk"),
        figures=tuple(Figure(text=str(n), tile=terrain) for terrain, n in found.sunk.items()),
    )
    yield Fact(text=_("Rolls"), figures=tuple(Figure(text=str(n), icon=face) for face, n in found.rolled.items()))


def _duration(played: timedelta) -> str:
    hours, minutes = divmod(round(played / timedelta(minutes=1)), 60)
    if not hours:
        return _("{minutes} min").format(minutes=minutes)
    return _("{hours} h {minutes} min").format(hours=hours, minutes=minutes)
