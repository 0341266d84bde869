"""Splitting a pool of mirrors."""

from __future__ import annotations

import pytest

from tests.analysis.build import group
from tests.doubles.shelves import (
    leaf,
    mirror,
    planned,
    raidz,
    rules,
    world,
)
from zconsole.actions.plan import Risk
from zconsole.model.pools.pool import PoolActivity, Scan, Vdev

PAIR = mirror(0, 0, 1)
NESTED = group("mirror-0", leaf(0), group("replacing-1", leaf(1), leaf(6)), guid=500)


def test_a_pool_is_split_into_two_without_redundancy() -> None:
    made = planned(world(PAIR, mirror(1, 2, 3)), "split", "tank", "half")
    three = planned(world(mirror(0, 0, 1, 2)), "split", "tank", "half")

    assert ([], Risk.DESTRUCTIVE, Risk.CAUTION) == (rules(made), made.risk, three.risk)
    assert [("zpool", "split", "tank", "half")] == [step.argv for step in made.steps]
    assert ["1001", "1003"] == [each.object for each in made.steps[0].settled_by]
    assert [(1, 0), (1, 0)] == [(each.before, each.after) for each in made.redundancy]


@pytest.mark.parametrize(
    ("tops", "values", "name", "rule"),
    [
        ((raidz(0, 1, 0, 1, 2),), {}, "half", "not-mirrored"),
        ((PAIR, leaf(2)), {}, "half", "not-mirrored"),
        ((group("mirror-0", leaf(0), leaf(1, "FAULTED")),), {}, "half", "not-whole"),
        ((NESTED,), {}, "half", "replacing"),
        ((PAIR,), {"scan": Scan("resilver", "scanning")}, "half", "resilvering"),
        ((PAIR,), {"checkpoint_bytes": 1}, "half", "checkpoint"),
        ((PAIR,), {"activities": (PoolActivity("removal", None, "active"),)}, "half", "removing"),
        ((PAIR,), {}, "tank", "pool-exists"),
        ((PAIR,), {}, "mirrors", "name"),
        ((PAIR,), {}, "1st", "name"),
    ],
)
def test_what_is_not_split(tops: tuple[Vdev, ...], values: dict[str, object], name: str, rule: str) -> None:
    assert rule in rules(planned(world(*tops, pool=values), "split", "tank", name))
