"""SMART data that this account has kept: of real hosts, not of the practice host or a recording."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zconsole.cli.selected_hosts import HostSelection
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore


def disk_health_store(where: HostSelection) -> DiskHealthStore | None:
    """The file of the hosts that were selected; None where nothing is kept of them."""
    if where.is_demo or where.replay is not None:
        return None
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore  # most commands need none

    return DiskHealthStore()
