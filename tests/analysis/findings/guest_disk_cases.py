"""States in which the rules on the disks of guests speak, and some in which they are silent."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import host, pool
from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Severity
from zconsole.model.guests.guest import Guest, GuestState, StoredDisk
from zconsole.model.host.host_state import HostState, Reading

GIB = 1 << 30
INFO, WARNING = Severity.INFO, Severity.WARNING


def of_guests(*guests: Guest, percent: int = 50, settings: tuple[DatasetSettings, ...] = ()) -> HostState:
    """Guests on a pool of 1000 GiB that is so full."""
    of = pool(usable_used_bytes=percent * 10 * GIB, usable_available_bytes=(100 - percent) * 10 * GIB)
    made = host(of, settings=Reading(settings, 0.0))
    return replace(made, guests=Reading(guests, 0.0))


def on_disk(disk: StoredDisk, *, percent: int = 50, state: GuestState = GuestState.RUNNING) -> HostState:
    """One guest with one disk."""
    return of_guests(guest_on("web01", disk, state=state), percent=percent)


def on_sized_volume(reserved: int | None, discard: str = "", percent: int = 80) -> HostState:
    """A guest on a volume of 8 GiB with so much reserved."""
    settings = DatasetSettings(
        "tank/v", "volume", volsize_bytes=8 * GIB, referenced_bytes=8 * GIB, refreservation_bytes=reserved
    )
    guest = guest_on("web01", on_volume("tank/v", cache="none", discard=discard))
    return of_guests(guest, percent=percent, settings=(settings,))


def corrupt(*, is_corrupt: bool = True) -> StoredDisk:
    """An image that qemu-img calls corrupt."""
    disk = on_files("tank/vm")
    (image,) = disk.images
    return replace(disk, images=(replace(image, image=replace(image.image, is_corrupt=is_corrupt)),))


def reporting(*others: StoredDisk) -> HostState:
    """A guest with error_policy=report, and further disks."""
    return of_guests(guest_on("web01", on_files("tank/vm", error_policy="report"), *others))


def on_read_only(
    *, state: GuestState = GuestState.RUNNING, is_read_only: bool = True, **disk: object
) -> HostState:
    """A guest with a disk on a volume, and one in a file; the volume may have readonly=on."""
    settings = (
        DatasetSettings("tank/v", "volume", is_read_only=is_read_only),
        DatasetSettings("tank/vm", "filesystem"),
    )
    disks = on_volume("tank/v", cache="none", **disk), on_files("tank/vm", target="vdb")
    return of_guests(guest_on("web01", *disks, state=state), settings=settings)


def without_sync(place: str, sync: str = "disabled") -> HostState:
    """A guest below a dataset with a setting of sync."""
    listed = (
        DatasetSettings("tank/vm", "filesystem", sync=sync),
        DatasetSettings("tank/vm/a", "filesystem", sync=sync),
        DatasetSettings("tank/home", "filesystem", sync="standard"),
    )
    return of_guests(guest_on("web01", on_files(place)), settings=listed)


SPEAKING: list[tuple[str, Severity, str, HostState]] = [
    (
        "guest-cache-unsafe",
        INFO,
        "vda of guest web01 has cache=unsafe: a crash of the host loses writes that the guest believes s",
        on_disk(on_files("tank/vm", cache="unsafe")),
    ),
    (
        "guest-cache-unsafe",
        INFO,
        (
            "vda of guest web01 has cache=unsafe: a crash of the host loses writes that the guest believes "
            "stored, and may write others before them"
        ),
        on_disk(on_volume("tank/v", cache="unsafe"), state=GuestState.SHUT_OFF),
    ),
    (
        "guest-volume-page-cache",
        INFO,
        (
            "vda of guest web01, on a volume, has cache=writeback: the host keeps the data in its page cache "
            "beside the ARC, and the guest is told of a failed write with its next flush only, also when the "
            "pool is full"
        ),
        on_disk(on_volume("tank/v", cache="writeback")),
    ),
    (
        "guest-volume-page-cache",
        INFO,
        "vda, vdb of guest web01, on volumes, have no cache mode, which is cache=writeback: the host keeps",
        of_guests(guest_on("web01", on_volume("tank/v"), on_volume("tank/w", target="vdb", cache="default"))),
    ),
    (
        "guest-volume-page-cache",
        INFO,
        (
            "vda of guest web01, on a volume, has cache=writethrough: the host keeps the data in its page "
            "cache beside the ARC, and the guest sees write errors when the pool is full"
        ),
        on_disk(on_volume("tank/v", cache="writethrough")),
    ),
    (
        "guest-storage-read-only",
        WARNING,
        "vda of guest web01 is on tank/v, which is read-only while the guest is running: its writes fail",
        on_read_only(),
    ),
    (
        "guest-errors-ignored",
        WARNING,
        "vda of guest web01 has error_policy=ignore: the guest takes writes that have failed for done",
        on_disk(on_volume("tank/v", cache="none", error_policy="ignore")),
    ),
    (
        "guest-errors-reported",
        INFO,
        "vda of guest web01 has error_policy=report: when the pool is full the guest sees write errors",
        reporting(),
    ),
    (
        "guest-discard-off",
        INFO,
        "vda of guest web01 does not pass discards on: what the guest deletes stays taken, in a pool that is",
        on_disk(on_files("tank/vm"), percent=80),
    ),
    (
        "guest-discard-off",
        INFO,
        "vda of guest web01 does not pass discards on",
        on_sized_volume(None, discard="ignore"),
    ),
    (
        "guest-image-corrupt",
        WARNING,
        "vda of guest web01 has an image that QEMU has marked as corrupt: /tank/vm/0.qcow2",
        on_disk(corrupt()),
    ),
    (
        "sync-disabled",
        INFO,
        "sync=disabled on tank/vm: a crash loses writes that programs, and guests (web01), believe stored",
        without_sync("tank/vm/a"),
    ),
]
SILENT: list[tuple[str, HostState]] = [
    ("guests as installers make them", of_guests(
        guest_on("web01", on_volume("tank/v", cache="none", io="native", discard="unmap")),
        guest_on("db02", on_files("tank/vm", cache="writeback", error_policy="stop")),
    )),
    ("a volume that a guest writes past the page cache", on_disk(on_volume("tank/v", cache="directsync"))),
    ("a copy below a guest that was moved away", on_read_only(state=GuestState.SHUT_OFF)),
    ("a read-only volume that a guest only reads", on_read_only(is_read_only=True, device="cdrom")),
    ("an installation medium of a guest", on_disk(
        on_files("tank/iso", cache="unsafe", error_policy="ignore", device="cdrom"), percent=70
    )),
    ("a guest that is on another file system", on_disk(on_files("", cache="unsafe", error_policy="ignore"))),
    ("a guest that mirrors its disks over two storages", reporting(on_files("", target="vdb"))),
    ("thin disks in a pool with space", on_disk(on_files("tank/vm"), percent=79)),
]  # fmt: skip
