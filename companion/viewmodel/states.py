"""What each screen shows, as plain immutable values: the whole contract between the game and the widgets.

In: nothing; the presenters of this package build these. Out: one `AppState` at a time for `companion.ui`, which
draws it and answers with the few calls of `ViewModel`. Every text is ready for people: translated, no markup.
No value here ever holds a secret except `SecretCard`, and that only while its owner holds the button.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

from companion.rules.geometry import Hex
from companion.rules.layout import EMPTY, Colour, HexContent, Land, Terrain

Marks = tuple[tuple[Colour, int], ...]
"""Explorers by colour and count, in the order of the colours."""

Light = Literal["plain", "legal", "deadly", "chosen", "veiled", "doubt", "hidden", "contradicted", "bare"]
"""How a hex is drawn; `bare` is a place of the island where a tile is still to be laid."""

Icon = str
"""Name of an icon in `companion/ui/icons` without the suffix, `phase_move`."""

Corner = Literal["nw", "ne", "sw", "se"]
"""A corner of the screen: where a player sits and holds a finger to look."""


class _Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    pass


class HexView(_Value, frozen=True, kw_only=True):
    """One hex as drawn. `touchable`: a finger near it may choose it."""

    hex: Hex
    content: HexContent = EMPTY
    light: Light = "plain"
    touchable: bool = False


class Arrow(_Value, frozen=True, kw_only=True):
    """The way back of a piece that stands wrong: a curved arrow to a dashed empty mark."""

    origin: Hex
    target: Hex
    colour: Colour | None = None


class BoardView(_Value, frozen=True, kw_only=True):
    """The board. `hexes` lists all of it in the order of the board file; `veiled`: all that is not lit is dimmed."""

    board: str = "anniversary"
    hexes: tuple[HexView, ...] = ()
    safe: dict[Land, Marks] = {}
    legal_lands: tuple[Land, ...] = ()
    veiled: bool = False
    arrow: Arrow | None = None


class Button(_Value, frozen=True, kw_only=True):
    """Something to press. Off (`enabled` False) it says what it waits for. `line` is a second, smaller line."""

    id: str
    text: str
    line: str = ""
    icon: Icon | None = None
    mark: Colour | None = None
    kind: Literal["primary", "secondary", "danger"] = "secondary"
    enabled: bool = True


class Line(_Value, frozen=True, kw_only=True):
    """A line of text in the panel, with a colour's mark or an icon before it and a figure after it.

    `id`: touching the line presses that; most lines are only read.
    """

    id: str = ""
    text: str
    mark: Colour | None = None
    icon: Icon | None = None
    tone: Literal["normal", "soft", "strong", "danger", "ok"] = "normal"
    figure: str = ""


class Note(_Value, frozen=True, kw_only=True):
    """A bordered note in the panel; `fault` is the filled red one of a lost camera."""

    text: str
    strong: str = ""
    kind: Literal["info", "warning", "fault"] = "info"
    icon: Icon | None = None
    line: str = ""


class Chip(_Value, frozen=True, kw_only=True):
    """How many tiles a player holds: a public number."""

    colours: tuple[Colour, ...]
    count: int
    active: bool = False


class PhaseCell(_Value, frozen=True, kw_only=True):
    """One cell of the phase strip; touching it presses `id`."""

    id: str
    icon: Icon
    state: Literal["done", "now", "todo"]


class Pips(_Value, frozen=True, kw_only=True):
    """Moves left of all."""

    left: int
    total: int = 3


UNROLLED = "?"
"""The face of a die that waits to be rolled: none that it could be mistaken for."""


class Die(_Value, frozen=True, kw_only=True):
    """The creature die. `serial` grows with every roll, so that a widget animates each roll once.

    `second` is the face of the other blue die (13.2), `1`, `2`, `3` or `dive`; empty with the red die. Before the roll
    the faces are `UNROLLED` and the serial is 0. While it `tumbles` the words beside it are not shown yet.
    """

    face: str
    serial: int
    second: str = ""
    size: Literal["large", "small"] = "large"
    tumbles: bool = False


class ShutScreen(_Value, frozen=True, kw_only=True, tag="shut"):
    """0. In place of home where the games cannot be opened: why, what to do, `buttons` beside the primary one."""

    title: str
    subtitle: str
    board: BoardView
    heading: str
    sentence: str
    hint: str
    buttons: tuple[Button, ...] = ()
    primary: Button


class HomeScreen(_Value, frozen=True, kw_only=True, tag="home"):
    """1. Buttons in the order of likelihood, the small ones side by side below; the camera in one line."""

    title: str
    subtitle: str
    board: BoardView
    buttons: tuple[Button, ...]
    small_buttons: tuple[Button, ...] = ()
    camera: Line


class PlayerRow(_Value, frozen=True, kw_only=True):
    """A player in the making. `edit(f"name:{i}", text)` renames, the buttons change colour or remove."""

    number: int
    name: str
    colours: tuple[Colour, ...]
    colour_button: Button
    remove_button: Button | None = None
    error: str = ""


class SwitchRow(_Value, frozen=True, kw_only=True):
    """A switch with its sentence; pressing `id` turns it. Greyed rows say why in `line`."""

    id: str
    title: str
    line: str
    on: bool
    enabled: bool = True


class SegmentRow(_Value, frozen=True, kw_only=True):
    """One of a few; pressing a segment's id chooses it."""

    title: str
    line: str
    segments: tuple[Button, ...]
    chosen: str


