"""8 and 9: everybody threatened is asked alike, in secret, for the same time."""

from __future__ import annotations

import pytest

from companion.table.errors import JournalError
from companion.viewmodel.defence import RETRY_S
from companion.viewmodel.preferences.model import Preferences
from companion.viewmodel.states import DefenceScreen, SecretScreen, TurnScreen
from viewmodel.people import People
from viewmodel.scenes import at, on_with, position

SEA = {
    "E8": {"tile": "forest", "explorers": {"red": 1}},
    "I9": {"explorers": {"blue": 1, "yellow": 1}},
    "J9": {"sharks": 1},
}
NO_HANDS = ((), (), ())
ANSWER_S = Preferences().answer_s


def struck(tmp_path, hands=NO_HANDS, **more) -> People:
    """Ann has moved the shark onto Bo's and Olena's swimmers."""
    start = position(SEA, players=3, phase="roll", hands=hands)
    people = on_with_roll(tmp_path, start, **more)
    people.touch(at("J9"))
    people.touch(at("I9"))
    return people


def on_with_roll(tmp_path, start, **more) -> People:
    """The creature phase after a real roll of a shark."""
    for seed in range(50):
        folder = tmp_path / f"seed{seed}"
        folder.mkdir(parents=True)
        people = on_with(folder, start, seed, **more)
        people.press("roll")
        if people.screen.die and people.screen.die.face == "shark":
            return people
    raise AssertionError("no seed below 50 rolls a shark")


def ask(people: People, *answers: str) -> object:
    """The one asked looks, answers and waits for the end of the time; the card as first seen."""
    people.press("look")
    card = people.look(*answers)
    people.wait(ANSWER_S)
    return card


def test_the_public_screen_names_all_who_are_asked_in_order(tmp_path):
    people = struck(tmp_path)
    screen = people.screen
    assert isinstance(screen, DefenceScreen)
    assert (screen.title, screen.icon) == ("A shark at I9", "shark")
    assert screen.sentence == "Bo and Olena, your swimmers are in danger. Each of you is asked in secret."
    assert [(line.text, line.figure) for line in screen.asked] == [("Bo", "now"), ("Olena", "next")]
    assert screen.primary.text == "Bo, hold to look"
    assert people.lit("chosen") == {at("I9")}


def test_both_answers_are_always_there_and_alike(tmp_path):
    cards = []
    for i, hand in enumerate(((), ("shark_defence",))):
        people = struck(tmp_path / str(i), ((), hand, ()))
        people.press("look")
        cards.append(people.look())
    assert [[(a.id, a.text, a.enabled) for a in card.answers] for card in cards] == [
        [("play", "Play the defence", True), ("let", "Let it happen", True)]
    ] * 2
    assert cards[0].text == "An explorer of yours swims there. You hold no shark defence."
    assert cards[1].text == "An explorer of yours swims there. You hold a shark defence."


def test_the_time_is_the_same_whatever_is_answered(tmp_path):
    for i, answers in enumerate(((), ("play",), ("let",))):
        people = struck(tmp_path / str(i))
        people.press("look")
        began = people.now
        people.look(*answers)
        people.wait(ANSWER_S - 0.5 - (people.now - began))
        assert isinstance(people.screen, SecretScreen)
        people.wait(0.5)
        assert isinstance(people.screen, DefenceScreen), "the next one is asked"
        assert [line.figure for line in people.screen.asked] == ["asked", "now"]


def test_an_answer_is_kept_until_everybody_has_had_the_time(tmp_path):
    people = struck(tmp_path, ((), ("shark_defence",), ()))
    ask(people, "play")
    assert isinstance(people.screen, DefenceScreen)
    assert people.session.position.phase == "reaction"
    ask(people, "let")
    assert isinstance(people.screen, TurnScreen)
    assert people.screen.lines[0].text == "Bo played: Shark defence"
    assert people.screen.lines[1].text == "Bo drove the shark away from I9"
    assert people.state.toast.text == "Bo played: Shark defence"


def test_silence_is_let_it_happen(tmp_path):
    people = struck(tmp_path, ((), ("shark_defence",), ("shark_defence",)))
    ask(people)
    ask(people)
    assert people.session.position.layout().at(at("I9")).explorers == {}
    assert people.screen.lines[0].text == "Lost to the shark at I9: Bo 1, Olena 1"


def test_play_without_such_a_tile_counts_as_let_it_happen(tmp_path):
    people = struck(tmp_path, ((), ("whale_defence",), ()))
    ask(people, "play")
    ask(people, "play")
    assert people.session.position.layout().at(at("I9")).explorers == {}
    assert people.session.position.hands[1] == ("whale_defence",)


@pytest.mark.parametrize("holds", [False, True])
def test_the_card_alone_says_that_play_without_such_a_tile_changes_nothing(tmp_path, holds):
    people = struck(tmp_path, ((), ("shark_defence",) if holds else (), ()))
    people.press("look")
    people.vm.hold(1)
    people.wait(0.5)
    people.press("play")
    said = "Your answer: play the defence." if holds else "Without one your answer counts as: let it happen."
    assert people.screen.card.strong == said
    assert [(a.id, a.kind) for a in people.screen.card.answers] == [("play", "primary"), ("let", "secondary")]


def test_an_answer_can_be_changed_until_the_time_is_over(tmp_path):
    people = struck(tmp_path, ((), ("shark_defence",), ()))
    ask(people, "play", "let")
    ask(people)
    assert people.session.position.layout().at(at("I9")).explorers == {}


