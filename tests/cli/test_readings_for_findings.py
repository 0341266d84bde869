"""What is kept of a host, and what is read of it beside its pools."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.doubles.machines import host_of
from tests.doubles.scripted_host import failed
from zconsole.base.clock import ManualClock
from zconsole.base.finding_thresholds import Thresholds
from zconsole.cli.open_and_ask_named_hosts import NamedHost
from zconsole.cli.readings_for_findings import KeptSamples, kept_samples, with_readings_for_findings
from zconsole.cli.selected_hosts import HostSelection
from zconsole.collect.read_host import gather
from zconsole.service.space_sampling import sample_of
from zconsole.storage.space_samples import SpaceStore

NOW = 1_795_300_000.0


def test_of_the_practice_host_and_of_a_recording_nothing_is_kept() -> None:
    assert KeptSamples(None, None) == kept_samples(HostSelection(is_demo=True))
    assert KeptSamples(None, None) == kept_samples(HostSelection(replay=Path("x")))
    assert kept_samples(HostSelection()).space is not None


async def test_the_settings_and_the_forecast_are_added(tmp_path: Path) -> None:
    clock, host = ManualClock(NOW), host_of("2.4", "healthy-mirrors")
    host.answers["virsh"] = failed("virsh", 127, b"no virsh here")
    state = await gather(host, clock)
    store = SpaceStore(tmp_path / "samples.sqlite")
    pool = state.pools[0].pool.value
    assert pool is not None
    store.add(sample_of(pool, state.hostname or state.host, NOW - 60))

    found = await with_readings_for_findings(
        state,
        NamedHost(host, clock),
        KeptSamples(None, store),
        ends_at=asyncio.get_running_loop().time() + 20,
        settings_share=0.5,
        thresholds=Thresholds(),
    )

    assert found.settings != state.settings
    assert found.pools[0].forecast.value is not None
