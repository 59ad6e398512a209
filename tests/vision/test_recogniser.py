"""What stands on a real layout is read; what cannot be read is said."""

import json
import shutil
from concurrent.futures import Future

import cv2
import msgspec
import numpy as np
import pytest
from pushes import covered

from calibration import PictureError, calibrate_session
from calibration.model import encode_view
from calibration.pictures import read_picture
from companion.rules.geometry import load_board
from companion.rules.layout import EMPTY, decode_layout
from companion.vision import look
from companion.vision.box import BOX
from companion.vision.glare import GlareStep, Suspect
from companion.vision.hands import HandStep
from companion.vision.kept import SERVES
from companion.vision.look import LookStep
from companion.vision.network import CreatureNetwork, HexNetwork
from companion.vision.observation import Blurred, Moved, Observation, Still
from companion.vision.printed import PrintStep, Shown
from companion.vision.recogniser import DARK, GREYER, LEAST_MISSING, WARY, WARY_ASHORE, Recogniser

BOARD = load_board()


@pytest.fixture(scope="module")
def recogniser(table_calibration):
    return Recogniser(table_calibration, BOARD)


@pytest.fixture(scope="module")
def frames(table_dir, table_calibration):
    """name -> (picture, observation, truth); f03 has a hand in it."""
    recogniser = Recogniser(table_calibration, BOARD)
    seen = {}
    for number, name in enumerate(("f01", "f03")):
        image = read_picture(table_dir / f"{name}.jpg")
        truth = json.loads((table_dir / f"{name}.json").read_text())
        layout = {"hexes": truth["hexes"], "safe": truth.get("safe", {})}
        seen[name] = (image, recogniser.observe(image, number, 0.5 * number), decode_layout(layout, BOARD), truth)
    return seen


def test_every_tile_of_a_free_picture_is_named(frames):
    _, observation, truth, _ = frames["f01"]
    seen = observation.layout()
    assert {h: seen.at(h).tile for h in BOARD.island} == {h: truth.at(h).tile for h in BOARD.island}


def test_nearly_all_explorers_and_boats_of_a_free_picture_are_placed(frames):
    _, observation, truth, _ = frames["f01"]
    seen = observation.layout()
    explorers = [h for h in BOARD.hexes if truth.at(h).explorers or seen.at(h).explorers]
    right = [h for h in explorers if truth.at(h).explorers == seen.at(h).explorers]
    assert len(right) >= 0.9 * len(explorers)
    boats = [h for h in BOARD.hexes if truth.at(h).boat is not None or seen.at(h).boat is not None]
    assert sum((truth.at(h).boat is None) == (seen.at(h).boat is None) for h in boats) >= 0.9 * len(boats)


def test_what_a_hand_hides_is_unknown_and_not_empty(frames):
    _, observation, _, raw = frames["f03"]
    hidden = {tuple(h) for h in raw["occluded"]}
    assert len(hidden & observation.layout().unknown) >= 0.9 * len(hidden)
    assert all(not e.hypotheses for e in observation.hexes if e.hidden)


def test_what_a_hand_leaves_in_sight_is_read(frames):
    _, observation, truth, raw = frames["f03"]
    seen = observation.layout()
    open_hexes = [h for h in BOARD.hexes if list(h) not in raw["occluded"] and h not in seen.unknown]
    assert len(open_hexes) > 95
    assert sum(seen.at(h) == truth.at(h) for h in open_hexes) >= 0.93 * len(open_hexes)


def test_nothing_is_hidden_by_a_hand_where_there_is_none(frames):
    """A hand that is none would stop the game."""
    _, observation, _, _ = frames["f01"]
    assert not [e for e in (*observation.hexes, *observation.safe) if e.hidden == "hand"]


