"""Stored definition of a guest: what its next start uses."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.guests.guest import SYSTEM, address_of


@dataclass(frozen=True, slots=True)
class UnreadDefinition:
    """Definition that could not be read, and what libvirt says of it."""

    address: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class StoredDefinition:
    """XML of a guest as libvirt stores it, without its secrets, and what libvirt keeps beside it."""

    uuid: str
    xml: str
    is_persistent: bool = True  # otherwise it is gone when the guest is shut off
    has_saved_memory: bool = False  # of `virsh managedsave`: the next start resumes it
    has_snapshots: bool = False  # of libvirt, which name the disks' paths
    is_started_at_boot: bool = False  # `virsh autostart`
    uri: str = SYSTEM  # by which virsh on its host reaches its libvirt

    @property
    def address(self) -> str:
        """The same as of its guest."""
        return address_of(self.uuid, self.uri)

    @property
    def is_defined(self) -> bool:
        """Whether libvirt has a definition of it; of one that it does not know the XML is empty."""
        return bool(self.xml)
