"""Checks a finished game against the fingerprint published at its start: every roll and back as it had to come.

The whole game is played again from its records with nothing but the seed and the rules, apart from the session, so that
a fault of the one is not hidden by the same fault of the other.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from companion.table import fairness
from companion.table.errors import JournalError, UnreadableStep
from companion.table.journal import Journal
from companion.table.records import Record
from companion.table.start import game_of


class Verdict(msgspec.Struct, frozen=True):
    """What came of the check. `commitment` is the line whose SHA-256 is the `fingerprint`; no `problems`: all is well.

    `draws` came from the seed, of which `undone` were taken back; `entered` outcomes people have entered themselves.
    `shuffled`: whether the first position lies as the seed shuffles it. Else people have laid it out themselves, which
    the record does not say; None if the game was begun from a later position.
    """

    fingerprint: str
    commitment: str
    draws: int
    undone: int
    entered: int
    shuffled: bool | None
    problems: tuple[str, ...]


def verify(journal: Journal, game_id: str, noted: str = "") -> Verdict:
    """Check a game that is over. Raises JournalError if there is none such, or it is not over: its seed is secret.

    `noted` are the first digits of the fingerprint, in hex, as people wrote them down when the game began. Without them
    the record is held against the fingerprint in itself only: who writes all of it anew can write that, too.
    """
    records = journal.records(game_id)
    game = game_of(records)
    if not journal.summary(game_id).finished:
        raise JournalError("unreadable", "A game can be checked when it is over: until then its seed is secret.")
    verdict = _Check(records, game).verdict
    if verdict.fingerprint.startswith(noted.lower()):
        return verdict
    other = f"The fingerprint of this record begins with {verdict.fingerprint[: len(noted)]}, not with {noted.lower()}."
    return msgspec.structs.replace(verdict, problems=(*verdict.problems, other))


class _Check:
    """One game played again."""

    def __init__(self, records: tuple[Record, ...], game: Any) -> None:
        start = records[0].content()
        self._game = game
        self._seed = bytes.fromhex(start["seed"])
        self._counts: Counter[str] = Counter()
        self._problems: list[str] = []
        self._entered = self._undone = 0
        self._line: list[tuple[Any, bool]] = []  # positions after each action in effect, and whether it was drawn for
        try:
            self._start = self._game.decode_position(start["position"])
        except ValueError as error:
            raise UnreadableStep(records[0].number) from error
        commitment = fairness.commitment(self._seed, self._game.decks(self._start))
        if fairness.fingerprint(self._seed, self._game.decks(self._start)) != start["fingerprint"]:
            self._problems.append("The fingerprint published at the start is not that of this seed and these decks.")
        for record in records[1:]:
            if record.kind == "action":
                self._action(record)
            elif record.kind == "undo":
                self._undo(record)
            elif record.kind == "finished":
                self._finished(record)
        self.verdict = Verdict(
            fingerprint=start["fingerprint"],
            commitment=commitment,
            draws=self._counts.total(),
            undone=self._undone,
            entered=self._entered,
            shuffled=self._is_shuffled(),
            problems=tuple(self._problems),
        )

    def _is_shuffled(self) -> bool | None:
        lies = self._game.laid_out(self._start)
        return None if lies is None else bool(lies == fairness.deck_order(self._seed, "tiles", Counter(lies)))

    @property
    def _position(self) -> Any:
        return self._line[-1][0] if self._line else self._start

    def _undo(self, record: Record) -> None:
        if self._line:
            self._undone += self._line.pop()[1]
        else:
            self._problems.append(f"Step {record.number} takes back what nobody has done.")

    def _finished(self, record: Record) -> None:
        """The result that was written down has to be that of the game."""
        said, result = record.content(), self._game.result(self._position)
        if result is None or (tuple(said["winners"]), tuple(said["totals"])) != (result.winners, result.totals):
            self._problems.append(f"Step {record.number}: these are not the winners and totals of this game.")

    def _action(self, record: Record) -> None:
        body, position = record.content(), self._position
        try:
            action = self._game.decode_action(body["action"])
            after = self._game.apply(position, action)[0]
        except ValueError as error:
            raise UnreadableStep(record.number) from error
        bare = self._game.without_outcome(action)
        chance = self._game.chance(position, bare)
        if chance is not None and "draw" in body:
            n = self._counts[chance.stream]
            due = self._game.with_outcome(bare, fairness.draw(self._seed, chance.stream, n, chance.outcomes))
            self._counts[chance.stream] += 1
            if body["draw"] != [chance.stream, n]:
                self._problems.append(f"Step {record.number} is not draw {n} of {chance.stream}, which was due.")
            elif action != due:
                self._problems.append(f"Step {record.number} is not what the seed says comes there.")
        elif chance is not None or self._game.is_entered(action):
            self._entered += 1
        self._line.append((after, "draw" in body))
