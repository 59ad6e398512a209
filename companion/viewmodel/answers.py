"""More answers than the panel has room for: some of them at once, and the way to the others."""

from __future__ import annotations

import math

from companion.i18n import _
from companion.viewmodel.states import Button

MOST_ANSWERS = 3
"""So many answers there is room for in a turn's panel; of more the rest come after a press on the last."""


def in_reach(answers: tuple[Button, ...], page: int, most: int = MOST_ANSWERS) -> tuple[Button, ...]:
    """All answers if they are no more than `most`; else some and "More", whose presses `page` counts."""
    if len(answers) <= most:
        return answers
    at_once = most - 1
    pages = math.ceil(len(answers) / at_once)
    first = page % pages * at_once
    more = Button(id="more", text=_("More"), line=_("{n} of {all}").format(n=page % pages + 1, all=pages))
    return (*answers[first : first + at_once], more)
