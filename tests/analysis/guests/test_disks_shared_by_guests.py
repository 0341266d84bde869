"""Two guests on one disk, or one on the image below another's disk; guests above one image are none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.analysis.guests.disks_shared_by_guests import (
    disks_shared_by_guests,
    on_one_disk,
    paths_of_active,
    shared_disks_of,
)
from zconsole.model.guests.guest import (
    Guest,
    GuestDisk,
    GuestDiskCounters,
    GuestState,
    GuestStatus,
    Image,
    SourceKind,
    StoredDisk,
    StoredImage,
)


def told(*guests: Guest) -> list[tuple[str, str, bool, bool]]:
    return [
        (each.guest.name, each.other.name, each.is_below, each.is_running)
        for each in disks_shared_by_guests(guests)
    ]


def test_a_volume_of_two_guests_is_told_once() -> None:
    first = guest_on("a", on_volume("tank/v"))

    assert [("a", "b", False, True)] == told(first, guest_on("b", on_volume("tank/v")))
    off = guest_on("b", on_volume("tank/v"), state=GuestState.SHUT_OFF)
    assert [("a", "b", False, False)] == told(first, off)


def test_symbolic_links_are_followed_where_they_were_read() -> None:
    disk = on_volume("tank/v")
    by_link = replace(
        disk,
        disk=replace(disk.disk, source="/srv/link"),
        images=(StoredImage(Image("/srv/link", "raw"), "tank/v", is_volume=True, real_path="/dev/zd0"),),
    )
    by_name = replace(disk, images=(replace(disk.images[0], real_path="/dev/zd0"),))

    assert [("a", "b", False, True)] == told(guest_on("a", by_name), guest_on("b", by_link))
    assert [("a", "b", False, True)] == told(guest_on("a", disk), guest_on("b", by_link))
    file = replace(by_link, images=(replace(by_link.images[0], is_volume=False, place="tank"),))
    assert [] == told(guest_on("a", disk), guest_on("b", file))
    assert ("a", "b") == tuple(
        each.name for each in shared_of("a", guest_on("a", by_name), guest_on("b", by_link))
    )


def shared_of(name: str, *guests: Guest) -> tuple[Guest, Guest]:
    own = next(each for each in guests if each.name == name)
    (pair,) = shared_disks_of(own, guests)
    return pair.guest, pair.other


def test_the_image_below_the_disk_of_another() -> None:
    above = on_files("top", "base")
    path = above.images[1].image.path
    disk = GuestDisk("vda", path, SourceKind.FILE, format="qcow2")
    golden = guest_on("golden", StoredDisk(disk, above.images[1:]), state=GuestState.SHUT_OFF)

    assert [("golden", "web", True, False)] == told(golden, guest_on("web", above))


def test_guests_above_one_image_and_media_are_no_trouble() -> None:
    medium = on_volume("tank/iso", device="cdrom")

    assert [] == told(guest_on("a", on_files("a", "base")), guest_on("b", on_files("b", "base")))
    assert [] == told(guest_on("a", medium), guest_on("b", medium))


def status(name: str, *disks: GuestDiskCounters, state: GuestState = GuestState.RUNNING) -> GuestStatus:
    return GuestStatus(name, state, 1, disks)


def counters(path: str, target: str = "vda", writes: int | None = 5) -> GuestDiskCounters:
    return GuestDiskCounters(target, path, writes=writes)


@pytest.mark.parametrize(
    ("expected", "statuses"),
    [
        (
            {"a", "b"},
            [status("a", counters("/dev/zvol/t/a")), status("b", counters("/dev/zvol/t//a", "vdb", None))],
        ),
        (set(), [status("a", counters("/dev/zvol/t/a")), status("b", counters("/dev/zvol/t/b"))]),
        (set(), [status("a", counters("/t/x.iso", writes=0)), status("b", counters("/t/x.iso", writes=0))]),
        (
            {"a", "b"},
            [
                status("a", counters("/t/base")),
                status("b", counters("/t/b"), counters("/t/base", writes=None)),
            ],
        ),
        (
            set(),
            [
                status("a", counters("/t/a"), counters("/t/base", writes=None)),
                status("b", counters("/t/b"), counters("/t/base", writes=None)),
            ],
        ),
        (set(), [status("a", counters("/t/a")), status("b", counters("/t/a"), state=GuestState.SHUT_OFF)]),
        (set(), [status("a", counters("/t/a"), counters("/t/a", "vdb"))]),
    ],
)
def test_guests_that_run_on_one_written_disk_are_in_trouble(
    expected: set[str], statuses: list[GuestStatus]
) -> None:
    assert expected == on_one_disk(statuses)


def by(path: str, target: str = "vda", **more: object) -> StoredDisk:
    """A disk on tank/v by another name of it."""
    disk = on_volume("tank/v", target, **more)
    image = StoredImage(Image(path, "raw"), "tank/v", is_volume=True, real_path=path)
    return replace(disk, disk=replace(disk.disk, source=path), images=(image,))


@pytest.mark.parametrize(
    ("one", "other", "is_shared"),
    [
        ("/dev/zd16", "/dev/zvol/tank/v", True),
        ("/dev/zd16p1", "/dev/zd16", True),
        ("/dev/zd16p1", "/dev/zvol/tank/v-part1", True),
        ("/dev/zd16p1", "/dev/zd16p2", False),
        ("/srv/ext4/on/it.img", "/dev/zd16", False),  # a file of a file system that the host has mounted
    ],
)
def test_a_volume_is_one_disk_by_all_its_names_and_holds_its_partitions(
    one: str, other: str, *, is_shared: bool
) -> None:
    assert is_shared is bool(told(guest_on("a", by(one)), guest_on("b", by(other))))


def test_a_disk_that_both_have_as_shareable_is_meant_for_both() -> None:
    shareable = guest_on("a", on_volume("tank/v", is_shareable=True))

    assert [] == told(shareable, guest_on("b", on_volume("tank/v", is_shareable=True)))
    assert [("a", "b", False, True)] == told(shareable, guest_on("b", on_volume("tank/v")))


def test_a_guest_that_has_one_disk_twice_is_told_once_also_beside_another() -> None:
    twice = guest_on("a", on_volume("tank/v"), by("/dev/zd16", "vdb"))

    (pair,) = disks_shared_by_guests([twice])
    assert ("a", "vda", "a", "vdb") == (pair.guest.name, pair.target, pair.other.name, pair.second_target)
    assert [("a", "a", False, True), ("a", "b", False, True)] == told(
        twice, guest_on("b", on_volume("tank/v"))
    )


def test_paths_of_running_guests_are_compared_where_they_lead() -> None:
    def open_at(name: str, path: str, state: GuestState = GuestState.RUNNING) -> GuestStatus:
        return GuestStatus(name, state, disks=(GuestDiskCounters("vda", path, writes=1),))

    real = {"/dev/zvol/tank/v": "/dev/zd16", "/srv/link": "/dev/zd16p1"}
    running = [open_at("a", "/dev/zvol/tank/v"), open_at("b", "/srv/link")]

    assert ("/dev/zvol/tank/v", "/srv/link") == paths_of_active(running)
    assert () == paths_of_active([running[0], open_at("b", "/srv/link", GuestState.SHUT_OFF)])
    assert frozenset() == on_one_disk(running)
    assert {"a", "b"} == on_one_disk(running, real)
