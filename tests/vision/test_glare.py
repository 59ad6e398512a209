"""Where a lamp blinds the camera nothing is claimed but what is seen all the same, and nobody is told to take a hand
away."""

import dataclasses
import json

import cv2
import msgspec
import numpy as np
import pytest
from lights import from_linear

from calibration.colours import of_class
from calibration.light import to_linear
from calibration.pictures import read_picture
from companion.rules.geometry import load_board
from companion.rules.layout import EMPTY, decode_layout
from companion.vision.evidence import PixelStep
from companion.vision.glare import BURNT_OUT, CUT_OFF, FAR_BRIGHTER, GlareStep
from companion.vision.hands import TILE
from companion.vision.printed import Shown
from companion.vision.recogniser import Laps, Recogniser

BOARD = load_board()


def in_light(evidence, factor):
    """The same light everywhere, by so much more than on the empty board."""
    return evidence.measured._replace(factor=np.full_like(evidence.light, factor))


@pytest.fixture(scope="module")
def picture(table_dir):
    return read_picture(table_dir / "f01.jpg")


def blinded(picture, calibration, at_mm, radius_px):
    """The picture with a lamp's mirror image at that point of the board."""
    ((x, y),) = calibration.camera.project([[*at_mm, 0.0]])
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
    light = 900 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * radius_px**2))
    return np.clip(picture + light[..., None], 0, 255).astype(np.uint8)


@pytest.mark.parametrize("radius_px", [30, 90])
def test_what_is_burnt_out_is_unknown_and_no_hand(picture, table_dir, table_calibration, radius_px):
    recogniser = Recogniser(table_calibration, BOARD, patience=0)
    middle = (0, 0)
    seen = recogniser.observe(blinded(picture, table_calibration, BOARD.centre_mm(middle), radius_px))
    by = {e.hex: e.hidden for e in seen.hexes}
    assert by[middle] == "glare"
    assert "hand" not in by.values()
    truth = decode_layout(json.loads((table_dir / "f01.json").read_text()), BOARD)
    wrong = [e.hex for e in seen.hexes if not e.hidden and e.hypotheses[0].content != truth.at(e.hex)]
    before = recogniser.observe(picture).layout()
    assert len(wrong) <= sum(before.at(h) != truth.at(h) for h in BOARD.hexes) + 1, "a hex at its edge may be misread"


def test_what_is_white_without_a_tile_is_unknown_and_a_tile_that_is_read_is_not(picture, table_calibration):
    """Pale tiles under a lamp were taken for its reflection on the bare sea, with certainty."""
    recogniser = Recogniser(table_calibration, BOARD, patience=0)
    seen = recogniser.observe(picture)
    look, evidence = recogniser.trace.look, recogniser.trace.evidence
    assert recogniser._white_without_tile(look, evidence) == {}, "nothing is burnt out"
    contents = {e.hex: e.hypotheses[0].content for e in seen.hexes if not e.hidden}
    bare = next(h for h in sorted(contents) if contents[h] == EMPTY)
    tiled = next(h for h in sorted(contents) if contents[h].tile)
    white = evidence.picture.copy()
    for h in (bare, tiled):
        white.reshape(-1, 3)[recogniser.field.pixels(h)] = 255
    evidence = dataclasses.replace(evidence, picture=white)
    assert recogniser._white_without_tile(look, evidence) == {bare: "glare"}
    answers = {name: said.copy() for name, said in look.answers.items()}
    answers["tile"][look.hexes.index(tiled)] = np.eye(4)[0]  # and now no tile is read there
    without = dataclasses.replace(look, answers=answers)
    assert recogniser._white_without_tile(without, evidence) == {bare: "glare", tiled: "glare"}


def test_a_pale_tile_that_is_burnt_out_is_still_a_tile(table_calibration):
    """A tile's own colours, however bright: what stands on it stands out."""
    calibration = table_calibration
    evidence = PixelStep(calibration).read_view(calibration.reference_image)
    classes = np.zeros_like(evidence.classes)
    of_class(classes, calibration.colours.index["beach"])[:] = 255
    white = np.full_like(calibration.reference_image, 255)
    pale = dataclasses.replace(evidence, picture=white, classes=classes)
    assert not GlareStep(calibration)(pale).any()


