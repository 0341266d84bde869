"""The console on real pools: over SSH as its users run it, and on the storage host itself."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyte
import pytest

from tests.bench.terminal import Terminal
from tests.lab.console import SCREEN_S, on_screen, row, wait_for, zconsole
from tests.lab.guests import Guest
from tests.lab.repairing import complaints

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

CLASSES = ["data", "data", "special", "dedup", "log", "cache", "spare"]
OFFLINE_BAY = 3
WRITER = "for i in $(seq 60); do dd if=/dev/urandom of=/tank/home/live bs=64k count=32 conv=fsync; done"


@pytest.fixture(scope="module")
def storage(guest: Guest) -> Iterator[Guest]:
    """A pool with every class of vdev, some data, and a finished scrub."""
    disk = guest.disk
    guest.wipe()
    guest.create_pool(
        f"-o ashift=12 tank mirror {disk(0)} {disk(1)} mirror {disk(2)} {disk(3)}"
        f" special mirror {disk(4)} {disk(5)} dedup mirror {disk(6)} {disk(7)} log mirror {disk(8)} {disk(9)}"
        f" cache {disk(10)} spare {disk(11)}"
    )
    guest.ssh(
        "zfs create tank/home && dd if=/dev/urandom of=/tank/home/a bs=1M count=40 conv=fsync"
        " && zpool scrub -w tank"
    )
    yield guest
    guest.wipe()


@pytest.fixture
def tank(storage: Guest) -> Guest:
    """That pool with one disk taken offline."""
    storage.ssh(f"zpool offline tank {storage.disk(OFFLINE_BAY)}")
    return storage


def status_of(words: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The one pool's status, of a run that could read."""
    assert (0, []) == (words.returncode, complaints(words))
    document = json.loads(words.stdout)
    assert ["tank"] == [pool["name"] for pool in document["pools"]]
    return document


