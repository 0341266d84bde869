"""`virsh`: the stored definition of a guest, what is kept beside it, and the change of one disk in it.

The XML of a disk comes on stdin: sshd gives a command a socket, which cannot be opened as /dev/stdin, so a
pipe is put between. All arguments are constants or uuids, which need no quotes: sudoers contains the scripts
literally. A script begins with a test of its name, because sudo compares words joined by blanks: a part of it
does nothing. `--current` changes the definition of a guest that is off; of one that runs libvirt would have
to change the disk itself, which it refuses.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.hosts.host import Command
from zconsole.model.guests.guest import SYSTEM
from zconsole.system.libvirt.list_guests import list_with_saved_memory

_READ: Final = ("virsh", "-r", "-q", "-c", SYSTEM)
_NAME: Final = "zconsole"
_WHOLE: Final = f"test $0 = {_NAME} || exit 64; "
UPDATE_DISK: Final = f"{_WHOLE}cat | virsh -q -c $1 update-device $2 /dev/stdin --current"
DEFINE: Final = f"{_WHOLE}cat | virsh -q -c $1 define /dev/stdin"
ALL: Final = Command((*_READ, "list", "--all", "--uuid"))
STARTED_AT_BOOT: Final = Command((*_READ, "list", "--all", "--uuid", "--autostart"))
PERSISTENT: Final = Command((*_READ, "list", "--all", "--uuid", "--persistent"))
WITH_SAVED_MEMORY: Final = list_with_saved_memory(SYSTEM)
WITH_SNAPSHOTS: Final = Command((*_READ, "list", "--all", "--uuid", "--with-snapshot"))


def dump_stored_xml(uuid: str) -> Command:
    """Print the definition that the next start of a guest uses."""
    return Command((*_READ, "dumpxml", "--inactive", uuid))


def asked_of(uri: str, command: Command) -> Command:
    """One of these questions, asked of the libvirt that a URI leads to."""
    return replace(command, argv=tuple(uri if word == SYSTEM else word for word in command.argv))


def update_disk(uuid: str, uri: str = SYSTEM) -> tuple[str, ...]:
    """Replace one disk, selected by its target, in the stored definition; its XML is read from stdin."""
    return ("sh", "-c", UPDATE_DISK, _NAME, uri, uuid)


def define() -> tuple[str, ...]:
    """Define a guest, or replace its definition; its XML is read from stdin."""
    return ("sh", "-c", DEFINE, _NAME, SYSTEM)


def start_at_boot(uuid: str, *, is_on: bool) -> tuple[str, ...]:
    """Have a guest started with its host, or not."""
    return ("virsh", "-q", "-c", SYSTEM, "autostart", *(() if is_on else ("--disable",)), uuid)


def undefine(uuid: str) -> tuple[str, ...]:
    """Remove the definition of a guest that is off; its UEFI variables are kept, and its disks as ever."""
    return ("virsh", "-q", "-c", SYSTEM, "undefine", "--keep-nvram", uuid)