class NewGameScreen(_Value, frozen=True, kw_only=True, tag="new_game"):
    """2. A wizard of numbered steps, of which those that are `done` lead back to them; exactly one of `players` and
    `rows` is filled.

    `seats` are the colours round the table from the south, clockwise; `swap_seats:{i}:{j}` exchanges two.
    """

    title: str
    steps: tuple[str, ...]
    step: int
    back: Button
    done: tuple[Button, ...]
    players: tuple[PlayerRow, ...] = ()
    seats: tuple[tuple[Colour, ...], ...] = ()
    seats_hint: str = ""
    rows: tuple[SwitchRow | SegmentRow, ...] = ()
    note: Note | None = None
    secondary: Button | None = None
    primary: Button


class SetupScreen(_Value, frozen=True, kw_only=True, tag="setup"):
    """3. Laying the tiles, then placing explorers and boats, or taking a table over.

    `tiles` are a terrain, what it is called, how many so far and of all; `prompt` are full-width answers; touching the
    sentence presses `help`.
    """

    title: str
    mark: Colour | None = None
    board: BoardView
    sentence: str = ""
    help: Button | None = None
    tiles: tuple[tuple[Terrain, str, int, int], ...] = ()
    lines: tuple[Line, ...] = ()
    prompt: tuple[Button, ...] = ()
    note: Note | None = None
    hint: str = ""
    buttons: tuple[Button, ...] = ()
    primary: Button | None = None


class TurnScreen(_Value, frozen=True, kw_only=True, tag="turn"):
    """4 and 6. The board and the panel of the turn; with a large die it is the roll screen.

    `lines` are the last events or what the chosen piece can do (`subtitle` names it); `prompt` are full-width answers.
    Touching the phase's line presses `help`.
    """

    name: str
    colours: tuple[Colour, ...]
    board: BoardView
    menu: Button
    cells: tuple[PhaseCell, ...]
    phase: str
    help: Button | None = None
    pips: Pips | None = None
    die: Die | None = None
    subtitle: str = ""
    sentence: str = ""
    lines: tuple[Line, ...] = ()
    prompt: tuple[Button, ...] = ()
    note: Note | None = None
    chips: tuple[Chip, ...] = ()
    undo: Button
    hand: Button
    primary: Button


class ContradictionScreen(_Value, frozen=True, kw_only=True, tag="contradiction"):
    """5. The hex, the rule in a sentence and its number (pressed, its card opens), the way back."""

    title: str
    board: BoardView
    sentence: str
    strong: str = ""
    rule: Button | None = None
    way_back: tuple[Line, ...] = ()
    hint: str = ""
    buttons: tuple[Button, ...] = ()


class SecretCard(_Value, frozen=True, kw_only=True):
    """What the viewer sees while holding. A back, a hand (`tiles`), or a question with `answers` and the time left.

    `answers` are ten at most, the one chosen so far is primary. `left` is the part of the time that is left, from 1.0
    down to 0.0.
    """

    over: str = ""
    title: str
    icon: Icon | None = None
    text: str = ""
    strong: str = ""
    tiles: tuple[tuple[Icon | None, str], ...] = ()
    answers: tuple[Button, ...] = ()
    left: float | None = None


