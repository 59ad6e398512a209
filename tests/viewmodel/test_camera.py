"""The camera on the screen: lost, waiting, asking, contradicting; moves taken over, the table read before a game."""

from __future__ import annotations

import msgspec
import pytest

from companion.rules.actions import Action, MoveExplorer, Place, PlaceExplorer, SinkTile
from companion.rules.layout import HexContent, Layout
from companion.table.chores import Chore
from companion.table.follow import Settled, Waiting
from companion.table.reconcile import Candidate, Contradiction, Question
from companion.viewmodel.cutout import Cutout
from companion.viewmodel.states import ContradictionScreen, PictureCard, SetupScreen, TurnScreen
from companion.viewmodel.table_link import Lost, Seeing, Starting, Uncalibrated
from companion.viewmodel.words import label
from viewmodel.fake_table import FakeTable
from viewmodel.people import People, at_table, table_of
from viewmodel.scenes import BOARD, at, move_scene, on_with, position
from viewmodel.test_defence import struck

FULL = ["beach"] * 16 + ["forest"] * 16 + ["mountain"] * 8


def watched(tmp_path, start=None) -> tuple[People, FakeTable]:
    table = FakeTable()
    return on_with(tmp_path, start or move_scene(), table=table), table


def move(origin: str, target: str) -> MoveExplorer:
    return MoveExplorer(colour="red", origin=Place(hex=at(origin), on="tile"), target=Place(hex=at(target), on="tile"))


def test_home_tells_how_the_camera_is(tmp_path):
    table = FakeTable()
    people = at_table(tmp_path, 1, table_of(2), table=table)
    assert (people.screen.camera.text, people.screen.camera.tone) == ("Camera sees the whole board", "ok")
    table.status = Lost("Check the camera’s cable.", 4)
    people.wait(0.5)
    assert (people.screen.camera.text, people.screen.camera.tone) == ("No picture. Check the camera’s cable.", "danger")


def test_a_lost_camera_is_a_red_note_with_a_clock_and_play_goes_on(tmp_path):
    people, table = watched(tmp_path)
    table.status = Lost("Check the camera’s cable.", 4)
    people.wait(0.5)
    note = people.screen.note
    assert (note.kind, note.strong, note.line) == ("fault", "No picture", "Trying again in 4 s")
    assert note.text == "Check the camera’s cable. Play on by touch."
    people.touch(at("E8"))
    people.touch(at("E7"))
    assert people.screen.pips.left == 2
    table.status = Lost("Check the camera’s cable.", 3)
    people.wait(0.5)
    assert people.screen.note.line == "Trying again in 3 s"
    table.status = Seeing()
    people.wait(0.5)
    assert people.screen.note is None


def test_a_camera_that_is_not_ready_yet_has_nothing_in_its_way(tmp_path):
    people, table = watched(tmp_path)
    table.status, table.state = Starting(), Waiting("settling", (at("E8"),))
    people.wait(0.5)
    assert people.screen.note is None
    people.wait(3.5)
    assert people.screen.note.text == "The camera is getting ready. Play on by touch."
    table.status = Seeing()
    people.wait(0.5)
    assert people.screen.note is None, "it has looked for a moment only"
    people.wait(3.5)
    assert people.screen.note.text == "Waiting for a clear view of the board."


def test_a_camera_that_starts_again_is_told_whatever_was_seen_before(tmp_path):
    people, table = watched(tmp_path)
    table.status = Starting()
    people.wait(3.5)
    assert people.screen.note.text == "The camera is getting ready. Play on by touch."
    chore = Chore(do="take", piece="shark", hex=at("E8"))
    table.state = Waiting("chores", (at("E8"),), (chore,))
    people.wait(0.5)
    assert people.screen.note.text == "The camera is getting ready. Play on by touch."
    assert people.screen.lines[0].text == "Take a shark off E8"


@pytest.mark.parametrize(
    ("bumped", "text"),
    [
        ("board", "The board was moved. The camera has found it again."),
        ("camera", "The camera was moved. It has found the board again."),
        ("either", "Board or camera was moved. The board has been found again."),
    ],
)
def test_a_bump_is_a_note_that_asks_for_nothing(tmp_path, bumped, text):
    people, table = watched(tmp_path)
    table.status = Seeing(bumped=bumped)
    people.wait(0.5)
    assert (people.screen.note.text, people.screen.note.kind) == (text, "info")
    table.status = Seeing()
    people.wait(0.5)
    assert people.screen.note is None


