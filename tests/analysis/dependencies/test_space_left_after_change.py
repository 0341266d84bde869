"""What is available after a change is what the practice host's ZFS then says, for each dataset."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.doubles.plan_worlds import GIB, MIB, filesystem
from zconsole.analysis.dependencies.space_left_after_change import (
    SpaceAccount,
    SpaceAccounts,
    space_accounts,
    unused_after,
)
from zconsole.model.datasets.dataset import Dataset
from zconsole.practice import World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.world.dataset_writes_and_snapshots import write
from zconsole.practice.world.datasets import EMPTY_FILESYSTEM
from zconsole.zfs.listing.datasets import list_datasets, parse_datasets

Change = Callable[[SpaceAccounts], SpaceAccounts]
UNIT = 256 * MIB
BUILT = (
    "create -o quota=5120M tank/a",
    "create -o reservation=1280M tank/a/kept",
    "create -o refquota=768M tank/a/kept/in",
    "create -o refreservation=512M tank/a/refkept",
    "create -o quota=7680M -o reservation=2560M tank/b",
    "create tank/b/plain",
    "create -s -V 256M tank/b/sparse",
)


@pytest.fixture
def world() -> World:
    """A pool with quotas and reservations at several levels, and data in them."""
    made = create_world("mirror 0 1")
    for line in BUILT:
        done = answer(made, ("zfs", *line.split()))
        assert 0 == done.status, done
    pool = made.pools["tank"]
    for name, size_bytes in (("tank/a/kept/in", UNIT), ("tank/b/plain", 2 * UNIT), ("tank/a/refkept", UNIT)):
        write(pool, pool.datasets[name], size_bytes)
    return made


def listed(world: World) -> tuple[Dataset, ...]:
    done = answer(world, list_datasets("tank").argv)
    return tuple(parse_datasets(done.stdout))


def accounts(world: World) -> SpaceAccounts:
    found = space_accounts("tank", listed(world))
    assert found is not None
    return found


def said(world: World) -> dict[str, int | None]:
    return {each.name: each.available_bytes for each in listed(world)}


def test_as_it_is_it_is_what_zfs_says(world: World) -> None:
    assert said(world) == accounts(world).available()
    assert {each.name: each.used_bytes for each in listed(world)} == accounts(world).used()


@pytest.mark.parametrize(
    ("command", "change"),
    [
        ("set reservation=1792M tank/b/plain", lambda now: now.with_reservation("tank/b/plain", 7 * UNIT)),
        ("set reservation=3840M tank/a/kept", lambda now: now.with_reservation("tank/a/kept", 15 * UNIT)),
        (
            "set refreservation=1280M tank/a/refkept",
            lambda now: now.with_unused_refreservation("tank/a/refkept", 4 * UNIT - EMPTY_FILESYSTEM),
        ),
        ("rename tank/b/plain tank/a/plain", lambda now: now.renamed("tank/b/plain", "tank/a/plain")),
        ("rename tank/a/kept tank/b/kept", lambda now: now.renamed("tank/a/kept", "tank/b/kept")),
    ],
)
def test_after_a_change_it_is_what_zfs_then_says(world: World, command: str, change: Change) -> None:
    expected = change(accounts(world)).available()

    done = answer(world, ("zfs", *command.split()))

    assert 0 == done.status, done
    assert said(world) == expected


def test_what_a_refreservation_does_not_use_is_without_what_no_snapshot_has(world: World) -> None:
    for command in ("snapshot tank/a/refkept@a", "set refreservation=768M tank/a/refkept"):
        before = next(each for each in listed(world) if each.name == "tank/a/refkept")
        assert 0 == answer(world, ("zfs", *command.split())).status
    after = next(each for each in listed(world) if each.name == "tank/a/refkept")

    assert after.used_by_refreservation_bytes == unused_after(before, 3 * UNIT)


def test_a_new_dataset_has_its_missing_parents() -> None:
    now = SpaceAccounts({"tank": SpaceAccount()}, 10 * GIB)

    made = now.with_account("tank/a/b", SpaceAccount(reservation_bytes=4 * GIB))

    assert {"tank": 6 * GIB, "tank/a": 6 * GIB, "tank/a/b": 10 * GIB} == made.available()


def test_without_the_space_of_a_dataset_nothing_is_known() -> None:
    assert space_accounts("tank", [filesystem("tank", used_bytes=None)]) is None
    assert space_accounts("tank", []) is None
    assert space_accounts("tank", [filesystem("tank"), filesystem("tank/a", used_bytes=None)]) is None


def test_a_quota_on_the_way_is_the_limit() -> None:
    of = {"tank": SpaceAccount(), "tank/a": SpaceAccount(quota_bytes=GIB), "tank/a/b": SpaceAccount()}
    now = SpaceAccounts(of, 10 * GIB)

    assert GIB == now.limit_of("tank/a/b")
    assert 10 * GIB == now.limit_of("tank")
