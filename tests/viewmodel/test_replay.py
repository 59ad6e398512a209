"""10b: a game is watched again step by step, as far as it is whole, and says nothing that only a hand holds."""

from __future__ import annotations

import json

import pytest

from companion.cli.export import ExportError, export_from_screen
from companion.rules.pieces import WHEN
from companion.viewmodel.replay import STEP_S
from companion.viewmodel.states import GamesScreen, HomeScreen, PodiumScreen, ReplayScreen, TurnScreen
from companion.viewmodel.words import BACKS
from viewmodel.people import Chance, People, at_table, table_of, write_unreadable
from viewmodel.scenes import at, on_with, position

SEA = {
    "E8": {"tile": "beach", "explorers": {"red": 1}},
    "H4": {"tile": "beach", "explorers": {"blue": 1}},
    "K7": {"explorers": {"red": 1}},
    "D8": {"sharks": 1},
}


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> People:
    """A whole game of three, back at home."""
    people = at_table(tmp_path_factory.mktemp("played"), 3, table_of(3))
    people.start()
    Chance(people, 3).play_to_the_end()
    people.press("done")
    return people


def watch(people: People) -> ReplayScreen:
    people.press("menu", "home") if isinstance(people.screen, TurnScreen) else None
    people.press("games")
    people.press(people.screen.rows[0].id)
    assert isinstance(people.screen, ReplayScreen)
    return people.screen


def test_a_game_of_the_list_opens_before_its_first_move(played):
    screen = watch(played)
    assert screen.heading.text == "Before the first move"
    assert (screen.step, screen.before.enabled, screen.after.enabled) == (0, False, True)
    assert sum(view.content.tile is not None for view in screen.board.hexes) == 40
    assert not any(view.content.explorers for view in screen.board.hexes)
    assert screen.lines == ()
    played.press("back")
    assert isinstance(played.screen, GamesScreen)
    played.press("back")


def test_every_step_is_what_was_on_the_screen_then(played):
    screen = watch(played)
    steps = screen.steps
    assert steps > 100
    seen = [screen.board]
    for _ in range(steps):
        played.press("after")
        seen.append(played.screen.board)
        assert played.screen.heading.mark
    assert not played.screen.after.enabled
    assert played.screen.heading.text.endswith(f"of {max(entry.turn for entry in played.vm._presenter._replay.record)}")
    for board in reversed(seen):
        assert played.screen.board == board
        played.press("before")
    played.press("back", "back")


def test_the_turn_is_told_in_order_with_the_step_itself_last(tmp_path):
    people = on_with(tmp_path, position(SEA, phase="move", backs={"beach": {"wind": 2}}))
    people.touch(at("K7"))
    people.touch(at("L7"))
    people.press("done")
    watch(people)
    people.press("after")
    assert people.screen.heading.text == "Ann, turn 1 of 1"
    assert [(line.text, line.tone) for line in people.screen.lines] == [("Ann: K7 to L7, swimming", "normal")]
    assert not people.screen.after.enabled, "that the moving was done is not worth a step"
    people.press("back", "back", "continue")
    people.touch(at("E8"))
    people.press("sink")
    people.look()
    people.press("roll")
    watch(people)
    people.vm.slide("step", 3, done=True)
    assert [line.tone for line in people.screen.lines][:2] == ["soft", "soft"]
    assert people.screen.lines[2].text.startswith("Ann rolled")


def test_every_step_has_something_to_tell(played):
    watch(played)
    while played.screen.after.enabled:
        played.press("after")
        assert played.screen.lines
        assert played.screen.lines[-1].tone != "soft"
    played.press("back", "back")


