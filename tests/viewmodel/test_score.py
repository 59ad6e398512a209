"""9 and 10: the values, the podium with its proof, the list of games."""

from __future__ import annotations

from companion.viewmodel.states import GamesScreen, HomeScreen, PodiumScreen, ScoreScreen, TurnScreen
from viewmodel.people import Chance, at_table, table_of
from viewmodel.scenes import at, on_with, position

SAFE = {"nw": {"red": 2}, "se": {"blue": 3, "red": 1}}


def scoring(tmp_path, **more):
    return on_with(tmp_path, position({"K7": {"explorers": {"red": 1}}}, phase="scoring", safe=SAFE, **more))


def enter(people, *values: int) -> None:
    people.press(*[f"key:{value}" for value in values])


def test_the_values_of_a_colour_are_entered_on_six_keys(tmp_path):
    people = scoring(tmp_path)
    screen = people.screen
    assert isinstance(screen, ScoreScreen)
    assert (screen.title, screen.progress) == ("Turn over Ann’s rescued", "1 of 2")
    assert [slot.chosen for slot in screen.slots] == [True, False, False]
    assert [key.text for key in screen.keys] == list("123456")
    assert (screen.primary.text, screen.primary.enabled) == ("3 numbers to go", False)
    enter(people, 4, 3, 1)
    assert [slot.value for slot in people.screen.slots] == [4, 3, 1]
    assert people.screen.total == "Ann has 8 so far."
    assert (people.screen.primary.text, people.screen.primary.enabled) == ("Right, next: Bo", True)


def test_a_value_is_corrected_by_touching_the_piece(tmp_path):
    people = scoring(tmp_path)
    enter(people, 4, 3, 1)
    people.press("slot:1")
    enter(people, 2)
    assert [slot.value for slot in people.screen.slots] == [4, 2, 1]


def test_a_set_that_the_ten_values_cannot_give_is_named_1_2(tmp_path):
    people = scoring(tmp_path)
    enter(people, 6, 6, 1)
    assert people.screen.note.text == "There is only 1 piece with the number 6."
    assert [slot.tone for slot in people.screen.slots] == ["doubt", "doubt", "ok"]
    assert not people.screen.primary.enabled
    people.press("score")
    assert people.session.position.scores == {}


def test_the_last_colour_leads_to_the_podium(tmp_path):
    people = scoring(tmp_path)
    enter(people, 4, 3, 1)
    people.press("score")
    assert (people.screen.title, people.screen.progress) == ("Turn over Bo’s rescued", "2 of 2")
    enter(people, 5, 2, 2)
    assert people.screen.primary.text == "Right, who has won?"
    people.press("score")
    screen = people.screen
    assert isinstance(screen, PodiumScreen)
    assert screen.title == "Bo wins"
    assert [(step.name, step.total, step.rank) for step in screen.steps] == [("Ann", 8, 2), ("Bo", 9, 1)]
    assert screen.rows == (("blue", (5, 2, 2), 9), ("red", (4, 3, 1), 8))


def test_one_step_back_while_scoring(tmp_path):
    people = scoring(tmp_path)
    assert not people.screen.secondary.enabled, "the game began here"
    enter(people, 4, 3, 1)
    people.press("score", "undo")
    assert people.screen.title == "Turn over Ann’s rescued"


def typed(people) -> list[int | None]:
    return [slot.value for slot in people.screen.slots]


def test_what_has_been_typed_is_still_there_after_the_settings_and_a_look_at_a_hand(tmp_path):
    people = scoring(tmp_path, hands=(("dolphin",), ()))
    enter(people, 4, 3)
    people.press("menu", "settings", "back")
    assert typed(people) == [4, 3, None]
    assert [slot.chosen for slot in people.screen.slots] == [False, False, True]
    people.press("menu", "hand", "hand:0")
    people.look()
    assert typed(people) == [4, 3, None]
    enter(people, 1)
    assert people.screen.primary.enabled


def test_back_from_the_second_colour_keeps_what_was_typed_for_both(tmp_path):
    people = scoring(tmp_path)
    enter(people, 4, 3, 1)
    people.press("score")
    enter(people, 5)
    people.press("undo")
    assert typed(people) == [4, 3, 1]
    people.press("slot:1", "key:2", "score")
    assert typed(people) == [5, None, None]
    assert people.session.position.scores["red"] == 4 + 2 + 1


def test_values_taken_back_after_the_game_was_left_are_typed_already(tmp_path):
    people = scoring(tmp_path)
    enter(people, 4, 3, 1)
    people.press("score", "menu", "home", "continue", "undo")
    assert people.screen.title == "Turn over Ann’s rescued"
    assert typed(people) == [4, 3, 1]


def test_values_typed_too_early_are_forgotten_with_the_end_of_the_game(tmp_path):
    people = ended_by_a_volcano(tmp_path)
    enter(people, 6)
    people.press("undo", "agree:0", "agree:1")
    assert isinstance(people.screen, TurnScreen)
    people.touch(at("F8"))
    people.press("sink")
    people.look()
    people.press("on")
    assert typed(people) == [None, None, None]


def test_equal_totals_share_the_top_step(tmp_path):
    people = scoring(tmp_path)
    enter(people, 4, 3, 1)
    people.press("score")
    enter(people, 5, 2, 1)
    people.press("score")
    assert people.screen.title == "Ann and Bo win"
    assert [step.rank for step in people.screen.steps] == [1, 1]
    people.press("done", "games")
    assert people.screen.rows[0].result == "Ann and Bo, 8 each"


