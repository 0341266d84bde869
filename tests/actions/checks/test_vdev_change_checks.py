"""Checks that changes to a pool's vdevs share."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import host, pool
from tests.doubles.shelves import leaf, mirror, raidz
from zconsole.actions.checks.unread_or_read_only_pool import refuse_read_only
from zconsole.actions.checks.vdev_change_checks import (
    common_ashift,
    never_leaves,
    object_of,
    refuse_checkpoint,
    refuse_moving,
    say_resilver,
    what_is_lost,
)
from zconsole.actions.plan import Risk
from zconsole.model.pools.pool import Pool, PoolActivity, Scan


def tank(*tops: object, **values: object) -> Pool:
    return pool(vdevs=tops, **values)


@pytest.mark.parametrize(
    ("expected", "values"),
    [
        ([], {}),
        (["checkpoint"], {"checkpoint_created": 1}),
        (["checkpoint"], {"checkpoint_bytes": 0}),
        (["checkpoint"], {"activities": (PoolActivity("checkpoint_discard", "tank", "active"),)}),
        ([], {"activities": (PoolActivity("checkpoint_discard", "tank", "finished"),)}),
    ],
)
def test_a_checkpoint_keeps_the_tree_as_it_is(expected: list[str], values: dict[str, object]) -> None:
    made = draft()

    refuse_checkpoint(pool(**values), made, "add vdevs")

    assert expected == rules(made)


def test_a_pool_imported_read_only_and_a_vdev_that_leaves_take_no_change() -> None:
    made = draft()

    refuse_read_only(pool(), host(read_only_pools=frozenset({"tank"})), made)
    refuse_moving(mirror(0, 0, 1, is_removing=True), made)
    refuse_moving(mirror(0, 0, 1), made)

    assert ["pool-read-only", "removing"] == rules(made)


@pytest.mark.parametrize(
    ("said", "scan"),
    [
        ("this one waits until it is done", Scan("resilver", "scanning", start=1)),
        ("the scrub of tank ends", Scan("scrub", "scanning", start=1)),
        ("", Scan("scrub", "finished", start=1, end=2)),
        ("", None),
    ],
)
def test_what_a_resilver_does_to_a_scan_that_runs(said: str, scan: Scan | None) -> None:
    made = draft()

    say_resilver(pool(scan=scan), made)

    assert bool(said) is bool(made.notes)
    assert said in "".join(made.notes)


def test_a_vdev_that_ends_without_redundancy_is_a_matter_of_destruction() -> None:
    pair, lone = tank(mirror(0, 0, 1)), tank(leaf(0))
    lost, same = draft(), draft()

    what_is_lost(pair, lone, lost)
    what_is_lost(lone, lone, same)

    assert Risk.DESTRUCTIVE is lost.risk
    assert Risk.ROUTINE is same.risk


def test_no_vdev_leaves_a_pool_with_parity_or_of_several_sector_sizes() -> None:
    other = mirror(1, 2, 3, configured_ashift=9)
    other = replace(other, children=tuple(replace(each, configured_ashift=9) for each in other.children))

    assert "" == never_leaves(tank(mirror(0, 0, 1)))
    assert "tank has a raidz1 vdev" == never_leaves(tank(raidz(0, 1, 0, 1, 2)))
    assert "the vdevs of tank differ in ashift (9, 12)" == never_leaves(tank(mirror(0, 0, 1), other))
    assert 12 == common_ashift(tank(mirror(0, 0, 1), other))


def test_a_group_is_named_with_its_pool_since_each_pool_has_a_mirror_0() -> None:
    group = mirror(0, 0, 1)

    assert "tank mirror-0" == object_of(tank(group), group)
    assert group.children[0].name == object_of(tank(group), group.children[0])
