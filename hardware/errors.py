"""What can go wrong with a device; the text tells a person at the table what to do."""

from __future__ import annotations


class HardwareError(Exception):
    """A device that does not do what it should.

    `sentence` filled with `about` is the text. Whoever shows it to people may say the sentence in their language: those
    that come to a screen are in the companion's catalogues.
    """

    def __init__(self, sentence: str, /, **about: object) -> None:
        super().__init__(sentence.format(**about) if about else sentence)
        self.sentence, self.about = sentence, about


class CameraError(HardwareError):
    """A picture that could not be taken. `final`: trying again is of no use until a person has done something."""

    def __init__(self, sentence: str, /, *, final: bool, **about: object) -> None:
        super().__init__(sentence, **about)
        self.final = final


class SoundError(HardwareError):
    """A loudspeaker or buzzer that cannot be used."""


class PanelError(HardwareError):
    """A button panel that cannot be used."""
