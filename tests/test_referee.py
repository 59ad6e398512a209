"""The referee protocol, driven line by line as a screen or a test would."""

import io
import json
import random

import pytest

from companion.referee import Referee, main

ANN_AND_BO = [{"name": "Ann", "colours": ["red"]}, {"name": "Bo", "colours": ["blue"]}]
NEW = {"cmd": "new", "edition": "anniversary", "players": ANN_AND_BO, "seed": 7}


def ask(referee, **command):
    return referee.answer(json.dumps(command))


def ok(referee, **command):
    answer = ask(referee, **command)
    assert answer["ok"], answer
    return answer


def playing(**changes):
    referee = Referee()
    ok(referee, **{**NEW, **changes})
    return referee


def position_of(referee, **viewer):
    return ok(referee, cmd="position", **viewer)["position"]


def play(referee, rng, plies, until=None):
    """Random legal actions; the answers to `apply`."""
    answers = []
    for _ in range(plies):
        actions = ok(referee, cmd="legal")["actions"]
        if not actions or (until and position_of(referee)["phase"] == until):
            break
        answers.append(ok(referee, cmd="apply", action=rng.choice(actions)))
    return answers


def test_a_whole_game_to_its_winners():
    referee = playing()
    play(referee, random.Random(1), 2000)
    position = position_of(referee)
    while position["phase"] == "scoring":
        rescued = {}
        for land in position["layout"]["safe"].values():
            for colour, count in land.items():
                rescued[colour] = rescued.get(colour, 0) + count
        colour = next(c for c in rescued if c not in position["scores"])
        values = [1, 1, 1, 2, 2, 3, 3, 4, 5, 6][: rescued[colour]]
        ok(referee, cmd="apply", action={"type": "score", "colour": colour, "values": values})
        position = position_of(referee)
    assert position["phase"] == "over"
    assert position["winners"]


def test_the_same_seed_gives_the_same_game():
    games = [playing(), playing(), playing(seed=8)]
    told = [json.dumps(play(game, random.Random(3), 300)) for game in games]
    assert told[0] == told[1] != told[2]


def test_without_a_seed_games_differ():
    layouts = []
    for _ in range(2):
        referee = Referee()
        ok(referee, cmd="new", edition="anniversary", players=ANN_AND_BO)
        layouts.append(json.dumps(position_of(referee)["layout"]))
    assert layouts[0] != layouts[1]


def test_new_takes_the_tiles_of_a_layout_and_reads_nothing_else_of_it():
    layout = position_of(playing())["layout"]
    for cell in layout["hexes"]:
        cell["explorers"] = {"purple": "many"}
    layout["safe"] = layout["unknown"] = None
    layout["hexes"].append({"hex": "nowhere", "sharks": 3})
    again = position_of(playing(seed=99, layout=layout))
    assert again["layout"] == position_of(playing())["layout"]


@pytest.mark.parametrize(
    "changes",
    [
        {"edition": "classic-1986"},
        {"edition": None},
        {"players": ANN_AND_BO[:1]},
        {"players": [ANN_AND_BO[0]] * 2},
        {"players": "Ann and Bo"},
        {"players": [{"name": "Ann", "colours": ["purple"]}, ANN_AND_BO[1]]},
        {"players": [{"name": "\ud800", "colours": ["red"]}, ANN_AND_BO[1]]},
        {"options": {"last_survivor": True, "atlantis_sinks": True}},
        {"options": {"overpopulated": True}},
        {"options": {"boats_per_player": 7}},
        {"options": {"boats_per_player": True}},
        {"options": None},
        {"seed": "seven"},
        {"seed": None},
        {"seed": True},
        {"layout": {"hexes": []}},
        {"layout": None},
        {"layout": {"hexes": [{"hex": [0, 0], "tile": "beach"}]}},
        {"layout": {"hexes": [{"hex": [1, 0], "tile": "swamp"}]}},
        {"layout": {"hexes": [{"hex": [1, 0], "tile": ["beach"]}]}},
        {"layout": {"hexes": [{"hex": [1, 0], "tile": "beach"}] * 2}},
        {"layout": {"hexes": [{"hex": [1, None], "tile": "beach"}]}},
    ],
)
def test_new_refuses_what_2_1_2_2_and_12_forbid(changes):
    referee = playing()
    before = position_of(referee)
    answer = ask(referee, **{**NEW, **changes})
    assert answer["error"] == "bad_command", answer
    assert position_of(referee) == before