def test_where_a_lamp_blinds_the_camera_as_it_did_on_the_empty_board_nothing_is_read(table_calibration):
    """Neither the print nor a tile is to be seen there, however like a pale tile's the white may be."""
    reference = table_calibration.reference_image
    lamp = reference.copy()
    there = pixels_of(table_calibration, (-40, -40, 30, 30))
    lamp[there] = 255
    calibration = msgspec.structs.replace(table_calibration, reference=encoded(lamp))
    seen = PixelStep(calibration).read_view(lamp)
    beach = np.full_like(seen.classes, 255)
    for evidence in (seen, dataclasses.replace(seen, classes=beach)):
        found = GlareStep(calibration)(evidence)
        assert found[there].mean() > 0.97, "all but its corners"
        assert found.mean() < 1.1 * there.mean()
    assert not GlareStep(calibration)(PixelStep(calibration).read_view(reference))[there].any(), "the lamp is off"


def test_white_cards_beside_the_board_are_no_lamps_however_large(table_calibration):
    """Nothing is to be read there; only a lamp on the board itself hides what lies on it."""
    cards = table_calibration.reference_image.copy()
    cards[~table_calibration.on_board] = 255
    calibration = msgspec.structs.replace(table_calibration, reference=encoded(cards))
    assert not GlareStep(calibration)(PixelStep(calibration).read_view(calibration.reference_image)).any()


def test_what_is_white_on_the_empty_board_is_no_glare(table_calibration):
    find, pixels = GlareStep(table_calibration), PixelStep(table_calibration)
    reference = table_calibration.reference_image
    seen = pixels.read_view(reference)
    bright = dataclasses.replace(seen, picture=np.full_like(reference, 255), classes=np.zeros_like(seen.classes))
    assert not find(seen).any()
    assert not find(bright)[reference.min(axis=2) >= BURNT_OUT].any(), "the white cards beside the board"
    assert find(bright).mean() > 0.9


def test_tiles_cut_off_at_white_by_far_too_much_light_are_not_read(table_calibration, table_dir):
    """Sand would look like rock; at the light of the calibration it is read, cut off or not."""
    find, pixels = GlareStep(table_calibration), PixelStep(table_calibration)
    seen = pixels(read_picture(table_dir / "f01.jpg"))
    tiles = (seen.tile > TILE) & (table_calibration.reference_image.max(axis=2) < CUT_OFF)
    cut = seen.picture.copy()
    cut[tiles, 2] = 255
    for light, found in ((1.0, 0.0), (FAR_BRIGHTER + 0.1, 1.0)):
        brighter = dataclasses.replace(seen, picture=cut, measured=in_light(seen, light))
        assert abs(find(brighter)[tiles].mean() - found) < 0.05
        assert find(brighter)[~tiles].mean() < 0.05


def test_in_far_too_much_light_the_sea_and_what_was_cut_off_on_the_empty_board_are_read(table_calibration):
    """Only tiles are mistaken for others; and a colour that the calibration knows cut off is known so."""
    reference = table_calibration.reference_image
    cut, tiled, before = (
        pixels_of(table_calibration, corners) for corners in ((-60, -60, 60, 60), (-60, -60, 60, 0), (-60, -60, 0, 60))
    )
    known = reference.copy()
    known[before, 2] = 255
    seen = reference.copy()
    seen[cut, 2] = 255
    calibration = msgspec.structs.replace(table_calibration, reference=encoded(known))
    evidence = PixelStep(calibration).read_view(seen)
    classes = np.zeros_like(evidence.classes)
    of_class(classes, calibration.colours.index["beach"])[tiled] = 255
    found = GlareStep(calibration)(
        dataclasses.replace(evidence, classes=classes, measured=in_light(evidence, FAR_BRIGHTER + 0.1))
    )
    assert found[tiled & ~before].mean() > 0.9
    assert not found[before].any(), "cut off on the empty board, too"
    assert found[cut & ~tiled].mean() < 0.1, "no tile"


def pixels_of(calibration, corners_mm):
    """The view's pixels inside a rectangle of the board (mm): west, north, east, south."""
    west, north, east, south = corners_mm
    at = calibration.view.grid_mm()
    return (at[..., 0] > west) & (at[..., 0] < east) & (at[..., 1] > north) & (at[..., 1] < south)


