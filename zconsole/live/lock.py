"""One plan at a time on a host: a lock there that every zconsole takes, and that ends with the connection.

It keeps two consoles from checking at the same time and then both acting. It keeps nobody else from acting:
that is what the check is for. It lies where only those who may act can take it: in a folder of root's, taken
by the way that the steps become root; of a user who acts by what is delegated, in a folder of that user's.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from zconsole.actions.plan import SUDO_SECRET, Plan
from zconsole.base.errors import HostError, HostUnreachable, LinkLost
from zconsole.base.secret import Secret
from zconsole.base.text import visible
from zconsole.hosts.host import Command, Completed, Host, Outcome, Piped, Pipes, pipe
from zconsole.live.desk import Desk
from zconsole.live.facts import Reader
from zconsole.live.privilege import Privilege, as_root, was_refused_unasked
from zconsole.model.facts import Becoming

FOLDER: Final = "/run/zconsole"  # of root's, gone with each boot; others may see whether it is taken, no more
HELD: Final = b"held\n"
TAKEN_STATUS: Final = 75
_SCRIPT: Final = (  # on one line, and without quotes: sudoers has it as it is
    "test $0 = zconsole || exit 64; "  # sudo compares words joined by blanks: a part of this does nothing
    "umask 077; command -v flock >&2 || exit 69; for d; do mkdir $d; "
    "cd $d && test $(pwd -P) = $d && test -O . && chmod 711 . || continue; "  # no link, and nobody else's
    "exec 8<&0 9>>lock; if flock -n 9; then head -n 1 >by; "
    "(cat <&8 >/dev/null; kill $$) 9>&- & "  # when the console closes it, at once
    "while echo held; do sleep 1 9>&-; done; fi; "  # it dies of a pipe that is closed, when the link is lost
    f"date -r by +%s; head -c 2000 by; exit {TAKEN_STATUS}; done; exit 73"
)
TAKE_AS_ROOT: Final = ("sh", "-c", _SCRIPT, "zconsole", FOLDER)  # `zconsole sudoers` has a rule for it
LOCKS: Final = "/proc/locks"
STAT: Final = Command(("stat", "-c", "%d %i", f"{FOLDER}/lock"))
TIMEOUT_S: Final = 30.0  # sudo asks its own sources, on a host that may be busy
LET_GO_WITHIN_S: Final = 2.0
LONGEST_WORDS: Final = 300  # of who has it
MOST_BYTES: Final = 8192


class Busy(HostError):
    """Another zconsole carries out a plan on this host."""


def take_as_user(number: int) -> tuple[str, ...]:
    """The command for a user without root, by user id: the first folder that is theirs alone."""
    places = (f"/run/user/{number}/zconsole", f"/run/lock/zconsole-{number}", f"/tmp/zconsole-{number}")  # noqa: S108 - it checks whose it is
    return (*TAKE_AS_ROOT[:4], *places)


def holder_words(plan: Plan, desk: Desk) -> str:
    """Who takes it, for those who find it taken: user, machine, address, process, and what for."""
    return _cleaned(f"{desk.origin}, process {os.getpid()}: {plan.title}")


def lock_for(
    plan: Plan, reader: Reader, desk: Desk, secrets: Mapping[str, Secret]
) -> AbstractAsyncContextManager[bool]:
    """The lock for a plan, by the way that its steps become root; see `host_lock`."""
    return host_lock(reader.host, reader.privilege, holder_words(plan, desk), plan.becoming, secrets)


@asynccontextmanager
async def host_lock(
    host: Host,
    privilege: Privilege,
    words: str,
    becoming: Becoming = Becoming.ROOT,
    secrets: Mapping[str, Secret] | None = None,
) -> AsyncIterator[bool]:
    """Hold the lock, and tell whether no other console can act meanwhile. Raises Busy, and HostError.

    A host without flock has none; that of a user without root keeps out that user's other consoles only.
    """
    async with AsyncExitStack() as stack:
        is_held = False
        if isinstance(host, Pipes):
            stdin = words.encode("utf-8", "backslashreplace") + b"\n"
            for command in await _ways(privilege, stdin, becoming, (secrets or {}).get(SUDO_SECRET)):
                refused = await _take(host, stack, command)
                is_held = refused is None
                if refused is None or not was_refused_unasked(refused):
                    break
            if becoming is Becoming.PLAIN or not is_held:
                await _take_as_user(host, privilege, stack, stdin)
        yield is_held


async def _ways(
    privilege: Privilege, stdin: bytes, becoming: Becoming, password: Secret | None
) -> Sequence[Command]:
    """The command as root, by each way to try: the words of nobody's password ever stand in the lock."""
    command = Command(TAKE_AS_ROOT, timeout_s=TIMEOUT_S, stdin=stdin)
    if becoming is Becoming.PLAIN:
        return ()
    way = await privilege.way(TAKE_AS_ROOT)
    if way.becoming is Becoming.PLAIN:
        return ()
    if way.becoming is not Becoming.SUDO_PASSWORD:
        return (as_root(command, way.becoming),)
    asking = () if password is None else (as_root(command, Becoming.SUDO_PASSWORD, password),)
    return asking if way.is_sure else (as_root(command, Becoming.SUDO), *asking)


