"""What real pools survive while ZFS also writes to sound disks: a draid rebuild, a repair in a resilver."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tests.lab.console import zconsole
from tests.lab.guests import Guest, said

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]

PARAMETERS: Final = "/sys/module/zfs/parameters"
TUNE: Final = f"tune() {{ [ ! -e {PARAMETERS}/$1 ] || echo $2 > {PARAMETERS}/$1; }}; "
AS_BEFORE: Final = (
    TUNE + "tune zfs_scan_suspend_progress 0; tune zfs_scan_vdev_limit 16777216; "
    "tune zfs_rebuild_vdev_limit 67108864; tune zfs_rebuild_max_segment 1048576"
)
SLOWLY: Final = TUNE + "tune zfs_scan_vdev_limit 131072; "
HELD_WHEN: Final = """\
for n in $(seq 900); do
    {reached} && break
    sleep 0.1
done
{hold}
"""
PERCENT: Final = "zpool status tank | grep -oE '[0-9]+\\.[0-9]+% done' | head -1 | cut -d. -f1"
MARKED: Final = "zpool status tank | grep -w {} | grep -q '(resilvering)'"
DAMAGE: Final = (  # wherever the data is, with the labels left as they are
    "udevadm settle; dd if=/dev/zero of={}-part1 bs=1M seek=8 count=1000 conv=notrunc,fsync 2>/dev/null"
)
FILL: Final = "dd if=/dev/urandom of=/tank/a bs=1M count={} conv=fsync 2>/dev/null && zpool sync tank"
DELAYED: Final = """\
modprobe dm-delay
for n in $(seq 0 9); do
    disk=$(readlink -f {disk}$n)
    wipefs -aq $disk
    echo "0 $(blockdev --getsz $disk) delay $disk 0 60" | dmsetup create late$n
done
udevadm settle
"""
WARNING: Final = 1  # exit code of `zconsole check`


@pytest.fixture
def held(bare_guest: Guest) -> Iterator[Guest]:
    """A guest without pools and ZED, which attaches spares itself; scans may be slowed down and held."""
    bare_guest.ssh("pkill -x zed; while pgrep -x zed >/dev/null; do sleep 0.2; done")
    yield bare_guest
    bare_guest.ssh(f"{AS_BEFORE}; pgrep -x zed >/dev/null || zed")
    bare_guest.ssh("for n in $(seq 0 9); do dmsetup resume late$n 2>/dev/null; done; true")
    bare_guest.wipe()
    bare_guest.ssh("for n in $(seq 0 9); do dmsetup remove --retry late$n 2>/dev/null; done; true")


def is_marked(guest: Guest, disk: str) -> bool:
    """Whether ZFS prints `(resilvering)` beside a disk."""
    return "(resilvering)" in said(guest, f"zpool status tank | grep -w {disk.rpartition('/')[2]}; true")


def test_a_sibling_that_a_resilver_repairs_is_not_a_failed_one(held: Guest, ssh_alias: str) -> None:
    """A raidz2 of five: one is replaced, and another had damage, which the resilver finds and repairs."""
    if not held.has_json:
        pytest.skip("a resilver of 2.1 is over before it can be held")
    disks = [held.disk(bay) for bay in range(6)]
    held.create_pool(f"-o ashift=12 tank raidz2 {' '.join(disks[:5])}")
    held.ssh(FILL.format(150))
    held.ssh(DAMAGE.format(disks[1]))
    held.ssh(f"zpool offline -f tank {disks[0]}")
    held.ssh(f"{SLOWLY}zpool replace tank {disks[0]} {disks[5]}")
    held.ssh(
        HELD_WHEN.format(
            reached=MARKED.format(disks[1].rpartition("/")[2]),
            hold=f"{TUNE}tune zfs_scan_suspend_progress 1; sleep 3",
        )
    )
    assert is_marked(held, disks[1]), "the resilver has not repaired the damaged disk"

    checked = zconsole("check", "--host", ssh_alias)

    words = " ".join(checked.stdout.split())
    assert WARNING == checked.returncode, words
    assert "no redundancy left" not in words
    told = zconsole("status", "--host", ssh_alias).stdout
    assert "raidz2-0 survives at most 1 more failure" in told, told


def test_a_draid_whose_spare_is_rebuilt_survives_one_more(held: Guest, ssh_alias: str) -> None:
    """A draid2 of ten with one spare: every disk that holds a part of the spare is written to."""
    disk = held.disk(0).removesuffix("0")
    held.blank()
    held.ssh(DELAYED.format(disk=disk))
    children = " ".join(f"/dev/mapper/late{n}" for n in range(10))
    held.ssh(f"zpool create -f -o ashift=12 tank draid2:4d:10c:1s {children}", timeout_s=600)
    held.ssh(FILL.format(300), timeout_s=900)
    held.ssh(
        f"{TUNE}zpool offline -f tank late2; tune zfs_rebuild_vdev_limit 262144; "
        "tune zfs_rebuild_max_segment 131072; zpool replace -s tank late2 draid2-0-0"
    )
    hold = "dmsetup suspend --noflush --nolockfs late8; sleep 3"
    held.ssh(HELD_WHEN.format(reached=f'[ "$({PERCENT})" -ge 15 ] 2>/dev/null', hold=hold))

    checked = zconsole("check", "--host", ssh_alias)

    words = " ".join(checked.stdout.split())
    assert WARNING == checked.returncode, words
    assert "no redundancy left" not in words
    told = zconsole("status", "--host", ssh_alias).stdout
    # While one runs in sequence, ZFS does not mark what came back meanwhile (`spa_async_thread`).
    assert "draid2:4d:10c:1s-0 survives at most 1 more failure" in told, told
