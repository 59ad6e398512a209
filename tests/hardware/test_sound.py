"""Sounds: the notes as samples, ALSA's player as a process, a buzzer's tones, and what happens without a device."""

from __future__ import annotations

import io
import logging
import wave
from pathlib import Path

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.panel.pins import load_pins
from hardware.sound import TUNES, SoundError, Speaker, open_speaker
from hardware.sound.aplay import AlsaSpeaker, command, wav
from hardware.sound.buzzer import BuzzerSpeaker, beeps
from hardware.sound.cards import DEFAULT, Card, cards_to_try, configurations
from hardware.sound.tunes import LOUDEST_PART, RATE_HZ, samples

PIPE = 65536


@pytest.mark.parametrize("name", TUNES)
def test_a_sound_is_short_soft_and_begins_and_ends_in_silence(name):
    played = samples(name)
    assert 0.2 < len(played) / RATE_HZ < 0.6
    assert np.abs(played).max() == pytest.approx(LOUDEST_PART)
    assert np.abs(played[:3]).max() < 0.05
    assert np.abs(played[-3:]).max() < 0.01
    assert np.abs(np.diff(played)).max() < 0.3, "no clicks"


def test_all_sounds_differ():
    assert len({samples(name).tobytes() for name in TUNES}) == len(TUNES)


