"""`companion track`: a line a picture, then the position; bad files and pictures are named."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from calibration import PictureError, save_calibration
from companion.cli import track
from companion.cli.program import main
from companion.rules import Options, decode_position, encode_position
from companion.rules.actions import SinkTile
from companion.rules.layout import HexContent, Layout
from companion.vision.observation import Blurred, NotSeen
from tests.table.helpers import BOARD, Camera, random_game
from tests.table.test_facts import facts_of, played


@pytest.fixture
def table(table_calibration, tmp_path, monkeypatch):
    """Files of a game; the pictures are seen by a good recogniser, and `torn.jpg` is no picture."""
    game = random_game(5, options=Options(backs="dealt"))
    first = next(i for i in range(40, len(game)) if isinstance(game[i][1], SinkTile))
    actions, after = played(game, first, 2)
    save_calibration(tmp_path / "table.json", table_calibration)
    (tmp_path / "position.json").write_text(json.dumps(encode_position(game[first][0])))
    facts = [{"type": f.type, **({"back": f.back} if f.back else {"face": f.face})} for f in facts_of(actions)]
    given = [
        json.dumps({"before": f"{name}.jpg", "actions": facts}) for name in ("after", "odd_after", "illegal_after")
    ]
    (tmp_path / "given.jsonl").write_text("\n".join(given))
    camera = Camera(1, doubt=0.0)
    before = game[first][0].layout()
    sunk = actions[0].hex
    taken = msgspec.structs.replace(before.at(sunk), tile=None)
    layouts = {"before": before, "after": after.layout(), "taken": Layout({**before.hexes, sunk: taken}, before.safe)}
    mountain = next(h for h, content in before.hexes.items() if content.tile == "mountain")
    not_yet = msgspec.structs.replace(before.at(mountain), tile=None)  # 6.1: the beaches come first
    layouts["illegal"] = Layout({**before.hexes, mountain: not_yet}, before.safe)
    layouts["illegal_after"] = Layout({**after.layout().hexes, mountain: not_yet}, after.layout().safe)
    bare = next(h for h in reversed(BOARD.hexes) if h not in before.hexes and h not in after.layout().hexes)
    stray = {bare: HexContent(explorers={"blue": 1})}
    for odd, name in (("odd", "before"), ("odd_after", "after")):
        layouts[odd] = Layout({**layouts[name].hexes, **stray}, layouts[name].safe)

    strange = {h: HexContent(sharks=1) for h in BOARD.hexes if h not in before.hexes}
    layouts["another"] = Layout({**before.hexes, **dict(list(strange.items())[:8])}, before.safe)

    for name in layouts:
        (tmp_path / f"{name}.jpg").touch()

    def trace(self, path: Path):
        if path.stem not in layouts:
            raise PictureError(f"{path}: the picture is damaged.")
        return SimpleNamespace(observation=camera.look(layouts[path.stem]))

    monkeypatch.setattr(track.PictureReader, "trace", trace)
    return SimpleNamespace(folder=tmp_path, after=after, actions=actions)


def run(table, *pictures, given="given.jsonl", position="position.json", seed="1"):
    words = ["--calibration", table.folder / "table.json", "--position", table.folder / position]
    words += ["--given", table.folder / given] if given else ["--seed", seed]
    return main(["track", *map(str, words), *(str(table.folder / p) for p in pictures)])


def lines(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_picture_has_its_line_and_the_position_ends_it(table, capsys):
    assert run(table, "before.jpg", "after.jpg") == 0
    nothing, something, last = lines(capsys)
    assert (nothing["status"], nothing["actions"]) == ("explained", [])
    assert something["picture"].endswith("after.jpg")
    assert (something["status"], something["rule"], something["hexes"]) == ("explained", None, [])
    assert [a["type"] for a in something["actions"]] == ["sink_tile", "roll"]
    assert decode_position(last["position"]).layout() == table.after.layout()


@pytest.mark.parametrize(("seed", "back"), [("1", "whale"), ("3", "shark")])
def test_without_facts_the_program_draws_and_rolls_itself(table, capsys, seed, back):
    """The shark meets a swimmer: nobody defends, as nobody can be asked."""
    assert run(table, "before.jpg", "taken.jpg", given=None, seed=seed) == 0
    _, something, last = lines(capsys)
    sinking, *_, roll = something["actions"]
    assert (sinking["type"], sinking["back"], roll["type"]) == ("sink_tile", back, "roll")
    assert roll["face"] == last["position"]["die"]


def test_what_the_first_picture_misreads_stays_misread_until_it_changes(table, capsys):
    """It shows the position: a contradiction there is the recogniser's, not the people's."""
    assert run(table, "odd.jpg", "odd.jpg", "odd_after.jpg", "before.jpg") == 0
    first, second, third, fourth, _ = lines(capsys)
    assert [line["status"] for line in (first, second, third)] == ["explained"] * 3
    assert [a["type"] for a in third["actions"]] == ["sink_tile", "roll"]
    assert fourth["status"] == "contradiction"  # the tile is back: that is nobody's misreading


def test_a_first_picture_of_another_table_is_not_taken_for_this_one(table, capsys):
    assert run(table, "another.jpg", "another.jpg") == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["status"] for line in out.splitlines()[:2]] == ["contradiction", "contradiction"]
    assert "misread" not in err


def test_what_the_first_picture_shows_otherwise_than_the_position_is_named(table, capsys):
    assert run(table, "odd.jpg", "before.jpg") == 0
    (line,) = (line for line in capsys.readouterr().err.splitlines() if "misread" in line)
    assert "odd.jpg: " in line
    assert "position.json" in line
    run(table, "before.jpg", "after.jpg")
    assert "misread" not in capsys.readouterr().err


def test_a_complaint_without_a_rule_says_what_to_do(table, capsys):
    run(table, "before.jpg", "odd.jpg")
    _, complaint, _ = lines(capsys)
    assert complaint["rule"] is None
    assert len(complaint["way_back"]) == 1
    assert complaint["message"] == complaint["way_back"][0]
    assert complaint["message"].startswith("Take an explorer out of the sea at ")


@pytest.mark.parametrize(
    ("registration", "why"), [(NotSeen(), "unregistered"), (Blurred(0.1), "blurred")], ids=["not found", "blurred"]
)
def test_where_the_board_is_read_in_no_picture_it_is_said_what_to_do(table, capsys, monkeypatch, registration, why):
    told = {
        "unregistered": "table.json: the board is found in none of the pictures.",
        "blurred": "companion track: None of the pictures is sharp: wipe the lens,",
    }
    seen = msgspec.structs.replace(Camera(1).look(Layout({}, {})), registration=registration)
    monkeypatch.setattr(track.PictureReader, "trace", lambda *_: SimpleNamespace(observation=seen))
    assert run(table, "before.jpg", "after.jpg") == 1
    out, err = capsys.readouterr()
    assert [json.loads(line).get("why") for line in out.splitlines()] == [why, why, None]
    assert told[why] in err


@pytest.mark.parametrize("given", ["given.jsonl", None])
def test_where_no_picture_can_be_concluded_from_it_is_said_what_to_do(table, capsys, monkeypatch, given):
    """As by a calibration of another table: in another light most of the board is taken for hands."""
    strange = {h: HexContent(sharks=1) for h in BOARD.hexes[:9]}
    seen = iter([Camera(1).look(Layout(strange, {}), hidden=dict.fromkeys(BOARD.hexes[20:], "hand")) for _ in range(2)])
    monkeypatch.setattr(track.PictureReader, "trace", lambda *_: SimpleNamespace(observation=next(seen)))
    assert run(table, "before.jpg", "after.jpg", given=given) == 1
    out, err = capsys.readouterr()
    assert [json.loads(line).get("why") for line in out.splitlines()] == ["hand", "hand", None]
    assert "table.json: nothing can be concluded from any of the pictures: " in err
    assert "calibrate that one" in err
    assert "misread" not in err, "nothing is learnt from a picture with a hand in it"


def test_a_hand_in_some_of_the_pictures_is_waited_out(table, capsys, monkeypatch):
    layout = decode_position(json.loads((table.folder / "position.json").read_text())).layout()
    camera = Camera(1, doubt=0.0)
    seen = iter([camera.look(layout, hidden={BOARD.hexes[0]: "hand"}), camera.look(layout)])
    monkeypatch.setattr(track.PictureReader, "trace", lambda *_: SimpleNamespace(observation=next(seen)))
    assert run(table, "before.jpg", "after.jpg", given=None) == 0
    assert [line["status"] for line in lines(capsys)[:2]] == ["waiting", "explained"]


def test_without_facts_printed_backs_cannot_be_followed(table, capsys):
    position = encode_position(random_game(5, options=Options(backs="printed"))[40][0])
    (table.folder / "printed.json").write_text(json.dumps(position))
    assert run(table, "before.jpg", given=None, position="printed.json") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "printed.json: the backs are printed, and no picture shows them: tell them with --given." in said.err


def test_facts_about_a_picture_that_is_not_there_are_named(table, capsys):
    """They are left out like those that cannot be."""
    (table.folder / "odd_after.jpg").unlink()
    assert run(table, "before.jpg", "after.jpg") == 1
    out, err = capsys.readouterr()
    assert [a["type"] for a in json.loads(out.splitlines()[1])["actions"]] == ["sink_tile", "roll"]
    assert "given.jsonl tells of odd_after.jpg, and no picture is called so: these facts are left out." in err


def test_facts_about_pictures_beside_those_that_are_followed_are_right(table, capsys):
    """The facts of a whole sequence, of which a part is followed."""
    assert run(table, "before.jpg", "after.jpg") == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "tells of illegal_after.jpg, odd_after.jpg, and these pictures are not followed" in line


def test_facts_that_the_game_has_not_come_to_are_named_at_the_end(table, capsys):
    """What is printed, and the exit status, are as they are without them."""
    left = [{"type": "roll", "face": "shark"}, {"type": "decline", "player": 1}]
    more = json.dumps({"before": "before.jpg", "actions": left})
    (table.folder / "more.jsonl").write_text((table.folder / "given.jsonl").read_text().splitlines()[0] + "\n" + more)
    assert run(table, "before.jpg", "after.jpg") == 0
    without = capsys.readouterr().out
    assert run(table, "before.jpg", "after.jpg", given="more.jsonl") == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == len(without.splitlines())
    (line,) = err.splitlines()
    assert "more.jsonl: the game has not come to these facts: " in line
    assert "decline 1 before before.jpg" in line


def test_facts_that_were_all_used_are_not_spoken_of(table, capsys):
    used = (table.folder / "given.jsonl").read_text().splitlines()[0]
    (table.folder / "used.jsonl").write_text(used)
    assert run(table, "before.jpg", "after.jpg", given="used.jsonl") == 0
    assert capsys.readouterr().err == ""


def test_facts_before_a_picture_that_comes_twice_are_given_once(table, capsys):
    used = (table.folder / "given.jsonl").read_text().splitlines()[0]
    (table.folder / "used.jsonl").write_text(used)
    assert run(table, "before.jpg", "after.jpg", "after.jpg", given="used.jsonl") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ({"type": "sink_tile", "back": "volcano"}, "sink_tile volcano before after.jpg cannot be"),
        ({"type": "decline", "player": 9}, "decline 9 before after.jpg cannot be: the players are 0 to"),
    ],
)
def test_a_fact_that_cannot_be_is_named_and_left_out(table, capsys, fact, said):
    right = json.loads((table.folder / "given.jsonl").read_text().splitlines()[0])
    (table.folder / "wrong.jsonl").write_text(json.dumps({**right, "actions": [fact, *right["actions"]]}))
    assert run(table, "before.jpg", "after.jpg", given="wrong.jsonl") == 1
    out, err = capsys.readouterr()
    assert [a["type"] for a in json.loads(out.splitlines()[1])["actions"]] == ["sink_tile", "roll"]
    (line,) = err.splitlines()
    assert f"wrong.jsonl: {said}" in line


def test_people_who_play_on_after_a_complaint_have_not_been_misunderstood_twice(table, capsys):
    """A piece too many: what else was done is told once the table is understood, at the latest when play goes on."""
    assert run(table, "before.jpg", "odd.jpg", "odd_after.jpg", "after.jpg") == 0
    _, complaint, on, last, _ = lines(capsys)
    assert (complaint["status"], complaint["rule"], len(complaint["hexes"])) == ("contradiction", None, 1)
    assert (on["status"], [a["type"] for a in on["actions"]]) == ("explained", ["sink_tile", "roll"])
    assert (last["status"], last["actions"]) == ("explained", [])


def test_an_illegal_act_that_is_clearly_seen_stands_whoever_plays_on(table, capsys):
    """A tile taken against 6.1, and then a legal turn beside the hole: it is not accepted by playing on."""
    assert run(table, "before.jpg", "illegal.jpg", "illegal_after.jpg", "illegal_after.jpg", "after.jpg") == 0
    _, *complaints, right, _ = lines(capsys)
    assert [line["status"] for line in complaints] == ["contradiction"] * 3
    assert {line["rule"] for line in complaints[:1]} == {"6.1"}
    assert (right["status"], [a["type"] for a in right["actions"]]) == ("explained", ["sink_tile", "roll"])


def test_a_picture_that_cannot_be_read_is_named_and_waited_out(table, capsys):
    assert run(table, "torn.jpg", "after.jpg") == 1
    out, err = capsys.readouterr()
    assert "torn.jpg: the picture is damaged." in err
    assert [json.loads(line).get("status") for line in out.splitlines()] == ["waiting", "explained", None]


def test_without_facts_an_illegal_act_in_the_first_picture_is_no_misreading(table, capsys):
    """Only odd pieces are: what a rule forbids is told."""
    assert run(table, "illegal.jpg", given=None) == 0
    assert lines(capsys)[0]["rule"] == "6.1"
    assert run(table, "illegal.jpg", "before.jpg", given=None) == 0
    first, second, _ = lines(capsys)
    assert (first["rule"], second["status"]) == ("6.1", "explained")


def test_without_facts_an_act_that_nobody_puts_right_after_the_first_picture_is_misread(table, capsys):
    assert run(table, "illegal.jpg", "torn.jpg", "illegal.jpg", given=None) == 1
    first, _, second, _ = lines(capsys)
    assert (first["status"], second["status"]) == ("explained", "explained")


def test_with_facts_the_first_picture_shows_the_position(table, capsys):
    """So has the form that facts are given in: nobody has done anything yet."""
    assert run(table, "illegal.jpg", "illegal_after.jpg", "before.jpg") == 0
    first, second, third, last = lines(capsys)
    assert (first["status"], first["actions"]) == ("explained", [])
    assert (second["status"], [a["type"] for a in second["actions"]]) == ("explained", ["sink_tile", "roll"])
    assert third["status"] == "contradiction"
    assert decode_position(last["position"]).layout() == table.after.layout()


def test_behind_a_picture_that_could_not_be_read_none_is_the_first(table, capsys):
    assert run(table, "torn.jpg", "odd.jpg") == 1
    assert [line["status"] for line in lines(capsys)[:2]] == ["waiting", "contradiction"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("position", "{}", "this is no position"),
        ("position", "[" * 100_000, "this is no position"),
        ("position", None, "cannot be read"),
        (
            "position",
            b"\xff\xd8\xff\xe0 a picture",
            "cannot be read (this is no text in UTF-8: if it is the right file, save",
        ),
        ("given", "nonsense", "line 1 is no fact"),
        ("given", None, "cannot be read"),
        (
            "given",
            b"\xff\xd8\xff\xe0 a picture",
            "cannot be read (this is no text in UTF-8: if it is the right file, save",
        ),
    ],
)
def test_files_that_are_not_what_they_should_be_are_named(table, capsys, name, text, said):
    path = table.folder / f"other.{name}"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert run(table, "before.jpg", **{name: path.name}) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert path.name in line
    assert said in line


def test_the_mark_that_some_editors_put_before_a_text_is_none_of_it(table, capsys):
    for name in ("position.json", "given.jsonl"):
        path = table.folder / name
        path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert run(table, "before.jpg", "after.jpg") == 0
    assert [a["type"] for a in lines(capsys)[1]["actions"]] == ["sink_tile", "roll"]
