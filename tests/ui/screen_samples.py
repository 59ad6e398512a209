"""One sample state for each screen: the games of the drawn screens, with Ann, Bo, Olena and Maja at the table."""

from __future__ import annotations

from typing import Any

from calibrate_samples import calibrate_samples

from companion.rules.geometry import load_board
from companion.rules.layout import HexContent, Land
from companion.viewmodel import states as s

BOARD = load_board()
PLAYERS = (("Ann", "red"), ("Bo", "blue"), ("Olena", "yellow"), ("Maja", "green"))
_TERRAIN = {"b": "beach", "f": "forest", "m": "mountain"}
_COLOUR = {"r": "red", "b": "blue", "y": "yellow", "g": "green"}

# Hex: terrain letter or "." for sea, then explorers' letters; boats and creatures beside it.
TURN_NINE = """
D4 fy  D6 fb  D7 frg  E4 fr  E5 fby  E6 br  E7 b  E8 fr  F3 fg  F4 mb  F6 my  F7 brbg  F8 b  F10 fg
G3 my  G4 mg  G7 f  G8 fy  H4 b  H5 bb  H8 f  H9 f  H10 fb  I4 fr  I5 my  I8 m  J4 m  J5 fb  J6 m  J7 f
D3 .r  I9 .by  K7 .g
"""
BOATS = {"C6": "", "C8": "", "E9": "rb", "G2": "", "H3": "yg", "H11": "", "K5": "ryg", "L8": ""}
CREATURES = {
    "serpents": ("C3", "C10", "H7", "K1", "K10"),
    "sharks": ("D8", "J9"),
    "whales": ("F12", "J3"),
}
SAFE: dict[Land, s.Marks] = {
    "nw": (("red", 1),),
    "ne": (("yellow", 1),),
    "sw": (("green", 2),),
    "se": (("blue", 1),),
}


def _counts(letters: str) -> dict[str, int]:
    return {colour: letters.count(c) for c, colour in _COLOUR.items() if c in letters}


def contents(changes: dict[str, HexContent] | None = None) -> dict[str, HexContent]:
    """The position of turn nine by label."""
    words = TURN_NINE.split()
    fields: dict[str, dict[str, Any]] = {}
    for label, what in zip(words[::2], words[1::2], strict=True):
        fields[label] = {"tile": _TERRAIN.get(what[0]), "explorers": _counts(what[1:])}
    for label, passengers in BOATS.items():
        fields.setdefault(label, {})["boat"] = _counts(passengers)
    for kind, labels in CREATURES.items():
        for label in labels:
            fields.setdefault(label, {})[kind] = 1
    return {label: HexContent(**f) for label, f in fields.items()} | (changes or {})


def board(
    lights: dict[str, s.Light] | None = None,
    *,
    changes: dict[str, HexContent] | None = None,
    touchable: str = "",
    position: dict[str, HexContent] | None = None,
    **more: Any,
) -> s.BoardView:
    """The board of turn nine with lights by label; what is lit can be touched, besides `touchable`."""
    lights = lights or {}
    there = contents(changes) if position is None else position
    more.setdefault("safe", SAFE)
    return s.BoardView(
        hexes=tuple(
            s.HexView(
                hex=h,
                content=there.get(label, HexContent()),
                light=lights.get(label, "plain"),
                touchable=lights.get(label) in ("legal", "deadly", "chosen") or label in touchable.split(),
            )
            for h, label in BOARD.labels.items()
        ),
        **more,
    )


def lit(**groups: str) -> dict[str, s.Light]:
    """`lit(legal="A1 A2")` as a mapping."""
    return {label: light for light, labels in groups.items() for label in labels.split()}  # type: ignore[misc]


PHASES = ("play_tile", "move", "sink", "roll", "creature")


def cells(now: str) -> tuple[s.PhaseCell, ...]:
    at = PHASES.index(now)
    return tuple(
        s.PhaseCell(id=f"phase:{name}", icon=f"phase_{name}", state="done" if i < at else "now" if i == at else "todo")
        for i, name in enumerate(PHASES)
    )


