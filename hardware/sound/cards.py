"""Which sound card a sound is for: what somebody has plugged in, before what every machine has.

In: the kernel's list of cards (`/proc/asound/cards`, and beside it what each of them can), the environment. Out: the
cards in the order in which they are to be tried, ALSA's own default last.

The default alone will not do: it is card 0, on a Raspberry Pi 5 the HDMI socket, also where nothing is in it and a
loudspeaker is on USB.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

CARDS = Path("/proc/asound/cards")

_RANKS = (("usb-audio", 0), ("headphones", 2), ("hdmi", 3))
"""A word of the kernel's line and when such a card is tried. What has none of them (a board on the header) is 1."""
_OTHER = 1

_LINE = re.compile(r"^ *(\d+) \[(\S+) *\]: (.*)$", re.MULTILINE)
"""` 2 [Device         ]: USB-Audio - USB Audio Device`: number, id, driver and name."""

_TOLD_BY = ("ALSA_CARD", "ALSA_PCM_CARD")
_SERVERS = ("pipewire-0", "pulse/native")
"""Sockets in a desktop user's runtime folder: there people choose the loudspeaker, and `default` is what they chose."""


class Card(NamedTuple):
    """Something that plays. `device` is ALSA's name for it, None for the default; `name` is for people.

    `sysdefault` is the card with what it needs to take any sound: other rates, and on HDMI another format, which
    `plughw` does not know.
    """

    name: str
    device: str | None = None


DEFAULT = Card("ALSA's default card")


def configurations() -> tuple[Path, Path]:
    """ALSA's own, the machine's and the user's: who writes one of them has chosen."""
    return Path("/etc/asound.conf"), Path(os.path.expanduser("~/.asoundrc"))  # noqa: PTH111 - raises nothing


def cards_to_try(
    cards: Path = CARDS, environ: Mapping[str, str] = os.environ, configured: Sequence[Path] | None = None
) -> tuple[Card, ...]:
    """One after the other; where somebody has chosen (environment, ALSA's configuration, a desktop) that alone.

    `configured`: other files than ALSA's `configurations`.
    """
    if any(environ.get(name) for name in _TOLD_BY) or _has_server(environ):
        return (DEFAULT,)
    # Path.is_file would raise where the folder is somebody else's, here and below.
    if any(os.path.isfile(file) for file in (configurations() if configured is None else configured)):  # noqa: PTH113
        return (DEFAULT,)
    ranked = sorted(
        (_rank(told), int(number), Card(told.partition(" - ")[2] or told, f"sysdefault:CARD={card_id}"))
        for number, card_id, told in _LINE.findall(_read(cards))
        if any((cards.parent / f"card{number}").glob("pcm*p"))  # a webcam's microphone plays nothing
    )
    return (*(card for _rank, _number, card in ranked), DEFAULT)


def _has_server(environ: Mapping[str, str]) -> bool:
    runtime = environ.get("XDG_RUNTIME_DIR")
    return runtime is not None and any(os.path.exists(f"{runtime}/{server}") for server in _SERVERS)  # noqa: PTH110


def _rank(told: str) -> int:
    return next((rank for word, rank in _RANKS if word in told.lower()), _OTHER)


def _read(cards: Path) -> str:
    try:
        return cards.read_text()
    except OSError:
        return ""
