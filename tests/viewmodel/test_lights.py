"""What is lit is exactly what is legal: in every position of whole games, for every piece that can be chosen."""

from __future__ import annotations

import pytest

from companion.rules.actions import MoveBoat, MoveCreature, MoveExplorer, PlaceBoat, PlaceExplorer, SinkTile
from companion.viewmodel.states import SetupScreen, TurnScreen
from viewmodel.people import Chance, People, at_table, table_of


def lit(people: People) -> set:
    return people.lit("legal", "deadly")


def check_set_up(people: People) -> None:
    legal = people.session.legal()
    if people.screen.primary:
        return
    colour = people.screen.mark
    hexes = {a.hex for a in legal if isinstance(a, PlaceBoat) or (isinstance(a, PlaceExplorer) and a.colour == colour)}
    assert lit(people) == set(people.touchable()) == hexes


def check_moves(people: People) -> None:
    """Choose every piece in turn and compare its targets, then let go of it."""
    legal = [a for a in people.session.legal() if isinstance(a, MoveExplorer | MoveBoat)]
    start = people.screen
    for h in people.touchable():
        people.touch(h)
        choices = [b.id for b in people.screen.prompt if b.id.startswith("piece:")] or [None]
        for choice in choices:
            if choice:
                people.vm.touch_away()
                people.touch(h)
                people.press(choice)
            targets, lands = targets_of(people.screen.subtitle, h, legal)
            here = {h} if any(b.id.startswith("here:") for b in people.screen.prompt) else set()
            assert lit(people) | here == targets
            assert set(people.screen.board.legal_lands) == lands
        people.vm.touch_away()
        assert people.screen == start


def targets_of(name: str, h, legal) -> tuple[set, set]:
    if name.startswith("Boat"):
        return {a.target for a in legal if isinstance(a, MoveBoat) and a.origin == h}, set()
    on = "boat" if "boat" in name else "sea" if name.startswith("Swimmer") else "tile"
    own = [a for a in legal if isinstance(a, MoveExplorer) and a.origin.hex == h and a.origin.on == on]
    colours = {a.colour for a in own}
    assert len(colours) <= 1, "with one colour each"
    return {a.target.hex for a in own if a.target.hex}, {a.target.safe for a in own if a.target.safe}


def check_turn(people: People) -> None:
    phase = people.session.position.phase
    legal = people.session.legal()
    if phase == "move" and people.screen.phase == "Move" and not people.screen.subtitle and not people.screen.prompt:
        check_moves(people)
    elif phase == "sink" and people.screen.primary.id == "sink":
        assert people.lit("legal", "chosen") == {a.hex for a in legal if isinstance(a, SinkTile)}
    elif phase == "creature" and people.screen.phase == "Rolled" and people.screen.primary.id == "leave":
        moves = [a for a in legal if isinstance(a, MoveCreature)]
        assert lit(people) == {a.origin for a in moves}
        for origin in lit(people):
            people.touch(origin)
            assert lit(people) == {a.target for a in moves if a.origin == origin}
            people.vm.touch_away()


@pytest.mark.parametrize(("count", "seed"), [(2, 1), (4, 2)])
def test_the_lights_are_the_legal_actions(tmp_path, count, seed):
    people = at_table(tmp_path, seed, table_of(count))
    people.start()
    chance = Chance(people, seed)
    going = True
    while going:
        if isinstance(people.screen, SetupScreen):
            check_set_up(people)
        elif isinstance(people.screen, TurnScreen):
            check_turn(people)
        going = chance.step()
