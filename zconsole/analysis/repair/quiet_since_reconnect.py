"""Disks that were away and came back: whether they had an error since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.model.pools.pool import Vdev

ONLINE: Final = "ONLINE"
SETTLES_S: Final = 60.0  # resets and failed commands so soon after a disk is back belong to the reconnection
READ_LATE_S: Final = 1800.0  # CRC errors of before may be read so much later


def quiet_since(facts: PoolFacts, leaves: Sequence[Vdev]) -> float | None:
    """When the last of the leaves came back; None where one did not, or had an error since."""
    back = [_came_back(facts, leaf) for leaf in leaves]
    known = [each for each in back if each is not None]
    if not known or len(known) < len(back):
        return None
    latest = max(known)
    return None if any(_had_error(facts, leaf, latest) for leaf in leaves) else latest


def last_error(facts: PoolFacts, leaf: Vdev) -> float | None:
    """Time of the last error report or kernel message of a leaf; None where none is known."""
    return max(_error_times(facts, leaf), default=None)


def _came_back(facts: PoolFacts, leaf: Vdev) -> float | None:
    """When a leaf became ONLINE again after its first error."""
    since, at = facts.since(leaf), facts.changed_at(leaf)
    if leaf.state != ONLINE or at is None or since is None:
        return None
    return at if at > since else None


def _had_error(facts: PoolFacts, leaf: Vdev, back: float) -> bool:
    crc_since = facts.of_leaf(leaf).crc_since
    has_new_crc = crc_since is not None and crc_since > back + READ_LATE_S
    return has_new_crc or any(at > back + SETTLES_S for at in _error_times(facts, leaf))


def _error_times(facts: PoolFacts, leaf: Vdev) -> Iterator[float]:
    reports, kernel = facts.errors_of(leaf), facts.of_leaf(leaf).kernel
    if reports is not None:
        yield reports.last
    if kernel is not None:
        yield kernel.last_at
