"""How a pool is built: what each rule leaves alone. When each speaks is in the cases of all findings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import disk, group, pool
from tests.analysis.findings.judging import given, said
from zconsole.analysis.findings.layout_rules import features_are_off, names_change_at_boot, vdevs_are_uneven
from zconsole.model.pools.pool import Pool

TIB = 1 << 40


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


def _of_sizes(*sizes_and_free: tuple[int, int]) -> Pool:
    return pool(
        *(
            group(f"mirror-{at}", disk("a"), disk("b"), size_bytes=size, free_bytes=free)
            for at, (size, free) in enumerate(sizes_and_free)
        )
    )


@pytest.mark.parametrize(
    ("of", "found", "expected"),
    [
        (((TIB, TIB), (2 * TIB, 2 * TIB)), "1.00 TiB to 2.00 TiB large", "the largest less than 1.5 times"),
        (((TIB, TIB // 4), (TIB, TIB)), "0% to 75% full", "less than 20 percentage points"),
        (((TIB, TIB // 4), (2 * TIB, 2 * TIB)), "0% to 75% full, 1.00 TiB to 2.00 TiB large", "less than 20"),
    ],
    ids=["sizes alone", "fullness of equal sizes alone", "both"],
)
def test_only_the_difference_that_speaks_is_told_with_its_values(
    of: tuple[tuple[int, int], ...], found: str, expected: str
) -> None:
    ((_, advised),) = ((each.id, each.advised) for each in vdevs_are_uneven(given(_of_sizes(*of))))

    assert advised is not None
    assert found == advised.found
    assert advised.limit.startswith(expected)


def test_vdevs_that_differ_by_what_labels_take_are_equal() -> None:
    assert [] == said(vdevs_are_uneven, _of_sizes((TIB, TIB), (TIB + TIB // 100, TIB)))
