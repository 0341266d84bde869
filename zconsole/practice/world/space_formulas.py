"""Space that ZFS gets out of a disk: partitions, labels, metaslabs, deflation, slop."""

from __future__ import annotations

from typing import Final

SECTOR: Final = 512
PARTITION_START: Final = 2048  # sectors: 1 MiB
RESERVED_SECTORS: Final = 16384  # partition 9: 8 MiB
_BACKUP_TABLE: Final = 33  # sectors of the second GPT
_PARTITION_ALIGN: Final = 2048  # sectors
_LABEL: Final = 256 * 1024
LABELS: Final = 4 * 1024 * 1024 + 2 * _LABEL  # in front of and behind the data of a leaf
_DRAID_ROW: Final = 16 * 1024 * 1024
_DRAID_RESERVE: Final = 32 * 1024 * 1024
_MIN_MS_SHIFT, _MAX_MS_SHIFT, _DEFAULT_MS_SHIFT = 24, 34, 29
_MIN_COUNT, _DEFAULT_COUNT, _MAX_COUNT = 16, 200, 1 << 17
_EMBEDDED_LOG_FROM: Final = 64  # metaslabs from which one serves the intent log
_TYPICAL_BLOCK: Final = 1 << 17
_MAX_SLOP: Final = 128 << 30
_MIN_SLOP: Final = 128 << 20


def data_partition(disk_bytes: int) -> tuple[int, int]:
    """First sector and sectors of partition 1 of a disk that is given to ZFS whole."""
    end = (disk_bytes // SECTOR - RESERVED_SECTORS - _BACKUP_TABLE) // _PARTITION_ALIGN * _PARTITION_ALIGN
    return PARTITION_START, end - PARTITION_START


def leaf_asize(partition_bytes: int) -> int:
    """The size of a leaf without its labels."""
    return partition_bytes // _LABEL * _LABEL - LABELS


def draid_asize(leaf: int, children: int, spares: int, group: int) -> int:
    """The size of a draid of `children` such leaves."""
    child = (leaf - _DRAID_RESERVE) // _DRAID_ROW * _DRAID_ROW
    stripe = group * _DRAID_ROW
    return child * (children - spares) // stripe * stripe


def raidz_allocation(size: int, ashift: int, columns: int, parity: int) -> int:
    """Bytes that a block takes on a raidz: data, parity and padding."""
    sectors = -(-size // (1 << ashift))
    sectors += parity * -(-sectors // (columns - parity))
    return -(-sectors // (parity + 1)) * (parity + 1) << ashift


def draid_allocation(size: int, ashift: int, data: int, parity: int) -> int:
    """Bytes that a block takes on a draid: full stripes always."""
    rows = -(-size // (data << ashift))
    return rows * (data + parity) << ashift


def metaslab_shift(asize: int) -> int:
    """The power of two of a vdev's metaslabs."""
    count = asize >> _DEFAULT_MS_SHIFT
    if count < _MIN_COUNT:
        shift = (asize // _MIN_COUNT).bit_length()
    elif count > _DEFAULT_COUNT:
        shift = (asize // _DEFAULT_COUNT).bit_length()
    else:
        shift = _DEFAULT_MS_SHIFT
    shift = min(max(shift, _MIN_MS_SHIFT), _MAX_MS_SHIFT)
    return (asize // _MAX_COUNT).bit_length() if asize >> shift > _MAX_COUNT else shift


def deflate_ratio(allocation_of_typical_block: int) -> int:
    """512ths of an allocated byte that count as usable."""
    return _TYPICAL_BLOCK // (allocation_of_typical_block >> 9)


def embedded_log(asize: int, ratio: int) -> int:
    """Deflated bytes of the metaslab that is set aside for the intent log."""
    shift = metaslab_shift(asize)
    return (1 << shift >> 9) * ratio if asize >> shift > _EMBEDDED_LOG_FROM else 0


def usable(dspace: int, embedded: int) -> int:
    """USED plus AVAIL of the root dataset: deflated space less the slop that ZFS keeps back."""
    slop = min(dspace >> 5, _MAX_SLOP)
    slop -= min(embedded, slop // 2)
    return dspace - max(slop, min(dspace // 2, _MIN_SLOP))