CHIPS = tuple(
    s.Chip(colours=(colour,), count=n, active=n == 1 and colour == "red")
    for (_, colour), n in zip(PLAYERS, (1, 2, 0, 1), strict=True)
)
MENU = s.Button(id="menu", text="", icon="menu")
UNDO = s.Button(id="undo", text="", icon="undo")
HAND = s.Button(id="hand", text="", icon="tiles_in_hand")
EVENTS = (
    s.Line(text="Ann: E7 to E8", mark="red"),
    s.Line(text="Maja: serpent G6 to H7", mark="green", tone="soft"),
    s.Line(text="Maja sank F9: a boat came up", mark="green", tone="soft"),
    s.Line(text="Maja: boat I3 to H3", mark="green", tone="soft"),
)


def turn(now: str, phase: str, view: s.BoardView, primary: s.Button, **more: Any) -> s.TurnScreen:
    return s.TurnScreen(
        name=more.pop("name", "Ann"),
        colours=more.pop("colours", ("red",)),
        board=view,
        menu=MENU,
        cells=cells(now),
        phase=phase,
        chips=more.pop("chips", CHIPS),
        undo=UNDO,
        hand=HAND,
        primary=primary,
        **more,
    )


def primary(text: str, enabled: bool = True, **more: Any) -> s.Button:
    return s.Button(id="primary", text=text, kind="primary", enabled=enabled, **more)


DONE_MOVING = primary("Done moving")
PIPS = s.Pips(left=2)
SHARK_HEXES = "H11 I10 I11 J8 J10 K8 K9 K10 L8 L9 L10"


