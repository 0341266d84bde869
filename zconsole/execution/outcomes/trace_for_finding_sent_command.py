"""Traces of a sent command: read before it is sent, journaled, used to find its processes."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.hosts.host import Command, Host, Outcome, connection_of
from zconsole.hosts.process_list_and_command_search import (
    BOOT_ID,
    LIST_PROCESSES,
    OWN_STAT,
    STAT,
    Presence,
    Starter,
    StillRunning,
    parse_processes,
    parse_stat,
    presence,
)

NONE: Final = "{}"  # journal value without traces
REBOOT_MARGIN_S: Final = 60.0  # precision of the kernel's boot time
_BEGAN: Final = b"btime "
_DIGITS: Final = 12  # digits of epoch seconds
_LONGEST: Final = 64  # characters of a boot id
_MOST: Final = 2**63


@dataclass(frozen=True, slots=True)
class CommandTrace:
    """Known facts on a command's processes; None when the host did not report them."""

    boot: str | None = None  # boot id of the running system
    starter: Starter | None = None
    session: int | None = None  # session id of its processes
    host: str = ""  # label of the other host that it was sent to, in a plan for two; "" for the plan's own
    machine_id: str | None = None  # of that host, with its host key
    host_key: str | None = None


@dataclass(frozen=True, slots=True)
class Traced:
    """Trace of the next command, valid for one connection."""

    trace: CommandTrace
    connection: int | None

    def is_of(self, host: Host) -> bool:
        """Whether the host still has this connection."""
        return self.connection == connection_of(host)


def to_json(trace: CommandTrace) -> str:
    """Trace as journal JSON."""
    starter = trace.starter
    kept = {
        "boot": trace.boot,
        "starter": None if starter is None else [starter.number, starter.start, starter.name],
        "session": trace.session,
        "host": trace.host or None,
        "machine_id": trace.machine_id,
        "host_key": trace.host_key,
    }
    return json.dumps({key: value for key, value in kept.items() if value is not None})


def from_json(text: str) -> CommandTrace:
    """Parse journal JSON; unreadable parts are unknown."""
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        return CommandTrace()
    if not isinstance(kept, dict):
        return CommandTrace()
    boot, session = kept.get("boot"), kept.get("session")
    starter: Starter | None = None
    match kept.get("starter"):
        case [int() as number, int() as start, str() as name]:
            starter = Starter(number, start, name)
    return CommandTrace(
        boot if isinstance(boot, str) else None,
        starter,
        session if isinstance(session, int) and 0 < session < _MOST else None,
        _text(kept.get("host")) or "",
        _text(kept.get("machine_id")),
        _text(kept.get("host_key")),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


async def read_trace(host: Host) -> Traced:
    """The process that starts the next command. Raises HostError."""
    connection = connection_of(host)
    boot = await _boot(host)
    starter = await _starter(host)
    if connection != connection_of(host):
        starter = None
    return Traced(CommandTrace(boot, starter), connection)


async def read_presence(
    asker: Asker, argv: tuple[str, ...], trace: CommandTrace, sent: float | None, command: Command | None
) -> Presence:
    """Remains of a command. `sent` is in epoch seconds of the host's clock. Raises HostError."""
    if command is not None and asker.host.is_lingering(command):
        return Presence(StillRunning.RUNS, f"{' '.join(argv)} still runs there")
    if await _was_started_anew(asker.host, trace, sent):
        return Presence(
            StillRunning.GONE, f"{asker.host.label} was rebooted since, which ended all processes"
        )
    completed = await asker.run(LIST_PROCESSES, kind="processes")
    return presence(parse_processes(completed.stdout), argv, trace.starter, trace.session)


async def _was_started_anew(host: Host, trace: CommandTrace, sent: float | None) -> bool:
    if trace.boot is not None:
        now = await _boot(host)
        return now is not None and now != trace.boot
    began = await _began(host) if sent is not None else None
    return began is not None and sent is not None and began > sent + REBOOT_MARGIN_S


async def _boot(host: Host) -> str | None:
    with suppress(FileNotFoundError, PermissionError):
        text = (await host.read(BOOT_ID)).decode("ascii", "replace").strip()
        return text[:_LONGEST] or None
    return None


async def _began(host: Host) -> float | None:
    """Boot time of the host in epoch seconds of its clock."""
    with suppress(FileNotFoundError, PermissionError):
        for line in (await host.read(STAT)).splitlines():
            digits = line.removeprefix(_BEGAN)
            if digits != line and digits.isdigit() and len(digits) <= _DIGITS:
                return float(int(digits))
    return None


async def _starter(host: Host) -> Starter | None:
    """Parent of our commands: over SSH a command replaces its login shell."""
    completed = await host.run(OWN_STAT)
    if completed.outcome is Outcome.UNKNOWN:
        raise failure(completed, host.label)
    own = parse_stat(completed.stdout.decode("utf-8", "surrogateescape"))
    if own is None or own.number != own.session:
        return None  # a wrapper in between starts others by itself
    with suppress(FileNotFoundError, PermissionError):
        text = (await host.read(f"/proc/{own.parent}/stat")).decode("utf-8", "surrogateescape")
        parent = parse_stat(text)
        if parent is not None and parent.number == own.parent > 1:
            return Starter(parent.number, parent.start, parent.name)
    return None
