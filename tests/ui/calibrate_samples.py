"""Sample states of the calibration screen, with a picture of the simulated table: no photo is kept here."""

from __future__ import annotations

import functools
from typing import Any

import msgspec

from companion.calibrating import Guide
from companion.rules.geometry import load_board
from companion.viewmodel import states as s
from companion.watch.calibrating import encode_picture
from hardware.simulated import SimulatedTable, swatch_layout
from hardware.simulated.session import lens_pictures

SIZE = (1536, 864)
TABS = ("Lens", "Board", "Colours", "Buttons")
BACK = s.Button(id="back", text="Back", icon="back")


@functools.cache
def pictures() -> tuple[dict[str, bytes], tuple[tuple[float, float], ...]]:
    """The empty board, the swatch layout and the lens sheet as JPEGs, and where the board's corners are."""
    table = SimulatedTable(msgspec.to_builtins(load_board()), seed=2)
    table.put({})
    empty = table.picture()
    table.put(swatch_layout())
    shown = {"empty": empty, "swatch": table.picture(), "lens": next(lens_pictures(table.view))}
    corners = tuple(corner.at for corner in Guide().see(empty).sight.corners)
    return {name: encode_picture(image) for name, image in shown.items()}, corners


def _picture(name: str, **more: Any) -> s.LivePicture:
    files, corners = pictures()
    xs, ys = [x for x, _y in corners], [y for _x, y in corners]
    dx, dy = 0.15 * (max(xs) - min(xs)), 0.15 * (max(ys) - min(ys))
    top, bottom = max(0.0, min(ys) - dy), min(864.0, max(ys) + dy)
    window = (min(xs) - dx, top, max(xs) - min(xs) + 2 * dx, bottom - top)
    if name == "lens":
        window = (0.0, 0.0, 1536.0, 864.0)
    return s.LivePicture(jpeg=files[name], size=SIZE, window=window, **more)


def _handles(**tones: Any) -> tuple[s.Handle, ...]:
    return tuple(
        s.Handle(
            id=f"corner:{card}", x=x, y=y, tone=tones.get(card, "seen"),
            text="not seen" if tones.get(card) == "missing" else "",
        )
        for card, (x, y) in zip(("nw", "ne", "se", "sw"), pictures()[1], strict=True)
    )  # fmt: skip


def _tabs(now: int, done: str = "") -> tuple[s.StepTab, ...]:
    """`done` has a letter a step: `d` done, `t` to come and reachable, `-` not reachable."""
    kinds = done.ljust(4, "-")
    return tuple(
        s.StepTab(
            button=s.Button(id=f"tab:{name.lower()}", text=name, enabled=kinds[i] != "-" or i in (now, 3)),
            state="now" if i == now else "done" if kinds[i] == "d" else "todo",
        )
        for i, name in enumerate(TABS)
    )


def _screen(now: int, done: str, primary: s.Button, **more: Any) -> s.CalibrateScreen:
    return s.CalibrateScreen(title="Calibrate", back=BACK, tabs=_tabs(now, done), primary=primary, **more)


def _primary(text: str, *, on: bool = True, **more: Any) -> s.Button:
    return s.Button(id="next", text=text, kind="primary", enabled=on, **more)


TAKE, NEXT = "Take the picture", _primary("Next", icon="forward")
DRAG = "Or drag the corner to its place."
GAUGE = s.Gauge(figure="0.12", text="mm off, wants 0.4", at=0.1, fields=(0.333, 0.667))
COVERED = s.Note(
    strong="The north-east card is covered.",
    text="Uncover it, turn the lamp away, or drag the corner to its place.",
    kind="warning",
    icon="warning",
)
LAID = "Lay the swatch pieces as the printed plan shows. Do not move board, cards or camera."
CLEAR = "Clear the board: no tile and no piece on it. Then keep your hands away."


