"""10a. Games played: the list, newest first.

In: the journal's summaries. Out: a row a game; touched, it is looked at again (10b), and from there gone on with or its
result shown.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from companion.i18n import _, listed, ngettext, short_date, short_time
from companion.rules.layout import COLOURS, Colour
from companion.table.replay import watch_again
from companion.table.start import resume
from companion.table.summary import GameSummary
from companion.viewmodel.notices import export_of
from companion.viewmodel.podium import Podium
from companion.viewmodel.presenter import Presenter, Shell
from companion.viewmodel.replay import Replaying
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
        """Back, or to the game."""
        if button_id == "back":
            self._shell.show_home()
        elif button_id == "new_game":
            self._shell.show_new_game()
        else:
            game = next((game for game in self._games if button_id == _row_id(game)), None)
            if game:
                watch(self._shell, game)


def watch(shell: Shell, game: GameSummary) -> None:
    """Look at a game of the journal again; one that can be read as a whole leads on from there."""
    replay = watch_again(shell.journal, game.id)

    def result() -> None:
        session = resume(shell.journal, game.id)
        again = functools.partial(watch, shell, game)
        shell.show(Podium(session, shell.show_games, again=again, export=export_of(shell, game.id)))

    def go_on() -> None:
        session = resume(shell.journal, game.id)
        shell.play(session, camera=shell.watches(game.id), laid=bool(session.record))

    onward = (
        (Button(id="result", text=_("Result"), icon="trophy"), result)
        if game.finished
        else (Button(id="continue", text=_("Continue")), go_on)
    )
    shell.show(Replaying(shell, replay, shell.show_games, onward if replay.whole else None))


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
    if not game.finished:
        whole, stopped = _("damaged; whole up to turn {turn}"), _("stopped at turn {turn}; can be continued")
        return (whole if game.damaged else stopped).format(turn=game.turns)
    turns = ngettext("{n} turn", "{n} turns", game.turns).format(n=game.turns)
    played = [challenge(name) for name in CHALLENGES if game.options.get(name)]
    damage = [_("damaged: a part may be lost")] if game.damaged else []
    return ", ".join([turns, *played, *damage])
