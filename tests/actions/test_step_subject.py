"""What a step acts on, and by what that object is known again."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.plan_worlds import filesystem, host, images, pool, snapshot
from zconsole.actions.byte_count_tolerance import Figure, FigureMeasure
from zconsole.actions.step_subject import (
    StepSubject,
    SubjectKind,
    disk_in_words,
    is_same_disk,
    named_in,
    of_datasets,
    of_disk,
    of_pool,
    whole,
)
from zconsole.model.pools.disk_and_inventory import Disk, Inventory

PART = Disk("sda1", "/dev/sda1", "part", 900, fstype="zfs_member", label="tank", uuid="77")
DISK = Disk("sda", "/dev/sda", "disk", 1000, serial="Z1", children=(PART,))


def test_a_dataset_whose_guid_was_not_told_is_left_out() -> None:
    known, unknown = filesystem("tank/a", guid=5, createtxg=7), filesystem("tank/b", guid=None)

    assert (StepSubject(SubjectKind.DATASET, "tank/a", "guid 5 of txg 7"),) == of_datasets((known, unknown))


def test_a_tree_goes_as_a_whole_with_as_many_bytes_as_the_plan_allows() -> None:
    top, below = filesystem("tank/a"), snapshot("tank/a@1")
    figures = {"referenced by tank/a": Figure("referenced by tank/a", FigureMeasure.REFERENCED, 100 << 20)}

    first, second = whole((top, below), top, figures)

    assert first.is_whole
    assert figures["referenced by tank/a"].most == first.most_referenced
    assert first.most_written is None
    assert not second.is_whole


def test_a_pool_without_a_guid_cannot_be_told_from_another() -> None:
    assert (StepSubject(SubjectKind.POOL, "tank", "guid 9"),) == of_pool(pool(guid=9))
    assert () == of_pool(pool(guid=None))


def test_a_disk_is_known_by_its_serial_and_by_what_is_on_it() -> None:
    words = disk_in_words(DISK)

    assert "serial Z1 wwn -, disk of 1000 B without signature, part of 900 B zfs_member tank 77" == words
    assert words != disk_in_words(replace(DISK, children=()))
    assert "sda, disk of 1000 B without signature" == disk_in_words(replace(DISK, serial="", children=()))


def test_the_same_disk_is_the_same_with_other_contents_and_another_is_not() -> None:
    (subject,) = of_disk("/dev/disk/by-id/x", DISK)

    assert is_same_disk(subject, replace(DISK, children=()))
    assert not is_same_disk(subject, replace(DISK, serial="Z10"))
    assert () == of_disk("/srv/file", None)


def test_a_command_names_datasets_the_base_of_what_is_to_be_made_pools_and_disks() -> None:
    facts = host(images(), inventory=Inventory((DISK,)))

    def names(*argv: str) -> list[str]:
        return [each.name for each in named_in(argv, facts)]

    assert ["tank/home@daily-1"] == names("zfs", "destroy", "tank/home@daily-1")
    assert ["tank/home"] == names("zfs", "snapshot", "tank/home@new")
    assert ["tank/home"] == names("zfs", "create", "tank/home/new")
    assert ["tank"] == names("zpool", "scrub", "tank")
    assert ["tank", "/dev/sda"] == names("zpool", "replace", "tank", "123", "/dev/sda")
