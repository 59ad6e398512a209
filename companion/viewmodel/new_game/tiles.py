"""Step 4: how the tiles get on the table, whose backs count, and whether the camera watches."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.i18n import N_, _
from companion.viewmodel.defaults import Laying, NewGameDefaults
from companion.viewmodel.new_game.step import StepView
from companion.viewmodel.states import Button, Note, SegmentRow, SwitchRow

LAYING: Mapping[Laying, tuple[str, str]] = {
    "companion": (N_("Shuffled"), N_("The companion shuffles the tiles and shows where each one goes.")),
    "as they lie": (N_("As laid"), N_("You have laid the forty tiles; the companion counts them.")),
    "in progress": (N_("Go on"), N_("A game stands on the table, and you go on from there.")),
}
BACKS: Mapping[str, tuple[str, str]] = {
    "dealt": (N_("Dealt"), N_("The companion deals what is under the tiles. The printed backs do not count.")),
    "printed": (N_("Printed"), N_("Whoever sinks a tile reads its back and enters it in secret.")),
}


def show(draft: NewGameDefaults, has_table: bool) -> StepView:
    """Three rows, and a note where the camera is missing."""
    return StepView(
        rows=(
            SegmentRow(
                title=_("The island"),
                line=_(LAYING[draft.laying][1]),
                segments=tuple(
                    Button(id=f"laying:{name}", text=_(words[0]), enabled=has_table or name != "in progress")
                    for name, words in LAYING.items()
                ),
                chosen=f"laying:{draft.laying}",
            ),
            SegmentRow(
                title=_("Under the tiles"),
                line=_(BACKS[draft.options.backs][1]),
                segments=tuple(Button(id=f"backs:{name}", text=_(words[0])) for name, words in BACKS.items()),
                chosen=f"backs:{draft.options.backs}",
            ),
            SwitchRow(
                id="camera",
                title=_("Camera"),
                line=_("It watches the board, and your moves are entered by themselves.")
                if has_table
                else _("No camera is connected. Everything can be entered by touch."),
                on=draft.camera and has_table,
                enabled=has_table,
            ),
        ),
        note=_fresh_hands() if draft.laying == "in progress" else None,
    )


def _fresh_hands() -> Note:
    return Note(
        text=_("The tiles already held are not known to the companion; play them out or put them away first."),
        icon="info",
    )


def press(draft: NewGameDefaults, button_id: str) -> NewGameDefaults:
    """Choose how the tiles get there, which backs count, camera on or off."""
    match button_id.split(":"):
        case ["laying", name] if name in LAYING:
            return replace(draft, laying=name)
        case ["backs", name] if name in BACKS:
            return replace(draft, options=replace(draft.options, backs=name))
        case ["camera"]:
            return replace(draft, camera=not draft.camera)
    return draft
