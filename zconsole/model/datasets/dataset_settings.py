"""Settings of a file system or volume that advice is about, with the sizes that it compares them with."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class DatasetSettings:
    """File system or volume; bytes, epoch seconds. None is unknown, or a property that its type lacks.

    Of quotas, reservations and `origin` None also is ZFS's `none`.
    """

    name: str
    type: str  # filesystem or volume
    used_bytes: int | None = None
    available_bytes: int | None = None
    own_bytes: int | None = None  # usedbydataset: what a snapshot taken now would hold
    referenced_bytes: int | None = None
    by_snapshots_bytes: int | None = None
    volsize_bytes: int | None = None
    volblocksize_bytes: int | None = None
    recordsize_bytes: int | None = None
    compression: str | None = None
    checksum: str | None = None
    sync: str | None = None
    dedup: str | None = None
    copies: int | None = None
    atime: str | None = None
    relatime: str | None = None
    has_directory_xattrs: bool | None = None
    acltype: str | None = None
    primarycache: str | None = None
    quota_bytes: int | None = None
    refquota_bytes: int | None = None
    reservation_bytes: int | None = None
    refreservation_bytes: int | None = None
    origin: str | None = None
    origin_created: int | None = None  # of old clones only, as far as read
    origin_used_bytes: int | None = None  # what the origin holds and its own dataset does not reference
    is_read_only: bool = False  # as copies are
    special_small_blocks_bytes: int | None = None  # blocks up to this size go to the special class
    creation: int | None = None
    snapshots_changed: int | None = None  # None also before 2.2, which does not tell
    tells_snapshots_changed: bool = False  # whether this ZFS tells

    @property
    def parent(self) -> str:
        """The dataset above; empty for the root of a pool."""
        return self.name.rpartition("/")[0]