def test_what_has_not_changed_between_two_pictures_looks_the_same(frames, recogniser):
    """Noise is no change; a piece that somebody paints on a hex is one, there and where it may hide something."""
    image = frames["f01"][0]
    noise = np.random.default_rng(1).normal(0, 3, image.shape)
    painted = np.clip(image + noise, 0, 255).astype(np.uint8)
    x, y = recogniser.camera.project(np.array([[*BOARD.centre_mm((3, 1)), 0.0]]))[0]
    cv2.circle(painted, (round(x), round(y)), 9, (30, 30, 160), -1)
    first, second = (recogniser.observe(picture) for picture in (image, painted))
    before, after = ({e.hex: e.look for e in observation.hexes} for observation in (first, second))
    different = {h for h in BOARD.hexes if before[h] != after[h]}
    assert (3, 1) in different
    assert different <= {(3, 1), *BOARD.neighbours[3, 1]}
    assert 0 not in before.values()
    assert [e.look for e in first.safe] == [e.look for e in second.safe]


def test_of_what_looks_as_it_did_the_network_is_not_asked_again_and_again(frames, table_calibration, monkeypatch):
    """But where something has come, in the second picture as in the first, and after `SERVES` more, it is."""
    image, told = frames["f01"][0], HexNetwork.begin
    noise = np.random.default_rng(1).normal(0, 3, image.shape)
    noisy = np.clip(image + noise, 0, 255).astype(np.uint8)
    asked: list[int] = []

    def says(self, windows):
        asked.append(len(windows))
        return told(self, windows)

    recogniser = Recogniser(table_calibration, BOARD)
    painted = noisy.copy()
    x, y = recogniser.camera.project(np.array([[*BOARD.centre_mm((3, 1)), 0.0]]))[0]
    cv2.circle(painted, (round(x), round(y)), 9, (30, 30, 160), -1)
    monkeypatch.setattr(HexNetwork, "begin", says)
    seen = [recogniser.observe(picture) for picture in (image, noisy, noisy, painted, *[noisy] * (SERVES - 1))]
    first, second, third, fourth, *_, last = asked[::3]  # each time twice more, closer
    assert second >= first
    assert third < first / 4
    assert 0 < fourth < first / 4
    assert last > first / 2
    assert [e.hypotheses[0].content for e in seen[1].hexes] == [e.hypotheses[0].content for e in seen[2].hexes]
    assert seen[3].layout().at((3, 1)) != seen[2].layout().at((3, 1))


def test_another_recogniser_gives_other_numbers(frames, table_calibration):
    """A game goes on where its vision process had to be started anew."""
    image, observation, *_ = frames["f01"]
    again = Recogniser(table_calibration, BOARD).observe(image)
    assert {e.look for e in again.hexes}.isdisjoint(e.look for e in observation.hexes)


def test_what_is_unsure_beside_an_arm_is_not_claimed(frames):
    _, observation, _, _ = frames["f03"]
    assert min(e.hypotheses[0].probability for e in observation.hexes if not e.hidden) >= WARY
    assert min(e.hypotheses[0].probability for e in observation.safe if not e.hidden) >= WARY_ASHORE


def test_what_lies_outside_the_picture_is_hidden_by_its_edge(table_calibration, frames):
    """As with a camera that sees the board's western half only."""
    image, whole, _, _ = frames["f01"]
    camera = table_calibration.camera
    corners = camera.project(table_calibration.board.corners())
    cut = round(float(np.median(corners[:, 0])))
    part = msgspec.structs.replace(
        table_calibration,
        camera=msgspec.structs.replace(
            camera, image_size=(image.shape[1] - cut, image.shape[0]), centre=(camera.centre[0] - cut, camera.centre[1])
        ),
    )
    seen = Recogniser(part, BOARD).observe(np.ascontiguousarray(image[:, cut:]))
    edges = [e.hex for e in seen.hexes if e.hidden == "edge"]
    assert 20 < len(edges) < 113
    assert any(e.hidden == "edge" for e in seen.safe)
    assert not [e for e in seen.hexes if e.hidden == "hand"]
    both = [(a, b) for a, b in zip(seen.hexes, whole.hexes, strict=True) if not a.hidden]
    assert np.mean([a.hypotheses[0].content == b.hypotheses[0].content for a, b in both]) > 0.95


