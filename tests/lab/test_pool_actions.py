"""Every action on a pool as a whole and on its devices, once over SSH, its outcome read back from ZFS."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.lab.acting import Acting
from tests.lab.console import zconsole
from tests.lab.guests import Guest, said
from tests.lab.pools import pool_of_layout
from zconsole.model.run import RunState
from zconsole.reports.sudoers import Rules, sudoers
from zconsole.reports.sudoers_patterns import Grants
from zconsole.system.open_files import OPEN_FILES
from zconsole.zfs.change.argv_template import IMPORT

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

HOSTID = "/sys/module/spl/parameters/spl_hostid"
FOREIGN = f"""\
set -e
for disk in {{old}} {{new}}; do sgdisk -Z -n 1:2048:+100M -t 1:bf01 $disk >/dev/null; done
udevadm settle
echo 195939070 > {HOSTID}
name=$(hostname)
hostname elsewhere
zpool create -f foreign {{old}}-part1
dd if=/dev/urandom of=/foreign/a bs=1M count=10 2>/dev/null
zpool sync foreign
dd if={{old}}-part1 of={{new}}-part1 bs=4M conv=fsync 2>/dev/null
zpool export foreign
hostname "$name"
zpool labelclear -f {{old}}-part1
sgdisk -Z {{old}} >/dev/null
blockdev --rereadpt {{new}}
udevadm settle
echo 16909060 > {HOSTID}
"""  # a pool is copied while its host, called elsewhere, has it: as if that host had died
WAIT = "for i in $(seq 300); do {test} && exit 0; sleep 0.2; done; exit 1"
LAYOUT = "mirror {0} {1} mirror {2} {3} log {4} cache {5}"


@pytest.fixture
def tank(guest: Guest) -> Guest:
    """A guest with two mirrors, a log and a cache device, and a little data."""
    pool_of_layout(guest, LAYOUT)
    return guest


def wait(guest: Guest, test: str) -> None:
    """Until a line of shell is true in the guest."""
    guest.ssh(WAIT.format(test=test))


def name_of(guest: Guest, bay: int) -> str:
    """How `zpool status` calls the disk in a bay."""
    return guest.disk(bay).rpartition("/")[2]


def state_of(guest: Guest, bay: int) -> str:
    """The state of a disk in tank."""
    return said(guest, f"zpool status tank | awk '$1 == \"{name_of(guest, bay)}\" {{ print $2; exit }}'")


def property_of(guest: Guest, name: str, pool: str = "tank") -> str:
    """A property of a pool."""
    return said(guest, f"zpool get -Hpo value {name} {pool}")


async def test_scrub_starts_pauses_goes_on_and_stops(nas: Acting) -> None:
    nas.guest.ssh("echo 1 > /sys/module/zfs/parameters/zfs_scan_suspend_progress")
    try:
        await nas.do("scrub", "tank")
        assert "scrub in progress" in said(nas.guest, "zpool status tank")
        assert {"scrubbing"} == await nas.refused("scrub", "tank")
        await nas.do("scrub", "tank", pause=True)
        assert "scrub paused" in said(nas.guest, "zpool status tank")
        await nas.do("scrub", "tank")
        await nas.do("scrub", "tank", stop=True)
        assert "scrub canceled" in said(nas.guest, "zpool status tank")
    finally:
        nas.guest.ssh("echo 0 > /sys/module/zfs/parameters/zfs_scan_suspend_progress")


async def test_offline_and_online_by_guid(nas: Acting) -> None:
    made = await nas.do("offline", "tank", name_of(nas.guest, 0))

    assert "OFFLINE" == state_of(nas.guest, 0)
    assert made.steps[0].argv[-1].isdigit()
    assert {"last-replica"} == await nas.refused("offline", "tank", name_of(nas.guest, 1))
    assert {"offline"} == await nas.refused("offline", "tank", name_of(nas.guest, 0))
    await nas.do("online", "tank", name_of(nas.guest, 0))
    wait(nas.guest, "zpool status -x tank | grep -q 'is healthy'")
    assert "ONLINE" == state_of(nas.guest, 0)


async def test_offline_until_the_next_import(nas: Acting) -> None:
    await nas.do("offline", "tank", name_of(nas.guest, 0), temporary=True)

    assert "OFFLINE" == state_of(nas.guest, 0)
    await nas.do("export", "tank")
    await nas.do("import", "tank")
    assert "ONLINE" == state_of(nas.guest, 0)


async def test_fault_and_clear(nas: Acting) -> None:
    await nas.do("offline", "tank", name_of(nas.guest, 2), fault=True)

    assert "FAULTED" == state_of(nas.guest, 2)
    assert {"faulted"} == await nas.refused("online", "tank", name_of(nas.guest, 2))
    await nas.do("clear", "tank", name_of(nas.guest, 2))
    wait(nas.guest, "zpool status -x tank | grep -q 'is healthy'")


async def test_the_only_log_device_goes_offline_with_a_warning(nas: Acting) -> None:
    made = await nas.do("offline", "tank", name_of(nas.guest, 4))

    assert "only working log device" in made.warnings[0]
    assert "OFFLINE" == state_of(nas.guest, 4)


async def test_clear_forgets_errors_of_the_whole_pool(nas: Acting) -> None:
    """One half of a mirror was overwritten beneath ZFS."""
    guest = nas.guest
    assert {"nothing-to-clear"} == await nas.refused("clear", "tank")
    guest.ssh(
        "mkdir -p /files && truncate -s 100M /files/a /files/b;zpool create -f hurt mirror /files/a /files/b"
    )
    guest.ssh("dd if=/dev/urandom of=/hurt/some bs=1M count=20 2>/dev/null && zpool sync hurt")
    guest.ssh("dd if=/dev/urandom of=/files/b bs=1M seek=5 count=90 conv=notrunc,fsync 2>/dev/null")
    guest.ssh("zpool scrub -w hurt")

    made = await nas.do("clear", "hurt")

    assert any(note.startswith("forgotten: /files/b") and "checksum errors" in note for note in made.notes)
    wait(guest, "zpool status -x hurt | grep -q 'is healthy'")


async def test_a_disk_that_grew_is_expanded(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh(
        "mkdir -p /files && truncate -s 1G /files/a /files/b;zpool create -f grown mirror /files/a /files/b"
    )
    guest.ssh("truncate -s 2G /files/a /files/b && zpool reopen grown || true")
    before = int(property_of(guest, "size", "grown"))

    await nas.do("online", "grown", "/files/a", expand=True)
    await nas.do("online", "grown", "/files/b", expand=True)

    assert before < int(property_of(guest, "size", "grown"))


@pytest.mark.parametrize("action", ["initialize", "trim"])
async def test_initialize_and_trim_start_suspend_and_cancel(nas: Acting, action: str) -> None:
    guest, device = nas.guest, name_of(nas.guest, 1)
    flag = {"initialize": "-i", "trim": "-t"}[action]
    slow = "/sys/module/zfs/parameters/zfs_trim_extent_bytes_max"
    guest.ssh(f"[ {action} = trim ] && echo 65536 > {slow}; true")
    guest.slow(1, 100)
    try:
        await nas.do(action, "tank", device)
        await nas.do(action, "tank", device, suspend=True)
        assert "suspended" in said(guest, f"zpool status {flag} tank | grep {device}")
        await nas.do(action, "tank", device)
        await nas.do(action, "tank", device, cancel=True)
        assert {"not-running"} == await nas.refused(action, "tank", device, cancel=True)
    finally:
        guest.slow(1, 0)
        guest.ssh(f"[ {action} = trim ] && echo 134217728 > {slow}; true")


async def test_checkpoint_and_discard(nas: Acting) -> None:
    await nas.do("checkpoint", "tank")

    assert "checkpoint" in said(nas.guest, "zpool status tank")
    assert {"checkpoint"} == await nas.refused("checkpoint", "tank")
    await nas.do("checkpoint", "tank", discard=True)
    wait(nas.guest, "[ $(zpool get -Hpo value checkpoint tank) = - ]")


async def test_properties_are_set(nas: Acting) -> None:
    await nas.do("set", "tank", "autotrim=on")
    await nas.do("set", "tank", "comment=bay 3, top")

    assert ("on", "bay 3, top") == (property_of(nas.guest, "autotrim"), property_of(nas.guest, "comment"))
    assert {"read-only-property"} == await nas.refused("set", "tank", "size=1T")


async def test_upgrade_enables_what_it_listed(nas: Acting) -> None:
    nas.guest.ssh(
        "mkdir -p /files && truncate -s 100M /files/old;"
        "zpool create -f -d -o feature@async_destroy=enabled old /files/old; echo data > /old/file"
    )

    made = await nas.do("upgrade", "old")

    (enabled,) = (note.removeprefix("enables ") for note in made.notes if note.startswith("enables "))
    for feature in enabled.split(", "):
        assert property_of(nas.guest, f"feature@{feature}", "old") in {"enabled", "active"}
    assert {"nothing-to-upgrade"} == await nas.refused("upgrade", "old")


async def test_export_waits_for_open_files_and_import_brings_it_back(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh("(tail -f /tank/some >/dev/null 2>&1 & echo $! > /run/tail.pid) </dev/null")
    assert {"in-use"} == await nas.refused("export", "tank")
    guest.ssh("kill $(cat /run/tail.pid)")

    await nas.do("export", "tank")
    assert "" == said(guest, "zpool list -Ho name")
    made = await nas.do("import", "tank", name="tank2", altroot="/mnt")

    assert "tank2" == said(guest, "zpool list -Ho name")
    assert "/mnt" == property_of(guest, "altroot", "tank2")
    assert any("last used by" in note for note in made.notes)
    guest.ssh("zpool export tank2 && zpool import tank2 tank")


async def test_read_only_import_writes_nothing(nas: Acting) -> None:
    await nas.do("export", "tank")

    await nas.do("import", "tank", read_only=True)

    assert "on" == property_of(nas.guest, "readonly")


async def test_a_pool_of_another_host_only_with_that_hosts_name(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh(FOREIGN.format(old=guest.disk(8), new=guest.disk(10)))
    try:
        assert {"other-host"} == await nas.refused("import", "foreign")
        forced = await nas.plan("import", "foreign", force=True)
        assert "elsewhere" == forced.target
        assert any("last used by elsewhere, 20" in note for note in forced.notes)
        assert RunState.REFUSED is (await nas.operator.execute(nas.host.label, forced, "nas:foreign")).state
        run = await nas.run(forced)
        assert RunState.DONE is run.state, (run.words, run.differences)
        assert "foreign" in said(guest, "zpool list -Ho name").split()
    finally:
        guest.ssh(f"echo 0 > {HOSTID}; zpool destroy foreign; zpool labelclear -f {guest.disk(10)}-part1")
        guest.ssh(f"sgdisk -Z {guest.disk(10)}; udevadm settle")


async def test_without_its_log_only_when_that_is_said(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh("dd if=/dev/urandom of=/tank/sync bs=4k count=64 oflag=sync 2>/dev/null; zpool export tank")
    guest.ssh(f"zpool labelclear -f {guest.disk(4)}-part1")

    assert {"missing-log"} == await nas.refused("import", "tank")
    await nas.do("import", "tank", without_log=True)

    assert "tank" in said(guest, "zpool list -Ho name")


async def test_destroy_and_bring_back(nas: Acting) -> None:
    nas.guest.ssh("zfs create tank/home && zfs snapshot -r tank@a && zfs clone tank/home@a tank/copy")

    made = await nas.do("destroy", "tank")

    assert {"tank", "tank@a", "tank/home", "tank/home@a", "tank/copy"} == set(made.destroys)
    assert "" == said(nas.guest, "zpool list -Ho name")
    await nas.do("import", "tank", destroyed=True)
    assert set(made.destroys) == set(said(nas.guest, "zfs list -t all -Ho name").split())
    nas.guest.ssh("zfs destroy -R tank/home@a && zfs destroy tank/home && zfs destroy tank@a")


async def test_each_run_is_in_the_journal(nas: Acting) -> None:
    await nas.do("set", "tank", "comment=seen")

    (entry,) = nas.journal.entries()

    assert ("set", "tank", RunState.DONE) == (entry.action, entry.target, entry.state)
    assert ("zpool", "set", "comment=seen", "tank") == entry.steps[0].argv
    assert {"action": "set", "target": "tank"}.items() <= json.loads(entry.intent).items()


def test_the_rules_for_sudo_allow_what_we_run_and_no_more(tank: Guest) -> None:
    file = "/etc/sudoers.d/zconsole"
    grants = Grants(commands=frozenset({IMPORT}))
    rules = sudoers(Rules("anna", "/usr/sbin", asks_password=False, grants=grants))
    tank.ssh(
        f"id anna >/dev/null 2>&1 || useradd -m anna; cat > {file}; chmod 440 {file}", stdin=rules.encode()
    )
    guid = said(tank, "zpool status -g tank | awk '$1 ~ /^[0-9]+$/ && $2 == \"ONLINE\" { print $1; exit }'")
    allowed = (
        ("zpool", "scrub", "tank"),
        ("zpool", "offline", "-t", "tank", guid),
        ("zpool", "import", "-D"),
        ("zpool", "import", "-N", "-f", guid, "tank2"),
        ("zfs", "destroy", "-r", "tank/home@a"),
        ("zdb", "-l", "-u", f"{tank.disk(0)}-part1"),
        OPEN_FILES.argv,
    )
    forbidden = (
        ("zpool", "destroy", "-f", "tank"),
        ("zpool", "import", "-N", "-F", guid),
        ("zpool", "import", "-N", "-R", "/etc", guid),
        ("zpool", "create", "-m", "/etc", "bulk", tank.disk(7)),
        ("zpool", "scrub", "-w", "tank"),
        ("zfs", "receive", "-F", "tank/home"),
        ("find", "/", "-delete"),
        ("sh",),
    )

    def may(argv: Sequence[str]) -> bool:
        asked = f"runuser -u anna -- sudo -n -l {shlex.join(argv)} >/dev/null 2>&1 && echo yes || echo no"
        return "yes" == said(tank, asked)

    try:
        tank.ssh(f"visudo -cf {file}")
        assert [] == [argv for argv in allowed if not may(argv)]
        assert [] == [argv for argv in forbidden if may(argv)]
        tank.ssh("runuser -u anna -- sudo -n zpool scrub tank")
        assert "scrub" in said(tank, "zpool status tank")
    finally:
        tank.ssh(f"rm -f {file}")


async def test_from_the_command_line(nas: Acting, ssh_alias: str, tmp_path: Path) -> None:
    file, disk = str(tmp_path / "plan.json"), name_of(nas.guest, 0)

    planned = zconsole("plan", "offline", "tank", disk, "--host", ssh_alias, "-o", file)
    unconfirmed = zconsole("apply", file)
    applied = zconsole("apply", file, "--confirm", f"{ssh_alias}:{disk}")
    again = zconsole("apply", file, "--confirm", f"{ssh_alias}:{disk}")

    assert [0, 3, 0, 3] == [each.returncode for each in (planned, unconfirmed, applied, again)], (
        applied.stderr
    )
    assert "OFFLINE" == state_of(nas.guest, 0)
    assert f"{disk} was ONLINE, is OFFLINE" in again.stderr
    assert "done" in zconsole("journal", "--last", "1").stdout
