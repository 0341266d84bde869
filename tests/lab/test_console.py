"""What the console says of a real pool with every class of vdev, an offline disk and a scrub."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lab.console import Screen, zconsole
from tests.lab.guests import Guest

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

OFFLINE = "wwn-0x5000c500a0000001"
PARAMETERS = "/sys/module/zfs/parameters"
MIB = 1 << 20


@pytest.fixture(scope="module")
def storage(guest: Guest) -> Iterator[Guest]:
    """A pool with every class of vdev, mirrored where it can be; scrubbed, then disk 1 offline."""
    guest.blank()
    disk = guest.disk
    guest.ssh(
        "zpool create -f -o ashift=12 tank"
        f" mirror {disk(0)} {disk(1)} mirror {disk(2)} {disk(3)}"
        f" special mirror {disk(4)} {disk(5)} dedup mirror {disk(6)} {disk(7)}"
        f" log mirror {disk(8)} {disk(9)} cache {disk(10)} spare {disk(11)} {disk(12)};"
        "zfs create tank/home; dd if=/dev/urandom of=/tank/home/a bs=1M count=64 conv=fsync 2>/dev/null;"
        f"zpool scrub -w tank && zpool offline tank {disk(1)}"
    )
    yield guest
    guest.wipe()


@pytest.fixture
def nas(storage: Guest, ssh_alias: str) -> str:
    """The pool's host, by the name that only the user's ~/.ssh/config knows."""
    return ssh_alias


def status(*words: str) -> dict[str, Any]:
    """The one object that `zconsole status --json` prints."""
    ended = zconsole("status", "--json", *words)
    assert (0, "") == (ended.status, ended.stderr)
    (line,) = ended.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def leaves(vdevs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The devices of a tree."""
    for vdev in vdevs:
        if vdev["children"]:
            yield from leaves(vdev["children"])
        else:
            yield vdev


def test_json_holds_every_vdev_in_its_class(nas: str) -> None:
    (pool,) = status("--host", nas)["pools"]

    tops = Counter((vdev["class"], vdev["type"]) for vdev in pool["vdevs"])
    expected = {
        ("data", "mirror"): 2,
        ("special", "mirror"): 1,
        ("dedup", "mirror"): 1,
        ("log", "mirror"): 1,
        ("cache", "disk"): 1,
        ("spare", "disk"): 2,
    }
    assert expected == dict(tops)
    assert 13 == len(list(leaves(pool["vdevs"])))


def test_json_says_what_zpool_says_of_the_pool(nas: str, storage: Guest) -> None:
    columns = "name,guid,size,allocated,free,capacity,fragmentation,health"
    name, guid, *numbers, health = storage.ssh(f"zpool list -Hp -o {columns} tank").strip().split("\t")
    (pool,) = status("--host", nas)["pools"]

    assert (name, guid, health) == (pool["name"], pool["guid"], pool["state"])
    size, allocated, free, capacity, fragmentation = map(int, numbers)
    assert (size, capacity, fragmentation) == (
        pool["size_bytes"],
        pool["capacity_percent"],
        pool["fragmentation_percent"],
    )
    assert abs(allocated - pool["allocated_bytes"]) < 8 * MIB  # a transaction group later
    assert abs(free - pool["free_bytes"]) < 8 * MIB
    assert (0, [], None) == (pool["errors"], pool["error_files"], pool["checkpoint_bytes"])


def test_json_has_the_guids_that_zpool_knows(nas: str, storage: Guest) -> None:
    (pool,) = status("--host", nas)["pools"]
    known = set(storage.ssh("zpool status -g tank").split())

    guids = {leaf["guid"] for leaf in leaves(pool["vdevs"])}
    assert 13 == len(guids)
    assert guids <= known


def test_json_shows_the_offline_disk_where_it_is(nas: str) -> None:
    (pool,) = status("--host", nas)["pools"]

    (mirror,) = (vdev for vdev in pool["vdevs"] if any(leaf["name"] == OFFLINE for leaf in vdev["children"]))
    states = {child["name"]: child["state"] for child in mirror["children"]}
    assert ("mirror-0", "DEGRADED") == (mirror["name"], mirror["state"])
    assert {OFFLINE: "OFFLINE", OFFLINE[:-1] + "0": "ONLINE"} == states
    (offline,) = (child for child in mirror["children"] if child["name"] == OFFLINE)
    assert f"/dev/disk/by-id/{OFFLINE}-part1" == offline["path"]


def test_json_tells_the_scrub_that_is_done(nas: str, storage: Guest) -> None:
    now = int(storage.ssh("date +%s"))
    (pool,) = status("--host", nas)["pools"]

    scan = pool["scan"]
    assert ("scrub", "finished", 0, 0) == (
        scan["function"],
        scan["state"],
        scan["errors"],
        scan["repaired_bytes"],
    )
    assert now - 3600 < scan["end"] <= now


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


