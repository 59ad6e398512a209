"""Help where it is needed: the phase's line, a rule's number and a refused touch open the rule's card."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import companion.rules
import companion.table
from companion.table.follow import Settled
from companion.table.reconcile import Contradiction
from companion.viewmodel.buttons import pressable
from companion.viewmodel.help import pictures
from companion.viewmodel.help.card import RuleHelp, rule_of
from companion.viewmodel.help.rules import RULES
from companion.viewmodel.states import ContradictionScreen, RuleCard, SecretScreen, SetupScreen, TurnScreen
from companion.viewmodel.turn.panel import CELLS, RULE_OF_CELL
from viewmodel.fake_table import FakeTable
from viewmodel.people import Chance, at_table, table_of
from viewmodel.scenes import at, move_scene, on_with, position


def named_by(package) -> set[str]:
    """Every rule's number that stands in a package's code as a value of its own."""
    files = Path(package.__file__).parent.glob("*.py")
    trees = [ast.parse(file.read_text()) for file in files]
    strings = {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    illegal = {
        call.args[0].value
        for tree in trees
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "IllegalAction"
        if isinstance(call.args[0], ast.Constant)
    }
    return {text for text in strings if re.fullmatch(r"\d{1,2}\.\d{1,2}", text)} | illegal


def test_every_rule_that_the_engine_or_the_table_can_name_has_a_card():
    named = named_by(companion.rules) | named_by(companion.table)
    assert {"3", "4.4", "6.2", "13.4"} <= named, "the search finds them"
    assert named - set(RULES) == set()


def test_every_phase_has_a_card():
    assert set(RULE_OF_CELL) == {name for name, _icon in CELLS}
    assert set(RULE_OF_CELL.values()) <= set(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_every_card_has_a_picture_whose_ways_join_its_hexes(rule):
    picture = pictures.picture(rule)
    assert picture.hexes or picture.icons or picture.die
    places = {view.hex for view in picture.hexes} | set(picture.lands)
    for way in picture.ways:
        assert {way.origin, way.target} <= places
        dq, dr = way.target[0] - way.origin[0], way.target[1] - way.origin[1]
        assert max(abs(dq), abs(dr), abs(dq + dr)) == 1, "from a hex to the next"


def test_no_picture_is_without_a_card():
    assert set(pictures._DRAWINGS) == set(RULES)


@pytest.mark.parametrize("how", [{}, {"overpopulation": True, "last_survivor": True}, {"dive_dice": True}])
def test_through_a_whole_game_the_line_of_each_phase_opens_its_rule(tmp_path, how):
    people = at_table(tmp_path, 7, table_of(3, **how))
    people.start()
    chance = Chance(people, 7)
    seen: dict[str, str] = {}
    while True:
        screen = people.screen
        if isinstance(screen, TurnScreen | SetupScreen) and screen.help:
            seen[people.session.position.phase] = rule_of(screen.help.id) or ""
            people.press(screen.help.id)
            assert isinstance(people.state.dialog, RuleCard)
            assert people.state.dialog.rule == screen.help.text
            people.press("close")
            assert people.state.dialog is None
            assert people.screen == screen
        if not chance.step():
            break
    dive = "dive_dice" in how
    assert seen["place_explorers"] == ("12.1" if "overpopulation" in how else "2.3")
    assert seen["place_boats"] == "2.4"
    assert seen["move"] == "3.2"
    assert seen["sink"] == "3.3"
    assert seen["roll"] == ("13.2" if dive else "3.4")
    assert seen["creature"] == ("13.2" if dive else "7.2")
    assert set(seen.values()) <= set(RULES)


@pytest.mark.parametrize("phase", ["move", "sink", "roll"])
def test_the_cell_of_a_phase_opens_its_rule_unless_the_own_one_does_something(tmp_path, phase):
    people = on_with(tmp_path, position({"H5": {"tile": "beach", "explorers": {"red": 1}}}, phase=phase))
    at_table_now = people.screen
    for (name, _icon), cell in zip(CELLS, at_table_now.cells, strict=True):
        if name == phase and phase != "sink":
            assert cell.id == f"cell:{phase}"
            continue
        people.press(cell.id)
        assert isinstance(people.state.dialog, RuleCard)
        assert people.state.dialog.title == RULES[RULE_OF_CELL[name]].title
        people.press("close")
        assert people.screen == at_table_now


def test_the_number_of_a_contradiction_opens_the_rule_and_the_way_back_stays(tmp_path):
    table = FakeTable()
    people = on_with(tmp_path, move_scene(), table=table)
    table.state = Contradiction(hexes=(at("D7"),), rule="4.4", message="", way_back=())
    people.wait(0.5)
    assert isinstance(people.screen, ContradictionScreen)
    assert people.screen.strong == "Who has left the island never steps on a tile again."
    people.press(people.screen.rule.id)
    card = people.state.dialog
    assert (card.rule, card.title) == ("Rule 4.4", "No way back")
    table.state = Settled()
    people.wait(0.5)
    assert people.state.dialog == card, "it is read to the end, also when the table has been put right"
    people.press("close")
    assert isinstance(people.screen, TurnScreen)


@pytest.mark.parametrize(
    ("tile", "rule", "title"), [("E4", "6.1", "What sinks first"), ("F8", "6.2", "From the shore inwards")]
)
def test_a_refused_tile_opens_the_rule_that_keeps_it(tmp_path, tile, rule, title):
    ring = {label: {"tile": "beach"} for label in ("E7", "E8", "F7", "F8", "F9", "G7", "G8")}
    people = on_with(tmp_path, position({**ring, "E4": {"tile": "forest"}}, phase="sink"))
    people.touch(at(tile))
    line = next(line for line in people.screen.lines if line.id)
    people.press(line.id)
    assert (people.state.dialog.rule, people.state.dialog.title) == (f"Rule {rule}", title)


def test_a_card_opens_only_where_its_number_stands(tmp_path):
    people = on_with(tmp_path, position({"F8": {"tile": "beach"}}, phase="sink"))
    people.press("rule:4.4", "rule:no such")
    assert people.state.dialog is None
    people.touch(at("F8"))
    people.press("sink")
    assert isinstance(people.screen, SecretScreen)
    assert not [name for name, _on in pressable(people.screen) if rule_of(name)]
    people.press("rule:3.3")
    assert people.state.dialog is None


def test_ok_puts_the_card_away(tmp_path):
    people = on_with(tmp_path, position({"F8": {"tile": "beach"}}, phase="move"))
    people.press(people.screen.help.id)
    people.vm.panel("ok", True)
    people.vm.panel("ok", False)
    assert people.state.dialog is None
    assert people.screen.phase == "Move", "and does nothing else"


def test_a_card_says_what_the_rule_says():
    card = RuleHelp("7.3").state()
    assert card.rule == "Rule 7.3"
    assert card.sentence == "A shark stops at the first swimmer, a whale at the first boat with people in it."
