"""The one program: its commands, its exit statuses, its one clear line."""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import os
import random
import re
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import companion
import companion.cli.games
from companion.cli.program import COMMANDS, main
from companion.referee import Referee
from companion.rules.options import Options, Player
from companion.table.dealer import Dealer
from companion.table.journal import Journal
from companion.table.start import start_game
from companion.table.verify import Verdict
from companion.viewmodel.words import fingerprint, short_fingerprint

PLAYERS = (Player("Ann", ("red",)), Player("Bo", ("blue",)))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ATLANTIS_HOME", str(tmp_path))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    return tmp_path


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert companion.__version__ in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert command in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["fly"], ["recognise"], ["play", "--rotation", "45"], ["play", "--size", "big"]])
def test_wrong_usage_is_status_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2


@pytest.mark.parametrize("command", ["play", "referee", "games"])
def test_an_unknown_option_shows_how_the_command_is_used(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([command, "--nonsense"])
    assert end.value.code == 2
    usage, *_, said = capsys.readouterr().err.splitlines()
    assert usage.startswith(f"usage: companion {command} ")
    assert said == f"companion {command}: error: unrecognized arguments: --nonsense"


def test_an_unknown_option_before_the_command_is_the_programs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--nonsense", "games"])
    assert end.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == "companion: error: unrecognized arguments: --nonsense"


@pytest.mark.parametrize("command", ["export", "verify"])
def test_a_game_that_is_not_there_is_no_reason_to_make_a_file(
    command: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "abc"]) == 1
    assert "There is no game abc in" in capsys.readouterr().err
    assert list(home.iterdir()) == []


