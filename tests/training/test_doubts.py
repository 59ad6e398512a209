"""What is doubted is kept beside a prepared session, and goes with its pictures."""

from __future__ import annotations

import dataclasses
import shutil

import numpy as np
import pytest

from calibration.swatch import CREATURES
from companion.vision.questions import EXAMPLES, QUESTIONS
from training import dataset
from training.doubts import SUFFIX, Doubts, load_doubts, write_doubts

CREATURE_SLOTS = next(q for q in QUESTIONS if q.name == "creatures").slots


@pytest.fixture(scope="module")
def prepared_once(table_dir, tmp_path_factory):
    folder = tmp_path_factory.mktemp("prepared")
    dataset.prepare(table_dir, folder / "table")
    return folder


@pytest.fixture
def prepared(prepared_once, tmp_path):
    """A folder of the test's own; only the planes, which nothing here writes, are shared."""
    shutil.copy(prepared_once / "table.npz", tmp_path)
    (tmp_path / "table.npy").symlink_to(prepared_once / "table.npy")
    return tmp_path


@pytest.fixture
def session(prepared):
    return dataset.load_prepared(prepared / "table.npz")


def every_creature(session):
    """As if all hexes with creatures were in doubt."""
    picture, hexes = np.nonzero([labels.hexes[:, CREATURE_SLOTS].any(axis=1) for labels in session.labels])
    picture, hexes = picture[picture > 0], hexes[picture > 0]
    wanted = np.stack([session.labels[i].hexes[h, CREATURE_SLOTS] for i, h in zip(picture, hexes, strict=True)])
    pieces = np.ones(len(hexes), np.int64)
    return Doubts(picture, hexes, pieces, wanted, np.zeros((len(hexes), len(CREATURES), 4), np.float32))


def write(prepared, networks="these", find=every_creature):
    write_doubts([prepared / "table.npz"], networks, find)


def test_what_was_written_is_loaded(prepared, session):
    write(prepared)
    ((of, found),) = load_doubts(prepared, [session])
    assert of is session
    assert len(found.hex) > 2
    for one, other in zip(found, every_creature(session), strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_same_networks_are_asked_once(prepared, session):
    asked = []

    def find(session):
        asked.append(session.name)
        return every_creature(session)

    for networks, times in (("these", 1), ("these", 1), ("others", 2), ("others", 2)):
        write(prepared, networks, find)
        assert len(asked) == times


def test_doubts_go_with_the_pictures_that_are_left(prepared, session, monkeypatch):
    write(prepared)
    all_of_them = every_creature(session)
    last = int(all_of_them.picture.max())
    full = [i for i in range(1, len(session.labels)) if i != last]
    counts = iter(["boat"] if i in full else [] for i in range(1, len(session.labels)))
    monkeypatch.setattr(dataset, "beyond_box", lambda _: next(counts))
    played = dataset.as_played(session)
    assert played.numbers.tolist() == [0, last]
    ((_, found),) = load_doubts(prepared, [played])
    assert set(found.picture) == {1}
    np.testing.assert_array_equal(found.hex, all_of_them.hex[all_of_them.picture == last])


def test_a_session_without_doubts_is_left_out(prepared, session):
    write(prepared, find=lambda session: every_creature(session).of_pictures(np.zeros(1, np.int64)))
    assert load_doubts(prepared, [session]) == []


def test_a_swatch_picture_without_a_creature_is_not_asked_about(prepared, session, monkeypatch):
    without = np.where(session.examples == EXAMPLES.index("whale"), -1, session.examples)
    lacking = dataclasses.replace(session, examples=without)
    monkeypatch.setattr("training.doubts.load_prepared", lambda _: lacking)
    write(prepared)
    assert not list(prepared.glob(f"*{SUFFIX}"))
    assert load_doubts(prepared, [lacking]) == []


def test_a_session_that_nobody_looked_at_is_named(prepared, session):
    with pytest.raises(ValueError, match=rf"table\{SUFFIX} is not there: run training.find_doubts"):
        load_doubts(prepared, [session])


@pytest.mark.parametrize("changed", ["planes", "hexes"])
def test_doubts_of_before_it_was_prepared_anew_are_named_and_found_again(prepared, session, changed):
    write(prepared)
    path = prepared / "table.npz"
    with np.load(path) as data:
        np.savez(path, **{**data, changed: data[changed] + 1})
    with pytest.raises(ValueError, match=rf"table\{SUFFIX} is older than its session: run training.find_doubts"):
        load_doubts(prepared, [session])
    write(prepared)
    assert len(load_doubts(prepared, [session])) == 1


def test_other_pictures_are_known_by_their_planes(prepared, table_dir, tmp_path, monkeypatch):
    plain = dataset.network_inputs
    monkeypatch.setattr(dataset, "network_inputs", lambda *of: [plane ^ 1 for plane in plain(*of)])
    dataset.prepare(table_dir, tmp_path / "other")
    with np.load(tmp_path / "other.npz") as other, np.load(prepared / "table.npz") as one:
        assert other["planes"] != one["planes"]


def test_doubts_of_two_kinds_of_networks_are_not_mixed(prepared, session):
    write(prepared)
    again = dataclasses.replace(session, name="again")
    for suffix in (SUFFIX, ".npz"):
        shutil.copy(prepared / f"table{suffix}", prepared / f"again{suffix}")
    assert len(load_doubts(prepared, [session, again])) == 2
    write(prepared, "others")
    with pytest.raises(ValueError, match="not all were looked at by the same networks"):
        load_doubts(prepared, [session, again])
