"""`zconsole capacity what-if`: read one pool, and say what a change would bring. Nothing is changed."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from zconsole.analysis.planner import migration, tuning, whatif
from zconsole.analysis.planner.drives import Drive
from zconsole.analysis.planner.layout import Layout
from zconsole.analysis.planner.migration import Migration
from zconsole.analysis.planner.today import Today, today
from zconsole.analysis.planner.tuning import Tuned
from zconsole.analysis.planner.whatif import WhatIf
from zconsole.base.config import Config
from zconsole.base.errors import HostError, UsageError, ZConsoleError
from zconsole.base.sizes import block_size, both
from zconsole.base.text import visible
from zconsole.cli.invocation import CapacityWhatIf
from zconsole.cli.places import TIMEOUT_S, Place, ask_each, open_places
from zconsole.live.gather import gather
from zconsole.model.host_state import HostState
from zconsole.model.pool import Pool
from zconsole.reports.capacity_whatif import outcome_document, outcome_lines, outcome_of
from zconsole.reports.document import as_line


def run_what_if(asked: CapacityWhatIf, config: Config) -> int:
    """Print what it comes to. Raises a ZConsoleError where the host or the pool cannot be read."""

    async def ask(place: Place) -> HostState:
        return await gather(place.host, place.clock, pools=(asked.pool,))

    places = open_places(asked.where, config, within_s=TIMEOUT_S)
    if len(places) != 1:
        raise UsageError("what-if is of one host", hint="Give --host once.")
    (answer,) = asyncio.run(ask_each(places, ask, TIMEOUT_S))
    if isinstance(answer, ZConsoleError):
        raise answer
    now = today(_pool(answer, asked.pool))
    outcome = outcome_of(now, " ".join((asked.change, *asked.words)), result_of(asked, now))
    if asked.change == "dedup":
        used = now.pool.usable_used_bytes or 0
        table = tuning.dedup_table_bytes(used, asked.block_bytes, *asked.numbers)
        size = block_size(asked.block_bytes)
        note = f"its table takes about {both(table)} of memory, for blocks of {size}; fast dedup (2.3) less"
        outcome = replace(outcome, notes=(*outcome.notes, note))
    if asked.is_json:
        print(as_line(outcome_document(answer.host, now, outcome)))
    else:
        for line in outcome_lines(answer.host, now, outcome):
            print(visible(line))
    return 0


def result_of(asked: CapacityWhatIf, now: Today) -> WhatIf | Tuned | Migration:
    """Work out the change. Raises UsageError for one that cannot be."""
    used = now.pool.usable_used_bytes or 0
    match asked.change:
        case "add":
            return whatif.add(now, _layout(asked))
        case "replace":
            has_bay = asked.has_free_bay
            return whatif.replace_all(now, asked.words[0], _drive(asked), asked.assumed, has_free_bay=has_bay)
        case "attach":
            return whatif.attach(now, asked.words[0], _drive(asked), asked.assumed)
        case "remove":
            return whatif.remove(now, asked.words[0], asked.assumed)
        case "move":
            return migration.beside(now, _layout(asked), asked.assumed)
        case "move-on-halves":
            return migration.on_halves(now, _layout(asked), asked.assumed)
        case "compression":
            return tuning.compressed(now, used, *asked.numbers)
        case "recordsize":
            return tuning.with_block_size(now, used, *map(int, asked.numbers))
        case "copies":
            return tuning.with_copies(now, used, *map(int, asked.numbers))
        case _:
            return tuning.deduplicated(now, used, *asked.numbers)


def _layout(asked: CapacityWhatIf) -> Layout:
    if asked.layout is None:
        raise UsageError(f"{asked.change}: which layout?", hint="As in 'raidz2:8'.")
    return asked.layout


def _drive(asked: CapacityWhatIf) -> Drive:
    if asked.drive is None:
        raise UsageError(f"{asked.change}: how large is the drive?", hint="--disk 12TB")
    return asked.drive


def _pool(state: HostState, name: str) -> Pool:
    for each in state.pools:
        if each.name == name and each.pool.value is not None:
            return each.pool.value
    raise HostError(f"pool {name} is not imported on {state.host}, or could not be read")
