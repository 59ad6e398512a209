"""The session and its journal, dealer and reconciler."""

from companion.table.adopt import start_from_layout
from companion.table.chores import Chore
from companion.table.errors import CannotAdopt, ConsentNeeded, JournalError, NothingToUndo, TableError
from companion.table.follow import Follower, FollowState, Settled, Waiting
from companion.table.journal import Journal
from companion.table.reconcile import Candidate, Contradiction, Question
from companion.table.replay import Replay, watch_again
from companion.table.session import Entry, PendingLook, Session, Source, UndoOffer
from companion.table.start import abandon, resume, start_game
from companion.table.summary import GameSummary, PlayerSummary

__all__ = [
    "Candidate",
    "CannotAdopt",
    "Chore",
    "ConsentNeeded",
    "Contradiction",
    "Entry",
    "FollowState",
    "Follower",
    "GameSummary",
    "Journal",
    "JournalError",
    "NothingToUndo",
    "PendingLook",
    "PlayerSummary",
    "Question",
    "Replay",
    "Session",
    "Settled",
    "Source",
    "TableError",
    "UndoOffer",
    "Waiting",
    "abandon",
    "resume",
    "start_from_layout",
    "start_game",
    "watch_again",
]