def test_a_text_only_host_leaves_unknown_what_text_cannot_tell(nas: str, storage: Guest) -> None:
    found = status("--host", nas)

    assert found["zfs_version"].startswith(storage.series)
    assert found["importable"] is None


def test_importable_pools_are_listed_when_asked_for(nas: str, storage: Guest) -> None:
    storage.ssh(f"zpool create -f other {storage.disk(14)} && zpool export other")

    found = status("--importable", "--host", nas)

    (other,) = (pool for pool in found["importable"] if pool["name"] == "other")
    assert "ONLINE" == other["state"]
    assert any("wwn-0x5000c500a000000e" in device for device in other["devices"])


def test_check_is_critical_and_names_the_users_own_offline(nas: str) -> None:
    ended = zconsole("check", "--host", nas)

    (line,) = ended.stdout.splitlines()
    assert (2, "") == (ended.status, ended.stderr)
    assert line.startswith("ZFS CRITICAL - tank: no redundancy left in mirror-0")
    assert "OFFLINE" in line


def test_iostat_gives_a_sample_a_line_with_every_vdev(nas: str, storage: Guest) -> None:
    ended = zconsole("iostat", "--json", "--count", "2", "--interval", "1", "tank", "--host", nas)

    samples = [json.loads(line) for line in ended.stdout.splitlines()]
    assert (0, 2) == (ended.status, len(samples))
    assert samples[0]["at"] < samples[1]["at"]
    printed = storage.ssh("zpool iostat -Hpv tank").split()
    names = [vdev["name"] for vdev in samples[0]["vdevs"]]
    assert set(names) <= set(printed)
    assert {"tank", "mirror-0", OFFLINE} <= set(names)


def test_a_recording_says_what_the_host_said(nas: str, tmp_path: Path) -> None:
    recorded = zconsole("record", "--for", "3", str(tmp_path / "nas"), "--host", nas)
    assert (0, "") == (recorded.status, recorded.stderr)

    (live,) = status("--host", nas)["pools"]
    (replayed,) = status("--replay", str(tmp_path / "nas"))["pools"]

    same = ("name", "guid", "state", "size_bytes", "vdevs", "scan", "errors")
    assert {key: live[key] for key in same} == {key: replayed[key] for key in same}


def test_an_account_without_rights_sees_the_pools(nas: str, storage: Guest) -> None:
    storage.ssh(
        "id watcher 2>/dev/null || useradd -m -s /bin/sh watcher;"
        "install -d -m 700 -o watcher /home/watcher/.ssh;"
        "install -m 600 -o watcher /root/.ssh/authorized_keys /home/watcher/.ssh/"
    )

    (pool,) = status("--host", f"watcher@{nas}")["pools"]

    assert ("tank", "DEGRADED") == (pool["name"], pool["state"])


def test_a_host_without_zpool_is_a_sentence_and_status_3(nas: str, storage: Guest) -> None:
    storage.ssh("mv /usr/sbin/zpool /usr/sbin/zpool.away")
    try:
        ended = zconsole("status", "--host", nas)
        checked = zconsole("check", "--host", nas)
    finally:
        storage.ssh("mv /usr/sbin/zpool.away /usr/sbin/zpool")

    assert (3, 3) == (ended.status, checked.status)
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

    assert 3 == refused.status
    assert f"zconsole trust {nas} {fingerprint}" in refused.stderr
    assert 0 == trusted.status
    assert "tank" == status("--host", nas)["pools"][0]["name"]


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (160, 50)])
def test_the_screens_show_the_pool_and_its_offline_disk(nas: str, columns: int, rows: int) -> None:
    with Screen(nas, columns=columns, rows=rows) as screen:
        pools = screen.wait_for(lambda text: "tank" in text and "DEGRADED" in text)
        screen.press("\r")
        pool = screen.wait_for(lambda text: "mirror-0" in text and "OFFLINE" in text)
        screen.press("x")
        errors = screen.wait_for("CKSUM")

    assert "nas" in pools
    assert OFFLINE[-8:] in pool
    assert "mirror-0" in errors


def test_the_pool_screen_moves_with_the_pools_io(nas: str, storage: Guest) -> None:
    load = "timeout 40 sh -c 'while :; do dd if=/dev/zero of=/tank/home/z bs=1M count=8 conv=fsync; done'"
    with Screen(nas, columns=160, rows=50) as screen:
        screen.wait_for("tank")
        screen.press("\r")
        first = screen.wait_for("mirror-1")
        storage.ssh(f"({load}) >/dev/null 2>&1 & exit 0")
        screen.wait_for(lambda text: "mirror-1" in text and text != first)


def test_events_are_shown_as_they_happen(nas: str, storage: Guest) -> None:
    with Screen(nas, columns=120, rows=40) as screen:
        screen.wait_for("tank")
        screen.press("e")
        screen.wait_for("vents")
        storage.ssh("zpool scrub tank; zpool wait -t scrub tank")
        screen.wait_for("scrub")
