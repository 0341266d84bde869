"""How the images of a guest lie on ZFS, in words."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.guests_on_storage import KIB, guest_on, on_files
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import StoredDisk
from zconsole.views.guests.image_storage_lines import image_storage_lines
from zconsole.views.layout.styled_text import plain

OF_ZFS = "ZFS's snapshots of tank/vm hold 12.0 GiB, of everything on it"
VM = Dataset("tank/vm", "filesystem", recordsize_bytes=64 * KIB, used_by_snapshots_bytes=12 << 30)


def said(disk: StoredDisk) -> list[str]:
    return [plain(each).rstrip() for each in image_storage_lines(guest_on("a", disk), 4)]


def on_zfs(disk: StoredDisk, **image: object) -> StoredDisk:
    """The disk with its uppermost image on a known dataset."""
    first, *below = disk.images
    changed = replace(first, dataset=VM, image=replace(first.image, **image))  # type: ignore[arg-type]
    return replace(disk, images=(changed, *below))


def test_the_guests_own_snapshots_stand_beside_those_of_zfs() -> None:
    disk = on_zfs(on_files("tank/vm", "tank/gold"), internal_snapshots=("a", "b"))

    assert [
        (
            "vda recordsize 64.0 KiB: a smaller write rewrites a record of that size; qcow2 grows by "
            "clusters of 64.0 KiB, and writes what the guest writes"
        ),
        f"    2 snapshots inside the image; an overlay on 1 image; {OF_ZFS}",
    ] == said(disk)


def test_nothing_is_said_of_a_disk_that_is_not_on_zfs() -> None:
    assert [] == said(on_files(""))


def test_what_is_not_written_has_no_cost_of_writes() -> None:
    assert not any("clusters" in each for each in said(on_zfs(on_files("tank/vm", is_read_only=True))))
