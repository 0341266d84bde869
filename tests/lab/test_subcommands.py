"""The subcommands on a real pool: what they list, record and trust, and say where they cannot read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lab.console import on_screen, row, wait_for, zconsole
from tests.lab.guests import Guest
from tests.lab.repairing import complaints

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

PARAMETERS = "/sys/module/zfs/parameters"


@pytest.fixture(scope="module")
def storage(guest: Guest) -> Iterator[Guest]:
    """A pool with every class of vdev, mirrored where it can be; scrubbed, then disk 1 offline."""
    disk = guest.disk
    guest.wipe()
    guest.create_pool(
        "-o ashift=12 tank"
        f" mirror {disk(0)} {disk(1)} mirror {disk(2)} {disk(3)}"
        f" special mirror {disk(4)} {disk(5)} dedup mirror {disk(6)} {disk(7)}"
        f" log mirror {disk(8)} {disk(9)} cache {disk(10)} spare {disk(11)} {disk(12)}"
    )
    guest.ssh(
        "zfs create tank/home; dd if=/dev/urandom of=/tank/home/a bs=1M count=64 conv=fsync 2>/dev/null;"
        f"zpool scrub -w tank && zpool offline tank {disk(1)}"
    )
    yield guest
    guest.wipe()


@pytest.fixture
def nas(storage: Guest, ssh_alias: str) -> str:
    """The pool's host, by the name that only the user's ~/.ssh/config knows."""
    return ssh_alias


@pytest.fixture
def watcher(nas: str, storage: Guest) -> str:
    """An account of the host that is not root."""
    storage.ssh(
        "id watcher >/dev/null 2>&1 || useradd -m -s /bin/sh watcher;"
        "install -d -m 700 -o watcher /home/watcher/.ssh;"
        "install -m 600 -o watcher /root/.ssh/authorized_keys /home/watcher/.ssh/"
    )
    return f"watcher@{nas}"


def status(*words: str) -> dict[str, Any]:
    """The one object that `zconsole status --json` prints."""
    ended = zconsole("status", "--json", *words)
    assert (0, []) == (ended.returncode, complaints(ended))
    (line,) = ended.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_json_tells_a_scrub_that_stands_still_and_one_that_is_paused(nas: str, storage: Guest) -> None:
    storage.ssh(f"echo 1 >{PARAMETERS}/zfs_scan_suspend_progress; zpool scrub tank")
    try:
        (running,) = status("--host", nas)["pools"]
        storage.ssh("zpool scrub -p tank")
        (paused,) = status("--host", nas)["pools"]
    finally:
        storage.ssh(
            f"echo 0 >{PARAMETERS}/zfs_scan_suspend_progress; zpool scrub tank; zpool wait -t scrub tank"
        )

    assert "scrub" == running["scan"]["function"]
    assert 0 <= running["scan"]["percent"] < 100
    assert running["scan"]["end"] is None
    assert {"paused"} == {paused["scan"]["state"]}


def test_importable_pools_are_not_looked_for_unasked(nas: str) -> None:
    assert status("--host", nas)["importable"] is None


def test_importable_pools_are_listed_when_asked_for(nas: str, storage: Guest) -> None:
    storage.create_pool(f"other mirror {storage.disk(14)} {storage.disk(15)}")
    storage.ssh("zpool export other")

    found = status("--importable", "--host", nas)

    (other,) = (pool for pool in found["importable"] if pool["name"] == "other")
    assert "ONLINE" == other["state"]
    assert any("wwn-0x5000c500a000000e" in device for device in other["devices"])


def test_a_recording_says_what_the_host_said(nas: str, tmp_path: Path) -> None:
    recorded = zconsole("record", "--for", "3", str(tmp_path / "nas"), "--host", nas)
    assert (0, []) == (recorded.returncode, complaints(recorded))

    (live,) = status("--host", nas)["pools"]
    (replayed,) = status("--replay", str(tmp_path / "nas"))["pools"]

    same = ("name", "guid", "state", "size_bytes", "vdevs", "scan", "errors")
    assert {key: live[key] for key in same} == {key: replayed[key] for key in same}


def test_an_account_without_rights_sees_the_pools(watcher: str) -> None:
    (pool,) = status("--host", watcher)["pools"]

    assert ("tank", "DEGRADED") == (pool["name"], pool["state"])


def test_an_account_that_may_not_open_the_device_gets_a_sentence(
    nas: str, watcher: str, storage: Guest
) -> None:
    storage.ssh("chmod 600 /dev/zfs")
    try:
        ended = zconsole("status", "--host", watcher)
    finally:
        storage.ssh("chmod 666 /dev/zfs")

    assert 3 == ended.returncode
    assert "ermission denied" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_host_without_zpool_is_a_sentence_and_status_3(nas: str, storage: Guest) -> None:
    storage.ssh("mv /usr/sbin/zpool /usr/sbin/zpool.away")
    try:
        ended = zconsole("status", "--host", nas)
        checked = zconsole("check", "--host", nas)
    finally:
        storage.ssh("mv /usr/sbin/zpool.away /usr/sbin/zpool")

    assert (3, 3) == (ended.returncode, checked.returncode)
    assert "zpool" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert checked.stdout.startswith("ZFS UNKNOWN")


def test_an_unknown_key_ends_with_its_fingerprint_and_the_command_that_accepts_it(
    nas: str, storage: Guest
) -> None:
    config = Path.home() / ".ssh" / "config"
    config.write_text(config.read_text().replace(str(storage.known_hosts), str(Path.home() / "none")))

    refused = zconsole("status", "--host", nas)
    fingerprint = next(word for word in refused.stderr.split() if word.startswith("SHA256:"))
    trusted = zconsole("trust", nas, fingerprint)

    assert 3 == refused.returncode
    assert f"zconsole trust {nas} {fingerprint}" in refused.stderr
    assert 0 == trusted.returncode
    assert "tank" == status("--host", nas)["pools"][0]["name"]


def test_the_pool_screen_moves_with_the_pools_io(nas: str, storage: Guest) -> None:
    load = "timeout 40 sh -c 'while :; do dd if=/dev/zero of=/tank/home/z bs=1M count=8 conv=fsync; done'"
    with on_screen(nas) as tty:
        wait_for(tty, row("tank"))
        tty.type("\r")
        idle = wait_for(tty, row("mirror-1"))
        storage.ssh(f"({load}) >/dev/null 2>&1 & exit 0")
        wait_for(tty, lambda text: lines_of("mirror-1", text) != lines_of("mirror-1", idle))


def test_events_are_shown_as_they_happen(nas: str, storage: Guest) -> None:
    storage.ssh("zpool events -c")
    with on_screen(nas) as tty:
        wait_for(tty, row("tank"))
        tty.type("e")
        wait_for(tty, lambda text: not row("tank", "DEGRADED")(text))
        storage.ssh("zpool scrub -w tank")
        wait_for(tty, row("scrub_finish"))


def lines_of(name: str, text: str) -> list[str]:
    """The lines of a screen with that name."""
    return [line for line in text.splitlines() if name in line]
