"""A pool `stuck` whose only disk can be made to fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.lab.guests import Guest

STATE: Final = "/proc/spl/kstat/zfs/stuck/state"
IN_STATE: Final = f"for i in $(seq 300); do grep -q {{}} {STATE} && exit 0; sleep 0.2; done; exit 1"


@dataclass(frozen=True, slots=True)
class Stuck:
    """The pool, and the bay of the disk beneath it."""

    guest: Guest
    bay: int

    def make(self) -> None:
        """Make it; it is well for now."""
        table = f"0 {self._sectors} linear {self.guest.disk(self.bay)} 0"
        self.guest.ssh(f'dmsetup create bad --table "{table}"')
        self.guest.ssh("zpool create -f stuck /dev/mapper/bad")

    def lose(self) -> None:
        """Let every I/O of the disk fail; the pool is suspended by the next one."""
        self._become("error")

    def fail(self) -> None:
        """Let every I/O of the disk fail until the pool is suspended."""
        self.lose()
        self.guest.ssh("(dd if=/dev/zero of=/stuck/b bs=1M count=8 conv=fsync >/dev/null 2>&1 &) </dev/null")
        self.guest.ssh(IN_STATE.format("SUSPENDED"))

    def mend(self) -> None:
        """Let the disk work again; the pool stays suspended."""
        self._become(f"linear {self.guest.disk(self.bay)} 0")

    def heal(self) -> None:
        """Let the disk work again, and resume the pool."""
        self.mend()
        self.guest.ssh("timeout 60 zpool clear stuck")
        self.await_online()

    def await_online(self) -> None:
        """Until it is no longer suspended."""
        self.guest.ssh(IN_STATE.format("ONLINE"))

    def remove(self) -> None:
        """Resume it, and leave nothing of it."""
        self.heal()
        self.guest.ssh("zpool destroy -f stuck && udevadm settle")
        self.guest.ssh("zpool labelclear -f /dev/mapper/bad; dmsetup remove --retry bad")

    @property
    def _sectors(self) -> str:
        return f"$(blockdev --getsz {self.guest.disk(self.bay)})"

    def _become(self, target: str) -> None:
        switch = "dmsetup suspend --noflush bad && dmsetup resume bad"
        self.guest.ssh(f'dmsetup load bad --table "0 {self._sectors} {target}" && {switch}')