def test_two_colours_are_added_up(tmp_path):
    safe = {"nw": {"red": 1}, "ne": {"yellow": 1}, "se": {"blue": 1}}
    start = position({"K7": {"explorers": {"red": 1}}}, two_colours=True, phase="scoring", safe=safe)
    people = on_with(tmp_path, start)
    for value, colour in ((3, "red"), (4, "yellow"), (6, "blue")):
        assert people.screen.colour == colour
        enter(people, value)
        people.press("score")
    assert [(step.name, step.total) for step in people.screen.steps] == [("Bo", 6), ("Ann", 7)]


def test_the_deal_is_proved_fair_at_the_end(tmp_path):
    people = scoring(tmp_path)
    for values in ((4, 3, 1), (5, 2, 2)):
        enter(people, *values)
        people.press("score")
    note = people.screen.fairness
    assert (note.strong, note.kind) == ("The deal was fair.", "info")
    assert note.text.endswith(f"{people.session.fingerprint[:4].upper()} {people.session.fingerprint[4:8].upper()}.")


def test_with_nobody_rescued_the_sea_has_won(tmp_path):
    volcano = {"F8": {"tile": "mountain", "explorers": {"red": 1}}, "K7": {"explorers": {"blue": 1}}}
    people = on_with(tmp_path, position(volcano, phase="sink", backs={"mountain": {"volcano": 1}}))
    people.touch(people.touchable()[0])
    people.press("sink")
    people.look()
    assert isinstance(people.screen, TurnScreen)
    people.press("on")
    assert isinstance(people.screen, PodiumScreen)
    assert people.screen.title == "The sea won"
    people.press("done", "games")
    assert people.screen.rows[0].result == "The sea won"


def test_games_are_listed_newest_first_and_open(tmp_path):
    people = at_table(tmp_path, 1, table_of(3, last_survivor=True))
    people.press("games")
    assert isinstance(people.screen, GamesScreen)
    assert (people.screen.count, people.screen.empty) == ("0 games", "No games yet.")
    people.press("new_game")
    people.press("next", "next", "next", "next", "begin")
    Chance(people, 1).play_until(TurnScreen)
    people.press("menu", "home", "games")
    row = people.screen.rows[0]
    assert (row.colours, row.result) == (("red", "blue", "yellow"), "Not finished")
    assert row.line == "stopped at turn 1; can be continued"
    people.press(row.id, "continue")
    assert isinstance(people.screen, TurnScreen)


def test_the_highest_step_stands_between_the_second_and_all_others(tmp_path):
    """So that the steps rise and fall once, whoever won; and the game can be written into a file from there."""
    safe = {"nw": {"red": 1}, "ne": {"yellow": 1}, "se": {"blue": 1}, "sw": {"green": 1}}
    people = on_with(tmp_path, position({}, players=4, phase="scoring", safe=safe))
    people.vm.exporter = lambda game: f"written/{game}"
    for value in (3, 1, 6, 2):
        enter(people, value)
        people.press("score")
    assert [step.rank for step in people.screen.steps] == [2, 1, 3, 4]
    people.press("export")
    assert people.state.dialog.text == f"The file: written/{people.session.game_id}"


def test_a_finished_game_shows_its_result_again(tmp_path):
    people = scoring(tmp_path)
    for values in ((4, 3, 1), (5, 2, 2)):
        enter(people, *values)
        people.press("score")
    podium = people.screen
    people.press("done")
    assert isinstance(people.screen, HomeScreen)
    people.press("games")
    assert people.screen.rows[0].result == "Bo won with 9"
    people.press(people.screen.rows[0].id, "result")
    assert people.screen.steps == podium.steps
    people.press("done")
    assert isinstance(people.screen, GamesScreen)


def test_a_damaged_game_tells_whose_move_it_is_and_in_the_end_its_result(tmp_path):
    """It went on after the damage: what was lost is a remark, and hides nothing."""
    people = at_table(tmp_path, 1, table_of(3, last_survivor=True))
    people.press("new_game", "next", "next", "next", "next", "begin")
    Chance(people, 1).play_until(TurnScreen)
    people.vm.journal.append(people.session.game_id, [("recovered", {})])
    people.press("menu", "home")
    (go_on,) = (button for button in people.screen.buttons if button.id == "continue")
    assert go_on.line == "Ann to move, turn 1; damaged"
    people.press("games")
    assert people.screen.rows[0].line == "damaged; whole up to turn 1"
    people.press(people.screen.rows[0].id, "continue")
    Chance(people, 1).play_until(PodiumScreen)
    people.press("done", "games")
    row = people.screen.rows[0]
    assert row.result == "The sea won"
    assert row.line == "148 turns, To the last survivor, damaged: a part may be lost"


def ended_by_a_volcano(tmp_path):
    """The values of the first colour are asked for; before that the mountain was sunk."""
    tiles = {"F8": {"tile": "mountain", "explorers": {"red": 1}}, "K7": {"explorers": {"blue": 1}}}
    people = on_with(tmp_path, position(tiles, phase="sink", safe=SAFE, backs={"mountain": {"volcano": 1}}))
    people.touch(at("F8"))
    people.press("sink")
    people.look()
    people.press("on")
    assert isinstance(people.screen, ScoreScreen)
    return people


def test_the_first_colour_has_a_way_back_into_the_game_and_a_way_out(tmp_path):
    people = ended_by_a_volcano(tmp_path)
    assert people.screen.progress == "1 of 2"
    people.press("menu")
    assert "home" in [button.id for button in people.state.dialog.answers]
    people.press("close")
    assert people.screen.secondary.enabled
    people.press("undo", "agree:0", "agree:1")
    assert isinstance(people.screen, TurnScreen)


def test_where_nothing_can_be_taken_back_the_menu_is_still_a_way_out(tmp_path):
    people = scoring(tmp_path)
    assert not people.screen.secondary.enabled
    people.press("menu")
    assert people.state.dialog is not None
