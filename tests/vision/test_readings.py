"""Answers to single questions become contents that can be, and a board that the box can fill."""

import numpy as np
import pytest

from companion.rules.geometry import LANDS, load_board
from companion.rules.layout import COLOURS, EMPTY, TERRAINS, HexContent, Layout
from companion.vision.observation import LandEvidence, LandHypothesis, Observation
from companion.vision.questions import QUESTIONS
from companion.vision.readings import ALL_THERE, hex_evidence, hex_readings, land_evidence

BOARD = load_board()
SEA = next(h for h in BOARD.hexes if h not in BOARD.island)


def sure(**given):
    """Answers with certainty: by question the value of each slot, 0 if not given."""
    answers = {}
    for q in QUESTIONS:
        answers[q.name] = np.zeros((q.count, q.values), np.float32)
        for slot, value in enumerate(given.get(q.name, [0] * q.count)):
            answers[q.name][slot, value] = 1.0
    return answers


def stacked(*hexes):
    return {q.name: np.stack([h[q.name] for h in hexes]) for q in QUESTIONS}


def test_certain_answers_are_one_reading():
    answers = sure(boat=[1], crew=[1, 0, 0, 2], free=[0, 1, 0, 0], creatures=[0, 1, 0])
    (only,) = hex_readings(answers, island=False)
    assert only.content == HexContent(explorers={"blue": 1}, boat={"red": 1, "green": 2}, sharks=1)
    assert only.probability == pytest.approx(1.0)


def test_what_is_a_shark_or_a_whale_is_not_both_nor_nothing():
    answers = sure(creatures=[0, 1, 0])
    answers["creatures"][1] = [0.3, 0.7, 0, 0]
    answers["creatures"][2] = [0.7, 0.3, 0, 0]
    first, second, *_ = readings = hex_readings(answers, island=False)
    assert first.content == HexContent(sharks=1)
    assert first.probability == pytest.approx(0.7, abs=0.02)
    assert second.content == HexContent(whales=1)
    assert sum(r.probability for r in readings) == pytest.approx(1.0)


def test_what_is_a_shark_or_a_serpent_is_one_doubt_and_not_two():
    answers = sure(creatures=[0, 1, 0])
    answers["creatures"][0] = [0.98, 0.02, 0, 0]
    answers["creatures"][1] = [0.02, 0.98, 0, 0]
    first, second, *_ = hex_readings(answers, island=False)
    assert first.content == HexContent(sharks=1)
    assert (second.content, second.probability) == (HexContent(serpents=1), pytest.approx(0.02, abs=0.002))


@pytest.mark.parametrize("answered", [0.5, 0.8])
def test_a_single_doubt_whether_there_is_a_shark_is_as_large_as_answered(answered):
    answers = sure(creatures=[0, 1, 0])
    answers["creatures"][1] = [1 - answered, answered, 0, 0]
    first, second = hex_readings(answers, island=False)
    assert (first.content == HexContent(sharks=1)) or answered == 0.5
    assert first.probability == pytest.approx(answered)
    assert second.probability == pytest.approx(1 - answered)


def test_a_single_doubt_whether_somebody_swims_is_smaller_than_answered():
    answers = sure(free=[0, 1, 0, 0])
    answers["free"][1] = [0.2, 0.8, 0, 0, 0]
    first, second = hex_readings(answers, island=False)
    assert 0.8 < first.probability < 0.979
    assert second.probability == pytest.approx(1 - first.probability)


def test_a_tile_off_the_island_is_rather_an_error_and_read_where_it_is_certain():
    answers = sure(tile=[2])
    assert hex_readings(answers, island=False)[0].content == HexContent(tile="forest")
    answers["tile"][0] = [0.1, 0.0, 0.9, 0.0]
    assert hex_readings(answers, island=False)[0].content == EMPTY
    assert hex_readings(answers, island=True)[0].content == HexContent(tile="forest")