def test_the_slider_goes_to_its_step(played):
    steps = watch(played).steps
    played.vm.slide("step", steps // 2, done=False)
    assert played.screen.step == steps // 2
    played.vm.slide("step", steps + 7, done=True)
    assert played.screen.step == steps
    played.vm.slide("no such slider", 0, done=True)
    assert played.screen.step == steps
    played.press("back", "back")


def test_played_it_goes_on_by_itself_until_it_is_stopped_or_over(played):
    steps = watch(played).steps
    played.press("play")
    assert played.screen.play.icon == "pause"
    played.wait(STEP_S * 3 + 0.1, step=0.05)
    assert played.screen.step == 3
    played.press("play")
    played.wait(10)
    assert (played.screen.play.icon, played.screen.step) == ("play", 3)
    played.vm.slide("step", steps - 1, done=True)
    played.press("play")
    played.wait(2 * STEP_S)
    assert (played.screen.play.icon, played.screen.step) == ("play", steps)
    played.press("play")
    assert played.screen.step == 0, "from the end it begins anew"
    played.press("back", "back")


def test_touching_the_slider_or_a_step_stops_it(played):
    for stop in (lambda: played.vm.slide("step", 20, done=True), lambda: played.press("after")):
        watch(played)
        played.press("play")
        stop()
        assert played.screen.play.icon == "play"
        played.press("back", "back")


def test_from_a_finished_game_to_its_result_and_through_it_again(played):
    watch(played)
    played.press("result")
    assert isinstance(played.screen, PodiumScreen)
    played.press("again")
    assert isinstance(played.screen, ReplayScreen)
    played.press("result", "done")
    assert isinstance(played.screen, GamesScreen)
    played.press("back")
    assert isinstance(played.screen, HomeScreen)


def test_a_game_just_won_is_watched_and_can_still_be_taken_back(tmp_path):
    sunk = {"F8": {"tile": "mountain", "explorers": {"red": 1}}, "K7": {"explorers": {"blue": 1}}}
    people = on_with(tmp_path, position(sunk, phase="sink", backs={"mountain": {"volcano": 1}}))
    people.touch(at("F8"))
    people.press("sink")
    people.look()
    people.press("on", "again")
    assert isinstance(people.screen, ReplayScreen)
    people.press("back")
    assert isinstance(people.screen, PodiumScreen)
    assert "undo" in [button.id for button in people.screen.buttons]


def test_practice_is_watched_again_but_not_written_down(tmp_path):
    people = at_table(tmp_path, 2, table_of(2), exporter=lambda _game: "nowhere")
    people.press("practice")
    Chance(people, 2).play_to_the_end()
    people.press("again")
    assert people.screen.buttons == ()
    people.press("back")
    assert isinstance(people.screen, PodiumScreen)


def test_an_open_game_leads_back_into_it(tmp_path):
    people = on_with(tmp_path, position(SEA, phase="move"))
    watch(people)
    people.press("continue")
    assert (people.screen.phase, people.screen.name) == ("Move", "Ann")


def test_a_tile_that_nobody_has_looked_at_is_not_told(tmp_path):
    shown = []
    for back in ("shark", "whale", "dolphin"):
        folder = tmp_path / back
        folder.mkdir()
        people = on_with(folder, position(SEA, phase="sink", backs={"beach": {back: 2}}))
        people.touch(at("E8"))
        people.press("sink")
        people.press("not_now", "menu", "home")
        shown.append([watch(people)])
        people.press("after", "play")
        shown[-1].append(people.screen)
    assert shown[0] == shown[1] == shown[2]
    assert shown[0][0].steps == 0


def test_no_step_of_an_open_game_names_a_kept_tile(tmp_path):
    people = at_table(tmp_path, 5, table_of(4))
    people.start()
    chance = Chance(people, 5)
    while len(people.session.record) < 140:
        assert chance.step()
    while not isinstance(people.screen, TurnScreen):
        assert chance.step()
    played = {line.text.partition(": ")[2] for entry in people.session.record for line in _lines(people, entry)}
    watch(people)
    kept = [name for back, (name, _text) in BACKS.items() if WHEN[back] != "at once"]
    for _ in range(people.screen.steps):
        people.press("after")
        said = [line.text for line in people.screen.lines]
        named = [name for name in kept for text in said if name in text]
        assert all(name in played for name in named), said


def _lines(people: People, entry) -> list:
    from companion.viewmodel.log import lines_of

    return [line for line in lines_of(entry, people.session.position.players) if " played: " in line.text]


def test_a_game_that_cannot_be_read_to_its_end_says_how_far_it_is_whole(tmp_path):
    people = on_with(tmp_path, position(SEA, phase="move"))
    people.touch(at("K7"))
    people.touch(at("L7"))
    write_unreadable(people)
    people.vm.exporter = lambda _game: "nowhere"
    screen = watch(people)
    assert (screen.note.strong, screen.note.text) == ("Whole up to turn 1.", "The rest cannot be read.")
    assert (screen.steps, [(b.id, b.enabled) for b in screen.buttons]) == (1, [("export", False)])
    people.press("after", "export")
    assert people.screen.lines[-1].text == "Ann: K7 to L7, swimming"
    assert people.state.dialog is None


def test_a_game_of_which_nothing_can_be_read_is_said_so(tmp_path):
    people = at_table(tmp_path, 1, table_of(2))
    start = {"game": "chess", "players": [], "options": {}, "position": {}, "seed": "", "fingerprint": ""}
    people.vm.journal.append("0123456789ab", [("start", start)])
    people.press("games")
    people.press(people.screen.rows[0].id)
    assert people.state.dialog.text == "This companion does not know the game 'chess'. Update it to go on."


def test_export_writes_the_record_and_says_where_it_lies(tmp_path):
    people = on_with(tmp_path, position(SEA, phase="move"))
    journal = people.vm.journal
    people.vm.exporter = lambda game: export_from_screen(journal, game, tmp_path / "data", media=())
    people.touch(at("K7"))
    people.touch(at("L7"))
    watch(people)
    people.press("export")
    file = next((tmp_path / "data" / "exports").iterdir())
    assert people.state.dialog.text == f"The file: {file}"
    record = json.loads(file.read_text())
    assert record["complete"] is False
    assert len(record["actions"]) == 1
    people.press("close")
    assert isinstance(people.screen, ReplayScreen)


def test_export_prefers_a_stick_and_goes_without_one_that_is_full(tmp_path, monkeypatch):
    people = on_with(tmp_path, position(SEA, phase="move"))
    journal, game = people.vm.journal, people.session.game_id
    stick = tmp_path / "media" / "ann" / "STICK"
    stick.mkdir(parents=True)
    monkeypatch.setattr("pathlib.Path.is_mount", lambda path: path == stick)
    media = [tmp_path / "media"]
    assert export_from_screen(journal, game, tmp_path / "data", media).startswith(str(stick))
    (stick / next(stick.iterdir()).name).unlink()
    stick.rmdir()
    stick.write_text("a file where the stick was cannot be written into")
    assert export_from_screen(journal, game, tmp_path / "data", media).startswith(str(tmp_path / "data"))


def test_a_file_that_cannot_be_written_is_a_dialog(tmp_path):
    people = on_with(tmp_path, position(SEA, phase="move"), faults=(ExportError,))
    journal = people.vm.journal
    (tmp_path / "data").write_text("a file where the folder should be")
    people.vm.exporter = lambda game: export_from_screen(journal, game, tmp_path / "data", media=())
    watch(people)
    people.press("export")
    assert people.state.dialog.title == "That could not be done"
    assert "cannot be written" in people.state.dialog.text
