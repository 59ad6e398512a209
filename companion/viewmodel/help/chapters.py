"""The rules in order: what belongs together, and what of it holds in a game with these options.

In: the numbers of `rules`, options. Out: chapters of numbers; last the one of those that do not hold, because whoever
chooses challenges wants to read of a challenge before it is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.i18n import N_
from companion.rules.options import Options
from companion.viewmodel.help.rules import RULES

CHAPTERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (N_("The pieces"), ("1",)),
    (N_("Setting up"), ("2",)),
    (N_("A turn"), ("3",)),
    (N_("Moving explorers"), ("4",)),
    (N_("Boats"), ("5",)),
    (N_("Sinking tiles"), ("6",)),
    (N_("Creatures"), ("7", "8")),
    (N_("Defence"), ("9",)),
    (N_("Tiles from the hand"), ("10",)),
    (N_("The end"), ("11",)),
    (N_("Challenges"), ("12", "13")),
)
"""What each is called, and what the numbers of its rules begin with."""

NOT_HERE = N_("Not in this game")

ONLY_WITH: Mapping[str, str] = {
    "12.1": "overpopulation",
    "12.2": "last_survivor",
    "12.3": "all_equal",
    "12.4": "atlantis_sinks",
    "13.1": "dive_dice",
    "13.2": "dive_dice",
    "13.3": "dive_dice",
    "13.4": "dive_dice",
    "13.5": "dive_dice",
    "13.6": "dive_dice",
}
"""The option that brings a rule."""

NOT_WITH: Mapping[str, tuple[str, ...]] = {
    "7.2": ("dive_dice",),  # 13.2
    "10.1": ("dive_dice",),  # 13.1: no dolphin is kept
    "11.1": ("last_survivor", "atlantis_sinks"),  # the volcano is a whirlpool
    "11.2": ("all_equal",),  # 12.3
}
"""The options that put another rule in the place of one. What an option only adds to (2.3, 3.4, 7.3) still holds."""


class Chapter(NamedTuple):
    """A title, marked for the catalogues, and the numbers of rules; all of them hold, or none."""

    title: str
    rules: tuple[str, ...]
    holds: bool = True


def holds(rule: str, options: Options) -> bool:
    """Whether a rule holds in a game with these options."""
    brought_by, shut_out_by = ONLY_WITH.get(rule), NOT_WITH.get(rule, ())
    return (brought_by is None or getattr(options, brought_by)) and not any(getattr(options, o) for o in shut_out_by)


def chapters(options: Options) -> tuple[Chapter, ...]:
    """Every rule once, in order; no chapter is empty."""
    found = [
        Chapter(title, tuple(rule for rule in RULES if rule.partition(".")[0] in begins and holds(rule, options)))
        for title, begins in CHAPTERS
    ]
    found.append(Chapter(NOT_HERE, tuple(rule for rule in RULES if not holds(rule, options)), holds=False))
    return tuple(chapter for chapter in found if chapter.rules)
