"""Pools and vdevs: what is derived from what ZFS told, and what stays unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import disk, group, in_class, pool
from zconsole.model.pools.pool import Count, ImportablePool, Scan

PAIR = group("mirror-0", disk("a"), group("spare-1", disk("b"), disk("s")))
POOL = pool(PAIR, in_class(disk("l"), "log"))


def test_a_walk_is_in_the_order_of_status() -> None:
    assert ["mirror-0", "a", "spare-1", "b", "s", "l"] == [vdev.name for vdev in POOL.walk()]
    assert ["a", "b", "s"] == [vdev.name for vdev in PAIR.leaves()]
    assert ["l"] == [vdev.name for vdev in POOL.of_class("log")]


def test_errors_of_any_kind_are_errors_and_unknown_ones_are_none() -> None:
    assert not disk("a").has_errors
    assert replace(disk("a"), write_errors=Count(1)).has_errors
    assert not replace(disk("a"), read_errors=None, write_errors=None, checksum_errors=None).has_errors


@pytest.mark.parametrize(
    ("percent", "used", "available"), [(25.0, 25, 75), (None, None, 75), (None, 25, None), (None, 0, 0)]
)
def test_used_space_is_of_usable_space_or_unknown(
    percent: float | None, used: int | None, available: int | None
) -> None:
    assert percent == pool(usable_used_bytes=used, usable_available_bytes=available).used_percent


def test_a_paused_scan_does_not_run() -> None:
    assert Scan("scrub", "scanning").is_running
    assert not Scan("scrub", "paused").is_running


def test_a_suspended_pool_says_so() -> None:
    assert replace(POOL, state="SUSPENDED").is_suspended
    assert not replace(POOL, state="DEGRADED").is_suspended


def test_a_pool_that_can_be_imported_may_be_destroyed_or_of_another_host() -> None:
    found = ImportablePool("tank", 7, "ONLINE (DESTROYED)", see="https://openzfs.github.io/msg/ZFS-8000-EY")

    assert found.is_destroyed
    assert found.is_of_another_host
    assert not replace(found, wants_hostid=True).is_of_another_host
    assert not replace(found, state="ONLINE").is_destroyed


@pytest.mark.parametrize(
    ("expected", "size", "created"), [(False, None, None), (True, 0, None), (True, None, 5)]
)
def test_either_mark_tells_of_a_checkpoint(size: int | None, created: int | None, *, expected: bool) -> None:
    assert expected is replace(POOL, checkpoint_bytes=size, checkpoint_created=created).has_checkpoint