@pytest.mark.parametrize("brightened", [None, 3.0])
def test_light_that_is_only_added_is_a_reflection_and_an_arm_is_none(table_calibration, brightened):
    """A pale veil lightens every colour alike; a sleeve or skin covers what is printed, light or dark.

    However much pictures of that table are brightened before colours are compared.
    """
    table_calibration = msgspec.structs.replace(table_calibration, brightened=brightened)
    reference = table_calibration.reference_image
    evidence = PixelStep(table_calibration).read_view(reference)
    glare, there = GlareStep(table_calibration), pixels_of(table_calibration, (60, -150, 140, 60))
    veil = linear_sum(reference, there, (0.22, 0.25, 0.28))
    assert glare.suspect(there, dataclasses.replace(evidence, picture=veil)).is_reflection
    tinted = linear_sum(reference, there, (0.05, 0.2, 0.4))
    assert not glare.suspect(there, dataclasses.replace(evidence, picture=tinted)).is_reflection, (
        "no lamp is so coloured"
    )
    for arm in ((110, 150, 205), (60, 70, 110), (90, 60, 40)):
        sleeve = reference.copy()
        sleeve[there] = arm
        assert not glare.suspect(there, dataclasses.replace(evidence, picture=sleeve)).is_reflection, arm
    assert not glare.suspect(there, evidence).is_reflection, "nothing has changed"


def test_light_is_added_to_what_the_print_has_in_the_light_of_the_picture(table_calibration):
    """In dim light a reflection is darker than the print has been; in bright light a sleeve is lighter."""
    reference = table_calibration.reference_image
    evidence = PixelStep(table_calibration).read_view(reference)
    glare, there = GlareStep(table_calibration), pixels_of(table_calibration, (60, -150, 140, 60))
    dim, bright = 0.3, 2.0
    reflection = linear_sum(from_linear(dim * to_linear(reference)), there, (0.08, 0.08, 0.08))
    sleeve = from_linear(bright * to_linear(reference))
    sleeve[there] = (201, 164, 152)
    for light, picture in ((dim, reflection), (bright, sleeve)):
        lit = dataclasses.replace(evidence, picture=picture, measured=in_light(evidence, light))
        assert glare.suspect(there, lit).is_reflection == (picture is reflection), light


def test_a_lamp_that_has_moved_differs_by_grey_light_where_it_was_and_where_it_is(table_calibration):
    """It is no arm though in a half of it there is less light than on the empty board; paint is of another colour."""
    calibration = table_calibration
    empty, west, east = calibration.reference_image, (-140, -100, -20, 60), (-20, -100, 100, 60)
    was, is_now, both = (pixels_of(calibration, corners) for corners in (west, east, (-140, -100, 100, 60)))
    lamp = (0.18, 0.2, 0.22)
    known = msgspec.structs.replace(calibration, reference=encoded(linear_sum(empty, was, lamp)))
    glare, evidence = GlareStep(known), PixelStep(known).read_view(known.reference_image)
    moved = dataclasses.replace(evidence, picture=linear_sum(empty, is_now, lamp))
    assert not glare.suspect(both, moved).is_reflection, "light is not only added"
    assert glare.suspect(was, moved).grey_share() > 0.95
    assert glare.suspect(both, moved).grey_share() > 0.95
    assert glare.suspect(is_now, moved).grey_share() == 0.0, "so looks a sheet of paper"
    assert glare.suspect(is_now, moved).grey_share(moved=True) > 0.95, "but not where a lamp is known to have moved"
    burnt = moved.picture.copy()
    burnt[is_now & pixels_of(calibration, (-20, -100, 0, 60))] = 255
    assert glare.suspect(is_now, dataclasses.replace(moved, picture=burnt)).grey_share() > 0.9
    assert glare.suspect(both, evidence).grey_share() == 0.0, "nothing has changed"
    for arm in ((110, 150, 205), (60, 70, 110), (200, 120, 30)):
        sleeve = empty.copy()
        sleeve[both] = arm
        assert GlareStep(calibration).suspect(both, dataclasses.replace(evidence, picture=sleeve)).grey_share() < 0.4, (
            arm
        )