def test_a_hand_over_the_board_hatches_hexes_and_says_nothing_for_three_seconds(tmp_path):
    people, table = watched(tmp_path)
    table.state = Waiting("hand", (at("E8"), at("E7")))
    people.wait(2)
    assert people.lit("hidden") == {at("E8"), at("E7")}
    assert people.screen.note is None
    people.wait(2)
    assert people.screen.note.text == "Waiting for a clear view of the board."
    table.state = Settled()
    people.wait(0.5)
    assert people.lit("hidden") == set()
    assert people.screen.note is None


def test_what_hands_have_still_to_do_is_listed(tmp_path):
    people, table = watched(tmp_path)
    table.state = Waiting(
        "chores",
        (at("D8"),),
        (
            Chore(do="take", piece="shark", hex=at("D8")),
            Chore(do="put", piece="explorer", colour="red", hex=at("F9"), on="sea"),
        ),
    )
    people.wait(0.5)
    lines = people.screen.lines
    assert [(line.text, line.mark) for line in lines[:2]] == [
        ("Take a shark off D8", None),
        ("Put an explorer in the sea at F9", "red"),
    ]


def test_a_question_has_an_answer_a_candidate_and_a_way_out(tmp_path):
    people, table = watched(tmp_path)
    candidates = (Candidate((move("D7", "E7"),), 0.6, (at("D7"),)), Candidate((move("E8", "E7"),), 0.4, (at("E8"),)))
    table.state = Question(candidates, (at("D7"), at("E8")))
    people.wait(0.5)
    screen = people.screen
    assert (screen.phase, screen.chips) == ("What was done?", ())
    assert [(b.text, b.mark) for b in screen.prompt] == [
        ("From D7 to E7", "red"),
        ("From E8 to E7", "red"),
        ("None of these", None),
    ]
    assert people.lit("doubt") == {at("D7"), at("E8")}
    assert not screen.primary.enabled
    people.press("answer:1")
    assert table.answered == [(move("E8", "E7"),)]
    assert people.screen.phase == "Move"
    table.state = Question(candidates, ())
    people.wait(0.5)
    people.press("none")
    assert table.dismissed == 1


def test_an_answer_is_to_the_question_that_people_have_read(tmp_path):
    """A picture may have changed what is asked since; the screen has not been drawn anew."""
    people, table = watched(tmp_path)
    read, other, third = (move(origin, "E7") for origin in ("D7", "E8", "E6"))
    table.state = Question(tuple(Candidate((action,), 0.5, ()) for action in (read, other)), ())
    people.wait(2)
    table.state = Question(tuple(Candidate((action,), 0.5, ()) for action in (other, third)), ())
    people.vm.press("answer:0")
    assert table.answered == [(read,)]


def test_answers_that_begin_alike_are_told_apart_by_what_differs(tmp_path):
    people, table = watched(tmp_path)
    first = move("D7", "E7")
    tails: list[tuple[Action, ...]] = [(move("E8", "E7"),), (move("E6", "E7"),), ()]
    candidates = tuple(Candidate((first, *tail), 1 / 3, ()) for tail in tails)
    table.state = Question(candidates, ())
    people.wait(0.5)
    answers = [(b.text, b.line) for b in people.screen.prompt]
    people.press("more")
    answers += [(b.text, b.line) for b in people.screen.prompt]
    assert answers == [
        ("From E8 to E7", "and 1 thing more"),
        ("From E6 to E7", "and 1 thing more"),
        ("More", "1 of 2"),
        ("From D7 to E7", ""),
        ("None of these", "enter it by touch"),
        ("More", "2 of 2"),
    ]
    people.press("answer:2")
    assert table.answered == [(first,)]


