"""What can go wrong around the table. Every text is one or two sentences that say what to do."""

from __future__ import annotations

from typing import Literal

from companion.faults import Fault, Said
from companion.i18n import N_

JournalFault = Literal["newer", "foreign", "locked", "readonly", "full", "disk", "closed", "unknown_game", "unreadable"]
"""What kept the journal from working, for a screen that has its own words for it."""


class TableError(Fault):
    """Base of all errors of this package. Nothing has changed when one is raised."""


class JournalError(TableError):
    """The record of games could not be opened, read or written; `fault` says which, the text what to do."""

    def __init__(self, fault: JournalFault, sentence: str, /, **about: object) -> None:
        super().__init__(sentence, **about)
        self.fault = fault


class UnreadableStep(JournalError):  # noqa: N818 - says what it is
    """A step of a game that this version's rules do not know; what comes before record `number` is whole."""

    def __init__(self, number: int) -> None:
        super().__init__(
            "unreadable",
            N_(
                "Step {number} of this game does not go by the rules of this version of the companion."
                " Open it with the version that wrote it."
            ),
            number=number,
        )
        self.number = number


class ConsentNeeded(TableError):  # noqa: N818 - says what it is
    """An undo past something revealed that `players` have not agreed to yet."""

    def __init__(self, players: tuple[int, ...]) -> None:
        super().__init__("This goes back behind a roll or a secret: everybody has to agree to it.")
        self.players = players


class NothingToUndo(TableError):  # noqa: N818 - says what it is
    """An undo at the start of the game."""

    def __init__(self) -> None:
        super().__init__("There is nothing to take back: this is the start of the game.")


class CannotAdopt(TableError):  # noqa: N818 - says what it is
    """A layout that no game in progress can have; `problems` are sentences, one for each thing to put right."""

    def __init__(self, problems: tuple[Said, ...]) -> None:
        super().__init__(" ".join(map(str, problems)))
        self.problems = problems