def test_load_of_a_position_plays_on_the_same():
    referee, rng = playing(), random.Random(5)
    play(referee, rng, 120)
    other = Referee()
    ok(other, cmd="load", position=position_of(referee))
    assert position_of(other) == position_of(referee)
    assert sorted(map(str, ok(other, cmd="legal")["actions"])) == sorted(map(str, ok(referee, cmd="legal")["actions"]))


def test_undo_any_number_of_times_down_to_the_start():
    referee = playing()
    first = position_of(referee)
    seen = []
    for _ in range(70):
        seen.append(position_of(referee))
        play(referee, random.Random(len(seen)), 1)
    for position in reversed(seen):
        ok(referee, cmd="undo")
        assert position_of(referee) == position
    assert ask(referee, cmd="undo")["error"] == "bad_command"
    assert position_of(referee) == first


def test_an_illegal_action_names_the_rule_and_changes_nothing():
    referee = playing()
    before = position_of(referee)
    answer = ask(referee, cmd="apply", action={"type": "place_explorer", "colour": "red", "hex": [0, 0]})
    assert (answer["ok"], answer["error"], answer["rule"]) == (False, "illegal", "2.3")
    assert "G6" in answer["message"]
    assert ask(referee, cmd="apply", action={"type": "roll"})["rule"] == "3"
    assert position_of(referee) == before
    assert ask(referee, cmd="undo")["error"] == "bad_command"


def test_before_a_game_there_is_none():
    for command in (
        {"cmd": "position"},
        {"cmd": "legal"},
        {"cmd": "apply", "action": {"type": "roll"}},
        {"cmd": "undo"},
    ):
        assert ask(Referee(), **command)["error"] == "no_game"


def test_a_viewer_sees_the_own_hand_and_of_others_the_number():
    referee, rng = playing(), random.Random(2)
    while not all(position_of(referee)["hands"]):
        assert play(referee, rng, 1)
    whole, seen = position_of(referee), position_of(referee, viewer=1)
    assert "backs" not in seen
    assert seen["hands"] == [{"count": len(whole["hands"][0])}, whole["hands"][1]]
    assert ask(referee, cmd="load", position=seen)["error"] == "bad_position"
    for viewer in (2, -1, True, "1", None, 1.0):
        assert ask(referee, cmd="position", viewer=viewer)["error"] == "bad_command"


def test_forced_outcomes():
    referee, rng = playing(), random.Random(2)
    play(referee, rng, 2000, until="sink")
    hexagon = ok(referee, cmd="legal")["actions"][0]["hex"]
    told = []
    for back in ("dolphin", "wind"):
        answer = ok(referee, cmd="apply", action={"type": "sink_tile", "hex": hexagon, "back": back})
        assert position_of(referee)["hands"][0] == [back]
        told.append(answer["events"])
        ok(referee, cmd="undo")
    assert told[0] == told[1]
    assert ask(referee, cmd="apply", action={"type": "sink_tile", "hex": hexagon, "back": "volcano"})["rule"] == "1.3"
    ok(referee, cmd="apply", action={"type": "sink_tile", "hex": hexagon, "back": "dolphin"})
    ok(referee, cmd="apply", action={"type": "roll", "face": "serpent"})
    assert position_of(referee)["die"] == "serpent"


def test_with_printed_backs_the_back_comes_in_reveal():
    referee, rng = playing(options={"backs": "printed"}), random.Random(2)
    play(referee, rng, 2000, until="sink")
    hexagon = ok(referee, cmd="legal")["actions"][0]["hex"]
    sink = {"type": "sink_tile", "hex": hexagon}
    assert ask(referee, cmd="apply", action={**sink, "back": "wind"})["error"] == "bad_action"
    ok(referee, cmd="apply", action=sink)
    assert position_of(referee)["phase"] == "reveal"
    ok(referee, cmd="apply", action={"type": "reveal", "back": "wind"})
    assert position_of(referee)["hands"][0] == ["wind"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "bad_json"),
        ("{", "bad_json"),
        ("NaN", "bad_json"),
        ('{"cmd": Infinity}', "bad_json"),
        ("[" * 100_000, "bad_json"),
        ('{"a":' * 50_000, "bad_json"),
        ("9" * 10_000, "bad_json"),
        (b"\xff\xfe{}", "bad_json"),
        (b'{"cmd": "\xff"}', "bad_json"),
        ("\ufeff{}", "bad_json"),
        ("null", "bad_command"),
        ("[]", "bad_command"),
        ("{}", "bad_command"),
        ('{"cmd": null}', "bad_command"),
        ('{"cmd": ["new"]}', "bad_command"),
        ('{"cmd": "\\ud800"}', "bad_command"),
        ('{"cmd": "castle"}', "bad_command"),
        ('{"cmd": "load"}', "bad_position"),
        ('{"cmd": "load", "position": "\\udfff"}', "bad_position"),
        ('{"cmd": "apply"}', "bad_action"),
        ('{"cmd": "apply", "action": {"type": "roll", "face": 1e999}}', "bad_action"),
        ('{"cmd": "apply", "action": {"type": "sink_tile", "hex": [1e5, 0]}}', "bad_action"),
    ],
)
def test_bad_lines(line, code):
    assert playing().answer(line)["error"] == code


