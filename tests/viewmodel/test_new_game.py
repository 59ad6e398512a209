"""1 and 2: home, the wizard's four steps, and what each way of laying the tiles leads to."""

from __future__ import annotations

import pytest

from companion.table.journal import Journal
from companion.viewmodel.app import AppViewModel
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.states import GamesScreen, HomeScreen, NewGameScreen, SetupScreen, TurnScreen
from viewmodel.people import People, at_table, table_of, write_unreadable


def wizard(tmp_path, count: int = 2, step: int = 0, **how) -> People:
    people = at_table(tmp_path, 1, table_of(count, **how))
    people.press("new_game", *["next"] * step)
    return people


def row(people: People, title: str):
    return next(row for row in people.screen.rows if row.title == title)


def test_home_without_a_game_begins_with_a_new_one(tmp_path):
    people = at_table(tmp_path, 1, NewGameDefaults())
    assert isinstance(people.screen, HomeScreen)
    assert [(b.id, b.kind) for b in people.screen.buttons] == [("new_game", "primary"), ("practice", "secondary")]
    assert [b.id for b in people.screen.small_buttons] == ["calibrate", "games", "settings"]
    assert people.screen.camera.text == "Without a camera: play by touch"
    assert sum(view.content.tile is not None for view in people.screen.board.hexes) == 40


