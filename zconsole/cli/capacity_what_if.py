"""`zconsole capacity what-if`: read one pool and print the effect of a change. Nothing is changed."""

from __future__ import annotations

import asyncio

from zconsole.analysis.pool_growth.live_pool import today
from zconsole.analysis.pool_growth.parse_change_and_compute_outcome import outcome
from zconsole.base.errors import HostError, UsageError, ZConsoleError
from zconsole.base.user_config_file import Config
from zconsole.cli.capacity_arguments import CapacityWhatIfRequest
from zconsole.cli.json_output import print_document
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, NamedHost, ask_each, open_hosts
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.space_samples import DatasetUse
from zconsole.reports.json.capacity.what_if import outcome_document
from zconsole.reports.text.capacity import change_lines
from zconsole.service.space_sampling import dataset_uses_of, dataset_uses_with_blocks

Found = tuple[str, Pool, tuple[DatasetUse, ...]]


def run_what_if(asked: CapacityWhatIfRequest, config: Config) -> int:
    """Print the effect of the change. Raises a ZConsoleError where the host or the pool cannot be read."""
    places = open_hosts(asked.where, config, within_s=TIMEOUT_S)
    if len(places) != 1:
        raise UsageError("what-if is of one host", hint="Give --host once.")

    async def ask(place: NamedHost) -> Found:
        return await _read(place, asked)

    (answer,) = asyncio.run(ask_each(places, ask, TIMEOUT_S))
    if isinstance(answer, ZConsoleError):
        raise answer
    host, pool, uses = answer
    now = today(pool)
    found = outcome(asked.change, now, asked.assumed, uses)
    if asked.is_json:
        print_document(outcome_document(host, now, found))
    else:
        for line in change_lines(host, now, found):
            print(line)
    return 0


async def _read(place: NamedHost, asked: CapacityWhatIfRequest) -> Found:
    """Host name, pool, and space used by its datasets if requested."""
    state = await gather(place.host, place.clock, pools=(asked.pool,))
    for each in state.pools:
        if each.name == asked.pool and each.pool.value is not None:
            uses: tuple[DatasetUse, ...] = ()
            if asked.change.kind == "snapshots":
                uses = await dataset_uses_of(Asker(place.host), asked.pool)
            elif asked.change.kind in {"dedup", "move", "move-on-halves"}:
                uses = await dataset_uses_with_blocks(Asker(place.host), asked.pool)
            return state.host, each.pool.value, uses
    raise HostError(f"pool {asked.pool} is not imported on {state.host}, or could not be read")
