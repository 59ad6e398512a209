"""What the network learns from: answers as the truth has them, and windows, names and planes that stay in step."""

import itertools
import json

import numpy as np
import pytest

from calibration.swatch import COLOURS, CREATURES
from companion.rules.geometry import load_board
from companion.vision.questions import CELL, EXAMPLES, QUESTIONS, SLOTS
from companion.vision.windows import HEX_FRAME, LAND_FRAME, WINDOW_CHANNELS, Jitter, Window
from hardware.simulated.plan import BoardPlan
from training import batches
from training.batches import AHEAD, AT_FOOT, NEAR_FOOT, Sampler, board_cutter, peaks, supply, where_people_stand
from training.dataset import load_prepared, prepare
from training.labels import HEATMAPS, answers, read_labels
from training.layouts import BOARD_FILE, packed_layout

BOARD = load_board()
EYE = np.array([0.0, 300.0, 900.0])


@pytest.fixture(scope="module")
def session(table_dir, tmp_path_factory):
    out = tmp_path_factory.mktemp("prepared") / "table"
    prepare(table_dir, out)
    return load_prepared(out.with_suffix(".npz"))


def test_answers_follow_the_questions():
    content = {"hex": [0, 0], "tile": "forest", "explorers": {"blue": 2}, "boat": {"green": 1}, "sharks": 1}
    found = answers(content)
    assert len(found) == SLOTS == sum(q.count for q in QUESTIONS)
    assert found == [2, 0, 2, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0]
    assert answers({}) == [0] * SLOTS


def test_more_than_a_question_has_answers_for_is_its_last_answer():
    assert answers({"explorers": {"red": 9}})[1] == 4


def test_feet_on_tiles_are_where_they_are_seen():
    pieces = [{"kind": "explorer", "colour": "red", "at": [10.0, 20.0, 6.0], "boat": False}]
    labels = read_labels({"hexes": [], "pieces": pieces}, BOARD, EYE)
    ((kind, x, y),) = labels.feet
    assert HEATMAPS[int(kind)] == "free red"
    assert (x, y) == pytest.approx((10 * 900 / 894, 20 - 280 * 6 / 894))


def test_a_peak_stands_in_the_cell_of_its_foot():
    window = Window(HEX_FRAME, EYE, np.array(BOARD.centre_mm((0, 0))))
    (row, column) = window.pixels(np.array([[5.0, -7.0]]))[0]
    maps = peaks(np.array([[HEATMAPS.index("boat"), 5.0, -7.0]]), window)
    at = np.unravel_index(maps[HEATMAPS.index("boat")].argmax(), maps.shape[1:])
    assert abs(at[0] * CELL + 1.5 - row) <= CELL / 2 + 1e-9
    assert abs(at[1] * CELL + 1.5 - column) <= CELL / 2 + 1e-9
    assert maps.sum() == maps[HEATMAPS.index("boat")].sum()


def test_the_hexes_of_the_swatch_picture_are_examples_of_everything(session):
    assert set(session.examples[session.examples >= 0]) == set(range(len(EXAMPLES)))
    assert session.planes.shape[0] == len(session.labels)


def test_whatever_a_paint_is_called_its_swimmer_shows_it(session):
    """Planes, names of examples and answers are dealt anew together."""
    paints = [WINDOW_CHANNELS.index(c) for c in COLOURS]
    inside = WINDOW_CHANNELS.index("inside")
    sampler = Sampler([session], board_cutter(), 0)
    right = []
    for _ in range(6):
        table = sampler.table()
        assert table.windows.shape[1:] == (HEX_FRAME.rows, HEX_FRAME.columns, len(WINDOW_CHANNELS))
        assert len(table.windows) == len(table.examples) + len(table.answers)
        for window, example in zip(table.windows, table.examples, strict=False):
            if example < len(COLOURS):
                shows = [np.sort(window[..., p][window[..., inside] > 0.6])[-60:].mean() for p in paints]
                right.append(int(np.argmax(shows)) == example)
    assert len(right) >= 20
    assert np.mean(right) > 0.8