class SecretScreen(_Value, frozen=True, kw_only=True, tag="secret"):
    """7 and 8 in private: the curtain. `card` is None whenever nobody holds; nothing else here depends on what it says.

    `player` is the number for `hold` and `let_go`; `corner` is where the viewer holds a finger.
    """

    player: int
    colours: tuple[Colour, ...]
    corner: Corner
    title: str
    text: str
    hold_text: str
    card: SecretCard | None = None
    not_now: Button | None = None


class DefenceScreen(_Value, frozen=True, kw_only=True, tag="defence"):
    """8 in public: the creature, the hex, everybody who is asked; the line of who answers now has the tone `strong`.

    `left` is the part of the time that is left, from 1.0 down to 0.0. `menu` and `undo` are there until one has looked.
    """

    title: str
    icon: Icon
    board: BoardView
    menu: Button | None = None
    sentence: str
    asked: tuple[Line, ...]
    hint: str = ""
    left: float | None = None
    undo: Button | None = None
    primary: Button


class ValueSlot(_Value, frozen=True, kw_only=True):
    """One rescued explorer and the value entered for it; pressing `id` chooses it."""

    id: str
    value: int | None
    chosen: bool = False
    tone: Literal["normal", "ok", "doubt"] = "normal"


class ScoreScreen(_Value, frozen=True, kw_only=True, tag="score"):
    """9a. Values of one colour's rescued explorers, entered on six keys."""

    title: str
    menu: Button
    colour: Colour
    progress: str
    sentence: str
    slots: tuple[ValueSlot, ...]
    keys: tuple[Button, ...]
    total: str
    help: str
    note: Note | None = None
    secondary: Button
    primary: Button


class PodiumStep(_Value, frozen=True, kw_only=True):
    """A step of the podium; equal totals share a rank."""

    name: str
    colours: tuple[Colour, ...]
    total: int
    rank: int


class PodiumScreen(_Value, frozen=True, kw_only=True, tag="podium"):
    """9b. Who has won, the values, the proof of fairness."""

    title: str
    steps: tuple[PodiumStep, ...]
    rows: tuple[tuple[Colour, tuple[int, ...], int], ...]
    fairness: Note | None = None
    buttons: tuple[Button, ...] = ()
    primary: Button


class CountRow(_Value, frozen=True, kw_only=True):
    """A line of the statistics: a figure a column, and their sum."""

    text: str
    icon: Icon
    counts: tuple[int, ...]
    total: int
    tone: Literal["normal", "ok"] = "normal"


class Figure(_Value, frozen=True, kw_only=True):
    """A figure, with the terrain's tile or the icon of what it counts before it, if it needs one."""

    text: str
    tile: Terrain | None = None
    icon: Icon | None = None


class Fact(_Value, frozen=True, kw_only=True):
    """What is counted, and its figure or figures."""

    text: str
    figures: tuple[Figure, ...]


class StatisticsScreen(_Value, frozen=True, kw_only=True, tag="statistics"):
    """9c. The game in figures: a line for each end that explorers came to, a column for each colour and `total`."""

    title: str
    back: Button
    sentence: str
    columns: tuple[Colour, ...]
    total: str
    rows: tuple[CountRow, ...]
    facts: tuple[Fact, ...]


class GameRow(_Value, frozen=True, kw_only=True):
    """A game in the list; pressing `id` opens it."""

    id: str
    date: str
    time: str
    colours: tuple[Colour, ...]
    result: str
    line: str = ""


class GamesScreen(_Value, frozen=True, kw_only=True, tag="games"):
    """10a. The games played, newest first, or a sentence and a button when there is none."""

    title: str
    count: str
    back: Button
    rows: tuple[GameRow, ...]
    empty: str = ""
    primary: Button | None = None


class RuleRow(_Value, frozen=True, kw_only=True):
    """A rule in the list: its number, its name, what it says; pressing `id` opens its card."""

    id: str
    number: str
    title: str
    line: str


class RuleGroup(_Value, frozen=True, kw_only=True):
    """A chapter of the rules; `holds` is False for those that do not hold in this game."""

    title: str
    rows: tuple[RuleRow, ...]
    holds: bool = True


class RulesScreen(_Value, frozen=True, kw_only=True, tag="rules"):
    """13. The rules in full."""

    title: str
    back: Button
    groups: tuple[RuleGroup, ...]


class SliderRow(_Value, frozen=True, kw_only=True):
    """A figure between two ends; `slide(id, value, done=...)` sets it. `figure` is the value as people read it."""

    id: str
    title: str
    line: str = ""
    value: int
    least: int
    most: int
    step: int
    figure: str
    icon: Icon | None = None
    enabled: bool = True


