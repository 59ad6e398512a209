"""Installing, installing again, upgrading and taking away, in a folder that stands for a machine's root."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.cli.export import MEDIA
from companion.cli.program import COMMANDS
from tests.deploy.conftest import DEPLOY, REPOSITORY, ROOTFS

STATE = "var/lib/atlantis-companion"
MANIFEST = "opt/atlantis-companion/files"
SCRIPTS = ("wait-for-screen", "mount-stick")


def tree(root: Path) -> dict[str, tuple[bytes, int, int]]:
    """Every file: what is in it, its mode, when it was written."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {str(p.relative_to(root)): (p.read_bytes(), p.stat().st_mode & 0o777, p.stat().st_mtime_ns) for p in files}


@pytest.fixture
def machine(tmp_path, script):
    """A root into which the companion was installed."""
    done = script("install", "--root", tmp_path)
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_everything_in_the_tree_is_installed_and_named_in_the_list(machine):
    files = sorted(str(path.relative_to(ROOTFS)) for path in ROOTFS.rglob("*") if path.is_file())
    assert sorted(tree(machine)) == sorted([*files, MANIFEST])
    assert (machine / MANIFEST).read_text().split() == files


def test_only_programs_can_be_run_and_everybody_can_read(machine):
    modes = {name: mode for name, (_, mode, _) in tree(machine).items() if name != MANIFEST}
    programs = {"usr/local/bin/companion", *map("usr/local/lib/atlantis-companion/{}".format, SCRIPTS)}
    assert modes == {name: 0o755 if name in programs else 0o644 for name in modes}


def test_installed_twice_nothing_is_written_again(machine, script):
    before = tree(machine)
    assert script("install", "--root", machine).returncode == 0
    after = tree(machine)
    assert {k: v for k, v in after.items() if k != MANIFEST} == {k: v for k, v in before.items() if k != MANIFEST}


def test_an_upgrade_keeps_games_and_calibration_and_takes_away_what_is_no_longer_used(machine, script):
    kept = machine / STATE / "games.sqlite"
    kept.parent.mkdir(parents=True)
    kept.write_text("games")
    gone = machine / "etc/udev/rules.d/50-of-an-older-version.rules"
    gone.write_text("")
    mine = machine / "etc/systemd/system/atlantis-companion.service.d/override.conf"
    mine.parent.mkdir()
    mine.write_text("[Service]")
    with (machine / MANIFEST).open("a") as manifest:
        manifest.write("etc/udev/rules.d/50-of-an-older-version.rules\n")
    (machine / "usr/local/bin/companion").write_text("an older version")
    assert script("install", "--root", machine).returncode == 0
    assert not gone.exists()
    assert (kept.read_text(), mine.read_text()) == ("games", "[Service]")
    assert (machine / "usr/local/bin/companion").read_bytes() == (ROOTFS / "usr/local/bin/companion").read_bytes()


def test_taken_away_only_the_games_stay_and_where_they_are_is_said(machine, script):
    kept = machine / STATE / "games.sqlite"
    kept.parent.mkdir(parents=True)
    kept.write_text("games")
    done = script("uninstall", "--root", machine)
    assert done.returncode == 0
    assert list(tree(machine)) == [f"{STATE}/games.sqlite"]
    assert f"still in {machine}/{STATE}" in done.stderr
    assert script("uninstall", "--root", machine).returncode == 0, "there is nothing left to take away"