def samples() -> dict[str, s.AppState]:
    """All sample states by name; the number is the screen's, the words after it what it shows."""
    states: dict[str, s.AppState] = {}

    def add(name: str, screen: s.Screen, **more: Any) -> None:
        states[name] = s.AppState(screen=screen, **more)

    add("04a_turn", turn("move", "Move", board(), DONE_MOVING, pips=PIPS, lines=EVENTS))
    explorer = board(lit(chosen="E8", legal="D7 E7 E9 F8 F9", deadly="D8"), veiled=True)
    add(
        "04b_turn_explorer",
        turn(
            "move", "Move", explorer, DONE_MOVING, pips=PIPS, subtitle="Explorer on E8",
            lines=(
                s.Line(text="D7, E7, F8 on foot", icon="phase_move"),
                s.Line(text="E9: the boat has room", icon="boat"),
                s.Line(text="E9, F9: swim", icon="swimmer"),
                s.Line(text="D8: a shark is there", icon="warning", tone="danger"),
            ),
        ),
    )  # fmt: skip
    sink = board(lit(legal="E6 F7 F8 H4 H5"), veiled=True)
    add(
        "04c_turn_sink",
        turn(
            "sink", "Sink a tile", sink, primary("Waiting for the tile", enabled=False),
            sentence="Take one of the bright beaches off the table, or touch it here.",
            lines=(s.Line(text="Beaches go first. E7 stays: it does not touch the sea.", tone="soft"),),
        ),
    )  # fmt: skip
    creature = board(lit(chosen="J9", legal=SHARK_HEXES, deadly="I9"), veiled=True)
    add(
        "04d_turn_creature",
        turn(
            "creature", "Creature", creature, primary("Leave it there"),
            die=s.Die(face="shark", serial=1, size="small"), subtitle="Shark", sentence="one shark, 1 or 2 hexes",
            lines=(s.Line(text="I9: Bo and Olena swim there. It stops there.", tone="danger"),),
        ),
    )  # fmt: skip
    add(
        "04e_turn_camera_lost",
        turn(
            "move", "Move", board(), DONE_MOVING, pips=PIPS,
            note=s.Note(
                kind="fault", icon="camera_off", strong="No picture",
                text="Check the camera’s cable, and play on by touch.", line="Trying again in 4 s",
            ),
        ),
    )  # fmt: skip
    ask = board(lit(doubt="D7 E8"), changes={"E7": HexContent(tile="beach", explorers={"red": 1})})
    add(
        "04h_turn_question",
        turn(
            "move", "One question", ask, primary("Done moving", enabled=False), pips=PIPS, chips=(),
            sentence="Red now stands on E7. Where did it come from?",
            prompt=(
                s.Button(id="answer:0", text="From D7", line="one stayed there", mark="red"),
                s.Button(id="answer:1", text="From E8", line="E8 is bare", mark="red"),
            ),
        ),
    )  # fmt: skip
    consent = s.Dialog(
        title="Take back the roll?",
        text="The shark goes back to J9 and the die is rolled again later. All four must agree: "
        "press your button or your mark.",
        marks=tuple(
            s.Button(id=f"consent:{i}", text=name, mark=colour, icon="check" if i < 2 else None)  # type: ignore[arg-type]
            for i, (name, colour) in enumerate(PLAYERS)
        ),
        safe=s.Button(id="dialog:no", text="Leave it as it is", kind="primary"),
    )
    add("04i_undo_dialog", states["04d_turn_creature"].screen, dialog=consent)
    roll = board(lit(legal="D8 J9"), veiled=True)
    add(
        "06_roll",
        turn(
            "creature", "Rolled", roll, primary("Leave them"), chips=(), die=s.Die(face="shark", serial=1),
            subtitle="Shark", sentence="Move one of the two bright sharks, or touch it here.",
        ),
    )  # fmt: skip
    add(
        "06b_roll_blue_dice",
        turn(
            "creature", "Rolled", roll, primary("Leave them"), chips=(),
            die=s.Die(face="shark", second="2", serial=1), subtitle="Shark, 2",
            sentence="Move one of the two bright sharks up to two hexes.",
        ),
    )  # fmt: skip
    add(
        "06c_creature_blue_dice",
        turn(
            "creature", "Creature", creature, primary("Leave it there"),
            die=s.Die(face="shark", second="dive", serial=1, size="small"), subtitle="Shark", sentence="it dives",
        ),
    )  # fmt: skip
    add(
        "04g_turn_ru",
        turn(
            "move", "Движение", board(), primary("Закончить ходы"), name="Аня", pips=PIPS,
            lines=(
                s.Line(text="Аня: с E7 на E8", mark="red"),
                s.Line(text="Майя: змей с G6 на H7", mark="green", tone="soft"),
                s.Line(text="Майя: F9 затонул, там лодка", mark="green", tone="soft"),
                s.Line(text="Майя: лодка с I3 на H3", mark="green", tone="soft"),
            ),
        ),
    )  # fmt: skip
    crowd = board(
        lit(hidden="F6 F7 G7", bare="F5", doubt="D6", contradicted="H5", veiled="E4"),
        changes={
            "D4": HexContent(tile="forest", explorers={"red": 6}),
            "E8": HexContent(tile="beach", explorers={"red": 2, "blue": 3, "green": 2}),
            "F10": HexContent(tile="beach", explorers={"red": 1, "blue": 1, "yellow": 1, "green": 1}),
            "I9": HexContent(explorers={"blue": 1, "yellow": 1}, sharks=1),
            "K7": HexContent(explorers={"green": 1}, boat={"red": 1}),
            "F12": HexContent(whales=1, boat={"red": 1, "blue": 1}),
            "C6": HexContent(serpents=1, sharks=1),
            "B5": HexContent(dolphins=1),
            "L5": HexContent(sharks=1, whales=1, serpents=1),
        },
        legal_lands=("ne",),
        safe={"nw": (("red", 1), ("blue", 2)), "sw": (("red", 1), ("blue", 2), ("yellow", 3), ("green", 4))},
    )
    add("04z_every_light", turn("move", "Move", crowd, DONE_MOVING, pips=PIPS, lines=EVENTS))
    add("04a_toast", states["04a_turn"].screen, toast=s.Toast(
        text="Boat I3 to H3", serial=1, icon="check", undo=s.Button(id="undo", text="Undo")))  # fmt: skip
    states |= {name: s.AppState(screen=screen) for name, screen in _other_screens().items()}
    states |= calibrate_samples()
    return states


def _laying() -> s.BoardView:
    """The island being laid: C8 is open sea, three places are bare."""
    rows = {
        "D": "4f 5f 6b 7f", "E": "4m 5f 6m 7f 8f", "F": "3b 4b 5m 6m 7f 8b 9f 10b", "G": "3b 4b 5b 7b 8f 9f",
        "H": "3f 4f 5b 6b 7f 8m 9b 10m", "I": "4b 5b 6b 7f", "J": "4m 5f", "C": "8f",
    }  # fmt: skip
    position = {
        f"{row}{cell[:-1]}": HexContent(tile=_TERRAIN[cell[-1]])  # type: ignore[arg-type]
        for row, cells_ in rows.items()
        for cell in cells_.split()
    }
    for label in ("B1", "C11", "G6", "K1", "L10"):
        position[label] = HexContent(serpents=1)
    return board(lit(contradicted="C8", bare="I8 J6 J7"), position=position, safe={})