def test_probabilities_are_ranked_and_never_more_than_one(frames):
    for _, observation, _, _ in frames.values():
        assert [e.hex for e in observation.hexes] == list(BOARD.hexes)
        for evidence in (*observation.hexes, *observation.safe):
            shares = [h.probability for h in evidence.hypotheses]
            assert all(0 <= p <= 1 for p in shares)
            assert sum(shares) <= 1 + 1e-9
            assert bool(shares) != bool(evidence.hidden)


def test_no_more_than_the_box_holds_is_claimed_by_a_network_that_sees_too_much(
    table_calibration, table_dir, monkeypatch
):
    """It takes every hex that it looks at rather for a beach, a boat and a serpent than for what it is."""
    whole, counted = HexNetwork.begin, CreatureNetwork.counts

    def rather(answers):
        answers *= 0.45
        answers[:, 0, 1] += 0.55
        return answers

    def doubtful(self, windows):
        answers = whole(self, windows)()
        for name in ("tile", "boat", "creatures"):
            rather(answers[name])
        return lambda: answers

    recogniser = Recogniser(table_calibration, BOARD)
    monkeypatch.setattr(HexNetwork, "begin", doubtful)
    monkeypatch.setattr(CreatureNetwork, "counts", lambda self, windows: rather(counted(self, windows)))
    seen = recogniser.observe(read_picture(table_dir / "f01.jpg")).layout().hexes.values()
    tiles = [c.tile for c in seen]
    assert tiles.count("beach") == BOX["tile beach"]
    assert tiles.count("forest") <= BOX["tile forest"]
    assert tiles.count("mountain") <= BOX["tile mountain"]
    assert sum(c.boat is not None for c in seen) == BOX["boat"]
    assert sum(c.serpents for c in seen) == BOX["serpent"]


def test_an_observation_survives_being_written_down(frames):
    _, observation, _, _ = frames["f01"]
    assert msgspec.json.decode(msgspec.json.encode(observation), type=Observation) == observation


def test_the_same_picture_reads_the_same_again_and_again(table_calibration, frames):
    """The third time most answers are those of the second."""
    image, observation, _, _ = frames["f01"]
    recogniser = Recogniser(table_calibration, BOARD)
    for _ in range(3):
        again = recogniser.observe(image, 0, 0.0)
        assert [e.hypotheses for e in again.hexes] == [e.hypotheses for e in observation.hexes]
        assert again.layout() == observation.layout()


def test_light_that_is_dimmer_and_warmer_changes_few_readings(recogniser, frames):
    image, observation, _, _ = frames["f01"]
    warmer = np.clip(image * np.array([0.80, 0.88, 0.95]), 0, 255).astype(np.uint8)
    seen, before = recogniser.observe(warmer).layout(), observation.layout()
    assert sum(seen.at(h) == before.at(h) for h in BOARD.hexes) >= 127


@pytest.mark.parametrize("contrast", [0.3, -0.3])
def test_a_camera_that_bends_the_tones_otherwise_changes_few_readings(recogniser, frames, contrast):
    """As one does that sets its contrast by what it sees: more and less of it in the middle of all levels."""
    image, observation, _, _ = frames["f01"]
    levels = np.arange(256) / 255
    bent = np.rint(255 * (levels - contrast * np.sin(2 * np.pi * levels) / (2 * np.pi))).astype(np.uint8)[image]
    seen, before = recogniser.observe(bent).layout(), observation.layout()
    assert sum(seen.at(h) == before.at(h) for h in BOARD.hexes) >= 131