def test_purged_nothing_stays(machine, script):
    (machine / STATE).mkdir(parents=True)
    (machine / STATE / "games.sqlite").write_text("games")
    assert script("uninstall", "--root", machine, "--purge").returncode == 0
    assert tree(machine) == {}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("install", ["--skip", "everything"]), ("install", ["--root"]), ("install", ["now"]), ("uninstall", ["--all"])],
)
def test_wrong_usage_is_told_and_changes_nothing(script, name, arguments):
    done = script(name, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: ")


def test_the_lines_of_the_readme_bring_a_version_over_an_older_one_and_leave_nothing_of_that(tmp_path):
    """`git archive` brings every script, with its mode, and nothing that only the development needs to be there."""
    readme = (REPOSITORY / "README.md").read_text()
    (packed, typed) = re.findall(r'^    (git archive \S+) \| ssh \S+ "(.+)"$', readme, re.MULTILINE)[0]
    (installer,) = re.findall(r"^    ssh -t \S+ sudo (\S+)$", readme, re.MULTILINE)
    older = tmp_path / "companion-source/deploy/rootfs/etc/udev/rules.d/50-of-an-older-version.rules"
    older.parent.mkdir(parents=True)
    older.touch()
    archive = subprocess.run(packed.split(), cwd=REPOSITORY, capture_output=True, check=True).stdout
    subprocess.run(["sh", "-c", typed], cwd=tmp_path, input=archive, check=True)
    done = subprocess.run(
        [f"./{installer}", "--root", tmp_path / "root"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "root" / MANIFEST).is_file()
    assert not list((tmp_path / "root").rglob(older.name))


# --- starting a new version ---


@pytest.fixture
def upgrade(tmp_path):
    """Runs the installer's last step after its second, on a machine of stand-ins: a release `new` came after `old`.

    `starts`: the releases whose service says that it is ready; `screen`: whether one is connected. Gives back how it
    ended, which release is in use, which ones are still there, and which one's unit is installed.
    """

    def run(*starts: str, screen: bool = True) -> tuple[subprocess.CompletedProcess[str], str, set[str], str]:
        shutil.copytree(DEPLOY, tmp_path / "deploy")
        opt, root, commands = tmp_path / "opt", tmp_path / "root", tmp_path / "bin"
        unit = "etc/systemd/system/atlantis-companion.service"
        places = tmp_path / "deploy/lib/places.sh"
        here = {"program": opt, "systemd": tmp_path, "library": tmp_path, "current": opt / "current",
                "previous": opt / "previous", "manifest": opt / "files"}  # fmt: skip
        places.write_text(places.read_text() + "".join(f"{name}={path}\n" for name, path in here.items()))
        # The program's own step needs a network: what it leaves is laid here, as it is after an upgrade.
        installer = tmp_path / "deploy/install"
        text = installer.read_text().replace('fingerprint)"', 'echo new)"')
        assert "echo new" in text
        assert 'root=""' in text
        installer.write_text(text.replace('root=""', f"root={root}").replace('[ -n "$root" ] ||', ""))
        (tmp_path / "deploy/rootfs" / unit).write_text("new")
        for release in ("ancient", "old", "new"):
            program = opt / "releases" / release / "bin/companion"
            program.parent.mkdir(parents=True)
            program.write_text("#!/bin/sh\n")
            program.chmod(0o755)
            (opt / "releases" / release / ".whole").touch()
            (opt / "releases" / release / "rootfs" / unit).parent.mkdir(parents=True)
            (opt / "releases" / release / "rootfs" / unit).write_text(release)
        (opt / "current").symlink_to("releases/old")
        (opt / "previous").symlink_to("releases/ancient")
        commands.mkdir()
        answers = {
            "systemctl": f"""case "$* $(readlink {opt}/current)" in
                {"".join(f'"restart atlantis-companion.service releases/{one}") ;; ' for one in starts)}
                "restart atlantis-companion.service "*) exit 1 ;;
            esac""",
            "runuser": f"exit {1 - screen}",
            "id": "echo 0",
        } | dict.fromkeys(("udevadm", "systemd-sysusers", "systemd-tmpfiles"), "exit 0")
        for name, script in answers.items():
            (commands / name).write_text(f"#!/bin/sh\n{script}\n")
            (commands / name).chmod(0o755)
        done = subprocess.run(
            ["./deploy/install", "--skip", "packages"], cwd=tmp_path, capture_output=True, text=True,
            check=False, env={"PATH": f"{commands}:/usr/bin:/bin"},
        )  # fmt: skip
        kept = {path.name for path in (opt / "releases").iterdir()}
        return done, (opt / "current").readlink().name, kept, (root / unit).read_text()

    return run


def test_a_new_version_that_comes_up_stays_and_the_one_before_is_kept(upgrade):
    done, current, kept, unit = upgrade("new")
    assert done.returncode == 0, done.stderr
    assert "The companion is on the screen" in done.stderr
    assert (current, unit, kept) == ("new", "new", {"new", "old"})


def test_a_new_version_that_does_not_come_up_gives_way_to_the_one_before_with_all_its_files(upgrade):
    done, current, kept, unit = upgrade("old")
    assert done.returncode == 1
    assert "the one before runs again" in done.stderr
    assert (current, unit) == ("old", "old")
    assert "old" in kept


def test_where_neither_comes_up_it_is_said(upgrade):
    done, _, kept, _ = upgrade()
    assert done.returncode == 1
    assert "nor the one before" in done.stderr
    assert "old" in kept


def test_without_a_screen_nothing_is_waited_for(upgrade):
    done, current, _, unit = upgrade(screen=False)
    assert done.returncode == 0, done.stderr
    assert "as soon as one is" in done.stderr
    assert (current, unit) == ("new", "new")


# --- waiting for the screen ---


def screen(root: Path, card: str, connector: str, status: str) -> None:
    folder = root / "sys/class/drm" / f"{card}-{connector}"
    folder.mkdir(parents=True)
    (folder / "status").write_text(f"{status}\n")
    (root / "dev/dri").mkdir(parents=True, exist_ok=True)
    (root / "dev/dri" / card).touch()


def wait(root: Path) -> subprocess.CompletedProcess[str]:
    program = ROOTFS / "usr/local/lib/atlantis-companion/wait-for-screen"
    return subprocess.run([program, "0", root], capture_output=True, text=True, check=False)


def test_a_connected_screen_on_any_card_will_do(tmp_path):
    screen(tmp_path, "card0", "HDMI-A-1", "disconnected")
    screen(tmp_path, "card2", "DSI-1", "connected")
    assert wait(tmp_path).returncode == 0


def test_without_a_connected_screen_it_says_what_to_check(tmp_path):
    screen(tmp_path, "card1", "HDMI-A-1", "disconnected")
    done = wait(tmp_path)
    assert done.returncode == 1
    assert "is it connected and switched on" in done.stderr


def test_a_connected_screen_whose_card_is_not_there_yet_is_waited_for(tmp_path):
    screen(tmp_path, "card1", "HDMI-A-1", "connected")
    (tmp_path / "dev/dri/card1").unlink()
    assert wait(tmp_path).returncode == 1


# --- the commands ---


@pytest.fixture
def command(tmp_path):
    """Runs the installed `companion` as user ann; gives back as whom the program would run, and what it is told."""
    told = tmp_path / "environment"
    told.write_text("# a remark\nATLANTIS_HOME=/games\n")
    text = (ROOTFS / "usr/local/bin/companion").read_text()
    for place, here in (
        ("/opt/atlantis-companion/current/bin/companion", tmp_path / "program"),
        ("/usr/local/lib/atlantis-companion/environment", told),
    ):
        assert place in text
        text = text.replace(place, str(here))
    scripts = {
        "companion": text.removeprefix("#!/bin/sh\n"),
        "program": 'echo caller "$@"',
        "sudo": 'echo "$@"',
        "id": 'case "$1" in -un) echo "${WHO:-ann}" ;; -G) echo "1000 44" ;; *) echo 1000 ;; esac',
    }
    for name, script in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": "/home/ann"}

    def run(line: str, who: str = "ann") -> str:
        done = subprocess.run(
            [tmp_path / "companion", *line.split()], env=path | {"WHO": who}, capture_output=True, text=True, check=True
        )
        return done.stdout.replace(str(tmp_path / "program"), "companion").strip()

    return run


OWN = "-u atlantis env ATLANTIS_HOME=/games companion"
READER = "setpriv --reuid=1000 --regid=1000 --groups=1000,44,atlantis,video env HOME=/home/ann companion"


@pytest.mark.parametrize(
    ("line", "runs_as"),
    [
        ("play", OWN),
        ("doctor --buttons", OWN),
        ("games", OWN),
        ("export 3f2a", OWN),
        ("verify 3f2a", OWN),
        ("calibrate --camera auto --guided", OWN),
        ("calibrate --camera=v4l2", OWN),
        ("calibrate --camera auto --out c.json", READER),
        ("calibrate --out c.json --camera=v4l2", READER),
        ("calibrate session --out c.json", "caller"),
        ("calibrate --pictures session", "caller"),
        ("calibrate --simulate --guided", "caller"),
        ("play --pictures evening", READER),
        ("recognise --calibration /var/lib/atlantis-companion/calibration.json --out o p.jpg", READER),
        ("track --calibration c.json --position p.json p.jpg", READER),
        ("print --out cards.pdf", "caller"),
        ("referee", "caller"),
        ("--version", "caller"),
    ],
)
def test_a_command_runs_as_the_user_whose_files_it_needs(command, line, runs_as):
    assert command(line) == f"{runs_as} {line}"


def test_of_every_command_it_is_known_as_whom_it_runs():
    arguments = test_a_command_runs_as_the_user_whose_files_it_needs.pytestmark[0].args[1]
    assert {line.split()[0] for line, _ in arguments} - {"--version"} | {"screens"} == COMMANDS.keys()


@pytest.mark.parametrize("line", ["games", "recognise --calibration c.json --out o p.jpg"])
def test_the_companions_own_user_runs_them_all_as_they_are(command, line):
    assert command(line, who="atlantis") == f"caller {line}"


# --- memory sticks ---


def test_a_memory_stick_is_mounted_where_the_companion_looks_and_may_write(tmp_path):
    for name, text in (("id", 'echo "99$1"'), ("systemd-mount", 'printf "%s\\n" "$@"')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    program = ROOTFS / "usr/local/lib/atlantis-companion/mount-stick"
    told = subprocess.run(
        [program, "/dev/sda1"], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True
    ).stdout.split()
    (options,) = (word.partition("=")[2].split(",") for word in told if word.startswith("--options="))
    assert {"noexec", "nosuid", "nodev", "sync", "uid=99-u", "gid=99-g"} <= set(options)
    device, place = told[-2:]
    assert (device, place) == ("/dev/sda1", "/run/media/sda1")
    unit = (ROOTFS / "etc/systemd/system/atlantis-companion.service").read_text()
    assert Path(place).parent in MEDIA
    assert f"\nReadWritePaths=-{Path(place).parent}\n" in unit
    assert f"\nd {Path(place).parent} " in (ROOTFS / "etc/tmpfiles.d/atlantis-companion.conf").read_text()


def test_udev_calls_the_script_that_is_installed():
    rule = (ROOTFS / "etc/udev/rules.d/90-atlantis-companion-sticks.rules").read_text()
    (called,) = re.findall(r'RUN\+="/(\S+) \$devnode"', rule)
    assert (ROOTFS / called).is_file()


# --- what systemd and the shell think of it ---


@pytest.fixture
def unit(tmp_path):
    """The unit with programs that exist here, so that systemd looks at all the rest."""
    text = (ROOTFS / "etc/systemd/system/atlantis-companion.service").read_text()
    for program in (
        "/opt/atlantis-companion/current/bin/companion",
        "/usr/local/lib/atlantis-companion/wait-for-screen",
    ):
        assert program in text
        text = text.replace(program, "/bin/true")
    path = tmp_path / "atlantis-companion.service"
    path.write_text(text)
    return path


def tool(name: str) -> str:
    """Where a program is; the test is left out where it is not installed."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found


def test_systemd_has_nothing_to_say_about_the_unit(unit):
    done = subprocess.run(
        [tool("systemd-analyze"), "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    about_us = [line for line in done.stderr.splitlines() if unit.name in line]
    assert (done.returncode, about_us) == (0, [])


def test_the_service_is_shut_in_as_far_as_its_devices_let_it(unit):
    """systemd's own measure, 0 (shut in) to 10 (open); deploy/README.md says which one it is now."""
    command = [tool("systemd-analyze"), "security", "--offline=yes", "--threshold=20", unit]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_services_user_comes_with_the_groups_of_its_devices(tmp_path, machine):
    (machine / "etc").mkdir(exist_ok=True)
    subprocess.run([tool("systemd-sysusers"), f"--root={machine}", "atlantis-companion.conf"], check=True)
    groups = {line.split(":")[0]: line.strip().split(":")[3] for line in (machine / "etc/group").read_text().split()}
    unit_text = (ROOTFS / "etc/systemd/system/atlantis-companion.service").read_text()
    wanted = next(line.split("=")[1] for line in unit_text.splitlines() if line.startswith("SupplementaryGroups="))
    assert {name for name, members in groups.items() if members == "atlantis"} == set(wanted.split())
    assert (machine / "etc/passwd").read_text().rstrip().endswith("/usr/sbin/nologin")


def test_the_shell_scripts_are_clean():
    scripts = [
        path
        for path in [*DEPLOY.rglob("*"), REPOSITORY / ".ci/run"]
        if path.is_file() and path.read_bytes().startswith((b"#!/bin/sh", b"#!/usr/bin/env bash"))
    ]
    assert len(scripts) > 10
    command = [tool("shellcheck"), "--external-sources", f"--source-path={REPOSITORY}", *scripts]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
