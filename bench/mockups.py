"""Every drawn screen beside its mock-up, for the eye: `./deploy/bench mockups` writes `docs/mockups.jpg`.

The games differ in what lies where and in whose turn it is; what is to be compared is the hand.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from bench.shared import shared
from companion.scenes.catalogue import SCENES
from companion.ui.snapshot import offscreen, snapshot

OUT = Path(__file__).parents[1] / "docs" / "mockups.jpg"
SIZE = 400, 240
GAP = 6
SIDE_BY_SIDE = 2


class Pair(NamedTuple):
    """A mock-up and the scene in its place, in a language, on a screen of so many px."""

    drawn: str
    scene: str
    code: str = "en"
    size: tuple[int, int] = (800, 480)


PAIRS = (
    Pair("01_home", "01_home"),
    Pair("02a_new_game_players", "02a_players"),
    Pair("02b_new_game_rules", "02b_rules"),
    Pair("03a_setup_tiles", "03a_tiles"),
    Pair("03b_setup_explorers", "03b_explorers"),
    Pair("04a_turn", "04a_turn"),
    Pair("04b_turn_explorer", "04b_turn_explorer"),
    Pair("04c_turn_sink", "04c_turn_sink"),
    Pair("04d_turn_creature", "04d_turn_creature"),
    Pair("04e_turn_camera_lost", "04e_turn_camera_lost"),
    Pair("04f_turn_1280x720", "04a_turn", "en", (1280, 720)),
    Pair("04g_turn_ru", "04a_turn", "ru"),
    Pair("04h_turn_question", "04h_turn_question"),
    Pair("04i_undo_dialog", "04i_undo_dialog"),
    Pair("05a_contradiction", "05a_contradiction"),
    Pair("05b_contradiction_ru", "05a_contradiction", "ru"),
    Pair("06_roll", "06_roll_shark"),
    Pair("07a_secret_hidden", "07a_secret_hidden"),
    Pair("07b_secret_held", "07b_secret_held"),
    Pair("07c_hand_held", "07c_hand_held"),
    Pair("08a_defence_asked", "08a_defence_asked"),
    Pair("08b_defence_held", "08b_defence_held"),
    Pair("09a_score_values", "09a_score_values"),
    Pair("09b_score_podium", "09b_score_podium"),
    Pair("10a_games", "10a_games"),
    Pair("10b_replay", "10b_replay"),
    Pair("11_calibrate", "11b_covered"),
    Pair("12_settings", "12c_settings_screen"),
)
"""In the order of the screens."""


def main() -> None:
    """Draw the scenes, lay each beside its mock-up, and say where the picture is."""
    folder = shared() / "ui" / "mockups"
    if not folder.is_dir():
        print("The mock-ups are not at hand; set ATLANTIS_SHARED to the folder that holds `ui`.")
        return
    offscreen()
    scenes = {scene.name: scene for scene in SCENES}
    with tempfile.TemporaryDirectory() as made:
        pictures = []
        for pair in PAIRS:
            path = Path(made) / f"{pair.drawn}.png"
            snapshot(scenes[pair.scene].state(pair.code), pair.size, path)
            pictures.append((_picture(folder / f"{pair.drawn}.png"), _picture(path)))
    sheet(pictures).save(OUT, quality=65, optimize=True)
    print(f"{len(pictures)} mock-ups, each with its screen at the right: {OUT}")


def sheet(pictures: list[tuple[Image.Image, Image.Image]]) -> Image.Image:
    """All pairs, two side by side."""
    wide, high = 2 * SIZE[0] + 3 * GAP, SIZE[1] + 2 * GAP
    rows = -(-len(pictures) // SIDE_BY_SIDE)
    whole = Image.new("RGB", (SIDE_BY_SIDE * wide, rows * high), "white")
    for i, pair in enumerate(pictures):
        x, y = i % SIDE_BY_SIDE * wide + GAP, i // SIDE_BY_SIDE * high + GAP
        for j, picture in enumerate(pair):
            whole.paste(picture, (x + j * (SIZE[0] + GAP), y))
    return whole


def _picture(path: Path) -> Image.Image:
    return Image.open(path).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
