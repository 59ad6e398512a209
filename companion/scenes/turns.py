"""4 to 6: the turn in each phase and with each thing chosen, what the camera adds to it, the roll, the end."""

from __future__ import annotations

import importlib.resources
from collections.abc import Callable, Mapping
from typing import Any

from companion.rules import Position
from companion.rules.actions import MoveBoat, MoveExplorer, Place
from companion.rules.geometry import Hex
from companion.scenes.games import at_home, going_on, midgame
from companion.scenes.people import People
from companion.scenes.positions import Hexes, at, position
from companion.scenes.scene import (
    BOARD_RIGHT,
    ENDED,
    LETTERS,
    SILENT,
    Scene,
    at_once,
    camera,
    look,
    lost,
    press,
    seen,
    touch,
)
from companion.table.chores import Chore
from companion.table.errors import JournalError
from companion.table.follow import Waiting
from companion.table.reconcile import Candidate, Contradiction, Question
from companion.viewmodel.cutout import Cutout
from companion.viewmodel.table_link import Seeing, Starting

DONE, SINK, ROLL = press("done"), press("sink"), press("roll")


def small(hexes: Hexes, **more: Any) -> Callable[[], Position]:
    """A few hexes, for two."""
    return lambda: position(hexes, **more)


# 4. The turn, phase by phase

_HAND = ("dolphin", "wind", "move_serpent", "shark_defence")
_SEA: Hexes = {
    "E8": {"tile": "forest", "explorers": {"red": 1}},
    "H5": {"tile": "forest", "explorers": {"blue": 1}},
    "K7": {"explorers": {"red": 1}},
    "J9": {"sharks": 1},
    "L8": {"boat": {"red": 1}},
    "C3": {"serpents": 1},
    "G6": {"serpents": 1},
}
_SHUT_IN: Hexes = {
    **{label: {"tile": "forest"} for label in ("F6", "F7", "G5", "G7", "H6", "H7")},
    "G6": {"serpents": 1}, "E9": {"explorers": {"red": 1}},
}  # fmt: skip
_FULL = JournalError(
    "full", "The disk is full: nothing was recorded and nothing has changed. Free some space, then do the step again."
)
"""As the store says it, in a sentence of the catalogues."""

HOLDING = going_on(small(_SEA, phase="play_tile", hands=(_HAND, ())))
_BOTH: Hexes = {"K7": {"explorers": {"red": 1, "yellow": 1}, "boat": {"red": 1, "yellow": 1}}, "H5": {"tile": "forest"}}
_TWO_DOLPHINS: Mapping[str, Any] = {"two_colours": True, "phase": "play_tile", "hands": (("dolphin",), ())}
_FULL_BEACH: Hexes = {
    "F8": {"tile": "beach", "explorers": {"red": 2, "blue": 2}},
    "F7": {"tile": "beach"},
    "H5": {"tile": "forest"},
}
_LANDING: Hexes = {"B1": {"explorers": {"red": 1}}, "C3": {"boat": {"red": 2}}, "H5": {"tile": "beach"}}
_SWUM: Mapping[str, Any] = {"swum": [{"hex": list(at("E9")), "on": "boat", "colour": "red", "count": 1}]}
_TWO_ABOARD: Hexes = {"E9": {"boat": {"red": 2}}, "E10": {"boat": {}}, "H5": {"tile": "beach"}}
_ONE_INLAND: Hexes = {
    **{label: {"tile": "forest"} for label in ("D6", "D7", "E6", "E8", "F7")},
    "E7": {"tile": "beach", "explorers": {"red": 1}}, "F8": {"tile": "beach"}, "H5": {"tile": "mountain"},
}  # fmt: skip

