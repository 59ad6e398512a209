"""The development sequences, their true layouts seen by a good recogniser: what the pictures show is understood.

Pictures that need a tile's back as a given fact are stepped over: the session deals that itself.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from companion.rules import apply, decode_action, decode_position
from companion.rules.layout import decode_layout
from companion.table.reconcile import Contradiction, Explained, reconcile
from tests.table.helpers import BOARD, Camera

SHARED = Path(os.environ.get("ATLANTIS_SHARED", Path(__file__).parents[3] / "shared"))
SEQUENCES = sorted(p.parent for p in (SHARED / "vision" / "sequences").glob("*/position.json"))


@pytest.mark.skipif(not SEQUENCES, reason="the recognition set's sequences are not beside the checkout")
@pytest.mark.parametrize("folder", SEQUENCES, ids=lambda folder: folder.name)
def test_a_sequence_is_understood_from_its_true_layouts(folder: Path) -> None:
    position = decode_position(json.loads((folder / "position.json").read_text()))
    camera = Camera(1, doubt=0.0)
    judged = 0
    for file in sorted(folder.glob("p[0-9]*.json")):
        picture = json.loads(file.read_text())
        truth = picture["truth"]
        layout = decode_layout(picture["layout"], BOARD)
        actions = [decode_action(a) for a in truth["actions"]]
        given = {fact["type"] for fact in picture["given"]}
        if truth["status"] == "explained" and not any(a["type"] == "sink_tile" for a in truth["actions"]):
            if given:
                position = apply(position, actions.pop(0)).position
            verdict = reconcile(position, [camera.look(layout)])
            assert isinstance(verdict, Explained), (file.name, verdict)
            here = position
            for action in verdict.actions:
                here = apply(here, action).position
            assert here.layout() == layout, file.name
            judged += 1
        elif truth["status"] == "contradiction":
            verdict = reconcile(position, [camera.look(layout)])
            assert isinstance(verdict, Contradiction), (file.name, verdict)
            assert verdict.rule == truth["rule"]
            assert sorted(verdict.hexes) == sorted(tuple(h) for h in truth["hexes"])
            judged += 1
        for action in actions:
            position = apply(position, action).position
    assert judged >= 6
