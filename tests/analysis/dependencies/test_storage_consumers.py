"""What stands on datasets and devices: from mounts, swap, open files, guests and mappings."""

from __future__ import annotations

from zconsole.analysis.dependencies.storage_consumers import PROCESSES_TOLD, StorageFacts, uses
from zconsole.model.guests.image_in_definition import DefinedImage, GuestActivity
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.system.mounts_and_boot_pools import Mount
from zconsole.system.open_files import OpenFile
from zconsole.system.qemu_processes import QemuGuest

TANK = Mount("tank", "/tank", "zfs")
HOME = Mount("tank/home", "/tank/home", "zfs")
INVENTORY = Inventory(
    (
        Disk(
            "sda",
            "/dev/sda",
            "disk",
            children=(Disk("dm-0", "/dev/mapper/luks", "crypt"), Disk("sda1", "/dev/sda1", "part")),
        ),
        Disk("zd0", "/dev/zd0", "disk", children=(Disk("zd0p1", "/dev/zd0p1", "part"),)),
    ),
    (("/dev/disk/by-id/ata-A", "sda"), ("/dev/mapper/luks", "dm-0"), ("/dev/zvol/tank/vm/db", "zd0")),
)
VOLUMES = {"zd0": "tank/vm/db"}


def test_file_systems_are_in_use_where_they_are_mounted() -> None:
    found = uses(StorageFacts((TANK, HOME, Mount("/dev/sda1", "/boot", "ext4")), inventory=INVENTORY))

    assert OutsideUse("tank/home", "mount", "/tank/home") in found
    assert OutsideUse("/dev/sda1", "mount", "/boot", "ext4") in found


def test_what_lives_on_a_volume_or_a_partition_of_it_is_told_of_the_volume() -> None:
    found = uses(
        StorageFacts(
            mounts=(Mount("/dev/zd0p1", "/srv", "ext4"),),
            swaps=("/dev/zd0",),
            open_files=(OpenFile(7, "exe", "/usr/bin/qemu"), OpenFile(7, "fd", "/dev/zd0")),
            volumes=VOLUMES,
            inventory=INVENTORY,
        )
    )

    assert {
        OutsideUse("tank/vm/db", "mount", "/srv", "ext4"),
        OutsideUse("tank/vm/db", "swap", "/dev/zd0"),
        OutsideUse("tank/vm/db", "process", "qemu[7]", "/dev/zd0"),
    } <= set(found)


def test_a_file_belongs_to_the_file_system_mounted_nearest_above_it() -> None:
    other = Mount("tmpfs", "/tank/home/tmp", "tmpfs")
    files = (
        OpenFile(1, "fd", "/tank/a"),
        OpenFile(2, "cwd", "/tank/home"),
        OpenFile(3, "fd", "/tank/home/tmp/x"),
        OpenFile(4, "fd", "/tank/homeless"),
        OpenFile(5, "fd", "/elsewhere"),
        OpenFile(6, "fd", "/tank/home/gone (deleted)"),
    )

    found = uses(StorageFacts((TANK, HOME, other), open_files=files))

    assert [("tank", "process[1]"), ("tank", "process[4]")] == [
        (use.object, use.name) for use in found if use.kind == "process" and use.object == "tank"
    ]
    assert ["process[2]", "process[6]"] == [
        use.name for use in found if use.kind == "process" and use.object == "tank/home"
    ]
    assert not any("[3]" in use.name or "[5]" in use.name for use in found)


def test_a_process_is_told_once_with_the_number_of_its_files() -> None:
    files = tuple(OpenFile(9, "fd", f"/tank/{number}") for number in range(3))

    (use,) = (use for use in uses(StorageFacts((TANK,), open_files=files)) if use.kind == "process")

    assert "/tank/0 and 2 more" == use.detail


def test_of_very_many_processes_some_are_named_and_the_rest_counted() -> None:
    files = tuple(OpenFile(number, "cwd", "/tank") for number in range(1, PROCESSES_TOLD + 8))

    found = [use for use in uses(StorageFacts((TANK,), open_files=files)) if use.kind == "process"]

    assert PROCESSES_TOLD + 1 == len(found)
    assert "7 more processes" == found[-1].name


