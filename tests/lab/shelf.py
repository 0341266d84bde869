"""The shelf of a guest: disks are pulled and inserted, and it is left as it was found."""

from __future__ import annotations

from typing import Final

from tests.lab.guests import SECTOR_BYTES, Guest, LabError, said

WAIT_S: Final = 300
WAIT: Final = (
    "end=$(($(date +%s) + {seconds})); until {test}; do [ $(date +%s) -lt $end ] || exit 1; sleep 0.2; done"
)
LINK_OF: Final = "lsblk -dnpo SERIAL,NAME | awk '$1 == \"{serial}\" {{ print $2 }}'"


class Shelf:
    """Bays of a guest, and the serial number that is in each."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self._changed: dict[int, str] = {}  # the serial number in the bay, empty without a disk

    def pull(self, bay: int) -> None:
        """Pull the disk, and wait until the guest has noticed."""
        serial = self._changed.get(bay, own_serial(bay))
        self.guest.unplug(bay)
        self._changed[bay] = ""
        self.wait(f'[ -z "$({LINK_OF.format(serial=serial)})" ]')

    def insert(self, bay: int, serial: str = "", *, size: str = "", sector_bytes: int = SECTOR_BYTES) -> None:
        """Put a new disk in, or the bay's own, and wait until udev has named it."""
        self.guest.plug(bay, serial=serial, size=size, sector_bytes=sector_bytes)
        self._changed[bay] = serial or own_serial(bay)
        self.wait(f'[ -n "$({LINK_OF.format(serial=self._changed[bay])})" ]')
        self.guest.ssh("udevadm settle")

    def restore(self) -> None:
        """Give every bay its own disk back; there is no pool then."""
        self.guest.wipe()
        for bay, serial in tuple(self._changed.items()):
            if serial and serial != own_serial(bay):
                self.pull(bay)
            if self._changed[bay] != own_serial(bay) and bay < self.guest.disks:
                self.insert(bay)
        self._changed.clear()

    def wait(self, test: str) -> None:
        """Until a line of shell is true in the guest."""
        try:
            self.guest.ssh(WAIT.format(test=test, seconds=WAIT_S), timeout_s=2 * WAIT_S)
        except LabError:
            raise LabError(
                f"not in time: {test}: {said(self.guest, 'zpool status; lsblk -do +SERIAL')}"
            ) from None


def own_serial(bay: int) -> str:
    """What is printed on the disk that a guest starts with."""
    return f"LAB{bay:04d}"
