"""Versions of OpenZFS, of the commands and of the kernel module."""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

_NUMBERS: Final = re.compile(r"(?<!\d)(\d{1,5})\.(\d{1,5})(?:\.(\d{1,5}))?(?!\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class ZfsVersion:
    """Output of `zfs version`: the strings as printed, and numbers for comparison."""

    userland: str
    kernel: str | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """(2, 4, 4) of `zfs-2.4.4-1~bpo13+1`; empty for an unknown format."""
        return _numbers(self.userland)

    @property
    def kernel_numbers(self) -> tuple[int, ...]:
        """The same of the kernel module, which does the work; empty if unknown."""
        return _numbers(self.kernel or "")

    @property
    def has_json(self) -> bool:
        """Whether `zpool status -j` and similar exist (2.3.0 and later)."""
        return self.numbers >= (2, 3)

    @property
    def has_autosit(self) -> bool:
        """Whether autosit of raidz exists (2.4.0 and later)."""
        return self.numbers >= (2, 4)

    @property
    def differs(self) -> bool:
        """Whether the commands and the kernel module have different releases."""
        if self.kernel is None:
            return False
        return self.kernel.removeprefix("zfs-kmod-") != self.userland.removeprefix("zfs-")


def _numbers(version: str) -> tuple[int, ...]:
    found = _NUMBERS.search(version)
    return tuple(int(part) for part in found.groups() if part) if found else ()
