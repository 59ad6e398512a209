"""11. Calibrate: the live picture with what was found in it, one advice at a time, and a result that can be kept.

In: the `CalibrationLink` to the process that has the camera. Out: a `CalibrateScreen`, and what people say. Four steps:
lens, board, colours, buttons; the first three are the guide's, the buttons are tried here, with or without a panel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from companion.i18n import N_, _, decimal
from companion.viewmodel.calibration_link import CARDS, CalibrationLink, Card, Corner, Guided, GuideStep
from companion.viewmodel.camera import retry_text
from companion.viewmodel.edge import PLAYER_BUTTONS
from companion.viewmodel.framing import WHOLE, Window, frame
from companion.viewmodel.notices import LeaveCalibrating
from companion.viewmodel.presenter import Presenter, Shell
from companion.viewmodel.states import (
    Button,
    CalibrateScreen,
    Gauge,
    Handle,
    LivePicture,
    Note,
    PictureSpot,
    StepTab,
    TestKey,
)
from companion.viewmodel.table_link import LinkStatus, Lost, Off, Seeing
from companion.viewmodel.words import colour_name

Tab = Literal["lens", "board", "colours", "buttons"]

TABS: Mapping[Tab, str] = {
    "lens": N_("Lens"),
    "board": N_("Board"),
    "colours": N_("Colours"),
    "buttons": N_("Buttons"),
}
_TAB_OF: Mapping[GuideStep, Tab] = {
    "lens": "lens",
    "cards": "board",
    "board": "board",
    "swatch": "colours",
    "result": "colours",
}
_BEFORE: Mapping[GuideStep, GuideStep | None] = {
    "lens": None,
    "cards": "lens",
    "board": "lens",
    "swatch": "board",
    "result": "swatch",
}
_AFTER: Mapping[GuideStep, GuideStep] = {"lens": "cards", "cards": "board", "board": "swatch", "swatch": "result"}

_LOOKING: Mapping[Card, str] = {
    "nw": N_("Looking for the north-west card."),
    "ne": N_("Looking for the north-east card."),
    "se": N_("Looking for the south-east card."),
    "sw": N_("Looking for the south-west card."),
}
_COVERED: Mapping[Card, str] = {
    "nw": N_("The north-west card is covered."),
    "ne": N_("The north-east card is covered."),
    "se": N_("The south-east card is covered."),
    "sw": N_("The south-west card is covered."),
}
_GRADES: Mapping[str, str] = {
    "good": N_("The calibration is good."),
    "usable": N_("The calibration will do."),
    "poor": N_("The calibration is too poor to keep."),
}
_LENS = N_(
    "An ordinary lens needs nothing: go on. For a wide one hold the lens sheet near the camera, all over the picture."
)

_WORST = 1.5
"""The scale ends at so many times what is still usable."""

_KEYS: Mapping[str, tuple[str, str]] = {
    "ok": (N_("OK"), "check"),
    "undo": (N_("Undo"), "undo"),
    "roll": (N_("Roll"), "phase_roll"),
}
"""The other buttons of the panel: text and icon."""


class Calibrate(Presenter):
    """The screen. `panel`: there is a panel whose buttons can be tried."""

    def __init__(self, shell: Shell, link: CalibrationLink | None, *, panel: bool) -> None:
        self._shell, self._link, self._has_panel = shell, link, panel
        self._at_buttons = link is None
        self._again = False
        self._seen_once: set[Card] = set()
        self._put: dict[Card, tuple[float, float]] = {}
        self._window: Window = WHOLE
        self._down: set[str] = set()
        self._tried: set[str] = set()
        self._status: LinkStatus = Off()
        self._guided: Guided | None = None
        self._picture = b""
        if link is not None:
            link.begin()

    def close(self) -> None:
        """The camera goes back to watching, by what is in use."""
        if self._link is not None:
            self._link.end()

    # --- what has been heard

    def tick(self, now: float) -> bool:  # noqa: ARG002 - pictures come when they come
        """Another picture, another state of the guide, another state of the camera."""
        if self._link is None:
            return False
        heard = (self._link.status, self._link.guided, self._link.picture)
        if heard == (self._status, self._guided, self._picture):
            return False
        before, (self._status, self._guided, self._picture) = self._guided, heard
        if self._guided is not None:
            self._hear(self._guided, before)
        return True

    def _hear(self, guided: Guided, before: Guided | None) -> None:
        if before is not None and (before.step != guided.step or (self._again and before.busy and not guided.refusal)):
            self._again = False
        if before is None or _progress(before) != _progress(guided):
            self._shell.notice_play()  # hands at the board keep the screen bright, without touching it
        self._seen_once |= {corner.card for corner in guided.corners if corner.how == "seen"}
        self._put = {c: at for c, at in self._put.items() if not any(_is_there(k, c, at) for k in guided.corners)}
        known = guided.step != "lens" and any(corner.how != "guessed" for corner in guided.corners)
        self._window = frame([(c.x, c.y) for c in guided.corners] if known else [], guided.size, self._window)
        if guided.done and before is not None and not before.done:
            self._at_buttons = True
            self._shell.toast(
                _("A rehearsal: this calibration holds until the program ends.")
                if guided.rehearsal
                else _("The new calibration is in use."),
                icon="check",
            )

    # --- what is shown

    def state(self) -> CalibrateScreen:
        """The step that is on."""
        tabs = tuple(self._tab(tab) for tab in TABS)
        back = Button(id="back", text=_("Back"), icon="back")
        if self._at_buttons:
            return self._buttons(back, tabs)
        guided = self._guided
        seeing = isinstance(self._status, Seeing) and guided is not None
        picture = self._live(hatched=not seeing)
        if guided is None or not seeing:
            return CalibrateScreen(
                title=_("Calibrate"),
                back=back,
                tabs=tabs,
                picture=picture,
                blank="" if picture else _("No picture yet"),
                sentence="" if isinstance(self._status, Lost) else _("The camera is getting ready."),
                note=self._lost_note(),
                primary=Button(id="next", text=_("Waiting for the camera"), kind="primary", enabled=False),
            )
        corners = self._corners(guided)
        return CalibrateScreen(
            title=_("Calibrate"),
            back=back,
            tabs=tabs,
            picture=picture,
            outline=tuple((c.x, c.y) for c in corners) if all(c.how != "guessed" for c in corners) else (),
            handles=tuple(_handle(corner) for corner in corners) if guided.step in ("cards", "board") else (),
            spots=tuple(PictureSpot(x=spot.x, y=spot.y, tone=spot.kind) for spot in guided.spots),
            sentence=self._sentence(guided),
            note=self._note(guided, corners),
            gauge=_gauge(guided),
            secondary=self._secondary(guided),
            primary=self._primary(guided),
        )

    def _live(self, *, hatched: bool) -> LivePicture | None:
        if not self._picture or self._guided is None:
            return None
        size = self._guided.size
        window = self._window if self._window != WHOLE else (0.0, 0.0, float(size[0]), float(size[1]))
        return LivePicture(jpeg=self._picture, size=size, window=window, hatched=hatched)

    def _lost_note(self) -> Note | None:
        if not isinstance(self._status, Lost):
            return None
        return Note(
            strong=_("No picture"),
            text=self._status.reason,
            kind="fault",
            icon="camera_off",
            line="" if self._status.retry_s is None else retry_text(self._status.retry_s),
        )

    def _corners(self, guided: Guided) -> tuple[Corner, ...]:
        """A corner that was just dragged lies where it was put, before the guide has heard of it."""
        return tuple(Corner(c.card, *self._put[c.card], "given") if c.card in self._put else c for c in guided.corners)

    def _sentence(self, guided: Guided) -> str:
        if guided.busy:
            return _("One moment: the picture is being worked out.")
        if guided.step == "lens" and "lens" in guided.taken and guided.views and guided.views[0]:
            return _("The lens has been measured.")
        if guided.step == "lens":
            return _(_LENS)
        if guided.grade is not None:
            text = _(_GRADES[guided.grade])
            return text if guided.grade != "poor" else text + " " + _("Touch Board or Colours to take a picture again.")
        if self._is_kept(guided):
            return _("This picture has been taken.")
        return guided.task

    def _note(self, guided: Guided, corners: tuple[Corner, ...]) -> Note | None:
        """The one thing that is in the way."""
        if guided.refusal:
            return Note(text=guided.refusal, kind="warning", icon="warning")
        if not guided.advice or guided.busy or self._is_kept(guided):
            return None
        if guided.step == "lens":
            begun = guided.views is not None and guided.views[0] > 0
            return Note(text=guided.advice[0], icon="info") if begun else None
        if guided.grade is not None:
            return Note(text=guided.advice[0], kind="warning" if guided.grade == "poor" else "info")
        unknown = next((corner for corner in corners if corner.how == "guessed"), None)
        if unknown is None or unknown.cut:
            return Note(text=guided.advice[0], kind="warning", icon="warning")
        return self._looking_for(unknown.card)

    def _looking_for(self, card: Card) -> Note:
        """A card that was never seen is still looked for; one that was is covered now."""
        if card not in self._seen_once:
            return Note(strong=_(_LOOKING[card]), text=_("Or drag the corner to its place."), icon="eye")
        text = _("Uncover it, turn the lamp away, or drag the corner to its place.")
        return Note(strong=_(_COVERED[card]), text=text, kind="warning", icon="warning")

    def _is_kept(self, guided: Guided) -> bool:
        """The step has its picture, and people have not asked for another."""
        return guided.step in guided.taken and guided.step in ("board", "swatch") and not self._again

    def _secondary(self, guided: Guided) -> Button | None:
        if guided.busy:
            return None
        if guided.step == "lens" and "lens" in guided.taken and guided.views is not None and guided.views[0] > 0:
            return Button(id="again", text=_("Measure anew"))
        if self._is_kept(guided) or guided.grade in ("usable", "poor"):
            return Button(id="again", text=_("Take it again"))
        if guided.step in ("cards", "board") and any(corner.how == "given" for corner in guided.corners):
            return Button(id="again", text=_("Forget my corners"))
        return None

    def _primary(self, guided: Guided) -> Button:
        text, on = _("Take the picture"), guided.ready
        if guided.busy:
            text, on = _("Working"), False
        elif guided.step == "lens" or self._is_kept(guided):
            text, on = _("Next"), True
        elif guided.step == "cards":
            text, on = _("Waiting for the cards"), False
        elif guided.step == "result":
            text = _("Keep this")
        return Button(id="next", text=text, icon="forward" if text == _("Next") else None, kind="primary", enabled=on)

    def _tab(self, tab: Tab) -> StepTab:
        guided = self._guided
        done = {
            "lens": guided is not None and ("lens" in guided.taken or "lens" not in guided.steps),
            "board": guided is not None and "board" in guided.taken,
            "colours": guided is not None and guided.done,
            "buttons": self._tried >= {*PLAYER_BUTTONS, *_KEYS},
        }[tab]
        now = tab == ("buttons" if self._at_buttons else _TAB_OF[guided.step] if guided else "lens")
        return StepTab(
            button=Button(
                id=f"tab:{tab}", text=_(TABS[tab]), enabled=tab == "buttons" or self._target(tab) is not None
            ),
            state="now" if now else "done" if done else "todo",
        )

    def _target(self, tab: Tab) -> GuideStep | None:
        """The guide's step behind a tab, if it can be gone to now."""
        guided = self._guided
        if guided is None:
            return None
        steps: dict[Tab, tuple[GuideStep, ...]] = {
            "lens": ("lens",),
            "board": ("board", "cards"),
            "colours": ("result", "swatch"),
        }
        return next((step for step in steps.get(tab, ()) if _reachable(guided, step)), None)

    def _buttons(self, back: Button, tabs: tuple[StepTab, ...]) -> CalibrateScreen:
        sentence = (
            _("Press every button at the table's edge once: its sign lights up here.")
            if self._has_panel
            else _("There are no buttons at the table's edge: everything is done by touch. Try it on the signs.")
        )
        note = None
        if self._link is None:
            note = Note(text=_("There is no camera, so nothing is calibrated: play by touch."), icon="camera_off")
        return CalibrateScreen(
            title=_("Calibrate"),
            back=back,
            tabs=tabs,
            keys=tuple(self._key(name) for name in (*PLAYER_BUTTONS, *_KEYS)),
            sentence=sentence,
            note=note,
            primary=Button(id="done", text=_("Done"), icon="check", kind="primary"),
        )

    def _key(self, name: str) -> TestKey:
        if name in PLAYER_BUTTONS:
            colour = PLAYER_BUTTONS[name]
            shown = Button(id=f"key:{name}", text=colour_name(colour), mark=colour)
        else:
            text, icon = _KEYS[name]
            shown = Button(id=f"key:{name}", text=_(text), icon=icon)
        return TestKey(button=shown, state="down" if name in self._down else "done" if name in self._tried else "todo")

    # --- what people do

    def press(self, button_id: str) -> None:
        """A tab, a key that is tried, back, or on."""
        kind, _colon, name = button_id.partition(":")
        if kind == "key":
            self._tried.add(name)
        elif kind == "tab":
            self._go_to(name)
        elif button_id == "done":
            self._shell.show_home()
        elif button_id == "back":
            self._back()
        elif self._link is not None and self._guided is not None:
            ways: dict[str, Callable[[CalibrationLink, Guided], None]] = {"again": self._take_again, "next": self._next}
            if button_id in ways:
                ways[button_id](self._link, self._guided)

    def drag(self, handle: str, x: float, y: float) -> None:
        """A corner of the board lies there, within the picture."""
        card = next((card for card in CARDS if handle == f"corner:{card}"), None)
        guided = self._guided
        if card is None or self._link is None or guided is None or guided.step not in ("cards", "board"):
            return
        width, height = guided.size
        at = min(max(x, 0.0), width - 1.0), min(max(y, 0.0), height - 1.0)
        self._put[card] = at
        self._link.put_corner(card, *at)

    def panel_button(self, button: str, pressed: bool) -> bool:
        """A button that is tried does nothing else."""
        if not self._at_buttons or button not in {*PLAYER_BUTTONS, *_KEYS}:
            return False
        (self._down.add if pressed else self._down.discard)(button)
        self._tried.add(button)
        return True

    def lamps(self) -> tuple[bool, ...] | None:
        """A player's lamp is lit while its button is down."""
        return tuple(name in self._down for name in PLAYER_BUTTONS) if self._at_buttons else None

    def _go_to(self, tab: str) -> None:
        if tab == "buttons":
            self._at_buttons = True
        elif tab in _TAB_OF.values() and self._link is not None and self._guided is not None:
            self._at_buttons = False
            if self._guided.done:
                self._link.begin()
            elif (target := self._target(tab)) is not None:  # type: ignore[arg-type]
                self._link.go(target)

    def _back(self) -> None:
        guided, link = self._guided, self._link
        if link is None or guided is None or guided.done:
            self._shell.show_home()
            return
        if self._at_buttons:
            self._at_buttons = False
            return
        before = _BEFORE[guided.step]
        if before in guided.steps and before is not None:
            link.go(before)
        elif guided.taken:
            self._shell.ask(LeaveCalibrating(self._shell))
        else:
            self._shell.show_home()

    def _next(self, link: CalibrationLink, guided: Guided) -> None:
        if guided.step == "lens" and "lens" not in guided.taken:
            link.skip()
        elif guided.step == "lens" or self._is_kept(guided):
            link.go(_AFTER[guided.step])
        else:
            link.take()

    def _take_again(self, link: CalibrationLink, guided: Guided) -> None:
        if guided.step == "result":  # both pictures rest on the light: from the first one on
            link.go("board")
            return
        self._again = True
        self._put.clear()
        link.anew()


