"""10b. A game looked at again: the board after each step, the turn in words, a slider through all of it.

In: a `Replay`, which knows nothing that is not public. Out: one step after another, by button, slider or by itself;
the game as a file. A step is what there is something to tell of: that a phase was ended is none.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.i18n import _, long_date
from companion.table.replay import Replay
from companion.viewmodel.board import board_view
from companion.viewmodel.log import lines_of, turn_so_far
from companion.viewmodel.notices import export_of
from companion.viewmodel.presenter import Presenter, Shell
from companion.viewmodel.states import Button, Line, Note, ReplayScreen

STEP_S = 1.2
"""So long each step stands while the game plays by itself."""


class Replaying(Presenter):
    """Begins with the board as it was laid. `back` leads out.

    `onward` is what else can be done with the game, and where it leads. `kept`: the journal has it, so that it can be
    written into a file.
    """

    def __init__(
        self,
        shell: Shell,
        replay: Replay,
        back: Callable[[], None],
        onward: tuple[Button, Callable[[], None]] | None = None,
        *,
        kept: bool = True,
    ) -> None:
        self._shell = shell
        self._replay = replay
        self._back = back
        self._onward = onward
        self._export = export_of(shell, replay.game_id) if kept else None
        told = (n for n, entry in enumerate(replay.record, start=1) if lines_of(entry, replay.players))
        self._stops = (0, *told)  # after how many entries there is something new to be told
        self._at = 0  # which of them is shown
        self._next_at: float | None = None  # when the next step is due; None while it stands still

    @property
    def _steps(self) -> int:
        return len(self._stops) - 1

    def state(self) -> ReplayScreen:
        """The board after that step."""
        replay, at = self._replay, self._at
        record = replay.record[: self._stops[at]]
        return ReplayScreen(
            title=long_date(replay.started.astimezone()),
            back=Button(id="back", text=_("Back"), icon="back"),
            board=board_view(replay.view(self._stops[at]).layout),
            heading=self._heading(),
            lines=turn_so_far(record, replay.players) if record else (),
            note=self._note(),
            step=at,
            steps=self._steps,
            before=Button(id="before", text=_("A step back"), icon="back", enabled=at > 0),
            play=self._play_button(),
            after=Button(id="after", text=_("A step on"), icon="forward", enabled=at < self._steps),
            buttons=self._buttons(),
        )

    def _heading(self) -> Line:
        replay = self._replay
        if not self._at:
            return Line(text=_("Before the first move"), tone="strong")
        entry = replay.record[self._stops[self._at] - 1]
        player = replay.players[entry.player]
        if entry.turn:
            text = _("{name}, turn {turn} of {all}").format(name=player.name, turn=entry.turn, all=replay.turns)
        else:
            text = _("{name} sets up").format(name=player.name)
        return Line(text=text, mark=player.colours[0], tone="strong")

    def _note(self) -> Note | None:
        if self._replay.whole and not self._replay.damaged:
            return None
        strong = _("Whole up to turn {turn}.").format(turn=self._replay.turns)
        text = _("What follows may be lost.") if self._replay.whole else _("The rest cannot be read.")
        return Note(strong=strong, text=text, kind="warning", icon="warning")

    def _play_button(self) -> Button:
        if self._next_at is None:
            return Button(id="play", text=_("Let it run"), icon="play", kind="primary", enabled=self._steps > 0)
        return Button(id="play", text=_("Stop there"), icon="pause", kind="primary")

    def _buttons(self) -> tuple[Button, ...]:
        export = (Button(id="export", text=_("Export"), icon="export", enabled=self._replay.whole),)
        return (*(export if self._export else ()), *((self._onward[0],) if self._onward else ()))

    def press(self, button_id: str) -> None:
        """A step, on by itself or no longer, the file, or the way on or out."""
        ways: dict[str, Callable[[], None]] = {
            "back": self._back,
            "before": lambda: self._go_to(self._at - 1),
            "after": lambda: self._go_to(self._at + 1),
            "play": self._play_or_stop,
        }
        if self._onward:
            ways[self._onward[0].id] = self._onward[1]
        if self._export and self._replay.whole:
            ways["export"] = self._export
        if button_id == "export":
            self._next_at = None
        if button_id in ways:
            ways[button_id]()

    def _go_to(self, step: int) -> None:
        self._at = min(max(0, step), self._steps)
        self._next_at = None

    def _play_or_stop(self) -> None:
        """From the end it begins anew."""
        if self._next_at is not None:
            self._next_at = None
        elif self._steps:
            self._at = 0 if self._at == self._steps else self._at
            self._next_at = self._shell.now + STEP_S

    def slide(self, field: str, value: int, *, done: bool) -> None:  # noqa: ARG002 - it is there already
        """To that step."""
        if field == "step":
            self._go_to(value)

    def tick(self, now: float) -> bool:
        """The next step, when it is due."""
        if self._next_at is None or now < self._next_at:
            return False
        self._at += 1
        self._next_at = now + STEP_S if self._at < self._steps else None
        return True
