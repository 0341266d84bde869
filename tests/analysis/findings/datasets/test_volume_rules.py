"""What blocks of volumes take on vdevs with parity."""

from __future__ import annotations

import pytest

from zconsole.analysis.findings.datasets.volume_rules import block_cost
from zconsole.analysis.pool_layouts.layout import DRAID, RAIDZ, VdevShape


@pytest.mark.parametrize(
    ("shape", "block", "sectors", "fair"),
    [  # sectors of 4 KiB that a block takes, by hand: data, parity, rounded up to a multiple of parity + 1
        (VdevShape(RAIDZ, 3, 1), 8192, 4, 16384),  # 2 + 1, rounded to 4; 16K: 4 + 2; 128K: 32 + 16
        (VdevShape(RAIDZ, 8, 2), 8192, 6, 16384),  # 2 + 2, rounded to 6; 16K: 4 + 2
        (VdevShape(RAIDZ, 8, 2), 16384, 6, 16384),
        (VdevShape(RAIDZ, 11, 3), 16384, 8, 32768),  # 4 + 3, rounded to 8; 32K: 8 + 3, rounded to 12
        (VdevShape(DRAID, 10, 2, 8, 0), 4096, 10, 32768),  # one sector fills a stripe of 8 + 2
    ],
)
def test_a_block_takes_what_zfs_allocates(shape: VdevShape, block: int, sectors: int, fair: int) -> None:
    cost = block_cost(shape, 12, block, "vdev")

    assert sectors * 4096 / block == cost.per_byte
    assert fair == cost.fair_bytes
