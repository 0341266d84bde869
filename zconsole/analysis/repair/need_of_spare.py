"""Whether a hot spare in use is still needed beside the device that it stands in for."""

from __future__ import annotations

from enum import Enum

from zconsole.analysis.vdevs.redundancy import ended_badly, has_all_data, has_good_copy, unnamed_resilver
from zconsole.model.pools.pool import Pool, Vdev


class Need(Enum):
    """Why the spare stays."""

    LACKS_DATA = "lacks data"  # the original is dead, or has not all the data
    ERRORS = "errors"  # it works, with errors counted or degraded for them: the spare is the good copy
    RESILVER = "resilver"  # one runs, and ZFS does not show yet which devices lack data
    GAPS = "gaps"  # the last resilver ended with errors, or was canceled


def need_of_spare(pool: Pool, original: Vdev) -> Need | None:
    """Why the spare of a device is needed; None where nothing speaks against the device."""
    if not has_all_data(original):
        return Need.LACKS_DATA
    if not has_good_copy(original):
        return Need.ERRORS
    if unnamed_resilver(pool) is not None:
        return Need.RESILVER
    return Need.GAPS if ended_badly(pool.scan) else None