def test_passengers_without_a_boat_are_not_claimed_and_cost_nothing():
    answers = sure(crew=[1, 0, 0, 0])
    answers["boat"][0] = [0.9, 0.1]
    readings = hex_readings(answers, island=False)
    assert readings[0].content == EMPTY
    assert readings[0].probability == pytest.approx(0.9)
    assert readings[1].content == HexContent(boat={"red": 1})


def test_a_boat_rather_holds_three():
    answers = sure(boat=[1], crew=[2, 2, 0, 0])
    answers["crew"][1] = [0, 0.5, 0.5, 0]
    assert hex_readings(answers, island=False)[0].content == HexContent(boat={"red": 2, "blue": 1})


@pytest.mark.parametrize("island", [False, True])
def test_what_is_sure_is_put_together_as_everything_else(island):
    answers = sure(tile=[2] if island else [0], free=[1, 0, 2, 0], boat=[1], crew=[0, 1, 0, 2], creatures=[0, 1, 0])
    h = BOARD.island[0] if island else SEA
    found = {e.hex: e.hypotheses for e in hex_evidence(BOARD, (h,), stacked(answers), {})}[h]
    assert list(found) == hex_readings(answers, island=island)


def test_four_in_a_boat_that_are_seen_clearly_are_told():
    """It is against the rules (5.1), and people do it: the table has to hear of it."""
    evidence = hex_evidence(BOARD, (SEA,), stacked(sure(boat=[1], crew=[2, 2, 0, 0])), {})
    found = {e.hex: e.hypotheses for e in evidence}[SEA]
    assert found[0].content == HexContent(boat={"red": 2, "blue": 2})
    assert found[0].probability > 0.9


def test_a_creature_is_rather_a_mistake_than_on_land():
    answers = sure(tile=[1])
    answers["tile"][0] = [0.3, 0.7, 0, 0]
    answers["creatures"][1] = [0.1, 0.9, 0, 0]
    readings = hex_readings(answers, island=True)
    assert readings[0].content == HexContent(sharks=1)


def test_hexes_that_were_not_looked_at_are_bare_and_hidden_ones_are_not_vouched_for():
    read = (SEA,)
    other = BOARD.hexes[5]
    evidence = {e.hex: e for e in hex_evidence(BOARD, read, stacked(sure(boat=[1])), {other: "hand"})}
    assert list(evidence) == list(BOARD.hexes)
    assert evidence[SEA].hypotheses[0].content == HexContent(boat={})
    assert evidence[other].hidden == "hand"
    assert not evidence[other].hypotheses
    bare = [e for h, e in evidence.items() if h not in (SEA, other)]
    assert all(e.hypotheses[0].content == EMPTY and 0.99 < e.hypotheses[0].probability < 1 for e in bare)


def test_the_least_certain_serpent_becomes_something_else_when_six_are_read():
    hexes = [h for h in BOARD.hexes if h not in BOARD.island][:6]
    answers = [sure(creatures=[1, 0, 0]) for _ in hexes]
    answers[3]["creatures"][0] = [0.3, 0.7, 0, 0]
    answers[3]["creatures"][1] = [0.6, 0.4, 0, 0]
    answers[4]["creatures"][0] = [0.1, 0.9, 0, 0]
    found = {e.hex: e.hypotheses[0].content for e in hex_evidence(BOARD, hexes, stacked(*answers), {})}
    assert sum(c.serpents for c in found.values()) == 5
    assert found[hexes[3]] == HexContent(sharks=1)
    assert found[hexes[4]].serpents == 1


def with_serpents(sure_ones, *doubts, lowest="beach"):
    """The evidence of so many sure serpents, and by hex what is a shark but for that probability of a serpent."""
    hexes = [h for h in BOARD.hexes if h not in BOARD.island][: sure_ones + len(doubts)]
    answers = [sure(creatures=[1, 0, 0]) for _ in range(sure_ones)]
    for p in doubts:
        answers.append(sure(creatures=[0, 1, 0]))
        answers[-1]["creatures"][0, :2] = 1 - p, p
        answers[-1]["creatures"][1, :2] = p, 1 - p
    doubtful = hexes[sure_ones:]
    answers.append(sure(tile=[1 + TERRAINS.index(lowest)]))
    hexes.append(min(BOARD.island))
    return doubtful, stacked(*answers), hexes


