"""How a pool is built: what each rule leaves alone. When each speaks is in the cases of all findings."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import disk, group, pool
from tests.analysis.findings.judging import said
from zconsole.analysis.findings.layout_rules import features_are_off, names_change_at_boot, vdevs_are_uneven


def test_the_only_device_of_a_pool_cannot_be_taken_for_another() -> None:
    assert [] == said(names_change_at_boot, pool(disk("nvme0n1p3", path="/dev/nvme0n1p3")))
    assert 1 == len(
        said(names_change_at_boot, pool(group("mirror-0", disk("a", path="/dev/sda1"), disk("b"))))
    )


def test_shares_are_told_of_every_vdev_the_largest_first() -> None:
    small, large = (
        group(name, disk("a"), disk("b"), size_bytes=size, allocated_bytes=0, free_bytes=size)
        for name, size in (("mirror-0", 100), ("mirror-1", 300))
    )

    ((_, words),) = said(vdevs_are_uneven, pool(small, large))

    assert words.endswith(
        "new data goes about 75% to mirror-1 (300 B, 0% full), 25% to mirror-0 (100 B, 0% full)"
    )


def test_a_pool_that_a_boot_loader_reads_has_few_features_on_purpose() -> None:
    remark = "Some supported and requested features are not enabled on the pool."

    assert [] == said(features_are_off, replace(pool(status=remark), name="bpool"))
    assert 1 == len(said(features_are_off, pool(status=remark)))