def test_light_whose_channels_go_different_ways_is_not_grey(table_calibration):
    reference = table_calibration.reference_image
    evidence = PixelStep(table_calibration).read_view(reference)
    there = pixels_of(table_calibration, (60, -150, 140, 60))
    for gone, share in (
        ((0.1, 0.1, 0.1), 1.0),
        ((0.06, 0.08, 0.1), 1.0),  # of a warm lamp
        ((0.03, 0.1, 0.1), 0.0),
        ((0.004, 0.004, 0.004), 0.0),  # too little to be told
    ):
        known = msgspec.structs.replace(table_calibration, reference=encoded(linear_sum(reference, there, gone)))
        glare = GlareStep(known)
        seen = dataclasses.replace(evidence, picture=reference)
        assert abs(glare.suspect(there, seen).grey_share() - share) < 0.2, gone


@pytest.mark.parametrize(("burnt_mm", "is_one"), [(100, False), (120, True)])
def test_what_is_burnt_out_for_the_greater_part_is_a_reflection_whatever_the_rest(table_calibration, burnt_mm, is_one):
    """A white sleeve has more shadows."""
    reference = table_calibration.reference_image
    there = pixels_of(table_calibration, (60, -150, 140, 60))
    sleeve = reference.copy()
    sleeve[there] = (60, 60, 60)
    sleeve[pixels_of(table_calibration, (60, -150, 140, -150 + burnt_mm))] = 255
    evidence = PixelStep(table_calibration).read_view(reference)
    white = dataclasses.replace(evidence, picture=sleeve)
    assert GlareStep(table_calibration).suspect(there, white).is_reflection == is_one


def test_where_a_lamp_was_on_the_empty_board_its_reflection_has_gone(table_calibration):
    """But white lines all over the print are no lamps: an arm over them is one."""
    reference = table_calibration.reference_image
    middle = pixels_of(table_calibration, (60, -150, 140, 60))
    lamp, lines = reference.copy(), reference.copy()
    lamp[pixels_of(table_calibration, (75, -130, 125, 40))] = 255
    lines[::12][middle[::12]] = 255
    sleeve = reference.copy()
    sleeve[middle] = (90, 60, 40)
    for printed, gone in ((lamp, True), (lines, False)):
        calibration = msgspec.structs.replace(table_calibration, reference=encoded(printed))
        evidence = PixelStep(calibration).read_view(sleeve)
        assert GlareStep(calibration).suspect(middle, evidence).is_reflection == gone


def test_an_arm_along_the_rim_beside_white_cards_is_an_arm(table_calibration):
    """The cards are no lamps, though they are as white, and as large."""
    reference = table_calibration.reference_image
    rim = pixels_of(table_calibration, (-250, -224, 250, -212))
    cards, sleeve = reference.copy(), reference.copy()
    cards[~table_calibration.on_board] = 255
    sleeve[rim] = (90, 60, 40)
    calibration = msgspec.structs.replace(table_calibration, reference=encoded(cards))
    assert not GlareStep(calibration).suspect(rim, PixelStep(calibration).read_view(sleeve)).is_reflection


def test_a_reflection_that_has_moved_a_little_is_still_burnt_out_somewhere(table_calibration):
    """Where it was is a little of it, and where it is now too: neither alone is enough."""
    reference = table_calibration.reference_image
    there = pixels_of(table_calibration, (20, -180, 180, 100))
    now = pixels_of(table_calibration, (100, -20, 170, 60))
    lamp = reference.copy()
    lamp[pixels_of(table_calibration, (40, -170, 90, -60))] = 255
    calibration = msgspec.structs.replace(table_calibration, reference=encoded(lamp))
    sleeve = reference.copy()
    sleeve[there] = (90, 60, 40)
    moved = sleeve.copy()
    moved[now] = 255
    step = PixelStep(calibration)
    glare = GlareStep(calibration)
    assert not glare.suspect(there, step.read_view(sleeve)).is_reflection
    assert glare.suspect(there, step.read_view(moved)).is_reflection


def linear_sum(picture, there, light):
    """The picture with that linear light (BGR) added there."""
    linear = to_linear(picture)
    linear[there] += light
    return from_linear(linear)


