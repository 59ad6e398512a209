"""Samples of what is looked up rather than played: a game watched again."""

from __future__ import annotations

from companion.viewmodel import states as s
from companion.viewmodel.help.card import RuleHelp


def help_samples() -> dict[str, s.AppState]:
    """By name, as the other samples."""
    from screen_samples import BOARD, CHIPS, PLAYERS, board, cells, lit

    def replay(**more: object) -> s.AppState:
        fields = {
            "title": "20 November",
            "back": s.Button(id="back", text="Back", icon="back"),
            "board": board(),
            "heading": s.Line(text="Ann, turn 9 of 14", mark="red", tone="strong"),
            "step": 100,
            "steps": 160,
            "before": s.Button(id="before", text="A step back", icon="back"),
            "play": s.Button(id="play", text="Play", icon="play", kind="primary"),
            "after": s.Button(id="after", text="A step on", icon="forward"),
        }
        return s.AppState(screen=s.ReplayScreen(**(fields | more)))  # type: ignore[arg-type]

    turn = (
        s.Line(text="Ann: E7 to E8", mark="red", tone="soft"),
        s.Line(text="Ann sank F9 and keeps the tile", mark="red", tone="soft"),
        s.Line(text="Ann rolled a shark", mark="red", tone="soft"),
        s.Line(text="Ann: shark J8 to I9", mark="red"),
        s.Line(text="Lost to the shark at I9: Bo 1, Olena 1", icon="shark"),
    )
    sink = s.TurnScreen(
        name="Ann",
        colours=("red",),
        board=board(lit(legal="E6 F7 F8 H4 H5"), veiled=True),
        menu=s.Button(id="menu", text="", icon="menu"),
        cells=cells("sink"),
        phase="Sink a tile",
        help=s.Button(id="rule:3.3", text="Rule 3.3", icon="info"),
        sentence="Take one of the bright beaches off the table, or touch it here.",
        lines=(s.Line(id="rule:6.2", text="E7 stays: it does not touch the sea.", icon="info"),),
        chips=CHIPS,
        undo=s.Button(id="undo", text="", icon="undo"),
        hand=s.Button(id="hand", text="", icon="tiles_in_hand"),
        primary=s.Button(id="sink", text="Waiting for the tile", kind="primary", enabled=False),
    )
    shown = ("3", "3.4", "4.3", "6.2", "9.1", "13.2")  # of each kind of picture one; all are measured elsewhere
    cards = {f"13_rule_{rule}": s.AppState(screen=sink, dialog=RuleHelp(rule).state()) for rule in shown}
    export = s.Button(id="export", text="Export", icon="export")
    pointed = s.TurnScreen(**{field: getattr(sink, field) for field in sink.__struct_fields__ if field != "lines"})
    return {
        "04k_cursor_on_a_hex": s.AppState(screen=pointed, cursor=s.Cursor(hex=BOARD.by_label["F8"])),
        "04l_cursor_on_a_button": s.AppState(screen=pointed, cursor=s.Cursor(id="hand")),
        "04j_turn_refused": s.AppState(screen=sink),
        **cards,
        "10b_replay": replay(lines=turn, buttons=(export, s.Button(id="result", text="Result", icon="trophy"))),
        "10c_replay_start": replay(
            heading=s.Line(text="Before the first move", tone="strong"),
            step=0,
            before=s.Button(id="before", text="A step back", icon="back", enabled=False),
            buttons=(export,),
        ),
        "10d_replay_unreadable": replay(
            heading=s.Line(text=f"{PLAYERS[0][0]}, turn 7 of 7", mark="red", tone="strong"),
            lines=turn,
            note=s.Note(strong="Whole up to turn 7.", text="The rest cannot be read.", kind="warning", icon="warning"),
            step=160,
            play=s.Button(id="play", text="Stop", icon="pause", kind="primary"),
            after=s.Button(id="after", text="A step on", icon="forward", enabled=False),
            buttons=(s.Button(id="export", text="Export", icon="export", enabled=False),),
        ),
    }
