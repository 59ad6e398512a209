"""What the network says of a real table: probabilities, examples that count, bare print passed over."""

import dataclasses
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from calibration.pictures import read_picture
from calibration.swatch import CREATURES, PRESCRIBED
from companion.rules.geometry import load_board
from companion.rules.layout import COLOURS
from companion.vision.evidence import PixelStep
from companion.vision.feet import mean_rates
from companion.vision.field import Field
from companion.vision.leaning import ASKED, Leaning
from companion.vision.look import SAID_BEFORE, LookStep, example_of
from companion.vision.network import BATCH, WEIGHTS, CreatureNetwork, HexNetwork, Network, WeightsError
from companion.vision.questions import CELL, EXAMPLES, LOGITS, QUESTIONS, SLOTS
from companion.vision.windows import LAND_SIDES, LAND_STEP, Cuts
from companion.vision.workers import make_workers

BOARD = load_board()


@pytest.fixture(scope="module")
def steps(table_calibration):
    pixels = PixelStep(table_calibration)
    network = Network(make_workers())
    look = LookStep(table_calibration, Field(BOARD, table_calibration), network)
    swatches = look.scan(pixels.read_view(table_calibration.swatch_image()))
    examples = look.examples(swatches)
    network.set_examples(examples)
    return pixels, look, examples


@pytest.fixture(scope="module")
def swatches(steps, table_dir):
    pixels, look, _ = steps
    return look(look.scan(pixels(read_picture(table_dir / "calib_pieces.jpg"))))


def test_there_are_as_many_answers_as_the_questions_have():
    slots = [i for q in QUESTIONS for i in range(q.slots.start, q.slots.stop)]
    logits = [i for q in QUESTIONS for i in range(q.logits.start, q.logits.stop)]
    assert (slots, logits) == (list(range(SLOTS)), list(range(LOGITS)))
    assert [q.slots.stop - q.slots.start for q in QUESTIONS] == [1, 4, 1, 4, 3, 1]


def test_the_swatch_layout_has_an_example_of_everything():
    assert {example_of(s) for s in PRESCRIBED} == set(EXAMPLES)


def test_answers_are_probabilities(swatches):
    for q in QUESTIONS:
        answers = swatches.answers[q.name]
        assert answers.shape == (len(swatches.hexes), q.count, q.values)
        np.testing.assert_allclose(answers.sum(axis=2), 1.0, atol=1e-5)


def test_every_hex_with_something_on_it_is_looked_at(swatches):
    assert {s.hex for s in PRESCRIBED} <= set(swatches.hexes)


def test_windows_cut_batch_by_batch_are_answered_as_those_of_a_stack(steps):
    _, _, examples = steps
    windows = examples.fine
    network = HexNetwork(WEIGHTS, make_workers())
    network.set_examples(windows, examples.kinds)
    some = Cuts(windows.maps, windows.planes, windows.which[: 2 * BATCH + 1])
    for cuts in (some, some.in_a_mirror(np.arange(len(some)))):
        together = network.hexes(cuts[: len(cuts)])
        for question, answers in network.hexes(cuts).items():
            np.testing.assert_array_equal(answers, together[question])


def test_what_is_hidden_is_not_looked_at(steps, table_dir):
    pixels, look, _ = steps
    hidden = {s.hex for s in PRESCRIBED[:5]}
    seen = look(look.scan(pixels(read_picture(table_dir / "calib_pieces.jpg"))), hidden)
    assert not hidden & set(seen.hexes)
    assert {s.hex for s in PRESCRIBED[5:]} <= set(seen.hexes)


def test_hardly_a_hex_is_looked_at_on_the_empty_board(steps, table_dir):
    pixels, look, _ = steps
    seen = look(look.scan(pixels(read_picture(table_dir / "calib_board.jpg"))))
    assert len(seen.hexes) < 10
    assert all(answers.shape[0] == len(seen.hexes) for answers in seen.answers.values())


@pytest.mark.parametrize("name", ["coarse", "quick", "close"])
def test_the_examples_decide_what_a_creature_is_called(steps, name):
    """With sharks and whales shown under each other's names the answers change their names too."""
    _, _, examples = steps
    windows, kinds = examples.coarse if name == "coarse" else examples.fine, examples.kinds
    shark, whale = EXAMPLES.index("shark"), EXAMPLES.index("whale")
    renamed = np.select([kinds == shark, kinds == whale], [whale, shark], kinds)
    told, other = Network(make_workers()), Network(make_workers())
    told.set_examples(examples)
    other.set_examples(dataclasses.replace(examples, kinds=renamed))
    same, changed = (getattr(network, name).hexes(windows)["creatures"] for network in (told, other))
    for kind, slot, others_slot in ((shark, 1, 2), (whale, 2, 1)):
        of = np.flatnonzero(kinds == kind)
        assert len(of) == 2
        assert (same[of, slot, 1] > 0.5).all()
        assert changed[of, others_slot, 1].mean() > changed[of, slot, 1].mean()


