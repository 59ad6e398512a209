"""A picture of the table to an `Observation`: the steps in their order.

does the board lie where it lay (`registration`) -> rectify; is the print sharp (`sharpness`) -> take the light out,
look colours up (`evidence`) -> hands (`hands`) -> take out what is mirrored in the board, and look colours up again if
anything is -> what is glimpsed in spite of `glare` and shadow -> the network's answers hex by hex (`look`) -> how much
of its print each hex shows (`printed`) -> what can be on one board (`readings`) -> what looks as it did before
(`memory`). Every step's result is kept in a `Trace`, which `show` turns into pictures.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import secrets
import time as clock
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future
from typing import NamedTuple, TypeVar

import cv2
import msgspec
import numpy as np

from calibration import Calibration, PictureError
from calibration.arrays import Floats32, Image, Mask
from calibration.camera import Camera
from calibration.cells import spread
from calibration.view import Rectifier
from companion import heap
from companion.rules.geometry import Board, Hex
from companion.rules.layout import Land
from companion.vision.camouflage import Camouflage
from companion.vision.evidence import PixelEvidence, PixelStep
from companion.vision.field import Field
from companion.vision.glare import GlareStep
from companion.vision.hands import HandStep
from companion.vision.look import Look, LookStep, Scan
from companion.vision.memory import LookMemory, coarse_view
from companion.vision.network import Network
from companion.vision.observation import (
    Blurred,
    HexEvidence,
    HiddenBy,
    LandEvidence,
    Moved,
    NotSeen,
    Observation,
    Registration,
    Still,
)
from companion.vision.places import Places
from companion.vision.printed import PrintStep, Shown
from companion.vision.readings import hex_evidence, hex_readings, land_evidence
from companion.vision.registration import PATIENCE, RegistrationStep
from companion.vision.sharpness import BLURRED, SharpnessStep
from companion.vision.windows import LAND_SIDES
from companion.vision.workers import make_workers

PIECE_HEIGHT_MM = 20.0
HIDDEN_SHARE = 0.15
"""A hex is hidden if the hand covers this share of it, pieces that may stand on it included; as well if so much of its
face alone is white without a tile."""

SAID_HIDDEN = 0.5
"""The network says that a hex is hidden if it gives this probability."""

ARM_HEXES = 8
"""An arm in a sleeve of the print's own colours is not found as one; then the network says that it hides so many hexes
side by side: of 11 such arms 8 at least. With fewer, or fewer than glare hides, it is no hand, and nobody is to be told
to take one away: where lamps are mirrored and heads throw shadows up to 7 lie together."""

GREYER = 0.2
"""What looks like an arm is light if such a share of it more differs from the print by grey light than the network says
to be hidden, in the mean over the hexes that it would hide. Of 161 arms at 132 tables the greyest has 0.19, the next
0.07; three lamps that had moved since the empty board was taken have 0.23 to 0.53."""

WARY, WARY_ASHORE = 0.95, 0.8
"""With an arm over the table a hex is claimed from this probability on: near it are shadows, fingers, pieces held; safe
lands sooner, as a layout cannot say of them that they are hidden."""

GLIMPSED = 0.95
"""What is seen in spite of glare or shadow is claimed from this probability on, and if no tile is read: in 667 pictures
131 of 717 hexes that were hidden, 129 of them rightly."""

LEAST_MISSING = 3
"""So many bare hexes side by side whose print is missing are hidden: of 9800 in 159 pictures none is, and four in two
pictures would be if it were two."""

LEAST_SAID = 3
"""So many hexes together that the network calls hidden lend it weight beside them."""

DARK = 0.13
"""With less than this share of the light in the picture of the empty board noise is as strong as what is to be told
apart."""

LAMPS_OUT = 0.5
"""With so large a share of the board in the dark it is no shadow of anybody."""

BLINDING = 0.35
"""More light than that (linear, of white) mirrored in the board leaves too little to be read, and no more than 0.4 is
told."""

FIRST_LOOK_BITS = 48
"""Looks are numbered from a random number on: a game outlives the process that sees for it, and in the next one no look
must have a number of the last one's."""

