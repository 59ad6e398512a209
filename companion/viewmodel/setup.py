"""3. Set-up: the island laid as shuffled; then explorers and boats, placed in turn on lit hexes (2.2 to 2.4).

Until the first is placed the fingerprint of the deal stands there, for whoever wants to write it down.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from companion.i18n import N_, _
from companion.rules.actions import PlaceBoat, PlaceExplorer
from companion.rules.geometry import Hex
from companion.rules.layout import TERRAINS, Colour, Layout
from companion.rules.pieces import TILE_COUNTS
from companion.viewmodel import camera
from companion.viewmodel.board import Choice, board_view
from companion.viewmodel.desk import Desk
from companion.viewmodel.help.card import rule_button
from companion.viewmodel.laying import other_pieces, tiles_of
from companion.viewmodel.presenter import Presenter
from companion.viewmodel.show_picture import show_picture, table_in_sight
from companion.viewmodel.states import Button, Light, Line, Note, SetupScreen
from companion.viewmodel.words import colour_name, fingerprint, terrain_name

_PUT_EXPLORER: Mapping[Colour, str] = {
    "red": N_("Put one red explorer on a bright tile"),
    "blue": N_("Put one blue explorer on a bright tile"),
    "yellow": N_("Put one yellow explorer on a bright tile"),
    "green": N_("Put one green explorer on a bright tile"),
}


def _published(desk: Desk) -> tuple[Line, ...]:
    """What the dealer commits itself to, before the first step of a game in which it deals."""
    if desk.public.options.backs != "dealt" or desk.session.record:
        return ()
    text = _("Fingerprint of the deal")
    return (Line(text=text, figure=fingerprint(desk.session.fingerprint), tone="soft"),)


class LayShuffled(Presenter):
    """Where the shuffled tiles go, until people say that they lie; with the camera, how far they are.

    What the camera has not seen yet is dashed, what lies wrong is circled. The fingerprint of the deal stands below.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._seen: Layout | None = None
        self._look()

    def _look(self) -> bool:
        table = self._desk.shell.table
        layout = table.latest_layout() if table and self._desk.camera else None
        changed = layout != self._seen
        self._seen = layout
        return changed

    def _blind(self) -> Note | None:
        """Why the camera reads nothing, where it is to read."""
        table = self._desk.shell.table
        return camera.blind_note(table.status) if table and self._desk.camera else None

    def state(self) -> SetupScreen:
        """The whole island, to be laid as drawn."""
        public = self._desk.public
        wanted = tiles_of(public.layout)
        seen = tiles_of(self._seen) if self._seen else wanted
        right = [h for h, tile in wanted.items() if seen.get(h) == tile]
        others, lights = other_pieces(self._seen)
        lights |= {h: "contradicted" if h in seen else "bare" for h in wanted if h not in right}
        return SetupScreen(
            title=_("Lay the island"),
            board=board_view(public.layout, Choice(lights=lights)),
            sentence=_("Lay the tiles as the picture shows."),
            tiles=tuple(
                (terrain, terrain_name(terrain), sum(wanted[h] == terrain for h in right), TILE_COUNTS[terrain])
                for terrain in TERRAINS
            ),
            lines=(*others, *_published(self._desk)),
            note=self._blind(),
            buttons=(Button(id="menu", text=_("Menu"), icon="menu"),),
            primary=Button(id="begin", text=_("The island lies"), kind="primary"),
        )

    def press(self, button_id: str) -> None:
        """The tiles lie."""
        if button_id == "begin":
            self._desk.laid = True
        elif button_id == "menu":
            self._desk.go_for_menu()

    def tick(self, now: float) -> bool:  # noqa: ARG002 - looks whenever asked
        """The camera may have seen another tile."""
        return self._look()


