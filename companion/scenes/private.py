"""7 and 8: what is for one player's eyes, shut and held; and the defence in public."""

from __future__ import annotations

from collections.abc import Callable

from companion.scenes.games import going_on, midgame
from companion.scenes.people import People
from companion.scenes.positions import position
from companion.scenes.scene import LETTERS, Scene, hold, look, press, touch
from companion.scenes.turns import DONE, HOLDING, ROLL, SINK, small

_SUNK = (DONE, touch("F8"), SINK)
_STRUCK = (*_SUNK, look(), ROLL, touch("J9", "I9"))
_UPSET = (*_SUNK, look(), ROLL, touch("J3", "H3"))
_ALL_KINDS = ("wind", "move_serpent", "move_shark", "move_whale", "dolphin", "shark_defence", "whale_defence")
_RICH = small(
    {"E8": {"tile": "forest", "explorers": {"red": 1}}, "F8": {"tile": "beach"}, "K7": {"explorers": {"red": 1}}},
    phase="play_tile",
    hands=((*_ALL_KINDS, "dolphin"), ()),
)


def _printed(terrain: str) -> Callable[[], People]:
    return going_on(
        lambda: position(
            {"F8": {"tile": terrain, "explorers": {"red": 1}}, "E9": {"boat": {}}}, phase="sink",
            options={"backs": "printed"}, backs={},
        )
    )  # fmt: skip


SECRETS = (
    Scene("07a_secret_hidden", midgame(), *_SUNK),
    Scene("07a_secret_hidden_long_names", midgame(cast="long"), *_SUNK),
    Scene("07b_secret_held", midgame(), *_SUNK, hold()),
    Scene("07b_secret_at_once", midgame(back="whale"), *_SUNK, hold()),
    Scene("07c_hand_held", midgame(), press("hand", "hand:1"), hold()),
    Scene("07c_hand_many", going_on(_RICH), press("hand", "hand:0"), hold()),
    Scene("07d_choose_hidden", HOLDING, press("choose")),
    Scene("07d_choose_held", HOLDING, press("choose"), hold()),
    Scene("07d_choose_held_many", going_on(_RICH), press("choose"), hold("play:move_shark", "play:dolphin")),
    *(
        Scene(f"07e_enter_{terrain}", _printed(terrain), touch("F8"), press("sink"), hold())
        for terrain in ("beach", "forest", "mountain")
    ),
    Scene("07e_enter_chosen", _printed("forest"), touch("F8"), press("sink"), hold("back:move_serpent")),
    Scene("08a_defence_asked", midgame(), *_STRUCK),
    Scene("08a_defence_asked_long_names", midgame(cast="long"), *_STRUCK),
    Scene("08a_defence_asked_letters", midgame(), press("menu", *LETTERS), *_STRUCK),
    Scene("08a_defence_asked_whale", midgame("whale"), *_UPSET),
    Scene("08b_defence_held", midgame(), *_STRUCK, press("look"), hold()),
    Scene("08b_defence_answered", midgame(), *_STRUCK, press("look"), hold("let")),
    Scene("08b_defence_held_whale", midgame("whale", cast="long"), *_UPSET, press("look"), hold("play")),
)
