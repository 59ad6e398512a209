"""`companion play`: the touchscreen, or where there is no screen the simulated game in the terminal."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time

import msgspec

from companion.cli import devices
from companion.cli.arguments import size
from companion.cli.devices import CameraChoiceError
from companion.cli.export import ExportError, export_from_screen
from companion.cli.machine import ThisMachine
from companion.faults import Fault
from companion.i18n import N_, LanguageError, set_language
from companion.settings import Folders, Settings, SettingsError, folders, keep_setting, load_settings, mend_settings
from companion.table.errors import TableError
from companion.table.journal import Journal
from companion.ui.environment import NoWindowError
from companion.viewmodel.app import AppViewModel
from companion.watch.link import FollowingError, WatchedCalibration, WatchedTable
from companion.watch.messages import WatchPlan
from companion.watch.thinking import SWITCH_S
from companion.watch.watcher import Watcher
from hardware.display import Display, DisplayError, open_backlight
from hardware.panel import PLAYERS, HardwareError, Panel
from hardware.panel.keyboard import KeyboardPanel
from hardware.panel.patient import PatientPanel
from hardware.power import open_power
from hardware.watchdog import Watchdog

ERRORS: tuple[type[Exception], ...] = (
    CameraChoiceError,
    LanguageError,
    NoWindowError,
    SettingsError,
    TableError,
    FollowingError,
    HardwareError,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Camera, screen."""
    devices.add_camera_arguments(parser)
    parser.add_argument("--terminal", action="store_true", help="the terminal's game, even where there is a screen")
    parser.add_argument("--size", metavar="WxH", type=size, default=(800, 480), help="of the window, in px (800x480)")
    parser.add_argument("--rotation", type=int, choices=(0, 90, 180, 270), help="of the screen, in degrees")
    parser.add_argument("--fullscreen", action="store_true", default=None, help="fill the screen")


def run(args: argparse.Namespace) -> int:
    """Play until the window is closed or the terminal's game is over."""
    if args.every is not None and args.pictures is None:
        args.wrong_usage("--every goes with --pictures")
    if args.calibration is not None and args.simulate:
        args.wrong_usage("the simulated table brings its calibration: --calibration goes with a camera or --pictures")
    where = folders()
    driver = None if args.terminal else devices.screen()
    settings, damage = (load_settings(where.settings), None) if driver is None else mend_settings(where.settings)
    set_language(settings.language)
    plan, line = devices.plan(args, settings, where)
    if driver is not None:
        os.environ["SDL_VIDEODRIVER"] = driver
        if driver == "kmsdrm" and (card := devices.card()) is not None:
            os.environ.setdefault("SDL_KMSDRM_DEVICE_INDEX", str(card))
        print(line, file=sys.stderr)
        return _play_on_screen(args, where, settings, plan, light=_light_of_the_screen(driver), damage=damage)
    if args.pictures or args.camera:
        raise CameraChoiceError("The terminal's game has a table of its own: --pictures and --camera need a screen.")
    if not args.terminal:
        print("No screen here: playing the simulated game in the terminal.", file=sys.stderr)
    from companion.cli.terminal import play_in_terminal

    return play_in_terminal(args.seed)


def _play_on_screen(
    args: argparse.Namespace,
    where: Folders,
    settings: Settings,
    plan: WatchPlan,
    *,
    light: Display | None,
    damage: Fault | None,
) -> int:
    """`damage`: what was wrong with the settings. Whatever cannot be used at the start is said on the screen."""
    from companion.ui import app

    sys.setswitchinterval(SWITCH_S)
    preferences = settings.preferences
    if args.rotation is not None:  # for this run; what is kept stays
        preferences = msgspec.structs.replace(preferences, rotation=args.rotation)
    machine = ThisMachine(where, light=light, power=open_power(), close=app.close)
    with (
        devices.panel(settings) as panel,
        devices.speaker(settings) as speaker,
        Watcher(plan, now=time.monotonic()) as watcher,
        contextlib.ExitStack() as closing,
    ):
        table = WatchedTable(watcher)
        view_model = AppViewModel(
            lambda: Journal(where.journal),
            table=table,
            preferences=preferences,
            defaults=settings.last_table,
            keep=lambda name, value: keep_setting(where.settings, name, value),
            calibration=WatchedCalibration(table, watcher),
            panel=devices.panel_name(settings) == "gpio",
            machine=machine,
            exporter=lambda game_id: export_from_screen(view_model.journal, game_id, where.data),
            play_sound=lambda sound, volume: speaker.play(sound, volume / 100),
            faults=(SettingsError, ExportError, HardwareError),
        )
        closing.callback(view_model.close)
        if damage is not None:
            view_model.fault(damage, N_("The settings were damaged"))
        keyboard = KeyboardPanel()
        watchdog = Watchdog()
        lost_panel = LostPanel(panel, view_model)

        def tick() -> None:
            now = time.monotonic()
            try:
                table.poll(now)
            except TableError as error:  # a move that could not be recorded; the next picture tries again
                view_model.fault(error)
            except FollowingError as error:
                view_model.watch_no_longer(error)
            watchdog.ready()
            watchdog.beat(now)
            for event in (*panel.poll(), *keyboard.poll()):
                view_model.panel(event.button, event.pressed)
            _light(panel, view_model.leds())
            lost_panel.tell()
            speaker.poll()

        def key(name: str, pressed: bool) -> None:
            if not keyboard.feed(name, pressed) and name == "n" and pressed:
                table.next_picture()

        app.run(
            view_model,
            size=args.size,
            fullscreen=settings.fullscreen if args.fullscreen is None else args.fullscreen,
            on_tick=tick,
            keyboard=key,
        )
        watchdog.stopping()
        machine.shine(view_model.household.preferences.brightness)  # it may be dimmed
    return 0


class LostPanel:
    """Tells people once that there are no buttons, and takes it back when there are again."""

    def __init__(self, panel: PatientPanel, view_model: AppViewModel) -> None:
        self._panel = panel
        self._view_model = view_model
        self._told = False

    def tell(self) -> None:
        """Called again and again; only a change is told."""
        lost = self._panel.fault is not None
        if lost and not self._told:
            self._view_model.fault(devices.NO_BUTTONS)
        if self._told and not lost:
            self._view_model.mended(devices.NO_BUTTONS)
        self._told = lost


def _light_of_the_screen(driver: str) -> Display | None:
    """Only where the screen is ours alone: a window on a desktop leaves the desktop's light as it is."""
    if driver != "kmsdrm":
        return None
    try:
        return open_backlight()
    except DisplayError as error:
        print(error, file=sys.stderr)
        return None


def _light(panel: Panel, lamps: tuple[bool, ...]) -> None:
    for player, on in zip(PLAYERS, lamps, strict=True):
        panel.set_led(player, on)
