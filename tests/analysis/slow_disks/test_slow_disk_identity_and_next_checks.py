"""What to check of a slow disk."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import disk, group, pool
from tests.model.host.test_host_state import SLOW
from zconsole.analysis.slow_disks.slow_disk_identity_and_next_checks import (
    DiskIdentity,
    identify,
    next_checks,
    share,
    spread,
    who_waits,
)
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Count
from zconsole.model.pools.slow_disk import Comparison, Quantile, SlowDiskVerdict

LINKS = ("/dev/disk/by-vdev/A3", "/dev/disk/by-path/pci-1")
DISK = Disk("sda", "/dev/sda", "disk", model="ST4", serial="Z1", links=LINKS)
POOL = pool(
    group("mirror-0", disk("sda", path="/dev/sda", slow_ios=Count(4)), disk("sdb", phys_path="bay 2"))
)
FAR = Quantile("read", 0.99, 268e6, 33.5e6, 500, is_far=True)


def test_a_disk_is_found_by_its_serial_and_slot() -> None:
    assert DiskIdentity("Z1", "ST4", "/dev/sda", "A3", 4) == identify(
        "sda", "mirror-0", POOL, Inventory((DISK,))
    )


def test_what_is_not_known_is_empty() -> None:
    assert DiskIdentity(slot="bay 2") == replace(identify("sdb", "mirror-0", POOL, None), slow_ios=None)
    assert DiskIdentity() == identify("sda", "mirror-9", POOL, None)
    assert DiskIdentity() == identify("sda", "mirror-0", None, None)


@pytest.mark.parametrize(("expected", "part"), [("99%", 0.99), ("99.9%", 0.999), ("50%", 0.5)])
def test_a_share_is_in_percent(expected: str, part: float) -> None:
    assert expected == share(part)


def test_who_waits_for_the_slowest_depends_on_the_vdev() -> None:
    raidz = replace(SLOW, shape="raidz", vdev="raidz1-0")

    assert "1 in 100 reads of this disk takes so long" == who_waits(FAR, SLOW)
    assert "1 in 100 reads of raidz1-0 on this disk or more waits so long for this disk" == who_waits(
        FAR, raidz
    )
    assert "of mirror-0 or more" in who_waits(replace(FAR, operation="write"), SLOW)


def test_quantiles_stand_beside_those_of_the_peers() -> None:
    half = replace(FAR, share=0.5, value_ns=8.4e6, reference_ns=8.4e6)

    assert "within 50% 8.4 ms, 99% 268 ms; its peers 8.4, 34 ms" == spread((half, FAR))


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        ("whether ST4 is an SMR drive", "write collapse"),
        ("what else uses /dev/sda", "long tail"),
        ("the kernel's log for timeouts and resets of /dev/sda", "stalling"),
        ("smartctl -x /dev/sda", "slow"),
    ],
)
def test_the_likeliest_is_looked_at_first(first: str, kind: str) -> None:
    checks = next_checks(replace(SLOW, kind=kind), DiskIdentity("Z1", "ST4", "/dev/sda"))

    assert checks[0].startswith(first)
    assert checks[-1].startswith("exchange the slots of sda and sdb: does the slot stay slow? ")


@pytest.mark.parametrize("verdict", [SLOW, replace(SLOW, peers=("sdb", "sdc"))])
def test_a_disk_is_not_moved_while_its_pool_is_imported_and_the_host_runs(verdict: SlowDiskVerdict) -> None:
    """Both disks out of a mirror of two suspend the pool."""
    (moves,) = [each for each in next_checks(verdict, DiskIdentity()) if "slot" in each and "CRC" not in each]

    assert "Only with the pool exported or the host shut down" in moves


def test_where_only_writes_are_slow_the_disk_may_be_shingled_and_reads_tell() -> None:
    writes = (Comparison("write", 9e8, 1e8, 100, 30, 12.0),)
    both = (*writes, Comparison("read", 9e7, 1e7, 100, 30, 12.0))
    stalls = replace(SLOW, kind="stalling", ratio=9.0, compared=writes)

    assert any("SMR" in check for check in next_checks(stalls, DiskIdentity()))
    assert not any("SMR" in check for check in next_checks(replace(stalls, compared=both), DiskIdentity()))