class InfoRow(_Value, frozen=True, kw_only=True):
    """A thing to know: what it is, and a line about it."""

    title: str
    line: str


class SettingsScreen(_Value, frozen=True, kw_only=True, tag="settings"):
    """12. A rail of groups, the one open being `chosen`, and the rows of that one; `note` stands over them."""

    title: str
    back: Button
    groups: tuple[Button, ...]
    chosen: str
    rows: tuple[SwitchRow | SegmentRow | SliderRow | InfoRow, ...]
    note: Note | None = None


class ReplayScreen(_Value, frozen=True, kw_only=True, tag="replay"):
    """10b. A game looked at again: the board after a step, the turn in words so far, the way through the steps.

    `heading` says whose turn it is; the last of `lines` is the step itself. `slide("step", ...)` goes to a step from 0
    to `steps`. `before`, `play` and `after` are icons.
    """

    title: str
    back: Button
    board: BoardView
    heading: Line
    lines: tuple[Line, ...] = ()
    note: Note | None = None
    step: int
    steps: int
    before: Button
    play: Button
    after: Button
    buttons: tuple[Button, ...] = ()


class LivePicture(_Value, frozen=True, kw_only=True):
    """What the camera sees: a JPEG of all of it, which is `size` px of the camera; `window` (x, y, w, h) is shown.

    All places on the picture are px of the camera. `hatched`: it is an old one.
    """

    jpeg: bytes
    size: tuple[int, int]
    window: tuple[float, float, float, float]
    hatched: bool = False


class Handle(_Value, frozen=True, kw_only=True):
    """A corner of the board on the picture; `drag(id, x, y)` puts it elsewhere. `missing`: nobody knows; `text` why."""

    id: str
    x: float
    y: float
    tone: Literal["seen", "given", "missing"] = "seen"
    text: str = ""


class PictureSpot(_Value, frozen=True, kw_only=True):
    """A place on the picture where something is missing, or lies that should not."""

    x: float
    y: float
    tone: Literal["missing", "stray"]


class StepTab(_Value, frozen=True, kw_only=True):
    """A step of a wizard whose order is free: touching `button` goes there."""

    button: Button
    state: Literal["done", "now", "todo"]


class Gauge(_Value, frozen=True, kw_only=True):
    """A figure with words after it. With `fields` (ends of the good and the usable) `at` is a mark on a scale of three
    fields; without, the part that is done. All are parts of the whole."""

    figure: str
    text: str
    at: float
    fields: tuple[float, float] | None = None


class TestKey(_Value, frozen=True, kw_only=True):
    """A button of the panel that is tried: pressed now, pressed before, or not yet. It can be touched as well."""

    button: Button
    state: Literal["down", "done", "todo"] = "todo"


class CalibrateScreen(_Value, frozen=True, kw_only=True, tag="calibrate"):
    """11. The live picture with what was found and corners to drag, or the `keys` of the panel; one advice at a time.

    `outline`: the board's corners, once all are known. `blank`: why there is no picture.
    """

    title: str
    back: Button
    tabs: tuple[StepTab, ...]
    picture: LivePicture | None = None
    outline: tuple[tuple[float, float], ...] = ()
    handles: tuple[Handle, ...] = ()
    spots: tuple[PictureSpot, ...] = ()
    keys: tuple[TestKey, ...] = ()
    blank: str = ""
    sentence: str = ""
    note: Note | None = None
    gauge: Gauge | None = None
    secondary: Button | None = None
    primary: Button


Screen = (
    ShutScreen
    | HomeScreen
    | NewGameScreen
    | SetupScreen
    | TurnScreen
    | ContradictionScreen
    | SecretScreen
    | DefenceScreen
    | ScoreScreen
    | PodiumScreen
    | StatisticsScreen
    | GamesScreen
    | SettingsScreen
    | ReplayScreen
    | RulesScreen
    | CalibrateScreen
)


class Dialog(_Value, frozen=True, kw_only=True):
    """A question over a veiled screen. `marks` are players who must each press theirs; `safe` is the primary answer."""

    title: str
    text: str
    marks: tuple[Button, ...] = ()
    answers: tuple[Button, ...] = ()
    safe: Button


class Way(_Value, frozen=True, kw_only=True):
    """An arrow in a picture: where something goes, or (not `open`) may not go."""

    origin: Hex
    target: Hex
    open: bool = True


