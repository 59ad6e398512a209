"""The image's recipe against what it brings onto the card: the same packages, the same folder for the games."""

from __future__ import annotations

import re

from tests.deploy.conftest import DEPLOY

LAYER = (DEPLOY / "image/layer/atlantis-companion.yaml").read_text()
OVERLAY = DEPLOY / "image/layer/atlantis-companion.rootfs-overlay"


def test_its_packages_are_those_of_the_installer():
    listed = "".join(path.read_text() for path in DEPLOY.glob("apt-packages*.txt"))
    wanted = {line.split("#")[0].strip() for line in listed.splitlines()} - {""}
    block = re.search(r"^  packages:\n((?:    - .*\n)+)", LAYER, re.MULTILINE)
    assert block is not None
    assert {line.strip("- ") for line in block[1].splitlines()} == wanted


def test_the_games_are_on_the_part_of_the_card_that_is_written():
    shared = (OVERLAY / "etc/rpi-image-gen/slot-shared.d/atlantis-companion.conf").read_text()
    places = (DEPLOY / "lib/places.sh").read_text()
    state = re.search(r"^state=(.*)$", places, re.MULTILINE)
    assert state is not None
    assert f"Path={state[1]}\n" in shared


def test_what_is_given_to_the_layer_is_what_the_layer_asks_for():
    config = (DEPLOY / "image/config/atlantis.yaml").read_text()
    prefix = re.search(r"^# X-Env-VarPrefix: (\w+)$", LAYER, re.MULTILINE)
    name = re.search(r"^# X-Env-Layer-Name: (.+)$", LAYER, re.MULTILINE)
    assert prefix is not None
    assert name is not None
    assert f"  app: {name[1]}\n" in config
    assert f"\n{prefix[1]}:\n  source: " in config
    assert f"$IGconf_{prefix[1]}_source" in LAYER


def test_what_it_edits_is_there_before_and_the_edit_is_looked_at():
    """The layers are put in order by what they require; `sed` ends well where there was nothing to change."""
    requires = re.search(r"^# X-Env-Layer-Requires: (.*)$", LAYER, re.MULTILINE)
    assert requires is not None
    assert "rpi-boot-firmware" in requires[1].split(",")
    for new, file in re.findall(r'^    - sed -i "s/[^/]+/(\S+ \S+).*/" (\$1/\S+)$', LAYER, re.MULTILINE):
        assert f'    - grep -q "{new}" {file}\n' in LAYER
    assert "sed -i" in LAYER


def test_its_journal_settings_come_after_those_of_the_image():
    """systemd reads drop-ins by name, the last one counts; image-rota writes a `persistent.conf`."""
    (ours,) = (OVERLAY / "etc/systemd/journald.conf.d").iterdir()
    assert ours.name > "persistent.conf"
