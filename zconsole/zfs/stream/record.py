"""Records of a send stream: `dmu_replay_record_t` of include/sys/zfs_ioctl.h, 312 bytes each.

They are memory images in the sender's byte order, which the first record's magic shows.
"""

from __future__ import annotations

import struct
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

RECORD_BYTES: Final = 312
MAGIC: Final = 0x2F5BACBAC
BEGIN, OBJECT, FREEOBJECTS, WRITE, FREE, END, WRITE_BYREF, SPILL, WRITE_EMBEDDED = range(9)
OBJECT_RANGE, REDACT, TYPES = 9, 10, 11
LARGEST_BLOCK: Final = 1 << 24  # SPA_MAXBLOCKSIZE
SUBSTREAM, COMPOUND = 1, 2  # the two header types
CHECKSUM_AT: Final = RECORD_BYTES - 32  # checksum of all data before it, in every record but DRR_BEGIN
FLAG_CLONE: Final = 1
RESUMING: Final = "resuming"
RAW: Final = "raw"
DEDUP: Final = "dedup"
LARGE_BLOCKS: Final = "large blocks"
FEATURES: Final = {  # DMU_BACKUP_FEATURE_*
    0: DEDUP,
    1: "dedup properties",
    2: "spill",
    16: "embedded data",
    17: "lz4",
    19: LARGE_BLOCKS,
    20: RESUMING,
    21: "redacted",
    22: "compressed",
    23: "large dnodes",
    24: RAW,
    25: "zstd",
    26: "holds",
    27: "switch to large blocks",
    28: "long names",
    29: "large microzap",
}
KINDS: Final = {2: "filesystem", 3: "volume"}  # DMU_OST_ZFS, DMU_OST_ZVOL
_OBJECT_BONUS: Final = 2**20  # larger than any bonus buffer


@dataclass(frozen=True, slots=True)
class Begin:
    """DRR_BEGIN, `struct drr_begin`."""

    header_type: int
    features: tuple[str, ...]
    created: int
    kind: str
    flags: int
    to_guid: int
    from_guid: int
    to_name: str
    payload_bytes: int

    @property
    def is_compound(self) -> bool:
        """Whether it begins a package (-R, -I, -p) instead of a snapshot."""
        return self.header_type == COMPOUND


def byte_order(record: bytes) -> str | None:
    """`<` or `>` from the magic of a stream's first record; None without a magic."""
    for order in "<>":
        kind, magic = struct.unpack_from(f"{order}I4xQ", record)
        if kind == BEGIN and magic == MAGIC:
            return order
    return None


def record_type(record: bytes, order: str) -> int:
    """The record type; `TYPES` and above are invalid."""
    number: int = struct.unpack_from(f"{order}I", record)[0]
    return number


def parse_begin(record: bytes, order: str) -> Begin | None:
    """Parse a DRR_BEGIN; None for a wrong magic, name or header type."""
    payload, magic, version, created, kind, flags, to_guid, from_guid = struct.unpack_from(
        f"{order}4xIQQQIIQQ", record
    )
    name, _, rest = record[56:].partition(b"\0")
    header_type = version & 3
    if magic != MAGIC or header_type not in {SUBSTREAM, COMPOUND} or rest.strip(b"\0") or not name:
        return None
    bits = version >> 2 & 0x3FFFFFFF
    features = tuple(FEATURES.get(bit, f"feature {bit}") for bit in range(30) if bits >> bit & 1)
    return Begin(
        header_type,
        features,
        created,
        KINDS.get(kind, "other"),
        flags,
        to_guid,
        from_guid,
        name.decode("utf-8", "surrogateescape"),
        payload,
    )


def payload_bytes(record: bytes, order: str) -> int | None:
    """Payload size of a record, from its own fields; None for an impossible size."""
    kind = record_type(record, order)
    if kind == OBJECT:
        bonus, raw = struct.unpack_from(f"{order}28xI4xI", record)
        size: int = raw or _round_up(bonus)
        return size if bonus and size <= _OBJECT_BONUS else None if bonus else 0
    if kind == WRITE:
        logical, compression, compressed = struct.unpack_from(f"{order}32xQ10xB45xQ", record)
        return _block(compressed if compression else logical)
    if kind == SPILL:
        length, compressed = struct.unpack_from(f"{order}16xQ16xQ", record)
        return _block(compressed or length)
    if kind == WRITE_EMBEDDED:
        (physical,) = struct.unpack_from(f"{order}52xI", record)
        return _block(_round_up(physical))
    return 0


def checksum(record: bytes, order: str, at: int) -> tuple[int, int, int, int]:
    """The four sums at `at`: 8 in a DRR_END, `CHECKSUM_AT` in all others but DRR_BEGIN."""
    a, b, c, d = struct.unpack_from(f"{order}4Q", record, at)
    return a, b, c, d


def end_guid(record: bytes, order: str) -> int:
    """Guid of the snapshot that a DRR_END ends; 0 for a part of a package."""
    number: int = struct.unpack_from(f"{order}40xQ", record)[0]
    return number


def _round_up(size: int) -> int:
    return size + -size % 8


def _block(size: int) -> int | None:
    return size if 0 < size <= LARGEST_BLOCK and size % 4 == 0 else None
