"""The curtain opens: the empty card comes in, and what it says is drawn only when it is whole. It shuts at once.

Until then no drawing is made of what the card says, so nothing can be seen of it, and all cards come in alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from kivy.animation import Animation
from kivy.clock import Clock

from companion.ui.widgets.scene import PartWidget, Scene
from companion.viewmodel.states import Screen, SecretCard, SecretScreen

_EMPTY = SecretCard(title="")


class Opening:
    """Says of each screen how much of it may be drawn; calls `whole` when what was kept back may be, too."""

    def __init__(self, scene: Scene, whole: Callable[[], None]) -> None:
        self._scene = scene
        self._whole = whole
        self._event: Any = None
        self._fading: tuple[Animation, PartWidget] | None = None

    def seen(self, before: Screen | None, now: Screen) -> Screen:
        """`now`, or all of it but what the card says: after `before` it has to come in. What is first, is there."""
        owner, seconds = _owner(now), self._scene.motion.curtain
        opens = before is not None and owner is not None and owner != _owner(before)
        if before is None or owner is None or opens:
            self.end()
        if opens and seconds:
            self._event = Clock.schedule_once(lambda _dt: self.come(), seconds)
        return msgspec.structs.replace(now, card=_EMPTY) if self._event and isinstance(now, SecretScreen) else now

    def fade(self, card: PartWidget) -> None:
        """The empty card as it has been drawn: it comes in."""
        if self._fading is None:
            card.opacity = 0
            self._fading = Animation(opacity=1, duration=self._scene.motion.curtain, t="out_quad"), card
            self._fading[0].start(card)

    def end(self) -> None:
        """No card is coming in any more."""
        if self._event is not None:
            self._event.cancel()
            self._event = None
        if self._fading is not None:
            (fading, card), self._fading = self._fading, None
            fading.cancel(card)
            card.opacity = 1

    def come(self) -> None:
        """A card that is coming in is there, with what it says."""
        if self._event is not None:
            self.end()
            self._whole()


def _owner(screen: Screen) -> int | None:
    """Whose card lies open."""
    return screen.player if isinstance(screen, SecretScreen) and screen.card else None
