"""The development sequences, their true layouts seen by a good recogniser: all pictures are understood."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from companion.rules import decode_position
from companion.rules.layout import decode_layout
from companion.table import Contradiction, Follower, Settled, Waiting
from companion.table.facts import decode_facts
from companion.table.track import TrackedGame
from tests.table.helpers import BOARD, Camera

SHARED = Path(os.environ.get("ATLANTIS_SHARED", Path(__file__).parents[3] / "shared"))
SEQUENCES = sorted(p.parent for p in (SHARED / "vision" / "sequences").glob("*/position.json"))


@pytest.mark.skipif(not SEQUENCES, reason="the recognition set's sequences are not beside the checkout")
@pytest.mark.parametrize("folder", SEQUENCES, ids=lambda folder: folder.name)
def test_a_sequence_is_understood_from_its_true_layouts(folder: Path) -> None:
    sheet = TrackedGame(decode_position(json.loads((folder / "position.json").read_text())))
    given = decode_facts((folder / "given.jsonl").read_text())
    follower, camera = Follower(sheet, agreeing=1, patience=1), Camera(1, doubt=0.0)
    follower.give(())
    pictures = sorted(folder.glob("p[0-9]*.json"))
    assert len(pictures) > 6
    for file in pictures:
        picture = json.loads(file.read_text())
        truth, layout = picture["truth"], decode_layout(picture["layout"], BOARD)
        hidden = {tuple(h): "hand" for h in picture.get("occluded", ())}
        follower.give(given.get(f"{file.stem}.jpg", ()))
        state = follower.see(camera.look(layout, hidden=hidden))
        match truth["status"]:
            case "explained":
                assert isinstance(state, Settled), (file.name, state)
                assert sheet.position.layout() == layout, file.name
            case "contradiction":
                assert isinstance(state, Contradiction), (file.name, state)
                assert state.rule == truth["rule"]
                assert sorted(state.hexes) == sorted(tuple(h) for h in truth["hexes"])
            case "waiting":
                also = "contradiction" in truth.get("also", ())
                assert isinstance(state, Waiting) or (also and isinstance(state, Contradiction)), (file.name, state)
