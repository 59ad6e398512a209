"""Stretches of random games, seen by a good recogniser: all that is done is told, all that is forbidden is named."""

from __future__ import annotations

import json

import pytest

from bench.stretches import Stretch
from companion.rules import apply
from companion.rules.actions import Action
from companion.rules.layout import decode_layout
from companion.table.facts import decode_facts
from companion.table.track import Tracker
from tests.table.helpers import BOARD, Camera
from tests.table.tracked import said

STRETCHES = range(1, 25)
HAND_MM = 60.0


@pytest.mark.parametrize("number", STRETCHES)
def test_a_stretch_of_play_is_followed(number: int) -> None:
    stretch = Stretch(number)
    pictures = list(stretch.pictures(12))
    given = {f"{i}": facts(picture["given"]) for i, picture in enumerate(pictures)}
    tracker, camera = Tracker(stretch.start, given), Camera(number, doubt=0.0)
    asked = 0
    for i, picture in enumerate(pictures):
        layout, truth = decode_layout(picture["layout"], BOARD), picture["truth"]
        state = tracker.see(f"{i}", camera.look(layout, hidden=under_the_hand(picture.get("hand_at"))))
        status, rule = said(state)
        if truth["status"] == "explained" and status == "question":
            asked += 1  # somebody went to where he was lost at once, or is in the air
            assert any(leads_to(tracker, candidate.actions, layout) for candidate in state.candidates), (i, state)
            continue
        assert status in (truth["status"], *truth.get("also", ())), (i, state)
        if truth["status"] == "explained":
            assert tracker.position.layout() == layout, (i, state)
        is_seen = "beyond_schema" not in picture  # of two boats the camera here sees one
        if truth["status"] == "contradiction" and is_seen:
            assert rule == truth["rule"], (i, state)
            assert {tuple(h) for h in truth["hexes"]} & set(state.hexes), (i, state)
    assert asked <= 1


def facts(given: list[dict[str, object]]) -> tuple[object, ...]:
    return decode_facts(json.dumps({"before": "it", "actions": given}))["it"]


def under_the_hand(at: tuple[float, float] | None) -> dict[tuple[int, int], str]:
    """The hexes near that point, mm."""
    if at is None:
        return {}
    middles = {h: BOARD.centre_mm(h) for h in BOARD.hexes}
    return {h: "hand" for h, (x, y) in middles.items() if abs(x - at[0]) + abs(y - at[1]) < HAND_MM}


def leads_to(tracker: Tracker, actions: tuple[Action, ...], layout: object) -> bool:
    position = tracker.position
    for action in actions:
        position = apply(position, action).position
    return position.layout() == layout