@pytest.mark.parametrize("saturation", [0.8, 1.25])
def test_a_camera_that_shows_paler_or_stronger_colours_changes_few_readings(recogniser, frames, saturation):
    image, observation, _, _ = frames["f01"]
    tints = cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb).astype(np.float32)
    tints[..., 1:] = (tints[..., 1:] - 128) * saturation + 128
    changed = cv2.cvtColor(np.rint(np.clip(tints, 0, 255)).astype(np.uint8), cv2.COLOR_YCrCb2BGR)
    seen, before = recogniser.observe(changed).layout(), observation.layout()
    assert sum(seen.at(h) == before.at(h) for h in BOARD.hexes) >= 131


def test_what_is_too_dark_to_be_seen_is_unknown_and_not_empty(recogniser, frames):
    image, _, _, _ = frames["f01"]
    linear = np.clip(image / 255.0, 0, 1) ** 2.2
    for light in (0.05, 0.02):
        dark = np.rint(255 * (light * linear) ** (1 / 2.2)).astype(np.uint8)
        assert len(recogniser.observe(dark).layout().unknown) >= 128


@pytest.mark.parametrize("light", [0.12, 0.06])
def test_a_table_that_was_dark_from_the_first_is_read(table_dir, tmp_path, light):
    """A black board in dim light: the calibration brightens its own pictures, the light itself has not gone."""
    noise = np.random.default_rng(1)
    shutil.copytree(table_dir, tmp_path / "dark")
    for path in (tmp_path / "dark").glob("*.jpg"):
        linear = (read_picture(path) / 255.0) ** 2.2
        linear = light * linear + noise.normal(0, 0.001, linear.shape)
        dim = np.rint(255 * np.clip(linear, 0, 1) ** (1 / 2.2)).astype(np.uint8)
        cv2.imwrite(str(path), dim, [cv2.IMWRITE_JPEG_QUALITY, 98])
    calibration = calibrate_session(tmp_path / "dark")
    assert DARK * calibration.exposure > 1.0
    recogniser = Recogniser(calibration, BOARD)
    layout = recogniser.observe(read_picture(tmp_path / "dark" / "f01.jpg")).layout()
    truth = json.loads((table_dir / "f01.json").read_text())
    there = decode_layout({"hexes": truth["hexes"], "safe": truth.get("safe", {})}, BOARD)
    assert not layout.unknown
    assert sum(layout.at(h) == there.at(h) for h in BOARD.hexes) >= 127


def test_an_empty_board_holds_nothing(recogniser, table_dir):
    layout = recogniser.observe(read_picture(table_dir / "calib_board.jpg")).layout()
    assert not layout.hexes
    assert not layout.safe


def test_movement_is_seen_between_pictures_and_not_in_the_same_one(table_calibration, frames):
    recogniser = Recogniser(table_calibration, BOARD)
    still, other = frames["f01"][0], frames["f03"][0]
    assert [recogniser.observe(i).moving for i in (still, still, other)] == [False, False, True]


def test_a_board_that_was_pushed_is_found_again_and_read_where_it_lies(table_calibration, frames):
    recogniser = Recogniser(table_calibration, BOARD)
    image, observation, _, _ = frames["f01"]
    pushed = cv2.warpAffine(image, np.array([[1.0, 0.0, 14.0], [0.0, 1.0, 9.0]]), (image.shape[1], image.shape[0]))
    seen = recogniser.observe(pushed)
    assert isinstance(seen.registration, Moved)
    assert (seen.registered, seen.moving) == (True, True)
    layout, before = seen.layout(), observation.layout()
    assert sum(layout.at(h) == before.at(h) for h in BOARD.hexes) >= 130
    again = recogniser.observe(pushed)
    assert again.registration == Still()
    fresh = Recogniser(recogniser.trace.calibration, BOARD).observe(pushed)
    assert fresh.layout() == again.layout()


