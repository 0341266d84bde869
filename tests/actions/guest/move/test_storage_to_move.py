"""Disks of a guest, sorted by where its stored definition has them."""

from __future__ import annotations

import pytest

from tests.doubles.plan_worlds import filesystem, host, volume
from zconsole.actions.guest.move.storage_to_move import other_mentions, place_of, source_of, storage_to_move
from zconsole.base.errors import ParseError
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import (
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestState,
    GuestStatus,
    Image,
    SourceKind,
    StoredDisk,
    StoredImage,
)
from zconsole.model.guests.stored_definition import StoredDefinition

UUID = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10"
OLD, NEW = "tank/vm/web01", "fast/web01"
TREE = (filesystem("tank"), filesystem("tank/vm"), filesystem(OLD), filesystem("fast"))


def guest(*disks: tuple[str, str, str]) -> Guest:
    """A running guest with (target, path, what holds it)."""
    made = tuple(
        StoredDisk(GuestDisk(target, path, SourceKind.FILE), (StoredImage(Image(path), place),))
        for target, path, place in disks
    )
    definition = GuestDefinition(UUID, "web01", disks=tuple(disk.disk for disk in made))
    return Guest(definition, GuestStatus("web01", GuestState.RUNNING), made)


def stored(of: Guest, more: str = "") -> StoredDefinition:
    disks = "".join(
        f"<disk><source file='{disk.disk.source}'/><target dev='{disk.disk.target}'/></disk>"
        for disk in of.disks
    )
    return StoredDefinition(UUID, f"<domain><devices>{disks}</devices>{more}</domain>")


def sorted_paths(of: Guest, *more: Dataset, source: str = OLD, target: str = NEW) -> tuple[list[str], ...]:
    """Of the disks: where those to be moved will be, and where those moved, elsewhere and unnamed are."""
    found = storage_to_move(of, stored(of), (source, target), host([*TREE, *more]))
    return (
        [each.path for each in found.to_move],
        [each.source for each in found.moved],
        [each.source for each in found.elsewhere],
        [each.source for each in found.unnamed],
    )


def test_files_keep_their_place_below_the_mount_point() -> None:
    made = guest(("vda", f"/{OLD}/a/disk.qcow2", OLD))

    assert (["/fast/web01/a/disk.qcow2"], [], [], []) == sorted_paths(made)


def test_a_volume_keeps_its_partition() -> None:
    made = guest(
        ("vda", "/dev/zvol/tank/disk-part1", "tank/disk"), ("vdb", "/dev/zvol/tank/disk2", "tank/disk2")
    )

    found = sorted_paths(made, volume("tank/disk"), volume("tank/disk2"), source="tank/disk", target="fast/d")

    assert (["/dev/zvol/fast/d-part1"], [], ["/dev/zvol/tank/disk2"], []) == found


def test_what_is_there_already_is_not_moved_again() -> None:
    made = guest(("vda", f"/{OLD}/a", OLD), ("vdb", f"/{NEW}/b", NEW))

    assert ([f"/{NEW}/a"], [f"/{NEW}/b"], [], []) == sorted_paths(made, filesystem(NEW))


@pytest.mark.parametrize(
    ("path", "place"), [("/srv/link/disk", OLD), (f"/{OLD}/../other/disk", OLD), ("/dev/zd16", OLD)]
)
def test_a_path_that_does_not_lead_through_the_mount_point_is_told(path: str, place: str) -> None:
    assert ([], [], [], [path]) == sorted_paths(guest(("vda", path, place)))


def test_a_file_on_a_dataset_mounted_below_stays() -> None:
    assert ([], [], [f"/{OLD}/sub/disk"], []) == sorted_paths(
        guest(("vda", f"/{OLD}/sub/disk", f"{OLD}/sub"))
    )


def test_the_source_is_the_one_of_the_first_disk_that_is_not_there_yet() -> None:
    made = guest(("vda", f"/{NEW}/a", NEW), ("vdb", f"/{OLD}/b", OLD))

    assert (OLD, "tank/x", "") == (
        source_of(made, NEW, ""), source_of(made, NEW, "tank/x"), source_of(guest(), NEW, ""),
    )  # fmt: skip
    assert "tank/none" == place_of(made, "/dev/zvol/tank/none")


def test_other_files_that_the_definition_names_there_are_found() -> None:
    made = guest(("vda", f"/{OLD}/disk", OLD))
    more = f"<os><nvram>/{OLD}/VARS.fd</nvram></os><x>/{OLD}-2/no</x>"

    found = storage_to_move(made, stored(made, more), (OLD, NEW), host(TREE))

    assert [f"/{OLD}/VARS.fd"] == list(other_mentions(found))


def test_a_definition_that_is_none_is_refused() -> None:
    with pytest.raises(ParseError):
        storage_to_move(guest(), StoredDefinition(UUID, "<domain>"), (OLD, NEW), host(TREE))