def test_a_contradiction_names_the_hex_the_rule_and_the_way_back(tmp_path):
    people, table = watched(tmp_path)
    back = Chore(do="put", piece="explorer", colour="red", hex=at("F9"), on="sea", origin_hex=at("F8"))
    table.state = Contradiction(
        (at("F8"), at("F9")), "4.4", "Who has left the island never stands on a tile again.", (back,)
    )
    people.wait(0.5)
    screen = people.screen
    assert isinstance(screen, ContradictionScreen)
    assert screen.title == "Look at F8"
    assert screen.strong == "Who has left the island never steps on a tile again."
    assert screen.rule.text == "Rule 4.4"
    assert [(line.text, line.mark) for line in screen.way_back] == [
        ("Put the explorer from F8 in the sea at F9", "red")
    ]
    assert (screen.board.arrow.origin, screen.board.arrow.target) == (at("F8"), at("F9"))
    assert people.lit("contradicted") == {at("F8")}
    assert screen.hint == "This goes away by itself when F8 and F9 are right."
    table.state = Settled()
    people.wait(0.5)
    assert isinstance(people.screen, TurnScreen)
    assert people.state.toast.text == "The table is right again."


def test_a_hand_over_a_contradiction_does_not_make_the_table_right(tmp_path):
    people, table = watched(tmp_path)
    table.state = Contradiction((at("E8"),), None, None, ())
    people.wait(0.5)
    for why in ("hand", "moving", "settling"):
        table.state = Waiting(why)
        people.wait(0.5)
        assert people.state.toast is None
    table.state = Settled()
    people.wait(0.5)
    assert people.state.toast.text == "The table is right again."


def test_a_contradiction_that_a_move_has_settled_is_told_by_the_move(tmp_path):
    people, table = watched(tmp_path)
    table.state = Contradiction((at("E8"),), None, None, ())
    people.wait(0.5)
    table.state = Settled()
    table.session.do(move("E8", "E7"), "camera")
    people.wait(0.5)
    assert people.state.toast.text == "Ann: E8 to E7"


@pytest.mark.parametrize(
    ("chore", "seen", "missing"),
    [
        (Chore(do="put", piece="explorer", colour="red", hex=at("F8"), on="tile", origin_hex=at("B5")),
         HexContent(explorers={"red": 1}), {"explorers": {}}),
        (Chore(do="put", piece="explorer", colour="red", hex=at("G8"), on="boat", origin_hex=at("B5")),
         HexContent(explorers={"red": 1}), {"boat": {"blue": 1}}),
        (Chore(do="put", piece="boat", hex=at("G8"), origin_hex=at("B5")),
         HexContent(boat={"red": 1, "blue": 1}), {"boat": None}),
        (Chore(do="put", piece="tile", terrain="beach", hex=at("F8"), origin_hex=at("B5")),
         HexContent(tile="beach"), {"tile": None}),
        (Chore(do="put", piece="shark", hex=at("G8"), origin_hex=at("B5")),
         HexContent(sharks=1), {"sharks": 0}),
    ],
)  # fmt: skip
def test_the_board_of_a_contradiction_shows_the_piece_where_it_lies(tmp_path, chore, seen, missing):
    hexes = {
        "F8": {"tile": "beach", "explorers": {"red": 1}}, "F6": {"tile": "beach", "explorers": {"blue": 1}},
        "G8": {"boat": {"red": 1, "blue": 1}, "sharks": 1},
    }  # fmt: skip
    people, table = watched(tmp_path, position(hexes, phase="move"))
    table.state = Contradiction((at("B5"),), None, None, (chore,))
    people.wait(0.5)
    shown = {v.hex: v.content for v in people.screen.board.hexes}
    legal = people.session.position.layout()
    assert shown[at("B5")] == seen
    assert shown[chore.hex] == msgspec.structs.replace(legal.at(chore.hex), **missing)
    assert shown[at("F6")] == legal.at(at("F6"))


def test_a_contradiction_can_be_settled_by_touch(tmp_path):
    people, table = watched(tmp_path)
    table.state = Contradiction((), None, None, ())
    people.wait(0.5)
    assert people.screen.title == "Look at the safe lands"
    people.press("fix")
    assert table.dismissed == 1
    assert isinstance(people.screen, TurnScreen)
    said = people.state.toast.text
    assert said == "Enter here what was done. The camera does not look until something changes."


CUT = Cutout(jpeg=b"picture", size=(640, 480), outlines=(((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)),))


