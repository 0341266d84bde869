"""Kernel disk of each row of `zpool iostat`."""

from __future__ import annotations

from collections.abc import Mapping

from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.iostat.iostat_stream import match_rows


def device_names(pool: Pool, sample: IoSample, inventory: Inventory) -> tuple[str | None, ...]:
    """The kernel name of the whole disk of each row that is a disk."""
    links = dict(inventory.links)
    return tuple(_device(vdev, links, inventory) for vdev in match_rows(pool, sample.rows))


def _device(vdev: Vdev | None, links: Mapping[str, str], inventory: Inventory) -> str | None:
    """The kernel name of the whole disk of a leaf vdev."""
    if vdev is None or vdev.path is None:
        return None
    kernel_name = links.get(vdev.path) or inventory.kernel_name(vdev.path)
    if kernel_name is None:
        return None
    disk = inventory.disk_of(kernel_name)
    return disk.name if disk is not None else kernel_name