MOVED_LAB = 12.0
MOVED_SHARE = 0.01
"""Something moved if more than this share of the board changed by more than `MOVED_LAB`."""


Place = TypeVar("Place", Hex, Land)
Evidence = TypeVar("Evidence", HexEvidence, LandEvidence)


class Laps:
    """By step the seconds on the clock and on the CPU."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.cpu_seconds: dict[str, float] = {}
        self.go()

    def go(self) -> None:
        """The next lap begins now."""
        self._started, self._cpu_started = clock.perf_counter(), clock.process_time()

    def __call__(self, step: str) -> None:
        """That step has taken the lap that ends here, besides what it took before; the next one begins."""
        now, cpu_now = clock.perf_counter(), clock.process_time()
        self.seconds[step] = self.seconds.get(step, 0.0) + now - self._started
        self.cpu_seconds[step] = self.cpu_seconds.get(step, 0.0) + cpu_now - self._cpu_started
        self._started, self._cpu_started = now, cpu_now


@dataclasses.dataclass(frozen=True)
class Found:
    """All that is read of a picture: where the board lies, and `view`, the board from above (BGR)."""

    registration: Registration
    view: Image
    laps: Laps


@dataclasses.dataclass
class Trace:
    """What the steps found in one picture and what was made of it; by step the seconds on the clock and on the CPU.

    The network's planes are made while hands are looked for, and count on the CPU there.

    `calibration` is the one that the picture was read by: the given one, gone along with a board that was moved.
    """

    calibration: Calibration
    evidence: PixelEvidence
    hidden: Mask
    look: Look
    shown: Shown
    observation: Observation
    seconds: dict[str, float]
    cpu_seconds: dict[str, float]


class _Sight(NamedTuple):
    """What is seen in a picture before any hex is read: `coarse`, its `coarse_view`; whether anything is `moving`; what
    the network is to see (`scan`), on its way; H x W: where an arm covers the board, and where light (`glare`) does."""

    evidence: PixelEvidence
    coarse: Floats32
    moving: bool
    scan: Future[Scan]
    covered: Mask
    glare: Mask


class Recogniser:
    """Reads pictures of one calibrated table."""

    def __init__(self, calibration: Calibration, board: Board, *, patience: int = PATIENCE) -> None:
        """`patience`: see `RegistrationStep`; 0 for pictures that do not follow each other, each read for itself."""
        self._follows = patience > 0
        self._board = board
        self._registration = RegistrationStep(calibration, patience)
        self._workers = make_workers()
        self._network = Network(self._workers)
        self._camouflage = Camouflage(calibration)
        self._looks = itertools.count(1 + secrets.randbits(FIRST_LOOK_BITS))
        self._use(calibration)
        evidence = self._pixels.read_view(calibration.swatch_image())
        laid = [board.index[s.hex] for s in calibration.swatches]
        is_bare = ~np.isin(np.arange(len(board.hexes)), laid)
        self._printed_again = self._print(evidence).again(is_bare, board)
        swatches = self._look.scan(evidence)
        del evidence  # 14 MB
        self._network.set_examples(self._look.examples(swatches))
        self._look(swatches)  # the first time takes longest: it is over before anybody waits
        self._before: Floats32 | None = None
        self.trace: Trace | None = None
        heap.trim()

    @property
    def camera(self) -> Camera:
        """Where the camera stands by the last picture."""
        return self._calibration.camera

    def _use(self, calibration: Calibration) -> None:
        """Read pictures by that calibration from now on."""
        self._calibration = calibration
        self.field = Field(self._board, calibration)
        self._pixels = PixelStep(calibration, self._workers, self.field.island)
        self._hands = HandStep(calibration, self.field, self._pixels.inside)
        self._print = PrintStep(calibration, self.field, self._pixels.inside)
        self._glare = GlareStep(calibration)
        self._sharpness = SharpnessStep(calibration, self._pixels.inside)
        self._look = LookStep(calibration, self.field, self._network)
        prisms = [self.field.pixels(h, PIECE_HEIGHT_MM) for h in self._board.hexes]
        self._prisms = Places(prisms)
        self._faces = Places([self.field.pixels(h) for h in self._board.hexes])
        self._outside = ~self._pixels.inside
        self._cut_off = _hidden({"edge": self._outside}, self._board.hexes, self._prisms).keys()
        self._hex_memory = LookMemory(prisms, self.field.view.shape, self._looks)
        self._land_memory = LookMemory(self._look.land_pixels, self.field.view.shape, self._looks)

    def observe(self, image: Image, frame: int = 0, time: float = 0.0) -> Observation:
        """Read one picture (H x W x 3 uint8 BGR of the calibration's size).

        `frame` and `time` (s) are handed through. Raises PictureError if the picture is of another size or kind.
        """
        return self.read(self.find(image), frame, time)

    def find(self, image: Image) -> Found:
        """The first half of `observe`, after which the picture may go: one of 12 megapixels takes 37 MB."""
        self._check(image)
        self.trace = None  # its rasters make room for those of this picture
        laps = Laps()
        registration = self._registration(image)
        laps("registration")
        calibration = self._registration.calibration
        is_new = calibration is not self._calibration
        rectify = self._pixels.rectify
        if is_new:
            rectify = Rectifier(calibration.camera, calibration.view, calibration.haze)
        view = rectify(image)
        detail = self._sharpness(view)
        if not isinstance(registration, NotSeen) and detail < BLURRED:
            registration = Blurred(detail)
            self._registration.refuse(registration, self._calibration)  # a smeared print is found aside of its place
        elif is_new:
            self._use(calibration)
        laps("pixels")
        return Found(registration, view, laps)

    def read(self, found: Found, frame: int = 0, time: float = 0.0) -> Observation:
        """The second half of `observe`: reads what `find` has found in the last picture."""
        registration, lap = found.registration, found.laps
        lap.go()
        evidence, coarse, moving, scan, covered, glare = self._sight(found.view, lap)
        masks: dict[HiddenBy, Mask] = {
            "hand": covered,
            "glare": glare,
            "shadow": spread(evidence.light[..., 1], self.field.view.shape) < DARK,
            "edge": self._outside,
        }
        masked = _hidden(masks, self._board.hexes, self._prisms)
        hidden_lands = _hidden(masks, tuple(LAND_SIDES), self._look.land_places)
        shown = functools.cache(lambda: self._print(evidence).of_what_is_seen(self._printed_again))
        glimpsed = self._glimpsed(masked, masks, evidence, shown)
        unseen = masked.keys() - glimpsed
        looks = self._hex_memory.find(coarse, np.array([h not in unseen for h in self._board.hexes]))
        unseen_lands = {land for land, by in hidden_lands.items() if by != "hand"}
        look = self._look(scan.result(), unseen, unseen_lands, looks if self._follows else None)
        del scan  # 9 MB
        lap("look")
        glimpsed -= _doubted(look, glimpsed)
        hidden = {h: by for h, by in masked.items() if h not in glimpsed}
        said = self._said_hidden(look, hidden, evidence, beside_an_arm=bool(covered.any()))
        said += self._unprinted(look, said, hidden, shown())
        lap("print")
        arm = bool(covered.any()) or self._is_arm(said, masked, evidence)
        white = {h: by for h, by in self._white_without_tile(look, evidence).items() if h not in glimpsed}
        hidden = white | dict.fromkeys(said, "hand" if arm else "shadow") | (masked if arm else hidden)
        safe = land_evidence(look.lands, look.land_cells, hidden_lands)
        hexes = hex_evidence(self._board, look.hexes, look.answers, hidden, safe, camouflage=self._camouflage)
        if arm:
            hexes = tuple(_wary(e, WARY) for e in hexes)
            safe = tuple(_wary(e, WARY_ASHORE) for e in safe)
        seen = _seen(hexes)
        looks = np.where(seen, looks, 0) if arm else self._hex_memory.add(np.where(seen, looks, 0), seen)
        if self._follows and not (arm or moving) and isinstance(registration, Still):
            self._look.answered(look, looks)
        land_looks = self._land_memory(coarse, _seen(safe), anew=not arm)
        observation = Observation(
            frame=frame,
            time=time,
            hexes=tuple(map(_with_look, hexes, looks.tolist())),
            safe=tuple(map(_with_look, safe, land_looks.tolist())),
            moving=moving or isinstance(registration, Moved),
            registration=registration,
        )
        lap("readings")
        self.trace = Trace(
            self._calibration, evidence, covered, look, shown(), observation, lap.seconds, lap.cpu_seconds
        )
        return observation

    def _sight(self, view: Image, lap: Laps) -> _Sight:
        """What is seen in a picture (in the view, BGR), without what is mirrored in the board."""
        evidence = self._pixels.read_view(view)
        lap("pixels")
        suspected = self._pixels.may_be_mirrored(evidence)
        scan = None if suspected else self._workers.submit(self._look.scan, evidence)  # while hands are looked for
        coarse = coarse_view(evidence.lab)
        moving = self._moving(coarse)
        covered, burnt = self._hands(evidence), self._glare(evidence)
        reflected = np.zeros_like(covered)
        if covered.any():
            scan = scan or self._workers.submit(self._look.scan, evidence)
            reflected = self._find_reflections(covered, evidence, scan)
            covered &= ~reflected
        lap("hands")
        light = None
        if suspected and not covered.any():  # an arm throws light back, too
            light = self._pixels.find_mirrored(evidence)
        if light is not None:
            del evidence, scan  # 16 MB and 9 MB
            evidence = self._pixels.in_light(view, light)
            coarse = coarse_view(evidence.lab)
            scan = self._workers.submit(self._look.scan, evidence)
            reflected = self._still_hidden(evidence)
        scan = scan or self._workers.submit(self._look.scan, evidence)
        lap("reflections")
        return _Sight(evidence, coarse, moving, scan, covered, burnt | reflected)

    def _still_hidden(self, evidence: PixelEvidence) -> Mask:
        """H x W: where nothing can be read although what is mirrored was taken out.

        What still looks like an arm may be one that was taken for a reflection, or what is left of a reflection.
        """
        covered, mirrored = self._hands(evidence), evidence.measured.mirrored
        return covered if mirrored is None else covered | (mirrored > BLINDING)

    def _find_reflections(self, covered: Mask, evidence: PixelEvidence, scan: Future[Scan]) -> Mask:
        """H x W: which parts of that which looks like arms (`covered`) are light.

        Where a lamp's light has gone from one of them, light that has come to another is that lamp's, and no paper.
        """
        count, labels = cv2.connectedComponents(covered.astype(np.uint8))
        suspects = {part: self._glare.suspect(labels == part, evidence) for part in range(1, count)}
        light = {part for part, suspect in suspects.items() if suspect.is_reflection}
        for moved in (False, True):
            greys = {part: suspects[part].grey_share(moved=moved) for part in suspects.keys() - light}
            # of what is hardly grey, as nearly every arm is, nothing else need be asked
            suspected = {part: share for part, share in greys.items() if share > GREYER}
            grey = {part for part, share in suspected.items() if self._is_greyer(share, labels == part, scan)}
            light |= grey
            if not any(suspects[part].has_gone for part in grey):
                break
        return np.isin(labels, list(light))

    def _is_greyer(self, grey: float, there: Mask, scan: Future[Scan]) -> bool:
        """True if more of what looks like an arm `there` differs from the print by `grey` light than the network, which
        knows arms, says to be hidden."""
        hexes = np.flatnonzero(self._prisms.show(there, HIDDEN_SHARE))
        return bool(len(hexes) and grey > GREYER + self._look.hidden(scan.result(), hexes).mean())

    def _glimpsed(
        self,
        hidden: Mapping[Hex, HiddenBy],
        masks: dict[HiddenBy, Mask],
        evidence: PixelEvidence,
        shown: Callable[[], Shown],
    ) -> set[Hex]:
        """The hexes of those `hidden`, by the `masks`, that are seen in spite of glare or shadow.

        Off the island nothing hides them but a lamp that the sea mirrors, and what stands there stands before it; or
        they lie in somebody's shadow and surely show their print. With an arm over the table or the lamps out there are
        none.
        """
        if masks["hand"].any() or masks["shadow"].mean() > LAMPS_OUT:
            return set()
        found = set()
        if glaring := {h for h, by in hidden.items() if by == "glare"}.difference(self._board.island):
            glare = masks["glare"] & ~self._glare.mirrored(masks["glare"], evidence, self.field.island)
            found |= glaring - _hidden(masks | {"glare": glare}, self._board.hexes, self._prisms).keys()
        if shaded := {h for h, by in hidden.items() if by == "shadow"} - self._cut_off:
            found |= shaded.intersection(itertools.compress(self._board.hexes, shown().surely()))
        return found

    def _said_hidden(
        self, look: Look, hidden: Container[Hex], evidence: PixelEvidence, *, beside_an_arm: bool
    ) -> list[Hex]:
        """The hexes, besides those `hidden`, of which the network says that something hides them.

        Unless an arm has been found, what lies together and shows the print is not hidden: a lamp is mirrored there.
        """
        said = look.answers["hidden"][:, 0, 1] > SAID_HIDDEN
        told = [h for h, yes in zip(look.hexes, said, strict=True) if yes and h not in hidden]
        if beside_an_arm or not told:
            return told
        groups = list(_groups(told, self._board))
        bare = self._hands.are_bare(evidence, [np.concatenate([self.field.pixels(h) for h in g]) for g in groups])
        return [h for group, is_bare in zip(groups, bare, strict=True) if not is_bare for h in group]

    def _unprinted(self, look: Look, said: Sequence[Hex], hidden: Mapping[Hex, HiddenBy], shown: Shown) -> list[Hex]:
        """The hexes that read bare and show nothing of the print, several together or beside what an arm hides.

        A sleeve of the sea's own colours passes for sea in shadow. Nor are those beside them vouched for that do not
        show their print.
        """
        answers = [p.argmax(axis=2) for name, p in look.answers.items() if name != "hidden"]
        is_busy = np.concatenate(answers, axis=1).max(axis=1) > 0
        bare = set(self._board.hexes).difference(itertools.compress(look.hexes, is_busy), said, hidden)
        covered = {h for h, by in hidden.items() if by == "hand"}
        covered.update(*(group for group in _groups(said, self._board) if len(group) >= LEAST_SAID))
        missing = bare.intersection(itertools.compress(self._board.hexes, shown.missing()))
        groups = (group for group in _groups(missing, self._board) if len(group) >= LEAST_MISSING)
        found = {h for group in groups for h in group} | self._beside(missing, covered)
        doubtful = bare.intersection(itertools.compress(self._board.hexes, shown.doubtful()))
        return sorted(found | self._beside(doubtful, found | covered))

    def _white_without_tile(self, look: Look, evidence: PixelEvidence) -> dict[Hex, HiddenBy]:
        """The hexes that read as if no tile lay there and are burnt out where the print is not: be it a lamp or a pale
        tile, what lies there is not told."""
        white = _hidden({"glare": self._glare.newly_white(evidence) > 0}, self._board.hexes, self._faces)
        tiled = set(itertools.compress(look.hexes, look.answers["tile"][:, 0].argmax(axis=1) > 0))
        return {h: by for h, by in white.items() if h not in tiled}

    def _beside(self, hexes: Iterable[Hex], others: Set[Hex]) -> set[Hex]:
        """Those that lie beside one of the others."""
        return {h for h in hexes if not others.isdisjoint(self._board.neighbours[h])}

    def _is_arm(self, said: Sequence[Hex], hidden: Mapping[Hex, HiddenBy], evidence: PixelEvidence) -> bool:
        """True if an arm hides what the network says to be hidden; `hidden` are those already known."""
        least = max(ARM_HEXES, list(hidden.values()).count("glare"))
        groups = (group for group in _groups(said, self._board) if len(group) >= least)
        return any(not self._glare.suspect(self._pixels_of(group), evidence).is_reflection for group in groups)

    def _pixels_of(self, hexes: Iterable[Hex]) -> Mask:
        there = np.zeros(self.field.view.shape, bool)
        for h in hexes:
            there.ravel()[self.field.pixels(h)] = True
        return there

    def _check(self, image: Image) -> None:
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
            raise PictureError("The picture must have three colour channels of 8 bits.")
        size, known = (image.shape[1], image.shape[0]), tuple(self._calibration.camera.image_size)
        if size != known:
            raise PictureError(
                f"The picture is {size[0]} x {size[1]}, the calibration is for {known[0]} x {known[1]}; "
                "calibrate again with this camera mode."
            )

    def _moving(self, now: Floats32) -> bool:
        """True if the board looks different from the picture before."""
        before, self._before = self._before, now
        if before is None:
            return False
        off = np.maximum.reduce(cv2.split(cv2.absdiff(now, before)))
        return bool((off > MOVED_LAB).mean() > MOVED_SHARE)


def _hidden(masks: Mapping[HiddenBy, Mask], names: Sequence[Place], places: Places) -> dict[Place, HiddenBy]:
    """Which of these places are hidden, and by the first of what."""
    hidden: dict[Place, HiddenBy] = {}
    for by, mask in masks.items():
        if mask.any():
            for name in itertools.compress(names, places.show(mask, HIDDEN_SHARE)):
                hidden.setdefault(name, by)
    return hidden


def _groups(hexes: Iterable[Hex], board: Board) -> Iterator[list[Hex]]:
    """The hexes by what lies side by side."""
    left = set(hexes)
    while left:
        group = [left.pop()]
        for h in group:  # which grows meanwhile
            near = left.intersection(board.neighbours[h])
            left -= near
            group += near
        yield group


def _seen(places: Sequence[HexEvidence | LandEvidence]) -> Mask:
    return np.array([not e.hidden for e in places])


def _with_look(evidence: Evidence, look: int) -> Evidence:
    return msgspec.structs.replace(evidence, look=look)


def _doubted(look: Look, glimpsed: Container[Hex]) -> set[Hex]:
    """The hexes glimpsed that after all count as hidden: what stands there is not sure enough, or may be a tile."""
    found = set()
    for i, h in enumerate(look.hexes):
        if h in glimpsed:
            answers = {name: said[i] for name, said in look.answers.items()}
            likeliest = hex_readings(answers, island=True)[0]
            is_sure = likeliest.probability >= GLIMPSED and likeliest.content.tile is None
            if not is_sure or answers["hidden"][0, 1] > SAID_HIDDEN:
                found.add(h)
    return found


def _wary(evidence: Evidence, limit: float) -> Evidence:
    """What is not sure enough beside an arm counts as hidden by it."""
    if evidence.hidden or evidence.hypotheses[0].probability >= limit:
        return evidence
    if isinstance(evidence, LandEvidence):
        return msgspec.structs.replace(evidence, hidden="hand")
    return msgspec.structs.replace(evidence, hypotheses=(), hidden="hand")