def test_queries_are_drawn_with_nothing_over_them_as_well(table_dir, tmp_path):
    """The same hexes, turned and shifted alike; of pictures with nothing over them the same windows."""
    prepare(table_dir, tmp_path / "table", twice=True)
    session = load_prepared(tmp_path / "table.npz")
    assert not len(Sampler([session], board_cutter(), 0).table().plain)
    sampler, apart = Sampler([session], board_cutter(), 0, plainly=True), {True: [], False: []}
    for _ in range(6):
        table = sampler.table()
        queries = table.cut[len(table.examples) :]
        assert table.plain.shape == queries.shape
        for plain, query, (_, picture, _) in zip(table.plain, queries, table.drawn, strict=True):
            apart[bool(session.plain[picture] == picture)].append((plain != query).mean())
            for name in ("inside", "lean", "reference L"):
                assert np.array_equal(*(of[..., WINDOW_CHANNELS.index(name)] for of in (plain, query)))
    assert max(apart[True]) == 0
    assert np.mean(apart[False]) > 0.05


def test_whatever_a_terrain_is_called_its_tiles_show_it(session):
    terrains = [WINDOW_CHANNELS.index(t) for t in ("beach", "forest", "mountain")]
    inside = WINDOW_CHANNELS.index("inside")
    sampler = Sampler([session], board_cutter(), 1)
    right = []
    for _ in range(6):
        table = sampler.table()
        windows = table.windows[len(table.examples) :]
        for window, answer, hidden in zip(windows, table.answers, table.hidden, strict=True):
            if answer[0] and not hidden:
                shows = [window[..., t][window[..., inside] > 0.6].mean() for t in terrains]
                right.append(int(np.argmax(shows)) == answer[0] - 1)
    assert len(right) > 20
    assert np.mean(right) > 0.9


def test_whatever_a_creature_is_called_its_examples_and_plane_go_with_it(session, monkeypatch):
    """Whatever they are called, the same three pairs of example and plane are there, with the offsets of distortion."""
    monkeypatch.setattr(batches, "ALIKE", 0.0)
    planes = [WINDOW_CHANNELS.index(c) for c in CREATURES]
    first, inside = EXAMPLES.index(CREATURES[0]), WINDOW_CHANNELS.index("inside")
    there = np.flatnonzero(session.examples >= first)
    known = board_cutter().hexes(session.swatch_eye, there).cut(session.picture(0)) / 255
    shown = _share_of_planes(known, planes, inside)
    before = sorted(shown[session.examples[there] == first + k, k].mean() for k in range(len(CREATURES)))
    sampler, kept, renamed = Sampler([session], board_cutter(), 2), [], 0
    for _ in range(24):
        table = sampler.table()
        shown = _share_of_planes(table.windows[: len(table.examples)], planes, inside)
        if all((table.examples == first + k).any() for k in range(len(CREATURES))):  # none is forgotten
            own = [shown[table.examples == first + k, k].mean() for k in range(len(CREATURES))]
            kept.append(np.allclose(sorted(own), before, atol=0.06))
        of_creatures = table.maps[len(table.examples) :, HEATMAPS.index(CREATURES[0]) :]
        renamed += np.isnan(of_creatures).all()  # the maps know no examples, and are not asked then
    assert len(kept) >= 12
    assert np.mean(kept) > 0.8
    assert 2 < renamed < 18


def test_where_creatures_are_of_one_colour_their_planes_tell_less_and_paints_as_much(session, monkeypatch):
    monkeypatch.setattr(batches, "STRETCH", 0.0)
    spread = {}
    for share in (0.0, 1.0):
        monkeypatch.setattr(batches, "ALIKE", share)
        sampler = Sampler([session], board_cutter(), 5)
        tables = [sampler.table().windows for _ in range(4)]
        for name, kinds in (("creatures", CREATURES), ("paints", COLOURS)):
            planes = [WINDOW_CHANNELS.index(k) for k in kinds]
            spread[name, share] = np.mean([windows[..., planes].std(axis=-1).mean() for windows in tables])
    assert spread["creatures", 1.0] < 0.7 * spread["creatures", 0.0]
    assert spread["paints", 1.0] > 0.8 * spread["paints", 0.0]