def test_why_something_is_wrong_is_shown_in_the_picture_until_the_table_is_right(tmp_path):
    people, table = watched(tmp_path)
    table.state = Contradiction((at("E8"), at("E7")), None, None, ())
    people.wait(0.5)
    people.press("why")
    assert table.asked == (at("E8"), at("E7"))
    card = people.state.dialog
    assert isinstance(card, PictureCard)
    assert (card.picture, card.blank) == (None, "The picture is on its way.")
    table.cutout = CUT
    people.wait(0.25)
    card = people.state.dialog
    assert (card.picture.jpeg, card.picture.window, card.outlines) == (CUT.jpeg, (0, 0, 640, 480), CUT.outlines)
    assert card.text == "It lies as on the screen, seen from straight above. Marked: E8 and E7."
    table.state = Waiting("hand", (at("E8"),))
    people.wait(0.5)
    assert isinstance(people.state.dialog, PictureCard), "a hand that points does not take it away"
    table.state = Settled()
    people.wait(0.5)
    assert people.state.dialog is None


def test_the_picture_of_one_matter_goes_when_another_is_found(tmp_path):
    people, table = watched(tmp_path)
    table.state = Contradiction((at("E8"),), None, None, ())
    people.wait(0.5)
    people.press("why")
    table.state = Contradiction((at("F9"),), None, None, ())
    people.wait(0.5)
    assert people.state.dialog is None
    assert people.screen.title == "Look at F9"


def test_a_picture_that_will_not_come_is_not_waited_for(tmp_path):
    people, table = watched(tmp_path)
    table.state = Contradiction((at("E8"),), None, None, ())
    people.wait(0.5)
    people.press("why")
    table.status = Lost("Check the camera’s cable.", None)
    people.wait(0.5)
    assert people.state.dialog is None


def test_settled_by_touch_it_is_said_what_is_not_looked_at(tmp_path):
    people, table = watched(tmp_path)
    table.state = Contradiction((at("E8"), at("E7")), None, None, ())
    people.wait(0.5)
    people.press("fix")
    assert people.state.toast.text == "Enter here what was done. Until E8 and E7 change they are not looked at."


@pytest.mark.parametrize(
    "state", [Contradiction((at("E8"),), None, None, ()), Question((), ())], ids=["wrong", "asked"]
)
def test_while_the_camera_is_lost_nothing_is_said_to_go_away_by_itself(tmp_path, state):
    """The turn's screen tells that there is no picture, and everything can be entered; what was found comes back."""
    people, table = watched(tmp_path)
    table.state = state
    people.wait(0.5)
    assert type(people.screen) is ContradictionScreen or people.screen.phase == "One question"
    table.status = Lost("Check the camera’s cable.", 4)
    people.wait(0.5)
    assert isinstance(people.screen, TurnScreen)
    assert people.screen.phase != "One question"
    assert "cable" in str(people.screen)
    table.status = Seeing()
    people.wait(0.5)
    assert type(people.screen) is ContradictionScreen or people.screen.phase == "One question"


@pytest.mark.parametrize(
    ("chore", "said"),
    [
        (Chore(do="put", piece="explorer", colour="green", hex=at("F9"), on="sea", origin_hex=at("E8")),
         "A green explorer is there."),
        (Chore(do="take", piece="shark", hex=at("E8")), "A shark is there."),
        (Chore(do="put", piece="tile", terrain="beach", hex=at("E8")), "A tile is missing there."),
        (Chore(do="put", piece="explorer", colour="red", hex=at("E8"), on="boat"), "A red explorer is missing there."),
        (Chore(do="take", piece="shark", hex=at("F9")), "What lies there does not go by the rules."),
    ],
)  # fmt: skip
def test_a_contradiction_says_what_is_wrong_where_it_points(tmp_path, chore, said):
    people, table = watched(tmp_path)
    table.state = Contradiction((at("E8"),), None, None, (chore,))
    people.wait(0.5)
    assert people.screen.title == "Look at E8"
    assert people.screen.sentence == said


def test_while_explorers_are_placed_the_whole_board_can_be_seen(tmp_path):
    left = {"explorers": {"red": 1}, "boats": [0, 0]}
    start = position({"E8": {"tile": "forest"}}, phase="place_explorers", unplaced=left)
    people, table = watched(tmp_path, start)
    people.press("begin")
    assert [b.id for b in people.screen.buttons] == ["menu", "undo", "picture"]
    people.press("picture")
    assert table.asked == ()
    table.cutout = CUT
    people.wait(0.25)
    assert people.state.dialog.text == "It lies as on the screen, seen from straight above."
    people.touch(at("E8"))
    table.session.do(PlaceExplorer(colour="red", hex=at("E8")), "camera")
    people.wait(0.25)
    assert people.state.dialog is None, "a piece has been laid: it is an old picture"


