"""Removing vdevs: what can leave, and what cannot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group, in_class
from tests.doubles.shelves import TB, aux, leaf, mirror, planned, raidz, rules, shape, world
from zconsole.actions.plan import Risk
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import Pool, PoolActivity, Vdev

PAIR = mirror(0, 0, 1)
OLD = ZfsVersion("zfs-2.1.11-1", "zfs-kmod-2.1.11-1")
ROOM: dict[str, object] = {"usable_available_bytes": 3 * TB}


@pytest.mark.parametrize(
    ("tops", "word", "risk"),
    [
        ((PAIR, aux(2, "cache")), "1002", Risk.ROUTINE),
        ((PAIR, in_class(leaf(2), "log")), "1002", Risk.CAUTION),
        ((PAIR, aux(2, "spare")), "1002", Risk.CAUTION),
        ((PAIR, mirror(1, 2, 3, size_bytes=TB)), "mirror-1", Risk.CAUTION),
        ((raidz(0, 1, 0, 1, 2), in_class(mirror(1, 3, 4), "log")), "mirror-1", Risk.CAUTION),
    ],
)
def test_what_can_leave_leaves(tops: tuple[Vdev, ...], word: str, risk: Risk) -> None:
    made = planned(world(*tops, pool=ROOM), "remove", "tank", word)

    assert made.before is not None
    assert made.after is not None
    assert ([], risk) == (rules(made), made.risk)
    assert ("zpool", "remove", "tank") == made.steps[0].argv[:3]
    assert shape(made.after) == [
        each for each in shape(made.before) if each not in shape(_only(made.before, word))
    ]


def _only(pool: Pool, word: str) -> Pool:
    return replace(pool, vdevs=tuple(top for top in pool.vdevs if word in {top.name, str(top.guid)}))


MOVING = PoolActivity("removal", "mirror-0", "active")
FULL = in_class(mirror(1, 2, 3, allocated_bytes=9), "special")
NESTED = group("mirror-0", leaf(0), group("replacing-1", leaf(1), leaf(6)), guid=500)


@pytest.mark.parametrize(
    ("tops", "values", "word", "rule"),
    [
        ((raidz(0, 1, 0, 1, 2), raidz(1, 1, 3, 4, 5)), {}, "raidz1-1", "never-leaves"),
        ((raidz(0, 1, 0, 1, 2), leaf(3)), {}, "1003", "never-leaves"),
        ((PAIR, mirror(1, 2, 3, configured_ashift=9)), {}, "mirror-1", "never-leaves"),
        ((PAIR,), {}, "mirror-0", "last-vdev"),
        ((PAIR, mirror(1, 2, 3)), {}, "1002", "only-tops"),
        ((raidz(0, 1, 0, 1, 2),), {}, "1002", "only-tops"),
        ((PAIR, mirror(1, 2, 3, size_bytes=4 * TB)), {}, "mirror-1", "not-enough-space"),
        ((PAIR, group("mirror-1", leaf(2), leaf(3, "OFFLINE"), guid=501)), {}, "mirror-1", "not-whole"),
        ((NESTED, mirror(1, 2, 3)), {}, "mirror-1", "replacing"),
        ((PAIR, mirror(1, 2, 3)), {"checkpoint_bytes": 1}, "mirror-1", "checkpoint"),
        ((PAIR, aux(2, "cache")), {"checkpoint_bytes": 1}, "1002", "checkpoint"),
        ((PAIR, mirror(1, 2, 3)), {"activities": (MOVING,)}, "mirror-1", "removing"),
        ((PAIR, replace(aux(2, "spare"), state="INUSE")), {}, "1002", "spare-in-use"),
        ((PAIR, replace(aux(2, "spare"), type="dspare")), {}, "1002", "distributed-spare"),
        ((replace(PAIR, free_bytes=1), FULL), {}, "mirror-1", "not-enough-space"),
    ],
)  # fmt: skip
def test_what_cannot_leave_is_told_why(
    tops: tuple[Vdev, ...], values: dict[str, object], word: str, rule: str
) -> None:
    made = planned(world(*tops, pool={**ROOM, **values}), "remove", "tank", word)

    assert rule in rules(made)


def test_removal_needs_its_feature() -> None:
    disabled = (("tank", "feature@device_removal", "disabled", "local"),)
    facts = world(PAIR, mirror(1, 2, 3, size_bytes=TB), pool=ROOM, properties=disabled)

    assert ["feature"] == rules(planned(facts, "remove", "tank", "mirror-1"))


def test_before_2_2_a_removal_leaves_twice_the_slop() -> None:
    room: dict[str, object] = {"usable_available_bytes": TB + 1, "size_bytes": 8 * TB}
    tops = (PAIR, mirror(1, 2, 3, size_bytes=TB))

    assert [] == rules(planned(world(*tops, pool=room), "remove", "tank", "mirror-1"))
    assert ["not-enough-space"] == rules(
        planned(world(*tops, pool=room, version=OLD), "remove", "tank", "mirror-1")
    )


def test_what_a_special_vdev_holds_becomes_as_slow_as_the_data() -> None:
    made = planned(world(PAIR, FULL, pool=ROOM), "remove", "tank", "mirror-1")

    assert any("metadata, with the small blocks, moves to the data vdevs" in each for each in made.warnings)
