"""Running scan of a pool, or the last one; running initialize and trim of its devices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.model.pools.pool import PoolActivity, Scan, Vdev

TOOL: Final = "zpool status"
_NOT_OVER: Final = ("active", "suspended")


def leaf_activities(vdevs: Sequence[Vdev]) -> Iterator[PoolActivity]:
    """Running or suspended initialize and trim of all devices."""
    for top in vdevs:
        for vdev in top.leaves():
            for progress in vdev.activities:
                if progress.state in _NOT_OVER:
                    at = progress.at
                    yield PoolActivity(progress.kind, vdev.name, progress.state, progress.percent, at)


def in_order(scans: Iterable[Scan | None]) -> tuple[Scan | None, tuple[Scan, ...]]:
    """The running scan, else a paused one, else the last one that ended; and the others, in that order."""
    known = [scan for scan in scans if scan is not None]
    known.sort(key=lambda scan: (not scan.is_running, not _is_paused(scan), -(scan.end or 0)))
    return (known[0], tuple(known[1:])) if known else (None, ())


def _is_paused(scan: Scan) -> bool:
    return scan.end is None and scan.state == "paused"
