"""The panel on the GPIO header, through gpiozero.

In: `Pins`, a pin factory (None: gpiozero's own choice, lgpio on the Pi). Out: debounced events. A thread reads
every level `scan_hz` times a second, so that a press is not lost while the screen is busy; `scan_hz` 0 reads only at
`poll`.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any, Self

from gpiozero import LED, InputDevice

from hardware.errors import PanelError
from hardware.panel.debounce import Debouncer
from hardware.panel.events import PLAYERS, ButtonEvent
from hardware.panel.pins import Pins, load_pins

SCAN_HZ = 100.0
"""Three readings agree before a press counts. Two of them 20 ms apart, which would do for the debounce alone, could
both meet the same crest of what a long wire picks up from the mains."""

JOIN_S = 1.0

_UNUSABLE = "The button panel cannot be used: {why}. Check pins.toml, and that no other program has the pins."


class GpioPanel:
    """Real buttons and LEDs."""

    def __init__(
        self,
        pins: Pins | None = None,
        pin_factory: Any = None,
        scan_hz: float = SCAN_HZ,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if scan_hz < 0:
            raise ValueError("scan_hz must be 0 or more.")
        self._pins = pins or load_pins()
        self._factory = pin_factory
        self._scan_hz = scan_hz
        self._clock = clock
        self._inputs: dict[str, Any] = {}
        self._leds: dict[str, Any] = {}
        self._debouncers: dict[str, Debouncer] = {}
        self._events: list[ButtonEvent] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._fault: PanelError | None = None

    def open(self) -> None:
        """Claim the pins and start reading. Raises PanelError if a pin is taken or there are none."""
        if self._inputs:
            return
        settle_s = self._pins.settle_ms / 1000
        try:
            for name, gpio in self._pins.buttons.items():
                self._inputs[name] = InputDevice(gpio, pull_up=True, pin_factory=self._factory)
                self._debouncers[name] = Debouncer(settle_s)
            for name, gpio in self._pins.leds.items():
                self._leds[name] = LED(gpio, pin_factory=self._factory)
        except Exception as fault:  # lgpio's own errors among them, which derive from nothing else
            self.close()
            raise PanelError(_UNUSABLE, why=fault) from fault
        if self._scan_hz:
            self._fault = None
            self._stop = threading.Event()
            self._thread = threading.Thread(target=self._run, args=(self._stop,), name="panel", daemon=True)
            self._thread.start()

    def scan(self) -> None:
        """Read every level once. Raises PanelError if they cannot be read any more."""
        with self._lock:
            now = self._clock()
            for name, device in self._inputs.items():
                debouncer = self._debouncers[name]
                try:
                    level = bool(device.is_active)
                except Exception as fault:
                    raise PanelError(_UNUSABLE, why=fault) from fault
                if debouncer.sample(level, now):
                    self._events.append(ButtonEvent(name, debouncer.pressed, now))

    def poll(self) -> list[ButtonEvent]:
        """What has happened since the last call; reads the levels once itself.

        Raises PanelError as `scan` does, also if a level could not be read in between.
        """
        self.scan()
        if self._fault is not None:
            raise self._fault
        with self._lock:
            events, self._events = self._events, []
        return events

    def set_led(self, player: str, on: bool) -> None:
        """Light the LED in a player's button, or put it out.

        Raises PanelError for a name that has no LED, and if the pin cannot be set any more.
        """
        if player not in PLAYERS:
            raise PanelError(f"{player!r} has no LED; there are {', '.join(PLAYERS)}.")
        if player in self._leds:
            try:
                self._leds[player].value = on
            except Exception as fault:
                raise PanelError(_UNUSABLE, why=fault) from fault

    def close(self) -> None:
        """Stop reading, put the LEDs out, let the pins go."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join(JOIN_S)
            self._thread = None
        with self._lock:
            ends = (*(led.off for led in self._leds.values()),
                    *(device.close for device in (*self._inputs.values(), *self._leds.values())))  # fmt: skip
            for end in ends:
                with contextlib.suppress(Exception):  # a pin that has failed must not keep the others
                    end()
            self._inputs, self._leds, self._debouncers, self._events = {}, {}, {}, []

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _run(self, stop: threading.Event) -> None:
        try:
            while not stop.wait(1 / self._scan_hz):
                self.scan()
        except PanelError as fault:
            self._fault = fault
