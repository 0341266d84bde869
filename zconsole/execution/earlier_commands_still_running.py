"""Commands of earlier runs that still run: no plan may rest on what they change.

The host lock ends with its connection; commands sent over it continue.
"""

from __future__ import annotations

from typing import Final

from zconsole.actions.plan import Plan
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.outcomes.recover_runs import IN_DOUBT, of_this_machine, pool_of_entry
from zconsole.execution.outcomes.trace_for_finding_sent_command import from_json, read_presence
from zconsole.execution.run_context import RunContext
from zconsole.hosts.process_list_and_command_search import StillRunning

REVIVES: Final = frozenset({"clear"})  # commands that resume a suspended pool, on which other commands wait
STREAMS: Final = frozenset({"receive", "resume-receive", "syncoid"})  # others may act beside them


async def still_under_way(reader: Reader, context: RunContext, plan: Plan, run: str) -> str:
    """What an earlier run still does to the plan's pool, in words; "" for nothing.

    `run` is the plan's own and does not count. A command that might only start later does not count, because
    dead connections may persist for hours. Raises JournalError and HostError.
    """
    if plan.intent.action in REVIVES:
        return ""
    left = [
        entry
        for entry in await context.write(context.journal.unsettled)
        if not entry.problem
        and entry.id not in {run, *context.stops}
        and entry.action not in STREAMS
        and pool_of_entry(entry) == plan.intent.pool
    ]
    for entry in await of_this_machine(reader, left):
        for step in entry.steps:
            if step.state not in IN_DOUBT:
                continue
            trace = from_json(step.trace)
            found = await read_presence(reader.at(trace.host).asker, step.argv, trace, None, None)
            if found.chance is StillRunning.RUNS:
                return f"of an earlier run ({entry.title}) {found.words}: wait for its end, then plan again"
    return ""