def _reachable(guided: Guided, step: GuideStep) -> bool:
    """All steps before it have what they need; of the result, its own picture too."""
    return step in guided.steps and set(guided.steps[: guided.steps.index(step)]) <= set(guided.taken)


def _progress(guided: Guided) -> tuple[object, ...]:
    """What changes when somebody does something: a step, a picture, a piece laid; not where corners are."""
    return guided.step, guided.taken, guided.views, guided.busy, guided.ready, guided.task, guided.advice


def _is_there(corner: Corner, card: Card, at: tuple[float, float]) -> bool:
    return corner.card == card and corner.how == "given" and abs(corner.x - at[0]) + abs(corner.y - at[1]) < 1


def _handle(corner: Corner) -> Handle:
    missing = corner.how == "guessed"
    return Handle(
        id=f"corner:{corner.card}",
        x=corner.x,
        y=corner.y,
        tone="missing" if missing else "given" if corner.how == "given" else "seen",
        text=_("not seen") if missing else "",
    )


def _gauge(guided: Guided) -> Gauge | None:
    """How well the board is found; in the lens step how far that is."""
    if guided.step == "lens":
        if guided.views is None or not guided.views[0]:
            return None
        taken, wanted = guided.views
        return Gauge(figure=str(taken), text=_("of {n} pictures of the sheet").format(n=wanted), at=taken / wanted)
    accuracy = guided.accuracy
    if accuracy is None or guided.step == "cards":
        return None
    whole = _WORST * accuracy.usable
    return Gauge(
        figure=decimal(accuracy.value, 1 if accuracy.value >= 1 else 2),
        text=_("mm off, wants {goal}").format(goal=decimal(accuracy.good, 1)),
        at=min(1.0, accuracy.value / whole),
        fields=(accuracy.good / whole, accuracy.usable / whole),
    )