def test_from_a_contradiction_the_camera_is_switched_off_in_the_menu(tmp_path):
    people, table = watched(tmp_path)
    table.state = Contradiction((at("E8"),), None, None, ())
    people.wait(0.5)
    people.press("menu", "camera")
    assert table.session is None
    assert isinstance(people.screen, TurnScreen)


def test_a_move_taken_over_is_told_with_undo(tmp_path):
    people, table = watched(tmp_path)
    table.session.do(move("E8", "E7"), "camera")
    people.wait(0.25)
    assert people.screen.lines[0].text == "Ann: E8 to E7"
    toast = people.state.toast
    assert (toast.text, toast.undo.text) == ("Ann: E8 to E7", "Undo")
    people.press(toast.undo.id)
    assert people.screen.pips.left == 3
    assert people.state.toast.text == "Taken back."
    people.wait(5)
    assert people.state.toast is None


def test_a_move_that_hands_have_taken_back_is_told(tmp_path):
    people, table = watched(tmp_path)
    table.session.do(move("E8", "E7"), "camera")
    people.wait(0.25)
    table.session.undo(source="camera")
    people.wait(0.25)
    assert (people.state.toast.text, people.state.toast.undo) == ("Ann: E8 to E7 (taken back)", None)
    assert people.screen.pips.left == 3
    people.wait(5)
    people.touch(at("E8"))
    people.wait(0.25)
    assert people.state.toast is None, "it is told once"


def test_the_undo_of_a_toast_goes_as_soon_as_something_newer_was_done(tmp_path):
    people, table = watched(tmp_path)
    table.session.do(move("E8", "E7"), "camera")
    people.wait(0.25)
    assert people.state.toast.undo
    people.press("done")
    assert (people.state.toast.text, people.state.toast.undo) == ("Ann: E8 to E7", None)
    people.press("toast:undo")
    assert people.screen.phase == "Sink a tile", "nothing else is taken back in its place"


def test_the_undo_of_a_toast_takes_nothing_back_that_came_before_the_screen_has_told(tmp_path):
    people, table = watched(tmp_path)
    table.session.do(move("E8", "E7"), "camera")
    people.wait(0.25)
    table.session.do(move("D7", "E7"), "touch")
    people.press("toast:undo")
    assert len(people.session.record) == 2


def test_a_toast_waits_for_the_curtain_to_go_and_does_not_come_when_it_is_old(tmp_path):
    for looks_after_s, told in ((1, True), (6, False)):
        folder = tmp_path / str(looks_after_s)
        folder.mkdir()
        people, table = watched(folder)
        people.press("done")
        table.session.do(SinkTile(hex=at("H4")), "camera")
        people.wait(looks_after_s)
        assert people.screen.title == "For Ann’s eyes"
        assert people.state.toast is None, "people hold there"
        people.look()
        assert (people.state.toast is not None) == told


WRONG = Contradiction((at("E8"),), None, None, ())
UNCLEAR = Question((Candidate((), 1.0, ()),), ())
FORESTS = {"E8": {"tile": "forest"}, "D7": {"tile": "forest", "explorers": {"red": 1}}, "J9": {"sharks": 1}}


@pytest.mark.parametrize("found", [WRONG, UNCLEAR])
def test_what_the_camera_finds_waits_until_everybody_has_answered_a_threat(tmp_path, found):
    table = FakeTable()
    people = struck(tmp_path, ((), ("shark_defence",), ()), table=table)
    people.press("look")
    people.look("play")
    table.state = found
    people.wait(12)
    assert [line.figure for line in people.screen.asked] == ["asked", "now"]
    people.press("look")
    people.wait(12)
    assert people.session.record[-1].events, "Bo has defended"
    assert isinstance(people.screen, ContradictionScreen) or people.screen.phase == "One question"
    table.state = Settled()
    people.wait(0.25)
    assert people.screen.lines[0].text == "Bo played: Shark defence"