def test_what_fails_beside_the_search_for_hands_is_told_and_the_next_picture_read(
    table_calibration, frames, monkeypatch
):
    image, known, _, _ = frames["f01"]
    recogniser = Recogniser(table_calibration, BOARD)

    def fails(*_):
        raise MemoryError("no room for planes")

    with monkeypatch.context() as patched:
        patched.setattr(look, "network_inputs", fails)
        with pytest.raises(MemoryError, match="no room for planes"):
            recogniser.observe(image)
    assert recogniser.observe(image).layout() == known.layout()


def test_a_picture_may_go_once_the_board_is_found_in_it(table_calibration, frames):
    image, known, _, _ = frames["f01"]
    recogniser = Recogniser(table_calibration, BOARD)
    picture = image.copy()
    found = recogniser.find(picture)
    picture[:] = 0
    assert recogniser.read(found).layout() == known.layout()
    steps = ["registration", "pixels", "hands", "reflections", "look", "print", "readings"]
    assert list(recogniser.trace.seconds) == steps


def test_what_the_network_sees_of_the_swatch_picture_is_made_once(table_calibration, monkeypatch):
    made = []
    inputs = look.network_inputs
    monkeypatch.setattr(look, "network_inputs", lambda *of: made.append(of) or inputs(*of))
    Recogniser(table_calibration, BOARD)
    assert len(made) == 1


def test_a_picture_of_another_size_or_kind_is_refused(recogniser):
    with pytest.raises(PictureError, match="640 x 480, the calibration is for 1536 x 864"):
        recogniser.observe(np.zeros((480, 640, 3), np.uint8))
    with pytest.raises(PictureError, match="8 bits"):
        recogniser.observe(np.zeros((864, 1536), np.uint8))


def test_only_what_hides_hexes_side_by_side_is_an_arm(table_calibration, frames, monkeypatch):
    """What the network alone says to be hidden, scattered over the table, is shadow and gloss."""
    recogniser = Recogniser(table_calibration, BOARD, patience=0)
    image = frames["f01"][0]
    told = HexNetwork.begin
    few = [BOARD.index[h] for h in ((4, -1), *BOARD.neighbours[4, -1])]
    beside = [*few, BOARD.index[4, -3]]
    scattered = [BOARD.index[h] for h in ((4, -1), (4, -4), (0, 4), (-4, 4), (-4, 0), (0, -4), (5, 0))]
    for hidden, by in ((beside, "hand"), (few, "shadow"), (scattered, "shadow")):
        monkeypatch.setattr("companion.vision.look.worth_a_look", lambda *_: np.ones(len(BOARD.hexes), bool))

        def says(self, windows, hidden=hidden):
            answers = told(self, windows)()
            answers["hidden"][:, 0] = (1.0, 0.0)
            answers["hidden"][np.isin(windows.which, hidden), 0] = (0.0, 1.0)
            return lambda: answers

        monkeypatch.setattr(HexNetwork, "begin", says)
        with monkeypatch.context() as patched:
            patched.setattr(HandStep, "are_bare", lambda _self, _evidence, places: [False] * len(places))
            seen = {e.hex: e.hidden for e in recogniser.observe(image).hexes}
        assert {seen[BOARD.hexes[i]] for i in hidden} == {by}


def test_what_is_greyer_than_the_network_says_to_be_hidden_is_light_and_no_arm(table_calibration, frames, monkeypatch):
    """A lamp that was mirrored in the empty board elsewhere: the table is not to be told to take a hand away."""
    image, before, _, _ = frames["f03"]
    recogniser = Recogniser(table_calibration, BOARD, patience=0)
    arm = {e.hex for e in before.hexes if e.hidden == "hand"}
    asked = []

    def says(said):
        def hidden(self, scan, hexes):
            asked.append({BOARD.hexes[i] for i in hexes})
            return np.full(len(hexes), said, np.float32)

        return hidden

    for grey, said, by in ((0.9, 0.1, "glare"), (0.9, 0.8, "hand"), (GREYER, 0.0, "hand")):
        monkeypatch.setattr(Suspect, "grey_share", lambda *_, grey=grey, **_moved: grey)
        monkeypatch.setattr(LookStep, "hidden", says(said))
        seen = recogniser.observe(image)
        assert {e.hidden for e in seen.hexes if e.hex in asked[0]} == {by}, (grey, said)
    assert len(asked) == 2, "of what is not grey the network is not asked"
    assert asked[0] <= arm, "of what the arm hides"


