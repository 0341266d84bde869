"""Members of a pool and what stands in for them, however ZFS nests the groups."""

from __future__ import annotations

import pytest

from tests.analysis.build import disk, group, in_class, pool
from zconsole.analysis.repair.spare_and_replacing_vdevs import places
from zconsole.model.pools.pool import Vdev

OLD, NEW, SPARE = disk("old", "FAULTED"), disk("new"), disk("spare")


@pytest.mark.parametrize(
    ("member", "newcomers", "spares", "holder"),
    [
        ("old", [], [], OLD),
        ("old", ["new"], [], group("replacing-0", OLD, NEW)),
        ("old", [], ["spare"], group("spare-0", OLD, SPARE)),
        ("old", ["new"], ["spare"], group("spare-0", group("replacing-0", OLD, NEW), SPARE)),
        ("old", ["new"], ["spare"], group("replacing-0", group("spare-0", OLD, SPARE), NEW)),
        ("old", ["n1", "n2"], [], group("replacing-0", OLD, disk("n1"), disk("n2"))),
        ("old", [], ["s1", "s2"], group("spare-0", OLD, disk("s1", "UNAVAIL"), disk("s2"))),
    ],
)
def test_each_nesting_is_taken_apart(
    member: str, newcomers: list[str], spares: list[str], holder: Vdev
) -> None:
    for top in (holder, group("mirror-0", holder, disk("other"))):
        found = next(iter(places(pool(top))))

        assert member == found.member.name
        assert newcomers == [each.name for each in found.newcomers]
        assert spares == [each.name for each in found.spares]
        assert holder is found.holder


def test_what_a_removal_left_is_no_member() -> None:
    gone = Vdev("indirect-1", "indirect", "data", "ONLINE")
    of = pool(group("mirror-0", disk("a"), disk("b")), gone, in_class(disk("c"), "cache"))

    assert ["a", "b", "c"] == [each.member.name for each in places(of)]
