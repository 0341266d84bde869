"""One invocation of a `zfs` subcommand: options, output, exit status, pool history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zconsole.practice.getopt import BadOption, Options, getopt
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs.usage_messages import usage

USAGE_STATUS = 2


class RunningSubcommand:
    """A subcommand at work."""

    def __init__(
        self,
        world: World,
        command: str,
        args: Sequence[str],
        short: str,
        longs: Mapping[str, str] | None = None,
    ) -> None:
        self.world = world
        self.command = command
        self.status = 0
        self._typed = " ".join(("zfs", command, *args))
        self._said = self._complained = ""
        self._pool: PracticePool | None = None
        self.options = self._read(args, short, longs or {})

    def _read(self, args: Sequence[str], short: str, longs: Mapping[str, str]) -> Options:
        try:
            return getopt(args, short, longs)
        except BadOption as error:
            raise self.misused(error.words) from error

    @property
    def operands(self) -> list[str]:
        """The operands of the command line."""
        return self.options.operands

    def has(self, *letters: str) -> bool:
        """Whether one of these options was given."""
        return any(letter in self.options for letter in letters)

    def say(self, text: str) -> None:
        """Print a line."""
        self._said += text + "\n"

    def complain(self, text: str, status: int = 1) -> None:
        """Print a line to stderr; the command goes on, and fails in the end."""
        self._complained += text + "\n"
        self.status = status

    def has_failed(self) -> bool:
        """Whether something was complained of already."""
        return self.status != 0

    def failed(self, text: str = "", status: int = 1) -> Refusal:
        """The end of the command here and now, to be raised."""
        refusal = Refusal(text, status)
        refusal.reply = Reply(self._said, self._complained + (f"{text}\n" if text else ""), status)
        return refusal

    def misused(self, text: str = "") -> Refusal:
        """The end of the command with its usage, to be raised."""
        return self.failed(
            (f"{text}\n" if text else "") + usage(self.command).removesuffix("\n"), USAGE_STATUS
        )

    def exactly(self, *missing: str) -> list[str]:
        """The operands, when there are as many as there are names for missing ones; a usage error else."""
        for index, text in enumerate(missing):
            if len(self.operands) <= index:
                raise self.misused(text)
        if len(self.operands) > len(missing):
            raise self.misused("too many arguments")
        return self.operands

    def changed(self, pool: PracticePool) -> None:
        """Remember the pool that was changed: its history gets the command line when the command succeeds."""
        self._pool = self._pool or pool

    def reply(self) -> Reply:
        """The reply; a command that succeeded is added to the pool's history."""
        if self.status == 0 and self._pool is not None:
            self.world.note(self._pool, self._typed)
        return Reply(self._said, self._complained, self.status)
