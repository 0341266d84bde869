"""Reading commands on a host: one at a time per kind and pool, with errors as sentences."""

from __future__ import annotations

from dataclasses import replace

from zconsole.base.errors import CommandFailed, HostError, Stuck, ZfsMissing
from zconsole.base.quantities import grouped
from zconsole.collect.virsh_commands_of_one_moment import VirshSharing
from zconsole.hosts.build_command_results import NOT_RECORDED
from zconsole.hosts.host import Command, Completed, Host, Outcome, list_folder, runs_any_command
from zconsole.system.libvirt.several_commands_in_one_virsh import may_share_process

COMMAND_NOT_FOUND = 127
ZFS_TOOLS = frozenset({"zfs", "zpool"})
SAID_LINES = 12  # of what a tool printed, in a message; ZFS's own errors have fewer
SAID_CHARACTERS = 2000


class Asker:
    """Runs reading commands on a host, and remembers those that still hang."""

    def __init__(self, host: Host, *, timeout_s: float | None = None, is_urgent: bool = False) -> None:
        """`is_urgent`: a person waits for a plan or a run, which other readings must not hold up.

        Its commands of one moment run in one session, so that a plan takes as many sessions as rounds.
        """
        self.host = host
        self._timeout_s = timeout_s
        self._is_urgent = is_urgent
        self._under_way: dict[tuple[str, str], Command] = {}
        self._virsh = VirshSharing(host) if runs_any_command(host) else None

    @property
    def anew(self) -> Asker:
        """The asker of what has to be told as it is now, where others give what was told before."""
        return self

    @property
    def asks_virsh_at_once(self) -> bool:
        """Whether questions to one libvirt that are asked at the same moment cost one process."""
        return self._virsh is not None

    async def run(self, command: Command, *, kind: str, pool: str = "") -> Completed:
        """Run a command, unless one of its kind for this pool is still running (Stuck)."""
        if self._timeout_s is not None:
            command = replace(command, timeout_s=self._timeout_s)
        if self._is_urgent:
            command = replace(command, is_urgent=True, shares_session=True)
        key = (kind, pool)
        earlier = self._under_way.get(key)
        if earlier is not None and self.host.is_lingering(earlier):
            where = f" of {pool}" if pool else ""
            raise Stuck(
                f"{_name(earlier)}{where} on {self.host.label} hangs; no second one is sent",
                hint=f"{_cause(earlier)} causes this. It is still watched.",
            )
        self._under_way[key] = command
        if self._virsh is not None and may_share_process(command):
            completed, sent = await self._virsh.run(command)
        else:
            completed, sent = await self.host.run(command), command
        if self.host.is_lingering(sent):
            self._under_way[key] = sent  # another of its kind, begun at the same time, may have ended
        elif self._under_way.get(key) is command:
            del self._under_way[key]
        return completed

    async def read_file(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        """Contents of a file of the host; see `Host.read`."""
        return await self.host.read(path, max_bytes=max_bytes)

    async def list_folder(self, path: str) -> tuple[str, ...]:
        """Names in a folder of the host, without a process; see `ListsFolders`."""
        return await list_folder(self.host, path)

    async def ask(self, command: Command, *, kind: str, pool: str = "") -> bytes:
        """Stdout of a command that ended with status 0; otherwise raises HostError."""
        completed = await self.run(command, kind=kind, pool=pool)
        if completed.is_done:
            return completed.stdout
        raise failure(completed, self.host.label)


def failure(completed: Completed, host: str) -> HostError:
    """Error of a command without an answer, with the tool's own output."""
    name = _name(completed.command)
    said = _bounded(completed.said)
    if completed.outcome is Outcome.UNKNOWN:
        said = _bounded(completed.stderr.decode("utf-8", "replace").strip())
        return CommandFailed(f"{name} on {host} gave no answer: {completed.reason}", said=said)
    is_missing = completed.status == COMMAND_NOT_FOUND and completed.command.argv[0] in ZFS_TOOLS
    if is_missing and completed.reason == NOT_RECORDED:  # as without ZFS: there is no answer to wait for
        return ZfsMissing(f"the recording of {host} has no answer to {name}")
    if is_missing:
        return ZfsMissing(
            f"{completed.command.argv[0]} is not installed on {host}",
            hint="Install OpenZFS there, name another host (zconsole HOST), or try zconsole --demo.",
        )
    if completed.reason:
        return CommandFailed(f"{name} was not started on {host}", said=said or completed.reason)
    return CommandFailed(
        f"{name} on {host} failed (exit {completed.status})", said=said, status=completed.status
    )


def _name(command: Command) -> str:
    """Program and subcommand, which of virsh comes after the options and their words."""
    program, *words = command.argv
    if program == "virsh":
        words = [word for word in words if not word.startswith("-") and "://" not in word]
    return " ".join((program, *words[:1]))


def _cause(hangs: Command) -> str:
    return (
        "A libvirtd that does not answer"
        if hangs.argv[0] == "virsh"
        else "A suspended pool or a disk that does not answer"
    )


def _bounded(said: str) -> str:
    """The beginning of a tool's output, with the size of the rest."""
    shown = "\n".join(said[:SAID_CHARACTERS].split("\n", SAID_LINES)[:SAID_LINES])
    return (
        said
        if len(shown) == len(said)
        else f"{shown}\n... and {grouped(len(said) - len(shown))} characters more"
    )


def on_one_line(said: str) -> str:
    """What a tool said, its lines apart by dots."""
    return " · ".join(line for each in said.split("\n") if (line := each.strip()))


def in_words(error: Exception) -> str:
    """One line for a panel: our sentence, then the tool's output, its lines apart by dots."""
    said = on_one_line(getattr(error, "said", ""))
    message = getattr(error, "message", str(error) or type(error).__name__)
    return f"{message}: {said}" if said else str(message)
