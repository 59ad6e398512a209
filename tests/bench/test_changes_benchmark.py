"""The benchmark of changed pictures: each picture as it is and with each change, or a word why there is none."""

import shutil

import pytest

from bench import changes
from training.changes import CHANGES


def test_all_changes_are_measured_and_nothing_depends_on_chance(table_dir, tmp_path, capsys):
    shutil.copytree(table_dir, tmp_path / "t00011")  # a number that nothing is learnt from
    changes.main(["--set", str(tmp_path)])
    first = capsys.readouterr().out
    rows = {line.split("  ")[1].strip(): line.split()[-5:] for line in first.splitlines()[1:]}
    assert list(rows) == ["as it is", *(change.__name__ for change, _ in CHANGES)]
    pictures, occupied, wrong, sure, _ = map(int, rows["as it is"])
    assert pictures > 0
    assert occupied > wrong >= sure
    changes.main(["--set", str(tmp_path)])
    assert capsys.readouterr().out == first


def test_a_broken_file_is_told_of_by_its_name(tmp_path):
    (tmp_path / "t00011").mkdir()
    (tmp_path / "t00011" / "session.json").write_text("{")
    with pytest.raises(SystemExit, match=r"session\.json: this file cannot be read"):
        changes.main(["--set", str(tmp_path)])


@pytest.mark.parametrize("arguments", [[], ["--set"]])
def test_without_sessions_it_says_so(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ATLANTIS_SHARED", str(tmp_path))
    changes.main([*arguments, str(tmp_path)] if arguments else [])
    assert ("no sessions here" if arguments else "is not beside the checkout") in capsys.readouterr().out
