"""A spare stays while ZFS does not show whether the device that is back has all data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import disk, group, mirror, pool
from zconsole.analysis.repair.need_of_spare import Need, need_of_spare
from zconsole.model.pools.pool import Scan, Vdev

RUNS = Scan("resilver", "scanning", start=1, percent=40.0)
BACK = disk("back")
SPARED = group("mirror-0", disk("a"), group("spare-1", BACK, disk("s")))
FILLED = group(
    "mirror-1", disk("c"), group("replacing-1", disk("d", "FAULTED"), disk("e", is_resilvering=True))
)
BESIDE = group("raidz1-0", disk("a"), group("spare-1", BACK, disk("s")), disk("f", is_resilvering=True))


@pytest.mark.parametrize(
    ("tops", "scan"),
    [
        ((SPARED, mirror("ONLINE", "ONLINE", name="mirror-1")), replace(RUNS, vdev="mirror-1")),
        ((SPARED, FILLED), RUNS),
        ((BESIDE,), RUNS),
    ],
    ids=["rebuild of another vdev", "target in another vdev", "target beside it"],
)
def test_any_resilver_that_runs_may_be_before_its_own(tops: tuple[Vdev, ...], scan: Scan) -> None:
    """ZFS begins none while a rebuild is active, and detaches a spare itself that is not needed."""
    assert Need.RESILVER is need_of_spare(pool(*tops, scan=scan), BACK)


def test_read_only_and_under_a_checkpoint_nothing_is_marked() -> None:
    ended = Scan("resilver", "finished", start=1, end=100, errors=0)

    assert Need.NOT_SHOWN is need_of_spare(pool(SPARED, scan=ended, readonly="on"), BACK)
    assert Need.NOT_SHOWN is need_of_spare(pool(SPARED, scan=ended, checkpoint_created=50), BACK)
    assert need_of_spare(pool(SPARED, scan=ended, checkpoint_created=150), BACK) is None
