"""Step 3: challenges and house rules (9.5, 12), each a switch or a few segments with one sentence."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.i18n import N_, _
from companion.rules.options import Options
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.new_game.step import StepView
from companion.viewmodel.states import Button, SegmentRow, SwitchRow
from companion.viewmodel.words import CHALLENGES, NOT_TOGETHER

EXCLUDES: Mapping[str, str] = {"last_survivor": "atlantis_sinks", "atlantis_sinks": "last_survivor"}
"""12.2, 12.4."""

BOATS_PER_PLAYER = (1, 2, 3)
"""2.4: what people choose from; twelve boats are enough for four times three."""

DEFENCES: Mapping[str, tuple[str, str]] = {
    "any": (N_("Always"), N_("A defence tile answers any shark or whale.")),
    "moved": (N_("If moved"), N_("A defence tile answers only a creature that another player has just moved.")),
}
"""9.5."""


def show(draft: NewGameDefaults, has_table: bool) -> StepView:  # noqa: ARG001 - the shape of every step
    """The challenges, boats, defence; and the way to the rules in full."""
    options = draft.options
    return StepView(
        rows=(
            *(_challenge(options, name) for name in CHALLENGES),
            SegmentRow(
                title=_("Boats"),
                line=_("How many boats each player places."),
                segments=tuple(Button(id=f"boats:{n}", text=str(n)) for n in BOATS_PER_PLAYER),
                chosen=f"boats:{options.boats_per_player}",
            ),
            SegmentRow(
                title=_("Defence"),
                line=_(DEFENCES[options.defence][1]),
                segments=tuple(Button(id=f"defence:{name}", text=_(words[0])) for name, words in DEFENCES.items()),
                chosen=f"defence:{options.defence}",
            ),
        ),
        secondary=Button(id="rules", text=_("The rules in full"), icon="rules"),
    )


def _challenge(options: Options, name: str) -> SwitchRow:
    title, line = CHALLENGES[name]
    shut_out = getattr(options, EXCLUDES[name]) if name in EXCLUDES else False
    return SwitchRow(
        id=f"switch:{name}",
        title=_(title),
        line=_(NOT_TOGETHER[name]) if shut_out else _(line),
        on=getattr(options, name),
        enabled=not shut_out,
    )


def press(draft: NewGameDefaults, button_id: str) -> NewGameDefaults:
    """Turn a challenge, choose the boats or what a defence answers."""
    options = draft.options
    match button_id.split(":"):
        case ["switch", name] if name in CHALLENGES:
            if name in EXCLUDES and getattr(options, EXCLUDES[name]):
                return draft
            return replace(draft, options=replace(options, **{name: not getattr(options, name)}))
        case ["boats", count] if count in {str(n) for n in BOATS_PER_PLAYER}:
            return replace(draft, options=replace(options, boats_per_player=int(count)))
        case ["defence", name] if name in DEFENCES:
            return replace(draft, options=replace(options, defence=name))
    return draft
