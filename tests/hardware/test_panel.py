"""The button panel: wiring as data, debounce, hold, LEDs, and the keyboard that stands in for it."""

from __future__ import annotations

import itertools
import logging
from importlib.resources import files

import pytest
from gpiozero import LED, InputDevice
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from hardware.panel import BUTTONS, OPTIONAL, PLAYERS, Panel, PanelError, open_panel
from hardware.panel.debounce import Debouncer
from hardware.panel.gpio import SCAN_HZ, GpioPanel
from hardware.panel.keyboard import KeyboardPanel
from hardware.panel.patient import FIRST_RETRY_S, LAST_RETRY_S, PatientPanel
from hardware.panel.pins import load_pins

SETTLE = 20.0  # ms: the debouncer takes any unit, and whole numbers compare exactly


def pressed_at(samples):
    """The times and directions of the changes that a debouncer reports for (milliseconds, level) samples."""
    debouncer = Debouncer(SETTLE)
    return [(ms, debouncer.pressed) for ms, level in samples if debouncer.sample(level, ms)]


# --- debounce ---


def test_a_level_that_stays_counts_once():
    assert pressed_at([(0, False), (10, True), (20, True), (30, True), (40, True), (500, True)]) == [(30, True)]


def test_a_phantom_edge_does_not_count():
    assert pressed_at([(0, True), (5, False), (10, False), (15, True), (20, False)]) == []


def test_a_bouncing_contact_counts_from_its_last_bounce():
    bounces = [(0, True), (4, False), (8, True), (12, False), (16, True), (26, True), (36, True)]
    assert pressed_at(bounces) == [(36, True)]


def test_a_lost_edge_is_made_good_by_the_next_readings():
    assert pressed_at([(0, True), (20, True), (5000, False), (5020, False)]) == [(20, True), (5020, False)]


@pytest.mark.parametrize("mains_hz", [50, 60])
def test_a_wire_that_hums_with_the_mains_is_no_press(mains_hz):
    readings = [1000 * n / SCAN_HZ for n in range(1000)]
    for phase in range(10):
        assert pressed_at([(ms, (ms * mains_hz / 1000 + phase / 10) % 1 < 0.5) for ms in readings]) == []


@given(st.lists(st.tuples(st.integers(1, 30), st.booleans()), max_size=60))
def test_presses_and_releases_take_turns_whatever_the_contact_does(steps):
    now, samples = 0, []
    for step, level in steps:
        now += step
        samples.append((now, level))
    changes = [level for _, level in pressed_at(samples)]
    assert changes == [i % 2 == 0 for i in range(len(changes))]


# --- wiring ---


def test_the_default_wiring_names_every_button_and_led():
    pins = load_pins()
    assert set(pins.buttons) == set(BUTTONS)
    assert set(pins.leds) == set(PLAYERS)


def wiring(tmp_path, old="", new=""):
    text = (files("hardware.panel") / "pins.toml").read_text()
    assert old in text
    path = tmp_path / "pins.toml"
    path.write_text(text.replace(old, new, 1))
    return path


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("player2 = 6", "player2 = 5", r"GPIO 5 is given to both buttons\.player1 and buttons\.player2"),
        ("player4 = 25", "player4 = 27", r"GPIO 27 is given to both buttons\.roll and leds\.player4"),
        ("ok = 16", "okay = 16", r"buttons\.okay: there is no such name; there are player1, "),
        ("ok = 16\n", "", r"buttons\.ok is missing: add its pin"),
        ("ok = 16", "ok = 40", r"buttons\.ok = 40: there is no such pin, use GPIO 2 to 27"),
        ("ok = 16", 'ok = "GPIO16"', r"Expected `int`, got `str` - at `\$\.buttons"),
        ("settle_ms = 20", "settle_ms = 0", r"settle_ms = 0: use 1 to 200"),
        ("settle_ms = 20", "bounce = 20", r"unknown field `bounce`"),
        ("[leds]", "[leds", r"not TOML"),
        ("# buzzer = 12", "buzzer = 16", r"GPIO 16 is given to both buttons\.ok and buzzer"),
        ("# power = 4", "power = 1", r"buttons\.power = 1: there is no such pin"),
    ],
)
def test_a_wrong_pin_file_is_told_with_its_name_and_entry(tmp_path, old, new, told):
    path = wiring(tmp_path, old, new)
    with pytest.raises(PanelError, match=told) as e:
        load_pins(path)
    assert str(e.value).startswith(str(path))