def test_all_windows_of_a_table_are_stretched_alike_and_those_of_the_next_otherwise(session, monkeypatch):
    monkeypatch.setattr(batches, "STRETCH", 0.2)
    sampler, seen = Sampler([session], board_cutter(), 4), []
    jittered = batches.jittered
    monkeypatch.setattr(batches, "jittered", lambda *of: seen.append(jittered(*of)) or seen[-1])
    for _ in range(4):
        sampler.table()
    tables = [np.log([j.scale[0] / j.scale[1] for j in jitter]) for jitter in seen if len(jitter) > 1]
    assert all(np.ptp(ratios) < 1e-9 for ratios in tables)
    assert np.std([ratios[0] for ratios in tables]) > 0.1


def degraded_by(monkeypatch, share):
    """All windows by that alone."""
    for name in ("WOODEN", "BLURRED", "GRAINY"):
        monkeypatch.setattr(batches, name, float(name == share))


@pytest.mark.parametrize(
    ("share", "untouched"),
    [
        ("WOODEN", ("picture L", "detail", *CREATURES)),
        ("BLURRED", ()),
        ("GRAINY", ("print", "boat", *COLOURS)),
    ],
)
def test_other_paints_and_worse_cameras_leave_the_empty_board_as_it_is(session, monkeypatch, share, untouched):
    degraded_by(monkeypatch, None)
    there = np.flatnonzero(session.examples >= 0)
    cut = board_cutter().hexes(session.swatch_eye, there).cut(session.picture(0))
    same = cut.copy()
    batches.degrade(np.random.default_rng(0), [same])
    assert np.array_equal(same, cut)
    degraded_by(monkeypatch, share)
    for seed in range(3):
        other = cut.copy()
        batches.degrade(np.random.default_rng(seed), [other])
        changed = {c for i, c in enumerate(WINDOW_CHANNELS) if not np.array_equal(other[..., i], cut[..., i])}
        assert changed
        assert not changed & {*untouched, "reference L", "reference a", "reference b", "inside", "lean"}


def test_a_paint_like_wood_is_seen_in_boats_and_wood_in_its_explorers(session, monkeypatch):
    """One paint of the table, in all its windows."""
    degraded_by(monkeypatch, "WOODEN")
    there = np.flatnonzero(session.examples >= 0)
    cut = board_cutter().hexes(session.swatch_eye, there).cut(session.picture(0))
    boat, planes = WINDOW_CHANNELS.index("boat"), [WINDOW_CHANNELS.index(c) for c in COLOURS]
    for seed in range(6):
        others = cut.copy(), cut.copy()
        batches.degrade(np.random.default_rng(seed), others)
        changed = {p for p in planes for other in others if (other[..., p] != cut[..., p]).any()}
        assert len(changed) == 1
        (paint,) = changed
        for other in others:
            assert (other[..., paint] >= 0.69 * cut[..., boat] - 1).all()
            assert (other[..., boat] >= 0.69 * cut[..., paint] - 1).all()


def test_all_windows_of_a_table_are_degraded_together_unless_plain_ones_are_wanted(session, monkeypatch):
    seen = []
    monkeypatch.setattr(batches, "degrade", lambda _, windows: seen.append(sum(map(len, windows))))
    table = Sampler([session], board_cutter(), 0).table()
    assert seen == [len(table.examples) + len(table.answers)]
    Sampler([session], board_cutter(), 0, plainly=True).table()
    assert len(seen) == 1


def test_what_was_hard_is_drawn_more_often(session):
    """What is easy is not forgotten."""
    hard = [3, 17, 40, 41, 60, 77, 90, 111]
    told, untold = (Sampler([session], board_cutter(), 3) for _ in range(2))
    for _ in range(60):
        table = told.table()
        told.learn_of(table, np.where(np.isin(table.drawn[:, 2], hard), 3.0, 0.01))
    often, before = (np.concatenate([s.table().drawn[:, 2] for _ in range(20)]) for s in (told, untold))
    assert np.isin(often, hard).mean() > 1.5 * np.isin(before, hard).mean() > 0
    assert len(set(often) - set(hard)) > 40


def losses_of(table):
    """Some that depend on nothing but what was drawn."""
    return (table.drawn[:, 2] % 7).astype(np.float32)