def test_a_sound_as_a_file_fits_into_the_pipe_and_is_as_loud_as_asked():
    for name in TUNES:
        assert len(wav(name, 1.0)) < PIPE
    with wave.open(io.BytesIO(wav("turn", 0.5))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
        levels = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    assert np.abs(levels).max() == pytest.approx(0.5 * LOUDEST_PART * 32767, rel=0.01)
    assert not np.frombuffer(wav("turn", 0.0)[44:], "<i2").any()


# --- aplay ---


class Process:
    """A player's process as a test wants it to end: `code` None while it plays."""

    def __init__(self, code: int | None = 0, said: bytes = b"", broken: bool = False) -> None:
        self.returncode = code
        self.stdin = io.BytesIO() if not broken else Broken()
        self.stderr = io.BytesIO(said)
        self.terminated = False
        self.written = b""

    def poll(self):
        return self.returncode

    def terminate(self):
        self.terminated, self.returncode = True, -15

    def wait(self, _timeout):
        return self.returncode


class Broken(io.BytesIO):
    def write(self, _data):
        raise BrokenPipeError("broken pipe")


class Players:
    """Hands out processes in order and remembers the commands."""

    def __init__(self, *processes: Process) -> None:
        self.processes = list(processes)
        self.commands: list[tuple[str, ...]] = []

    def __call__(self, command):
        self.commands.append(tuple(command))
        return self.processes[len(self.commands) - 1]


USB, JACK = Card("USB speaker", "sysdefault:CARD=Device"), Card("Headphones", "sysdefault:CARD=Headphones")


def alsa(*processes: Process, cards: tuple[Card, ...] = (USB, JACK, DEFAULT)) -> tuple[AlsaSpeaker, Players]:
    players = Players(*processes)
    speaker = AlsaSpeaker(start=players, find=lambda name: f"/usr/bin/{name}", cards=lambda: cards)
    speaker.open()
    return speaker, players


def test_each_sound_is_a_process_of_its_own_and_a_new_one_cuts_the_old_one_off():
    playing, done, last = Process(code=None), Process(), Process()
    speaker, players = alsa(playing, done, last)
    speaker.play("turn", 0.7)
    speaker.play("roll", 0.7)
    speaker.play("sunk", 0.7)
    assert players.commands == [("aplay", "--quiet", "-D", "sysdefault:CARD=Device", "-")] * 3
    assert (playing.terminated, done.terminated) == (True, False)
    speaker.close()
    assert all(process.stderr.closed for process in players.processes)
    assert speaker.outcome == (True, "USB speaker: aplay ended with 0")


@pytest.mark.parametrize("broken", [False, True])
def test_a_sound_that_a_card_does_not_play_is_played_by_the_next_and_so_are_all_later_ones(caplog, broken):
    failed = Process(code=1, said=b"aplay: main:831: audio open error: No such device\nmore", broken=broken)
    heard, later = Process(), Process()
    speaker, players = alsa(failed, heard, later)
    with caplog.at_level(logging.WARNING):
        speaker.play("turn", 0.7)
        speaker.poll()
        assert players.commands == [command(USB), command(JACK)]
        speaker.poll()
        assert speaker.outcome == (True, "Headphones: aplay ended with 0")
        speaker.play("roll", 0.7)
        assert players.commands[2:] == [command(JACK)]
    assert [record.getMessage() for record in caplog.records] == [
        "No sounds from USB speaker: aplay ended with 1, aplay: main:831: audio open error: No such device"
    ]


def test_when_no_card_plays_each_is_one_line_in_the_log_and_there_is_silence(caplog):
    speaker, players = alsa(*(Process(code=1) for _ in range(3)))
    with caplog.at_level(logging.WARNING):
        for _ in range(4):
            speaker.play("turn", 0.7)
            speaker.poll()
            speaker.poll()
            speaker.poll()
        speaker.close()
    assert players.commands == [command(USB), command(JACK), ("aplay", "--quiet", "-")]
    assert len(caplog.records) == 3


def test_a_card_that_is_plugged_in_later_is_played_on_and_one_that_comes_back_is_tried_anew():
    cards = [(JACK, DEFAULT), (USB, JACK, DEFAULT), (JACK, DEFAULT), (USB, JACK, DEFAULT)]
    now = iter(cards)
    shown = [next(now)]
    players = Players(Process(), Process(code=1), Process(), Process(), Process())
    speaker = AlsaSpeaker(start=players, find=lambda name: name, cards=lambda: shown[0])
    for _ in range(4):
        speaker.play("turn", 0.7)
        speaker.poll()
        shown[0] = next(now, shown[0])
    assert players.commands == [command(card) for card in (JACK, USB, JACK, JACK, USB)]


def test_a_player_that_cannot_be_started_is_one_line_in_the_log(caplog):
    def start(_command):
        raise OSError("out of memory")

    speaker = AlsaSpeaker(start=start, find=lambda name: name, cards=lambda: (DEFAULT,))
    with caplog.at_level(logging.WARNING):
        speaker.play("turn", 0.7)
        speaker.play("turn", 0.7)
    assert [record.getMessage() for record in caplog.records] == ["No sounds from ALSA's default card: out of memory"]


def test_without_aplay_it_says_what_to_install():
    with pytest.raises(SoundError, match="install alsa-utils"):
        AlsaSpeaker(find=lambda _name: None).open()


def test_a_real_process_is_fed_and_ends(tmp_path):
    """With `cat` in the player's place: what it is given arrives whole."""
    import subprocess

    heard = tmp_path / "heard.wav"

    def start(_command):
        with heard.open("wb") as out:
            return subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE)

    speaker = AlsaSpeaker(start=start, find=lambda name: name)
    speaker.play("turn", 0.7)
    speaker._playing[1].wait(10)
    speaker.close()
    assert heard.read_bytes() == wav("turn", 0.7)


# --- which card ---

PI_5 = """ 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [vc4hdmi1       ]: vc4-hdmi - vc4-hdmi-1
                      vc4-hdmi-1
 2 [C270           ]: USB-Audio - Webcam C270
                      Logitech Webcam C270 at usb-xhci-hcd.0-1, high speed
 3 [Device         ]: USB-Audio - USB PnP Sound Device
                      C-Media Electronics Inc. USB PnP Sound Device at usb-xhci-hcd.1-1, full speed
"""
PI_4 = """ 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
"""
WITH_A_BOARD = (
    PI_4
    + """ 2 [sndrpihifiberry]: RPi-simple - snd_rpi_hifiberry_dac
                      snd_rpi_hifiberry_dac
"""
)