def test_a_power_button_is_read_where_one_is_fitted(tmp_path, factory, clock):
    pins = load_pins(wiring(tmp_path, "# power = 4", "power = 4"))
    with GpioPanel(pins=pins, pin_factory=factory, scan_hz=0, clock=clock) as panel:
        factory.pin(4).drive_low()
        assert hold(panel, clock, 0.1) == [("power", True)]


def test_what_is_not_fitted_claims_no_pin():
    pins = load_pins()
    assert pins.buzzer is None
    assert not set(OPTIONAL) & set(pins.buttons)


def test_a_missing_pin_file_is_told(tmp_path):
    with pytest.raises(PanelError, match=r"cannot be read \(.*\); name the file of your wiring"):
        load_pins(tmp_path / "none.toml")


# --- the GPIO panel ---


@pytest.fixture
def factory():
    factory = MockFactory()
    yield factory
    factory.reset()


@pytest.fixture
def panel(factory, clock):
    with GpioPanel(pin_factory=factory, scan_hz=0, clock=clock) as panel:
        yield panel


def hold(panel, clock, seconds):
    """Let time pass, reading the levels every 5 ms."""
    end, events = clock.now + seconds, []
    while clock.now < end:
        clock.now += 0.005
        events += [(e.button, e.pressed) for e in panel.poll()]
    return events


def test_every_button_reports_press_and_release_so_that_it_can_be_held(panel, factory, clock):
    for name, gpio in load_pins().buttons.items():
        factory.pin(gpio).drive_low()
        assert hold(panel, clock, 0.1) == [(name, True)]
        assert hold(panel, clock, 3.0) == []
        factory.pin(gpio).drive_high()
        assert hold(panel, clock, 0.1) == [(name, False)]


def test_opening_the_panel_twice_does_not_claim_its_pins_twice(panel, factory, clock):
    panel.open()
    factory.pin(load_pins().buttons["ok"]).drive_low()
    assert hold(panel, clock, 0.1) == [("ok", True)]


def test_two_players_hold_their_buttons_at_once(panel, factory, clock):
    pins = load_pins().buttons
    factory.pin(pins["player1"]).drive_low()
    factory.pin(pins["player3"]).drive_low()
    assert hold(panel, clock, 0.1) == [("player1", True), ("player3", True)]
    factory.pin(pins["player1"]).drive_high()
    assert hold(panel, clock, 0.1) == [("player1", False)]


def test_a_spark_on_the_wire_is_no_press(panel, factory, clock):
    pin = factory.pin(load_pins().buttons["roll"])
    for _ in range(20):
        pin.drive_low()
        panel.poll()
        clock.now += 0.004
        pin.drive_high()
        assert hold(panel, clock, 0.02) == []


def test_the_leds_light_one_by_one_and_go_out_at_the_end(factory, clock):
    panel = GpioPanel(pin_factory=factory, scan_hz=0, clock=clock)
    panel.open()
    leds = {name: factory.pin(gpio) for name, gpio in load_pins().leds.items()}
    panel.set_led("player2", True)
    assert {name: pin.state for name, pin in leds.items()} == {p: p == "player2" for p in PLAYERS}
    panel.set_led("player2", False)
    assert not leds["player2"].state
    panel.set_led("player4", True)
    panel.close()
    assert not leds["player4"].state


