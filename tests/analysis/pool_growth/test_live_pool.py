"""A pool as it is, explained by its layout."""

from __future__ import annotations

import pytest

from tests.analysis.build import NOW, disk, group, host, pool
from tests.analysis.pool_growth.live_pools import GIB, LAB_DEVICE
from tests.reports.captured import captured, states
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.pool_growth.live_pool import shape_of, today
from zconsole.analysis.pool_layouts.layout import VdevShape
from zconsole.analysis.vdevs.size_of_partition_made_by_zfs import partition_bytes
from zconsole.base.errors import UsageError
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.host.host_state import Reading


@pytest.mark.parametrize("series", ["2.1", "2.3", "2.4"])
def test_real_pools_are_explained(series: str) -> None:
    """All that is left is what dedup and special vdevs hold, a checkpoint, and a removal under way."""
    seen = 0
    for state in states(series):
        if state in {"removal-running", "same-names"} or (series, state) in {
            ("2.4", "raidz-expanded"),  # its SIZE was read before it was widened
            ("2.4", "removing"),
        }:
            continue
        for each in captured(series, state).pools:
            if each.pool.value is None or each.pool.value.usable_bytes is None:  # a suspended one
                continue
            found = today(each.pool.value)
            assert found.space.size_bytes == each.pool.value.size_bytes, state
            assert abs(found.offset_bytes) < 110 * 2**20, state
            seen += 1
    assert seen > 15


def test_a_widened_raidz_is_recognised() -> None:
    state = captured("2.3", "raidz-expanded").pools[0].pool.value
    assert state is not None

    found = today(state)

    (vdev,) = found.vdevs
    assert found.is_exact
    assert VdevShape("raidz", 7, 2) == vdev.shape
    assert 341 == vdev.space.deflate_ratio  # of the six disks that it was made of


def test_too_little_known_is_said() -> None:
    with pytest.raises(UsageError, match="too little is known"):
        today(pool())


def test_a_whole_disk_of_the_lab_has_the_partition_that_zfs_made() -> None:
    assert LAB_DEVICE == partition_bytes(8 * GIB)


def test_a_vdev_that_zfs_cannot_have_made_has_no_shape_and_breaks_no_rule() -> None:
    forged = group("raidz2-0", disk("a"), disk("b"))
    listed = Reading((DatasetSettings("tank/v", "volume", volblocksize_bytes=4096),), 0.0)

    assert shape_of(forged) is None
    assert () == findings(host(pool(forged), settings=listed), NOW, Thresholds())
