"""One open game: the only writer of its journal and the only holder of its whole truth.

In: actions. The dealer adds what chance has to add, the rules carry them out, the journal syncs them to the disk, and
only then does anybody see anything. Out: the position, views for each viewer, the public record. The state is a fold
over the journal, so a session opened again (`resume`) is the same session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from typing import Generic, Literal, TypeAlias

import msgspec

from companion import rules
from companion.rules.actions import Action
from companion.rules.events import Event
from companion.rules.geometry import Hex
from companion.rules.layout import Terrain
from companion.table import fairness
from companion.table.errors import ConsentNeeded, NothingToUndo, UnreadableStep
from companion.table.game import ActionT, EventT, Game, HiddenDraw, PositionT, Reason, ViewT_co
from companion.table.journal import Journal
from companion.table.records import Kind, Record

Source = Literal["touch", "camera", "buttons", "answer"]
"""Where an action came from; `answer` is a question of the camera's that people have answered."""


class GameEntry(msgspec.Struct, Generic[ActionT, EventT], frozen=True):
    """One line of the public record. `turn` counts from 1, 0 while setting up; `phase` is the one it was done in.

    `action` is its public form, None where nothing of it is public.
    """

    serial: int
    turn: int
    player: int
    phase: str
    action: ActionT | None
    events: tuple[EventT, ...]
    notation: str
    source: Source


class UndoOffer(msgspec.Struct, Generic[ActionT, EventT], frozen=True):
    """What would be taken back, who has to agree to it (nobody: free) and what it goes back behind."""

    entry: GameEntry[ActionT, EventT]
    consent: tuple[int, ...] = ()
    reasons: tuple[Reason, ...] = ()


class PastAction(msgspec.Struct, Generic[PositionT, ActionT], frozen=True):
    """An action in effect, the position before it and where it came from. For table code: it holds secrets."""

    before: PositionT
    action: ActionT
    source: Source


_Line: TypeAlias = tuple[Kind, dict[str, object]]
"""A record to be: its kind and its body."""


class Undone(msgspec.Struct, Generic[ActionT, EventT], frozen=True):
    """What was taken back last, and by whom."""

    entry: GameEntry[ActionT, EventT]
    source: Source


class Exported(msgspec.Struct, frozen=True):
    """A game as JSON objects: the positions it began and ended with, the actions in effect between them.

    `complete`: the game is over, nothing is left out. Else it holds what everybody may know, and None for an action of
    which nothing is public.
    """

    complete: bool
    start: object
    actions: tuple[object, ...]
    end: object


class PendingLook(msgspec.Struct, frozen=True):
    """A tile that went into a hand and that its player has not looked at yet."""

    player: int
    hex: Hex
    tile: Terrain


class _Step(msgspec.Struct, Generic[PositionT, ActionT, EventT], frozen=True):
    """One action in effect. It holds secrets: never shown."""

    before: PositionT
    after: PositionT
    action: ActionT
    entry: GameEntry[ActionT, EventT]
    hidden: HiddenDraw | None

    def __repr__(self) -> str:
        return f"_Step({self.entry!r})"


