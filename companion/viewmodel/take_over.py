"""3. A game that stands on the table already: shown as the camera reads it, put right by people, and taken over.

In: the camera's last layout. Out: a session from what people say stands there. A hex that people have spoken about
keeps their word, whatever the camera reads next, until they go back to the wizard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from companion.faults import Said, told
from companion.i18n import _, ngettext
from companion.rules.geometry import Hex
from companion.rules.layout import COLOURS, Colour, Counts, HexContent, Land, Layout
from companion.table.adopt import start_from_layout
from companion.table.errors import CannotAdopt
from companion.viewmodel.answers import in_reach
from companion.viewmodel.board import Choice, board_view
from companion.viewmodel.camera import blind_note
from companion.viewmodel.corrections import Correction, SafeCorrection, hex_corrections, safe_corrections
from companion.viewmodel.defaults import NewGameDefaults
from companion.viewmodel.presenter import Presenter, Shell
from companion.viewmodel.states import Button, Note, SetupScreen
from companion.viewmodel.words import BOARD, label, names

_MOST_ANSWERS = 4
"""There is no phase strip here and no hand: one more than in a turn."""


class GoOn(Presenter):
    """Is this how it stands, and whose turn is it? A hex or safe land that is touched can be corrected first."""

    def __init__(self, shell: Shell, draft: NewGameDefaults) -> None:
        self._shell = shell
        self._draft = draft
        self._players = draft.seated()
        self._active = 0
        self._seen: Layout | None = None
        self._hexes: dict[Hex, HexContent] = {}
        self._safe: dict[str, Counts] = {}
        self._hex: Hex | None = None
        self._land: Land | None = None
        self._page = 0
        self._problems: tuple[Said, ...] = ()
        self._look()

    def _look(self) -> bool:
        table = self._shell.table
        layout = table.latest_layout() if table else None
        if layout == self._seen:
            return False
        self._seen = layout
        self._problems = ()
        return True

    # What stands on the table

    def _layout(self) -> Layout:
        """What the camera reads, with what people have said."""
        seen = self._seen or Layout()
        hexes = {**seen.hexes, **self._hexes}
        safe = {**seen.safe, **self._safe}
        return Layout(
            hexes={h: content for h, content in hexes.items() if not content.is_empty},
            safe={land: counts for land, counts in safe.items() if counts},
            unknown=seen.unknown - self._hexes.keys(),
        )

    @property
    def _readable(self) -> bool:
        return self._seen is not None and not self._layout().unknown

    def _colours(self) -> tuple[Colour, ...]:
        played = {colour for player in self._players for colour in player.colours}
        return tuple(colour for colour in COLOURS if colour in played)

    def _corrections(self) -> Mapping[str, Correction | SafeCorrection]:
        """What can be changed about the chosen place, by the button that changes it."""
        now, seen = self._layout(), self._seen or Layout()
        found: tuple[Correction | SafeCorrection, ...] = ()
        if self._hex:
            found = hex_corrections(
                now.at(self._hex),
                seen.at(self._hex),
                self._colours(),
                island=self._hex in BOARD.island,
                dolphins=self._draft.options.dive_dice,
            )
        elif self._land:
            found = safe_corrections(now.safe.get(self._land, {}), seen.safe.get(self._land, {}), self._colours())
        return {correction.button.id: correction for correction in found}

    # What is shown

    def state(self) -> SetupScreen:
        """The table; then the question about all of it, or what can be changed about the chosen place."""
        return self._about_a_place() if self._hex or self._land else self._about_all()

    def _about_all(self) -> SetupScreen:
        layout = self._layout()
        player = self._players[self._active]
        touch = frozenset(BOARD.hexes) if self._seen else frozenset()
        return SetupScreen(
            title=_("Go on from the table"),
            board=board_view(layout, Choice(touch=touch, lands=get_args(Land) if self._seen else ())),
            sentence=_("Is this how it stands? Then say whose turn begins, and go on.")
            if self._readable
            else _("Waiting for a clear view of the whole board."),
            note=self._blind() or self._note(layout),
            hint=_("Touch what is wrong or hatched, and say what stands there.") if self._seen else "",
            buttons=(
                Button(id="back", text=_("Back"), icon="back"),
                Button(id="whose", text=player.name, mark=player.colours[0]),
            ),
            primary=Button(id="begin", text=_("Go on"), kind="primary", enabled=self._readable and not self._problems),
        )

    def _blind(self) -> Note | None:
        """Why the camera reads nothing."""
        return blind_note(self._shell.table.status) if self._shell.table else None

    def _note(self, layout: Layout) -> Note | None:
        """What keeps the table from being a game; else who has nobody left, who may have been overlooked."""
        if self._problems:
            return Note(text=told(self._problems[0]), kind="warning", icon="warning")
        there = {colour for counts in layout.safe.values() for colour in counts}
        for content in layout.hexes.values():
            there |= {*content.explorers, *(content.boat or {})}
        gone = [player for player in self._players if not there & set(player.colours)]
        if not gone or not self._readable:
            return None
        text = ngettext(
            "{names} has no explorer on the board or on safe land.",
            "{names} have no explorer on the board or on safe land.",
            len(gone),
        )
        return Note(text=text.format(names=names(gone)))

    def _about_a_place(self) -> SetupScreen:
        buttons = tuple(correction.button for correction in self._corrections().values())
        choice = Choice(
            lights={self._hex: "chosen"} if self._hex else {},
            touch=frozenset(BOARD.hexes),
            lands=(self._land,) if self._land else (),
        )
        return SetupScreen(
            title=_("Go on from the table"),
            board=board_view(self._layout(), choice),
            sentence=_("What stands on {hex}?").format(hex=label(self._hex))
            if self._hex
            else _("Who is on this safe land?"),
            prompt=in_reach(buttons, self._page, _MOST_ANSWERS),
            primary=Button(id="done", text=_("Done"), kind="primary"),
        )

    # What a touch means

    def touch_hex(self, h: Hex) -> None:
        """Choose a hex to correct; the chosen one again lets it go."""
        again = h == self._hex
        self.touch_away()
        if not again:
            self._hex = h

    def touch_land(self, land: Land) -> None:
        """The same for a safe land."""
        again = land == self._land
        self.touch_away()
        if not again and self._seen:
            self._land = land

    def touch_away(self) -> None:
        """Nothing is chosen any more; what was changed stays."""
        self._hex, self._land, self._page = None, None, 0

    def press(self, button_id: str) -> None:
        """Back to the wizard, another player's turn, a correction, or go on."""
        corrections = self._corrections()
        if button_id in corrections:
            self._correct(corrections[button_id])
        elif button_id == "more":
            self._page += 1
        elif button_id == "done":
            self._vouch()
        elif button_id == "back":
            self._shell.show_new_game(last_step=True)
        elif button_id == "whose":
            self._active = (self._active + 1) % len(self._players)
            self._problems = ()
        elif button_id == "begin":
            self._begin()

    def _correct(self, correction: Correction | SafeCorrection) -> None:
        self._problems = ()
        if isinstance(correction, Correction):
            assert self._hex is not None, "a hex's corrections are offered while it is chosen"
            self._hexes[self._hex] = correction.then
        else:
            assert self._land is not None, "a safe land's corrections are offered while it is chosen"
            self._safe[self._land] = correction.then

    def _vouch(self) -> None:
        """So it stands on the chosen hex, also where the camera could not see."""
        if self._hex:
            self._hexes[self._hex] = self._layout().at(self._hex)
        self.touch_away()

    def _begin(self) -> None:
        if not self._readable:
            return
        shell, draft = self._shell, self._draft
        try:
            session = start_from_layout(
                shell.journal, self._players, draft.options, self._layout(), self._active, dealer=shell.deal()
            )
        except CannotAdopt as error:
            self._problems = error.problems
        else:
            shell.play(session, camera=draft.camera)

    def tick(self, now: float) -> bool:  # noqa: ARG002 - looks whenever asked
        """The table may stand otherwise now."""
        return self._look()