def encoded(picture):
    """As a calibration keeps its pictures."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 98])[1].tobytes()


def with_lamp(picture, calibration, at_mm, light):
    """With the mirror image of a lamp at that point of the board: `light` in its middle, linear, fading away as a matt
    face spreads it."""
    away = np.square(calibration.view.grid_mm() - at_mm).sum(axis=2)
    return from_linear(to_linear(picture) + (light / (1 + away / 45.0**2) ** 2)[..., None].astype(np.float32))


@pytest.fixture
def lit(table_calibration, table_dir):
    """The empty board with a lamp mirrored in its sea in the north-west and white paper in the east: a recogniser, what
    it has found, and where the paper lies."""
    recogniser = Recogniser(table_calibration, BOARD, patience=0)
    found = recogniser.find(read_picture(table_dir / "calib_board.jpg"))
    view = with_lamp(found.view, table_calibration, (-160, -120), 1.1)
    paper = pixels_of(table_calibration, (165, 20, 205, 60))
    view[paper] = 255
    return recogniser, dataclasses.replace(found, view=view), paper


def before_glare(recogniser, found, monkeypatch):
    """Hexes hidden by glare of which something is claimed all the same, and what."""
    with monkeypatch.context() as patched:
        patched.setattr("companion.vision.recogniser.GLIMPSED", 1.1)
        dazzled = {e.hex for e in recogniser.read(found).hexes if e.hidden == "glare"}
    return {e.hex: e.hypotheses[0].content for e in recogniser.read(found).hexes if e.hex in dazzled and not e.hidden}


def test_round_what_the_board_mirrors_light_fades_away_and_round_white_paper_it_does_not(table_calibration, lit):
    recogniser, found, paper = lit
    sight, glare = recogniser._sight(found.view, Laps()), GlareStep(table_calibration)
    evidence, burnt = sight.evidence, sight.glare
    lamp = pixels_of(table_calibration, (-200, -160, -120, -80))
    assert burnt[lamp].any()
    assert burnt[paper].mean() > 0.9
    mirrored = glare.mirrored(burnt, evidence, recogniser.field.island)
    assert mirrored.any()
    assert not mirrored[~burnt | paper].any()
    everywhere = np.ones_like(burnt)
    assert not glare.mirrored(everywhere, evidence, recogniser.field.island).any(), "nothing is seen round it"


def test_at_sea_what_a_mirrored_lamp_blinds_is_read_and_what_paper_covers_is_not(lit, monkeypatch):
    """A piece that stood there would stand before the lamp's image; one under paper is not to be seen."""
    recogniser, found, paper = lit
    claimed = before_glare(recogniser, found, monkeypatch)
    assert claimed, "only what is sure"
    assert all(content == EMPTY for content in claimed.values())
    hidden = {e.hex: e.hidden for e in recogniser.read(found).hexes}
    under = [h for h in BOARD.hexes if paper.ravel()[recogniser.field.pixels(h)].mean() > 0.5]
    assert under
    assert {hidden[h] for h in under} == {"glare"}


def test_beside_an_arm_nothing_is_read_before_a_lamp(table_calibration, lit, monkeypatch):
    recogniser, found, _ = lit
    claimed = before_glare(recogniser, found, monkeypatch)
    view = found.view.copy()
    view[pixels_of(table_calibration, (40, -230, 110, -60))] = (60, 70, 110)
    hidden = {e.hex: e.hidden for e in recogniser.read(dataclasses.replace(found, view=view)).hexes}
    assert "hand" in hidden.values()
    assert {hidden[h] for h in claimed} == {"glare"}


