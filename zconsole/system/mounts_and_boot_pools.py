"""/proc/mounts: mounted file systems, and the pools that the running system needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.snapshot_contents import Mounted

TOOL: Final = "mounts"
MOUNTS: Final = "/proc/mounts"
ZFS: Final = "zfs"
ROOT: Final = "/"
KERNEL: Final = "/boot"  # directory of kernels and initramfs images, read by a boot loader
_FIELDS: Final = 6
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mount:
    """Mounted file system. `source` is a device path, a dataset, or as the type defines."""

    source: str
    mountpoint: str
    fstype: str
    options: tuple[str, ...] = ()

    @property
    def pool(self) -> str | None:
        """The pool of a ZFS file system or snapshot, otherwise None."""
        return pool_of(self.source) if self.fstype == ZFS else None


def parse_mounts(text: str) -> tuple[Mount, ...]:
    """Every mount in the kernel's order: of two on one directory the later one is visible."""
    lines = whole_lines(TOOL, text, reason="the file is truncated")
    return tuple(_mount(line, line_no) for line_no, line in lines if line)


def boot_pools(mounts: Iterable[Mount]) -> frozenset[str]:
    """The pools that hold / or /boot, without which the system does not boot."""
    seen = _seen(mounts)
    found = (seen[place].pool for place in (ROOT, KERNEL) if place in seen)
    return frozenset(pool for pool in found if pool is not None)


def kernel_pools(mounts: Iterable[Mount]) -> frozenset[str]:
    """The pools that hold /boot, as a mount or a folder of /, which a boot loader may read."""
    seen = _seen(mounts)
    kernel = seen.get(KERNEL) or seen.get(ROOT)
    return frozenset({kernel.pool} if kernel is not None and kernel.pool is not None else ())


def mounted_datasets(mounts: Iterable[Mount]) -> tuple[Mounted, ...]:
    """Visible ZFS file systems: no snapshots, and none hidden by another mount."""
    return tuple(
        Mounted(mount.source, place, "ro" not in mount.options)
        for place, mount in _seen(mounts).items()
        if mount.fstype == ZFS and "@" not in mount.source
    )


def _seen(mounts: Iterable[Mount]) -> dict[str, Mount]:
    return {mount.mountpoint: mount for mount in mounts}


def _mount(line: str, line_no: int) -> Mount:
    fields = line.split(" ")
    if len(fields) != _FIELDS:
        raise ParseError(TOOL, line_no, line, f"expected {_FIELDS} fields, not {len(fields)}")
    source, mountpoint, fstype, options, *_ = map(_plain, fields)
    return Mount(source, mountpoint, fstype, tuple(options.split(",")))


def _plain(field: str) -> str:
    """The kernel escapes blanks, line breaks, `#` and backslashes in octal."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 8)), field)
