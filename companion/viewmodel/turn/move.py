"""3.2: up to three moves. Touch a piece, then a lit hex; the panel says where the piece may go and by what."""

from __future__ import annotations

from collections.abc import Sequence

from companion.i18n import _
from companion.rules.actions import EndPhase, MoveBoat, MoveExplorer
from companion.rules.geometry import Hex
from companion.rules.layout import Land
from companion.rules.pieces import MOVES_PER_TURN
from companion.viewmodel.board import Choice
from companion.viewmodel.desk import Desk
from companion.viewmodel.states import Button, Light, Line, Pips
from companion.viewmodel.turn.panel import Panel, TurnPresenter
from companion.viewmodel.turn.ways import (
    Move,
    Piece,
    ends_swimming,
    piece_button,
    piece_of,
    target_hex,
    target_land,
    way_button,
    way_lines,
    what_waits,
)


class Moving(TurnPresenter):
    """Nothing chosen; a piece chosen; or a question which piece of a hex (`_which`) or which way (`_how`)."""

    cell = "move"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._moves: list[Move] = [move for move in desk.legal() if isinstance(move, MoveExplorer | MoveBoat)]
        self._piece: Piece | None = None
        self._which: tuple[Piece, ...] = ()
        self._how: tuple[Move, ...] = ()
        self._show_all = False
        self._has_moved = any(entry.player == desk.public.active and entry.phase == "move" for entry in desk.record)
        """In an earlier turn, or in this one: then nobody needs to be told how."""

    # What is legal

    def _of_piece(self) -> list[Move]:
        return [move for move in self._moves if self._piece and piece_of(move) == self._piece]

    def _away(self) -> list[Move]:
        """Moves of the chosen piece that end on another hex: those are touched on the board."""
        here = self._piece.hex if self._piece else None
        return [move for move in self._of_piece() if target_hex(move) not in (None, here)]

    def _here(self) -> list[Move]:
        """Moves on its own hex: a touch there lets it go, so they are buttons."""
        here = self._piece.hex if self._piece else None
        return [move for move in self._of_piece() if target_hex(move) == here]

    def _ashore(self, land: Land | None = None) -> list[Move]:
        return [move for move in self._of_piece() if (to := target_land(move)) and to == (land or to)]

    # What is drawn

    def panel(self) -> Panel:
        """By what has been chosen."""
        sentence, prompt = self._question()
        return Panel(
            cell=self.cell,
            choice=self._choice(),
            pips=Pips(left=self.desk.public.moves_left, total=MOVES_PER_TURN),
            subtitle=self._piece.name if self._piece else "",
            sentence=sentence,
            lines=self._lines(),
            prompt=prompt,
            choosing=bool(self._piece or self._which),
            cell_acts=True,
            primary=Button(id="done", text=_("Done moving"), kind="primary"),
        )

    def _question(self) -> tuple[str, tuple[Button, ...]]:
        layout = self.desk.public.layout
        if self._which:
            return _("Which of them?"), tuple(piece_button(f"piece:{i}", piece) for i, piece in enumerate(self._which))
        if self._how:
            return _("How does it go there?"), tuple(
                way_button(f"way:{i}", layout, move) for i, move in enumerate(self._how)
            )
        return self._opening(), tuple(way_button(f"here:{i}", layout, move) for i, move in enumerate(self._here()))

    def _opening(self) -> str:
        """How it is done, for who has not done it yet."""
        if self._piece or self._has_moved:
            return ""
        if self.desk.camera and self.desk.shell.table:
            return _("Move your pieces on the table, or touch one here.")
        return _("Touch one of your pieces, then where it goes.")

    def _lines(self) -> tuple[Line, ...] | None:
        if self._piece and not self._how:
            return way_lines(self.desk.public.layout, [*self._away(), *self._ashore()])
        return () if self._which or self._how else None

    def _choice(self) -> Choice:
        movable = {piece_of(move).hex for move in self._moves}
        lights: dict[Hex, Light] = {}
        if self._piece:
            layout = self.desk.public.layout
            for move in self._away():
                h = target_hex(move)
                assert h is not None, "`_away` ends on a hex"
                if lights.get(h) != "legal":
                    lights[h] = "deadly" if what_waits(layout, move) else "legal"
            lights[self._piece.hex] = "chosen"
        elif self._which:
            lights[self._which[0].hex] = "chosen"
        elif self._show_all:
            lights = dict.fromkeys(movable, "legal")
        lands = tuple(dict.fromkeys(land for move in self._ashore() if (land := target_land(move))))
        return Choice(lights=lights, touch=movable | lights.keys(), lands=lands, veiled=bool(lights))

    # What a touch means

    def touch_hex(self, h: Hex) -> None:
        """A target of the chosen piece, or a piece to choose."""
        moves = [move for move in self._away() if target_hex(move) == h]
        if moves:
            self._decide(moves)
            return
        chosen = self._piece
        pieces = tuple(dict.fromkeys(piece_of(move) for move in self._moves if piece_of(move).hex == h))
        self.touch_away()
        if chosen and pieces == (chosen,):
            return  # touched again: let go of
        if len(pieces) == 1:
            self._piece = pieces[0]
        else:
            self._which = pieces

    def touch_land(self, land: Land) -> None:
        """The chosen piece goes ashore."""
        if ashore := self._ashore(land):
            self._decide(ashore)

    def _decide(self, moves: Sequence[Move]) -> None:
        if len(moves) == 1:
            self.desk.session.do(moves[0])
        else:
            self._how = tuple(sorted(moves, key=ends_swimming))  # the dry way first

    def touch_away(self) -> None:
        """Nothing is chosen any more."""
        self._piece, self._which, self._how, self._show_all = None, (), (), False

    def touch_cell(self) -> None:
        """Light every piece that can move."""
        self.touch_away()
        self._show_all = True

    def act(self, button_id: str) -> None:
        """Done moving, or an answer to a question."""
        answers: dict[str, Move | Piece | EndPhase] = {
            "done": EndPhase(),
            **{f"piece:{i}": piece for i, piece in enumerate(self._which)},
            **{f"way:{i}": move for i, move in enumerate(self._how)},
            **{f"here:{i}": move for i, move in enumerate(self._here())},
        }
        answer = answers.get(button_id)
        if isinstance(answer, Piece):
            self._piece, self._which = answer, ()
        elif answer:
            self.desk.session.do(answer)