def test_a_creature_is_called_what_it_looks_like_on_the_swatch_picture(steps):
    """Cell by cell, too, whatever the names of sharks and whales are."""
    _, _, examples = steps
    kinds = examples.kinds
    shark, whale = EXAMPLES.index("shark"), EXAMPLES.index("whale")
    renamed = np.select([kinds == shark, kinds == whale], [whale, shark], kinds)
    network = CreatureNetwork(WEIGHTS / "creatures", make_workers())
    for names, slots in ((kinds, {shark: 1, whale: 2}), (renamed, {shark: 2, whale: 1})):
        network.set_examples(examples.narrow, names)
        assert network.can_tell
        counts = network.counts(examples.narrow)
        assert counts.shape == (len(kinds), len(CREATURES), next(q.values for q in QUESTIONS if q.name == "creatures"))
        np.testing.assert_allclose(counts.sum(axis=2), 1.0, atol=1e-5)
        for kind, slot in slots.items():
            assert (counts[kinds == kind, slot].argmax(axis=1) == 1).all()


def test_nothing_is_laid_over_a_swatch_picture_that_lacks_a_creature(steps):
    _, _, examples = steps
    network = CreatureNetwork(WEIGHTS / "creatures", make_workers())
    network.set_examples(examples.narrow, np.where(examples.kinds == EXAMPLES.index("shark"), 0, examples.kinds))
    assert not network.can_tell


def test_creatures_in_doubt_are_laid_over_those_of_the_swatch_picture(steps, table_dir, monkeypatch):
    pixels, look, _ = steps
    scan, network = look.scan(pixels(read_picture(table_dir / "f01.jpg"))), look._network
    for limit in ("PLAIN_ASHORE", "PLAIN_AT_SEA", "DOUBTED"):  # all are looked at closely
        monkeypatch.setattr(f"companion.vision.look.{limit}", 1.1)
    monkeypatch.setattr("companion.vision.look.CREATURES_DOUBTED", 0.0)
    before = look(scan).answers
    surely = before["creatures"].max(axis=2).prod(axis=1)
    told = network.creatures.counts(Cuts(look._narrow, scan.planes, look._asked))
    logs = SAID_BEFORE * np.log(before["creatures"]) + (1 - SAID_BEFORE) * np.log(told)
    odds = np.exp(logs - logs.max(axis=2, keepdims=True))
    together = odds / odds.sum(axis=2, keepdims=True)
    for doubted in (float(np.median(surely)), 1.1):
        monkeypatch.setattr("companion.vision.look.CREATURES_DOUBTED", doubted)
        after = look(scan).answers
        asked = surely < doubted
        assert asked.sum() >= len(asked) // 2 - 1
        np.testing.assert_allclose(after["creatures"][asked], together[asked], atol=1e-4)
        np.testing.assert_array_equal(after["creatures"][~asked], before["creatures"][~asked])
        for name in set(before) - {"creatures"}:
            np.testing.assert_array_equal(after[name], before[name])
    monkeypatch.setattr(network, "creatures", CreatureNetwork(WEIGHTS / "creatures", make_workers()))
    np.testing.assert_array_equal(look(scan).answers["creatures"], before["creatures"])  # which knows no examples


def test_an_example_is_told_by_the_others(steps):
    """As if it were none itself: all answers are those that a network gives which was not shown it."""
    _, _, examples = steps
    network = HexNetwork(WEIGHTS, make_workers())
    network.set_examples(examples.fine, examples.kinds)
    told = network.of_examples()
    for left_out in (0, len(examples.kinds) - 1):
        others = np.delete(np.arange(len(examples.kinds)), left_out)
        network.set_examples(examples.fine[: len(examples.kinds)][others], examples.kinds[others])
        one = network.hexes(examples.fine[left_out : left_out + 1])
        for name, answers in one.items():
            np.testing.assert_allclose(answers[0], told[name][left_out], atol=1e-4)


def test_which_way_the_answers_lean_is_taken_out_of_them(steps, table_dir):
    pixels, look, _ = steps
    scan, network = look.scan(pixels(read_picture(table_dir / "calib_pieces.jpg"))), look._network
    told, found = network.leaning, []
    assert set(told.factors) == set(ASKED)
    leans = Leaning({"tile": np.array([[1.0, 50.0, 1.0, 0.02]])})
    try:
        for leaning in (Leaning({}), leans):
            network.leaning = leaning
            found.append(look(scan).answers)
    finally:
        network.leaning = told
    plain, fair = found
    for name, answers in leans.taken_out(plain).items():
        np.testing.assert_allclose(answers, fair[name], atol=1e-6)
    assert np.abs(plain["tile"] - fair["tile"]).max() > 1e-3