def _placing() -> s.BoardView:
    rows = {
        "D": "4f 5fb 6b 7fr", "E": "4m 5f 6mb 7fg 8f", "F": "3b 4b 5m 6m 7f 8by 9fg 10bb", "G": "3by 4b 5br 7b 8fg 9fb",
        "H": "3fr 4f 5br 6by 7fb 8mr 9by 10mb", "I": "4bg 5by 6b 7f 8b", "J": "4m 5fr 6fg 7m",
    }  # fmt: skip
    position: dict[str, HexContent] = {}
    for row, cells_ in rows.items():
        for cell in cells_.split():
            number = "".join(c for c in cell if c.isdigit())
            letters = cell[len(number) :]
            position[f"{row}{number}"] = HexContent(tile=_TERRAIN[letters[0]], explorers=_counts(letters[1:]))  # type: ignore[arg-type]
    bare = " ".join(label for label, content in position.items() if not content.explorers)
    for label in ("B1", "C11", "G6", "K1", "L10"):
        position[label] = HexContent(serpents=1)
    return board(lit(legal=bare), position=position, safe={}, veiled=True)


def _wizard(**more: Any) -> s.NewGameScreen:
    return s.NewGameScreen(
        title="New game",
        steps=("Edition", "Players", "Rules", "Tiles"),
        back=s.Button(id="back", text="Back", icon="back"),
        **more,
    )


def _secret(corner: s.Corner, card: s.SecretCard | None = None, **more: Any) -> s.SecretScreen:
    return s.SecretScreen(
        player=more.pop("player", 0),
        colours=more.pop("colours", ("red",)),
        corner=corner,
        title="For Ann’s eyes",
        text="Ann, shade the screen with your hand.\nHold your red button, or this corner.\n"
        "It hides again when you let go.",
        hold_text="Let go to hide" if card else "Hold to look",
        card=card,
        not_now=None if card else s.Button(id="not_now", text="Not now"),
        **more,
    )


DOLPHIN = s.SecretCard(
    over="Under the beach at F8",
    title="Dolphin",
    icon="back_dolphin",
    text="It stays in your hand. At the start of one of your turns one of your swimmers goes one to three hexes.",
    strong="Let go, and it is hidden.",
)