def test_home_with_an_open_game_goes_on_with_it(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.start()
    people.press("menu", "home")
    assert [b.id for b in people.screen.buttons] == ["continue", "new_game", "practice"]
    assert people.screen.buttons[0].line == "Ann to place"
    people.press("continue")
    assert isinstance(people.screen, SetupScreen)


def test_a_game_that_cannot_be_read_is_said_so_and_a_new_one_can_begin(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.start()
    people.touch(people.touchable()[0])
    write_unreadable(people)
    people.press("menu", "home")
    assert [(b.id, b.enabled) for b in people.screen.buttons] == [
        ("new_game", True),
        ("continue", False),
        ("practice", True),
    ]
    assert people.screen.buttons[1].line == "the last game cannot be read"
    people.press("games")
    people.press(people.screen.rows[0].id)
    assert people.screen.note.strong == "Whole up to turn 0."
    people.press("back", "back", "new_game")
    assert isinstance(people.screen, NewGameScreen)


def test_practice_starts_at_once(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    assert people.screen.buttons[-1].line == "by touch, not recorded"
    people.press("practice")
    assert people.screen.sentence == "Put one red explorer on a bright tile"


def test_in_practice_the_rest_of_the_pieces_is_placed_at_one_touch(tmp_path):
    """2.3, 2.4: twenty explorers and four boats."""
    people = at_table(tmp_path, 1, table_of(2))
    people.press("practice")
    people.touch(people.touchable()[0])
    people.press("rest")
    assert isinstance(people.screen, TurnScreen)
    assert people.session.position.phase in ("move", "sink")
    assert len(people.session.record) == 24


def test_in_a_game_people_place_their_own(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.start()
    assert people.screen.prompt == ()
    people.press("rest")
    assert people.session.record == ()


def test_practice_leaves_the_open_game_alone_and_ends_when_it_is_left(tmp_path):
    people = at_table(tmp_path, 1, table_of(3))
    people.start()
    people.touch(people.touchable()[0])
    board = people.screen.board
    people.press("menu", "home", "practice")
    people.touch(people.touchable()[-1])
    people.press("menu")
    assert people.state.dialog.text == "Practice is not recorded: it ends when you leave it."
    people.press("home")
    assert people.screen.buttons[0].line == "Bo to place"
    people.press("games")
    assert len(people.screen.rows) == 1
    people.press("back", "continue")
    assert people.screen.board.hexes == board.hexes
    assert len(people.session.position.players) == 3


def test_practice_is_not_offered_again(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("practice", "menu", "new_game")
    assert people.state.dialog.text == "Practice is not recorded: it ends when you leave it."
    people.press("leave", "back")
    assert [b.id for b in people.screen.buttons] == ["new_game", "practice"]


def test_a_home_button_that_leads_nowhere_is_not_there(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    for button in (*people.screen.buttons, *people.screen.small_buttons):
        people.press(button.id)
        assert not isinstance(people.screen, HomeScreen), button.id
        people = People(AppViewModel(Journal(tmp_path / f"after {button.id}.sqlite")))


def test_the_wizard_has_four_steps_and_loses_nothing_either_way(tmp_path):
    people = wizard(tmp_path)
    assert isinstance(people.screen, NewGameScreen)
    assert people.screen.steps == ("Edition", "Players", "Rules", "Tiles")
    people.press("count:3", "next", "next", "switch:all_equal", "back", "back")
    assert people.screen.step == 0
    assert row(people, "Players").chosen == "count:3"
    people.press("next", "next")
    assert row(people, "All are equal").on
    people.press("step:0")
    assert people.screen.step == 0
    people.press("step:3")
    assert people.screen.step == 0, "a step to come is not reached that way"
    people.press("back")
    assert isinstance(people.screen, HomeScreen)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_so_many_players_have_names_colours_and_seats_of_their_own(tmp_path, count):
    people = wizard(tmp_path)
    people.press(f"count:{count}", "next")
    players = people.screen.players
    assert len(players) == count
    assert len({player.name for player in players}) == count
    assert len({player.colours for player in players}) == count
    assert sorted(colours for colours in people.screen.seats if colours) == sorted(p.colours for p in players)


def test_two_players_may_play_two_colours_each_2_1(tmp_path):
    people = wizard(tmp_path)
    people.press("each:2", "next")
    assert [player.colours for player in people.screen.players] == [("red", "yellow"), ("blue", "green")]
    people.press("colour:0")
    assert sorted(people.screen.players[0].colours + people.screen.players[1].colours) == sorted(
        ("red", "yellow", "blue", "green")
    )
    people.press("back", "count:3")
    assert row(people, "Colours each").chosen == "each:1"
    assert not row(people, "Colours each").segments[1].enabled


def test_a_colour_taken_from_another_is_exchanged(tmp_path):
    people = wizard(tmp_path, step=1)
    people.press("colour:0")
    assert [player.colours for player in people.screen.players] == [("blue",), ("red",)]


def test_names_are_typed_and_checked(tmp_path):
    people = wizard(tmp_path, step=1)
    people.vm.edit("name:1", "ann ")
    assert [player.error for player in people.screen.players] == ["This name is there twice."] * 2
    assert (people.screen.primary.text, people.screen.primary.enabled) == ("Two different names", False)
    people.press("next")
    assert people.screen.step == 1
    people.vm.edit("name:1", "")
    assert people.screen.players[1].error == "Write a name."
    people.vm.edit("name:1", "Bartholomew the Second")
    assert people.screen.players[1].name == "Bartholomew "
    people.press("next")
    assert people.screen.step == 2


def test_who_begins_goes_round_and_seats_can_be_exchanged(tmp_path):
    people = wizard(tmp_path, step=1)
    assert people.screen.secondary.text == "Ann begins"
    people.press("begins")
    assert people.screen.secondary.text == "Bo begins"
    people.press("swap_seats:0:1")
    assert people.screen.seats == ((), ("red",), ("blue",), ())
    people.press("next", "next", "next", "begin")
    assert people.screen.title == "Bo"


def test_turns_go_clockwise_from_who_begins(tmp_path):
    people = wizard(tmp_path, 4, step=1)
    people.press("swap_seats:1:3", "begins", "next", "next", "next")
    assert [player.name for player in people.session.position.players] == ["Bo", "Ann", "Maja", "Olena"]


def test_a_player_can_leave_but_two_stay(tmp_path):
    people = wizard(tmp_path, 3, step=1)
    people.press("remove:0")
    assert [player.name for player in people.screen.players] == ["Bo", "Olena"]
    assert [player.remove_button for player in people.screen.players] == [None, None]
    assert people.screen.secondary.text == "Bo begins"


def test_challenges_that_exclude_each_other_say_so_12(tmp_path):
    people = wizard(tmp_path, step=2)
    people.press("switch:last_survivor")
    sinks = row(people, "Atlantis has sunk")
    assert (sinks.enabled, sinks.line) == (False, "Not together with “To the last survivor”.")
    people.press("switch:atlantis_sinks")
    assert not row(people, "Atlantis has sunk").on
    people.press("switch:last_survivor", "switch:atlantis_sinks")
    assert not row(people, "To the last survivor").enabled


def test_every_option_chosen_is_the_games(tmp_path):
    people = wizard(tmp_path, step=2)
    people.press("switch:overpopulation", "switch:last_survivor", "switch:all_equal", "boats:3", "defence:moved")
    people.press("next", "backs:printed", "next")
    options = people.session.position.options
    assert (options.overpopulation, options.last_survivor, options.all_equal) == (True, True, True)
    assert (options.boats_per_player, options.defence, options.backs) == (3, "moved", "printed")


def test_the_last_table_is_where_the_next_wizard_starts(tmp_path):
    kept = []
    people = at_table(tmp_path, 1, table_of(2), keep=lambda name, value: kept.append((name, value)))
    people.press("new_game", "count:3", "next", "next", "switch:all_equal", "next", "next")
    [(name, table)] = kept
    assert name == "last_table"
    assert len(table.players) == 3
    people.press("begin", "menu", "new_game", "leave")
    assert row(people, "Players").chosen == "count:3"


def test_without_a_camera_the_switch_says_so_and_no_table_can_be_taken_over(tmp_path):
    people = wizard(tmp_path, step=3)
    camera = row(people, "Camera")
    assert (camera.on, camera.enabled) == (False, False)
    assert camera.line == "No camera is connected. Everything can be entered by touch."
    assert [segment.enabled for segment in row(people, "The island").segments] == [True, True, False]


def test_shuffled_tiles_are_shown_to_be_laid_with_the_fingerprint(tmp_path):
    people = wizard(tmp_path, step=4)
    assert people.screen.title == "Lay the island"
    assert people.screen.tiles == (
        ("beach", "Beach", 16, 16),
        ("forest", "Forest", 16, 16),
        ("mountain", "Mountain", 8, 8),
    )
    figure = people.screen.lines[-1].figure
    assert people.session.fingerprint.upper().startswith(figure.replace(" ", ""))
    assert len(figure.replace(" ", "")) * 4 >= 80, "so many bits bind the dealer"
    people.press("begin")
    assert people.screen.sentence == "Put one red explorer on a bright tile"
    assert people.screen.lines[-1].figure == figure
    people.touch(people.touchable()[0])
    assert people.screen.lines[-1].text == "Bo", "it is told before the game, not in it"


def test_with_printed_backs_the_dealer_commits_itself_to_nothing(tmp_path):
    people = wizard(tmp_path, step=4, backs="printed")
    assert people.screen.title == "Lay the island"
    assert not any(line.figure for line in people.screen.lines)
    people.press("begin")
    assert [line.text for line in people.screen.lines] == ["Ann", "Bo"]


def test_the_tiles_as_they_lie_can_be_entered_by_touch(tmp_path):
    people = wizard(tmp_path, step=3, laying="as they lie")
    assert people.screen.primary.text == "Count the tiles"
    people.press("next")
    assert people.screen.sentence == "Lay the first tile."
    assert people.screen.primary.text == "40 places to fill"
    island = people.touchable()
    for i, h in enumerate(island):
        for _ in range(1 if i < 17 else 2 if i < 32 else 3):
            people.touch(h)
    assert people.screen.tiles == (
        ("beach", "Beach", 17, 16),
        ("forest", "Forest", 15, 16),
        ("mountain", "Mountain", 8, 8),
    )
    assert people.screen.note.text.startswith("There are 17 beaches, and there should be 16. Change the one at")
    assert not people.screen.primary.enabled
    people.touch(island[16])
    assert people.screen.primary.enabled
    people.press("begin")
    layout = people.session.position.layout()
    assert [layout.at(h).tile for h in island] == ["beach"] * 16 + ["forest"] * 16 + ["mountain"] * 8


def test_a_new_game_during_a_game_asks_first_and_keeps_the_old_one(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.start()
    people.press("menu", "new_game")
    assert people.state.dialog.text == "The game of Ann and Bo stays in the list and can be continued."
    people.press("close")
    assert isinstance(people.screen, SetupScreen)
    people.press("menu", "new_game", "leave")
    assert isinstance(people.screen, NewGameScreen)
    people.press("back", "games")
    assert isinstance(people.screen, GamesScreen)
    people.press(people.screen.rows[0].id, "continue")
    assert isinstance(people.screen, SetupScreen)


def test_under_a_dialog_nothing_else_can_be_pressed_or_touched(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("practice", "menu")
    before = people.state
    people.press("undo")
    people.touch(people.touchable()[0])
    people.vm.touch_land("nw")
    people.vm.touch_away()
    assert people.state == before


def test_set_up_goes_on_to_boats_and_to_the_first_turn(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("practice")
    assert [(line.text, line.figure) for line in people.screen.lines] == [("Ann", "10 left"), ("Bo", "10 left")]
    people.touch(people.touchable()[0])
    assert (people.screen.title, people.screen.mark) == ("Bo", "blue")
    assert people.screen.sentence == "Put one blue explorer on a bright tile"
    assert [line.figure for line in people.screen.lines] == ["9 left", "10 left"]
    while "explorer" in people.screen.sentence:
        people.touch(people.touchable()[0])
    assert people.screen.sentence == "Put a boat on a bright sea hex"
    legal = {action.hex for action in people.session.legal()}
    assert people.lit("legal") == set(people.touchable()) == legal
    while isinstance(people.screen, SetupScreen):
        people.touch(people.touchable()[0])
    assert isinstance(people.screen, TurnScreen)


def test_placing_can_be_taken_back(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    people.press("practice")
    assert not next(b for b in people.screen.buttons if b.id == "undo").enabled
    before = people.screen
    people.touch(people.touchable()[0])
    people.press("undo")
    assert people.screen == before


def test_who_plays_two_colours_chooses_which_to_place_2_3(tmp_path):
    people = at_table(tmp_path, 1, table_of(2, two_colours=True))
    people.start()
    assert people.screen.mark == "red"
    people.press("colour:yellow")
    assert people.screen.mark == "yellow"
    h = people.touchable()[0]
    people.touch(h)
    assert people.session.position.layout().at(h).explorers == {"yellow": 1}