def calibrate_samples() -> dict[str, s.AppState]:
    """By name, as in `screen_samples`."""
    board = {"picture": _picture("empty"), "outline": pictures()[1]}
    screens = {
        "11a_lens": _screen(
            0, "-t--", NEXT, picture=_picture("lens"),
            sentence="An ordinary lens needs nothing: go on. For a wide one hold the lens sheet near the camera, "
            "all over the picture.",
        ),
        "11a_lens_measuring": _screen(
            0, "-t--", NEXT, picture=_picture("lens"),
            gauge=s.Gauge(figure="5", text="of 8 pictures of the sheet", at=0.6),
            note=s.Note(text="This view has been taken: hold the sheet somewhere else, or tip it.", icon="info"),
        ),
        "11b_searching": _screen(
            1, "d", _primary("Waiting for the cards", on=False),
            picture=_picture("empty"), handles=_handles(ne="missing"),
            note=s.Note(strong="Looking for the north-east card.", text=DRAG, icon="eye"),
        ),
        "11b_covered": _screen(
            1, "d-t-", _primary(TAKE, on=False), picture=_picture("empty"), handles=_handles(ne="missing"),
            note=COVERED,
            gauge=s.Gauge(figure="0.61", text="mm off, wants 0.4", at=0.51, fields=(0.333, 0.667)),
        ),
        "11b_ready": _screen(1, "d", _primary(TAKE), **board, handles=_handles(sw="given"), sentence=CLEAR,
                             secondary=s.Button(id="again", text="Forget my corners")),
        "11b_taking": _screen(1, "d", _primary("Working", on=False), **board, handles=_handles(),
                              sentence="One moment: the picture is being worked out."),
        "11b_refused": _screen(
            1, "d", _primary(TAKE), **board, handles=_handles(), sentence=CLEAR,
            note=s.Note(
                text="The printed hexes do not fit these four corners. Tap the corners of the board itself, and use a "
                "picture of the empty board.", kind="warning", icon="warning",
            ),
        ),
        "11b_taken": _screen(1, "dd", NEXT, **board, sentence="This picture has been taken.", gauge=GAUGE,
                             secondary=s.Button(id="again", text="Take it again")),
        "11c_missing": _screen(
            2, "ddt", _primary(TAKE, on=False), picture=_picture("swatch"), outline=pictures()[1], sentence=LAID,
            gauge=GAUGE,
            spots=(
                s.PictureSpot(x=790, y=300, tone="missing"), s.PictureSpot(x=700, y=520, tone="missing"),
                s.PictureSpot(x=920, y=600, tone="stray"),
            ),
            note=s.Note(text="Still to lay: the beach on H4, the forest on F6.", kind="warning", icon="warning"),
        ),
        "11c_good": _screen(2, "ddt", _primary("Keep this"), picture=_picture("swatch"), outline=pictures()[1],
                            sentence="The calibration is good.", gauge=GAUGE),
        "11c_poor": _screen(
            2, "ddt", _primary("Keep this", on=False), picture=_picture("swatch"), outline=pictures()[1],
            sentence="The calibration is too poor to keep. Touch Board or Colours to take a picture again.",
            note=s.Note(text="The picture is too dark: switch a lamp on.", kind="warning"),
            secondary=s.Button(id="again", text="Take it again"),
            gauge=s.Gauge(figure="1.4", text="mm off, wants 0.4", at=1.0, fields=(0.333, 0.667)),
        ),
        "11d_buttons": _screen(
            3, "ddd", _primary("Done", icon="check"), keys=_keys(),
            sentence="Press every button at the table's edge once: its sign lights up here.",
        ),
        "11_camera_lost": _screen(
            1, "d", _primary("Waiting for the camera", on=False), picture=_picture("empty", hatched=True),
            note=s.Note(
                strong="No picture", text="The camera on /dev/video0 has gone: check its cable.", kind="fault",
                icon="camera_off", line="Trying again in 4 s",
            ),
        ),
        "11_no_picture_yet": _screen(
            0, "----", _primary("Waiting for the camera", on=False), blank="No picture yet",
            sentence="The camera is getting ready.",
        ),
        "11_no_camera": _screen(
            3, "----", _primary("Done", icon="check"), keys=_keys(),
            sentence="There are no buttons at the table's edge: everything is done by touch. Try it on the signs.",
            note=s.Note(text="There is no camera, so nothing is calibrated: play by touch.", icon="camera_off"),
        ),
    }  # fmt: skip
    return {name: s.AppState(screen=screen) for name, screen in screens.items()}


def _keys() -> tuple[s.TestKey, ...]:
    marks = (("Red", "red", "done"), ("Blue", "blue", "down"), ("Yellow", "yellow", "todo"), ("Green", "green", "todo"))
    players = tuple(
        s.TestKey(button=s.Button(id=f"key:player{i}", text=text, mark=mark), state=state)  # type: ignore[arg-type]
        for i, (text, mark, state) in enumerate(marks, start=1)
    )
    others = (("ok", "OK", "check"), ("undo", "Undo", "undo"), ("roll", "Roll", "phase_roll"))
    return (*players, *(s.TestKey(button=s.Button(id=f"key:{k}", text=text, icon=i)) for k, text, i in others))
