"""A host with a virsh that takes several commands in one line, and answers each from a script."""

from __future__ import annotations

from tests.doubles.scripted_host import HANG, ScriptedHost
from zconsole.hosts.build_command_results import ended, unknown
from zconsole.hosts.host import Command, Completed

URI = "qemu:///system"
READ = ("virsh", "-r", "-q", "-c", URI)
ERROR = b"error: failed to get domain\n"


def asked(*words: str) -> Command:
    """A reading command of virsh."""
    return Command((*READ, *words))


class VirshHost(ScriptedHost):
    """`domains` has the answers by the words of a command: bytes, None for an error, or HANG."""

    runs_any_command = True

    def __init__(self) -> None:
        super().__init__()
        self.domains: dict[str, bytes | object | None] = {}

    async def run(self, command: Command) -> Completed:
        if command.argv[: len(READ)] != READ:
            return await super().run(command)
        *_, line = command.argv
        self.commands.append(" ".join(command.argv))
        is_line = len(command.argv) == len(READ) + 1
        printed, errors, status = b"", b"", 0
        for words in line.split("; ") if is_line else [" ".join(command.argv[len(READ) :])]:
            if words.startswith("echo "):
                printed, status = printed + words.removeprefix("echo ").encode(), 0
                continue
            answer = self.domains[words]
            if answer is HANG:
                self.lingering.add(command)
                return unknown(command, "no answer within 10 s", printed, errors)
            status = 1 if answer is None else 0
            printed, errors = printed + (answer or b""), errors + (ERROR if answer is None else b"")  # type: ignore[operator]
        if len(printed) > command.max_bytes:
            return unknown(command, "it printed more", printed[: command.max_bytes], errors)
        return ended(command, status, printed, errors)