def test_glimpsed_are_hexes_at_sea_and_none_with_an_arm_or_the_lamps_out(lit, monkeypatch):
    """On the island a pale tile is as white as a lamp."""
    recogniser, found, _ = lit
    recogniser.read(found)
    evidence = recogniser.trace.evidence
    nowhere = np.zeros(evidence.ground.shape, bool)
    everywhere, corner = ~nowhere, nowhere.copy()
    corner[:20, :20] = True
    shown = recogniser.trace.shown
    monkeypatch.setattr(GlareStep, "mirrored", lambda _self, glare, _evidence, _island: glare)
    hidden = dict.fromkeys(BOARD.hexes, "glare")
    masks = {"hand": nowhere, "glare": everywhere, "shadow": nowhere, "edge": nowhere}
    assert recogniser._glimpsed(hidden, masks, evidence, lambda: shown) == set(BOARD.hexes).difference(BOARD.island)
    for other in ({"hand": corner}, {"shadow": everywhere}):
        assert recogniser._glimpsed(hidden, masks | other, evidence, lambda: shown) == set()
    cut_off = BOARD.hexes[0]
    recogniser._cut_off = {cut_off}
    monkeypatch.setattr(Shown, "surely", lambda _self: np.ones(len(BOARD.hexes), bool))
    shaded = dict.fromkeys(BOARD.hexes[:9], "shadow")
    assert recogniser._glimpsed(shaded, masks, evidence, lambda: shown) == set(BOARD.hexes[1:9])


@pytest.mark.parametrize(("side_mm", "darker"), [(36, 0.0), (60, 30.0), (70, 40.0)])
def test_nothing_is_claimed_under_white_paper_however_it_lies_in_the_light(
    table_calibration, table_dir, side_mm, darker
):
    """A sheet no larger than a hex leaves the lines round it; one that is lighter in its middle looks like a lamp."""
    recogniser = Recogniser(table_calibration, BOARD, patience=0)
    found = recogniser.find(read_picture(table_dir / "f01.jpg"))
    truth = decode_layout(json.loads((table_dir / "f01.json").read_text()), BOARD)
    busy = [h for h in BOARD.hexes if h not in BOARD.island and truth.at(h) != EMPTY]
    assert len(busy) > 10
    for h in busy:
        x, y = BOARD.centre_mm(h)
        there = pixels_of(table_calibration, (x - side_mm / 2, y - side_mm / 2, x + side_mm / 2, y + side_mm / 2))
        away = np.linalg.norm(table_calibration.view.grid_mm() - (x, y), axis=2)[there] / (side_mm / 2)
        view = found.view.copy()
        view[there] = np.clip(262 - darker * away**2, 0, 255)[:, None]
        (seen,) = (e for e in recogniser.read(dataclasses.replace(found, view=view)).hexes if e.hex == h)
        assert seen.hidden or seen.hypotheses[0].content != EMPTY, h


def darkened(picture, calibration, box, share):
    """With so much of its light left in a rectangle of the board (mm), less towards its rim."""
    there = cv2.GaussianBlur(pixels_of(calibration, box).astype(np.float32), (0, 0), 12.0)
    return from_linear(to_linear(picture) * (1 - (1 - share) * there)[..., None])


def test_in_a_deep_shadow_what_shows_its_print_is_read(table_calibration, table_dir, monkeypatch):
    """Not what does not: a black cloth is as dark."""
    recogniser = Recogniser(table_calibration, BOARD, patience=0)
    found = recogniser.find(read_picture(table_dir / "calib_board.jpg"))
    shaded = dataclasses.replace(found, view=darkened(found.view, table_calibration, (-230, -130, -90, 60), 0.08))
    monkeypatch.setattr("companion.vision.recogniser.GLIMPSED", 1.1)
    dark = {e.hex for e in recogniser.read(shaded).hexes if e.hidden == "shadow"}
    assert len(dark) > 3
    monkeypatch.undo()
    seen = {e.hex: e for e in recogniser.read(shaded).hexes}
    assert {seen[h].hidden for h in dark} == {None}
    assert all(seen[h].hypotheses[0].content == EMPTY for h in dark)
    monkeypatch.setattr("companion.vision.printed.SEEN", 2.0)
    assert {e.hidden for e in recogniser.read(shaded).hexes if e.hex in dark} == {"shadow"}


def test_where_nothing_of_the_print_is_known_a_suspect_is_a_reflection(table_calibration):
    """All of it was burnt out on the empty board: there is no light to compare."""
    white = msgspec.structs.replace(
        table_calibration, reference=encoded(np.full_like(table_calibration.reference_image, 255))
    )
    evidence = PixelStep(table_calibration).read_view(table_calibration.reference_image)
    there = pixels_of(table_calibration, (60, -150, 140, 60))
    assert GlareStep(white).suspect(there, evidence).is_reflection
