"""Versions of OpenZFS, of the commands and of the kernel module."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_NUMBERS: Final = re.compile(r"(?<!\d)(\d{1,5})\.(\d{1,5})(?:\.(\d{1,5}))?(?!\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class ZfsVersion:
    """`zfs version`: the words as printed, and the numbers to compare."""

    userland: str
    kernel: str | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """(2, 4, 4) of `zfs-2.4.4-1~bpo13+1`; empty when it cannot be read."""
        found = _NUMBERS.search(self.userland)
        return tuple(int(part) for part in found.groups() if part) if found else ()

    @property
    def has_json(self) -> bool:
        """Whether `zpool status -j` and its kin exist (2.3.0 and later)."""
        return self.numbers >= (2, 3)

    @property
    def has_autosit(self) -> bool:
        """Whether a raidz can let slow disks sit out (2.4.0 and later)."""
        return self.numbers >= (2, 4)

    @property
    def differs(self) -> bool:
        """Whether the commands and the kernel module are of different releases."""
        if self.kernel is None:
            return False
        return self.kernel.removeprefix("zfs-kmod-") != self.userland.removeprefix("zfs-")
