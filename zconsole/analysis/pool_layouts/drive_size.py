"""Drive sizes in bytes, and the part that ZFS gets.

Sizes of drives: IDEMA LBA1-03 for drives up to 8 TB and for SSDs; larger hard disks have the next whole GiB
above their nominal size (with all three makers). Partitions: `zpool_label_disk` of OpenZFS
(lib/libzfs/os/linux/libzfs_pool_os.c), unchanged since 2.1.
"""

from __future__ import annotations

from typing import Final

from zconsole.analysis.vdevs.size_of_partition_made_by_zfs import partition_bytes
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import Size, both, parse_sold_size

SMALLEST_BYTES: Final = 64 * 2**20  # SPA_MINDEVSIZE
TOO_LARGE_BYTES: Final = 10**15  # no drive is as large, and file systems limit files to less
KINDS: Final = ("hdd", "ssd")
_GB: Final = 10**9
_GIB: Final = 2**30
_SECTOR: Final = 512
_IDEMA_BASE: Final = 97_696_368  # sectors of a drive of 50 GB
_IDEMA_PER_GB: Final = 1_953_504  # and of each further GB
_IDEMA_LIMIT_BYTES: Final = 8000 * _GB  # of hard disks


@dataclass(frozen=True, slots=True)
class Drive:
    """Drive as sold, and the partition or file that ZFS gets."""

    size_bytes: int
    device_bytes: int
    kind: str = ""  # hdd, ssd, or unspecified


def drive_of(size: Size, *, is_file: bool = False, kind: str = "") -> Drive:
    """The drive for a size.

    A decimal size (`12TB`) is a whole disk with that nominal size, which ZFS partitions. Bytes and binary
    units are the exact size of the device given to ZFS, as is every size with `is_file`. Raises UsageError
    for impossible sizes.
    """
    if size.size_bytes >= TOO_LARGE_BYTES:
        what = "file" if is_file else "drive"
        raise UsageError(f"no single {what} has {both(size.size_bytes)}: sizes must be below 1 PB")
    drive = Drive(size.size_bytes, size.size_bytes, kind)
    if size.is_decimal and not is_file:
        whole = marketed_bytes(size.size_bytes)
        drive = Drive(whole, partition_bytes(whole), kind)
    if drive.device_bytes < SMALLEST_BYTES:
        raise UsageError(
            f"a device of {size.size_bytes} bytes is too small: ZFS accepts no device below 64 MiB"
        )
    return drive


def parse_drive(text: str, *, is_file: bool = False) -> Drive:
    """Parse `12TB`, `1.92TB:ssd` or `4000787030016`. Raises UsageError."""
    size, _, kind = text.strip().partition(":")
    if kind and kind.lower() not in KINDS:
        raise UsageError(f"{kind!r} is not a kind of drive: {' or '.join(KINDS)}")
    return drive_of(parse_sold_size(size), is_file=is_file, kind=kind.lower())


def marketed_bytes(nominal_bytes: int) -> int:
    """Exact bytes of a drive with this nominal size (`12 TB`: 12,000,138,625,024)."""
    gigabytes, rest = divmod(nominal_bytes, _GB)
    if rest:
        return nominal_bytes
    if nominal_bytes > _IDEMA_LIMIT_BYTES and gigabytes % 1000 == 0:  # SSDs have sizes such as 15.36 TB
        return -(-nominal_bytes // _GIB) * _GIB
    return (_IDEMA_BASE + _IDEMA_PER_GB * (gigabytes - 50)) * _SECTOR