@pytest.mark.parametrize("found", [WRONG, UNCLEAR])
def test_what_the_camera_finds_waits_while_a_tile_is_chosen(tmp_path, found):
    start = position(FORESTS, phase="play_tile", hands=(("move_shark",), ()))
    people, table = watched(tmp_path, start)
    people.press("choose")
    people.hold()
    people.press("play:move_shark")
    table.state = found
    people.wait(0.5)
    assert people.screen.card.strong
    people.vm.let_go(0)
    assert isinstance(people.screen, ContradictionScreen) or people.screen.phase == "One question"
    table.state = Settled()
    people.wait(0.25)
    assert people.screen.subtitle == "Move a shark"


@pytest.mark.parametrize("found", [WRONG, UNCLEAR])
def test_what_the_camera_finds_waits_while_a_back_is_entered(tmp_path, found):
    start = position(FORESTS, phase="sink", options={"backs": "printed"})
    people, table = watched(tmp_path, start)
    people.touch(at("E8"))
    people.press("sink")
    card = people.hold()
    table.state = found
    people.wait(0.5)
    assert people.screen.card == card


def test_a_question_leaves_the_own_button_its_meaning(tmp_path):
    start = position(FORESTS, phase="move", hands=(("move_shark",), ()))
    people, table = watched(tmp_path, start)
    table.state = UNCLEAR
    people.wait(0.5)
    people.vm.panel("player1", True)
    assert people.screen.title == "For Ann’s eyes"
    people.vm.panel("player1", False)
    assert people.screen.phase == "One question"


def test_the_simulated_table_is_told_what_stands_on_it_but_no_secret(tmp_path):
    people, table = watched(tmp_path)
    people.touch(at("E8"))
    people.touch(at("E7"))
    assert table.synced == people.session.position.layout()
    people.press("done")
    people.touch(at("H4"))
    people.press("sink")
    assert table.synced.at(at("H4")) == HexContent(explorers={"blue": 1})
    people.look()
    assert table.synced == people.session.position.layout()


def test_the_camera_can_be_switched_off_in_a_game_and_on_again(tmp_path):
    people, table = watched(tmp_path)
    assert table.session is people.session
    people.press("menu", "camera")
    assert table.session is None
    table.status = Lost("Check the camera’s cable.")
    people.wait(0.5)
    assert people.screen.note is None, "nobody has asked for the camera"
    people.press("menu", "camera")
    assert table.session is people.session
    people.press("menu", "home")
    assert table.session is None


@pytest.mark.parametrize("off", [True, False])
def test_whether_the_camera_is_wanted_is_remembered_while_the_game_is_left(tmp_path, off):
    people, table = watched(tmp_path)
    if off:
        people.press("menu", "camera")
    people.press("menu", "home")
    assert table.session is None, "no game is followed"
    people.press("continue")
    assert (table.session is None) == off
    people.press("menu", "settings", "back")
    assert (table.session is None) == off
    people.press("menu", "camera")
    assert (table.session is None) != off


def test_watching_the_game_again_leaves_the_camera_on(tmp_path):
    end = position({"E8": {"tile": "forest", "explorers": {"red": 1}}}, phase="over", winners=[0])
    people, table = watched(tmp_path, end)
    assert table.session is people.session
    people.press("again")
    assert table.session is None
    people.press("back")
    assert table.session is people.session


def test_practice_does_not_look_at_the_table(tmp_path):
    table = FakeTable()
    people = at_table(tmp_path, 1, table_of(2), table=table)
    people.press("practice")
    assert table.session is None
    assert table.synced is None, "nor does a simulated one lay itself out for it"
    people.press("menu")
    assert [button.id for button in people.state.dialog.answers] == ["home", "new_game", "hand", "rules", "settings"]
    people.press("home")
    assert table.session is None


SERPENTS = dict.fromkeys(BOARD.serpent_starts, HexContent(serpents=1))


def tiles(kinds: list[str], **more: dict) -> Layout:
    hexes = SERPENTS | {h: HexContent(tile=kind) for h, kind in zip(BOARD.island, kinds, strict=False)}
    return Layout(hexes={**hexes, **{at(label): HexContent(**content) for label, content in more.items()}})