def taken(session):
    """Fourteen batches of two tables, whose losses are told when they are asked for."""
    batches = []

    def told():
        return [losses_of(table) for table in batches[asked.pop(0)]]

    asked = list(range(14))
    for batch in itertools.islice(supply(Sampler([session], board_cutter(), 5), 2, told), 14):
        batches.append(batch)
    return batches


def test_the_same_seed_and_losses_give_the_same_batches(session):
    first, again = taken(session), taken(session)
    for one, other in zip(first, again, strict=True):
        for a, b in zip(one, other, strict=True):
            assert np.array_equal(a.drawn, b.drawn)
            assert np.array_equal(a.windows, b.windows)


def test_losses_count_from_the_batch_on_that_is_so_many_after(session):
    sampler = Sampler([session], board_cutter(), 5)
    untold = [[sampler.table() for _ in range(2)] for _ in range(14)]
    same = [
        all(np.array_equal(a.drawn, b.drawn) for a, b in zip(one, other, strict=True))
        for one, other in zip(taken(session), untold, strict=True)
    ]
    assert all(same[:AHEAD])
    assert not any(same[AHEAD + 1 :])


def _share_of_planes(windows, planes, inside):
    """Of each window how much each of the planes shows in the hex."""
    return np.stack([[w[..., p][w[..., inside] > 0.6].mean() for p in planes] for w in windows])


def test_a_packed_board_has_more_than_a_box_of_all_that_is_hard_to_learn():
    plan = BoardPlan.from_json(json.loads(BOARD_FILE.read_text()))
    rng = np.random.default_rng(5)
    layouts = [packed_layout(rng, plan) for _ in range(4)]
    crews: set[int] = set()
    for layout in layouts:
        hexes = {tuple(entry["hex"]): entry for entry in layout["hexes"]}
        assert set(hexes) <= set(plan.hexes)
        assert all(h in plan.island for h, entry in hexes.items() if "tile" in entry)
        assert len(hexes) > 90
        crews |= {sum(entry["boat"].values()) for entry in hexes.values() if "boat" in entry}
        assert max(sum(entry.get("explorers", {}).values()) for entry in hexes.values()) in {4, 5}
        for name in ("serpents", "sharks", "whales"):
            assert sum(entry.get(name, 0) for entry in hexes.values()) > 6
    assert crews == {0, 1, 2, 3, 4}  # a fourth can be squeezed in


FEET = np.array([[HEATMAPS.index("free blue"), 5.0, -7.0], [HEATMAPS.index("crew red"), -9.0, 3.0]])


@pytest.mark.parametrize("jitter", [Jitter(), Jitter(0.3, (1.5, -2.0), (1.1, 0.9), flip=True)])
@pytest.mark.parametrize("east", np.linspace(0.0, 3.2, 5))
def test_one_to_four_cells_that_touch_are_to_say_that_somebody_stands_there(east, jitter):
    """And those round them what they will; passengers do not stand on the land."""
    window = Window(LAND_FRAME, EYE, np.array([0.0, 0.0]), jitter)
    feet = FEET + np.array([0, east, 0.6 * east])
    maps = where_people_stand(feet, window)
    blue = maps[COLOURS.index("blue")]
    at = np.argwhere(blue == 1.0)
    assert 1 <= len(at) <= 4
    assert (np.ptp(at, axis=0) <= 1).all()
    foot = (window.pixels(feet[:1, 1:])[0] - (CELL - 1) / 2) / CELL
    assert np.linalg.norm(at - foot, axis=1).max() <= AT_FOOT
    unasked = np.argwhere(np.isnan(blue))
    assert np.linalg.norm(unasked - foot, axis=1).max(initial=0.0) <= NEAR_FOOT
    others = [maps[i] for i, colour in enumerate(COLOURS) if colour != "blue"]
    assert not np.any(others)


def test_where_nobody_stands_no_cell_says_so():
    maps = where_people_stand(np.zeros((0, 3)), Window(LAND_FRAME, EYE, np.zeros(2)))
    assert maps.shape == (len(COLOURS), LAND_FRAME.rows // CELL, LAND_FRAME.columns // CELL)
    assert not maps.any()
