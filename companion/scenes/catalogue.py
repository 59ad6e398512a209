"""All scenes, in the order of the design. A new screen adds its scenes here; everything else follows by itself."""

from __future__ import annotations

from companion.scenes.before import GAMES, HOME, NEW_GAME, SETUP, SHUT
from companion.scenes.calibrate import CALIBRATION
from companion.scenes.ending import SCORE
from companion.scenes.help import BY_BUTTONS, REPLAYS, RULE_CARDS, RULES
from companion.scenes.private import SECRETS
from companion.scenes.scene import Scene
from companion.scenes.settings import SETTINGS
from companion.scenes.turns import CAMERA, ROLLS, TURN

_ALL = (
    *(*SHUT, *HOME, *NEW_GAME, *SETUP, *TURN, *CAMERA, *BY_BUTTONS, *ROLLS, *SECRETS, *SCORE),
    *(*GAMES, *REPLAYS, *CALIBRATION, *SETTINGS, *RULE_CARDS, *RULES),
)
SCENES: tuple[Scene, ...] = tuple(sorted(_ALL, key=lambda scene: scene.name))