def test_what_may_be_the_fifth_serpent_is_rather_that_than_another_creature():
    for p, is_serpent in ((0.15, True), (0.05, False)):
        (doubtful,), answers, hexes = with_serpents(4, p)
        found = {e.hex: e.hypotheses for e in hex_evidence(BOARD, hexes, answers, {})}
        assert found[doubtful][0].content == (HexContent(serpents=1) if is_serpent else HexContent(sharks=1))
        alone = {e.hex: e.hypotheses for e in hex_evidence(BOARD, hexes, answers, {BOARD.hexes[100]: "glare"})}
        assert alone[doubtful][0].content == HexContent(sharks=1)  # the fifth may be where nobody sees it
        both = (found, alone)
        by_content = [{(r.content.serpents, r.content.sharks): r.probability for r in of[doubtful]} for of in both]
        now, before = (of[1, 0] / of[0, 1] for of in by_content)
        assert now == pytest.approx(ALL_THERE[0] * before)
        for lowest, factor in (("forest", ALL_THERE[1]), ("mountain", ALL_THERE[2])):
            _, answers, hexes = with_serpents(4, p, lowest=lowest)
            late = {e.hex: e.hypotheses for e in hex_evidence(BOARD, hexes, answers, {})}
            of_late = {(r.content.serpents, r.content.sharks): r.probability for r in late[doubtful]}
            assert of_late[1, 0] / of_late[0, 1] == pytest.approx(factor * before), "whirlpools take some (6.4)"
        assert sum(r.probability for r in found[doubtful]) == pytest.approx(1)
        probabilities = [r.probability for r in found[doubtful]]
        assert probabilities == sorted(probabilities, reverse=True)


def test_two_that_may_be_the_serpents_that_are_missing_are_so_together():
    for p, are_serpents in ((0.3, True), (0.2, False)):
        doubtful, answers, hexes = with_serpents(3, p, p)
        found = {e.hex: e.hypotheses[0].content for e in hex_evidence(BOARD, hexes, answers, {})}
        assert {found[h].serpents for h in doubtful} == {int(are_serpents)}


@pytest.mark.parametrize("sure_ones", [5, 3])
def test_who_may_be_a_serpent_is_none_where_all_five_are_there_or_more_are_missing(sure_ones):
    (doubtful,), answers, hexes = with_serpents(sure_ones, 0.3)
    hiding = {}, {BOARD.hexes[100]: "glare"}
    found, alone = ({e.hex: e.hypotheses for e in hex_evidence(BOARD, hexes, answers, by)} for by in hiding)
    seen, unknown = found[doubtful][0], alone[doubtful][0]
    assert seen.content == unknown.content == HexContent(sharks=1)
    if sure_ones == 5:
        assert seen.probability > 0.95
        assert unknown.probability > 0.95, "the box holds no more, whatever is hidden"
    else:
        assert seen.probability == pytest.approx(unknown.probability)


def with_tiles(beaches, forests, mountains, *, tile, hidden=None):
    """The readings of one more tile than so many sure ones: `tile` is how probably it is sea and which terrain."""
    laid = [1] * beaches + [2] * forests + [3] * mountains
    answers = [sure(tile=[kind]) for kind in laid] + [sure()]
    answers[-1]["tile"][0] = tile
    hexes = sorted(BOARD.island)[: len(answers)]
    by = {hidden: "glare"} if hidden else {}
    return {e.hex: e.hypotheses for e in hex_evidence(BOARD, hexes, stacked(*answers), by)}[hexes[-1]]


