"""Guests of the demonstration: on clones of golden images, on volumes, on a chain of qcow2; containers."""

from __future__ import annotations

from typing import Final

from zconsole.practice.containers.practice_container import PracticeContainer
from zconsole.practice.libvirt.guests import (
    SHUT_DOWN,
    SHUT_OFF,
    ZVOL,
    PracticeGuest,
    PracticeGuestDisk,
    PracticeImage,
)
from zconsole.practice.world.dataset_writes_and_snapshots import append
from zconsole.practice.world.datasets import FileNode
from zconsole.practice.world.host_world import World

_GIB: Final = 1 << 30
_NS: Final = 1_000_000_000
_IMAGES: Final = "/tank/vm/images"
_OF_MAIL: Final = (0.004, 0.006)  # of the reads and writes of the pool, beside the shares of the others
_OF_INCUS: Final = ("gitlab", "matrix", "nextcloud")
_REGISTRY: Final = "7c1f0e52a9d3"  # as Docker prints its id


def add_guests(world: World) -> None:
    """The guests of the volumes below tank/vm, and mail01 on files."""
    world.lacking -= {"virsh", "qemu-img"}
    for name in world.pools["tank"].datasets:
        above, _, guest = name.rpartition("/")
        if above == "tank/vm" and guest[:2] in {"we", "rd", "db"}:
            is_windows = guest.startswith("rds")
            cache = "writeback" if guest == "db03" else "none"
            disk = PracticeGuestDisk("sda" if is_windows else "vda", f"{ZVOL}{name}", cache=cache)
            world.guests.append(PracticeGuest(guest, [disk], has_agent=not is_windows))
            if "-test" in guest:
                world.guests[-1].state, world.guests[-1].reason = SHUT_OFF, SHUT_DOWN
    base, top = f"{_IMAGES}/debian-13.qcow2", f"{_IMAGES}/mail01.qcow2"
    _keep(world, base, 2 * _GIB)
    _keep(world, top, 11 * _GIB)
    world.images[base] = PracticeImage(base, "qcow2", 32 * _GIB, 2 * _GIB, 65536)
    world.images[top] = PracticeImage(
        top, "qcow2", 32 * _GIB, 11 * _GIB, 65536, backing=base, snapshots=("before-upgrade",)
    )
    disk = PracticeGuestDisk("vda", top, "qcow2", cache="writeback", io="threads")
    world.guests.append(PracticeGuest("mail01", [disk]))
    world.pools["tank"].datasets[_IMAGES.removeprefix("/")].share = _OF_MAIL


def add_containers(world: World) -> None:
    """Containers of Incus, each with its root on a file system below tank/containers, and one of Docker.

    That of Docker has its data there; its root is on no ZFS.
    """
    for at, name in enumerate(_OF_INCUS):
        root = ("/", "zfs", f"tank/containers/{name}", "rw,xattr")
        mark = ("/dev/incus", "tmpfs", "tmpfs", "rw")
        world.containers.append(PracticeContainer(f"/lxc.payload.{name}/init.scope", 3100 + at, [root, mark]))
    data = ("/var/lib/registry", "zfs", "tank/containers/registry", "rw,xattr")
    group = f"/system.slice/docker-{_REGISTRY:0<64}.scope"
    world.containers.append(PracticeContainer(group, 3200, [data]))


def _keep(world: World, path: str, taken_bytes: int) -> None:
    """Put the file of an image into its dataset; what it takes there is less than its length."""
    pool = world.pools["tank"]
    folder, _, name = path.rpartition("/")
    dataset = pool.datasets[folder.removeprefix("/")]
    pool.next_object += 2
    dataset.touched[name] = FileNode("f", pool.next_object, taken_bytes * 4 // 3, int(dataset.creation) * _NS)
    append(pool, dataset, taken_bytes, ratio=4 / 3)
