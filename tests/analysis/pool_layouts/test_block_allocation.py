"""What one block takes of a vdev."""

from __future__ import annotations

import pytest

from tests.analysis.pool_layouts.spaces import TIB, space
from zconsole.analysis.pool_layouts.block_allocation import allocated_bytes, efficiency
from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.analysis.pool_layouts.layout import PlannedVdev, VdevShape, draid
from zconsole.analysis.pool_layouts.usable_space import asize_bytes, pool_space, space_of, vdev_space


def test_published_raidz1_that_was_widened() -> None:
    """openzfs/zfs issue 18711: 3 x 3 TB widened to 4 disks has 7.14T, and 7.80T had it been made so."""
    drive = parse_drive("3TB")
    narrow, wide = VdevShape("raidz", 3, 1), VdevShape("raidz", 4, 1)
    ratio = vdev_space(PlannedVdev(narrow, (drive,) * 3)).deflate_ratio
    asize = asize_bytes(wide, drive.device_bytes)

    widened = pool_space([("data", space_of(wide, 12, asize, deflate_ratio=ratio))])

    assert widened.usable_bytes / TIB == pytest.approx(7.14, abs=0.01)
    assert widened.size_bytes / TIB == pytest.approx(10.9, abs=0.05)
    assert space("raidz1:4", "3TB")[1] / TIB == pytest.approx(7.80, abs=0.01)


def test_efficiency_of_block_sizes() -> None:
    """The table of the field: data per byte of disk at ashift 12."""
    expected = {
        (3, 1): (0.5, 2 / 3, 2 / 3),
        (5, 1): (0.5, 2 / 3, 0.8),
        (6, 2): (1 / 3, 2 / 3, 2 / 3),
        (8, 2): (1 / 3, 2 / 3, 0.711),
        (10, 2): (1 / 3, 2 / 3, 0.762),
        (11, 3): (0.25, 0.5, 0.727),
    }
    for (width, parity), values in expected.items():
        shape = VdevShape("raidz", width, parity)
        found = [efficiency(shape, 12, size * 1024) for size in (8, 16, 128)]
        assert found == pytest.approx(list(values), abs=0.001)


def test_a_draid_writes_whole_stripes() -> None:
    shape = draid(2, 24, 9, 2)

    assert 11 * 4096 == allocated_bytes(shape, 12, 4096)
    assert 4 * 11 * 4096 == allocated_bytes(shape, 12, 131072)