class Scrap(_Value, frozen=True, kw_only=True):
    """A small picture: a few hexes of no board in particular with ways between them, below signs in a row, or dice.

    `lands` are hexes of safe land, `landings` those of `hexes` on its coast.
    """

    hexes: tuple[HexView, ...] = ()
    lands: tuple[Hex, ...] = ()
    landings: tuple[Hex, ...] = ()
    ways: tuple[Way, ...] = ()
    icons: tuple[Icon, ...] = ()
    die: Die | None = None


class RuleCard(_Value, frozen=True, kw_only=True):
    """A rule over a veiled screen: its number in words, what it says, a picture; `safe` puts it away."""

    rule: str
    title: str
    sentence: str
    text: str = ""
    picture: Scrap
    safe: Button


class PictureCard(_Value, frozen=True, kw_only=True):
    """A part of the camera's picture over a veiled screen, `outlines` (px of it) marked; `safe` puts it away.

    `blank` is said where there is no `picture` yet.
    """

    title: str
    text: str
    picture: LivePicture | None
    outlines: tuple[tuple[tuple[float, float], ...], ...] = ()
    blank: str
    safe: Button


DialogState = Dialog | RuleCard | PictureCard
"""What can lie over a screen."""


class Toast(_Value, frozen=True, kw_only=True):
    """A line at the foot for `stays_s` seconds; `serial` changes with every toast."""

    text: str
    serial: int
    stays_s: float = 4.0
    icon: Icon | None = None
    undo: Button | None = None


class Display(_Value, frozen=True, kw_only=True):
    """How everything is shown: turned by `rotation` degrees, darkened by `veil` (the opacity of black), how it moves.

    `tumble_s` is how long the die tumbles; with `less_movement` nothing moves, and the die fades in.
    `mark_letters`: what large marks bear of their colour's name. `board_right`: the panel lies at its left.
    """

    rotation: Literal[0, 90, 180, 270] = 0
    veil: float = 0.0
    tumble_s: float = 0.7
    less_movement: bool = False
    mark_letters: dict[Colour, str] = {}
    board_right: bool = False


class Cursor(_Value, frozen=True, kw_only=True):
    """What OK would choose, for who plays without touching: the id of a button or of what is moved, a hex or a land.

    `held`: OK has taken hold of it. A slider or a corner goes where Roll, Undo and the arrows move it; into a name one
    writes.
    """

    id: str = ""
    hex: Hex | None = None
    land: Land | None = None
    held: bool = False


class AppState(_Value, frozen=True, kw_only=True):
    """Everything on the touchscreen at one moment."""

    screen: Screen
    dialog: DialogState | None = None
    toast: Toast | None = None
    display: Display = Display()
    cursor: Cursor | None = None


class ViewModel(Protocol):
    """What the widgets know of the world behind them. All calls come from the UI's one thread."""

    @property
    def state(self) -> AppState:
        """What to draw now."""

    def subscribe(self, listener: Callable[[AppState], None]) -> Callable[[], None]:
        """Call `listener` after every change of `state`; returns what ends the subscription."""

    def press(self, button_id: str) -> None:
        """A button, cell, slot or row was pressed and let go on. Unknown or disabled ids do nothing."""

    def hears(self, button_id: str) -> bool:
        """Whether a finger that comes down on that button now can be meant for it."""

    def touch_hex(self, h: Hex) -> None:
        """A hex of the board was chosen."""

    def touch_land(self, land: Land) -> None:
        """A safe land was chosen."""

    def touch_away(self) -> None:
        """The board was touched where nothing can be chosen: lets go of what was chosen."""

    def hold(self, player: int) -> None:
        """That player's button or corner is held down now."""

    def let_go(self, player: int) -> None:
        """... and no longer: what the player has chosen behind the curtain counts."""

    def cover(self, player: int) -> None:
        """... and no longer, but not of the player's own will: the finger was lost, or another came between."""

    def edit(self, field: str, text: str) -> None:
        """The text of an entry field was changed."""

    def slide(self, field: str, value: int, *, done: bool) -> None:
        """The knob of a slider was moved to `value`; `done` when the finger has left it there."""

    def stir(self) -> bool:
        """A finger comes down anywhere. False if it only woke a dimmed screen: then it is for nothing else."""

    def drag(self, handle: str, x: float, y: float) -> None:
        """A handle of the picture was dragged to (x, y), px of the camera's picture, and let go."""

    def tick(self, now: float) -> None:
        """Time passes: `now` is the UI clock in seconds, monotonic. Called a few times a second at least."""
