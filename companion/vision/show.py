"""Pictures of what each step found, for people who look for the reason of a wrong reading.

In: the camera's picture and the recogniser's `Trace` of it. Out: BGR pictures by name, in the order of the steps.
All of it rests on the evidence, on what was looked at and on the observation.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration import Calibration
from calibration.arrays import Floats, Floats32, Image
from calibration.cards import find_cards
from calibration.cells import spread
from calibration.colours import from_bytes, of_class
from calibration.hexes import hex_outline
from calibration.light import Light
from companion.rules.geometry import Board
from companion.vision.field import Field
from companion.vision.inputs import lab_bytes, network_inputs
from companion.vision.observation import Blurred, Moved, NotSeen, Registration, Still
from companion.vision.recogniser import Trace
from companion.vision.verdict import draw_verdict, name_content, write
from companion.vision.windows import HEX_FRAME, INSIDE_BYTE

SCALE = 3
"""Drawn so many times larger than the view, so that there is room for words."""

CAMERA_WIDTH = 1536
"""px; a larger picture of the camera is shown at this width."""

WINDOW_SCALE, WINDOW_COLUMNS = 2, 12

_FOUND, _KNOWN, _LINES, _HAND = (60, 220, 60), (60, 60, 255), (255, 255, 255), (60, 60, 255)
_COLUMNS = 4
_REGISTRATIONS: dict[type[Registration], str] = {
    Still: "the board lies where it lay",
    Moved: "the board or the camera was moved, and the board found again",
    NotSeen: "the board was NOT found: nothing else counts",
    Blurred: "the picture is NOT sharp: nothing else counts",
}
_MARGIN = 26


STEPS = (
    *("1-cards", "2-rectified", "3-light", "4-light-taken-out", "5-evidence"),
    *("6-hands", "7-windows", "8-print", "9-verdict"),
)
"""Of each there is a picture of that name."""


def pictures(image: Image, trace: Trace, board: Board, calibration: Calibration) -> dict[str, Image]:
    """One picture a step; `calibration` is the one that the recogniser was given."""
    evidence, field = trace.evidence, Field(board, trace.calibration)
    drawn = (
        _cards(image, trace, field, calibration),
        _rectified(evidence.picture, field),
        _light(evidence.measured, field.view.shape),
        _labelled(_larger(_from_lab(evidence.lab)), "what colours are compared in: the light of the calibration"),
        _evidence(trace, trace.calibration.colours.classes),
        _hands(trace),
        _windows(trace, field),
        _print(trace, field),
        draw_verdict(_larger(evidence.picture), trace.observation, field, SCALE),
    )
    return dict(zip(STEPS, drawn, strict=True))


def _cards(image: Image, trace: Trace, field: Field, calibration: Calibration) -> Image:
    """The camera's picture with the hexes where they were looked for, the cards where they lie and lay."""
    scale = min(1.0, CAMERA_WIDTH / image.shape[1])
    shown = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    for centre in field.centres:
        corners = hex_outline(centre, field.board.side_mm)
        outline = trace.calibration.camera.project(np.hstack([corners, np.zeros((6, 1))]))
        cv2.polylines(shown, [_ints(outline * scale)], True, _LINES, 1, cv2.LINE_AA)
    found = find_cards(image, calibration.board)
    for name, known in calibration.cards.items():
        before = np.array(known)
        cv2.polylines(shown, [_ints(before * scale)], True, _KNOWN, 1, cv2.LINE_AA)
        x, y = before.mean(axis=0) * scale
        y += np.linalg.norm(before[0] - before[2]) * scale  # below the card
        if name in found:
            cv2.polylines(shown, [_ints(found[name] * scale)], True, _FOUND, 1, cv2.LINE_AA)
            ground = calibration.camera.ground(np.concatenate([found[name], before]), -calibration.board.thickness)
            moved = float(np.linalg.norm(ground[:4] - ground[4:], axis=1).mean())
            write(shown, f"{name}: {moved:.1f} mm from where it lay", x, y, _FOUND)
        else:
            write(shown, f"{name}: not seen", x, y, _KNOWN)
    told = _REGISTRATIONS[type(trace.observation.registration)]
    return _labelled(shown, f"{told}; cards: found green, calibrated red; hexes: where they were looked for")


def _rectified(picture: Image, field: Field) -> Image:
    shown = _larger(picture)
    for h in field.board.hexes:
        cv2.polylines(shown, [_ints(field.outline(h, 0.0) * SCALE)], True, _LINES, 1, cv2.LINE_AA)
        x, y = field.view.pixels(field.board.centre_mm(h)) * SCALE
        write(shown, field.board.labels[h], x, y, _LINES)
    return _labelled(
        shown, "from straight above; the lines are the hexes on the board's face: the print must lie under them"
    )


def _light(measured: Light, shape: tuple[int, int]) -> Image:
    """Mid-grey is the light of the calibration, its colour the lamp's change of colour. Beside it what is mirrored of
    lamps, and of the room."""
    light = spread(measured.factor, shape)
    level = np.clip(128 * light, 0, 255).astype(np.uint8)
    least, most = (float(np.percentile(light.mean(axis=2), p)) for p in (2, 98))
    drawn = _labelled(
        _larger(level), f"light on the table against the calibration's (grey): {least:.2f} to {most:.2f} times as much"
    )
    room = None if measured.gloss is None else spread(measured.gloss, shape)
    for what, added in (("mirrored in the board", measured.mirrored), ("mirrored of the room, in a shadow", room)):
        if added is not None:
            strongest = float(added.max())
            shares = np.repeat((added * (255 / strongest)).astype(np.uint8)[..., None], 3, axis=2)
            drawn = np.hstack([drawn, _labelled(_larger(shares), f"{what}: {strongest:.1%} of white at most")])
    return drawn


