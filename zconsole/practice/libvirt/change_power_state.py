"""`virsh start`, `shutdown`, `suspend` and `resume` of the practice host."""

from __future__ import annotations

from typing import Final

from zconsole.practice.libvirt.guests import (
    BOOTED,
    BY_USER,
    PAUSED,
    RUNNING,
    SHUT_OFF,
    UNPAUSED,
    PracticeGuest,
)
from zconsole.practice.libvirt.storage_of_images import dataset_that_holds, is_there
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.host_world import World
from zconsole.practice.zfs.mount_share import setting

CHANGES: Final = {  # by subcommand: libvirt's function, and what virsh says
    "start": ("virDomainCreate", "Domain '{name}' started"),
    "shutdown": ("virDomainShutdown", "Domain '{name}' is being shutdown"),
    "suspend": ("virDomainSuspend", "Domain '{name}' suspended"),
    "resume": ("virDomainResume", "Domain '{name}' resumed"),
}


def change(world: World, command: str, guest: PracticeGuest, *, is_read_only: bool) -> Reply:
    """Change the state of a guest, or ask it to shut down, which it does some seconds later or never."""
    function, said = CHANGES[command]
    if is_read_only:
        raise Refusal(f"error: operation forbidden: read only access prevents {function}\n")
    why = _why_not(command, guest) or (_why_not_open(world, guest) if command == "start" else "")
    if why:
        did = {"start": "start", "shutdown": "shutdown", "suspend": "suspend", "resume": "resume"}[command]
        raise Refusal(f"error: Failed to {did} domain '{guest.name}'\nerror: {why}\n")
    match command:
        case "start":
            guest.state, guest.reason, guest.is_frozen = RUNNING, BOOTED, False
        case "suspend":
            guest.state, guest.reason = PAUSED, BY_USER
        case "resume":
            guest.state, guest.reason = RUNNING, UNPAUSED
            for disk in guest.disks:
                disk.error = ""
        case _ if guest.shuts_down_in_s is not None and guest.state == RUNNING:
            guest.off_at = world.now + guest.shuts_down_in_s
    return Reply(said.format(name=guest.name) + "\n\n")


def _why_not_open(world: World, guest: PracticeGuest) -> str:
    """A disk that is not there; or whose volume or file system is read-only, where QEMU would write."""
    for disk in guest.disks:
        if not is_there(world, disk.source):
            return f"Cannot access storage file '{disk.source}': No such file or directory"
        dataset = dataset_that_holds(world, disk.source)
        if dataset is not None and setting(world, dataset, "readonly") == "on":
            return f"internal error: process exited: Could not open '{disk.source}': Read-only file system"
    return ""


def _why_not(command: str, guest: PracticeGuest) -> str:
    if command == "start":
        return "Requested operation is not valid: domain is already running" if guest.is_active else ""
    if guest.state == SHUT_OFF:
        return "Requested operation is not valid: domain is not running"
    if command == "suspend" and guest.state == PAUSED:
        return "Requested operation is not valid: domain is already paused"
    if command == "resume" and guest.state == RUNNING:
        return "Requested operation is not valid: domain is already running"
    return ""
