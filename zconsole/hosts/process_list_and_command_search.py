"""Process list of a host, and the search for a command whose end was not seen.

A sent command is at any time one of these: a request not yet read by the process that serves the connection
(`Starter`), a child of that process, a login shell with the whole command line as its argument, or the
program itself, possibly under sudo. When none of them is listed, the command cannot run any more. After a
reboot none of the old processes exists.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.hosts.ssh.shell_quoting_and_output_marker import quote

LIST: Final = "exec grep -azsH '' /proc/[0-9]*/stat /proc/[0-9]*/cmdline"
LIST_PROCESSES: Final = Command(("sh", "-c", LIST))  # records end with NUL, so that arguments stay separate
OWN_STAT: Final = Command(("cat", "/proc/self/stat"))
BOOT_ID: Final = "/proc/sys/kernel/random/boot_id"
STAT: Final = "/proc/stat"
INIT: Final = 1
_PROC: Final = b"/proc/"
_MOST_DIGITS: Final = 20  # of a 64-bit number
_STATE, _PARENT, _SESSION, _START = 0, 1, 3, 19  # indexes of the fields after the program name
_DEAD: Final = frozenset({"Z", "X"})
_LISTENS: Final = "[listener]"  # in the title of the sshd that accepts connections
_REAPERS: Final = frozenset({"systemd", "init"})  # adopt orphaned processes


@dataclass(frozen=True, slots=True)
class Process:
    """Process; `start` in clock ticks since boot."""

    number: int
    name: str
    parent: int
    session: int
    start: int
    argv: tuple[str, ...] = ()
    is_dead: bool = False  # a zombie


@dataclass(frozen=True, slots=True)
class Starter:
    """Process that starts the commands of one connection: its sshd, or this program."""

    number: int
    start: int
    name: str


class StillRunning(Enum):
    """Whether a command can still run."""

    RUNS = "runs"
    MAY_START = "may start"
    UNSEEN = "unseen"  # the host does not show it
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Presence:
    """Remains of a command on its host, in words."""

    chance: StillRunning
    words: str


def parse_stat(text: str) -> Process | None:
    """Parse /proc/PID/stat; None for text of another format."""
    number, _, rest = text.partition(" (")
    name, ends, behind = rest.rpartition(") ")
    fields = behind.split()
    if not ends or len(fields) <= _START:
        return None
    numbers = [number, fields[_PARENT], fields[_SESSION], fields[_START]]
    if not all(each.isascii() and each.isdigit() and len(each) <= _MOST_DIGITS for each in numbers):
        return None
    own, parent, session, start = map(int, numbers)
    return Process(own, name, parent, session, start, is_dead=fields[_STATE] in _DEAD)


def parse_processes(stdout: bytes) -> tuple[Process, ...]:
    """Parse the output of `LIST_PROCESSES`; processes that ended during the listing are left out."""
    known: dict[bytes, Process] = {}
    words: dict[bytes, list[str]] = {}
    for record in stdout.split(b"\0"):
        path, colon, content = record.partition(b":")
        number, _, kind = path.removeprefix(_PROC).partition(b"/")
        if not colon or not path.startswith(_PROC):
            continue
        text = content.decode("utf-8", "surrogateescape")
        if kind == b"cmdline":
            words.setdefault(number, []).append(text)
        elif kind == b"stat" and (found := parse_stat(text)) is not None:
            known[number] = found
    return tuple(replace(each, argv=tuple(words.get(key, ()))) for key, each in known.items())


def is_of(process: Process, argv: Sequence[str]) -> bool:
    """Whether a process is this command, or a shell, env or sudo that will execute it.

    Compares whole words: `mount data` does not match `mount data2`.
    """
    if process.is_dead:
        return False
    behind = tuple(process.argv[-len(argv) :])
    if len(behind) == len(argv) and behind[1:] == tuple(argv[1:]) and _base(behind[0]) == _base(argv[0]):
        return True
    typed, quoted = " ".join(argv), " ".join(map(quote, argv))
    return any(
        word in {typed, quoted} or word.endswith((f" {typed}", f" {quoted}")) for word in process.argv[1:]
    )


def presence(
    processes: Sequence[Process], argv: Sequence[str], starter: Starter | None, session: int | None
) -> Presence:
    """Find the remains of a command among all processes of its host, which was not rebooted since.

    `starter` was to start it; `session` is the session of its processes. None when unknown.
    """
    running = next((each for each in processes if is_of(each, argv)), None)
    if running is not None:
        return Presence(
            StillRunning.RUNS, f"{' '.join(argv)} is still running there, as process {running.number}"
        )
    if not any(each.number == INIT for each in processes):
        return Presence(StillRunning.UNSEEN, "whether it is still running there is unknown")
    if session is not None:
        left = next((each for each in processes if each.session == session and not each.is_dead), None)
        if left is not None:
            return Presence(
                StillRunning.RUNS, f"its process {left.number} ({left.name}) is still running there"
            )
        return Presence(StillRunning.GONE, "none of its processes is left")
    if starter is None:
        return Presence(StillRunning.UNSEEN, "whether it may still start there is unknown")
    serving = next((each for each in processes if _is(each, starter)), None)
    if serving is not None:
        return Presence(
            StillRunning.MAY_START,
            f"process {serving.number} ({serving.name}) there, which received it, may still start it",
        )
    orphan = next((each for each in _orphans(processes, starter)), None)
    if orphan is not None:
        return Presence(
            StillRunning.MAY_START, f"process {orphan.number} ({orphan.name}) there may still become it"
        )
    return Presence(StillRunning.GONE, "the connection that carried it has ended there, with its processes")


def _is(process: Process, starter: Starter) -> bool:
    return (process.number, process.start) == (starter.number, starter.start) and not process.is_dead


def _orphans(processes: Sequence[Process], starter: Starter) -> Iterable[Process]:
    """Orphaned children of a server that are not yet a login shell."""
    names = {each.number: each.name for each in processes}
    for each in processes:
        is_left = each.parent == INIT or names.get(each.parent, "init") in _REAPERS
        is_like = each.name == starter.name and each.number == each.session and each.start >= starter.start
        if is_left and is_like and not each.is_dead and not _is_listener(each):
            yield each


def _is_listener(process: Process) -> bool:
    return any(_LISTENS in word for word in process.argv) or "".join(process.argv[:1]).startswith("/")


def _base(program: str) -> str:
    return program.rpartition("/")[2]
