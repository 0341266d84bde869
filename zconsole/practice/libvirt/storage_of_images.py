"""Images of guests on the file systems and volumes of the practice host: moved and gone with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from zconsole.practice.libvirt.guests import ZVOL, PracticeImage, volume_at
from zconsole.practice.send_receive.nvlist import NvList
from zconsole.practice.system.proc_sys_and_etc_files import zvols
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.host_world import World
from zconsole.practice.zfs.mount_share import mountpoint, setting

KERNEL_NAME: Final = "/dev/zd"  # how the names of volumes begin that the kernel gives


def place_of_images(world: World, dataset: PracticeDataset) -> str:
    """The mount point of a dataset; of one without a path a key that no path is."""
    place = mountpoint(world, dataset)
    return place if place.startswith("/") else f"{dataset.name}, mounted at {place}"


def move_images(world: World, places: Iterable[tuple[str, str]]) -> None:
    """Have the images at places, before and after a change, at their new paths."""
    moved = sorted(places, key=lambda pair: -len(pair[0]))
    for path, image in list(world.images.items()):
        for before, after in moved:
            if path.startswith(f"{before.rstrip('/')}/") and before != after:
                new = f"{after.rstrip('/')}{path.removeprefix(before.rstrip('/'))}"
                del world.images[path]
                world.images[new] = replace(image, path=new)
                break


def is_there(world: World, path: str) -> bool:
    """Whether QEMU finds a volume or a file: not below the mount point of what is not mounted."""
    held = dataset_that_holds(world, path)
    if path.startswith((ZVOL, KERNEL_NAME)):
        is_open = held is not None and held.key_status != "unavailable"
        return is_open and held is not None and setting(world, held, "volmode") != "none"
    return path in world.images and (held is None or held.is_mounted)


def dataset_that_holds(world: World, path: str) -> PracticeDataset | None:
    """The volume of a device's path, or the file system whose mount point is the lowest above a path."""
    if path.startswith(KERNEL_NAME):
        return next((each for name, each, _ in zvols(world) if f"/dev/{name}" == path), None)
    if path.startswith(ZVOL):
        name = volume_at(path)
        pool = world.pools.get(name.partition("/")[0])
        return pool.datasets.get(name) if pool is not None else None
    over = [
        (len(place), kept.is_mounted, kept)
        for pool in world.pools.values()
        for kept in pool.datasets.values()
        if kept.kind == "filesystem" and path.startswith(f"{(place := mountpoint(world, kept)).rstrip('/')}/")
    ]
    return max(over, key=lambda each: each[:2])[2] if over else None


def lose_images(world: World, mountpoint_of_it: str) -> None:
    """Have the images below a mount point gone."""
    if mountpoint_of_it.startswith("/"):
        below = f"{mountpoint_of_it.rstrip('/')}/"
        world.images = {path: image for path, image in world.images.items() if not path.startswith(below)}


def images_to_send(world: World, dataset: PracticeDataset) -> NvList:
    """The images on a file system, by their paths below its mount point, as a stream carries them."""
    return {
        path.removeprefix(f"{place_of_images(world, dataset).rstrip('/')}/"): {
            "format": image.format,
            "virtual": image.virtual_bytes,
            "allocated": image.allocated_bytes,
            "cluster": image.cluster_bytes or 0,
            "backing": image.backing,
            "written": image.written_backing,
            "snapshots": "\n".join(image.snapshots),
        }
        for path, image in world.images.items()
        if dataset.kind == "filesystem" and dataset_that_holds(world, path) is dataset
    }


def images_received(world: World, dataset: PracticeDataset, sent: NvList) -> None:
    """Have the images of a stream on the file system that it was received into; those there are kept."""
    for name, told in sent.items():
        path = f"{place_of_images(world, dataset).rstrip('/')}/{name}"
        if not isinstance(told, dict) or path in world.images:
            continue
        numbers = {key: value for key, value in told.items() if isinstance(value, int)}
        words = {key: value for key, value in told.items() if isinstance(value, str)}
        world.images[path] = PracticeImage(
            path,
            words.get("format", "raw"),
            numbers.get("virtual", 0),
            numbers.get("allocated", 0),
            numbers.get("cluster") or None,
            words.get("backing", ""),
            tuple(words.get("snapshots", "").split()),
            words.get("written", ""),
        )
