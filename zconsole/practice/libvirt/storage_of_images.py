"""Images of guests on the file systems and volumes of the practice host: moved and gone with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from zconsole.practice.libvirt.guests import ZVOL, volume_at
from zconsole.practice.world.host_world import World
from zconsole.practice.zfs.mount_share import mountpoint


def move_images(world: World, mountpoints: Iterable[tuple[str, str]]) -> None:
    """Have the images below mount points, before and after a change, at their new paths."""
    moved = sorted((pair for pair in mountpoints if pair[0].startswith("/")), key=lambda pair: -len(pair[0]))
    for path, image in list(world.images.items()):
        for before, after in moved:
            if path.startswith(f"{before.rstrip('/')}/") and before != after:
                new = f"{after}{path.removeprefix(before)}"
                del world.images[path]
                world.images[new] = replace(image, path=new)
                break


def is_there(world: World, path: str) -> bool:
    """Whether QEMU finds a volume or a file: not below the mount point of what is not mounted."""
    if path.startswith(ZVOL):
        name = volume_at(path)
        pool = world.pools.get(name.partition("/")[0])
        return pool is not None and name in pool.datasets
    if path not in world.images:
        return False
    over = [
        (place, kept.is_mounted)
        for pool in world.pools.values()
        for kept in pool.datasets.values()
        if kept.kind == "filesystem" and path.startswith(f"{(place := mountpoint(world, kept)).rstrip('/')}/")
    ]
    return not over or max(over, key=lambda each: (len(each[0]), each[1]))[1]


def lose_images(world: World, mountpoint_of_it: str) -> None:
    """Have the images below a mount point gone."""
    if mountpoint_of_it.startswith("/"):
        below = f"{mountpoint_of_it.rstrip('/')}/"
        world.images = {path: image for path, image in world.images.items() if not path.startswith(below)}
