"""`virsh domstats`: state, sizes and counters of all guests in one answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.guests.guest import GuestDiskCounters, GuestState, GuestStatus

TOOL: Final = "virsh domstats"
_HEAD: Final = "Domain: '"
_END: Final = "'"
_STATES: Final = {state.value: state for state in GuestState}
MOST_DISKS: Final = 1000  # of a guest


def domain_stats(connection: str) -> Command:
    """Print state and block counters of all guests; of the images below a disk too."""
    return Command(
        ("virsh", "-r", "-q", "-c", connection, "domstats", "--raw", "--state", "--block", "--backing")
    )


def parse_domain_stats(text: str) -> tuple[GuestStatus, ...]:
    """The guests in libvirt's order. Raises ParseError."""
    found: list[GuestStatus] = []
    name: str | None = None
    words: dict[str, str] = {}
    for line_no, line in whole_lines(TOOL, text):
        if line.startswith(_HEAD) and line.endswith(_END):
            if name is not None:
                found.append(status_of(name, words))
            name, words = line[len(_HEAD) : -len(_END)], {}
        elif not line.strip():
            continue
        elif name is None or "=" not in line or not line.startswith("  "):
            raise ParseError(TOOL, line_no, line, "expected a guest or a field")
        else:
            key, _, value = line.lstrip().partition("=")  # a path may end with a blank
            words[key] = value
    if name is not None:
        found.append(status_of(name, words))
    return tuple(found)


def status_of(name: str, words: Mapping[str, str]) -> GuestStatus:
    """State and counters of a guest, from the fields of virConnectGetAllDomainStats. Raises ParseError."""
    count = natural(words.get("block.count", "0"))
    if count is None or count > MOST_DISKS or not all(f"block.{at}.name" in words for at in range(count)):
        raise ParseError(TOOL, 1, name, "not all of the guest's disks")
    return GuestStatus(
        name,
        _STATES.get(natural(words.get("state.state", "")) or 0, GuestState.UNKNOWN),
        natural(words.get("state.reason", "")) or 0,
        tuple(_disks(words, range(count))),
    )


def _disks(words: Mapping[str, str], numbers: Iterable[int]) -> Iterable[GuestDiskCounters]:
    for at in numbers:
        target = words.get(f"block.{at}.name", "")

        def number(key: str, at: int = at) -> int | None:
            return natural(words.get(f"block.{at}.{key}", ""))

        yield GuestDiskCounters(
            target=target,
            path=words.get(f"block.{at}.path", ""),
            backing_index=number("backingIndex"),
            allocation_bytes=number("allocation"),
            capacity_bytes=number("capacity"),
            physical_bytes=number("physical"),
            reads=number("rd.reqs"),
            read_bytes=number("rd.bytes"),
            read_ns=number("rd.times"),
            writes=number("wr.reqs"),
            written_bytes=number("wr.bytes"),
            write_ns=number("wr.times"),
            flushes=number("fl.reqs"),
            flush_ns=number("fl.times"),
        )
