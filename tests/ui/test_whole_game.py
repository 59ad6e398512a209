"""A whole game by touch alone: from the home screen to the podium, with nothing but fingers on what is drawn."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from ui_fakes import Hand

from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.ui.parts import BoardPart, HoldCorner, Press
from companion.ui.root import CompanionRoot
from companion.viewmodel import states as s
from companion.viewmodel.app import AppViewModel

SEED = 20
MOST_TOUCHES = 3000
ONWARD = ("new_game", "next", "begin")


class Player:
    """Touches what the screen offers: what is lit first, else the way on."""

    def __init__(self, root: CompanionRoot, view_model: AppViewModel) -> None:
        self.root, self.view_model, self.hand = root, view_model, Hand(root)
        self.now = 0.0
        self.rng = random.Random(SEED)
        self.kinds: set[str] = set()

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.view_model.tick(self.now)

    def touch(self) -> None:
        screen = self.view_model.state.screen
        self.kinds.add(type(screen).__name__)
        parts = [widget.part for widget in (self.root.dialog.widgets or self.root.screen.widgets).values()]
        corner = next((part for part in parts if isinstance(part, HoldCorner)), None)
        if corner:
            self.look(corner)
            return
        board = next((part for part in parts if isinstance(part, BoardPart) and part.live), None)
        presses = {part.id: part for part in parts if isinstance(part, Press) and part.enabled}
        lit = [v.hex for v in board.view.hexes if v.touchable and v.light in ("legal", "deadly")] if board else []
        primary = getattr(screen, "primary", None)
        if self.view_model.state.dialog:
            self.press(presses[self.view_model.state.dialog.safe.id])
        elif isinstance(screen, s.TurnScreen) and screen.prompt and self.rng.random() < 0.5:
            self.press(presses[self.rng.choice(screen.prompt).id])
        elif board and board.view.legal_lands and self.rng.random() < 0.8:
            self.hand.tap(*board.projection.anchor(board.view.legal_lands[0]))
        elif lit and self.rng.random() < 0.6:
            self.hand.tap(*board.projection.centre(self.rng.choice(lit)))
        elif isinstance(screen, s.ScoreScreen) and not screen.primary.enabled:
            self.press(presses[self.rng.choice(screen.keys).id])
        elif primary and primary.id in presses:
            self.press(presses[primary.id])
        elif isinstance(screen, s.HomeScreen):
            self.press(presses["new_game"])
        elif lit:
            self.hand.tap(*board.projection.centre(self.rng.choice(lit)))

    def press(self, part: Press) -> None:
        self.hand.tap(part.box.x + part.box.w / 2, part.box.y + part.box.h / 2)

    def look(self, corner: HoldCorner) -> None:
        x = 40.0 if corner.corner.endswith("w") else self.root.page.width - 40
        y = self.root.page.height - 40
        if self.root.screen._turn.angle:
            x, y = self.root.page.width - x, 40.0
        self.hand.down(x, y, finger=1)
        self.pass_time(0.2)
        self.pass_time(0.2)
        self.hand.up(x, y, finger=1)
        self.pass_time(13.0)


def test_from_home_to_the_podium_by_touch_alone(tmp_path: Path) -> None:
    view_model: Any = AppViewModel(Journal(tmp_path / "games.db"), deal=lambda: Dealer(SEED))
    root = CompanionRoot(view_model)
    player = Player(root, view_model)
    for _ in range(MOST_TOUCHES):
        player.touch()
        player.pass_time(0.1)
        if isinstance(view_model.state.screen, s.PodiumScreen):
            break
    root.close()
    assert isinstance(view_model.state.screen, s.PodiumScreen), f"still {view_model.state.screen} (seed {SEED})"
    assert player.kinds >= {"HomeScreen", "NewGameScreen", "SetupScreen", "TurnScreen", "SecretScreen"}
