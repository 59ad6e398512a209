"""The sentences of the guided calibration: what to do in each step, and what is in the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from calibration import CalibrationError
from calibration.assessment import Assessment
from calibration.glance import Glance, Place
from calibration.print import Hex
from calibration.quality import CRITERIA, Grade, Quality
from calibration.swatch import Swatch
from calibration.swatch_check import SwatchSight
from companion.calibrating.state import Figure, StepName
from companion.i18n import N_, _, listed
from companion.rules.geometry import load_board

BOARD = load_board()

MAX_LISTED = 4
"""So many missing pieces are named at once: more are laid in one go anyway."""

_LIMITS = {criterion.name: criterion for criterion in CRITERIA}

TASKS: Mapping[StepName, str] = {
    "cards": N_("Lay the four corner cards at the corners of the board, so that the camera sees all of them."),
    "lens": N_(
        "Hold the lens sheet before the camera: near, in every corner of the picture, tipped this way and that."
    ),
    "board": N_("Clear the board: no tile and no piece on it. Then keep your hands away."),
    "swatch": N_("Lay the swatch pieces as the printed plan shows. Do not move board, cards or camera."),
    "result": N_("This is how good the calibration is."),
}

_MISSING: Mapping[str, str] = {
    "nw": N_("The north-west card is not seen: is it covered, or does a lamp shine on it?"),
    "ne": N_("The north-east card is not seen: is it covered, or does a lamp shine on it?"),
    "se": N_("The south-east card is not seen: is it covered, or does a lamp shine on it?"),
    "sw": N_("The south-west card is not seen: is it covered, or does a lamp shine on it?"),
}
_SPARE = N_("A corner card is seen twice: take the spare one off the table.")
_OUTSIDE: Mapping[str, str] = {
    "nw": N_("The north-west card is cut off by the picture's edge: raise the camera or move it."),
    "ne": N_("The north-east card is cut off by the picture's edge: raise the camera or move it."),
    "se": N_("The south-east card is cut off by the picture's edge: raise the camera or move it."),
    "sw": N_("The south-west card is cut off by the picture's edge: raise the camera or move it."),
}
_GLARE: Mapping[Place, str] = {
    "nw": N_("A lamp shines on the north-west of the board: turn it away or move it aside."),
    "n": N_("A lamp shines on the north of the board: turn it away or move it aside."),
    "ne": N_("A lamp shines on the north-east of the board: turn it away or move it aside."),
    "w": N_("A lamp shines on the west of the board: turn it away or move it aside."),
    "middle": N_("A lamp shines on the middle of the board: turn it away or move it aside."),
    "e": N_("A lamp shines on the east of the board: turn it away or move it aside."),
    "sw": N_("A lamp shines on the south-west of the board: turn it away or move it aside."),
    "s": N_("A lamp shines on the south of the board: turn it away or move it aside."),
    "se": N_("A lamp shines on the south-east of the board: turn it away or move it aside."),
}
REFUSALS = (
    N_("The corner cards do not lie as they should; see how each is turned and numbered."),
    N_(
        "The printed hexes do not fit the cards. Is the board empty, and does each card lie flat with its inner corner "
        "at its own corner of the board (nw 0, ne 1, se 2, sw 3)?"
    ),
    N_("The four corners lie too close together: tap the four corners of the board."),
    N_(
        "The printed hexes do not fit these four corners. Tap the corners of the board itself, and use a picture of "
        "the empty board."
    ),
    N_(
        "The board in the picture of the empty board is not found in the swatch picture; take both again, one "
        "after the other, without moving camera or board."
    ),
    N_(
        "The two pictures show the same: take that of the empty board with nothing on it, and the swatch picture "
        "with the pieces laid as the plan shows."
    ),
    N_(
        "By the cards in the picture north lies elsewhere: the corners belong in the order north-west, "
        "north-east, south-east, south-west."
    ),
)
"""What `calibration` says of pictures that will not do, marked here as that package knows no catalogues."""

GRADES: Mapping[Grade, str] = {
    "good": N_("good"),
    "usable": N_("usable"),
    "poor": N_("poor"),
}


def where_it_stands(seen: Glance, given: Collection[str] = ()) -> tuple[str, ...]:
    """What is wrong with cards and camera; a card whose corner people have `given` may be missing."""
    if not (seen.cards or seen.spare or given):
        return (_("No corner card is seen: point the camera at the board, and lay the four cards."),)
    found = [_(_OUTSIDE[name]) for name in seen.outside if name not in given]
    found += [_(_SPARE)] if seen.spare else []
    found += [_(_MISSING[name]) for name in seen.missing if name not in given]
    if seen.px_per_hex is not None and seen.px_per_hex < _LIMITS["a hex"].good:
        found.append(_("The board is small in the picture: lower the camera or bring it nearer."))
    if seen.tilt_degrees is not None and seen.tilt_degrees > _LIMITS["tilt"].good:
        tilt = round(seen.tilt_degrees)
        found.append(_("The camera is tilted by {tilt} degrees: bring it closer to above the board.").format(tilt=tilt))
    return tuple(found)


def how_it_is_lit(seen: Glance) -> tuple[str, ...]:
    """What is wrong with light and sharpness."""
    found = []
    if seen.level is not None and seen.level < _LIMITS["light"].good:
        found.append(_("The picture is too dark: switch a lamp on."))
    if seen.glare is not None and _is_burnt_out(seen):
        found.append(_(_GLARE[seen.glare]))
    judged = seen.px_per_hex is not None  # without cards there is no edge to judge by
    if judged and (seen.edge_mm is None or seen.edge_mm > _LIMITS["width of an edge"].good):
        found.append(_("The picture is not sharp: set the focus on the board, or hold the camera still."))
    return tuple(found)


def what_is_mirrored(seen: Glance) -> tuple[str, ...]:
    """Where an empty board mirrors a lamp, if none is told of by `how_it_is_lit`. A picture may be taken all the same:
    not every lamp can be moved."""
    is_much = seen.mirrored is not None and 100 * seen.mirrored > _LIMITS["mirrored lamp"].good
    return (_(_GLARE[seen.lamp]),) if seen.lamp is not None and is_much and not _is_burnt_out(seen) else ()


def _is_burnt_out(seen: Glance) -> bool:
    return seen.clipped is not None and 100 * seen.clipped > _LIMITS["burnt out"].good


def refusal(error: CalibrationError) -> str:
    """Why a picture will not do."""
    return _(str(error))


def moving() -> str:
    """The picture is not still."""
    return _("Something moves: take your hands away and wait.")


def what_is_missing(sight: SwatchSight) -> tuple[str, ...]:
    """What to lay and what to take away, in the order in which people lay it."""
    if sight.board_was_not_empty:
        return (
            _(
                "Much lies where the board should be bare. If it is bare, the first picture was not of an empty "
                "board: go back a step, clear it and take it again."
            ),
        )
    found = []
    if sight.tiles:
        found.append(_("Still to lay: {places}.").format(places=_places(_tile(s) for s in sight.tiles)))
    if sight.pieces:
        found.append(_("Not seen: {places}.").format(places=_places(_piece(s) for s in sight.pieces)))
    if sight.strays:
        text = (
            _("To be taken away: what lies on {places}.")
            if found
            else _("Something seems to lie on {places}. Take it away; if it is only a shadow or glare, go on.")
        )
        found.append(text.format(places=_places(_label(h) for h in sight.strays)))
    return tuple(found)


def figure(quality: Quality) -> Figure:
    """The one figure that people are shown, with its goal."""
    lines = _LIMITS["printed lines"]
    return Figure(quality.line_rms_mm, lines.good, lines.usable)


def advice(assessment: Assessment) -> tuple[str, ...]:
    """What would make the calibration better, the gravest first."""
    return tuple(_(a.text).format(**{k: _(v) for k, v in a.fields.items()}) for a in assessment.advice)


def grade(assessment: Assessment) -> str:
    """One word."""
    return _(GRADES[assessment.grade])


_TILES = {
    "beach": N_("the beach on {hex}"),
    "forest": N_("the forest on {hex}"),
    "mountain": N_("the mountain on {hex}"),
}
_EXPLORERS = {
    "red": N_("the red explorer on {hex}"),
    "blue": N_("the blue explorer on {hex}"),
    "yellow": N_("the yellow explorer on {hex}"),
    "green": N_("the green explorer on {hex}"),
}


def _tile(s: Swatch) -> str:
    return _(_TILES[s.tile or ""]).format(hex=_label(s.hex))


def _piece(s: Swatch) -> str:
    if s.boat is not None:
        text = _("the boat on {hex}")
    elif s.serpents:
        text = _("the sea serpent on {hex}")
    elif s.sharks:
        text = _("the shark on {hex}")
    elif s.whales:
        text = _("the whale on {hex}")
    else:
        text = _(_EXPLORERS[next(iter(s.explorers))])
    return text.format(hex=_label(s.hex))


def _label(h: Hex) -> str:
    return BOARD.labels[h]


def _places(texts: Iterable[str]) -> str:
    named = list(texts)
    if len(named) > MAX_LISTED:
        more = len(named) - MAX_LISTED
        named = [*named[:MAX_LISTED], _("{count} more").format(count=more)]
    return listed(named)
