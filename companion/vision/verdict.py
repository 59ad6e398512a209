"""The observation drawn on the board: in each hex what is claimed and how sure that is, and what else it may be.

In: the board from above, the observation. Out: the picture with words. Certainty has a colour and always its figure.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from calibration.arrays import Image
from companion.rules.layout import CREATURES, HexContent
from companion.vision.field import Field
from companion.vision.observation import HexEvidence, HexHypothesis, LandEvidence, Observation
from companion.vision.windows import LAND_SIDES

Colour = tuple[int, int, int]

CERTAINTIES: tuple[tuple[float, Colour, str], ...] = (
    (0.99, (120, 230, 120), "99 % or more"),
    (0.9, (60, 230, 240), "90 % or more"),
    (0.6, (40, 150, 255), "60 % or more"),
    (0.0, (80, 80, 255), "less"),
)
"""From which probability on, the colour (BGR), what the legend says."""

OTHER = 0.02
"""Other readings are named from this probability on."""

_HIDDEN: Colour = (200, 200, 200)
_FONT, _SIZE, _LINE = cv2.FONT_HERSHEY_SIMPLEX, 0.38, 13
_LEGEND = 40


def draw_verdict(image: Image, observation: Observation, field: Field, scale: int) -> Image:
    """Draw on a copy of the view, which is `scale` times as large as the field's."""
    shown = image.copy()
    for evidence in observation.hexes:
        ink = _ink(evidence.hypotheses[0].probability) if evidence.hypotheses else _HIDDEN
        tile = evidence.hypotheses[0].content.tile if evidence.hypotheses else None
        outline = field.outline(evidence.hex, field.thickness[tile] if tile else 0.0, shrink=1.0) * scale
        cv2.polylines(shown, [np.round(outline).astype(np.int32)], True, ink, 1, cv2.LINE_AA)
        x = float(outline[:, 0].mean())
        write(shown, field.board.labels[evidence.hex], x, outline[:, 1].min() + 2 * _LINE, ink)
        lines = list(_words(evidence))
        bottom = outline[:, 1].max() - 2 * _LINE
        for i, line in enumerate(reversed(lines)):  # below the middle, so that what stands there is seen
            write(shown, line, x, bottom - i * _LINE, ink)
    _draw_lands(shown, observation, field, scale)
    return _with_legend(shown, observation)


def write(image: Image, text: str, x: float, y: float, ink: Colour) -> None:
    """Write small letters with a dark rim, so that they can be read on everything; x, y (px) is their middle."""
    (width, height), _ = cv2.getTextSize(text, _FONT, _SIZE, 1)
    at = (round(x - width / 2), round(y + height / 2))
    cv2.putText(image, text, at, _FONT, _SIZE, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(image, text, at, _FONT, _SIZE, ink, 1, cv2.LINE_AA)


def name_content(content: HexContent) -> list[str]:
    """What a hex holds, a line for each kind of thing: `forest`, `2 red, blue`, `boat: green`, `shark`."""
    lines: list[str] = [content.tile] if content.tile else []
    if content.explorers:
        lines.append(_counts(content.explorers))
    if content.boat is not None:
        lines.append(f"boat: {_counts(content.boat) or 'empty'}")
    for creature in CREATURES:
        count = getattr(content, f"{creature}s")
        if count:
            lines.append(creature if count == 1 else f"{count} {creature}s")
    return lines or ["sea"]


def _words(evidence: HexEvidence) -> Iterator[str]:
    if evidence.hidden:
        yield f"hidden: {evidence.hidden}"
        return
    first, *others = evidence.hypotheses
    sea = first.content.is_empty and first.probability >= CERTAINTIES[0][0]
    if not sea:  # of bare sea there is much, and nothing to be said
        yield from name_content(first.content)
    yield _percent(first.probability)
    for other in others[:1]:
        if other.probability >= OTHER:
            yield f"or {_difference(other, first)} {_percent(other.probability)}"


def _difference(other: HexHypothesis, first: HexHypothesis) -> str:
    """What the other reading has that the first has not; if it only has less, all of it."""
    claimed, lines = name_content(first.content), name_content(other.content)
    more = [line for line in lines if line not in claimed]
    return ", ".join(more) if more else f"only {', '.join(lines)}"


def _draw_lands(image: Image, observation: Observation, field: Field, scale: int) -> None:
    width, height = field.size[0] / 2, field.size[1] / 2
    seen: dict[str, LandEvidence] = {evidence.land: evidence for evidence in observation.safe}
    for land, (x, y) in LAND_SIDES.items():
        middle, line = field.view.pixels((x * (width - 30), y * (height - 14))) * scale
        evidence = seen.get(land)
        if evidence is None or evidence.hidden or not evidence.hypotheses:
            write(image, f"{land}: hidden", middle, line, _HIDDEN)
            continue
        first = evidence.hypotheses[0]
        text = f"{land}: {_counts(first.explorers) or 'nobody'} {_percent(first.probability)}"
        write(image, text, middle, line, _ink(first.probability))


def _with_legend(image: Image, observation: Observation) -> Image:
    shown = np.asarray(cv2.copyMakeBorder(image, 0, _LEGEND, 0, 0, cv2.BORDER_CONSTANT, value=(0, 0, 0)), np.uint8)
    notes = [*([] if observation.registered else ["NOT registered"]), *(["moving"] if observation.moving else [])]
    texts = [("certainty of the claim: ", (255, 255, 255)), *((text, ink) for _, ink, text in CERTAINTIES)]
    texts += [("hidden, no claim", _HIDDEN), *((note, CERTAINTIES[-1][1]) for note in notes)]
    x = 10
    for text, ink in texts:
        cv2.putText(shown, text, (x, shown.shape[0] - 14), _FONT, 0.5, ink, 1, cv2.LINE_AA)
        x += cv2.getTextSize(text, _FONT, 0.5, 1)[0][0] + 24
    return shown


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(colour if n == 1 else f"{n} {colour}" for colour, n in counts.items() if n)


def _percent(probability: float) -> str:
    """Never rounded up to certainty."""
    return f"{int(1000 * probability) / 10:.1f}%"


def _ink(probability: float) -> Colour:
    return next(ink for least, ink, _ in CERTAINTIES if probability >= least)