def test_tiles_are_counted_as_they_are_laid(tmp_path):
    table = FakeTable(tiles(FULL[:37], C8={"tile": "mountain"}))
    people = at_table(tmp_path, 1, table_of(2, laying="as they lie"), table=table)
    people.press("new_game", "next", "next", "next", "next")
    screen = people.screen
    assert screen.tiles == (("beach", "Beach", 16, 16), ("forest", "Forest", 16, 16), ("mountain", "Mountain", 6, 8))
    assert (screen.note.strong, screen.note.text) == ("C8 is open sea.", "Move that mountain onto the island.")
    assert screen.lines[0].text.startswith("3 places are still bare: ")
    assert people.lit("contradicted") == {at("C8")}
    assert len(people.lit("bare")) == 3
    assert (screen.primary.text, screen.primary.enabled) == ("3 places to fill", False)
    table.layout = tiles(FULL)
    people.wait(0.5)
    assert people.screen.primary.enabled
    people.press("begin")
    assert isinstance(people.screen, SetupScreen)
    assert table.session is people.session


def test_serpents_are_drawn_where_they_are_seen(tmp_path):
    away = BOARD.serpent_starts[0]
    lies = dict(tiles(FULL).hexes)
    lies[at("C10")] = lies.pop(away)
    table = FakeTable(Layout(hexes=lies))
    people = at_table(tmp_path, 1, table_of(2, laying="as they lie"), table=table)
    people.press("new_game", "next", "next", "next", "next")
    shown = {view.hex for view in people.screen.board.hexes if view.content.serpents}
    assert shown == {*BOARD.serpent_starts[1:], at("C10")}
    assert at("C10") in people.lit("contradicted")


def test_of_too_many_tiles_the_one_that_was_read_worst_is_named(tmp_path):
    """A forest that is read as a beach: not any beach, but that one."""
    misread = BOARD.island[FULL.index("forest") + 3]
    table = FakeTable(tiles(["beach" if h == misread else kind for h, kind in zip(BOARD.island, FULL, strict=True)]))
    table.sure = {**dict.fromkeys(BOARD.island, 0.99), misread: 0.61}
    people = at_table(tmp_path, 1, table_of(2, laying="as they lie"), table=table)
    people.press("new_game", "next", "next", "next", "next")
    assert people.screen.note.text.startswith("There are 17 beaches")
    assert people.lit("contradicted") == {misread}


def test_a_brush_on_a_tile_is_named_and_no_right_tile_is_blamed(tmp_path):
    brushed = BOARD.island[FULL.index("mountain")]
    table = FakeTable(tiles(FULL))
    table.sure = dict.fromkeys(BOARD.island, 0.99) | {BOARD.island[0]: 0.6}
    people = at_table(tmp_path, 1, table_of(2, laying="as they lie"), table=table)
    people.press("new_game", "next", "next", "next", "next")
    people.touch(brushed)
    people.touch(brushed)
    assert people.screen.note.text == f"{label(brushed)}: you said “Beach”, the camera sees “Mountain”."
    assert people.lit("doubt") == {brushed}
    assert people.lit("contradicted") == set(), "not a beach that lies right"
    assert not people.screen.primary.enabled
    people.touch(brushed)
    people.touch(brushed)
    assert people.screen.note is None
    assert people.screen.primary.enabled


def test_a_tile_laid_after_a_touch_is_what_the_camera_surely_sees(tmp_path):
    h = BOARD.island[0]
    table = FakeTable(tiles(["forest", *FULL[1:]]))
    table.sure = dict.fromkeys(BOARD.island, 0.99)
    people = at_table(tmp_path, 1, table_of(2, laying="as they lie"), table=table)
    people.press("new_game", "next", "next", "next", "next")
    people.touch(h)
    people.wait(0.5)
    assert "you said “Mountain”" in people.screen.note.text, "the same as at the touch: people may know better"
    table.layout, table.sure[h] = tiles(FULL), 0.6
    people.wait(0.5)
    assert "you said “Mountain”" in people.screen.note.text, "not sure"
    table.sure[h] = 0.97
    people.wait(0.5)
    assert people.screen.note is None
    assert people.screen.primary.enabled