@pytest.mark.parametrize(("gone", "burnt"), [(0.1, 0.0), (-0.1, 0.3), (0.0, 0.0)])
def test_where_a_lamp_has_moved_the_light_that_has_come_elsewhere_is_no_paper(
    table_calibration, frames, monkeypatch, gone, burnt
):
    """Where it was there is less grey light; alone, or beside a new lamp, light that has come may be paper."""
    recogniser = Recogniser(table_calibration, BOARD, patience=0)
    recogniser.observe(frames["f01"][0])
    evidence = recogniser.trace.evidence
    was, is_now = np.zeros((2, *evidence.ground.shape), bool)
    was[150:250, 150:250] = is_now[150:250, 300:400] = True

    def suspect(self, there, _evidence):
        light = -gone if there[was].all() else 0.1
        return Suspect(np.full((9, 3), light, np.float32), burnt if there[was].all() else 0.0, 0.0)

    monkeypatch.setattr(GlareStep, "suspect", suspect)
    monkeypatch.setattr(Suspect, "is_reflection", False)
    monkeypatch.setattr(LookStep, "hidden", lambda _self, _scan, hexes: np.zeros(len(hexes), np.float32))
    scan = Future()
    scan.set_result(None)
    found = recogniser._find_reflections(was | is_now, evidence, scan)
    expected = {(0.1, 0.0): was | is_now, (-0.1, 0.3): was, (0.0, 0.0): np.zeros_like(was)}
    np.testing.assert_array_equal(found, expected[gone, burnt])


def test_bare_hexes_that_miss_their_print_side_by_side_are_not_vouched_for(table_calibration, frames, monkeypatch):
    """A sleeve may have the sea's colours. Two may be worn; beside three a plain one is no more to be trusted."""
    image, _, truth, _ = frames["f01"]
    recogniser = Recogniser(table_calibration, BOARD, patience=0)
    bare = {h for h in BOARD.hexes if truth.at(h) == EMPTY and h not in BOARD.island}
    one, *beside = next([h, *near] for h in sorted(bare) if len(near := bare.intersection(BOARD.neighbours[h])) > 3)
    near = {one, *beside}
    alone = next(h for h in sorted(bare - near) if near.isdisjoint(BOARD.neighbours[h]))
    plain = beside[LEAST_MISSING - 1]
    doubtful = {plain, next(h for h in sorted(bare - near - {alone}) if near.isdisjoint(BOARD.neighbours[h]))}
    for together in (LEAST_MISSING, LEAST_MISSING - 1):
        missing = {one, *beside[: together - 1], alone}
        contrast = np.array([0.0 if h in missing else 0.35 if h in doubtful else 1.0 for h in BOARD.hexes], np.float32)
        shown = Shown(contrast, *(np.full(len(BOARD.hexes), v, np.float32) for v in (0.1, 1.0)))
        monkeypatch.setattr(PrintStep, "__call__", lambda _self, _evidence, shown=shown: shown)
        hidden = {e.hex: e.hidden for e in recogniser.observe(image).hexes if e.hidden}
        expected = {*missing, plain} - {alone} if together == LEAST_MISSING else set()
        assert hidden == dict.fromkeys(expected, "shadow")


