"""Space required for a snapshot of a dataset with a refreservation.

A refreservation guarantees that a volume or file system can be rewritten completely. A snapshot keeps the
existing blocks, so the same space must be available outside the reservation:
`dsl_dataset_snapshot_reserve_space` requires min(unique, refreservation) of each dataset, where unique is
what no snapshot has yet: WRITTEN. A sparse volume has no such reservation.
"""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.dataset import Dataset


@dataclass(frozen=True, slots=True)
class SnapshotNeed:
    """Space required at once by a snapshot of a dataset; bytes."""

    needs_bytes: int
    room_bytes: int | None  # available outside its own reservation; None is unknown

    @property
    def is_possible(self) -> bool:
        """Whether ZFS has enough; True when unknown."""
        return self.room_bytes is None or self.needs_bytes <= self.room_bytes


def snapshot_need(dataset: Dataset) -> SnapshotNeed:
    """Required and available space for a snapshot, from the dataset's listing."""
    written = dataset.written_bytes if dataset.written_bytes is not None else dataset.used_by_dataset_bytes
    needs = min(written or 0, dataset.refreservation_bytes or 0)
    room = None if _is_at_refquota(dataset) else dataset.available_bytes
    if room is not None:
        room = max(0, room - (dataset.used_by_refreservation_bytes or 0))  # AVAIL includes it
    return SnapshotNeed(needs, room)


def _is_at_refquota(dataset: Dataset) -> bool:
    """Whether its AVAIL is limited by its refquota, which does not apply to a snapshot."""
    if not dataset.refquota_bytes or dataset.referenced_bytes is None:
        return False
    return dataset.available_bytes == max(0, dataset.refquota_bytes - dataset.referenced_bytes)