def test_shares_that_are_off_are_none() -> None:
    shares = (("tank", "nfs", "off"), ("tank/home", "nfs", "rw=@10.0.0.0/8"), ("tank/home", "smb", "on"))

    assert (
        OutsideUse("tank/home", "share", "nfs", "rw=@10.0.0.0/8"),
        OutsideUse("tank/home", "share", "smb", "on"),
    ) == uses(StorageFacts(shares=shares))


def test_what_is_mapped_on_a_disk_holds_it_and_a_partition_does_not() -> None:
    assert (OutsideUse("/dev/sda", "holder", "/dev/mapper/luks", "crypt"),) == uses(
        StorageFacts(inventory=INVENTORY)
    )


def test_guests_and_loop_devices_stand_on_the_datasets_of_their_images() -> None:
    found = uses(
        StorageFacts(
            (TANK,),
            guests=(
                DefinedImage("web", "/tank/web.qcow2", "/tank/web.qcow2"),
                DefinedImage("db", "/dev/disk/by-id/db", "/dev/zd0"),
                DefinedImage("x", "/dev/zvol/tank/new", "/dev/zvol/tank/new"),
            ),
            loops=(("/dev/loop0", "/tank/image"),),
            volumes=VOLUMES,
            inventory=INVENTORY,
        )
    )

    places = {use.name: (use.object, use.detail) for use in found if use.kind == "guest"}
    assert ("tank", "/tank/web.qcow2") == places["web"]
    assert ("tank/vm/db", "/dev/disk/by-id/db") == places["db"]
    assert ("tank/new", "/dev/zvol/tank/new") == places["x"]
    assert OutsideUse("tank", "holder", "/dev/loop0", "/tank/image") in found
    assert all(use.is_running for use in found if use.kind in {"guest", "holder"})


QEMU = (OpenFile(7, "exe", "/usr/bin/qemu-system-x86_64"), OpenFile(7, "fd", "/tank/home/web01.raw"))
NAMED = {7: QemuGuest("web01", "ab-1")}


def of_libvirt(path: str, *, activity: GuestActivity = GuestActivity.RUNNING) -> DefinedImage:
    return DefinedImage("web01", path, path, activity, uuid="ab-1")


def test_the_guest_of_a_qemu_process_is_told_where_libvirt_does_not_tell_of_it() -> None:
    found = uses(StorageFacts((TANK, HOME), open_files=QEMU, qemu=NAMED))

    assert (
        OutsideUse(
            "tank/home", "guest", "web01 (qemu-system-x86_64[7])",
            "/tank/home/web01.raw, open in qemu-system-x86_64[7]",
            "bring libvirt back and shut web01 down by it, or by what else runs it",
            path="/tank/home/web01.raw",
        )
        in found
    )  # fmt: skip
    assert not any(use.kind == "process" for use in found)


def test_it_is_told_once_where_libvirt_tells_of_it() -> None:
    guests = (of_libvirt("/tank/home/web01.raw"),)

    found = uses(StorageFacts((TANK, HOME), open_files=QEMU, qemu=NAMED, guests=guests))

    assert ["web01"] == [use.name for use in found if use.kind in {"guest", "process"}]


def test_an_image_that_libvirt_does_not_list_is_its_guests_by_the_process() -> None:
    guests = (of_libvirt("/tank/other.raw"),)

    found = uses(StorageFacts((TANK, HOME), open_files=QEMU, qemu=NAMED, guests=guests))

    assert {("tank", "web01", ""), ("tank/home", "web01", "")} == {
        (use.object, use.name, use.way_to_stop) for use in found if use.kind == "guest"
    }


def test_a_process_of_a_guest_that_libvirt_calls_off_is_believed() -> None:
    guests = (of_libvirt("/tank/home/web01.raw", activity=GuestActivity.OFF),)

    found = uses(StorageFacts((TANK, HOME), open_files=QEMU, qemu=NAMED, guests=guests))

    assert ["web01 (qemu-system-x86_64[7])"] == [use.name for use in found if use.kind == "guest"]
