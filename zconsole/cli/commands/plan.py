"""`zconsole plan`: read a host, and print what an action would do there. Nothing is changed."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

from zconsole.actions.plan import Plan
from zconsole.base.config import Config
from zconsole.base.errors import HostError, ZConsoleError
from zconsole.cli.acting_host import acting_on
from zconsole.cli.requests import Prepare
from zconsole.reports.json.document import as_line
from zconsole.reports.json.plan import plan_document
from zconsole.reports.text.plan import plan_lines
from zconsole.storage.atomic_file import replacing

REFUSED: Final = 3
TIMEOUT_S: Final = 600.0  # a listing of a million snapshots takes minutes


def run_plan(asked: Prepare, config: Config) -> int:
    """Print the plan, and save it where it is to be; 3 when it is refused."""
    plan = asyncio.run(_prepare(asked, config))
    document = as_line(plan_document(plan))
    if asked.output is not None:
        _save(asked.output, document)
    if asked.is_json:
        print(document)
    else:
        saved = "" if asked.output is None else str(asked.output)
        for line in plan_lines(plan, saved, is_full=asked.is_full):
            print(line)
    return REFUSED if plan.is_refused else 0


async def _prepare(asked: Prepare, config: Config) -> Plan:
    timeout_s = asked.timeout_s or TIMEOUT_S
    try:
        async with (
            asyncio.timeout(timeout_s),
            acting_on(asked.where, config, asked.intent, unlocks=asked.unlocks) as acting,
        ):
            return await acting.operator.prepare(acting.host, asked.intent)
    except TimeoutError:
        raise HostError(
            f"the host gave no answer within {timeout_s:g} s",
            hint="A pool may be suspended or a disk may hang; --timeout waits longer.",
        ) from None


def _save(path: Path, document: str) -> None:
    if str(path) == os.devnull:
        return
    try:
        with replacing(path, is_synced=True) as file:
            file.write(f"{document}\n".encode("ascii"))
    except OSError as error:
        raise ZConsoleError(
            f"the plan cannot be saved in {path}: {error.strerror or error}",
            hint="Name another file with -o.",
        ) from error
