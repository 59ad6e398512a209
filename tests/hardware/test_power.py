"""Switching off goes through systemd, and only where the machine is the companion's own."""

from __future__ import annotations

import subprocess

import pytest

from hardware.power import PowerError, Systemd, open_power


def test_only_a_service_of_its_own_may_switch_the_machine_off():
    assert open_power({}) is None
    assert isinstance(open_power({"NOTIFY_SOCKET": "/run/systemd/notify"}), Systemd)


def test_systemd_is_asked_without_a_password():
    asked = []
    Systemd(asked.append).off()
    assert asked == [("systemctl", "--no-ask-password", "poweroff")]


@pytest.mark.parametrize("error", [FileNotFoundError("systemctl"), subprocess.CalledProcessError(1, "systemctl")])
def test_a_machine_that_stays_on_says_what_to_do(error):
    def run(_command: object) -> None:
        raise error

    with pytest.raises(PowerError, match=r"The game is kept; press the computer's own button"):
        Systemd(run).off()
