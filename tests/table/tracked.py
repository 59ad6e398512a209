"""What a tracker says of a picture, in the words of `companion track`."""

from __future__ import annotations

from companion.table.follow import FollowState, Settled, Waiting
from companion.table.reconcile import Contradiction, Question


def said(state: FollowState) -> tuple[str, str | None]:
    """The status, and the rule that is named, if any."""
    match state:
        case Contradiction(rule=rule):
            return "contradiction", rule
        case Question():
            return "question", None
        case Waiting(why=why) if why != "chores":
            return "waiting", None
        case Waiting() | Settled():
            return "explained", None