def leaves(vdevs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The devices of some vdevs, in order."""
    return [leaf for vdev in vdevs for leaf in (leaves(vdev["children"]) or [vdev])]


def test_status_over_ssh_says_what_zfs_says(tank: Guest, ssh_alias: str) -> None:
    """Every class, every device, exact sizes, guids, the scrub and the offline disk."""
    tank.ssh("zpool scrub -w tank")
    document = status_of(zconsole("status", "--json", "--host", ssh_alias))

    pool = document["pools"][0]
    size, allocated, guid = tank.ssh("zpool list -Hpo size,allocated,guid tank").split()
    guids = [
        line.split()[0] for line in tank.ssh("zpool status -g tank").splitlines() if line.startswith("\t")
    ]
    offline = [leaf for leaf in leaves(pool["vdevs"]) if leaf["state"] == "OFFLINE"]
    assert ("DEGRADED", int(size), guid) == (pool["state"], pool["size_bytes"], pool["guid"])
    assert abs(int(allocated) - pool["allocated_bytes"]) < 1 << 20
    assert CLASSES == [vdev["class"] for vdev in pool["vdevs"]]
    assert [] == [vdev["guid"] for vdev in leaves(pool["vdevs"]) if vdev["guid"] not in guids]
    assert [f"wwn-0x{0x5000C500A0000000 + OFFLINE_BAY:016x}"] == [leaf["name"] for leaf in offline]
    assert ("scrub", "finished", 100.0, 0) == tuple(
        pool["scan"][key] for key in ("function", "state", "percent", "errors")
    )
    assert {"vdev-no-redundancy", "pool-degraded"} <= {finding["id"] for finding in document["findings"]}
    assert not [finding for finding in document["findings"] if finding["id"] == "device-faulted"]


def test_a_running_scrub_is_told(tank: Guest, ssh_alias: str) -> None:
    """A paused scrub is paused, one that goes on scans, and both say how far."""
    tank.ssh(
        "dd if=/dev/urandom of=/tank/home/b bs=1M count=150 conv=fsync; zpool scrub tank; zpool scrub -p tank"
    )
    paused = status_of(zconsole("status", "--json", "--host", ssh_alias))["pools"][0]["scan"]
    tank.ssh("zpool scrub tank; zpool wait -t scrub tank")
    finished = status_of(zconsole("status", "--json", "--host", ssh_alias))["pools"][0]["scan"]

    assert ("scrub", "paused") == (paused["function"], paused["state"])
    assert 0 <= paused["percent"] <= 100
    assert ("scrub", "finished") == (finished["function"], finished["state"])
    assert finished["end"] >= finished["start"] >= paused["start"]


def test_check_over_ssh_is_critical_while_a_mirror_has_no_redundancy(tank: Guest, ssh_alias: str) -> None:
    """Critical with the vdev named; a warning at most once the disk is back."""
    critical = zconsole("check", "--host", ssh_alias)
    tank.ssh(f"zpool online tank {tank.disk(OFFLINE_BAY)} && zpool wait -t resilver tank")
    back = zconsole("check", "--host", ssh_alias)

    assert 2 == critical.returncode
    assert critical.stdout.startswith("ZFS CRITICAL - ")
    assert "mirror-1" in critical.stdout
    assert (0, "ZFS OK") == (back.returncode, back.stdout[:6])


def test_iostat_over_ssh_sees_the_writes(tank: Guest, ssh_alias: str) -> None:
    """Rows in the order of the tree, and the load of a writer on every disk of a mirror."""
    with subprocess.Popen(
        tank.ssh_argv(WRITER), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as writer:
        answer = zconsole("iostat", "tank", "--jsonl", "--count", "8", "--host", ssh_alias)
        writer.kill()

    samples = [json.loads(line) for line in answer.stdout.splitlines()]
    names = [vdev["name"] for vdev in samples[-1]["vdevs"]]
    assert (0, 8) == (answer.returncode, len(samples))
    assert ["tank", "mirror-0", Path(tank.disk(0)).name, Path(tank.disk(1)).name] == names[:4]
    assert max(sample["vdevs"][2]["write_bytes"] for sample in samples) > 0


def test_the_screens_over_ssh_show_the_trouble_first(tank: Guest, ssh_alias: str) -> None:
    """The first line names it; the tree has every class and the offline disk; numbers are live."""
    with on_screen(ssh_alias) as tty:
        first = wait_for(tty, row("no redundancy left in mirror-1")).splitlines()[0]
        tty.type("\r")
        tree = wait_for(tty, lambda text: row("mirror-3")(text) and row("live")(text))
        tty.type("5")
        wait_for(tty, row("CKSUM"))

    assert ssh_alias in first
    assert "mirror-1" in first
    assert "OFFLINE" in tree
    assert "special" in tree
    assert tank.hostname.startswith("storage")


KEY_S = 1.5  # of an emulated host, between keys
RUN = "cd / && PYTHONPATH=/opt/zconsole python3 -m zconsole"


def test_it_runs_on_the_storage_host_itself(tank: Guest, installed: Guest, ssh_alias: str) -> None:
    """The same facts as over SSH, and the themes come with the wheel."""
    here = json.loads(installed.ssh(f"{RUN} status --json"))
    there = status_of(zconsole("status", "--json", "--host", ssh_alias))

    for document in (here, there):
        name = document.pop("host")
        for finding in document["findings"]:
            finding["subject"] = finding["subject"].removeprefix(name)
        for pool in document["pools"]:
            pool.pop("allocated_bytes"), pool.pop("free_bytes")
    assert there == here
    assert "local" == json.loads(installed.ssh(f"{RUN} status --json"))["host"]


def test_the_console_on_the_storage_host_shows_its_pool(tank: Guest, installed: Guest) -> None:
    """In a terminal over plain ssh, as at 3 a.m."""
    argv = [*installed.ssh_argv(f"{RUN}")]
    argv.insert(1, "-tt")
    with Terminal(argv, columns=80, rows=24) as terminal:
        terminal.read_until(b"DEGRADED", within_s=120)
        terminal.send(b"\x11")
        terminal.read_until(b"\x1b[?1049l", within_s=60)


def wait_until_shown(terminal: Terminal, words: str) -> None:
    """Read until the screen shows the words."""
    end = time.monotonic() + SCREEN_S
    while True:
        screen = pyte.Screen(100, 30)
        pyte.ByteStream(screen).feed(bytes(terminal.output))
        if any(words in line for line in screen.display):
            return
        assert time.monotonic() < end, "\n".join(screen.display)
        terminal.read_for(KEY_S)


def test_a_setting_is_written_on_the_storage_host_and_the_tour_begins_on_its_pool(
    tank: Guest, installed: Guest
) -> None:
    """By keys over plain ssh; the file is root's there."""
    installed.ssh("rm -rf /root/.config/zconsole")
    argv = installed.ssh_argv(f"export TERM=xterm-256color LANG=C.UTF-8; {RUN}")
    argv.insert(1, "-tt")
    with Terminal(argv, columns=100, rows=30) as terminal:
        wait_until_shown(terminal, "DEGRADED")
        for keys, words in (
            ([","], "~/.config/zconsole/config.toml"),
            (["/", *"Bell", "\r"], "Esc clears"),
            (["\r"], "stay silent"),
            (["2"], "config.toml, line 2"),
            (["q"], "no redundancy left in mirror-1"),
            (["\x1bOR"], "tour 1/8"),
        ):
            for key in keys:
                terminal.read_for(KEY_S)
                terminal.send(key.encode())
            wait_until_shown(terminal, words)
        terminal.send(b"\x11")
        terminal.read_until(b"\x1b[?1049l", within_s=60)

    assert "[alerts]\nbell = false\n" == installed.ssh("cat /root/.config/zconsole/config.toml")
    assert "600" == installed.ssh("stat -c %a /root/.config/zconsole/config.toml").strip()
