"""Reasons not to replace a device that another command may bring back, or that has not failed at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import CauseFound
from zconsole.analysis.repair.not_opened.notes_of_devices import is_split_off
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.model.repair import NotNow, RepairCause, RepairTrouble

SPLIT_OFF: Final = "split-off"  # ids of reasons
NOT_OPENED: Final = "not-opened"


def device_may_serve_again(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A device that was split off has not failed, and one that could not be opened may open now."""
    del trouble
    leaf, pool = place.member, facts.pool.name
    label = facts.identity(leaf).label
    if is_split_off(leaf):
        yield NotNow(
            SPLIT_OFF,
            f"{label} belongs to the pool that was split off: it has not failed",
            f"detach {label} from {pool} and leave it in; then attach another disk to {place.top.name}",
        )
    elif cause.returned is not None and cause.cause is RepairCause.UNKNOWN:
        yield NotNow(
            NOT_OPENED,
            cause.words,
            f"bring {label} online; if ZFS still cannot open it, see what holds it (multipath, mdadm, a "
            "mount) and what the kernel says of it, then replace it",
        )
