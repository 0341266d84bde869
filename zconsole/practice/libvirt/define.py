"""`virsh define` of the practice host, through the pipe that the console puts before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from zconsole.practice.libvirt.guests import SHUT_OFF, PracticeGuest, PracticeGuestDisk
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.host_world import World

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

SCRIPT: Final = "test $0 = zconsole || exit 64; cat | virsh -q -c $1 define /dev/stdin"
_WORDS: Final = 4  # -c, the script, its name, the connection


def define(world: World, args: Sequence[str]) -> Reply | None:
    """Answer that script; None for another."""
    if tuple(args[:2]) != ("-c", SCRIPT) or len(args) != _WORDS:
        return None
    from xml.etree.ElementTree import ParseError, fromstring  # noqa: PLC0415  # where one is defined

    try:
        domain = fromstring(world.stdin)  # noqa: S314 - what the console itself sends
    except ParseError as error:
        raise Refusal(f"error: (domain_definition):1: {error}\n") from error
    name, uuid = domain.findtext("name") or "", domain.findtext("uuid") or ""
    for each in world.guests:
        if (each.name == name) is not (each.uuid == uuid):
            raise Refusal(
                f"error: operation failed: domain '{each.name}' already exists with uuid {each.uuid}\n"
            )
    disks = list(_disks(domain))
    guest = next((each for each in world.guests if each.uuid == uuid), None)
    if guest is None:
        world.guests.append(PracticeGuest(name, disks, SHUT_OFF, 0, own_uuid=uuid))
    else:
        guest.disks = disks
    return Reply(f"Domain '{name}' defined from /dev/stdin\n\n")


def _disks(domain: Element) -> Iterator[PracticeGuestDisk]:
    for disk in domain.iterfind("devices/disk"):
        source, target, driver = disk.find("source"), disk.find("target"), disk.find("driver")
        words = {} if source is None else source.attrib
        yield PracticeGuestDisk(
            "" if target is None else target.get("dev", ""),
            words.get("dev") or words.get("file") or "",
            "raw" if driver is None else driver.get("type", "raw"),
        )