@pytest.mark.parametrize(
    ("island", "tile", "other"),
    [
        ((10, 16, 8), "beach", "mountain"),
        ((10, 16, 7), "mountain", "beach"),
        ((10, 15, 8), "forest", "beach"),
        ((0, 3, 8), "forest", "beach"),
        ((0, 0, 3), "mountain", "forest"),
    ],
)
def test_a_tile_that_may_be_of_two_terrains_is_rather_of_that_which_can_be_there(island, tile, other):
    """16 forests and 8 mountains stay until the last beach has sunk, the mountains until the last forest (6.1)."""
    for likely in (0.3, 0.8):
        shares = {tile: likely, other: 1 - likely}
        first, *_ = with_tiles(*island, tile=[0.0, *(shares.get(terrain, 0.0) for terrain in TERRAINS)])
        assert first.content.tile == tile
        assert first.probability > likely


@pytest.mark.parametrize(("sea", "is_sea"), [(0.7, False), (0.95, True)])
def test_a_forest_that_has_rather_surely_sunk_before_the_last_beach_is_told(sea, is_sea):
    first, *_ = with_tiles(10, 15, 8, tile=[sea, 0.0, 1 - sea, 0.0])
    assert (first.content == EMPTY) == is_sea


def test_the_first_tile_that_is_laid_out_is_seen():
    first, *_ = with_tiles(0, 0, 0, tile=[0.1, 0.9, 0.0, 0.0])
    assert first.content == HexContent(tile="beach")


def test_what_is_hidden_at_sea_says_nothing_of_tiles_and_what_is_on_the_island_may_be_any():
    doubt = [0.0, 0.8, 0.0, 0.2]
    told = [with_tiles(10, 16, 7, tile=doubt, hidden=h)[0].content.tile for h in (None, SEA, max(BOARD.island))]
    assert told == ["mountain", "mountain", "beach"]


def test_more_serpents_than_the_box_holds_are_less_probable():
    (doubtful,), answers, hexes = with_serpents(5, 0.6)
    first, *_ = {e.hex: e.hypotheses for e in hex_evidence(BOARD, hexes, answers, {})}[doubtful]
    assert first.content == HexContent(sharks=1)


def test_what_may_be_any_creature_is_each_as_probably_as_it_was_said():
    answers = sure()
    answers["creatures"][:, :2] = (0.5, 0.5), (0.7, 0.3), (0.8, 0.2)
    found = hex_readings(answers, island=False)
    for name, said in (("serpents", 0.5), ("sharks", 0.3), ("whales", 0.2)):
        assert sum(r.probability for r in found if getattr(r.content, name)) == pytest.approx(said, abs=0.02)
    assert found[0].content == HexContent(serpents=1)


def test_all_kinds_that_are_too_many_are_limited():
    sea = [h for h in BOARD.hexes if h not in BOARD.island][:20]
    answers = [sure(boat=[1]) for _ in sea[:13]] + [sure(creatures=[0, 0, 1]) for _ in sea[13:19]]
    answers[2]["boat"][0] = [0.4, 0.6]
    answers[15]["creatures"][2] = [0.4, 0.6, 0, 0]
    found = {e.hex: e.hypotheses[0].content for e in hex_evidence(BOARD, sea[:19], stacked(*answers), {})}
    assert sum(c.boat is not None for c in found.values()) == 12
    assert sum(c.whales for c in found.values()) == 5
    assert found[sea[2]] == found[sea[15]] == EMPTY


def test_who_is_struck_out_is_no_surer_to_be_nobody_than_the_others_are():
    """Eleven may be red and one of them is not: nobody knows which."""
    sea = [h for h in BOARD.hexes if h not in BOARD.island][:11]
    answers = [sure(free=[1, 0, 0, 0]) for _ in sea]
    for answer in answers:
        answer["free"][0] = [0.3, 0.7, 0, 0, 0]
    found = [e.hypotheses for e in hex_evidence(BOARD, sea, stacked(*answers), {}) if e.hex in sea]
    assert sum(bool(first.content.explorers) for first, *_ in found) == 10
    ((claim, *others),) = (readings for readings in found if not readings[0].content.explorers)
    assert sum(r.probability for r in (claim, *others)) == pytest.approx(1.0)
    alike = {round(r.probability, 6) for readings in found for r in readings if r.content == claim.content}
    assert alike == {round(claim.probability, 6)}
    assert others[0].content.explorers == {"red": 1}
    assert others[0].probability > claim.probability, "it is probably one, but not all of them can be"


