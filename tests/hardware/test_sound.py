"""Short sounds: nobody waits for them, and without a sound card the game goes on."""

from __future__ import annotations

import io
import wave

import pytest

from hardware.errors import HardwareError
from hardware.sound import Sound, open_sound
from hardware.sound.alsa import AlsaSound
from hardware.sound.tones import RATE_HZ, SOUNDS, NoSound, wav


class Player:
    """Stands in for the process that plays."""

    def __init__(self) -> None:
        self.commands: list[list[str]] = []
        self.stdin = io.BytesIO()
        self.returncode: int | None = None
        self.killed = False

    def __call__(self, command: list[str], **streams: int) -> Player:
        assert "stdin" in streams
        self.commands.append(command)
        self.stdin = io.BytesIO()
        self.returncode = None
        return self

    def poll(self) -> int | None:
        return self.returncode

    def kill(self) -> None:
        self.killed = True

    def wait(self) -> int:
        return 0


@pytest.mark.parametrize("name", SOUNDS)
def test_every_sound_is_a_short_quiet_wav(name):
    with wave.open(io.BytesIO(wav(name))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
        assert file.getnframes() == sum(RATE_HZ * ms // 1000 for _, ms in SOUNDS[name])
        assert file.getnframes() < RATE_HZ
    assert len(wav(name)) < 64_000  # a pipe takes it without waiting


def test_a_sound_is_left_out_while_another_plays():
    player = Player()
    sound = AlsaSound("sh", start=player)
    sound.play("tap")
    sound.play("end")
    assert len(player.commands) == 1
    player.returncode = 0
    sound.play("end")
    assert len(player.commands) == 2


def test_closing_stops_what_plays():
    player = Player()
    sound = AlsaSound("sh", start=player)
    sound.close()
    assert not player.killed
    sound.play("end")
    sound.close()
    assert player.killed


def test_without_a_player_it_says_what_to_install():
    with pytest.raises(HardwareError, match="install alsa-utils, or switch sound off"):
        AlsaSound("no-such-player")


def test_silence_keeps_the_protocol_and_knows_the_names():
    silence = open_sound("none")
    assert isinstance(silence, Sound)
    silence.play("roll")
    with pytest.raises(KeyError):
        NoSound().play("rolll")


def test_an_unknown_driver_is_named_with_those_there_are():
    with pytest.raises(HardwareError, match="no sound driver 'pulse'; there are alsa, none"):
        open_sound("pulse")