class Placing(Presenter):
    """Whose turn it is to place, what, where it may go, and how many are left."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.over = camera.NOTHING
        """What the camera adds; kept up to date by the game's frame."""

    def targets(self) -> dict[Hex, PlaceExplorer | PlaceBoat]:
        """The legal hexes, and what a touch there does."""
        raise NotImplementedError

    def sentence(self) -> str:
        """What to put where."""
        raise NotImplementedError

    def rule(self) -> str:
        """What touching the sentence explains."""
        raise NotImplementedError

    def left(self, player: int) -> int:
        """How many that player has still to place."""
        raise NotImplementedError

    def hint(self) -> str:
        """The second way to do it."""
        raise NotImplementedError

    def colours(self) -> tuple[Button, ...]:
        """A choice of colours, for who plays two."""
        return ()

    def mark(self) -> Colour:
        """The mark beside the name."""
        return self.desk.active.colours[0]

    def state(self) -> SetupScreen:
        """The lit board and a line a player."""
        public = self.desk.public
        lights: dict[Hex, Light] = dict.fromkeys(self.targets(), "legal")
        return SetupScreen(
            title=self.desk.active.name,
            mark=self.mark(),
            board=board_view(
                public.layout, Choice(lights={**self.over.lights, **lights}, touch=lights.keys(), veiled=True)
            ),
            sentence=self.sentence(),
            help=rule_button(self.rule()),
            lines=(
                *self.over.lines,
                *(
                    Line(
                        text=player.name,
                        mark=player.colours[0],
                        figure=_("{n} left").format(n=self.left(number)),
                        tone="strong" if number == public.active else "normal",
                    )
                    for number, player in enumerate(public.players)
                ),
                *(() if self.desk.practice else _published(self.desk)),
            ),
            prompt=(Button(id="rest", text=_("Place the rest for us"), icon="forward"),) if self.desk.practice else (),
            note=self.over.note,
            hint=self.hint(),
            buttons=(
                Button(id="menu", text=_("Menu"), icon="menu"),
                Button(id="undo", text=_("Undo"), icon="undo", enabled=self.desk.session.undo_offer is not None),
                *(self.colours() or self._see()),
            ),
        )

    def _see(self) -> tuple[Button, ...]:
        """What the camera sees, where there is one and room for a button."""
        return (Button(id="picture", text=_("Show picture"), icon="camera"),) if table_in_sight(self.desk) else ()

    def touch_hex(self, h: Hex) -> None:
        """Place it there."""
        if action := self.targets().get(h):
            self.desk.session.do(action)

    def press(self, button_id: str) -> None:
        """Menu, undo, and in practice all the rest."""
        if button_id == "menu":
            self.desk.go_for_menu()
        elif button_id == "undo":
            self.desk.undo()
        elif button_id == "rest" and self.desk.practice:
            self._place_the_rest()
        elif button_id == "picture":
            last = self.desk.last
            show_picture(self.desk, (), lambda: self.desk.last is last)

    def _place_the_rest(self) -> None:
        """Anywhere: who wants to see how a turn goes need not touch two dozen places first."""
        session = self.desk.session
        chance = random.Random(session.fingerprint)  # nothing hangs on it
        while there := [action for action in session.legal() if isinstance(action, PlaceExplorer | PlaceBoat)]:
            session.do(chance.choice(there))


class PlacingExplorers(Placing):
    """2.3."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        left = desk.public.unplaced.explorers
        self._choices = tuple(colour for colour in desk.active.colours if left.get(colour))
        self._colour = max(self._choices, key=lambda colour: left[colour])

    def targets(self) -> dict[Hex, PlaceExplorer | PlaceBoat]:
        """Free tiles."""
        return {
            action.hex: action
            for action in self.desk.legal()
            if isinstance(action, PlaceExplorer) and action.colour == self._colour
        }

    def sentence(self) -> str:
        """In whole words for each colour."""
        return _(_PUT_EXPLORER[self._colour])

    def rule(self) -> str:
        """Of overcrowding where that is played."""
        return "12.1" if self.desk.public.options.overpopulation else "2.3"

    def left(self, player: int) -> int:
        """Of both colours together."""
        return sum(self.desk.public.unplaced.explorers.get(c, 0) for c in self.desk.players[player].colours)

    def hint(self) -> str:
        """By touch."""
        return _("Or touch the tile here.")

    def mark(self) -> Colour:
        """The colour to be placed."""
        return self._colour

    def colours(self) -> tuple[Button, ...]:
        """Which of two colours."""
        if len(self._choices) < 2:
            return ()
        return tuple(
            Button(
                id=f"colour:{colour}",
                text=colour_name(colour),
                mark=colour,
                kind="primary" if colour == self._colour else "secondary",
            )
            for colour in self._choices
        )

    def press(self, button_id: str) -> None:
        """The other colour."""
        super().press(button_id)
        colours = {f"colour:{colour}": colour for colour in self._choices}
        self._colour = colours.get(button_id, self._colour)


class PlacingBoats(Placing):
    """2.4."""

    def targets(self) -> dict[Hex, PlaceExplorer | PlaceBoat]:
        """Sea beside a tile."""
        return {action.hex: action for action in self.desk.legal() if isinstance(action, PlaceBoat)}

    def sentence(self) -> str:
        """Boats have no colour."""
        return _("Put a boat on a bright sea hex")

    def rule(self) -> str:
        """Where boats go."""
        return "2.4"

    def left(self, player: int) -> int:
        """Boats to place."""
        return self.desk.public.unplaced.boats[player]

    def hint(self) -> str:
        """By touch."""
        return _("Or touch the hex here.")
