"""All scenes, in the order of the design. A new screen adds its scenes here; everything else follows by itself."""

from __future__ import annotations

from companion.scenes.before import GAMES, HOME, NEW_GAME, SETUP
from companion.scenes.ending import SCORE
from companion.scenes.private import SECRETS
from companion.scenes.scene import Scene
from companion.scenes.settings import SETTINGS
from companion.scenes.turns import CAMERA, ROLLS, TURN

SCENES: tuple[Scene, ...] = tuple(
    sorted(
        (*HOME, *NEW_GAME, *SETUP, *TURN, *CAMERA, *ROLLS, *SECRETS, *SCORE, *GAMES, *SETTINGS), key=lambda s: s.name
    )
)
