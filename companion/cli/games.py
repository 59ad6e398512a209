"""`companion games`: the games played, newest first."""

from __future__ import annotations

import argparse

import msgspec
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from companion.cli.opened import games_so_far
from companion.table.errors import TableError
from companion.table.summary import GameSummary

ERRORS: tuple[type[Exception], ...] = (TableError,)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`--json` for programs."""
    parser.add_argument("--json", action="store_true", help="one JSON list instead of the table")


def run(args: argparse.Namespace) -> int:
    """Print the list; an empty one says so."""
    with games_so_far() as journal:
        games = journal.games()
    if args.json:
        print(msgspec.json.encode(games).decode())
    elif not games:
        print("No games yet: `companion play` starts one.")
    else:
        Console().print(_table(games))
    return 0


def _table(games: list[GameSummary]) -> Table:
    """On a narrow terminal all but the ids is folded: these are typed off it. Names are text, whatever is in them."""
    ids = Column("game", no_wrap=True, min_width=max(len(game.id) for game in games))
    others = (Column(name, overflow="fold") for name in ("started", "players", "turns", "result"))
    table = Table(ids, *others, box=None, header_style="bold")
    for game in games:
        row = (
            game.id,
            f"{game.started.astimezone():%Y-%m-%d %H:%M}",
            ", ".join(player.name for player in game.players),
            str(game.turns),
            _result(game),
        )
        table.add_row(*map(Text, row))
    return table


def _result(game: GameSummary) -> str:
    if game.finished:
        won = " and ".join(f"{game.players[i].name} with {game.totals[i]}" for i in game.winners)
        return f"{won} (damaged: a part may be lost)" if game.damaged else won
    if game.damaged:
        return f"damaged: whole up to turn {game.turns}"
    return "abandoned" if game.abandoned else "not finished: can be continued"