def eleven_red(doubt, ashore=0):
    """The reading of a hex of which alone it is doubted that somebody red is there; ten others are, `ashore` of them on
    a safe land."""
    sea = [h for h in BOARD.hexes if h not in BOARD.island][: 11 - ashore]
    answers = [sure(free=[1, 0, 0, 0]) for _ in sea]
    answers[0]["free"][0] = [doubt, 1 - doubt, 0, 0, 0]
    land = LandEvidence("nw", (LandHypothesis({"red": ashore}, 0.99),))
    found = hex_evidence(BOARD, sea, stacked(*answers), {}, [land] if ashore else [])
    return next(e.hypotheses[0] for e in found if e.hex == sea[0])


@pytest.mark.parametrize("ashore", [0, 5, 10])
def test_who_alone_is_doubted_is_not_surely_the_one_too_many(ashore):
    """The ten others are claimed without a doubt, but may be wrong, too."""
    found = eleven_red(0.3, ashore)
    assert not found.content.explorers
    assert 0.5 < found.probability < 0.95


def test_who_is_doubted_no_more_than_anybody_stays_where_the_box_has_no_more():
    found = eleven_red(0.005)
    assert found.content.explorers == {"red": 1}
    assert found.probability > 0.99


def test_who_may_stand_on_a_safe_land_casts_no_more_doubt_than_that():
    """Ten are red at sea, and a foot on a land may be red, too."""
    sea = [h for h in BOARD.hexes if h not in BOARD.island][:10]
    answers = [sure(free=[1, 0, 0, 0]) for _ in sea]
    for answer in answers:
        answer["free"][0] = [0.02, 0.98, 0, 0, 0]

    def least(*readings):
        land = LandEvidence("nw", tuple(LandHypothesis(counts, p) for counts, p in readings))
        found = hex_evidence(BOARD, sea, stacked(*answers), {}, [land])
        return min(e.hypotheses[0].probability for e in found if e.hex in sea)

    nobody, somebody, doubtful = (
        least(({}, 1.0)),
        least(({"red": 1}, 1.0)),
        least(({"red": 1}, 0.55), ({}, 0.45)),
    )
    assert somebody < doubtful < nobody
    assert nobody - doubtful < 0.1 * (nobody - somebody) + 0.01


def test_serpents_that_were_weighed_with_the_board_are_not_weighed_again(monkeypatch):
    (doubtful,), answers, hexes = with_serpents(5, 0.6)
    found = {e.hex: e.hypotheses for e in hex_evidence(BOARD, hexes, answers, {})}[doubtful]
    monkeypatch.setattr("companion.vision.box.weigh", lambda *_: None)
    alone = {e.hex: e.hypotheses for e in hex_evidence(BOARD, hexes, answers, {})}[doubtful]
    assert found == alone


def test_who_is_taken_back_is_claimed_to_be_the_next_that_has_less_of_it():
    """Seven sharks; of the last it is less doubted whether a shark is there than what is with it."""
    sea = [h for h in BOARD.hexes if h not in BOARD.island][:7]
    answers = [sure(creatures=[0, 1, 0]) for _ in sea]
    answers[6]["creatures"][1] = [0.25, 0.75, 0, 0]
    answers[6]["creatures"][2] = [0.6, 0.4, 0, 0]
    found = {e.hex: e.hypotheses for e in hex_evidence(BOARD, sea, stacked(*answers), {})}
    claim, *_ = found[sea[6]]
    assert claim.content.sharks == 0
    assert all(found[h][0].content.sharks == 1 for h in sea[:6])


