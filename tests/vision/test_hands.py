"""An arm is wide, reaches in from outside and is neither print nor tile; nothing else hides the board."""

import dataclasses

import cv2
import numpy as np
import pytest

from calibration.appearance import CLASSES
from calibration.colours import SIDE_BY_SIDE, to_bytes
from calibration.light import Light
from calibration.swatch import CREATURES
from companion.rules.geometry import load_board
from companion.vision.evidence import PixelEvidence, PixelStep
from companion.vision.field import Field
from companion.vision.hands import HandStep

BOARD = load_board()
PRINT, SKIN, SAND = (55.0, -5.0, -30.0), (65.0, 14.0, 18.0), (78.0, 2.0, 26.0)


@pytest.fixture(scope="module")
def view(table_calibration):
    return table_calibration.view


@pytest.fixture(scope="module")
def find(table_calibration):
    step = HandStep(table_calibration, Field(BOARD, table_calibration), np.ones(table_calibration.view.shape, bool))

    def run(foreign, sand=None, kinds=None):
        """The hand where `foreign` is skin, and where `sand` is, skin that passes for a beach.

        `kinds`: which pixels have the colour of which class.
        """
        shape = foreign.shape
        noise = np.random.default_rng(7).normal(0, 1, (*shape, 3))
        lab = np.where(foreign[..., None], SKIN, PRINT) + noise
        ground = np.where(foreign, -16.0, -9.0)
        classes = np.full((-(-len(CLASSES) // SIDE_BY_SIDE), *shape, SIDE_BY_SIDE), -16.5, np.float32)
        if sand is not None:
            ground[sand] = -16.0
            lab[sand & ~foreign] = (np.array(SAND) + noise)[sand & ~foreign]
            group, place = divmod(CLASSES.index("beach"), SIDE_BY_SIDE)
            classes[group, sand, place] = np.where(foreign[sand], -11.0, -9.0)
        for name, there in (kinds or {}).items():
            group, place = divmod(CLASSES.index(name), SIDE_BY_SIDE)
            classes[group, there, place] = -9.0
        ones, lab, ground = (np.asarray(a, np.float32) for a in (np.ones((*shape, 3)), lab, ground))
        light = Light(ones, 0.0)
        return step(PixelEvidence(np.zeros((*shape, 3), np.uint8), light, lab, ground, to_bytes(classes)))

    return run


def strokes(view, width_mm, *lines):
    """The pixels under thick lines between points in mm."""
    mask = np.zeros(view.shape, np.uint8)
    for line in lines:
        points = np.round(view.pixels(line)).astype(np.int32)
        cv2.polylines(mask, [points], False, 1, round(width_mm * view.px_per_mm))
    return mask > 0


def test_an_arm_that_reaches_in_is_found_with_its_fingers(find, view):
    arm = strokes(view, 60, [(0, 260), (20, 100)])
    fingers = strokes(view, 14, [(20, 90), (0, 55)], [(20, 90), (45, 58)])
    found = find(arm | fingers)
    on_board = np.abs(view.grid_mm()[..., 1]) < 224
    hidden = (arm | fingers) & on_board
    assert (found & hidden).sum() > 0.98 * hidden.sum()
    grown = cv2.dilate(hidden.astype(np.uint8), np.ones((13, 13), np.uint8)) > 0
    assert not (found & ~grown).any()


def test_an_empty_sea_has_no_hand(find, view):
    assert not find(np.zeros(view.shape, bool)).any()


def test_what_lies_in_the_middle_is_no_arm(find, view):
    assert not find(strokes(view, 60, [(-40, 0), (60, 20)])).any()


def test_a_row_of_pieces_at_the_rim_is_no_arm(find, view):
    row = [[(x, 215), (x + 0.1, 215)] for x in range(-150, 151, 24)]
    assert not find(strokes(view, 20, *row)).any()


@pytest.mark.parametrize(
    ("kinds", "is_heap"),
    [(("red", "yellow", "boat", "whale"), True), (("red", "yellow", "boat"), False), (("red",), False)],
)
def test_pieces_of_several_kinds_side_by_side_are_no_arm(find, view, kinds, is_heap):
    """They lie from the rim on as close as an arm; a sleeve may have the colours of one or of three."""
    heap = strokes(view, 60, [(0, 260), (0, 120)])
    x, y = (np.floor(view.grid_mm()[..., axis] / 20).astype(int) for axis in (0, 1))
    kind = (x + 2 * y) % len(kinds)
    of = {name: heap & (kind == number) for number, name in enumerate(kinds)}
    assert find(heap).any(), "what no piece explains is an arm"
    assert find(heap, kinds=of).any() == (not is_heap)
    arm = strokes(view, 60, [(-150, 260), (-150, 120)])
    found = find(heap | arm, kinds=of)
    on_board = np.abs(view.grid_mm()[..., 1]) < 224
    assert found[arm & on_board].mean() > 0.95, "elsewhere there may be one"
    assert found[heap & on_board].any() == (not is_heap)


def test_creatures_look_alike(find, view):
    """An arm in a dark sleeve has colours of all three, and its cuff those of wood."""
    arm = strokes(view, 60, [(0, 260), (0, 120)])
    third, cuff = np.floor(view.grid_mm()[..., 0] / 18).astype(int) % 3, view.grid_mm()[..., 1] < 105
    dark = {name: arm & ~cuff & (third == number) for number, name in enumerate(CREATURES)}
    assert find(arm, kinds={**dark, "boat": arm & cuff}).any()
    other = dict(zip(("red", "yellow", "green"), dark.values(), strict=True))
    assert not find(arm, kinds={**other, "boat": arm & cuff}).any(), "paints are told apart"


def test_what_is_as_wide_as_an_arm_but_small_is_none_though_pieces_lie_beside_it(find, view):
    """A hand that reaches a hex leaves more on the board; a cup at the rim that pieces touch does not become one."""
    cup = strokes(view, 48, [(0, 196), (0.1, 196)])
    pieces = strokes(view, 20, [(-50, 196), (50, 196)], [(0, 196), (0, 146)])
    assert not find(cup | pieces).any()
    assert find(strokes(view, 48, [(0, 196), (0, 100)])).any(), "as wide, but long"


def test_skin_that_passes_for_sand_belongs_to_the_arm(find, view):
    """Where an arm lies over beaches its own colours tell it from the tiles beside it."""
    arm = strokes(view, 56, [(0, 260), (0, 10)])
    sand = strokes(view, 70, [(-90, 40), (90, 40)])
    over = arm & sand
    found = find(arm, sand)
    assert (found & over).sum() > 0.9 * over.sum()
    tiles = sand & ~(cv2.dilate(arm.astype(np.uint8), np.ones((15, 15), np.uint8)) > 0)
    assert (found & tiles).sum() < 0.02 * tiles.sum()


def test_a_reflection_through_which_the_print_shows_is_no_arm(table_calibration, view):
    """A lamp's mirror image on a glossy board moves with the lamp: foreign colours, wide, at the rim."""
    calibration = table_calibration
    evidence = PixelStep(calibration).read_view(calibration.reference_image)
    veil = strokes(view, 90, [(0, 260), (20, 100)])
    foreign = np.where(veil, np.float32(-16.0), evidence.ground)
    nothing = to_bytes(np.full(evidence.classes.shape, -16.5, np.float32))
    find = HandStep(calibration, Field(BOARD, calibration), np.ones(view.shape, bool))
    lighter = np.where(veil[..., None], evidence.lab + np.array([25.0, 0.0, 0.0], np.float32), evidence.lab)
    reflected = dataclasses.replace(evidence, ground=foreign, lab=lighter, classes=nothing)
    assert not find(reflected).any()
    plain = np.where(veil[..., None], np.array(SKIN, np.float32), evidence.lab)
    plain += np.random.default_rng(3).normal(0, 1, plain.shape).astype(np.float32)
    assert find(dataclasses.replace(reflected, lab=plain)).any(), "the same in one colour is an arm"


ACROSS = [(-100, 0), (100, 0)]


@pytest.mark.parametrize("lines", [[[(0, 260), (0, -40)]], [[(0, 260), (0, 0)], ACROSS]], ids=["partly", "mostly"])
def test_a_reflection_that_lies_on_the_island_too_is_no_arm(table_calibration, view, lines):
    """Under tiles no print is to be seen, whatever lies on them: what counts is where it should be."""
    calibration, field = table_calibration, Field(BOARD, table_calibration)
    evidence = PixelStep(calibration).read_view(calibration.reference_image)
    veil = strokes(view, 110, *lines)
    lab = np.where(veil[..., None], evidence.lab + np.array([25.0, 0.0, 0.0], np.float32), evidence.lab)
    plain = np.array(SAND) + np.random.default_rng(3).normal(0, 1, lab.shape)
    lit = dataclasses.replace(
        evidence,
        ground=np.where(veil, np.float32(-16.0), evidence.ground),
        lab=np.where((veil & field.island)[..., None], plain, lab).astype(np.float32),
        classes=to_bytes(np.full(evidence.classes.shape, -16.5, np.float32)),
    )
    assert (veil & field.island).sum() > (veil & ~field.island).sum()
    assert not HandStep(calibration, field, np.ones(view.shape, bool))(lit).any()


def test_an_arm_that_reaches_in_through_a_reflection_is_an_arm(table_calibration, view):
    """The two are one wide foreign part, of which the print shows in most."""
    calibration = table_calibration
    evidence = PixelStep(calibration).read_view(calibration.reference_image)
    veil = strokes(view, 260, [(0, 260), (0, 60)])
    arm = strokes(view, 60, [(0, 260), (0, 60)])
    lab = np.where(veil[..., None], evidence.lab + np.array([25.0, 0.0, 0.0], np.float32), evidence.lab)
    plain = np.array(SKIN) + np.random.default_rng(3).normal(0, 1, lab.shape)
    reflected = dataclasses.replace(
        evidence,
        ground=np.where(veil, np.float32(-16.0), evidence.ground),
        lab=np.where(arm[..., None], plain, lab).astype(np.float32),
        classes=to_bytes(np.full(evidence.classes.shape, -16.5, np.float32)),
    )
    found = HandStep(calibration, Field(BOARD, calibration), np.ones(view.shape, bool))(reflected)
    on_board = np.abs(view.grid_mm()[..., 1]) < 224
    assert found[arm & on_board].mean() > 0.85


def test_a_sleeve_that_the_print_nearly_explains_is_an_arm_where_the_print_is_gone(table_calibration, view):
    """Dark blue over a dark sea: pixel by pixel it might be the print in a shadow, but no line of it is to be seen."""
    evidence = PixelStep(table_calibration).read_view(table_calibration.reference_image)
    sleeve = strokes(view, 90, [(0, 260), (20, 60)])
    nothing = to_bytes(np.full(evidence.classes.shape, -16.5, np.float32))
    find = HandStep(table_calibration, Field(BOARD, table_calibration), np.ones(view.shape, bool))
    hardly = np.where(sleeve, np.float32(-12.2), evidence.ground)
    shadow = dataclasses.replace(evidence, ground=hardly, classes=nothing)
    assert not find(shadow).any(), "the lines are there"
    plain = np.where(sleeve[..., None], np.array(PRINT, np.float32), evidence.lab)
    plain += np.random.default_rng(3).normal(0, 0.5, plain.shape).astype(np.float32)
    found = find(dataclasses.replace(shadow, lab=plain))
    on_board = np.abs(view.grid_mm()[..., 1]) < 224
    assert found[sleeve & on_board].mean() > 0.85
    assert found[~sleeve].mean() < 0.02


def test_where_the_print_has_too_few_lines_to_be_known_by_what_is_foreign_is_an_arm(table_calibration, view):
    """A few marks on a sleeve may be like it by chance, many may not."""
    evidence = PixelStep(table_calibration).read_view(table_calibration.reference_image)
    inside = view.grid_mm()[..., 1] > -215  # of the board's edge nothing is seen
    find = HandStep(table_calibration, Field(BOARD, table_calibration), inside)
    for x, is_arm in ((-60, True), (-150, False)):
        veil = strokes(view, 60, [(x, -260), (x, -120)])
        lighter = np.where(veil[..., None], evidence.lab + np.array([25.0, 0.0, 0.0], np.float32), evidence.lab)
        like_print = dataclasses.replace(
            evidence,
            ground=np.where(veil, np.float32(-16.0), evidence.ground),
            lab=lighter,
            classes=to_bytes(np.full(evidence.classes.shape, -16.5, np.float32)),
        )
        assert find(like_print).any() == is_arm, x


def test_pieces_at_the_rim_between_which_the_print_is_missed_are_no_arm(table_calibration, view):
    """Not in the mean either, however foreign their own colours are: more of it is the sea between them."""
    evidence = PixelStep(table_calibration).read_view(table_calibration.reference_image)
    dots = [[(x, y), (x + 0.1, y)] for x in range(-40, 41, 20) for y in range(120, 221, 20)]
    pieces, shadow = strokes(view, 11, *dots), strokes(view, 110, [(0, 260), (0, 120)])
    noise = np.random.default_rng(3).normal(0, 0.5, evidence.lab.shape)
    lab = np.where(shadow[..., None], np.array(PRINT) + noise, evidence.lab)
    lab = np.where(pieces[..., None], np.array(SKIN) + noise, lab).astype(np.float32)
    find = HandStep(table_calibration, Field(BOARD, table_calibration), np.ones(view.shape, bool))
    for between, is_arm in ((-10.0, False), (-12.2, True)):
        ground = np.where(shadow, np.float32(between), evidence.ground)
        seen = dataclasses.replace(
            evidence,
            ground=np.where(pieces, np.float32(-24.0), ground),
            lab=lab,
            classes=to_bytes(np.full(evidence.classes.shape, -16.5, np.float32)),
        )
        assert find(seen).any() == is_arm, between


def test_a_place_is_bare_where_the_print_shows_whatever_light_is_mirrored_there(table_calibration, view):
    evidence = PixelStep(table_calibration).read_view(table_calibration.reference_image)
    field = Field(BOARD, table_calibration)
    find = HandStep(table_calibration, field, np.ones(view.shape, bool))
    mirrored, covered = (strokes(view, 90, [(x, 260), (x, 100)]) for x in (-100, 100))
    lab = np.where(mirrored[..., None], evidence.lab + np.array([25.0, 0.0, 0.0], np.float32), evidence.lab)
    noise = np.random.default_rng(3).normal(0, 1, lab.shape)
    lab = np.where(covered[..., None], np.array(PRINT) + noise, lab).astype(np.float32)
    seen = dataclasses.replace(evidence, lab=lab)
    under = [
        [field.pixels(h) for h in BOARD.hexes if veil.ravel()[field.pixels(h)].all()] for veil in (mirrored, covered)
    ]
    assert min(map(len, under)) >= 4
    assert find.are_bare(seen, [np.concatenate(places) for places in under]) == [True, False]
    assert find.are_bare(seen, [np.zeros(0, np.int64)]) == [False], "of nothing nobody can tell"
