"""What a guest's write costs by the records or blocks of what holds an image; clusters are no such size."""

from __future__ import annotations

from typing import Final

from zconsole.base.fixed_width_formatting import zfs_size
from zconsole.model.guests.guest import StoredImage

QCOW2: Final = "qcow2"


def block_size_in_words(stored: StoredImage) -> str:
    """What a write of a guest costs by these sizes; empty where they are not known.

    recordsize is that of files created from now on; ZFS does not tell what an image was written with. A
    cluster of qcow2 is the unit of allocation: QEMU passes a write to an allocated cluster on as it is, and
    copies the rest of a new one (of its subcluster with extended_l2=on) from the image below.
    """
    dataset = stored.dataset
    if dataset is None:
        return ""
    if stored.is_volume:
        block = dataset.volblocksize_bytes
        return "" if block is None else f"volblocksize {zfs_size(block)}: {_small_write('block')}"
    record, cluster = dataset.recordsize_bytes, stored.image.cluster_bytes
    if record is None:
        return ""
    words = f"recordsize {zfs_size(record)}: {_small_write('record')}"
    if stored.image.format != QCOW2 or not cluster:
        return words
    copied = ", for which the first write copies the rest of it from the image below" * bool(
        stored.image.backing
    )
    return (
        f"{words}; qcow2 grows by clusters of {zfs_size(cluster)}{copied}, and writes what the guest writes"
    )


def _small_write(noun: str) -> str:
    return f"a smaller write rewrites a {noun} of that size"
