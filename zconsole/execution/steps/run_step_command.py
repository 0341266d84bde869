"""One command of a step, run to its end: alone, fed by a sender, or followed line by line."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zconsole.actions.plan import Step
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.secret import Secret
from zconsole.execution.command_pipe import Watch
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.follow_command_output import follow
from zconsole.execution.send_receive_pipeline import Feeding
from zconsole.hosts.host import Command, Completed


@dataclass(frozen=True, slots=True)
class StepCommand:
    """How the command of a step is run on the reader's host; `told` receives what a followed one prints."""

    reader: Reader
    step: Step
    secrets: Mapping[str, Secret]
    watch: Watch
    told: Callable[[str], None]

    async def run(self, command: Command) -> Completed:
        """Its result. Raises HostError."""
        if self.step.sender is not None:
            return await Feeding(self.reader, self.step.sender, self.secrets, self.watch).run(command)
        if self.step.is_followed:
            return await follow(self.reader.host, command, self.told, self.watch)
        return await self.reader.host.run(command)


def all_said(completed: Completed) -> str:
    """All output, for display."""
    parts = (part.decode("utf-8", "replace").strip("\n") for part in (completed.stdout, completed.stderr))
    return "\n".join(part for part in parts if part) or completed.reason