def test_a_button_without_an_led_is_told(panel):
    with pytest.raises(PanelError, match="'ok' has no LED"):
        panel.set_led("ok", True)


def test_a_pin_that_somebody_has_is_told_and_all_others_are_let_go(factory, clock):
    second = GpioPanel(pin_factory=factory, scan_hz=0, clock=clock)
    with (
        GpioPanel(pin_factory=factory, scan_hz=0, clock=clock),
        pytest.raises(PanelError, match=r"The button panel cannot be used: .*Check pins\.toml"),
    ):
        second.open()
    with GpioPanel(pin_factory=factory, scan_hz=0, clock=clock) as again:
        assert again.poll() == []


def test_an_error_of_the_pins_own_library_is_told_too(clock):
    class Broken(MockFactory):
        def pin(self, *_):
            raise Exception("GPIO busy")  # lgpio's error derives from nothing else

    with pytest.raises(PanelError, match=r"The button panel cannot be used: GPIO busy\."):
        GpioPanel(pin_factory=Broken(), scan_hz=0, clock=clock).open()


def test_its_own_thread_sees_a_press_that_nobody_polled_for(factory):
    scans = iter(range(10**9))
    with GpioPanel(pin_factory=factory, scan_hz=1000, clock=lambda: next(scans) * 0.01) as panel:
        factory.pin(load_pins().buttons["ok"]).drive_low()
        while not panel._events:
            pass
        assert [(e.button, e.pressed) for e in panel.poll()] == [("ok", True)]


def test_pins_that_fail_later_are_told_and_all_are_let_go(factory, clock, monkeypatch):
    def fail(*_):
        raise Exception("bad handle")  # what lgpio does when its chip has gone

    panel = GpioPanel(pin_factory=factory, scan_hz=0, clock=clock)
    panel.open()
    with monkeypatch.context() as broken:
        broken.setattr(InputDevice, "is_active", property(fail))
        broken.setattr(LED, "value", property(fail, fail))
        broken.setattr(LED, "off", fail)
        for use in (panel.poll, lambda: panel.set_led("player1", True)):
            with pytest.raises(PanelError, match=r"cannot be used: bad handle\."):
                use()
        panel.close()
    with GpioPanel(pin_factory=factory, scan_hz=0, clock=clock) as again:
        assert again.poll() == []


def test_a_level_that_could_not_be_read_between_two_polls_is_told_as_the_thread_has_ended(factory, monkeypatch):
    failing = iter([True])
    read = InputDevice.is_active.fget

    def once(device):
        if next(failing, False):
            raise Exception("bad handle")
        return read(device)

    with GpioPanel(pin_factory=factory, scan_hz=1000) as panel:
        monkeypatch.setattr(InputDevice, "is_active", property(once))
        assert panel._thread is not None
        panel._thread.join(10)
        with pytest.raises(PanelError, match=r"cannot be used: bad handle\."):
            panel.poll()
        panel.close()
        panel.open()
        assert panel.poll() == []
        assert panel._thread.is_alive()


# --- a panel that is waited for ---


@pytest.fixture
def somebody(factory, clock):
    """Has the pins, until they are let go."""
    with GpioPanel(pin_factory=factory, scan_hz=0, clock=clock) as panel:
        yield panel


@pytest.fixture
def patient(factory, clock):
    def open_it():
        panel = GpioPanel(pin_factory=factory, scan_hz=0, clock=clock)
        panel.open()
        return panel

    with PatientPanel(open_it, clock) as panel:
        yield panel


def test_pins_that_are_free_a_moment_later_are_taken_then_and_nothing_is_said(somebody, patient, factory, clock):
    assert isinstance(patient, Panel)
    assert patient.poll() == []
    patient.set_led("player1", True)
    assert patient.fault is None
    somebody.close()
    clock.now += FIRST_RETRY_S
    assert patient.poll() == []
    patient.set_led("player1", True)
    assert factory.pin(load_pins().leds["player1"]).state
    factory.pin(load_pins().buttons["ok"]).drive_low()
    assert hold(patient, clock, 0.1) == [("ok", True)]


