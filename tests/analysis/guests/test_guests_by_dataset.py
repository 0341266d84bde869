"""Guests by dataset: who is on it, who below it, who writes to a pool."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.analysis.guests.guests_by_dataset import GuestsByDataset
from zconsole.model.guests.guest import GuestState, StoredImage

WEB = guest_on("web01", on_volume("tank/vm/web01"))
OFF = guest_on("alpha", on_volume("tank/vm/alpha"), state=GuestState.SHUT_OFF)
DB = guest_on("db01", on_volume("tank/vm/db01"), on_volume("bulk/db01", "vdb"))
MAIL = guest_on("mail01", on_files("tank/vm/images", "tank/gold"))
KNOWN = GuestsByDataset((WEB, OFF, DB, MAIL))


def test_a_dataset_has_the_guests_with_a_disk_on_itself() -> None:
    assert ["web01"] == [each.guest.name for each in KNOWN.on("tank/vm/web01")]
    assert () == KNOWN.on("tank/vm")


def test_a_parent_counts_the_guests_of_its_children_each_once() -> None:
    twice = guest_on("two", on_volume("tank/vm/a"), on_volume("tank/vm/b", "vdb"))

    assert 1 == GuestsByDataset((twice,)).count("tank/vm")
    assert 4 == KNOWN.count("tank/vm")
    assert 4 == KNOWN.count("tank")
    assert 1 == KNOWN.count("bulk")


def test_a_name_that_begins_alike_is_no_child() -> None:
    assert 0 == KNOWN.count("tank/v")
    assert 0 == KNOWN.count("tan")


def test_guests_with_a_process_come_first() -> None:
    assert ["db01", "mail01", "web01", "alpha"] == [each.name for each in KNOWN.within("tank/vm")]


def test_an_image_below_the_uppermost_is_told_apart_from_a_disk() -> None:
    (own,), (below,) = KNOWN.on("tank/vm/images"), KNOWN.on("tank/gold")

    assert (("vda",), ()) == (own.disks, own.disks_below)
    assert ((), ("vda",)) == (below.disks, below.disks_below)


def test_a_disk_on_a_device_or_on_an_unknown_place_is_on_no_dataset() -> None:
    disk = on_volume("x")
    other = replace(disk, images=(StoredImage(disk.images[0].image, "/dev/sdb"),))

    assert not GuestsByDataset((guest_on("a", other), guest_on("b", on_files(""))))


def test_a_snapshot_that_a_guest_reads_counts_for_its_dataset() -> None:
    assert 1 == len(GuestsByDataset((guest_on("a", on_files("tank/iso@may")),)).on("tank/iso"))


def test_two_guests_of_one_name_on_different_hosts_are_not_mixed_but_of_one_uuid_are() -> None:
    assert 2 == GuestsByDataset((WEB, replace(WEB, definition=replace(WEB.definition, uuid="b")))).count(
        "tank"
    )