@pytest.fixture
def asound(tmp_path):
    """A /proc/asound in which all cards play, but the webcam, which listens."""

    def write(text):
        (tmp_path / "cards").write_text(text)
        for number in range(4):
            name = "pcm0c" if "C270" in text and number == 2 else "pcm0p"
            (tmp_path / f"card{number}" / name).mkdir(parents=True, exist_ok=True)
        return tmp_path / "cards"

    return write


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (PI_5, ["Device", "vc4hdmi0", "vc4hdmi1"]),
        (PI_4, ["Headphones", "vc4hdmi0"]),
        (WITH_A_BOARD, ["sndrpihifiberry", "Headphones", "vc4hdmi0"]),
        ("--- no soundcards ---\n", []),
    ],
)
def test_what_was_plugged_in_plays_before_what_is_built_in_and_a_screen_last(asound, tmp_path, text, ids):
    cards = cards_to_try(asound(text), {}, ())
    assert [card.device for card in cards] == [*(f"sysdefault:CARD={one}" for one in ids), None]


def test_a_card_is_named_as_the_kernel_names_it(asound, tmp_path):
    assert cards_to_try(asound(PI_5), {}, ())[0].name == "USB PnP Sound Device"


@pytest.mark.parametrize(
    "said_by", ["ALSA_CARD", "ALSA_PCM_CARD", "asound.conf", ".asoundrc", "pipewire-0", "pulse/native"]
)
def test_a_card_that_somebody_has_chosen_is_left_to_alsa(asound, tmp_path, monkeypatch, said_by):
    monkeypatch.setenv("HOME", str(tmp_path))
    configured = (tmp_path / "asound.conf", configurations()[1])
    environ = {said_by: "1"} if said_by.startswith("ALSA") else {"XDG_RUNTIME_DIR": str(tmp_path)}
    (tmp_path / said_by).parent.mkdir(exist_ok=True)
    (tmp_path / said_by).touch()
    assert cards_to_try(asound(PI_5), environ, configured) == (DEFAULT,)


def test_alsas_own_configuration_is_looked_for_where_alsa_does(asound, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert configurations() == (Path("/etc/asound.conf"), tmp_path / ".asoundrc")
    (tmp_path / ".asoundrc").touch()
    assert cards_to_try(asound(PI_5), {}) == (DEFAULT,)


def test_without_the_kernels_list_there_is_the_default(tmp_path):
    assert cards_to_try(tmp_path / "cards", {}, ()) == (DEFAULT,)


# --- buzzer ---


def test_a_buzzer_plays_one_tone_at_a_time_as_long_as_the_sound():
    for name, notes in TUNES.items():
        played = beeps(notes)
        end = max(note.start_s + note.length_s for note in notes)
        assert sum(seconds for _hz, seconds in played) == pytest.approx(end), name
        assert all(55 <= hz <= 3520 for hz, _seconds in played if hz), "within its octaves"


@pytest.fixture
def factory():
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


def fitted():
    from msgspec.structs import replace

    return replace(load_pins(), buzzer=12)


def test_the_buzzer_sounds_on_its_pin_and_is_silent_at_the_end(factory):
    with BuzzerSpeaker(pins=fitted(), pin_factory=factory) as speaker:
        pin = factory.pin(12)
        speaker.play("roll", 0.0)
        speaker.play("roll", 1.0)
        while not any(state.state for state in pin.states):
            pass
    assert pin.state == 0


def test_a_buzzer_that_is_not_fitted_or_not_free_is_told(factory):
    assert load_pins().buzzer is None
    with pytest.raises(SoundError, match="No buzzer is fitted"):
        BuzzerSpeaker(pin_factory=factory).open()
    second = BuzzerSpeaker(pins=fitted(), pin_factory=factory)
    with (
        BuzzerSpeaker(pins=fitted(), pin_factory=factory),
        pytest.raises(SoundError, match="The buzzer cannot be used"),
    ):
        second.open()


# --- drivers ---


def test_drivers_are_chosen_by_name_and_keep_the_protocol(factory):
    options = {"aplay": {"find": lambda name: name}, "buzzer": {"pins": fitted(), "pin_factory": factory}, "none": {}}
    for name, chosen in options.items():
        with open_speaker(name, **chosen) as speaker:
            assert isinstance(speaker, Speaker)
    with pytest.raises(SoundError, match="no sound driver 'pulse'; there are aplay, buzzer, none"):
        open_speaker("pulse")
    with pytest.raises(SoundError, match="The sound driver none cannot be set up"):
        open_speaker("none", loud=True)