def test_a_cloth_of_the_seas_colour_over_half_of_the_board_is_seen(table_calibration, frames):
    """Pixel by pixel it is the print in a shadow: what it covers is unknown, what lies beside it is read."""
    image, known, _, _ = frames["f01"]
    recogniser = Recogniser(table_calibration, BOARD, patience=0)
    x, y = (side / 2 + 30 for side in table_calibration.board.board)
    over = np.array([(-x, -y), (0, -y), (0, y), (-x, y)])
    sea = np.median(table_calibration.reference_image[table_calibration.on_board], axis=0)
    seen = recogniser.observe(covered(image, table_calibration.camera, over, tuple(sea.tolist()))).layout()
    west = {h for h in BOARD.hexes if BOARD.centre_mm(h)[0] < -25}
    free = {h for h in BOARD.hexes if BOARD.centre_mm(h)[0] > 30}
    assert west <= seen.unknown
    assert len(free & seen.unknown) <= 1, "one beside it shows hardly a line"
    assert all(seen.at(h) == known.layout().at(h) for h in free - seen.unknown)


def test_a_print_that_the_picture_of_the_pieces_does_not_show_is_not_missed(table_calibration, frames):
    """Such a picture cannot tell a cloth from the sea; the pieces on it are all the same seen."""
    image, *_ = frames["f01"]
    left, top, right, bottom = -150.0, 100.0, 150.0, 180.0
    sea = np.median(table_calibration.reference_image[table_calibration.on_board], axis=0)
    over = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    picture = covered(image, table_calibration.camera, over, tuple(sea.tolist()))
    x, y = np.moveaxis(table_calibration.view.grid_mm(), 2, 0)
    smooth = table_calibration.swatch_image()
    smooth[(x > left) & (x < right) & (y > top) & (y < bottom)] = sea
    dark = msgspec.structs.replace(table_calibration, swatch=encode_view(smooth))
    middles = {h: BOARD.centre_mm(h) for h in BOARD.hexes}
    bare = {h for h, (x, y) in middles.items() if left + 25 < x < right - 25 and top + 20 < y < bottom - 20}
    assert len(bare) > LEAST_MISSING
    for calibration, is_missed in ((table_calibration, True), (dark, False)):
        unknown = bare & Recogniser(calibration, BOARD, patience=0).observe(picture).layout().unknown
        if is_missed:
            assert unknown == bare
        else:
            assert len(unknown) <= 2, "those beside where the picture of the pieces shows the print, which is missed"


def test_nothing_hides_a_print_that_is_seen(table_calibration, frames, monkeypatch):
    """The network takes a lamp's reflection for an arm: what lies bare there is read all the same."""
    image, known, truth, _ = frames["f01"]
    bare = [h for h in BOARD.hexes if truth.at(h) == EMPTY and BOARD.neighbours[h]][::7]
    told = HexNetwork.begin

    def says(self, windows):
        answers = told(self, windows)()
        answers["hidden"][np.isin(windows.which, [BOARD.index[h] for h in bare]), 0] = (0.0, 1.0)
        return lambda: answers

    monkeypatch.setattr("companion.vision.look.worth_a_look", lambda *_: np.ones(len(BOARD.hexes), bool))
    monkeypatch.setattr(HexNetwork, "begin", says)
    layout = Recogniser(table_calibration, BOARD, patience=0).observe(image).layout()
    assert len(bare) > 8
    assert len(layout.unknown) <= 1, "where hardly a line is printed nobody can tell"
    assert all(layout.at(h) == known.layout().at(h) == EMPTY for h in bare)


def test_a_smeared_picture_claims_nothing_and_moves_no_board(table_calibration, frames):
    """Smeared as far as the board can still be found; its print is then found millimetres aside."""
    recogniser = Recogniser(table_calibration, BOARD)
    image = frames["f01"][0]
    smeared = cv2.GaussianBlur(image, (0, 0), 3.0)
    pushed = cv2.warpAffine(smeared, np.array([[1.0, 0.0, 14.0], [0.0, 1.0, 9.0]]), (image.shape[1], image.shape[0]))
    for picture in (smeared, pushed):
        seen = recogniser.observe(picture)
        assert isinstance(seen.registration, Blurred)
        assert not seen.registered
        assert recogniser.camera == table_calibration.camera
    assert recogniser.observe(image).registration == Still()
