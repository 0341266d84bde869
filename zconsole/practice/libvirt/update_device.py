"""`virsh update-device --current` of the practice host, through the pipe that the console puts before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from zconsole.practice.libvirt.guests import PracticeGuest
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.host_world import World

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

SCRIPT: Final = "test $0 = zconsole || exit 64; cat | virsh -q -c $1 update-device $2 /dev/stdin --current"
_WORDS: Final = 5  # -c, the script, its name, the connection, a uuid


def update_device(world: World, args: Sequence[str]) -> Reply | None:
    """Answer that script; None for another."""
    if tuple(args[:2]) != ("-c", SCRIPT) or len(args) != _WORDS:
        return None
    guest = next((each for each in world.guests if each.uuid == args[4]), None)
    if guest is None:
        raise Refusal(f"error: failed to get domain '{args[4]}'\n")
    from xml.etree.ElementTree import ParseError, fromstring  # noqa: PLC0415  # where a disk is changed

    try:
        disk = fromstring(world.stdin)  # noqa: S314 - what the console itself sends
    except ParseError as error:
        raise Refusal(f"error: (device_definition):1: {error}\n") from error
    _update(guest, disk)
    return Reply("Device updated successfully\n\n")


def _update(guest: PracticeGuest, disk: Element) -> None:
    """The disk with the same target gets the source, whether or not that is there."""
    source, target = disk.find("source"), disk.find("target")
    name = target.get("dev", "") if target is not None else ""
    found = next((each for each in guest.disks if each.target == name), None)
    if found is None:
        raise Refusal(f"error: invalid argument: target {name} doesn't exist.\n")
    if guest.is_active:
        raise Refusal("error: Operation not supported: disk source can be changed only in removable drives\n")
    path = (
        next((source.get(key, "") for key in ("file", "dev") if source.get(key)), "")
        if source is not None
        else ""
    )
    found.source = path
