"""Details of one dataset, read when its page is opened."""

from __future__ import annotations

from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.hosts.host import Outcome
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset_details import DatasetDetails, PropertyValue
from zconsole.system.libvirt.frozen_snapshot_script import FROZEN_GUESTS
from zconsole.zfs.listing.dataset_get import get_properties, parse_properties, written_since

KEYS: Final = (
    *("compression", "recordsize", "volblocksize", "volsize", "dedup", "copies", "checksum", "sync"),
    *("quota", "refquota", "reservation", "refreservation", "atime", "relatime", "primarycache", "logbias"),
    *("canmount", "readonly", "snapdir", "xattr", "acltype", "special_small_blocks", "keylocation"),
    *("sharenfs", "sharesmb", "snapshot_limit", "com.sun:auto-snapshot", FROZEN_GUESTS),
)


async def read_dataset_details(asker: Asker, name: str, origin: str | None) -> DatasetDetails:
    """Properties with sources; for a clone also the data written since its origin. Raises HostError."""
    since = written_since(origin) if origin is not None else ""
    keys = (*KEYS, since) if since else KEYS
    command = get_properties(keys, (name,))
    completed = await asker.run(command, kind=f"look {name}", pool=pool_of(name))
    if completed.outcome is Outcome.UNKNOWN:
        raise failure(completed, asker.host.label)
    found = parse_properties(completed.stdout.decode("utf-8", "surrogateescape"), keys)
    written = next((value for _, key, value, _ in found if key == since), "")
    return DatasetDetails(
        name,
        tuple(
            PropertyValue(key, value, source)
            for _, key, value, source in found
            if key != since and value != "-"
        ),
        natural(written),
    )
