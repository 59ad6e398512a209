"""11: calibrating, step by step, and what is in the way. In all steps it is one picture, the simulated table's."""

from __future__ import annotations

import importlib.resources
from typing import Any

from companion.i18n import N_, _
from companion.scenes.games import at_home
from companion.scenes.people import People
from companion.scenes.scene import SILENT, Scene, Step, press
from companion.scenes.staged_calibration import StagedCalibration
from companion.viewmodel.calibration_link import CARDS, Accuracy, Corner, Guided, GuideStep, Spot
from companion.viewmodel.table_link import LinkStatus, Lost, Starting

_SIZE = (1536, 864)
_STEPS: tuple[GuideStep, ...] = ("lens", "cards", "board", "swatch", "result")
_CORNERS = ((471.0, 96.0), (1146.0, 153.0), (1124.0, 762.0), (408.0, 714.0))
"""Of the board on the picture, px of the camera."""

_TASKS: dict[GuideStep, str] = {
    "lens": N_(
        "Hold the lens sheet before the camera: near, in every corner of the picture, tipped this way and that."
    ),
    "cards": N_("Lay the four corner cards at the corners of the board, so that the camera sees all of them."),
    "board": N_("Clear the board: no tile and no piece on it. Then keep your hands away."),
    "swatch": N_("Lay the swatch pieces as the printed plan shows. Do not move board, cards or camera."),
    "result": N_("This is how good the calibration is."),
}
_TAKEN_VIEW = N_("This view has been taken: hold the sheet somewhere else, or tip it.")
_COVERED = N_("The north-east card is not seen: is it covered, or does a lamp shine on it?")
_CUT = N_("The north-west card is cut off by the picture's edge: raise the camera or move it.")
_CLOSE = N_("The four corners lie too close together: tap the four corners of the board.")
_DARK = N_("The picture is too dark: switch a lamp on.")

_GOOD, _MIDDLING, _BAD = Accuracy(0.12, 0.4, 0.8), Accuracy(0.61, 0.4, 0.8), Accuracy(1.4, 0.4, 0.8)


def _corners(**hows: Any) -> tuple[Corner, ...]:
    return tuple(
        Corner(card, x, y, "guessed" if (how := hows.get(card, "seen")) == "cut" else how, cut=how == "cut")
        for card, (x, y) in zip(CARDS, _CORNERS, strict=True)
    )


def _link(people: People) -> StagedCalibration:
    assert people.calibration is not None, "these people have a camera"
    return people.calibration


def _says(
    step: GuideStep, *advice: str, taken: int | None = None, corners: tuple[Corner, ...] | None = None,
    refusal: str = "", **more: Any,
) -> Step:  # fmt: skip
    """The guide is at this step; `taken` so many steps have what they need, those before it unless said."""

    def saying(people: People) -> None:
        link = _link(people)
        link.picture = importlib.resources.files("companion.scenes").joinpath("table.jpg").read_bytes()
        found = () if step == "lens" else _corners() if corners is None else corners
        link.guided = Guided(
            step=step,
            steps=_STEPS,
            taken=_STEPS[: _STEPS.index(step) if taken is None else taken],
            task=_(_TASKS[step]),
            advice=tuple(map(_, advice)),
            refusal=_(refusal) if refusal else "",
            corners=found,
            size=_SIZE,
            **more,
        )
        people.wait(0.25)

    return saying


def _is(status: LinkStatus) -> Step:
    """The camera is like this."""

    def changed(people: People) -> None:
        _link(people).status = status
        people.wait(0.25)

    return changed


def _lost(people: People) -> None:
    _is(Lost(_(SILENT), 4))(people)


def _still_to_lay(people: People) -> None:
    """Two swatch pieces are missing; the sentence is the guide's."""
    tiles = ", ".join((_("the beach on {hex}").format(hex="H4"), _("the forest on {hex}").format(hex="F6")))
    advice = _("Still to lay: {places}.").format(places=tiles)
    spots = (Spot(790, 300, "missing"), Spot(700, 520, "missing"), Spot(920, 600, "stray"))
    _says("swatch", advice, spots=spots, accuracy=_GOOD)(people)


def _seems_to_lie(people: People) -> None:
    """A hard lamp's shadow, or a thing: people see where, and judge."""
    text = _("Something seems to lie on {places}. Take it away; if it is only a shadow or glare, go on.")
    _says("swatch", text.format(places="J2"), spots=(Spot(920, 600, "stray"),), accuracy=_GOOD, ready=True)(people)


def _buttons(*names: str) -> Step:
    """Buttons at the table's edge are pressed, the last one still."""

    def pressing(people: People) -> None:
        for name in names:
            people.vm.panel(name, True)
            if name != names[-1]:
                people.vm.panel(name, False)

    return pressing


_BEGUN = press("calibrate")

CALIBRATION = (
    Scene("11_no_picture_yet", at_home(), _BEGUN, _is(Starting())),
    Scene("11_no_camera", at_home(table=None), _BEGUN),
    Scene("11_camera_lost", at_home(), _BEGUN, _says("board"), _lost),
    Scene("11_leave", at_home(), _BEGUN, _says("lens", views=(8, 8), taken=2), press("back")),
    Scene("11a_lens", at_home(), _BEGUN, _says("lens", views=(0, 8))),
    Scene("11a_lens_measuring", at_home(), _BEGUN, _says("lens", _TAKEN_VIEW, views=(5, 8))),
    Scene("11a_lens_measured", at_home(), _BEGUN, _says("lens", views=(8, 8), taken=1)),
    Scene("11b_searching", at_home(), _BEGUN, _says("cards", _COVERED, corners=_corners(ne="guessed"))),
    Scene("11b_covered", at_home(), _BEGUN, _says("cards"),
          _says("board", _COVERED, corners=_corners(ne="guessed"), accuracy=_MIDDLING)),
    Scene("11b_cut_off", at_home(), _BEGUN, _says("cards", _CUT, corners=_corners(nw="cut"))),
    Scene("11b_ready", at_home(), _BEGUN, _says("board", corners=_corners(sw="given"), ready=True)),
    Scene("11b_taking", at_home(), _BEGUN, _says("board", busy=True)),
    Scene("11b_refused", at_home(), _BEGUN, _says("board", refusal=_CLOSE, ready=True)),
    Scene("11b_taken", at_home(), _BEGUN, _says("board", taken=3, accuracy=_GOOD, ready=True)),
    Scene("11c_missing", at_home(), _BEGUN, _still_to_lay),
    Scene("11c_seems_to_lie", at_home(), _BEGUN, _seems_to_lie),
    Scene("11c_good", at_home(), _BEGUN, _says("result", grade="good", accuracy=_GOOD, ready=True)),
    Scene("11c_poor", at_home(), _BEGUN, _says("result", _DARK, grade="poor", accuracy=_BAD)),
    Scene("11c_in_use", at_home(), _BEGUN, _says("result", grade="good", accuracy=_GOOD, ready=True),
          _says("result", grade="good", accuracy=_GOOD, done=True)),
    Scene("11d_buttons", at_home(), _BEGUN, press("tab:buttons"), _buttons("player1", "ok", "player2")),
)  # fmt: skip
