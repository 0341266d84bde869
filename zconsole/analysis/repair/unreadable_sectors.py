"""Sectors that a disk cannot read, and that have not grown: ZFS writes what they hold again in a scrub."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.data_at_stake.only_copy import has_only_copy
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import CauseFound
from zconsole.analysis.repair.spare_and_replacing_vdevs import DevicePlace
from zconsole.analysis.vdevs.redundancy import is_scrub_for_later, is_vital
from zconsole.model.repair import NotNow, RepairTrouble

UNREADABLE: Final = "unreadable-sectors"  # id of the reason
REWRITTEN: Final = frozenset({"pending-sectors", "uncorrectable-sectors", "self-test-failed"})  # complaints


def unreadable_sectors_are_written_again(
    facts: PoolFacts, place: DevicePlace, trouble: RepairTrouble, cause: CauseFound
) -> Iterator[NotNow]:
    """A scrub first, where it has something to repair from: a disk with a few of them may serve for years.

    A disk that has the only copy, or whose vdev has no redundancy left, is read by its replacement instead.
    """
    del cause
    known = facts.of_leaf(place.member)
    said = {each.id for each in known.warnings}
    if trouble is not RepairTrouble.WARNED or not said or not said <= REWRITTEN:
        return
    if known.is_steady or known.is_getting_worse or has_only_copy(facts.pool, place.top):
        return
    if is_scrub_for_later(facts.pool) or not is_vital(place.top):
        return
    scan, label = facts.pool.scan, facts.identity(place.member).label
    is_running = scan is not None and scan.function == "scrub" and scan.is_running
    first = "wait for the running scrub" if is_running else f"scrub {facts.pool.name}"
    yield NotNow(
        UNREADABLE,
        f"{label} serves without an error that ZFS counted, and what SMART warns of is not known to grow",
        f"{first}: ZFS writes again what {label} cannot read; replace the disk if the number grows, ZFS "
        "counts an error or a long self-test fails",
    )
