"""0 to 3 and 10: what comes before a game: games that cannot be opened, home, the wizard, the island being laid, pieces
being placed; the games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from companion.faults import Fault, Said, Words
from companion.rules.actions import EndPhase, Score
from companion.rules.layout import Colour, HexContent, Layout
from companion.rules.options import Options
from companion.scenes.games import EVENING, WallClock, at_home, before_midgame, midgame
from companion.scenes.people import People, seated
from companion.scenes.positions import BOARD, at, position
from companion.scenes.scene import LETTERS, SILENT, Scene, camera, lost, press, touch, write
from companion.scenes.staged_machine import StagedMachine
from companion.scenes.staged_table import StagedTable
from companion.table.dealer import Dealer
from companion.table.errors import JournalError, JournalFault
from companion.table.journal import Journal
from companion.table.start import begin
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.defaults import Laying, NewGameDefaults
from companion.viewmodel.preferences.definitions import DEFINITIONS
from companion.viewmodel.score import to_score
from companion.viewmodel.table_link import Off, Seeing, Starting

# 0. The games cannot be opened


def _shut_out(fault: JournalFault, sentence: str, *, appliance: bool = True) -> Callable[[], People]:
    """In front of a machine whose record of games is refused with that; an appliance can be switched off."""

    def refused() -> Journal:
        raise JournalError(fault, sentence, path="/var/lib/atlantis-companion/games.sqlite", version=2, known=1)

    def start() -> People:
        machine = StagedMachine()
        machine.appliance = appliance
        return People(AppViewModel(refused, machine=machine))

    return start


_NEWER = (
    "The record of games {path} was written by a newer companion"
    " (format {version}, this one knows {known}). Update the companion; nothing was changed."
)
_LOCKED = "The record of games {path} is open in another companion. Close that one first."

SHUT = (
    Scene("00_shut", _shut_out("newer", _NEWER)),
    Scene("00_shut_again", _shut_out("newer", _NEWER), press("again")),
    Scene("00_shut_off", _shut_out("newer", _NEWER), press("shut_down")),
    Scene("00_shut_computer", _shut_out("locked", _LOCKED, appliance=False)),
)

# 1. Home

_NOTICE = Said(
    "The record of games was damaged and has been set aside as {file}. Games saved: {games}.",
    {"file": "games.sqlite.damaged-1", "games": 23},
)


def _unreadable_game() -> People:
    """The open game is of a kind that this program does not know."""

    def fill(journal: Journal, _clock: WallClock) -> None:
        begun = begin(journal, before_midgame(), Dealer(1))
        start = journal.records(begun.game_id)[0].content()
        journal.append("unknown", [("start", {**start, "game": "catacombs"})])

    return _people_with(fill)


def _people_with(fill: Callable[[Journal, WallClock], None]) -> People:
    clock = WallClock()
    journal = Journal(":memory:", clock)
    fill(journal, clock)
    table = StagedTable()
    return People(AppViewModel(journal, table=table), table)


def _damaged_journal() -> People:
    """As after a damaged file: the notice of its recovery, and an open game whose end was lost."""
    played = midgame()().vm.journal
    game = played.open_game()
    assert game is not None, "they have not finished"
    played.append(game.id, [("recovered", {})])
    played.notice = _NOTICE
    table = StagedTable()
    return People(AppViewModel(played, table=table), table)


_SETTINGS = Fault(
    "Settings with a value that cannot be: {names}. These are again as they were at first, the others hold."
    " The old file is kept as {file}, as it was.",
    names=Words(Said(definition.name) for definition in DEFINITIONS if definition.field in ("brightness", "rotation")),
    file="settings.toml.damaged-1",
)


def _damaged_settings(people: People) -> None:
    people.vm.fault(_SETTINGS, "The settings were damaged")


HOME = (
    Scene("01_home", midgame(), press("menu", "home")),
    Scene("01_home_first", at_home(table=None)),
    Scene("01_home_camera_starting", at_home(), camera(Starting())),
    Scene("01_home_camera_finds_nothing", at_home(), camera(Seeing(registered=False))),
    Scene("01_home_camera_off", at_home(), camera(Off())),
    Scene("01_home_camera_lost", midgame(), press("menu", "home"), lost(SILENT, 4)),
    Scene("01_home_unreadable", _unreadable_game),
    Scene("01_home_damaged", _damaged_journal, press("close")),
    Scene("01_home_notice", _damaged_journal),
    Scene("01_home_settings_damaged", at_home(), _damaged_settings),
    Scene("01_home_long_names", midgame(cast="long"), press("menu", "home")),
)

# 2. New game


def _laid(laying: Laying, **options: object) -> Callable[[], NewGameDefaults]:
    return lambda: seated(4, laying=laying, options=msgspec.structs.replace(Options(), **options))


def _four() -> NewGameDefaults:
    return seated(4)


NEW_GAME = (
    Scene("02_edition", at_home(_four), press("new_game")),
    Scene("02_edition_two", at_home(), press("new_game")),
    Scene("02a_players", at_home(_four), press("new_game", "next")),
    Scene("02a_players_letters", at_home(_four), press(*LETTERS, "new_game", "next")),
    Scene("02a_players_two_colours", at_home(lambda: seated(2, two_colours=True)), press("new_game", "next")),
    Scene("02a_players_long_names", at_home(lambda: seated(4, cast="long")), press("new_game", "next")),
    Scene(
        "02a_players_same_name", at_home(_four), press("new_game", "next"),
        lambda people: people.vm.edit("name:1", people.vm.household.last_table.players[0].name),
        write("name:2", ""),
    ),
    Scene("02b_rules", at_home(_four), press("new_game", "next", "next", "switch:last_survivor")),
    Scene("02c_tiles", at_home(_four), press("new_game", "next", "next", "next")),
    Scene("02c_tiles_printed", at_home(_laid("as they lie", backs="printed")), press("new_game", *["next"] * 3)),
    Scene("02c_tiles_no_camera", at_home(_four, table=None), press("new_game", "next", "next", "next")),
    Scene("02c_tiles_in_progress", at_home(_laid("in progress")), press("new_game", "next", "next", "next")),
)  # fmt: skip

# 3. Set-up

_DEAL = 7
"""The deal that is laid."""
_SERPENTS = {h: HexContent(serpents=1) for h in BOARD.serpent_starts}
_BEGIN = press("new_game", "next", "next", "next", "next")


def _tiles(bare: int = 0, **more: HexContent) -> Layout:
    """The island as that dealer deals it, the last places bare, with changes by label."""
    tiles = {h: HexContent(tile=tile) for h, tile in Dealer(_DEAL).tiles().items()}
    laid = dict(list(tiles.items())[: len(tiles) - bare])
    return Layout(hexes={**_SERPENTS, **laid, **{at(label): content for label, content in more.items()}})


def _sees(layout: Layout) -> Callable[[], StagedTable]:
    return lambda: StagedTable(layout)


def _taken_over(hidden: str = "") -> Layout:
    seen = before_midgame().layout()
    return Layout(hexes=seen.hexes, safe=seen.safe, unknown=frozenset(map(at, hidden.split())))


_ASTRAY = _tiles(3, C8=HexContent(tile="forest"), G6=HexContent(), C10=HexContent(serpents=1))


def _placed(count: int) -> Callable[[People], None]:
    """So many pieces have been put down, each on the first hex that is lit."""

    def place(people: People) -> None:
        for _i in range(count):
            lit = [view.hex for view in people.screen.board.hexes if view.touchable]  # type: ignore[union-attr]
            people.touch(lit[(7 * _i) % len(lit)])

    return place


SETUP = (
    Scene("03a_tiles_first", at_home(_laid("as they lie"), table=_sees(Layout(hexes=_SERPENTS))), _BEGIN),
    Scene("03a_tiles", at_home(_laid("as they lie"), table=_sees(_ASTRAY)), _BEGIN),
    Scene("03a_tiles_all", at_home(_laid("as they lie"), table=_sees(_tiles())), _BEGIN),
    Scene("03a_tiles_by_touch", at_home(_laid("as they lie"), table=None), _BEGIN, touch("D4", "D5", "D5")),
    Scene("03a_shuffled", at_home(_laid("companion"), table=_sees(_tiles(9)), dealer=_DEAL), _BEGIN),
    Scene("03a_shuffled_by_touch", at_home(_laid("companion"), table=None, dealer=_DEAL), _BEGIN),
    Scene("03a_tiles_disputed", at_home(_laid("as they lie"), table=_sees(_tiles())), _BEGIN, touch("D4")),
    Scene("03a_tiles_camera_lost", at_home(_laid("as they lie"), table=_sees(_ASTRAY)), _BEGIN, lost(SILENT, 4)),
    Scene("03a_shuffled_not_found", at_home(_laid("companion"), table=_sees(_tiles(9)), dealer=_DEAL), _BEGIN,
          camera(Seeing(registered=False))),
    Scene("03b_explorers_first", at_home(_four), _BEGIN, press("begin")),
    Scene("03b_explorers", at_home(_four), _BEGIN, press("begin"), _placed(22)),
    Scene(
        "03b_explorers_two_colours", at_home(lambda: seated(2, two_colours=True)), _BEGIN, press("begin"), _placed(5)
    ),
    Scene("03b_practice", at_home(), press("practice"), _placed(3)),
    Scene("03b_explorers_long_names", at_home(lambda: seated(4, cast="long")), _BEGIN, press("begin"), _placed(13)),
    Scene("03b_boats", at_home(_four), _BEGIN, press("begin"), _placed(42)),
    Scene("03c_take_over", at_home(_laid("in progress"), table=_sees(_taken_over())), _BEGIN),
    Scene("03c_take_over_waiting", at_home(_laid("in progress"), table=_sees(_taken_over("F8 G8 G7"))), _BEGIN),
    Scene("03c_take_over_camera_lost", at_home(_laid("in progress"), table=_sees(_taken_over())), _BEGIN,
          lost(SILENT, 4)),
    Scene("03c_take_over_hex", at_home(_laid("in progress"), table=_sees(_taken_over())), _BEGIN, touch("E9")),
    Scene("03c_take_over_refused", at_home(_laid("in progress"), table=_sees(
        Layout(hexes={**_taken_over().hexes, at("M5"): HexContent(sharks=7)}))), _BEGIN, press("begin")),
)  # fmt: skip

# 10. Games played


class _Evening(NamedTuple):
    """A game that was played: how many days before, whether by two with two colours each, the values by colour."""

    days_ago: int
    two_colours: bool
    values: Mapping[Colour, tuple[int, ...]] | None
    options: Mapping[str, bool] = MappingProxyType({})


_EVENINGS = (
    _Evening(41, False, {"red": (4, 3), "blue": (6, 2, 1), "yellow": (5,), "green": (3,)}),
    _Evening(39, False, {"red": (2, 2), "blue": (4, 3, 1), "yellow": (5,), "green": (3,)}, {"overpopulation": True}),
    _Evening(33, True, {"red": (1, 1), "yellow": (6,), "blue": (1, 1, 2), "green": (4,)}),
    _Evening(20, False, {"red": (6, 5), "blue": (1, 1, 2), "yellow": (2,), "green": (1,)}, {"atlantis_sinks": True}),
    _Evening(12, False, {"red": (1, 2), "blue": (1, 2, 3), "yellow": (6,), "green": (4,)}),
    _Evening(9, True, {"red": (1, 2), "yellow": (3,), "blue": (1, 2, 3), "green": (6,)}, {"last_survivor": True}),
    _Evening(7, False, {"red": (1, 2), "blue": (4, 5, 6), "yellow": (6,), "green": (2,)}, {"dive_dice": True}),
    _Evening(4, True, {"red": (3, 2), "yellow": (5,), "blue": (1, 1, 3), "green": (6,)}),
    _Evening(2, True, None),
)
_RESCUED = {"nw": {"red": 2, "yellow": 1}, "se": {"blue": 3, "green": 1}}


def _evenings(journal: Journal, clock: WallClock) -> None:
    """The oldest first, as they were played; the last one was not finished."""
    for evening in _EVENINGS:
        start = position(
            {"K7": {"explorers": {"red": 1}}, "H5": {"tile": "forest"}},
            players=2 if evening.two_colours else 4,
            two_colours=evening.two_colours,
            phase="scoring" if evening.values else "move",
            safe=_RESCUED,
            options=evening.options,
        )
        clock.at = EVENING - timedelta(days=evening.days_ago, minutes=13 * evening.days_ago)
        session = begin(journal, start, Dealer(evening.days_ago))
        for colour in to_score(start) if evening.values else ():
            assert evening.values is not None, "as asked in the line before"
            session.do(Score(colour=colour, values=evening.values[colour]))
        if not evening.values:
            session.do(EndPhase())


GAMES = (
    Scene("10a_games", lambda: _people_with(_evenings), press("games")),
    Scene("10a_no_games", at_home(table=None), press("games")),
    Scene("10a_games_damaged", _damaged_journal, press("close", "games")),
)
