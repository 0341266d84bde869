"""Reading commands of one libvirt in one process of virsh.

virsh runs commands that are apart by semicolons, one after the other, over one connection, goes on behind one
that fails, and flushes what each has printed. Its exit status is that of the last one, its errors have no
names: a command that printed nothing while there are errors may have failed, and is to be asked by itself.
A word that nobody can guess, printed by virsh's own `echo`, tells where the answer of each ends.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command, Completed, Effect

MOST: Final = 128  # commands; definitions of as many guests are a MiB
_READ: Final = ("virsh", "-r", "-q", "-c")
_URI_AT: Final = len(_READ)
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./=:-]{1,200}")  # words that virsh's parser leaves as they are


def may_share_process(command: Command) -> bool:
    """Whether a command reads from a libvirt, and all of its words can be put into a line of virsh."""
    words = command.argv[_URI_AT + 1 :]
    is_plain = command.stdin is None and command.connection is None and not command.keeps_end
    return (
        command.argv[:_URI_AT] == _READ
        and command.effect is Effect.READ
        and is_plain
        and bool(words)
        and all(map(_PLAIN.fullmatch, words))
    )


def process_of(command: Command) -> tuple[object, ...]:
    """What commands of one process have in common: the libvirt, and how they are sent."""
    return (*command.argv[: _URI_AT + 1], command.timeout_s, command.is_urgent, command.shares_session)


@dataclass(frozen=True, slots=True)
class SharedProcess:
    """Several commands, which have the same `process_of`, as one; `mark` is a new word each time."""

    commands: tuple[Command, ...]
    mark: str

    @property
    def as_one(self) -> Command:
        """One virsh that runs them all."""
        first = self.commands[0]
        line = "; ".join(f"{' '.join(each.argv[_URI_AT + 1 :])}; echo {self.mark}" for each in self.commands)
        return replace(first, argv=(*first.argv[: _URI_AT + 1], line), is_several=True)

    def results(self, completed: Completed) -> tuple[Completed | None, ...]:
        """Results of the commands that certainly succeeded; None of one to be asked by itself.

        Where the process did not end: of those that ended before. Where virsh did nothing, each has failed.
        """
        answers = completed.stdout.split(self.mark.encode())[:-1]
        if not answers and completed.status:
            return tuple(replace(completed, command=each) for each in self.commands)
        has_errors = bool(completed.stderr.strip()) or completed.status is None
        took = completed.duration_s / len(self.commands)
        found: list[Completed | None] = [None] * len(self.commands)
        for at, (command, stdout) in enumerate(zip(self.commands, answers, strict=False)):
            if stdout or not has_errors:
                found[at] = ended(command, 0, stdout, b"", duration_s=took)
        return tuple(found)

    def count_ended(self, completed: Completed) -> int:
        """Number of commands that have ended, well or not."""
        return min(completed.stdout.count(self.mark.encode()), len(self.commands))