async def _take_as_user(host: Host, privilege: Privilege, stack: AsyncExitStack, stdin: bytes) -> None:
    """One console of this user at a time, and none while somebody acts as root. Raises Busy."""
    user = await privilege.user()
    if user.number == 0:
        return
    await _take(host, stack, Command(take_as_user(user.number), timeout_s=TIMEOUT_S, stdin=stdin))
    if await _is_taken_as_root(host):
        raise Busy(
            f"somebody is carrying out a plan on {host.label} as root",
            hint="Wait for it, then plan again.",
        )


async def _take(host: Host, stack: AsyncExitStack, command: Command) -> Completed | None:
    """Start what holds it, until the stack is left; its end where it does not. Raises Busy and HostError."""
    async with AsyncExitStack() as trying:
        try:
            running = await trying.enter_async_context(pipe(host, command))
        except (LinkLost, HostUnreachable):
            raise
        except HostError as failed:  # it did not start, or nothing can be fed there
            return Completed(command, Outcome.FAILED, None, b"", b"", failed.message)
        said = b""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                while not said.startswith(HELD) and len(said) < MOST_BYTES and (more := await running.read()):
                    said += more
        except TimeoutError:
            raise HostError(f"{host.label} did not give its lock within {TIMEOUT_S:g} s") from None
        if said.startswith(HELD):
            trying.push_async_callback(_let_go, running)
            stack.push_async_exit(trying.pop_all())
            return None
        completed = await running.ended()
        if completed.status == TAKEN_STATUS:
            raise Busy(
                f"another zconsole is carrying out a plan on {host.label}{_by(said)}",
                hint="Wait for it, then plan again.",
            )
        if completed.outcome is Outcome.UNKNOWN:
            raise HostError(f"{host.label} did not give its lock: {completed.reason}")
        return replace(completed, stdout=b"")


async def _let_go(running: Piped) -> None:
    """Give it back, and wait until it is: who comes next shall not find it taken."""
    running.finish()
    with suppress(TimeoutError, HostError):
        async with asyncio.timeout(LET_GO_WITHIN_S):
            await running.ended()


async def _is_taken_as_root(host: Host) -> bool:
    """Whether the kernel lists root's lock as held; it cannot be opened, and so not blocked, by others."""
    completed = await host.run(STAT)
    try:
        device, inode = map(int, completed.stdout.split())
        locks = (await host.read(LOCKS)).decode("ascii", "replace").split("\n")
    except (ValueError, OSError, HostError):
        return False
    place = f"{os.major(device):02x}:{os.minor(device):02x}:{inode}"
    return any({"FLOCK", place} <= set(line.split()) for line in locks)


def _by(said: bytes) -> str:
    """Who has it and since when, as they wrote it down."""
    first, _, rest = said.decode("utf-8", "replace").partition("\n")
    if not first.isdecimal() or len(first) > len("9999999999"):
        return ""
    since = datetime.fromtimestamp(int(first), UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    words = _cleaned(rest.partition("\n")[0])
    return f" since {since}" + (f": {words}" if words else "")


def _cleaned(words: str) -> str:
    return visible(words)[:LONGEST_WORDS]
