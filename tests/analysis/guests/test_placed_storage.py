"""Storage of guests with what holds it, and what is said where that is not known."""

from __future__ import annotations

import pytest

from zconsole.analysis.dependencies.dataset_or_device_of_path import PathHolders
from zconsole.analysis.guests.placed_storage import (
    OF_SESSION,
    PlacedStorage,
    of_connection,
    why_no_path,
    with_saved_memory,
)
from zconsole.model.guests.guest import (
    SESSION,
    SYSTEM,
    GuestDefinition,
    GuestDisk,
    Image,
    OtherStorage,
    SourceKind,
)

TPM = OtherStorage("TPM state", "/var/lib/libvirt/swtpm/1", is_default=True)
SHARE = OtherStorage("shared folder d", "/tank/share")


def test_folders_of_the_system_are_not_those_of_a_session() -> None:
    definition = GuestDefinition("1", "web01", others=(TPM, SHARE))

    assert (TPM, SHARE) == of_connection(definition, SYSTEM, SYSTEM).others
    session = of_connection(definition, SESSION, "qemu+unix:///session?socket=/x")
    assert (OtherStorage("TPM state", unknown=OF_SESSION), SHARE) == session.others
    assert (SESSION, "qemu+unix:///session?socket=/x") == (session.connection, session.uri)


@pytest.mark.parametrize(
    ("words", "disk"),
    [
        ("volume v of the storage pool P of libvirt", GuestDisk("vda", "P/v", SourceKind.POOL_VOLUME)),
        (
            "libvirt: it is not active",
            GuestDisk("vda", "P/v", SourceKind.POOL_VOLUME, problem="it is not active"),
        ),
        ("over the network (rbd)", GuestDisk("vda", "rbd/p/i", SourceKind.NETWORK)),
        ("a daemon serves it at /run/vm.sock", GuestDisk("vda", "/run/vm.sock", SourceKind.VHOST_USER)),
        ("not known here: /dev/vhost-vdpa-0", GuestDisk("vda", "/dev/vhost-vdpa-0", SourceKind.OTHER)),
    ],
)
def test_a_disk_without_a_path_is_not_said_to_be_elsewhere(words: str, disk: GuestDisk) -> None:
    (image,) = PlacedStorage({}).disk(disk).images

    assert words in image.unknown
    assert ("", (), "") == (image.place, image.places, image.elsewhere)


def test_a_device_taken_from_the_host_is_on_none_of_its_pools() -> None:
    assert PathHolders(elsewhere="an NVMe device that is taken from the host") == why_no_path(
        GuestDisk("vda", "PCI 0000:01:00.0 namespace 1", SourceKind.NVME)
    )


def test_each_image_of_a_chain_is_where_its_path_is_and_one_without_a_path_is_not_known() -> None:
    disk = GuestDisk("vda", "P/top", SourceKind.POOL_VOLUME, volume_path="/srv/top")
    chain = ((Image("/srv/top"), Image("/srv/base"), Image("nbd://nas2/golden")), "")
    holders = {
        "/srv/top": PathHolders(("tank/a", "fast/b")),
        "/srv/base": PathHolders(elsewhere="ext4 on /dev/sda1"),
    }

    top, base, golden = (
        PlacedStorage(holders, frozenset({"tank/a"}), {}, {"/srv/top": chain}).disk(disk).images
    )

    assert ("tank/a", ("fast/b",), ("tank/a", "fast/b"), True) == (
        top.place,
        top.also,
        top.places,
        top.is_volume,
    )
    assert ("ext4 on /dev/sda1", "") == (base.elsewhere, base.unknown)
    assert golden.unknown


def test_images_below_come_from_the_definition_where_no_image_was_read() -> None:
    disk = GuestDisk("vda", "/srv/top", SourceKind.FILE, backing=("/tank/base",))
    holders = {"/srv/top": PathHolders(("tank/a",)), "/tank/base": PathHolders(("tank",))}

    images = PlacedStorage(holders).disk(disk).images

    assert ["tank/a", "tank"] == [each.place for each in images]


def test_what_was_not_read_is_not_known() -> None:
    disk = PlacedStorage({}).disk(GuestDisk("vda", "/srv/a", SourceKind.FILE))

    assert disk.images[0].unknown
    assert PlacedStorage({}).other(SHARE).unknown
    assert OF_SESSION == PlacedStorage({}).other(OtherStorage("TPM state", unknown=OF_SESSION)).unknown
    assert ("tank/share",) == PlacedStorage({"/tank/share": PathHolders(("tank/share",))}).other(SHARE).places


def test_a_saved_memory_is_a_file_of_the_systems_libvirt_and_not_known_of_a_session() -> None:
    saved = with_saved_memory(GuestDefinition("1", "web01"))

    assert ["/var/lib/libvirt/qemu/save/web01.save"] == [
        each.path for each in of_connection(saved, SYSTEM, SYSTEM).others
    ]
    assert [OF_SESSION] == [each.unknown for each in of_connection(saved, SESSION, SESSION).others]
