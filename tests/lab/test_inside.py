"""The console on the storage host itself: no SSH, the guest's own Python, nothing but what is copied in."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.console import Screen, zconsole
from tests.lab.guests import Guest

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

PROJECT = Path(__file__).parents[2]
TARGET = "/opt/zconsole"
LOCALE = "LC_ALL=C.UTF-8"


@pytest.fixture(scope="module")
def installed(guest: Guest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    """A guest with a pool and the console's wheels in /opt/zconsole."""
    python = guest.ssh("python3 -c 'import sys; print(\"%d.%d\" % sys.version_info[:2])'").strip()
    wheels = tmp_path_factory.mktemp("wheels")
    pip = (sys.executable, "-m", "pip", "-q", "--disable-pip-version-check")
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(wheels), str(PROJECT)], check=True)
    (own,) = wheels.glob("zconsole-*.whl")
    target = tmp_path_factory.mktemp("target")
    platforms = [f"--platform=manylinux{name}_x86_64" for name in ("2014", "_2_28", "_2_34")]
    lock = ["-c", str(PROJECT / "requirements.lock")]
    only = ["--only-binary=:all:", "--python-version", python, *platforms]
    subprocess.run([*pip, "install", "-t", str(target), *only, *lock, str(own)], check=True)
    guest.copy_in(target, TARGET)
    guest.blank()
    guest.ssh(
        f"zpool create -f tank mirror {guest.disk(0)} {guest.disk(1)} && zpool offline tank {guest.disk(1)}"
    )
    yield guest
    guest.wipe()


def inside(guest: Guest, *, terminal: bool = False) -> list[str]:
    """The words that run the console in the guest; more words may follow."""
    ssh, *options, alias, command = guest.ssh_argv(f"PYTHONPATH={TARGET} {LOCALE} python3 -m zconsole")
    return [ssh, *(["-tt"] if terminal else []), *options, alias, command]


def test_the_version_is_printed(installed: Guest) -> None:
    ended = zconsole("--version", program=inside(installed))

    assert 0 == ended.status
    assert ended.stdout.startswith("zconsole ")


def test_status_of_this_host_is_what_ssh_says_of_it(installed: Guest, ssh_alias: str) -> None:
    local = zconsole("status", "--json", program=inside(installed))
    remote = zconsole("status", "--json", "--host", ssh_alias)

    assert (0, 0) == (local.status, remote.status), local.stderr
    here, there = json.loads(local.stdout), json.loads(remote.stdout)
    assert there["pools"][0]["vdevs"] == here["pools"][0]["vdevs"]
    assert there["zfs_version"] == here["zfs_version"]


def test_check_of_this_host_is_critical_while_a_disk_is_offline(installed: Guest) -> None:
    ended = zconsole("check", program=inside(installed))

    assert 2 == ended.status
    assert "OFFLINE" in ended.stdout


def test_the_screen_of_this_host_shows_its_pool(installed: Guest) -> None:
    with Screen(program=inside(installed, terminal=True)) as screen:
        screen.wait_for(lambda text: "tank" in text and "DEGRADED" in text)
        screen.press("\r")
        screen.wait_for(lambda text: "mirror-0" in text and "OFFLINE" in text)


def test_a_user_without_the_device_gets_a_sentence(installed: Guest) -> None:
    words = shlex.quote(f"PYTHONPATH={TARGET} {LOCALE} exec python3 -m zconsole status")
    installed.ssh("id watcher 2>/dev/null || useradd -m -s /bin/sh watcher; chmod 600 /dev/zfs")
    try:
        ended = zconsole(program=installed.ssh_argv(f"su watcher -c {words}"))
    finally:
        installed.ssh("chmod 666 /dev/zfs")

    assert 3 == ended.status
    assert "Traceback" not in ended.stderr
    assert "ermission" in ended.stderr