def test_only_the_one_asked_opens_the_curtain(tmp_path):
    people = struck(tmp_path)
    people.press("look")
    assert people.screen.player == 1
    people.vm.hold(2)
    people.wait(1)
    assert people.screen.card is None


def test_the_panel_button_of_the_one_asked_leads_there_at_once(tmp_path):
    people = struck(tmp_path)
    people.vm.panel("player2", True)
    people.wait(0.5)
    assert people.screen.card.title == "Bo: a shark at I9"
    people.vm.panel("player2", False)
    assert people.screen.card is None


def test_a_creature_on_the_wrong_hex_goes_back_before_anybody_has_looked(tmp_path):
    people = struck(tmp_path)
    assert people.screen.undo.enabled
    people.press("undo")
    assert isinstance(people.screen, TurnScreen)
    assert people.session.position.layout().at(at("J9")).sharks == 1
    people.touch(at("J9"))
    assert people.lit("chosen") == {at("J9")}


def test_once_one_has_begun_to_look_nothing_is_taken_back_and_nobody_leaves(tmp_path):
    people = struck(tmp_path)
    ask(people)
    assert isinstance(people.screen, DefenceScreen)
    assert (people.screen.undo, people.screen.menu) == (None, None)
    people.press("undo", "menu")
    people.vm.panel("undo", True)
    people.vm.panel("undo", False)
    assert people.state.dialog is None
    assert people.session.position.phase == "reaction"


def test_from_the_question_to_the_menu_and_back_everybody_is_still_asked(tmp_path):
    people = struck(tmp_path)
    before = people.screen
    people.press("menu", "settings", "back")
    assert people.screen == before
    people.press("menu", "home", "continue")
    assert people.screen == before


def test_the_time_left_shows_on_the_card_alone(tmp_path):
    people = struck(tmp_path)
    people.settle()
    people.vm.press("look")
    hidden = people.screen
    people.vm.hold(1)
    people.wait(3)
    assert people.screen.card.left == pytest.approx(0.75, abs=0.01)
    people.vm.let_go(1)
    assert people.screen == hidden


def test_public_screens_do_not_depend_on_hands_or_answers(tmp_path):
    """9.3, as a sequence of everything that is shown while nobody holds, up to the result."""
    shown = []
    for i, (hands, answers) in enumerate(
        (
            (NO_HANDS, ()),
            (((), ("shark_defence",), ()), ()),
            (((), (), ("shark_defence",)), ("let",)),
            (((), ("dolphin",), ()), ("play",)),
        )
    ):
        states = []
        people = struck(tmp_path / str(i), hands)
        people.vm.subscribe(lambda state, states=states: states.append(state))
        ask(people, *answers)
        public = [state for state in states if getattr(state.screen, "card", None) is None]
        shown.append([state for state in public if isinstance(state.screen, DefenceScreen | SecretScreen)])
    assert shown[0] == shown[1] == shown[2] == shown[3]


def test_a_whale_threatens_passengers(tmp_path):
    threat = {"creature": "whale", "hex": list(at("K7")), "asked": [1], "resume": "creature"}
    sea = {"E8": {"tile": "forest", "explorers": {"red": 1}}, "K7": {"boat": {"blue": 1}, "whales": 1}}
    people = on_with(tmp_path, position(sea, phase="reaction", die="whale", threat=threat))
    assert people.screen.title == "A whale at K7"
    assert people.screen.sentence == "Bo, your boat is in danger. You are asked in secret."
    card = ask(people)
    assert card.text == "An explorer of yours is in the boat there. You hold no whale defence."
    assert people.screen.lines[0].text == "The whale upset the boat at K7; now swimming: Bo 1"


def disk_that_is_full_after(journal, good: int):
    """An `append` that keeps so many entries and refuses the next ones."""
    append, kept = journal.append, []

    def full(*args, **more):
        if len(kept) == good:
            raise JournalError("full", "The disk is full.")
        kept.append(args)
        return append(*args, **more)

    return full


@pytest.mark.parametrize("good", [0, 1])
def test_answers_that_a_full_disk_refuses_are_kept_and_tried_again(tmp_path, monkeypatch, good):
    people = struck(tmp_path, ((), (), ("shark_defence",)))
    ask(people, "let")
    monkeypatch.setattr(people.vm.journal, "append", disk_that_is_full_after(people.vm.journal, good))
    ask(people, "play")
    assert people.state.dialog.text == "The disk is full."
    screen = people.screen
    assert isinstance(screen, DefenceScreen)
    assert {line.figure for line in screen.asked} == {"asked"}
    assert (screen.primary.text, screen.primary.enabled) == ("All have answered", False)
    assert people.vm.leds() == (False,) * 4
    people.press("close")
    people.vm.hold(2)
    people.wait(RETRY_S)
    people.vm.let_go(2)
    assert people.state.dialog.text == "The disk is full.", "it was tried again"
    monkeypatch.undo()
    people.press("close")
    people.wait(RETRY_S)
    assert isinstance(people.screen, TurnScreen)
    assert people.screen.lines[0].text == "Olena played: Shark defence"


def test_the_answers_of_a_threat_that_was_taken_back_do_not_count_for_the_next(tmp_path):
    people = struck(tmp_path, ((), ("shark_defence",), ()))
    ask(people, "play")
    people.session.undo()
    people.wait(0.25)
    people.touch(at("J9"))
    people.touch(at("I9"))
    assert [line.figure for line in people.screen.asked] == ["now", "next"]