def test_explorers_on_safe_lands_count_for_what_the_box_holds():
    hexes = [h for h in BOARD.hexes if h not in BOARD.island][:4]
    answers = [sure(free=[3, 0, 0, 0]) for _ in hexes[:3]] + [sure(free=[1, 0, 0, 0])]
    answers[3]["free"][0] = [0.4, 0.6, 0, 0, 0]
    for ashore, red in (({}, 1), ({"red": 1}, 0)):
        land = LandEvidence("nw", (LandHypothesis(ashore, 0.99),))
        found = {e.hex: e.hypotheses[0].content for e in hex_evidence(BOARD, hexes, stacked(*answers), {}, [land])}
        assert found[hexes[3]].explorers.get("red", 0) == red


def test_certain_pieces_stay_even_if_the_box_has_no_more():
    """The table is to hear of it, rather than the camera to make something up."""
    hexes = [h for h in BOARD.hexes if h not in BOARD.island][:6]
    found = hex_evidence(BOARD, hexes, stacked(*[sure(creatures=[1, 0, 0])] * 6), {})
    assert sum(e.hypotheses[0].content.serpents for e in found) == 6


def land_maps():
    return np.full((4, len(COLOURS), 32, 32), 0.001, np.float32), np.ones((4, 32, 32), bool)


def test_each_peak_on_a_safe_land_is_an_explorer():
    maps, inside = land_maps()
    red, blue = COLOURS.index("red"), COLOURS.index("blue")
    maps[1, red, 5, 5] = 0.95
    maps[1, red, 5, 6] = 0.8  # the same one
    maps[1, red, 20, 20] = 0.9
    maps[1, blue, 12, 12] = 0.3
    land = {e.land: e for e in land_evidence(maps, inside, {})}[LANDS[1]]
    assert land.hypotheses[0].explorers == {"red": 2}
    others = {tuple(h.explorers.items()): h.probability for h in land.hypotheses[1:]}
    assert others[(("red", 2), ("blue", 1))] == pytest.approx(land.hypotheses[0].probability * 0.3 / 0.7, rel=0.02)


def test_a_foot_may_be_of_any_colour_that_is_likely_there():
    maps, inside = land_maps()
    green, blue = COLOURS.index("green"), COLOURS.index("blue")
    maps[0, green, 5, 5] = 0.6
    maps[0, blue, 5, 6] = 0.2
    first, *others = land_evidence(maps, inside, {})[0].hypotheses
    assert first.explorers == {"green": 1}
    assert first.probability == pytest.approx(0.74, abs=0.02)
    told = {tuple(h.explorers.items()): h.probability for h in others}
    assert told[()] == pytest.approx(0.18, abs=0.02)
    assert told[(("blue", 1),)] == pytest.approx(0.08, abs=0.02)


def test_feet_on_hexes_are_not_on_the_safe_land():
    maps, inside = land_maps()
    maps[0, 0, 5, 5] = 0.9
    inside[0, :10] = False
    first, *_ = land_evidence(maps, inside, {"se": "hand"})
    assert first.hypotheses[0].explorers == {}


def test_of_a_land_under_a_hand_counts_what_is_seen_but_not_of_one_beyond_the_picture():
    maps, inside = land_maps()
    maps[LANDS.index("se"), 0, 5, 5] = 0.9
    under, beyond = (land_evidence(maps, inside, {"se": by})[-1] for by in ("hand", "edge"))
    assert (under.hidden, under.hypotheses[0].explorers) == ("hand", {"red": 1})
    assert beyond == LandEvidence("se", hidden="edge")
    layout = Observation(0, 0.0, (), (under, beyond)).layout()
    assert layout == Layout(safe={"se": {"red": 1}})
    guessed = LandEvidence("nw", (LandHypothesis({"red": 1}, 0.4), LandHypothesis({}, 0.3)), "hand")
    assert Observation(0, 0.0, (), (guessed,)).layout() == Layout()
