"""Host states out of real captures, read the way that the program reads them."""

from __future__ import annotations

import asyncio
from functools import cache

from tests.conftest import CAPTURES
from tests.live.machines import host_of
from zconsole.base.clock import ManualClock
from zconsole.live.gather import gather
from zconsole.model.host_state import HostState

RECORDED_AT = 1_795_220_000.0  # epoch seconds, after the newest capture


def states(series: str) -> tuple[str, ...]:
    """The captured states that have a pool, by name."""
    folders = (CAPTURES / series).iterdir()
    return tuple(sorted(folder.name for folder in folders if _pool_of(series, folder.name)))


@cache
def captured(series: str, state: str) -> HostState:
    """One captured state."""
    host = host_of(series, state, pool=_pool_of(series, state) or "")
    return asyncio.run(gather(host, ManualClock(RECORDED_AT)))


def _pool_of(series: str, state: str) -> str | None:
    listing = CAPTURES / series / state / "zpool_list_Hp_cols.tsv"
    text = listing.read_text() if listing.exists() else ""
    return text.partition("\t")[0] or None


ALL = tuple((series, state) for series in ("2.1", "2.3", "2.4") for state in states(series))
