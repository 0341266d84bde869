"""Host lock: one plan at a time per host, for all zconsoles; it ends with the connection.

It prevents two consoles from checking and acting concurrently. It does not exclude others: the checks detect
those. It is in a folder of root, taken with the privileges of the steps, or in a folder of the user for a
user who acts by delegation.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from zconsole.actions.plan import SUDO_SECRET, Plan
from zconsole.base.bounded_int import natural
from zconsole.base.errors import HostError, HostUnreachable, LinkLost
from zconsole.base.escape_control_characters import visible
from zconsole.base.secret import Secret
from zconsole.collect.holder_of_host_lock import FOLDER, LONGEST_WORDS, is_taken_as_root
from zconsole.collect.privilege import Privilege, as_root, asks_for_password, was_refused_unasked
from zconsole.execution.run_context import RunContext
from zconsole.hosts.host import Command, Completed, Host, Outcome, PassesNoStreams, Piped, Pipes, pipe
from zconsole.model.host.plan_facts import PrivilegeMode

HELD: Final = b"held\n"
TAKEN_STATUS: Final = 75
NO_FLOCK_STATUS: Final = 69
UNUSABLE_STATUS: Final = 73
SUDO_REFUSED_STATUS: Final = 1  # with which the script never ends
LACKING: Final = frozenset({NO_FLOCK_STATUS, 127})  # no flock, or no shell, as on other systems
_SCRIPT: Final = (  # one line without quotes, because sudoers contains it literally
    "test $0 = zconsole || exit 64; "  # sudo compares words joined by blanks: a part of this does nothing
    f"umask 077; command -v flock >/dev/null || exit {NO_FLOCK_STATUS}; for d; do test -d $d || mkdir $d; "
    "cd $d && test $(pwd -P) = $d && test -O . && chmod 711 . || continue; "  # no link, and owned by us
    # unlike a redirection it does not wait for a FIFO's reader
    "if test -h lock; then continue; fi; touch lock && "
    "test -f lock && test -O lock && chmod 600 lock || continue; "
    "exec 8<&0 9>>lock; if flock -n 9; then rm -f by && head -n 1 >by; "
    "(cat <&8 >/dev/null; kill $$) 9>&- & "  # ends at once when the console closes it
    "while echo held; do sleep 1 9>&-; done; fi; "  # ended by SIGPIPE when the link is lost
    f"test -f by && date -r by +%s && head -c 2000 by; exit {TAKEN_STATUS}; done; "
    f"for d; do stat -c %u/%F/%n $d $d/lock; done 2>/dev/null; exit {UNUSABLE_STATUS}"  # reports the obstacle
)
TAKE_AS_ROOT: Final = ("sh", "-c", _SCRIPT, "zconsole", FOLDER)  # `zconsole sudoers` has a rule for it
TIMEOUT_S: Final = 30.0  # sudo may query slow sources on a busy host
LET_GO_WITHIN_S: Final = 2.0
NO_FOLDER: Final = "the folder of the lock"
MOST_BYTES: Final = 8192


class HostBusy(HostError):
    """Another zconsole is executing a plan on this host."""


def take_as_user(number: int) -> tuple[str, ...]:
    """The command for a user without root, by uid: the first folder owned by that user."""
    places = (f"/run/user/{number}/zconsole", f"/run/lock/zconsole-{number}", f"/tmp/zconsole-{number}")  # noqa: S108 - it checks whose it is
    return (*TAKE_AS_ROOT[:4], *places)


def holder_words(plan: Plan, context: RunContext) -> str:
    """Description of the holder: user, machine, address, process, plan."""
    return _cleaned(f"{context.origin}, process {os.getpid()}: {plan.title}")


@asynccontextmanager
async def host_lock(
    host: Host,
    privilege: Privilege,
    words: str,
    privilege_mode: PrivilegeMode = PrivilegeMode.ROOT,
    secrets: Mapping[str, Secret] | None = None,
) -> AsyncIterator[bool]:
    """Hold the lock; the value says whether it excludes all other consoles.

    A host without flock has no lock; that of a user without root excludes only the same user's consoles.
    Raises HostBusy, and HostError when the lock cannot be taken despite flock: then nothing runs.
    """
    async with AsyncExitStack() as stack:
        is_held = False
        if isinstance(host, Pipes):
            stdin = words.encode("utf-8", "backslashreplace") + b"\n"
            for command in await _ways(privilege, stdin, privilege_mode, (secrets or {}).get(SUDO_SECRET)):
                if asks_for_password(command):
                    await _try_password(host, command)
                refused = await _take(host, stack, command, owner=0)
                is_held = refused is None
                if refused is None or not was_refused_unasked(refused):
                    break
            if privilege_mode is PrivilegeMode.PLAIN or not is_held:
                await _take_as_user(host, privilege, stack, stdin)
        yield is_held


async def _ways(
    privilege: Privilege, stdin: bytes, privilege_mode: PrivilegeMode, password: Secret | None
) -> Sequence[Command]:
    """The command as root in each possible way; the lock file never contains a password."""
    command = Command(TAKE_AS_ROOT, timeout_s=TIMEOUT_S, stdin=stdin)
    if privilege_mode is PrivilegeMode.PLAIN:
        return ()
    way = await privilege.way(TAKE_AS_ROOT)
    if way.privilege_mode is PrivilegeMode.PLAIN:
        return ()
    if way.privilege_mode is not PrivilegeMode.SUDO_PASSWORD:
        return (as_root(command, way.privilege_mode),)
    asking = () if password is None else (as_root(command, PrivilegeMode.SUDO_PASSWORD, password),)
    return asking if way.is_sure else (as_root(command, PrivilegeMode.SUDO), *asking)


async def _try_password(host: Host, command: Command) -> None:
    """Run the holder with nothing behind the password. Raises HostError where sudo refuses it.

    The holder itself keeps stdin open: there sudo would wait for another password, and take the words about
    the holder for one.
    """
    alone, _, _ = (command.stdin or b"").partition(b"\n")
    tried = await host.run(replace(command, stdin=alone + b"\n"))
    if tried.outcome is Outcome.FAILED and tried.status == SUDO_REFUSED_STATUS and not tried.stdout:
        why = visible(" ".join(tried.said.split()))[:LONGEST_WORDS]
        raise HostError(f"sudo on {host.label} did not take the password: {why or 'it does not say why'}")


async def _take_as_user(host: Host, privilege: Privilege, stack: AsyncExitStack, stdin: bytes) -> None:
    """One console of this user at a time, and none while root acts. Raises HostBusy."""
    user = await privilege.user()
    if user.number == 0:
        return
    command = Command(take_as_user(user.number), timeout_s=TIMEOUT_S, stdin=stdin)
    await _take(host, stack, command, owner=user.number)
    if await is_taken_as_root(host):
        raise HostBusy(
            f"somebody is carrying out a plan on {host.label} as root",
            hint="Wait for it, then plan again.",
        )


async def _take(host: Host, stack: AsyncExitStack, command: Command, *, owner: int) -> Completed | None:
    """Start the holder, until the stack is left. Raises HostBusy and HostError.

    Returns its result when it does not hold: no flock, no stdin, or sudo requires a password. `owner` is the
    expected owner of the folder.
    """
    async with AsyncExitStack() as trying:
        try:
            running = await trying.enter_async_context(pipe(host, command))
        except (LinkLost, HostUnreachable):
            raise
        except PassesNoStreams as never:
            return Completed(command, Outcome.FAILED, None, b"", b"", never.message)
        except HostError as failed:
            raise HostError(f"{host.label} did not give its lock: {failed.message}") from failed
        said = b""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                while not said.startswith(HELD) and len(said) < MOST_BYTES and (more := await running.read()):
                    said += more
        except TimeoutError:
            heard = visible(running.words().decode("utf-8", "replace").strip())[:LONGEST_WORDS]
            told = f": {heard}" if heard else ""
            raise HostError(f"{host.label} did not give its lock within {TIMEOUT_S:g} s{told}") from None
        if said.startswith(HELD):
            trying.push_async_callback(_let_go, running)
            stack.push_async_exit(trying.pop_all())
            return None
        completed = replace(await running.ended(), stdout=b"")
        if completed.status in LACKING or was_refused_unasked(completed):
            return completed
        raise _not_taken(host, completed, said, owner)


def _not_taken(host: Host, completed: Completed, said: bytes, owner: int) -> HostError:
    """Why the lock was not taken although flock exists."""
    if completed.status == TAKEN_STATUS:
        return HostBusy(
            f"another zconsole is carrying out a plan on {host.label}{_by(said)}",
            hint="Wait for it, then plan again.",
        )
    if completed.status == UNUSABLE_STATUS:
        places = [word for word in completed.command.argv if word.startswith("/")]
        stands = _in_the_way(places, said, owner)
        failed = [_cleaned(line) for line in completed.said.splitlines() if line.strip()]
        what = "find out who made it, and remove it" if stands else "mend that"
        return HostError(
            f"no lock can be taken on {host.label}, and no plan is run without: "
            f"{'; '.join(stands or failed or [f'{places[0] if places else NO_FOLDER} cannot be used'])}: "
            f"{what} there, and plan again"
        )
    why = visible(completed.said) or completed.reason or f"exit {completed.status}"
    return HostError(f"{host.label} did not give its lock: {why[:LONGEST_WORDS]}")


def _in_the_way(places: Sequence[str], stood: bytes, owner: int) -> list[str]:
    """Obstacles per folder, from `stat` of it and its lock."""
    found: dict[str, tuple[str, str]] = {}
    for line in stood.decode("utf-8", "replace").splitlines():
        number, _, rest = line.partition("/")
        kind, _, path = rest.partition("/")
        found[path] = (kind, number)
    told: list[str] = []
    for place in places:
        for path, wanted in ((place, "directory"), (f"{place}/lock", "file")):
            kind, number = found.get(path, (wanted, str(owner)))
            if not kind.endswith(wanted):
                told.append(_cleaned(f"{path} is a {kind}"))
            elif number != str(owner):
                told.append(_cleaned(f"{path} belongs to user {number}, not to {owner or 'root'}"))
    return told


async def _let_go(running: Piped) -> None:
    """Release the lock and wait for it, so that the next console finds it free."""
    running.finish()
    with suppress(TimeoutError, HostError):
        async with asyncio.timeout(LET_GO_WITHIN_S):
            await running.ended()


def _by(said: bytes) -> str:
    """Holder and time, as recorded by the holder."""
    first, _, rest = said.decode("utf-8", "replace").partition("\n")
    taken = natural(first, len("9999999999"))
    if taken is None:
        return ""
    since = datetime.fromtimestamp(taken, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    words = _cleaned(rest.partition("\n")[0])
    return f" since {since}" + (f": {words}" if words else "")


def _cleaned(words: str) -> str:
    return visible(words)[:LONGEST_WORDS]