def test_pins_that_stay_taken_are_told_until_they_are_free(somebody, patient, clock, caplog):
    with caplog.at_level(logging.WARNING):
        clock.now += FIRST_RETRY_S
        patient.poll()
        assert "already in use" in str(patient.fault)
        for _ in range(10):
            clock.now += LAST_RETRY_S
            patient.poll()
            assert patient.fault is not None
    assert not caplog.records, "the first time was one line in the log"
    somebody.close()
    clock.now += LAST_RETRY_S
    patient.poll()
    assert patient.fault is None


def test_pins_that_stay_taken_are_tried_ever_less_often(clock):
    tried = []

    def open_it():
        tried.append(clock.now)
        raise PanelError("GPIO busy")

    with PatientPanel(open_it, clock) as panel:
        for _ in range(20 * 120):
            clock.now += 0.05
            panel.poll()
    waits = [round(b - a) for a, b in itertools.pairwise(tried)]
    assert waits == [2, 4, 8, 16, 30, 30]


def test_a_panel_that_is_lost_lets_go_of_what_was_held_and_comes_back(patient, factory, clock, monkeypatch):
    factory.pin(load_pins().buttons["player1"]).drive_low()
    assert hold(patient, clock, 0.1) == [("player1", True)]

    def lost(_panel):
        raise PanelError("bad handle")

    with monkeypatch.context() as broken:
        broken.setattr(GpioPanel, "scan", lost)
        assert [(e.button, e.pressed) for e in patient.poll()] == [("player1", False)], "no secret stays open"
        patient.set_led("player1", True)
        clock.now += FIRST_RETRY_S
        assert patient.poll() == []
        assert patient.fault is not None
    clock.now += 2 * FIRST_RETRY_S
    patient.poll()
    factory.pin(load_pins().buttons["player1"]).drive_low()
    assert hold(patient, clock, 0.1) == [("player1", True)]
    assert patient.fault is None


# --- stand-ins ---


def test_keys_stand_for_buttons_and_can_be_held(clock):
    panel = KeyboardPanel(clock)
    for key in ("F1", "f1", "f1"):  # a held key repeats
        assert panel.feed(key, True)
    clock.now += 2
    panel.feed("f1", False)
    assert [(e.button, e.pressed, e.time) for e in panel.poll()] == [("player1", True, 100), ("player1", False, 102)]
    assert panel.poll() == []


@pytest.mark.parametrize(
    ("key", "button"),
    [
        ("left", "left"),
        ("tab", "next"),
        ("escape", "away"),
        ("F4", "player4"),
        ("Return", "ok"),
        ("enter", "ok"),
        ("BackSpace", "undo"),
        ("space", "roll"),
        ("spacebar", "roll"),
    ],
)
def test_the_keys_names_of_both_toolkits_are_known(key, button):
    panel = KeyboardPanel()
    panel.feed(key, True)
    assert [e.button for e in panel.poll()] == [button]


def test_a_key_that_is_no_button_is_left_to_others():
    panel = KeyboardPanel()
    assert not panel.feed("q", True)
    assert panel.poll() == []


def test_drivers_are_chosen_by_name_and_keep_the_protocol(factory):
    for name, options in (("gpio", {"pin_factory": factory}), ("keyboard", {}), ("none", {})):
        with open_panel(name, **options) as panel:
            assert isinstance(panel, Panel)
            panel.set_led("player1", True)


def test_an_unknown_panel_is_named_with_those_there_are():
    with pytest.raises(PanelError, match="no panel driver 'usb'; there are gpio, keyboard, none"):
        open_panel("usb")
    with pytest.raises(PanelError, match="The panel driver none cannot be set up"):
        open_panel("none", colour="red")