def test_kept_answers_lean_no_second_time(steps, table_calibration, table_dir):
    pixels, _, examples = steps
    network = Network(make_workers())
    network.set_examples(examples)
    look = LookStep(table_calibration, Field(BOARD, table_calibration), network)
    scan = look.scan(pixels(read_picture(table_dir / "calib_pieces.jpg")))
    network.leaning = Leaning({"tile": np.array([[1.0, 3.0, 1.0, 0.3]])})
    looks, said = np.arange(1, len(BOARD.hexes) + 1), []
    for _ in range(4):
        seen = look(scan, looks=looks)
        look.answered(seen, looks)
        said.append(dict(zip(seen.hexes, seen.answers["tile"], strict=True)))
    assert len(look._asked) < len(seen.hexes) / 2, "most of them were kept"
    for h, tile in said[0].items():
        np.testing.assert_allclose(said[-1][h], tile, atol=1e-6)


def test_a_stack_is_read_like_its_windows_one_by_one(steps):
    _, _, examples = steps
    windows = examples.fine
    network = HexNetwork(WEIGHTS, make_workers())
    network.set_examples(windows, examples.kinds)
    assert len(windows) > 17
    together = network.hexes(windows)
    for i in (0, 15, 16, len(windows) - 1):
        for name, answers in network.hexes(windows[i : i + 1]).items():
            np.testing.assert_allclose(answers[0], together[name][i], atol=1e-4)


def test_safe_lands_are_read_side_by_side_in_parts_of_any_size(steps, table_calibration, table_dir):
    pixels, look, _ = steps
    network, field = Network(make_workers()), Field(BOARD, table_calibration)
    planes = look.scan(pixels(read_picture(table_dir / "calib_pieces.jpg"))).planes
    lands = field.cutter.safe_lands(field.eye, range(len(LAND_SIDES)))
    sizes = [(176, 176), (56, 64), (128, 80), (LAND_STEP, LAND_STEP)]
    parts = [
        Cuts(lands.part(i, slice(0, rows), slice(0, columns)), planes, np.zeros(1, int))
        for i, (rows, columns) in enumerate(sizes)
    ]
    together = network.lands(parts)()
    for part, read, (rows, columns) in zip(parts, together, sizes, strict=True):
        assert read.shape == (len(COLOURS), rows // CELL, columns // CELL)
        assert ((read >= 0) & (read <= 1)).all()
        np.testing.assert_array_equal(read, network.lands([part])()[0])
    assert network.lands([])() == []


def test_a_safe_land_in_doubt_is_looked_at_once_more_in_a_mirror(steps, table_calibration, table_dir, monkeypatch):
    pixels, look, _ = steps
    field, network = Field(BOARD, table_calibration), Network(make_workers())
    scan = look.scan(pixels(read_picture(table_dir / "f01.jpg")))
    lands = field.cutter.safe_lands(field.eye, range(len(LAND_SIDES)))
    window = Cuts(lands, scan.planes, np.zeros(1, int))
    in_mirror = window.in_a_mirror(np.zeros(1, int))
    monkeypatch.setattr("companion.vision.network.in_doubt", lambda _: False)
    (once,), (mirrored,) = network.lands([window])(), network.lands([in_mirror])()
    monkeypatch.setattr("companion.vision.network.in_doubt", lambda _: True)
    (twice,) = network.lands([window])()
    assert not np.array_equal(once, mirrored[..., ::-1])
    np.testing.assert_array_equal(twice, mean_rates(once, mirrored[..., ::-1]))


def test_weights_that_are_missing_or_torn_are_named(tmp_path):
    with pytest.raises(WeightsError, match=r"hexes\.onnx is missing or damaged; install the program again"):
        Network(make_workers(), tmp_path)
    for part in ("coarse", ".", "close", "creatures"):
        folder = tmp_path / part
        folder.mkdir(exist_ok=True)
        for name in ("hexes", "answers"):
            (folder / f"{name}.onnx").write_bytes(b"torn")
            with pytest.raises(WeightsError, match=rf"{name}\.onnx is missing"):
                Network(make_workers(), tmp_path)
            shutil.copy(WEIGHTS / part / f"{name}.onnx", folder)
    with pytest.raises(WeightsError, match=r"lands\.onnx is missing"):
        Network(make_workers(), tmp_path)


def test_nobody_is_told_of_this_computer(tmp_path):
    """What runs the networks would keep a number for this computer in its owner's home, and tell its maker."""
    code = (
        "from companion.vision.network import Network; from companion.vision.workers import make_workers; "
        "Network(make_workers())"
    )
    home = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / ".cache")}
    done = subprocess.run([sys.executable, "-c", code], env=home, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
    assert list(tmp_path.iterdir()) == []
