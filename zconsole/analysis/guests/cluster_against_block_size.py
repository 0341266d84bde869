"""Size of an image's clusters against the blocks of what holds it, and what a difference costs."""

from __future__ import annotations

from typing import Final

from zconsole.base.fixed_width_formatting import size
from zconsole.model.guests.guest import StoredImage

QCOW2: Final = "qcow2"
_KIB: Final = 1 << 10


def block_size_in_words(stored: StoredImage) -> str:
    """What a write of a guest costs by these sizes; empty where they are not known.

    recordsize is that of files created from now on; ZFS does not tell what an image was written with.
    """
    dataset = stored.dataset
    if dataset is None:
        return ""
    if stored.is_volume:
        block = dataset.volblocksize_bytes
        return "" if block is None else f"volblocksize {size(block)}: {_small_write('block')}"
    record, cluster = dataset.recordsize_bytes, stored.image.cluster_bytes
    if record is None:
        return ""
    if stored.image.format != QCOW2 or not cluster:
        return f"recordsize {size(record)}: {_small_write('record')}"
    sizes = f"{size(cluster)} clusters on recordsize {size(record)}"
    if cluster == record:
        return f"{sizes}: they fit, a cluster is one record"
    if cluster > record:
        return f"{sizes}: a cluster is {cluster / record:.3g} records; {_small_write('record')}"
    return (
        f"{sizes}: a write of one cluster rewrites {record / cluster:.3g} times its size, and reads the rest "
        f"of the record first where the ARC does not have it; recordsize={cluster // _KIB}K suits files "
        "created then"
    )


def _small_write(noun: str) -> str:
    return f"a smaller write rewrites a {noun} of that size"
