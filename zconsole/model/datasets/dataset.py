"""Datasets, snapshots and bookmarks as `zfs list` prints them; sizes in bytes, times in epoch seconds."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import pool_of

FILESYSTEM: Final = frozenset({"filesystem"})
VOLUME: Final = frozenset({"volume"})
FILESYSTEMS_AND_VOLUMES: Final = FILESYSTEM | VOLUME
SNAPSHOT: Final = frozenset({"snapshot"})


@dataclass(frozen=True, slots=True)
class Dataset:
    """One line of `zfs list`: a filesystem, volume, snapshot or bookmark."""

    name: str
    type: str  # filesystem, volume, snapshot, bookmark
    used_bytes: int | None = None
    available_bytes: int | None = None
    referenced_bytes: int | None = None
    mountpoint: str | None = None
    used_by_snapshots_bytes: int | None = None
    used_by_dataset_bytes: int | None = None
    used_by_children_bytes: int | None = None
    used_by_refreservation_bytes: int | None = None
    origin: str | None = None
    clones: tuple[str, ...] = ()
    creation: int | None = None
    createtxg: int | None = None
    guid: int | None = None
    written_bytes: int | None = None
    logical_used_bytes: int | None = None
    compress_ratio: float | None = None
    compression: str | None = None
    recordsize_bytes: int | None = None
    volblocksize_bytes: int | None = None
    dedup: str | None = None
    copies: int | None = None
    quota_bytes: int | None = None
    refquota_bytes: int | None = None
    reservation_bytes: int | None = None
    refreservation_bytes: int | None = None
    encryption: str | None = None
    keystatus: str | None = None
    is_mounted: bool | None = None
    canmount: str | None = None
    holds: int | None = None  # userrefs
    is_destroy_deferred: bool | None = None

    @property
    def pool(self) -> str:
        """The pool of the dataset."""
        return pool_of(self.name)


def type_in_words(dataset: Dataset) -> str:
    """The type in words."""
    return "file system" if dataset.type == "filesystem" else dataset.type