def test_shuffled_tiles_are_watched_while_they_are_laid(tmp_path):
    table = FakeTable(Layout(hexes=SERPENTS))
    people = at_table(tmp_path, 1, table_of(2), table=table)
    people.press("new_game", "next", "next", "next", "next")
    wanted = people.session.position.layout()
    assert people.screen.tiles == (
        ("beach", "Beach", 0, 16),
        ("forest", "Forest", 0, 16),
        ("mountain", "Mountain", 0, 8),
    )
    assert people.lit("bare") == set(BOARD.island)
    wrong = {h: HexContent(tile="mountain") for h in BOARD.island if wanted.at(h).tile == "beach"}
    table.layout = Layout(hexes={**wanted.hexes, **wrong})
    people.wait(0.5)
    assert people.screen.tiles == (
        ("beach", "Beach", 0, 16),
        ("forest", "Forest", 16, 16),
        ("mountain", "Mountain", 8, 8),
    )
    assert people.lit("contradicted") == set(wrong)
    table.layout = wanted
    people.wait(0.5)
    assert people.lit("bare", "contradicted") == set()
    people.press("begin")
    assert people.screen.sentence == "Put one red explorer on a bright tile"


def test_a_game_in_progress_is_taken_over(tmp_path):
    half_seen = tiles(FULL[4:], B2={"boat": {"red": 1, "blue": 1}})
    table = FakeTable(Layout(hexes=half_seen.hexes, unknown=frozenset({at("M5")})))
    people = at_table(tmp_path, 1, table_of(2, laying="in progress"), table=table)
    people.press("new_game", "next", "next", "next", "next")
    assert people.screen.sentence == "Waiting for a clear view of the whole board."
    assert not people.screen.primary.enabled
    table.layout = Layout(hexes={**half_seen.hexes, at("M5"): HexContent(sharks=7)})
    people.wait(0.5)
    people.press("begin")
    assert people.screen.note is not None, "seven sharks cannot be"
    assert not people.screen.primary.enabled
    table.layout = half_seen
    people.wait(0.5)
    assert [button.text for button in people.screen.buttons] == ["Back", "Ann"]
    people.press("whose", "begin")
    assert isinstance(people.screen, TurnScreen)
    assert people.screen.name == "Bo"
    assert people.session.position.layout() == half_seen


@pytest.mark.parametrize("phase", ["sink", "roll"])
def test_a_question_comes_before_the_phase_and_a_curtain_before_a_question(tmp_path, phase):
    start = position({"F8": {"tile": "beach", "explorers": {"red": 1}}}, phase=phase, hands=(("dolphin",), ()))
    people, table = watched(tmp_path, start)
    table.state = Question((Candidate((), 1.0, ()),), ())
    people.wait(0.5)
    assert people.screen.phase == "One question"
    people.press("hand", "hand:0")
    assert people.screen.title == "For Ann’s eyes"


@pytest.mark.parametrize("laying", ["as they lie", "companion", "in progress"])
def test_before_the_first_move_too_it_is_said_that_the_camera_reads_nothing(tmp_path, laying):
    table = FakeTable(Layout(hexes=SERPENTS))
    people = at_table(tmp_path, 1, table_of(2, laying=laying), table=table)
    people.press("new_game", "next", "next", "next", "next")
    assert people.screen.note is None or people.screen.note.kind != "fault"
    table.status = Lost("Is the cable in?", 4)
    people.wait(0.5)
    assert (people.screen.note.kind, people.screen.note.strong) == ("fault", "No picture")
    table.status = Uncalibrated("The camera is new.")
    people.wait(0.5)
    assert people.screen.note.text.startswith("The camera is new.")
    table.status = Seeing(registered=False)
    people.wait(0.5)
    assert people.screen.note.text.startswith("The camera does not find the board. ")
    table.status = Seeing(registered=False, sharp=False)
    people.wait(0.5)
    assert people.screen.note.text.startswith("The picture is not sharp. ")


@pytest.mark.parametrize(
    ("sharp", "text"), [(True, "The camera does not find the board"), (False, "The camera’s picture is not sharp")]
)
def test_home_does_not_say_that_the_board_is_seen_where_it_cannot_be_read(tmp_path, sharp, text):
    people = at_table(tmp_path, 1, table_of(2), table=FakeTable(status=Seeing(registered=False, sharp=sharp)))
    assert (people.screen.camera.text, people.screen.camera.tone) == (text, "danger")
