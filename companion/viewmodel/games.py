"""10a. Games played: the list, newest first.

In: the journal's summaries. Out: a row a game; an unfinished one is gone on with, a finished one shows its result.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.i18n import _, listed, ngettext, short_date, short_time
from companion.rules.layout import COLOURS, Colour
from companion.table.start import resume
from companion.table.summary import GameSummary
from companion.viewmodel.podium import Podium
from companion.viewmodel.presenter import Presenter, Shell
from companion.viewmodel.states import Button, GameRow, GamesScreen
from companion.viewmodel.words import CHALLENGES, challenge


class Games(Presenter):
    """The list."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._games = sorted(shell.journal.games(), key=lambda game: game.started, reverse=True)

    def state(self) -> GamesScreen:
        """All of them, or a sentence and the button that helps."""
        count = len(self._games)
        return GamesScreen(
            title=_("Games played"),
            count=ngettext("{n} game", "{n} games", count).format(n=count),
            back=Button(id="back", text=_("Back"), icon="back"),
            rows=tuple(_row(game) for game in self._games),
            empty="" if count else _("No games yet."),
            primary=None if count else Button(id="new_game", text=_("New game"), kind="primary"),
        )

    def press(self, button_id: str) -> None:
        """Back, on with an unfinished game, or to the result of a finished one."""
        if button_id == "back":
            self._shell.show_home()
        elif button_id == "new_game":
            self._shell.show_new_game()
        else:
            game = next((game for game in self._games if button_id == _row_id(game)), None)
            if game:
                self._open(game)

    def _open(self, game: GameSummary) -> None:
        session = resume(self._shell.journal, game.id)
        if game.finished:
            self._shell.show(Podium(session, self._shell.show_games))
        else:
            self._shell.play(session, camera=self._shell.watches(game.id), laid=bool(session.record))


def _row_id(game: GameSummary) -> str:
    return f"game:{game.id}"


def _row(game: GameSummary) -> GameRow:
    local = game.started.astimezone()
    return GameRow(
        id=_row_id(game),
        date=short_date(local),
        time=short_time(local),
        colours=_colours(game),
        result=_result(game),
        line=_line(game),
    )


def _colours(game: GameSummary) -> tuple[Colour, ...]:
    played = {colour for player in game.players for colour in player.colours}
    return tuple(colour for colour in COLOURS if colour in played)


def _result(game: GameSummary) -> str:
    if not game.finished:
        return _("Not finished")
    winners = [game.players[number].name for number in game.winners]
    total = max(game.totals, default=0)
    if len(winners) == 1:
        return _("{name} won with {total}").format(name=winners[0], total=total)
    if total == 0:
        return _("The sea won")
    return _shared(winners, total)


def _shared(winners: Sequence[str], total: int) -> str:
    return _("{names}, {total} each").format(names=listed(winners), total=total)


def _line(game: GameSummary) -> str:
    if game.damaged:
        return _("damaged; whole up to turn {turn}").format(turn=game.turns)
    if not game.finished:
        return _("stopped at turn {turn}; can be continued").format(turn=game.turns)
    turns = ngettext("{n} turn", "{n} turns", game.turns).format(n=game.turns)
    played = [challenge(name) for name in CHALLENGES if game.options.get(name)]
    return ", ".join([turns, *played])
