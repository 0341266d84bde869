"""The real program on a host whose changes are processes of this machine, to be left while one runs.

`python -m tests.scenarios.faults.left_console FOLDER`: the practice host answers what is asked; what changes
it is a shell that makes FOLDER/begun, waits for FOLDER/go, prints, and makes FOLDER/done. While there is
FOLDER/mute the host answers nothing. The journal is in FOLDER.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Final

from tests.scenarios.moving_world.notes import JOURNAL
from zconsole import practice
from zconsole.cli import run as run_zconsole
from zconsole.cli.collecting import engine_of_hosts
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.hosts.local.local_host import LocalHost
from zconsole.storage.journal import Journal

SCRIPT: Final = (
    "cd {0}; touch begun; until test -e go; do sleep 0.02; done; echo said; echo told >&2; touch done"
)


class StandIn(practice.PracticeHost):
    """Its changes are run here."""

    folder: Path

    async def run(self, command: Command) -> Completed:
        while (self.folder / "mute").exists():  # noqa: ASYNC110 - another program removes it
            await asyncio.sleep(0.02)
        if command.effect is Effect.READ:
            return await super().run(command)
        script = SCRIPT.format(self.folder)
        return await LocalHost().run(Command(("sh", "-c", script), Effect.CHANGE, timeout_s=600))


def main(folder: Path) -> int:
    """Run the console until it is left."""
    StandIn.folder = folder
    vars(practice)["PracticeHost"] = StandIn
    vars(engine_of_hosts)["journal_in_memory"] = lambda: Journal(folder / JOURNAL)
    return run_zconsole(["--demo"])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
