"""Mounting and unmounting of the filesystems of a pool at import and export."""

from __future__ import annotations

from zconsole.practice.program_reply import Refusal
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs.property_values import mountpoint_of


def can_mount(pool: PracticePool, dataset: PracticeDataset) -> bool:
    """Whether an import mounts it."""
    return (
        dataset.kind == "filesystem"
        and dataset.key_status != "unavailable"
        and dataset.properties.get("canmount", "on") == "on"
        and mountpoint_of(pool, dataset)[0] not in {"none", "legacy"}
    )


def mount_all(pool: PracticePool) -> None:
    """Mount the filesystems that an import mounts."""
    for dataset in pool.datasets.values():
        dataset.is_mounted = can_mount(pool, dataset)


def unmount_all(world: World, pool: PracticePool) -> None:
    """Unmount everything; one mount in use refuses, also when it is forced, and then nothing is unmounted."""
    mounted = [
        dataset for dataset in pool.datasets.values() if dataset.kind == "filesystem" and dataset.is_mounted
    ]
    for dataset in reversed(mounted):
        why = "permission denied" if world.user_id != 0 else "pool or dataset is busy"
        if world.user_id != 0 or dataset.is_busy:
            raise Refusal(f"cannot unmount '{mountpoint_of(pool, dataset)[0]}': {why}\n")
    for dataset in mounted:
        dataset.is_mounted = False


def has_open_volume(pool: PracticePool) -> bool:
    """Whether a volume is in use: that keeps the pool itself busy."""
    return any(dataset.kind == "volume" and dataset.is_busy for dataset in pool.datasets.values())