TURN = (
    Scene("04_tile", HOLDING),
    Scene("04_tile_played", HOLDING, press("choose"), look("play:dolphin")),
    Scene("04_tile_target", HOLDING, press("choose"), look("play:dolphin"), touch("K7")),
    Scene("04_tile_which_colour", going_on(small(_BOTH, **_TWO_DOLPHINS)), press("choose"), look("play:dolphin"),
          touch("K7", "L7")),
    Scene("04a_turn", midgame()),
    Scene("04a_turn_long_names", midgame(cast="long")),
    Scene("04a_turn_letters", midgame(), press("menu", *LETTERS)),
    Scene("04a_turn_board_right", midgame(), press("menu", *BOARD_RIGHT)),
    Scene("04a_turn_all_pieces", midgame(), press("cell:move")),
    Scene("04b_turn_explorer", midgame(), touch("E8")),
    Scene("04b_turn_loupe", midgame(), touch("E8"), finger="F8"),
    Scene("04b_turn_swimmer", midgame(), touch("D3")),
    Scene("04b_turn_which", midgame(), touch("E9")),
    Scene("04b_turn_aboard", midgame(), touch("E9"), press("piece:0")),
    Scene("04b_turn_boat", midgame(), touch("E9"), press("piece:1")),
    Scene("04b_turn_which_of_many", going_on(small(_BOTH, two_colours=True)), touch("K7")),
    Scene("04b_turn_how", going_on(small({**_SEA, "D8": {"boat": {}, "serpents": 1}})), touch("E8", "D8")),
    Scene("04b_turn_who_has_swum", going_on(small(_TWO_ABOARD, **_SWUM)), touch("E9"), press("piece:0"), touch("E10")),
    Scene("04b_turn_ashore", going_on(small(_LANDING)), touch("B1")),
    Scene("04c_turn_sink", midgame(), DONE),
    Scene("04c_turn_sink_chosen", midgame(), DONE, touch("F8")),
    Scene("04c_turn_sink_why_not", midgame(), DONE, touch("G7")),
    Scene("04c_turn_sink_inland", going_on(small(_ONE_INLAND, phase="sink")), touch("E7")),
    Scene("04c_turn_put_off", midgame(), DONE, touch("F8"), SINK, press("not_now")),
    Scene("04c_turn_boarding", going_on(small(_FULL_BEACH, phase="sink", backs={"beach": {"boat": 1, "shark": 1}}),
                                       beach=("boat",)), touch("F8"), SINK, look()),
    Scene("04c_turn_roll", midgame(), DONE, touch("F8"), SINK, look()),
    Scene("04c_turn_roll_shark_came", midgame(back="shark"), DONE, touch("F8"), SINK, look()),
    Scene("04d_turn_creature", midgame(), DONE, touch("F8"), SINK, look(), ROLL, touch("J9")),
    Scene("04d_turn_leave", midgame("serpent"), DONE, touch("F8"), SINK, look(), ROLL, touch("C10")),
    Scene("04i_undo_dialog", midgame(), DONE, touch("F8"), SINK, look(), ROLL, press("undo", "agree:0", "agree:1")),
    Scene("04i_undo_secret_dialog", midgame(), DONE, touch("F8"), SINK, look(), press("undo")),
    Scene("04i_undo_dialog_long_names", midgame(cast="long"), DONE, touch("F8"), SINK, look(),
          press("undo", "agree:2")),
    Scene("04j_menu", midgame(), press("menu")),
    Scene("04j_menu_practice", at_home(), press("practice", "menu")),
    Scene("04j_leave", midgame(cast="long"), press("menu", "new_game")),
    Scene("04j_whose_hand", midgame(), press("hand")),
    Scene("04j_whose_hand_letters", midgame(), press("menu", *LETTERS, "hand")),
    Scene("04j_whose_hand_long_names", midgame(cast="long"), press("hand")),
    Scene("04j_nobody_holds", going_on(small(_LANDING)), press("hand")),
    Scene("04j_fault", midgame(), lambda people: people.vm.fault(_FULL)),
)  # fmt: skip

# 4 and 5. What the camera adds


def _red(origin: str, target: str) -> MoveExplorer:
    return MoveExplorer(colour="red", origin=Place(hex=at(origin), on="tile"), target=Place(hex=at(target), on="tile"))


def _sailed(origin: str, target: str) -> MoveBoat:
    return MoveBoat(origin=at(origin), target=at(target))


_ASKED = Question(
    (
        Candidate((_red("D7", "E7"),), 0.6, (at("D7"),)),
        Candidate((_red("E8", "E7"), _red("E6", "E7")), 0.4, (at("E8"),)),
    ),
    (at("D7"), at("E8")),
)
_ASKED_OF_THREE = Question(
    (
        Candidate((_red("D7", "E7"), _sailed("F9", "F10")), 0.5, (at("D7"),)),
        Candidate((_red("D7", "E7"), _sailed("F9", "G10")), 0.3, (at("D7"),)),
        Candidate((_red("D7", "E7"),), 0.2, (at("D7"),)),
    ),
    (at("D7"), at("F9")),
)
_BACK_TO_SEA = Chore(do="put", piece="explorer", colour="red", hex=at("D3"), on="sea", origin_hex=at("D4"))
_TAKE_SHARK = Chore(do="take", piece="shark", hex=at("G6"))
_PUT_TILE = Chore(do="put", piece="tile", terrain="forest", hex=at("G7"), origin_hex=at("G6"))
_INTO_BOAT = Chore(do="put", piece="explorer", colour="blue", hex=at("E9"), on="boat", origin_hex=at("D8"))


def _hexes(labels: str) -> tuple[Hex, ...]:
    return tuple(map(at, labels.split()))


def _by_hand(people: People) -> None:
    """An explorer was moved on the table, and read."""
    assert people.table is not None, "the game is watched"
    assert people.table.session is not None, "the game is watched"
    people.table.session.do(_red("E8", "F8"), "camera")
    people.wait(0.25)


_OUTLINES = tuple(
    ((x, 268.0), (x - 48, 295.0), (x - 96, 268.0), (x - 96, 212.0), (x - 48, 185.0), (x, 212.0)) for x in (320.0, 416.0)
)
"""D3 and D4 in the picture."""


