"""Share of each data vdev in the next writes of a pool: as ZFS's allocator gives it, and as written at last.

The allocator goes from vdev to vdev. Until 2.3 a vdev is given `metaslab_aliquot` times its data disks in
each round, scaled by its free space; since 2.4 an amount by its size, scaled by how much of it is free.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from zconsole.analysis.vdevs.redundancy import WITHOUT_DEVICES
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import Pool, Vdev

PERCENT: Final = 100
BY_SIZE_SINCE: Final = (2, 4)
SAMPLES: Final = 10  # of the newest, by which it is judged what was written
LEAST_BYTES_PER_S: Final = 1 << 20  # on average; less is metadata of ZFS itself
_PARITY: Final = re.compile(r"(?:raidz|draid)([123])")
_DRAID_CHILDREN: Final = re.compile(r":(\d{1,4})c")


def next_shares(pool: Pool, version: ZfsVersion | None) -> Mapping[str, float]:
    """Percent of the next data of each data vdev, by name; empty where a size or free space is unknown."""
    tops = _tops(pool)
    if any(top.free_bytes is None for top in tops):
        return {}
    by_size = version is None or version.kernel_numbers >= BY_SIZE_SINCE
    weights = {
        top.name: 0 if top.is_removing else (top.free_bytes or 0) * (1 if by_size else _data_disks(top))
        for top in tops
    }
    total = sum(weights.values())
    return {name: PERCENT * weight / total for name, weight in weights.items()} if total else {}


def written_shares(pool: Pool, samples: Sequence[IoSample]) -> Mapping[str, float]:
    """Percent of what was written to the data vdevs in the newest samples; empty where that is too little.

    It is measured at the vdevs: with parity, and with the data of resilvers.
    """
    newest = samples[-SAMPLES:]
    written = dict.fromkeys((top.name for top in _tops(pool)), 0.0)
    names: tuple[str, ...] = ()
    places: dict[str, int] = {}
    for sample in newest:
        if sample.names is not names:
            names = sample.names
            places = {name: at for at, name in reversed(list(enumerate(names)))}  # a spare comes last
        if written.keys() - places.keys():
            return {}
        for name in written:
            written[name] += sample.rows[places[name]].write_bytes
    total = sum(written.values())
    if not newest or total < LEAST_BYTES_PER_S * len(newest):
        return {}
    return {name: PERCENT * each / total for name, each in written.items()}


def _tops(pool: Pool) -> Sequence[Vdev]:
    return [top for top in pool.of_class("data") if top.type not in WITHOUT_DEVICES]


def _data_disks(top: Vdev) -> int:
    """Disks less parity, as ZFS counts them: 1 of a mirror and a disk."""
    parity = _PARITY.match(top.type)
    if parity is None:
        return 1
    told = _DRAID_CHILDREN.search(top.type) or _DRAID_CHILDREN.search(top.name)
    disks = int(told[1]) if told is not None else len(top.children)
    return max(1, disks - int(parity[1]))