def run(lines):
    """The answers of the program to these bytes."""
    out = io.StringIO()
    assert main(io.TextIOWrapper(io.BytesIO(lines), encoding="utf-8"), out) == 0
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_the_program_answers_every_line_until_quit():
    lines = [json.dumps(NEW), "", "garbage", '{"cmd": "legal"}', '{"cmd": "quit"}', '{"cmd": "legal"}']
    answers = run("\n".join(lines).encode())
    assert [answer["ok"] for answer in answers] == [True, False, False, True, True]
    assert len(run(json.dumps(NEW).encode())) == 1


def garbled(rng, text):
    """The line with a few bytes changed, cut or doubled."""
    data = bytearray(text.encode())
    for _ in range(rng.randint(1, 4)):
        where = rng.randrange(len(data))
        kind = rng.randrange(4)
        if kind == 0:
            data[where] = rng.randrange(256)
        elif kind == 1:
            del data[where : where + rng.randrange(12)]
        elif kind == 2:
            data[where:where] = data[where : where + rng.randrange(12)]
        else:
            data[where:where] = rng.choice([b"null", b"-1", b"1e400", b"[]", b"{}", b'"\\ud800"', b"true", b"9" * 40])
        data = data or bytearray(b" ")
    return bytes(data).replace(b"\n", b" ")


@pytest.mark.parametrize("seed", range(4))
def test_garbage_never_ends_the_program_and_changes_nothing(seed, capsys):
    referee, rng = playing(), random.Random(f"fuzz {seed}")
    play(referee, rng, rng.randrange(40, 200))
    position = position_of(referee)
    actions = ok(referee, cmd="legal")["actions"] or [{"type": "roll"}]
    for _ in range(400):
        command = rng.choice(
            [
                {"cmd": "apply", "action": rng.choice(actions)},
                {"cmd": "load", "position": position},
                {"cmd": "position", "viewer": 1},
                {**NEW, "options": {"defence": "moved"}},
            ]
        )
        before = position_of(referee)
        answer = referee.answer(garbled(rng, json.dumps(command)))
        if answer["ok"]:
            if answer.get("events") is not None:
                ok(referee, cmd="undo")
            elif "position" not in answer:
                ok(referee, cmd="load", position=position)
        else:
            assert answer["error"] in ("bad_json", "bad_command", "bad_position", "bad_action", "illegal")
            assert ("rule" in answer) == (answer["error"] == "illegal")
            assert position_of(referee) == before
        assert json.dumps(answer).isascii()
    assert capsys.readouterr().err == "", "a fault of the program, not of the line"


def values_in(rng, data):
    """The same JSON with one value somewhere exchanged for an odd one."""
    odd = [None, True, -1, 10**30, 1.5, "", "\udc80", [], {}, [[]], {"red": 1}, "red", [0, 0], [99, 99]]
    if isinstance(data, dict) and data and rng.random() < 0.9:
        key = rng.choice(sorted(data))
        return {**data, key: values_in(rng, data[key])}
    if isinstance(data, list) and data and rng.random() < 0.9:
        at = rng.randrange(len(data))
        return [*data[:at], values_in(rng, data[at]), *data[at + 1 :]]
    return rng.choice(odd)


@pytest.mark.parametrize("seed", range(4))
def test_odd_values_anywhere_are_answered(seed, capsys):
    referee, rng = playing(), random.Random(f"odd {seed}")
    play(referee, rng, rng.randrange(40, 200))
    position = position_of(referee)
    for _ in range(500):
        loaded = Referee()
        if ask(loaded, cmd="load", position=values_in(rng, position))["ok"]:
            actions = ok(loaded, cmd="legal")["actions"]
            if actions:
                ask(loaded, cmd="apply", action=values_in(rng, rng.choice(actions)))
                ok(loaded, cmd="apply", action=rng.choice(actions))
    assert capsys.readouterr().err == "", "a fault of the program, not of the line"
