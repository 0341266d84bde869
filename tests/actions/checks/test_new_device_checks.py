"""Devices that join a pool."""

from __future__ import annotations

from tests.actions.checks.drafts import draft, rules
from tests.doubles.shelves import blank, link, mirror, world
from zconsole.actions.checks.new_device_checks import join, join_all, labels_of

FACTS = world(mirror(0, 0, 1))


def test_a_blank_disk_joins_and_the_plan_rests_on_which_one_it_is() -> None:
    made = draft()

    found = join(link(2), FACTS, made)

    assert found is not None
    assert [] == rules(made)
    assert "serial SER0002" in made.basis[f"disk {link(2)}"]
    assert "nothing" == made.basis[f"contents of {link(2)}"]


def test_a_disk_that_serves_does_not_join_and_one_that_is_not_there_is_none() -> None:
    serving, missing = draft(), draft()

    assert join(link(0), FACTS, serving) is not None
    assert join(f"{link(0)}-x", FACTS, missing) is None

    assert ["in-use"] == rules(serving)
    assert ["unknown-device"] == rules(missing)


def test_a_slot_is_not_a_disk() -> None:
    named, slot = draft(), draft()
    place = "/dev/disk/by-path/pci-0-scsi-0:0:2:0"

    join(place, FACTS, named)
    join(place, world(mirror(0, 0, 1), disks=(blank(2, serial=""),)), slot)

    assert [] == named.warnings
    assert any("is the name of a slot, not of a disk" in each for each in slot.warnings)


def test_one_disk_by_two_words_is_refused() -> None:
    made = draft()

    join_all([link(2), "/dev/disk/by-path/pci-0-scsi-0:0:2:0"], FACTS, made)

    assert ["twice"] == rules(made)


def test_labels_are_read_of_devices_that_are_known() -> None:
    assert () == labels_of([f"{link(0)}-x"], FACTS).labels
    assert any(link(2) in path for path in labels_of([link(2)], FACTS).labels)
