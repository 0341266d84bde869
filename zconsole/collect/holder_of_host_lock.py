"""Who holds the lock that a zconsole takes on a host while it carries out a plan as root."""

from __future__ import annotations

import os
from typing import Final

from zconsole.base.errors import HostError
from zconsole.base.escape_control_characters import visible
from zconsole.collect.privilege import Privilege
from zconsole.hosts.host import Command, Host

FOLDER: Final = "/run/zconsole"  # root's, cleared at boot; others only see whether the lock is held
LOCKS: Final = "/proc/locks"
STAT: Final = Command(("stat", "-c", "%d %i", f"{FOLDER}/lock"))
HOLDER: Final = Command(("head", "-c", "2000", f"{FOLDER}/by"))  # root alone may read it
LONGEST_WORDS: Final = 300  # length of the holder's description


async def is_taken_as_root(host: Host) -> bool:
    """Whether the kernel lists root's lock as held; others can neither open nor block it."""
    completed = await host.run(STAT)
    try:
        device, inode = map(int, completed.stdout.split())
        locks = (await host.read(LOCKS)).decode("ascii", "replace").split("\n")
    except (ValueError, OSError, HostError):
        return False
    place = f"{os.major(device):02x}:{os.minor(device):02x}:{inode}"
    return any({"FLOCK", place} <= set(line.split()) for line in locks)


async def read_holder(host: Host, privilege: Privilege) -> str | None:
    """Who holds root's lock, and for which plan; empty where this user may not read that, None if it is free.

    Without the lock of a console that acts as a user: that excludes nobody else. Raises HostError.
    """
    if not await is_taken_as_root(host):
        return None
    completed = await host.run(await privilege.to_read(HOLDER))
    said = completed.stdout.decode("utf-8", "replace").partition("\n")[0]
    return visible(said)[:LONGEST_WORDS] if completed.is_done else ""
