"""Partition that ZFS makes on a disk that it is given whole."""

from __future__ import annotations

from typing import Final

SECTOR: Final = 512
START_SECTORS: Final = 2048  # NEW_START_BLOCK: 1 MiB before the partition
RESERVED_SECTORS: Final = 16384  # EFI_MIN_RESV_SIZE: partition 9, 8 MiB
BACKUP_TABLE_SECTORS: Final = 33  # the second GPT
ALIGN_SECTORS: Final = 2048  # PARTITION_END_ALIGNMENT


def partition_bytes(disk_bytes: int) -> int:
    """Size of partition 1 on a disk with sectors of 512 bytes, or 512e; 0 when the disk is too small."""
    end = (disk_bytes // SECTOR - RESERVED_SECTORS - BACKUP_TABLE_SECTORS) // ALIGN_SECTORS * ALIGN_SECTORS
    return max(0, end - START_SECTORS) * SECTOR
