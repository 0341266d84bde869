"""Which hot spare can stand in for which device."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group, in_class, pool
from tests.doubles.shelves import TB, aux, leaf
from zconsole.analysis.vdevs.spare_fit import spare_objections
from zconsole.model.pools.pool import Vdev

OLD = leaf(1, "FAULTED")
DRAID = replace(group("draid1:2d:4c:1s-0", leaf(0), OLD, leaf(2), leaf(3)), type="draid1")


def distributed(number: int) -> Vdev:
    return Vdev(f"draid1-{number}-0", "dspare", "spare", "AVAIL")


@pytest.mark.parametrize(
    ("rules", "top", "spare"),
    [
        ([], group("mirror-0", leaf(0), OLD), aux(4, "spare")),
        (["spare-not-available"], group("mirror-0", leaf(0), OLD), replace(aux(4, "spare"), state="UNAVAIL")),
        (["too-small"], group("mirror-0", leaf(0), OLD), replace(aux(4, "spare"), physical_bytes=TB)),
        (["spared"], group("mirror-0", leaf(0), group("spare-1", OLD, leaf(5))), aux(4, "spare")),
        (["spared"], group("mirror-0", leaf(0), group("replacing-1", OLD, leaf(5))), aux(4, "spare")),
        ([], DRAID, distributed(0)),
        (["spare-of-another"], DRAID, distributed(1)),
    ],
)
def test_each_reason_against_a_spare(rules: list[str], top: Vdev, spare: Vdev) -> None:
    of = pool(top, spare)

    assert rules == [each.rule for each in spare_objections(of, OLD, spare)]


@pytest.mark.parametrize("vdev_class", ["log", "special", "dedup"])
def test_zfs_uses_no_spare_for_some_classes(vdev_class: str) -> None:
    top = in_class(group("mirror-0", leaf(0), leaf(1, "FAULTED")), vdev_class)
    spare = aux(4, "spare")

    found = spare_objections(pool(top, spare), top.children[1], spare)

    assert ["spare-for-data"] == [each.rule for each in found]
