"""Whether a hot spare can stand in for a device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import least_bytes
from zconsole.analysis.vdevs.new_device_lookup import DeviceObjection
from zconsole.analysis.vdevs.topology_after_change import TEMPORARY_TYPES, parent_of, top_of
from zconsole.model.pools.pool import Pool, Vdev

WITHOUT_SPARES: Final = frozenset({"log", "special", "dedup"})  # classes for which ZFS uses none


def spare_objections(pool: Pool, old: Vdev, spare: Vdev) -> Iterator[DeviceObjection]:
    """Objections to a spare of the pool standing in for one of its devices."""
    top = top_of(pool, old)
    if spare.state != "AVAIL":
        yield DeviceObjection(
            "spare-not-available", f"the spare {spare.name} is {spare.state}", "take another device"
        )
    if top.vdev_class in WITHOUT_SPARES:
        yield DeviceObjection(
            "spare-for-data", f"ZFS uses no hot spare in a {top.vdev_class} vdev",
            "remove the spare from the pool, then replace with it as a disk",
        )  # fmt: skip
    number = top.name.rpartition("-")[2]
    if spare.type == "dspare" and not spare.name.startswith(f"{top.type}-{number}-"):
        yield DeviceObjection(
            "spare-of-another", f"{spare.name} is a distributed spare of another draid than {top.name}"
        )
    if (parent := parent_of(pool, old)) is not None and parent.type in TEMPORARY_TYPES:
        yield DeviceObjection(
            "spared", f"{old.name} is part of {parent.name} already", "detach its spare or replacement first"
        )
    if spare.physical_bytes and top.children and spare.type != "dspare":
        least, _ = least_bytes(top)
        if least is not None and spare.physical_bytes < least:
            yield DeviceObjection(
                "too-small", f"the spare {spare.name} is smaller than the devices of {top.name}"
            )
