"""The bar of a command is not in the way of what the command writes."""

import io
import sys

import pytest

from companion.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("out", "bar"), [(io.StringIO(), True), (Terminal(), False)], ids=["file", "terminal"])
def test_what_is_printed_meanwhile_goes_to_standard_output(
    monkeypatch: pytest.MonkeyPatch, out: io.StringIO, bar: bool
) -> None:
    """Standard error is a terminal; standard output a file or the same terminal, which then shows no bar."""
    err = Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setenv("TERM", "xterm")
    for item in progress([1, 2], "Counting"):
        print(f"{'long ' * 40}{item}")
    assert out.getvalue().splitlines() == [f"{'long ' * 40}{item}" for item in (1, 2)]
    assert ("Counting" in err.getvalue()) == bar


def test_without_a_terminal_there_is_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress("ab", "Counting")) == ["a", "b"]
    assert capsys.readouterr().err == ""