def test_games_that_were_damaged_are_listed_as_such(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(home / "games.sqlite") as journal:
        session = start_game(journal, PLAYERS, Options(), dealer=Dealer(1))
        for _ in range(20):
            session.do(session.legal()[0])
    data = bytearray((home / "games.sqlite").read_bytes())
    data[data.rindex(b"place_explorer")] ^= 1
    (home / "games.sqlite").write_bytes(data)
    for command in (["games"], ["export", session.game_id], ["verify", session.game_id]):
        assert main(command) == 1
        (said,) = capsys.readouterr().err.splitlines()
        assert said.startswith(f"companion {command[0]}: ")
        assert "is damaged" in said
    assert sorted(p.name for p in home.iterdir()) == ["games.sqlite", "games.sqlite.lock"]
    assert (home / "games.sqlite").read_bytes() == data
    Journal(home / "games.sqlite").close()  # as `companion play` opens it
    assert main(["games"]) == 0
    assert "damaged: whole up to turn" in capsys.readouterr().out


def test_a_damaged_game_that_was_played_to_its_end_is_listed_with_its_result(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    choose = random.Random(8)
    with Journal(home / "games.sqlite") as journal:
        session = start_game(journal, PLAYERS, Options(all_equal=True), dealer=Dealer(8))
        session.do(session.legal()[0])
        journal.append(session.game_id, [("recovered", {"file": "games.sqlite.damaged-1"})])
        while session.position.phase != "over":
            session.do(choose.choice(session.legal()))
        (game,) = journal.games()
    assert main(["games"]) == 0
    said = capsys.readouterr().out
    for winner in game.winners:
        assert f"{game.players[winner].name} with {game.totals[winner]}" in said
    assert "(damaged: a part may be lost)" in said


def test_games_are_listed_exported_and_verified_while_another_is_played(
    home: Path, finished: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(home / "games.sqlite") as journal:
        session = start_game(journal, PLAYERS, Options(), dealer=Dealer(1))
        for _ in range(20):
            session.do(session.legal()[0])
        before = {p.name: p.read_bytes() for p in home.iterdir()}
        assert main(["games", "--json"]) == 0
        assert [g["id"] for g in json.loads(capsys.readouterr().out)] == [session.game_id, finished]
        assert main(["export", session.game_id]) == 0
        assert len(json.loads(capsys.readouterr().out)["actions"]) == 20
        assert main(["verify", finished]) == 0
        assert {p.name: p.read_bytes() for p in home.iterdir()} == before
        session.do(session.legal()[0])


def test_no_games_yet(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    assert capsys.readouterr().out == "No games yet: `companion play` starts one.\n"
    assert list(home.iterdir()) == []


def test_the_games_are_listed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(home / "games.sqlite") as journal:
        game = start_game(journal, PLAYERS, Options()).game_id
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert game in out
    assert "Ann, Bo" in out
    assert main(["games", "--json"]) == 0
    assert [g["id"] for g in json.loads(capsys.readouterr().out)] == [game]


@pytest.mark.parametrize("name", ["Ann [/b]", "Ann [red]", "Ann [link=a]", ":boat:", "\\[b]"])
def test_names_are_listed_as_people_typed_them(name: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(home / "games.sqlite") as journal:
        start_game(journal, (Player(name, ("red",)), Player("Bo", ("blue",))), Options())
    assert main(["games"]) == 0
    assert f" {name}, Bo " in capsys.readouterr().out


@pytest.mark.parametrize("columns", [80, 40, 30])
def test_on_a_narrow_terminal_the_ids_can_still_be_typed_off(
    columns: int, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    names = ("Maximiliana", "Wolfeschlegelsteinhausen")
    with Journal(home / "games.sqlite") as journal:
        players = tuple(Player(name, (colour,)) for name, colour in zip(names, ("red", "blue"), strict=True))
        ids = {start_game(journal, players, Options()).game_id for _ in range(2)}
    assert main(["games"]) == 0
    said = capsys.readouterr().out
    assert ids <= set(said.split())
    assert "\N{HORIZONTAL ELLIPSIS}" not in said, "nothing else is cut either"


def test_a_game_that_is_not_over_or_not_there_is_not_verified(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(home / "games.sqlite") as journal:
        game = start_game(journal, PLAYERS, Options()).game_id
    assert main(["verify", game]) == 1
    assert "when it is over" in capsys.readouterr().err
    assert main(["verify", "nothing"]) == 1
    assert "There is no game nothing" in capsys.readouterr().err


@pytest.fixture
def finished(home: Path) -> str:
    """A game that is over, with a step taken back on the way."""
    choose = random.Random(8)
    with Journal(home / "games.sqlite") as journal:
        session = start_game(journal, PLAYERS, Options(all_equal=True), dealer=Dealer(8))
        for _ in range(60):
            session.do(choose.choice(session.legal()))
        session.undo(consent=(0, 1))
        while session.position.phase != "over":
            session.do(choose.choice(session.legal()))
    return session.game_id


def test_what_was_taken_back_and_drawn_anew_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal(home / "games.sqlite") as journal:
        session = start_game(journal, PLAYERS, Options(all_equal=True), dealer=Dealer(8))
        choose = random.Random(8)
        while session.position.phase != "over":
            rolls = session.position.phase == "roll" and session.undone is None
            session.do(choose.choice(session.legal()))
            if rolls:
                session.undo(consent=(0, 1))
    assert main(["verify", session.game_id]) == 0
    assert re.search(r"\n\d+ of these draws were taken back, and what was done again", capsys.readouterr().out)


def test_a_finished_game_is_verified(finished: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", finished]) == 0
    said = capsys.readouterr().out
    assert said.startswith("The deal was fair: ")
    assert "fingerprint" in said
    assert "The tiles were shuffled by the same seed." in said


def test_a_game_is_verified_against_what_was_noted_when_it_began(
    home: Path, finished: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(home / "games.sqlite") as journal:
        published = journal.records(finished)[0].content()["fingerprint"]
    shown = fingerprint(published)
    assert main(["verify", finished, "--fingerprint", shown]) == 0
    assert "its first 20 digits are the same" in capsys.readouterr().out
    assert main(["verify", finished, f"--fingerprint={shown.replace(' ', '').lower()}"]) == 0
    assert main(["verify", finished, "--fingerprint", published]) == 0
    assert "note 20" not in capsys.readouterr().out
    assert main(["verify", finished, "--fingerprint", short_fingerprint(published)]) == 0
    assert "note 20 next time" in capsys.readouterr().out


def test_another_fingerprint_than_the_noted_one_is_said(finished: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", finished, "--fingerprint", "0000 0000 0000 0000 0000"]) == 1
    printed = capsys.readouterr()
    (line,) = printed.err.splitlines()
    assert line.startswith("companion verify: The fingerprint of this record begins with ")
    assert "not with 00000000000000000000" in line
    assert printed.out == ""
    assert main(["verify", finished, "--fingerprint", "0000 0000", "--json"]) == 1
    printed = capsys.readouterr()
    (problem,) = json.loads(printed.out)["problems"]
    assert printed.err == f"companion verify: {problem}\n"


def test_where_much_differs_one_line_tells_the_first_of_it(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    problems = tuple(f"Step {number} differs." for number in range(1, 6))
    verdict = Verdict(fingerprint="", commitment="", draws=9, undone=0, entered=0, shuffled=None, problems=problems)
    monkeypatch.setattr("companion.cli.verify.verify", lambda *_: verdict)
    assert main(["verify", "any"]) == 1
    assert capsys.readouterr().err == (
        "companion verify: Step 1 differs. Step 2 differs. Step 3 differs. And 2 more: --json tells them all.\n"
    )


@pytest.mark.parametrize("noted", ["", "7F3A 91C", "7F3A 91G4", "0" * 65, "the one on the screen"])
def test_what_is_no_fingerprint_is_wrong_usage(noted: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["verify", "any", "--fingerprint", noted])
    assert ended.value.code == 2
    assert "is no fingerprint: 8 to 64" in capsys.readouterr().err


def test_an_exported_game_replays_exactly(home: Path, finished: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", finished]) == 0
    game = json.loads(capsys.readouterr().out)
    assert (game["id"], game["complete"]) == (finished, True)
    referee = Referee()
    assert referee.answer(json.dumps({"cmd": "load", "position": game["start"]}))["ok"]
    for entry in game["actions"]:
        assert referee.answer(json.dumps({"cmd": "apply", "action": entry["action"]}))["ok"], entry
    assert referee.answer('{"cmd": "position"}')["position"] == game["end"]
    assert game["end"]["winners"] == game["winners"]
    assert hashlib.sha256(game["proof"].encode()).hexdigest() == game["fingerprint"]
    assert main(["export", finished, "--out", str(home / "game.json")]) == 0
    assert tuple(capsys.readouterr()) == ("", "")
    assert json.loads((home / "game.json").read_text()) == game


def test_of_a_game_that_is_still_on_only_what_is_public_is_exported(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    choose = random.Random(2)
    with Journal(home / "games.sqlite") as journal:
        session = start_game(journal, PLAYERS, Options(), dealer=Dealer(2))
        while sum(len(hand) for hand in session.position.hands) < 3:
            session.do(choose.choice(session.legal()))
    assert main(["export", session.game_id]) == 0
    text = capsys.readouterr().out
    game = json.loads(text)
    assert (game["complete"], game["proof"]) == (False, None)
    assert "backs" not in game["start"]
    assert len(game["actions"]) == session.told == len(session.record) - 1  # a tile drawn, not looked at yet
    hidden = {back for hand in session.position.hands for back in hand}
    told = {entry["action"].get("back") for entry in game["actions"] if entry["action"]}
    assert hidden
    assert hidden.isdisjoint(told)


def test_an_export_that_cannot_be_written_is_said(
    home: Path, finished: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", finished, "--out", str(home / "games.sqlite" / "game.json")]) == 1
    assert "game.json: cannot be written (Not a directory); make room, or name another file." in capsys.readouterr().err
    assert main(["export", "nothing"]) == 1
    assert "There is no game nothing" in capsys.readouterr().err


def test_a_folder_that_was_made_for_an_export_is_told_of(
    home: Path, finished: str, capsys: pytest.CaptureFixture[str]
) -> None:
    mistyped = home / "exprots" / "game.json"
    assert main(["export", finished, "--out", str(mistyped)]) == 0
    assert capsys.readouterr().err == f"companion export: {mistyped}: the folder was not there, and was made.\n"
    assert json.loads(mistyped.read_text())["id"] == finished


@contextmanager
def no_room() -> Iterator[None]:
    """A disk that takes a hundred bytes of a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_an_export_that_finds_no_room_leaves_the_older_file(
    home: Path, finished: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "exports").mkdir()
    older, text = home / "exports" / "game.json", '{"format": "companion game record 1", "id": "an older one"}'
    older.write_text(text)
    with no_room():
        assert main(["export", finished, "--out", str(older)]) == 1
    assert "game.json: cannot be written (" in capsys.readouterr().err
    assert [(file.name, file.read_text()) for file in older.parent.iterdir()] == [("game.json", text)]


def test_an_export_replaces_records_and_nothing_else(
    home: Path, finished: str, capsys: pytest.CaptureFixture[str]
) -> None:
    record, games, photo = home / "game.json", home / "games.sqlite", home / "photo.jpg"
    assert main(["export", finished, "--out", str(record)]) == 0
    record.write_text(record.read_text().replace("game record 1", "game record 0"))  # of an older version
    assert main(["export", finished, "--out", str(record)]) == 0
    assert json.loads(record.read_text())["format"] == "companion game record 1"
    photo.write_bytes(b"\xff\xd8\xff")
    before = {file: file.read_bytes() for file in (games, photo)}
    capsys.readouterr()
    for file, content in before.items():
        assert main(["export", finished, "--out", str(file)]) == 1
        said = f"companion export: {file}: this file is no game's record, and would be lost; name another file.\n"
        assert tuple(capsys.readouterr()) == ("", said)
        assert file.read_bytes() == content


def in_a_process(home: Path, *words: str, out: int | None = None) -> subprocess.CompletedProcess[str]:
    """The program with that standard output, or a closed one."""
    command = ["sh", "-c", '"$@"' if out is not None else '"$@" >&-', "sh", sys.executable, "-m", "companion", *words]
    return subprocess.run(
        command,
        env={**os.environ, "ATLANTIS_HOME": str(home)},
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("words", [["games"], ["export", "GAME"], ["--version"]])
def test_a_full_disk_under_standard_output_is_said(words: list[str], home: Path, finished: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = in_a_process(home, *(finished if word == "GAME" else word for word in words), out=full.fileno())
    assert done.stderr == (
        "companion: Standard output cannot be written to (No space left on device): "
        "send it to a terminal, or to a file on a disk with room for it.\n"
    )
    assert done.returncode == 1


@pytest.mark.parametrize("when", ["import_module", "run"])
def test_broken_off_it_says_nothing(when: str, home: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    """Also while the command is still being loaded."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib if when == "import_module" else companion.cli.games, when, interrupt)
    assert main(["games"]) == 130
    assert tuple(capfd.readouterr()) == ("", "")


@pytest.mark.parametrize("words", [["games"], ["referee", "--help"]])
def test_a_closed_standard_output_is_said(words: list[str], home: Path) -> None:
    done = in_a_process(home, *words)
    assert done.stderr.startswith("companion: Standard output cannot be written to (it is closed): ")
    assert (done.stderr.count("\n"), done.returncode) == (1, 1)


def test_a_closed_standard_output_is_no_matter_where_nothing_is_written_to_it(home: Path, finished: str) -> None:
    done = in_a_process(home, "export", finished, "--out", str(home / "game.json"))
    assert (done.stderr, done.returncode) == ("", 0)
    assert json.loads((home / "game.json").read_text())["id"] == finished


def test_letters_that_standard_output_lacks_are_escaped(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["Оля", "Zoé", "\N{SHARK}"]
    players = tuple(Player(name, (colour,)) for name, colour in zip(names, ("red", "blue", "green"), strict=True))
    with Journal(home / "games.sqlite") as journal:
        game = start_game(journal, players, Options()).game_id
    for words in (["games", "--json"], ["export", game], ["games"]):
        told = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(told, encoding="ascii"))
        assert main(words) == 0
        if words == ["games"]:
            assert rb"\u041e\u043b\u044f, Zo\u00e9" in told.getvalue()
            continue
        said = json.loads(told.getvalue())
        assert [player["name"] for player in (said[0] if isinstance(said, list) else said)["players"]] == names


def test_a_journal_of_a_newer_version_is_said_and_left_alone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = home / "games.sqlite"
    with Journal(path) as journal:
        start_game(journal, PLAYERS, Options())
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    before = path.read_bytes()
    assert main(["games"]) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("companion games: ")
    assert "newer" in said
    assert path.read_bytes() == before


@pytest.mark.parametrize("words", [["play", "--terminal"], ["print"]])
@pytest.mark.parametrize("text", ["language = 3", "rotation = 45", 'camera = "telescope"'])
def test_a_wrong_settings_file_is_named_to_who_can_mend_it_and_left_alone(
    home: Path, text: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "settings.toml").write_text(text)
    assert main(words) == 1
    assert "settings.toml" in capsys.readouterr().err
    assert (home / "settings.toml").read_text() == text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--pictures", "nowhere"], "There is no folder nowhere"),
        (["--pictures", "."], "has no session.json"),
        (["--camera", "telescope"], "There is no camera named 'telescope'"),
    ],
)
def test_a_camera_that_is_none_is_said(
    home: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    assert main(["play", *words]) == 1
    assert said in capsys.readouterr().err


def test_without_a_screen_a_camera_is_not_swallowed_in_silence(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.devices.screen", lambda: None)
    assert main(["play", "--pictures", "nowhere"]) == 1
    assert "There is no folder nowhere" in capsys.readouterr().err
    (home / "session.json").touch()
    assert main(["play", "--pictures", str(home)]) == 1
    assert "need a screen" in capsys.readouterr().err


def test_the_referee_speaks_through_the_program() -> None:
    """In a process of its own, as other programs use it; it needs neither Kivy nor OpenCV."""
    code = "import sys; from companion.cli.program import main; s = main(['referee']); "
    code += "print(sorted({'cv2', 'kivy', 'numpy'} & set(sys.modules)), file=sys.stderr); sys.exit(s)"
    asked = '{"cmd": "legal"}\nnonsense\n{"cmd": "quit"}\n'
    done = subprocess.run([sys.executable, "-c", code], input=asked, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [a.get("code", a.get("error")) for a in answers[:2]] == ["no_game", "bad_json"]
    assert done.stderr.strip() == "[]"
