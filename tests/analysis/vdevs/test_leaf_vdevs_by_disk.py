"""Leaves of pools by disk: every way to a disk finds them, and no other disk does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.shelves import blank, leaf, link, mirror, part, parted, shelf, used, world
from zconsole.analysis.vdevs.leaf_vdevs_by_disk import leaves_near
from zconsole.analysis.vdevs.new_device_lookup import JoiningDevice
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk


def near(facts: PlanFacts, disk: Disk, whole: Disk | None = None) -> list[int | None]:
    found = leaves_near(JoiningDevice(link(9), disk, whole or disk), facts)
    return [each.guid for _, each in found]


def test_the_disk_its_partitions_and_its_second_path_lead_to_the_leaf() -> None:
    facts = world(mirror(0, 0, 1), disks=(twin := replace(used(7), wwn=used(1).wwn),))
    disk = used(1)

    assert [1001] == near(facts, disk)
    assert [1001] == near(facts, disk.children[0], disk)
    assert [1001] == near(facts, disk.children[1], disk)
    assert [1001] == near(facts, twin)
    assert [] == near(facts, blank(3))


@pytest.mark.parametrize("kind", ["crypt", "mpath"])
def test_what_is_mapped_on_a_disk_leads_to_the_leaf_and_back(kind: str) -> None:
    mapped = Disk("dm-0", "/dev/mapper/x", kind, 1 << 40)
    first, second = (parted(blank(at), mapped) for at in (4, 5))
    facts = world(mirror(0, 0, 1), leaf(8, path="/dev/mapper/x"), disks=(first, second))

    assert [1008] == near(facts, first)
    assert [1008] == near(facts, second)
    assert [1008] == near(facts, mapped)


def test_other_facts_are_not_answered_from_those_before() -> None:
    facts = world(mirror(0, 0, 1))
    assert [1001] == near(facts, used(1))

    assert [] == near(replace(facts, pools=()), used(1))
    assert [] == near(replace(facts, inventory=shelf(blank(1))), used(1))
    assert [] == near(replace(facts, inventory=None), used(1))
    assert [1001] == near(facts, used(1))


def test_every_leaf_of_a_disk_of_several_partitions_is_found() -> None:
    whole = parted(blank(6), part(blank(6), 1), part(blank(6), 2))
    pair = [leaf(6, guid=at, path=f"/dev/{whole.name}{at}") for at in (1, 2)]
    facts = world(mirror(0, 0, 1), *pair, disks=(whole,))

    assert [1, 2] == near(facts, whole)
    assert [1, 2] == near(facts, whole.children[0], whole)
