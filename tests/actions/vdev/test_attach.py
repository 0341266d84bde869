"""Attaching devices to mirrors and raidz vdevs."""

from __future__ import annotations

import pytest

from tests.analysis.build import group, in_class
from tests.doubles.shelves import aux, leaf, link, mirror, planned, raidz, rules, serial, world
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import PoolActivity, Scan, Vdev

RAIDZ = raidz(0, 1, 0, 1, 2)


@pytest.mark.parametrize(
    ("top", "existing", "changes"),
    [
        (leaf(0), "1000", (0, 0, 1)),
        (mirror(0, 0, 1), "1000", (1, 1, 2)),
        (group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500), "1000", (0, 0, 1)),
        (group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500), "1001", (0, 0, 1)),
    ],
)
def test_a_device_beside_another(top: Vdev, existing: str, changes: tuple[int, int, int]) -> None:
    made = planned(world(top), "attach", "tank", existing, serial(4))

    assert ([], Risk.CAUTION, True) == (rules(made), made.risk, made.is_reversible)
    assert ("zpool", "attach", "tank", existing, link(4)) == made.steps[0].argv
    assert [changes] == [(each.before, each.during, each.after) for each in made.redundancy]
    assert f"zpool detach tank {link(4)}" == made.undo


def test_a_log_is_mirrored_too() -> None:
    made = planned(world(mirror(0, 0, 1), in_class(leaf(2), "log")), "attach", "tank", "1002", serial(4))

    assert made.after is not None
    assert ([], "mirror") == (rules(made), made.after.of_class("log")[0].type)


def test_a_raidz_grows_for_good() -> None:
    made = planned(world(RAIDZ), "attach", "tank", "raidz1-0", serial(4))

    assert ([], Risk.DESTRUCTIVE, False) == (rules(made), made.risk, made.is_reversible)
    assert "storage1:tank raidz1-0" == made.confirm
    assert ("zpool", "attach", "tank", "500", link(4)) == made.steps[0].argv
    assert any("zfs rewrite" in each for each in made.notes)
    assert [(1, 1, 1)] == [(each.before, each.during, each.after) for each in made.redundancy]


@pytest.mark.parametrize(
    ("top", "values", "rule"),
    [
        (RAIDZ, {"version": ZfsVersion("zfs-2.2.4-1")}, "version"),
        (RAIDZ, {"properties": (("tank", "feature@raidz_expansion", "disabled", "local"),)}, "feature"),
        (RAIDZ, {"pool": {"activities": (PoolActivity("raidz_expand", "raidz1-0", "active"),)}}, "expanding"),
        (group("raidz1-0", leaf(0), leaf(1, "OFFLINE"), leaf(2), guid=500), {}, "degraded"),
        (
            group("raidz1-0", leaf(0), group("replacing-1", leaf(1), leaf(3)), leaf(2), guid=500),
            {},
            "replacing",
        ),
        (RAIDZ, {"pool": {"checkpoint_bytes": 1}}, "checkpoint"),
        (RAIDZ, {"read_only_pools": frozenset({"tank"})}, "pool-read-only"),
    ],
)
def test_a_raidz_that_cannot_grow(top: Vdev, values: dict[str, object], rule: str) -> None:
    made = planned(world(top, **values), "attach", "tank", "raidz1-0", serial(5))

    assert rule in rules(made)


@pytest.mark.parametrize(
    ("tops", "existing", "rule"),
    [
        ((RAIDZ,), "1001", "raidz-child"),
        ((mirror(0, 0, 1),), "mirror-0", "only-devices"),
        ((mirror(0, 0, 1), aux(2, "cache")), "1002", "not-mirrored"),
        ((mirror(0, 0, 1), aux(2, "spare")), "1002", "not-mirrored"),
        ((group("mirror-0", group("replacing-0", leaf(0), leaf(2)), leaf(1)),), "1000", "only-mirrors"),
        ((leaf(0, "FAULTED"),), "1000", "nothing-to-copy"),
    ],
)
def test_where_nothing_can_be_attached(tops: tuple[Vdev, ...], existing: str, rule: str) -> None:
    made = planned(world(*tops), "attach", "tank", existing, serial(5))

    assert rule in rules(made)


def test_attaching_to_a_dead_device_offers_to_replace_it() -> None:
    top = group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500)

    made = planned(world(top), "attach", "tank", "1001", serial(4))

    assert [("replace", ("1001", serial(4)))] == [
        (each.action, each.arguments) for _, each in made.alternatives
    ]


def test_attach_needs_both_devices() -> None:
    with pytest.raises(UsageError):
        planned(world(RAIDZ), "attach", "tank", "1001")


def test_what_is_being_resilvered_counts_when_the_new_disk_has_its_data_too() -> None:
    behind = group("mirror-0", leaf(0), leaf(1, is_resilvering=True), guid=500, configured_ashift=12)
    facts = world(behind, pool={"scan": Scan("resilver", "scanning", percent=98.0)})

    made = planned(facts, "attach", "tank", "1000", serial(4))

    assert [(0, 0, 2)] == [(each.before, each.during, each.after) for each in made.redundancy]
    assert "until the running resilver is done, one more failure in mirror-0 loses the pool" in made.warnings