def _the_picture(people: People) -> None:
    """What was asked for comes."""
    assert people.table is not None, "there is a camera"
    jpeg = importlib.resources.files("companion.scenes").joinpath("cutout.jpg").read_bytes()
    people.table.cutout = Cutout(jpeg=jpeg, size=(640, 480), outlines=_OUTLINES)
    people.wait(0.25)


_ASHORE = seen(Contradiction(_hexes("D3 D4"), "4.4", None, (_BACK_TO_SEA,)))

CAMERA = (
    Scene("04e_turn_camera_lost", midgame(), lost(SILENT, 4)),
    Scene("04e_turn_restarting", midgame(), lost(ENDED, 15)),
    Scene("04e_turn_starting", midgame(), camera(Starting(), waiting_s=4)),
    Scene("04e_turn_camera_lost_choosing", midgame(), lost(SILENT, 4), touch("E8")),
    Scene("04e_turn_hand", midgame(), seen(Waiting("hand", _hexes("F6 F7 G7 G8 F8")))),
    Scene("04e_turn_hand_long", midgame(), seen(Waiting("hand", _hexes("F6 F7 G7 G8 F8")), waiting_s=4)),
    Scene("04e_turn_not_found", midgame(), seen(Waiting("unregistered"), waiting_s=4)),
    Scene("04e_turn_blurred", midgame(), seen(Waiting("blurred"), waiting_s=4)),
    Scene("04e_turn_bumped", midgame(), camera(Seeing(bumped="either"))),
    Scene("04e_turn_chores", midgame(), seen(
        Waiting("chores", _hexes("G6 G7 D8"), (_PUT_TILE, _INTO_BOAT, _TAKE_SHARK)))),
    Scene("04e_turn_toast", midgame(), _by_hand),
    Scene("04h_turn_question", midgame(), seen(_ASKED)),
    Scene("04h_turn_question_of_three", midgame(), seen(_ASKED_OF_THREE)),
    Scene("05a_contradiction", midgame(), _ASHORE),
    Scene("05a_contradiction_several", midgame(), seen(
        Contradiction(_hexes("G6 G7 D8 E9"), "4.1", None, (_PUT_TILE, _INTO_BOAT, _TAKE_SHARK)))),
    Scene("05a_contradiction_lands", midgame(), seen(Contradiction((), "4.7", None, (
        Chore(do="take", piece="explorer", colour="green", land="nw", on=None),)))),
    Scene("05a_contradiction_plain", midgame(), seen(Contradiction(_hexes("H9"), None, None, (
        Chore(do="put", piece="tile", terrain="forest", hex=at("H9")),)))),
    Scene("05c_see_why", midgame(), _ASHORE, press("why"), _the_picture),
    Scene("05c_see_why_waiting", midgame(), _ASHORE, press("why")),
)  # fmt: skip

# 6. The roll

_DIVE = {"dive_dice": True}
_DIVING: Hexes = {
    "E8": {"tile": "forest", "explorers": {"red": 1}},
    "H5": {"tile": "forest", "explorers": {"blue": 1}},
    "J9": {"sharks": 1, "dolphins": 1},
    "L8": {"boat": {}},
    "C3": {"serpents": 1},
}
_CROWD: Hexes = {**_DIVING, "J9": {"dolphins": 1, "explorers": {"red": 2, "blue": 1}}, "J10": {"sharks": 1}}


def _dived(roll: str, hexes: Hexes = _DIVING) -> Callable[[], People]:
    return going_on(small(hexes, phase="roll", options=_DIVE), dice=(roll,))


ROLLS = (
    *(
        Scene(f"06_roll_{face}", midgame(face), DONE, touch("F8"), SINK, look(), ROLL)
        for face in ("serpent", "shark", "whale")
    ),
    Scene("06_roll_tumbling", midgame("shark"), DONE, touch("F8"), SINK, look(), at_once("roll")),
    Scene("06_roll_camera_lost", midgame(), DONE, touch("F8"), SINK, look(), lost(SILENT, 4)),
    Scene("06_roll_nothing", going_on(small(_SEA, phase="roll"), dice=("whale",)), ROLL),
    Scene("06_roll_shut_in", going_on(small(_SHUT_IN, phase="roll"), dice=("serpent",)), ROLL),
    Scene("06b_dive", _dived("shark 2")),
    Scene("06b_dive_shark_2", _dived("shark 2"), ROLL),
    Scene("06b_dive_serpent_dive", _dived("serpent D"), ROLL, touch("C3")),
    Scene("06b_dive_dolphin_3", _dived("dolphin 3"), ROLL),
    Scene("06b_dive_boat_1", _dived("boat 1"), ROLL),
    Scene("06b_dive_star_1", _dived("star 1"), ROLL),
    Scene("06b_dive_star_which", _dived("star 1"), ROLL, touch("J9")),
    Scene("06b_dive_nothing", _dived("whale 2"), ROLL),
    Scene("06b_dive_protect", _dived("shark 1", _CROWD), ROLL, touch("J10", "J9")),
)