def _other_screens() -> dict[str, s.Screen]:
    home_board = board(
        position={k: v for k, v in contents().items() if v.tile and k not in ("H3", "K5")}
        | {"D8": HexContent(sharks=1), "H7": HexContent(serpents=1), "J3": HexContent(whales=1)}
        | {"K1": HexContent(serpents=1), "L8": HexContent(boat={"red": 1, "yellow": 1})},
        safe={},
    )
    home_board = s.BoardView(
        hexes=tuple(
            s.HexView(hex=v.hex, content=HexContent(tile=v.content.tile) if v.content.tile else v.content)
            for v in home_board.hexes
        )
    )
    row = s.GameRow
    return {
        "01_home": s.HomeScreen(
            title="Atlantis",
            subtitle="table companion",
            board=home_board,
            buttons=(
                s.Button(
                    id="continue", text="Continue", line="Ann to move, turn 9", mark="red", icon="play", kind="primary"
                ),
                s.Button(id="new_game", text="New game", icon="island"),
                s.Button(id="practice", text="Practice", line="on a simulated table", icon="practice"),
            ),
            small_buttons=(
                s.Button(id="calibrate", text="Calibrate", icon="calibrate"),
                s.Button(id="games", text="Games", icon="games"),
                s.Button(id="settings", text="Settings", icon="settings"),
            ),
            camera=s.Line(text="Camera sees the whole board", icon="camera", tone="ok"),
        ),
        "02a_new_game_players": _wizard(
            step=1,
            players=tuple(
                s.PlayerRow(
                    number=i,
                    name=name,
                    colours=(colour,),  # type: ignore[arg-type]
                    colour_button=s.Button(id=f"colour:{i}", text="Colour", mark=colour),  # type: ignore[arg-type]
                    remove_button=s.Button(id=f"remove:{i}", text="Remove", icon="close"),
                )
                for i, (name, colour) in enumerate(PLAYERS)
            ),
            seats=(("red",), ("blue",), ("yellow",), ("green",)),
            seats_hint="Drag a mark to its seat. Turns go clockwise.",
            secondary=s.Button(id="first", text="Ann begins", mark="red"),
            primary=primary("Next: rules", icon="forward"),
        ),
        "02b_new_game_rules": _wizard(
            step=2,
            rows=(
                s.SwitchRow(
                    id="crowded",
                    title="Crowded island",
                    on=False,
                    line="Two explorers may start on a tile inside the island.",
                ),
                s.SwitchRow(
                    id="last",
                    title="Last survivor",
                    on=True,
                    line="The game goes on until nobody is left on the board.",
                ),
                s.SwitchRow(
                    id="sinks", title="Atlantis sinks", on=False, enabled=False, line="Not together with Last survivor."
                ),
                s.SwitchRow(
                    id="equal", title="All are equal", on=False, line="Most rescued wins; the numbers do not count."
                ),
                s.SegmentRow(
                    title="Boats",
                    line="How many each player places.",
                    chosen="boats:2",
                    segments=tuple(s.Button(id=f"boats:{n}", text=str(n)) for n in (1, 2, 3)),
                ),
            ),
            secondary=s.Button(id="rules", text="The rules in full", icon="rules"),
            primary=primary("Next: tiles", icon="forward"),
        ),
        "03a_setup_tiles": s.SetupScreen(
            title="Lay the island",
            board=_laying(),
            tiles=(("beach", 15, 16), ("forest", 16, 16), ("mountain", 7, 8)),
            note=s.Note(kind="warning", strong="C8 is open sea.", text="Move that forest onto the island."),
            lines=(s.Line(text="Three places are still bare: I8, J6, J7.", tone="soft"),),
            buttons=(MENU,),
            primary=primary("Three places to fill", enabled=False),
        ),
        "03b_setup_explorers": s.SetupScreen(
            title="Olena",
            mark="yellow",
            board=_placing(),
            sentence="Put one yellow explorer on a bright tile",
            lines=tuple(
                s.Line(text=name, mark=colour, figure=f"{4 + i // 2} left")  # type: ignore[arg-type]
                for i, (name, colour) in enumerate(PLAYERS)
            ),
            hint="Or touch the tile here.",
            buttons=(MENU, UNDO, s.Button(id="picture", text="Show picture", icon="camera")),
        ),
        "05a_contradiction": s.ContradictionScreen(
            title="Look at D4",
            board=board(
                lit(contradicted="D4"),
                changes={"D4": HexContent(tile="forest", explorers={"red": 1, "yellow": 1}), "D3": HexContent()},
                arrow=s.Arrow(origin=BOARD.by_label["D4"], target=BOARD.by_label["D3"]),
            ),
            sentence="A red explorer stands there. It was swimming at D3, and",
            strong="who has left the island never steps on a tile again.",
            rule="Rule 4.4",
            way_back=(s.Line(text="Put it back in the sea at D3", mark="red"),),
            hint="This goes away by itself when D3 and D4 are right.",
            buttons=(s.Button(id="why", text="See why"), s.Button(id="fix", text="Fix by touch")),
        ),
        "07a_secret_hidden": _secret("sw"),
        "07b_secret_held": _secret("sw", DOLPHIN),
        "07c_hand_held": _secret(
            "sw",
            s.SecretCard(
                title="Your hand",
                tiles=(("back_dolphin", "Dolphin"), ("back_shark_defence", "Shark defence"), (None, "")),
                text="To play one: let go, then touch Tile at the start of your turn.",
            ),
        ),
        "07d_secret_opposite": _secret("ne", DOLPHIN),
        "08a_defence_asked": s.DefenceScreen(
            title="A shark at I9",
            icon="shark",
            board=board(
                lit(chosen="I9"),
                changes={"I9": HexContent(explorers={"blue": 1, "yellow": 1}, sharks=1), "J9": HexContent()},
                veiled=True,
            ),
            sentence="Bo and Olena, your swimmers are in danger. Each of you is asked in secret.",
            asked=(
                s.Line(text="Bo", mark="blue", tone="strong", figure="now"),
                s.Line(text="Olena", mark="yellow", figure="next"),
            ),
            hint="Everyone is asked, whatever they hold, and each answer takes 12 seconds.",
            left=1.0,
            primary=primary("Bo, hold to look", mark="blue"),
        ),
        "08b_defence_held": _secret(
            "se",
            s.SecretCard(
                title="Bo: a shark at I9",
                text="One of your explorers swims there. You hold",
                strong="no shark defence.",
                answers=(
                    s.Button(id="defend", text="Play the defence", icon="shark_defence"),
                    s.Button(id="pass", text="Let it happen", icon="hand"),
                ),
                left=0.62,
            ),
            player=1,
            colours=("blue",),
        ),
        "09a_score_values": s.ScoreScreen(
            title="Turn over Ann’s rescued",
            colour="red",
            progress="1 of 4",
            sentence="The camera reads five numbers. Put right what is wrong: touch a piece, then a number.",
            slots=tuple(
                s.ValueSlot(id=f"slot:{i}", value=v, chosen=i == 2, tone="doubt" if i == 2 else "ok")
                for i, v in enumerate((4, 3, 2, 2, 1))
            ),
            keys=tuple(s.Button(id=f"key:{n}", text=str(n)) for n in range(1, 7)),
            total="Ann has 12 so far.",
            help="Of each colour: three ones, two twos, two threes, a four, a five, a six.",
            secondary=s.Button(id="again", text="Read again", icon="camera"),
            primary=primary("Right, next: Bo"),
        ),
        "09b_score_podium": s.PodiumScreen(
            title="Olena wins",
            steps=(
                s.PodiumStep(name="Ann", colours=("red",), total=12, rank=2),
                s.PodiumStep(name="Olena", colours=("yellow",), total=15, rank=1),
                s.PodiumStep(name="Maja", colours=("green",), total=9, rank=3),
                s.PodiumStep(name="Bo", colours=("blue",), total=4, rank=4),
            ),
            rows=(
                ("yellow", (6, 5, 3, 1), 15),
                ("red", (4, 3, 2, 2, 1), 12),
                ("green", (6, 2, 1), 9),
                ("blue", (3, 1), 4),
            ),
            fairness=s.Note(
                strong="The deal was fair.", text="Seed and rolls match the fingerprint 7F3A 91C4.", icon="lock"
            ),
            buttons=(
                s.Button(id="export", text="Export", icon="export"),
                s.Button(id="watch", text="Watch again", icon="games"),
                s.Button(id="statistics", text="Statistics"),
            ),
            primary=primary("Done"),
        ),
        "10a_games": s.GamesScreen(
            title="Games played",
            count="23 games",
            back=s.Button(id="back", text="Back", icon="back"),
            rows=(
                row(
                    id="g1",
                    date="20 Nov",
                    time="20:10",
                    colours=("red", "blue", "yellow", "green"),
                    result="Olena won with 15",
                    line="14 turns, Last survivor",
                ),
                row(
                    id="g2",
                    date="18 Nov",
                    time="19:32",
                    colours=("red", "blue"),
                    result="Not finished",
                    line="stopped at turn 9; can be continued",
                ),
                row(
                    id="g3",
                    date="15 Nov",
                    time="21:05",
                    colours=("red", "yellow", "green"),
                    result="Ann and Maja, 11 each",
                    line="17 turns",
                ),
                row(
                    id="g4",
                    date="8 Nov",
                    time="18:40",
                    colours=("blue", "green"),
                    result="Bo won with 21",
                    line="22 turns, two colours each",
                ),
                row(
                    id="g5",
                    date="1 Nov",
                    time="20:20",
                    colours=("red", "blue", "yellow", "green"),
                    result="Maja won with 13",
                    line="12 turns",
                ),
                *(
                    row(id=f"h{i}", date=f"{28 - i} Oct", time="20:00", colours=("red",), result="Ann won", line="")
                    for i in range(8)
                ),
            ),
        ),
        "10b_no_games": s.GamesScreen(
            title="Games played",
            count="",
            back=s.Button(id="back", text="Back", icon="back"),
            rows=(),
            empty="No games yet. The first one will stand here when it is over.",
            primary=primary("New game"),
        ),
    }
