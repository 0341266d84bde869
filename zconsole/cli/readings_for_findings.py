"""What findings need beside the pools: settings, guests in trouble, kept samples of space and SMART data."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from zconsole.analysis.findings.all_findings import filling_pools
from zconsole.base.lazy_dataclass import dataclass
from zconsole.cli.error_messages import complain
from zconsole.cli.open_disk_health_store import disk_health_store
from zconsole.collect.guests.guests_in_trouble import with_guests_in_trouble
from zconsole.collect.readings.smart_data_from_health_store import with_stored_smart
from zconsole.collect.streams.dataset_and_host_settings import with_settings
from zconsole.service.forecasts_by_own_samples import with_own_forecasts
from zconsole.service.replication_as_last_compared import Comparisons, with_comparison

if TYPE_CHECKING:
    from zconsole.base.finding_thresholds import Thresholds
    from zconsole.cli.open_and_ask_named_hosts import NamedHost
    from zconsole.cli.selected_hosts import HostSelection
    from zconsole.model.host.host_state import HostState
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore
    from zconsole.storage.space_samples import SpaceStore


@dataclass(frozen=True, slots=True)
class KeptSamples:
    """What this account has kept of the selected hosts; None of the practice host and of recordings."""

    health: DiskHealthStore | None
    space: SpaceStore | None
    replication: Comparisons | None = None


def kept_samples(where: HostSelection) -> KeptSamples:
    """The files of the hosts that were selected."""
    if where.is_demo or where.replay is not None:
        return KeptSamples(None, None)
    from zconsole.storage.replication_last_compared import known_comparisons
    from zconsole.storage.space_samples import SpaceStore  # most commands need none

    return KeptSamples(disk_health_store(where), SpaceStore(), known_comparisons)


async def with_readings_for_findings(  # noqa: PLR0913 - each is another limit
    state: HostState,
    place: NamedHost,
    kept: KeptSamples,
    *,
    ends_at: float,
    settings_share: float,
    thresholds: Thresholds,
    pools: tuple[str, ...] = (),
) -> HostState:
    """A state that was read once, with the rest; what is missing is a problem of its own reading.

    `ends_at` is seconds of the loop's clock; of what is left until then the settings get a share. Guests
    are read where a pool is full soon by the `thresholds`, and else those in trouble. `pools` are those that
    were asked for, if not all.
    """
    now = asyncio.get_running_loop().time
    state = await with_settings(state, place.host, place.clock, timeout_s=settings_share * (ends_at - now()))
    state = await with_own_forecasts(state, kept.space, place.clock.now(), complain)
    filling = filling_pools(state, place.clock.now(), thresholds)
    state = await with_guests_in_trouble(
        state, place.host, place.clock, left_s=ends_at - now(), pools=pools, filling=filling
    )
    state = await with_comparison(state, kept.replication, place.clock, complain)
    return await with_stored_smart(state, kept.health, place.clock.now(), complain, is_of_pools=bool(pools))