def _evidence(trace: Trace, classes: tuple[str, ...]) -> Image:
    """A sheet of maps: white where a pixel's colour speaks for that class and no other."""
    known = (from_bytes(of_class(trace.evidence.classes, i)) for i in range(len(classes)))
    density = np.stack([trace.evidence.ground, *known], axis=2)
    share = np.exp(density - density.max(axis=2, keepdims=True))
    share /= share.sum(axis=2, keepdims=True)
    tiles = []
    for i, name in enumerate(("print", *classes)):
        level = np.ascontiguousarray(255 * share[..., i]).astype(np.uint8)
        tiles.append(_labelled(np.asarray(cv2.cvtColor(level, cv2.COLOR_GRAY2BGR), np.uint8), name))
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % _COLUMNS)
    rows = [np.hstack(tiles[i : i + _COLUMNS]) for i in range(0, len(tiles), _COLUMNS)]
    return np.vstack(rows)


def _hands(trace: Trace) -> Image:
    """What an arm hides, tinted."""
    shown = _larger(trace.evidence.picture)
    mask = cv2.resize(trace.hidden.astype(np.uint8), (shown.shape[1], shown.shape[0])) > 0
    shown[mask] = (0.5 * shown[mask] + 0.5 * np.array(_HAND)).astype(np.uint8)
    share = 100 * float(trace.hidden.mean())
    return _labelled(
        shown,
        f"in red what an arm hides, {share:.1f} % of the board: nothing is claimed there, nor what is unsure beside it",
    )


def _windows(trace: Trace, field: Field) -> Image:
    """What the network is shown of each hex that was looked at, and the best reading of it."""
    planes = network_inputs(trace.evidence, lab_bytes(trace.calibration.ground.lab()))
    claims = {e.hex: e.hypotheses[0].content for e in trace.observation.hexes if e.hypotheses}
    rows, columns = (WINDOW_SCALE * n for n in (HEX_FRAME.rows, HEX_FRAME.columns))
    tiles = []
    which = [field.board.index[h] for h in trace.look.hexes]
    for h, window in zip(trace.look.hexes, field.cutter.hexes(field.eye, which).cut(planes), strict=True):
        inside = np.clip(window[..., -2:-1].astype(float) / INSIDE_BYTE, 0.4, 1.0)  # darker outside the hex
        drawn = cv2.cvtColor(np.ascontiguousarray(window[..., :3]), cv2.COLOR_Lab2BGR) * inside
        drawn = cv2.resize(drawn.astype(np.uint8), (columns, rows), interpolation=cv2.INTER_CUBIC)
        words = [field.board.labels[h], *(name_content(claims[h]) if h in claims else ["hidden"])]
        for i, word in enumerate(words):
            write(np.asarray(drawn, np.uint8), word, columns / 2, 10 + 14 * i, _LINES)
        tiles.append(drawn)
    blank = np.zeros((rows, columns, 3), np.uint8)
    tiles += [blank] * (-len(tiles) % WINDOW_COLUMNS if tiles else WINDOW_COLUMNS)
    sheet = [np.hstack(tiles[i : i + WINDOW_COLUMNS]) for i in range(0, len(tiles), WINDOW_COLUMNS)]
    return _labelled(np.asarray(np.vstack(sheet), np.uint8), "what the network is shown: what stands up leans up")


def _print(trace: Trace, field: Field) -> Image:
    """How much of its print each hex shows, and how exactly that is known; of those on which nothing is claimed."""
    shown = _larger(trace.evidence.picture)
    missing, doubtful = trace.shown.missing(), trace.shown.doubtful()
    claimed = {e.hex for e in trace.observation.hexes if e.hypotheses and not e.hypotheses[0].content.is_empty}
    for i, h in enumerate(field.board.hexes):
        if h in claimed:
            continue
        ink = _KNOWN if missing[i] else _LINES if doubtful[i] else _FOUND
        outline = field.outline(h, 0.0, shrink=1.0) * SCALE
        cv2.polylines(shown, [_ints(outline)], True, ink, 1, cv2.LINE_AA)
        x, y = outline.mean(axis=0)
        contrast, error = float(trace.shown.contrast[i]), float(trace.shown.error[i])
        write(shown, f"{contrast:.2f} +- {error:.2f}" if np.isfinite(error) else "cannot be told", x, y, ink)
    return _labelled(
        shown, "the print's contrast: green seen, white doubtful, red missing; what reads bare and misses it is hidden"
    )


def _larger(image: Image) -> Image:
    return np.asarray(cv2.resize(image, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_CUBIC), np.uint8)


def _from_lab(lab: Floats32) -> Image:
    return np.asarray(np.clip(255 * cv2.cvtColor(lab, cv2.COLOR_Lab2BGR), 0, 255), np.uint8)


def _labelled(image: Image, text: str) -> Image:
    """The picture with a line above it that says what it shows."""
    shown = cv2.copyMakeBorder(image, _MARGIN, 0, 0, 0, cv2.BORDER_CONSTANT, value=(0, 0, 0))
    cv2.putText(shown, text, (8, _MARGIN - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.5, _LINES, 1, cv2.LINE_AA)
    return np.asarray(shown, np.uint8)


def _ints(points: Floats) -> np.typing.NDArray[np.int32]:
    return np.round(points).astype(np.int32)
