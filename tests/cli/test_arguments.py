"""What is typed after a command: a wrong word is wrong usage, in one sentence."""

import pytest

from companion.cli.program import main


@pytest.mark.parametrize(
    "command", ["play --simulate", "calibrate --simulate", "track --calibration c --position p f.jpg"]
)
@pytest.mark.parametrize("seed", ["-5", "1.5", "many", str(2**63)])
def test_a_seed_that_chance_cannot_begin_with_is_wrong_usage(command, seed, capsys):
    with pytest.raises(SystemExit) as end:
        main([*command.split(), "--seed", seed])
    assert end.value.code == 2
    assert f"argument --seed: '{seed}' is no whole number from 0 to " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        (["calibrate", ""], "SESSION_DIR"),
        (["calibrate", "session", "--out", ""], "--out"),
        (["export", "game", "--out", ""], "--out"),
        (["print", "--out", ""], "--out"),
        (["recognise", "--calibration", "", "--out", "o", "f.jpg"], "--calibration"),
        (["recognise", "--calibration", "c", "--out", "o", ""], "PICTURE"),
        (["screens", "--out", ""], "--out"),
    ],
)
def test_an_empty_name_is_wrong_usage(words, argument, capsys):
    """A variable that is not set gives it, and it would be the folder that one is in."""
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
    assert f"argument {argument}: the name is empty" in capsys.readouterr().err