class GameSession(Generic[PositionT, ActionT, EventT, ViewT_co]):
    """A game being played. Made by `start_game`, `start_from_layout` and `resume`; see `Session` for Atlantis."""

    def __init__(
        self, journal: Journal, game: Game[PositionT, ActionT, EventT, ViewT_co], records: tuple[Record, ...]
    ) -> None:
        self._journal = journal
        self._game = game
        self._listeners: list[Callable[[], None]] = []
        self._steps: list[_Step[PositionT, ActionT, EventT]] = []
        self._looked: set[int] = set()
        self.undone: Undone[ActionT, EventT] | None = None
        """What was taken back, if nothing has been done since."""
        self._drawn: Counter[str] = Counter()
        start = records[0].content()
        self.game_id = records[0].game
        self.started = datetime.fromisoformat(records[0].at)
        self.fingerprint: str = start["fingerprint"]
        self._seed = bytes.fromhex(start["seed"])
        try:
            self._start: PositionT = game.decode_position(start["position"])
        except ValueError as error:
            raise UnreadableStep(records[0].number) from error
        for record in records[1:]:
            self._replay(record)

    # The fold

    def _replay(self, record: Record) -> None:
        match record.kind:
            case "action":
                body = record.content()
                try:
                    action = self._game.decode_action(body["action"])
                    step = self._step(self._steps, record.number, action, body["source"])
                except ValueError as error:
                    raise UnreadableStep(record.number) from error
                if "draw" in body:
                    self._drawn[body["draw"][0]] += 1
                self._steps.append(step)
                self.undone = None
            case "undo":
                self.undone = Undone(self._steps.pop().entry, record.content().get("source", "touch"))
            case "looked":
                self._looked.add(record.content()["entry"])

    def _step(
        self, steps: Sequence[_Step[PositionT, ActionT, EventT]], number: int, action: ActionT, source: Source
    ) -> _Step[PositionT, ActionT, EventT]:
        """The next one after these."""
        before, game = steps[-1].after if steps else self._start, self._game
        after, events = game.apply(before, action)
        entry = GameEntry(
            serial=number,
            turn=self._turn_after(steps),
            player=game.actor(before, action),
            phase=game.phase(before),
            action=game.public_action(before, action),
            events=events,
            notation=game.notation(before, action),
            source=source,
        )
        hidden = game.hidden_draw(before, action, events)
        return _Step(before=before, after=after, action=action, entry=entry, hidden=hidden)

    # What there is to see

    @property
    def position(self) -> PositionT:
        """The whole truth, for table code and for what is public in it; screens ask `view`."""
        return self._position_after(len(self._steps))

    def _turn_after(self, steps: Sequence[_Step[PositionT, ActionT, EventT]]) -> int:
        if not steps:
            return self._game.turn_at(self._start)
        last = steps[-1].entry
        return last.turn + self._game.turns_begun(last.events)

    def view(self, viewer: int | None, after: int | None = None) -> ViewT_co:
        """What that player may see, with None what all may see together.

        `after` counts entries of the record, 0 being the start: the view at that time, for a replay.
        """
        if after is None:
            return self._game.view(self.position, viewer)
        return self._game.view(self._position_after(after), viewer)

    def _position_after(self, entries: int) -> PositionT:
        return self._steps[entries - 1].after if entries else self._start

    def legal(self) -> list[ActionT]:
        """Every legal action. It knows every hand: in `reaction` and `play_tile` for that player's eyes only."""
        return self._game.legal_actions(self.position)

    @property
    def record(self) -> tuple[GameEntry[ActionT, EventT], ...]:
        """What has happened and not been taken back, oldest first, without secrets."""
        return tuple(step.entry for step in self._steps)

    def lately(self) -> Iterator[PastAction[PositionT, ActionT]]:
        """What has happened and not been taken back, the latest first."""
        return (PastAction(step.before, step.action, step.entry.source) for step in reversed(self._steps))

    @property
    def times(self) -> tuple[datetime, ...]:
        """When each line of its journal was written, also of what was taken back; the clock may have been set since."""
        return tuple(datetime.fromisoformat(record.at) for record in self._journal.records(self.game_id))

    @property
    def pending_look(self) -> PendingLook | None:
        """The last tile that went into a hand, until its player has `looked`; public."""
        hidden = self._unseen()
        return None if hidden is None else PendingLook(hidden.player, hidden.hex, hidden.tile)

    def drawn_back(self, player: int) -> str | None:
        """The back of `pending_look`, for that player's curtain only; None for everybody else."""
        hidden = self._unseen()
        return hidden.back if hidden is not None and hidden.player == player else None

    def _unseen(self) -> HiddenDraw | None:
        step = next((step for step in reversed(self._steps) if step.hidden is not None), None)
        return None if step is None or step.entry.serial in self._looked else step.hidden

    @property
    def _is_over(self) -> bool:
        return self._game.result(self.position) is not None

    @property
    def proof(self) -> str | None:
        """The dealer's commitment, whose SHA-256 is `fingerprint`; None until the game is over."""
        if not self._is_over:
            return None
        return fairness.commitment(self._seed, self._game.decks(self._start))

    @property
    def told(self) -> int:
        """How many entries of the record whoever is not at the table may know by now.

        Of a game that is still on the last one is left out if it has revealed something: its player may not have
        looked.
        """
        waits = bool(self._steps) and not self._is_over and "secret" in self._game.revealed(self._steps[-1].action)
        return len(self._steps) - waits

    def exported(self) -> Exported:
        """The game for whoever wants to keep it, as far as `told`; without secrets as long as it is not over."""
        over, game = self._is_over, self._game
        encode = game.encode_position if over else game.encode_public
        told = self.told
        actions = [step.action if over else step.entry.action for step in self._steps[:told]]
        return Exported(
            complete=over,
            start=encode(self._start),
            actions=tuple(None if action is None else game.encode_action(action) for action in actions),
            end=encode(self._position_after(told)),
        )

    # What there is to do

    def do(self, action: ActionT, source: Source = "touch") -> tuple[EventT, ...]:
        """Carry out a legal action and return what everybody saw. It is on the disk when this returns.

        Chance is the dealer's, unless the action carries its outcome already. Raises IllegalAction of the rules, or
        JournalError; nothing has changed then.
        """
        self._game.check(self.position, action)
        drawn: dict[str, object] = {}
        chance = self._game.chance(self.position, action)
        if chance is not None:
            n = self._drawn[chance.stream]
            drawn["draw"] = [chance.stream, n]
            action = self._game.with_outcome(action, fairness.draw(self._seed, chance.stream, n, chance.outcomes))
        step = self._step(self._steps, self._journal.next_number(self.game_id), action, source)
        entries: list[_Line] = [("action", self._done(step) | drawn)]
        result = self._game.result(step.after)
        if result is not None:
            entries.append(("finished", {"winners": result.winners, "totals": result.totals}))
        self._append(entries)
        if chance is not None:
            self._drawn[chance.stream] += 1
        self._steps.append(step)
        self.undone = None
        self._tell()
        return step.entry.events

    def exchange(self, actions: Sequence[ActionT], others: Sequence[tuple[ActionT, Source]]) -> bool:
        """Take back the last actions and do others instead, all in one transaction of the journal.

        The others neither draw nor end the game. False if the last actions are not these, or somebody would have to
        agree; raises IllegalAction of the rules, or JournalError. Nothing has changed then.
        """
        count = len(actions)
        kept, last = self._steps[:-count], self._steps[-count:]
        if [step.action for step in last] != list(actions) or any(self._game.revealed(step.action) for step in last):
            return False
        entries: list[_Line] = [("undo", self._taken_back(step.entry, "camera")) for step in reversed(last)]
        for action, source in others:
            number = self._journal.next_number(self.game_id) + len(entries)
            kept.append(self._step(kept, number, action, source))
            entries.append(("action", self._done(kept[-1])))
        self._append(entries)
        self._steps = kept
        self.undone = None
        self._tell()
        return True

    def looked(self) -> None:
        """The player of `pending_look` has seen the back. Nothing happens if there is none."""
        step = next((step for step in reversed(self._steps) if step.hidden is not None), None)
        if step is None or step.entry.serial in self._looked:
            return
        self._append([("looked", {"entry": step.entry.serial})])
        self._looked.add(step.entry.serial)
        self._tell()

    @property
    def undo_offer(self) -> UndoOffer[ActionT, EventT] | None:
        """What `undo` would take back; None at the start of the game."""
        if not self._steps:
            return None
        step = self._steps[-1]
        reasons = self._game.revealed(step.action)
        if self._is_over and "secret" not in reasons:  # the decks lie open
            reasons = (*reasons, "secret")
        consent = tuple(range(self._game.players(step.before))) if reasons else ()
        return UndoOffer(step.entry, consent, reasons)

    def undo(self, consent: Collection[int] = (), *, source: Source = "touch") -> GameEntry[ActionT, EventT]:
        """Take back the last action and return its entry. The journal keeps both. `source`: who has taken it back.

        Raises ConsentNeeded unless all whom `undo_offer` names are in `consent`; NothingToUndo, JournalError.
        """
        offer = self.undo_offer
        if offer is None:
            raise NothingToUndo
        if missing := tuple(player for player in offer.consent if player not in consent):
            raise ConsentNeeded(missing)
        self._append([("undo", self._taken_back(offer.entry, source, offer.consent))])
        self._steps.pop()
        self.undone = Undone(offer.entry, source)
        self._tell()
        return offer.entry

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change; returns what ends the subscription."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def close(self) -> None:
        """End all subscriptions. The journal stays open; what was done is on the disk already."""
        self._listeners.clear()

    def _done(self, step: _Step[PositionT, ActionT, EventT]) -> dict[str, object]:
        """What is recorded of an action, but for what was drawn."""
        return {
            "source": step.entry.source,
            "action": self._game.encode_action(step.action),
            "turn": self._turn_after([step]),
        }

    def _taken_back(
        self, entry: GameEntry[ActionT, EventT], source: Source, consent: tuple[int, ...] = ()
    ) -> dict[str, object]:
        """What is recorded of taking it back."""
        return {"undoes": entry.serial, "turn": entry.turn, "source": source, "consent": consent}

    def _append(self, entries: list[_Line]) -> None:
        self._journal.append(self.game_id, entries)

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def __repr__(self) -> str:
        return f"Session({self.game_id}, {len(self._steps)} steps)"


Session: TypeAlias = GameSession[rules.Position, Action, Event, rules.PlayerView]
"""A game of Atlantis being played."""

Past: TypeAlias = PastAction[rules.Position, Action]
"""One of its actions in effect."""

Entry: TypeAlias = GameEntry[Action, Event]
"""A line of its public record."""
