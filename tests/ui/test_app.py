"""The program's frame: Kivy's environment, the window, the clock and the keyboard, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from screen_samples import samples
from viewmodel.scenes import on_with, position
from viewmodel.test_turn_creature import SEA

from companion.ui import environment, fonts
from companion.ui.root import CompanionRoot
from companion.ui.snapshot import StillLife

ROOT = Path(__file__).parents[2]
SAMPLES = samples()

RUN = """
import sys
import msgspec
sys.path.insert(0, sys.argv[1])
from screen_samples import samples
from companion.ui.app import run
from companion.ui.snapshot import StillLife
from companion.viewmodel.states import Display

class Ticked(StillLife):
    times = []
    def tick(self, now):
        self.times.append(now)

state = samples()["04a_turn"]
view_model = Ticked(msgspec.structs.replace(state, display=Display(rotation=90)))
keys = []

def on_tick():
    from kivy.app import App
    from kivy.core.window import Window
    if len(view_model.times) == 2:
        for _ in range(3):  # a held key repeats
            Window.dispatch("on_key_down", 49, 0, "1", [])
        Window.dispatch("on_key_up", 49, 0)
    if len(view_model.times) == 3:
        root = App.get_running_app().root
        print(list(root.size), [round(c) for c in (root.page.width, root.page.height)], keys)
        App.get_running_app().stop()

run(view_model, size=(1280, 720), on_tick=on_tick, keyboard=lambda key, down: keys.append((key, down)))
print(view_model.times == sorted(view_model.times))
"""


def alone(code: str, *args: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process without a display."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith("KIVY")} | {"SDL_VIDEODRIVER": "offscreen"}
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        cwd=ROOT, env=variables | more, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_the_program_runs_turned_and_ticks_and_hears_each_key_once(tmp_path: Path) -> None:
    done = alone(RUN, str(Path(__file__).parent), HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[1280, 720] [853, 480] [('1', True), ('1', False)]", "True"]
    written = {path.name for path in tmp_path.iterdir()} - {".cache"}  # Mesa's shaders, the system's business
    assert written == set(), "nothing may be written into the home"


def test_kivy_imported_before_its_environment_is_an_error() -> None:
    done = alone("import kivy; from companion.ui import environment; environment.prepare()")
    assert "was imported before" in done.stderr


def test_only_one_provider_reads_the_touchscreen() -> None:
    environment.prepare()
    from kivy.config import Config

    assert dict(Config.items("input")) == {"mouse": "mouse,disable_multitouch"}
    assert os.environ["SDL_TOUCH_MOUSE_EVENTS"] == "0"


def test_a_missing_type_face_is_named_with_its_package_and_replaced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    away = {face: source._replace(file=tmp_path / "none.ttf") for face, source in fonts._SOURCES.items()}
    monkeypatch.setattr(fonts, "_SOURCES", away)
    found = fonts.register.__wrapped__()
    said = capsys.readouterr().err
    monkeypatch.undo()
    fonts.register.__wrapped__()
    assert all(path.is_file() for path in found.values())
    assert said.count("sudo apt install") == 2
    assert "fonts-lato" in said
    assert "fonts-vollkorn" in said


def test_another_window_size_draws_the_same_state_again(show: Any) -> None:
    root, _, _ = show(SAMPLES["04a_turn"])
    before = root.screen.widgets["done"].part
    root._resize((1280, 720))
    assert root.scene.scale == 1.5
    assert root.screen.widgets["done"].part.box.right > before.box.right


def test_widgets_of_equal_parts_are_not_drawn_again(show: Any) -> None:
    root, view_model, _ = show(SAMPLES["04a_turn"])
    drawn: list[str] = []
    for key, widget in root.screen.widgets.items():
        widget.changed = lambda _before, key=key: drawn.append(key)
    view_model.publish(SAMPLES["04b_turn_explorer"])
    assert sorted(drawn) == ["board", "lines", "words"]


def test_still_life_is_a_view_model() -> None:
    still = StillLife(SAMPLES["04a_turn"])
    still.subscribe(lambda _state: None)()
    assert still.state is SAMPLES["04a_turn"]


def test_the_die_tumbles_for_a_new_roll_and_for_no_other_change(show: Any, passes: Any) -> None:
    import msgspec

    root, view_model, _ = show(SAMPLES["06_roll_shark"])
    die = root.screen.widgets["die"]
    assert die._event is None
    screen = msgspec.structs.replace(SAMPLES["06_roll_shark"].screen, sentence="Otherwise the same.")
    view_model.publish(msgspec.structs.replace(SAMPLES["06_roll_shark"], screen=screen))
    assert die._event is None
    again = msgspec.structs.replace(screen, die=msgspec.structs.replace(screen.die, serial=screen.die.serial + 1))
    view_model.publish(msgspec.structs.replace(SAMPLES["06_roll_shark"], screen=again))
    assert die._event is not None
    passes(1.0)
    assert die._event is None


def test_a_roll_in_a_game_is_seen_to_tumble_and_a_game_gone_on_with_shows_it_lying(tmp_path: Path, passes: Any) -> None:
    people = on_with(tmp_path, position(SEA, players=3, phase="roll"), 3)
    root = CompanionRoot(people.vm, (800, 480))
    assert root.screen.widgets["die"]._event is None, "it waits to be rolled"
    people.settle()
    people.vm.press("roll")
    die = root.screen.widgets["die"]
    assert die._event is not None, "it rolls"
    box = die.part.box
    passes(1.0)
    assert die._event is None
    assert "words" not in root.screen.widgets
    people.settle()
    assert "words" in root.screen.widgets
    assert die.part.box == box, "it lies where it tumbled"
    people.press("undo", "agree:0", "agree:1", "agree:2")
    assert die._event is None, "what is taken back does not roll"
    people.vm.press("roll")
    assert die._event is not None, "another roll"
    people.settle()
    assert die._event is None, "what it means is told: it lies"
    root.close()

    again = CompanionRoot(people.vm, (800, 480))
    assert again.screen.widgets["die"]._event is None, "it has fallen already"
    again.close()


def test_where_no_window_can_be_made_the_packages_are_named() -> None:
    done = alone("from companion.ui.snapshot import offscreen; offscreen()", KIVY_WINDOW="egl_rpi")
    assert done.returncode != 0
    assert "sudo apt install libegl1" in done.stderr
