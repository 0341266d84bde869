"""What blocks of volumes take on vdevs with parity."""

from __future__ import annotations

import pytest

from tests.zfs.recorded import CAPTURES
from zconsole.analysis.findings.datasets.volume_rules import block_cost, unused_reservation
from zconsole.analysis.pool_layouts.layout import DRAID, RAIDZ, VdevShape
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.zfs.settings.dataset_settings import parse_dataset_settings


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


def test_a_reservation_without_use_is_what_a_real_zfs_counts_so() -> None:
    """`usedbyrefreservation` and the space without it, out of the columns that are read for all datasets."""
    text = (CAPTURES / "live" / "2.4" / "dataset_settings.tsv").read_text()
    found = {each.name: each for each in parse_dataset_settings(text, ZfsVersion("zfs-2.4.4-1"))}
    root, volume = found["bulk"], found["bulk/v8"]

    unused = unused_reservation(volume)

    assert 244120320 == unused  # its snapshot has all that was written
    assert root.available_bytes == (volume.available_bytes or 0) - unused
    assert unused_reservation(found["bulk/sparse"]) is None
