"""Attach and detach: what ZFS allows where, and what is left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group, in_class
from tests.doubles.shelves import aux, blank, leaf, link, mirror, planned, raidz, rules, serial, world
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


@pytest.mark.parametrize(
    ("top", "leaving", "risk", "left"),
    [
        (mirror(0, 0, 1), "1001", Risk.DESTRUCTIVE, (1, 0)),
        (mirror(0, 0, 1, 2), "1001", Risk.CAUTION, (2, 1)),
        (group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500), "1001", Risk.CAUTION, (0, 0)),
        (group("mirror-0", leaf(0), leaf(1), leaf(2, "OFFLINE"), guid=500), "1002", Risk.CAUTION, (1, 1)),
    ],
)
def test_a_device_of_a_mirror_is_let_go(top: Vdev, leaving: str, risk: Risk, left: tuple[int, int]) -> None:
    made = planned(world(top), "detach", "tank", leaving)

    assert ([], risk) == (rules(made), made.risk)
    assert ("zpool", "detach", "tank", leaving) == made.steps[0].argv
    assert [left] == [(each.before, each.after) for each in made.redundancy]


def test_a_mirror_ends_at_the_same_risk_beside_a_disk_that_never_had_one() -> None:
    made = planned(world(mirror(0, 0, 1), leaf(2)), "detach", "tank", "1001")

    assert Risk.DESTRUCTIVE is made.risk
    assert any("one more failure there loses the pool" in warning for warning in made.warnings)


@pytest.mark.parametrize(
    ("tops", "leaving", "rule"),
    [
        ((RAIDZ,), "1001", "only-mirrors"),
        ((mirror(0, 0, 1), leaf(2)), "1002", "only-mirrors"),
        ((mirror(0, 0, 1), aux(2, "cache")), "1002", "only-mirrors"),
        ((mirror(0, 0, 1), aux(2, "spare")), "1002", "only-mirrors"),
        ((group("mirror-0", leaf(0), leaf(1, "FAULTED")),), "1000", "last-replica"),
        ((group("mirror-0", leaf(0), leaf(1, is_resilvering=True)),), "1000", "last-replica"),
        ((group("mirror-0", leaf(0), leaf(1, note="(awaiting resilver)")),), "1000", "last-replica"),
        (
            (group("mirror-0", leaf(0), group("replacing-1", leaf(1, "OFFLINE"), leaf(2))),),
            "1000",
            "last-replica",
        ),
    ],
)
def test_what_has_the_last_copy_or_stands_alone_is_not_detached(
    tops: tuple[Vdev, ...], leaving: str, rule: str
) -> None:
    made = planned(world(*tops), "detach", "tank", leaving)

    assert rule in rules(made)


def test_while_zfs_does_not_say_what_resilvers_nothing_whole_is_detached() -> None:
    facts = world(mirror(0, 0, 1, 2), pool={"scan": Scan("resilver", "scanning")})

    assert ["resilvering"] == rules(planned(facts, "detach", "tank", "1001"))


def test_the_newcomer_of_a_replacement_is_always_given_up() -> None:
    """It is how a replacement is stopped, also one that began a moment ago."""
    top = group("mirror-0", leaf(0), group("replacing-1", leaf(1), leaf(4), guid=600), guid=500)
    facts = world(top, pool={"scan": Scan("resilver", "scanning")})

    made = planned(facts, "detach", "tank", "1004")

    assert ([], Risk.CAUTION, "stop the replacement") == (rules(made), made.risk, made.title[:20])


def test_detaching_the_old_device_of_a_replacement_ends_it() -> None:
    top = group("mirror-0", leaf(0), group("replacing-1", leaf(1, "FAULTED"), leaf(4), guid=600), guid=500)

    made = planned(world(top), "detach", "tank", "1001")

    assert made.after is not None
    assert ([], ["1000", "1004"]) == (
        rules(made), [str(each.guid) for each in made.after.vdevs[0].children],
    )  # fmt: skip


def test_a_checkpoint_keeps_the_tree() -> None:
    facts = world(mirror(0, 0, 1), pool={"checkpoint_bytes": 5})

    assert "checkpoint" in rules(planned(facts, "detach", "tank", "1001"))
    assert "checkpoint" in rules(planned(facts, "attach", "tank", "1001", serial(4)))


def test_the_guid_must_be_known() -> None:
    """On a host whose ZFS does not tell it, a name could mean another device by then."""
    top = group("mirror-0", leaf(0), replace(leaf(1), guid=None))

    made = planned(world(top, disks=[blank(1)]), "detach", "tank", f"ata-ST4000NM_{serial(1)}")

    assert "no-guid" in rules(made)
