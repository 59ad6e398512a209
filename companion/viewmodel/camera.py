"""What the camera adds to a screen of the game: hatched hexes, a note, what is still to be put right by hand.

In: the link's status and what the follower makes of the table. Out: an `Overlay` for the turn and the set-up. Questions
and contradictions have screens of their own (`doubt`).
"""

from __future__ import annotations

import msgspec

from companion.i18n import _, ngettext
from companion.rules.geometry import Hex
from companion.table.follow import FollowState, Settled, Waiting
from companion.viewmodel.chores import chore_line
from companion.viewmodel.states import Light, Line, Note
from companion.viewmodel.table_link import Bumped, LinkStatus, Lost, Seeing, Starting, Uncalibrated

SILENT_S = 3.0
"""So long a hand may be over the board before a word is said about it."""

CHORES = 3
"""So many things to do by hand are told at once."""


class Overlay(msgspec.Struct, frozen=True):
    """What comes on top of a screen; `lines` come before the events."""

    lights: dict[Hex, Light] = {}
    note: Note | None = None
    lines: tuple[Line, ...] = ()


NOTHING = Overlay()


def explains(following: FollowState) -> bool:
    """Whether what lies on the table is as the game says, but for what hands have still to do."""
    return isinstance(following, Settled) or (isinstance(following, Waiting) and following.why == "chores")


def overlay(status: LinkStatus, following: FollowState | None, waiting_s: float) -> Overlay:
    """`waiting_s` is how long the follower has been waiting, or for how long the camera is not ready yet."""
    if isinstance(status, Lost | Uncalibrated):
        return Overlay(note=blind_note(status))
    if isinstance(status, Starting):  # nobody looks yet: nothing is in the way
        over = NOTHING
        if isinstance(following, Waiting) and following.why == "chores":
            over = _waiting_overlay(following, waiting_s)
        return msgspec.structs.replace(over, note=_starting_note()) if waiting_s >= SILENT_S else over
    over = _waiting_overlay(following, waiting_s) if isinstance(following, Waiting) else NOTHING
    if over.note is None and isinstance(status, Seeing) and status.bumped is not None:
        return msgspec.structs.replace(over, note=_bump_note(status.bumped))
    return over


def blind_note(status: LinkStatus) -> Note | None:
    """Why nothing is read off the table, where the camera is asked for and no game is followed yet; None if it is."""
    match status:
        case Lost():
            return lost_note(status)
        case Uncalibrated():
            return _uncalibrated_note(status)
        case Seeing(registered=False, sharp=sharp):
            return _not_found_note() if sharp else _blurred_note()
    return None


def _waiting_overlay(following: Waiting, waiting_s: float) -> Overlay:
    if following.why == "chores":
        return Overlay(lines=tuple(chore_line(chore) for chore in following.chores[:CHORES]))
    if following.why == "hand" or waiting_s >= SILENT_S:
        hidden: dict[Hex, Light] = dict.fromkeys(following.hexes, "hidden")
        return Overlay(lights=hidden, note=_waiting_note(following) if waiting_s >= SILENT_S else None)
    return NOTHING


def _bump_note(bumped: Bumped) -> Note:
    """What was moved; there is nothing to do, unless nobody meant to."""
    match bumped:
        case "board":
            text = _("The board was moved. The camera has found it again.")
        case "camera":
            text = _("The camera was moved. It has found the board again.")
        case "either":
            text = _("Board or camera was moved. The board has been found again.")
    return Note(text=text, icon="camera")


def _uncalibrated_note(status: Uncalibrated) -> Note:
    text = _("{reason} Play on by touch; Calibrate is on the home screen.").format(reason=status.reason)
    return Note(text=text, icon="calibrate")


def _starting_note() -> Note:
    text = _("{reason} Play on by touch.").format(reason=_("The camera is getting ready."))
    return Note(text=text, icon="camera")


def _waiting_note(waiting: Waiting) -> Note:
    if waiting.why == "unregistered":
        return _not_found_note()
    if waiting.why == "blurred":
        return _blurred_note()
    return Note(text=_("Waiting for a clear view of the board."), icon="camera")


def _not_found_note() -> Note:
    return Note(
        text=_("The camera does not find the board. Is something over its edge, or over the lens?"), icon="camera"
    )


def _blurred_note() -> Note:
    return Note(text=_("The picture is not sharp. Is the lens clean, and its focus on the board?"), icon="camera")


def lost_note(status: Lost) -> Note:
    """The red note; the game goes on by touch."""
    return Note(
        strong=_("No picture"),
        text=_("{reason} Play on by touch.").format(reason=status.reason),
        kind="fault",
        icon="camera_off",
        line="" if status.retry_s is None else retry_text(status.retry_s),
    )


def retry_text(seconds: int) -> str:
    """`Trying again in 4 s`."""
    return ngettext("Trying again in {n} s", "Trying again in {n} s", seconds).format(n=seconds)
