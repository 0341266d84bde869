"""Runs in a guest, on the storage host itself: each action by libzfs_core's child, and by the command.

libzfs_core_driver.py ROOT...    acts below each ROOT, `POOL/WAY`, and prints what came of it as JSON
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S
from zconsole.base.clock import SystemClock
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.build_command_results import never_started, unknown
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.hosts.local.local_host import LocalHost
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

COMMAND, UNSEEN = "command", "unseen"
RECURSIVE: Final[Mapping[str, OptionValue]] = {"recursive": True}
ACTIONS: Final[tuple[tuple[str, list[str], Mapping[str, OptionValue]], ...]] = (
    ("snapshot", ["{}/s@many", "{}/s/a@many", "{}/v@many"], {}),
    ("snapshot", ["{}/s@tree"], RECURSIVE),
    ("hold", ["{}/s@tree", "a tag"], RECURSIVE),
    ("hold", ["{}/s@many", "ä"], {}),
    ("release", ["{}/s@tree", "a tag"], RECURSIVE),
    ("destroy", ["{}/d@2%4"], {}),
    ("destroy", ["{}/s@old"], RECURSIVE),
    ("destroy", ["{}/d@6", "{}/s/a@many"], {}),
    ("rollback", ["{}/r@2"], {}),
    ("rollback", ["{}/d@1"], RECURSIVE),
    ("rollback", ["{}/v@many"], {}),
)


OF_UNSEEN: Final = ("{}/s@tree", "{}/d@2%4", "{}/r@2", "{}/d@1")


class Way(LocalHost):
    """This machine without channel programs. `unseen`: the child does it, and its end is never seen."""

    def __init__(self, way: str) -> None:
        super().__init__()
        self.way = way
        self.ran: list[tuple[str, ...]] = []

    @property
    def is_here(self) -> bool:
        return self.way != COMMAND

    async def run(self, command: Command) -> Completed:
        argv = list(command.argv)
        if "program" in argv[:5]:
            return never_started(command, "no channel programs this time")
        completed = await super().run(command)
        if command.effect is Effect.CHANGE:
            self.ran.append(command.argv)
            if self.way == UNSEEN:
                return unknown(command, "its end was not seen")
        return completed


async def act(root: str) -> dict[str, object]:
    """Do it all below one root; the way is its last part."""
    host = Way(root.rpartition("/")[2])
    clock = SystemClock()
    operator = Operator(
        [host], clock=clock, policies=Policies(clock=clock), journal=Journal(Path("/run/core-journal.sqlite"))
    )
    runs = []
    for action, words, options in ACTIONS:
        if host.way == UNSEEN and words[0] not in OF_UNSEEN:
            continue
        wanted = intent(action, *(word.format(root) for word in words), options=options)
        plan = await operator.prepare(host.label, wanted)
        run = await operator.execute(host.label, plan, plan.confirm or "", lasts_s=SAVED_PLAN_LASTS_S)
        runs.append({
            "action": f"{action} {' '.join(words)}",
            "refusals": [each.reason for each in plan.refusals],
            "destroys": [name.replace(root, "{}") for name in plan.destroys],
            "frees": plan.frees_bytes,
            "rehearsed": [each.said for each in plan.rehearsals],
            "steps": [(*step.argv, step.stdin is not None) for step in plan.steps],
            "state": run.state.value,
            "words": run.words,
            "differences": run.differences,
        })  # fmt: skip
    ran = [" ".join(argv) for argv in host.ran]
    return {"runs": runs, "ran": ran, "left": left(root)}


def left(root: str) -> dict[str, list[str]]:
    """What there is below it, what holds it, and what is in it."""
    names = said("zfs", "list", "-Hr", "-t", "all", "-o", "name,type,origin,userrefs", root)
    snapshots = said("zfs", "list", "-Hr", "-t", "snapshot", "-o", "name", root)
    tags = [line.split("\t")[:2] for line in said("zfs", "holds", "-H", *snapshots)] if snapshots else []
    files = [each for each in sorted(Path(f"/{root}").rglob("*")) if each.is_file()]
    return {
        "datasets": [line.replace(root, "{}") for line in names],
        "holds": sorted("\t".join(each).replace(root, "{}") for each in tags),
        "files": [line.replace(root, "{}") for line in said("cksum", *map(str, files))] if files else [],
    }


def said(*argv: str) -> list[str]:
    """The lines of a command that must go well."""
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.splitlines()


async def main() -> None:
    """Below each root after the other."""
    print(json.dumps({root: await act(root) for root in sys.argv[1:]}))


asyncio.run(main())
