"""Devices of a pool by the words of an action, by what ZFS is told, and as users know them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.checks.drafts import draft, rules
from tests.actions.pool.shelf import leaf, mirror, of, tank, with_errors
from tests.analysis.build import group
from tests.doubles.plan_worlds import host
from tests.doubles.shelves import kname, planned, shelf, world
from tests.doubles.shelves import leaf as leaf_on
from tests.doubles.shelves import mirror as mirror_on
from zconsole.actions.checks.device_lookup_and_description import (
    described,
    path_in,
    saw_device,
    state_in_words,
    the_device,
    vdev_argument,
    warn_of_shared_trouble,
)
from zconsole.base.errors import UsageError
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.last_seen_disk_place import DiskPlace

PAIR = mirror("ONLINE", "OFFLINE")
POOL = tank(PAIR)


@pytest.mark.parametrize(
    ("said", "word", "hint"),
    [
        ("offline needs a device", "", "Those of tank: mirror-0-a, mirror-0-b."),
        ("mirror-0 of tank is a group of devices", "mirror-0", "Name one of them: mirror-0-a, mirror-0-b."),
    ],
)
def test_a_device_must_be_named_and_be_one(said: str, word: str, hint: str) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        the_device(POOL, word, "offline")

    assert hint == raised.value.hint


def test_zfs_is_told_a_guid_and_without_one_the_plan_is_refused() -> None:
    known, unknown = draft(), draft()

    assert str(PAIR.children[0].guid) == vdev_argument(PAIR.children[0], known)
    assert "a" == vdev_argument(replace(leaf("a"), guid=None), unknown)
    assert [] == rules(known)
    assert ["no-guid"] == rules(unknown)


def test_a_plan_rests_on_the_device_and_on_its_whole_group() -> None:
    made = draft()

    saw_device(POOL, PAIR.children[0], made)

    assert {
        "guid of mirror-0-a": str(PAIR.children[0].guid),
        "state of mirror-0": "DEGRADED",
        "state of mirror-0/mirror-0-a": "ONLINE",
        "state of mirror-0/mirror-0-b": "OFFLINE",
    } == made.basis


def test_a_lone_device_is_its_own_path_and_a_resilver_is_part_of_its_state() -> None:
    lone = leaf("a", is_resilvering=True)

    assert "a" == path_in(lone, lone)
    assert "ONLINE, resilvering" == state_in_words(lone)


def test_a_device_is_described_by_what_is_printed_on_its_disk() -> None:
    facts = world(mirror_on(0, 0, 1))

    assert "ata-ST4000NM_SER0001 (ST4000NM, serial SER0001)" == described(leaf_on(1), facts)
    assert "ata-ST4000NM_SER0001" == described(leaf_on(1), host())


def test_a_disk_that_the_host_does_not_see_is_described_by_the_bay_in_which_it_was() -> None:
    gone = leaf_on(1, "REMOVED")
    facts = world(group("mirror-0", leaf_on(0), gone), pool={"guid": 7})
    disks = tuple(each for each in (facts.inventory or Inventory()).disks if each.serial != "SER0001")
    seen = replace(facts, inventory=shelf(*disks), places=(DiskPlace(7, 1001, "SER0001", "", "5", "", 1.0),))

    assert "ata-ST4000NM_SER0001 (bay 5)" == described(gone, seen)
    made = planned(seen, "replace", "tank", str(gone.guid), kname(2))
    assert made.title.startswith("replace ata-ST4000NM_SER0001 (bay 5) of tank")


@pytest.mark.parametrize(("warned", "ailing"), [(False, 1), (True, 2)])
def test_errors_of_several_devices_point_at_what_they_share(ailing: int, *, warned: bool) -> None:
    leaves = [with_errors(leaf(name)) if at < ailing else leaf(name) for at, name in enumerate("abc")]
    pair = of("mirror-0", *leaves)
    made = draft()

    warn_of_shared_trouble(tank(pair), pair.children[0], made)

    assert warned is any("check the cable, backplane or controller" in each for each in made.warnings)
