"""Places of pools' disks: those that are seen are kept, and those that are gone are told by what was kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from zconsole.analysis.vdevs.disk_places_now_and_last_seen import merged_places, seen_places
from zconsole.model.host.host_state import HostState
from zconsole.storage.run_in_thread import patiently

if TYPE_CHECKING:
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore

REFRESHED_S: Final = 86_400.0  # a place that stays the same is written once a day


async def with_places(state: HostState, now: float, kept: DiskHealthStore | None) -> HostState:
    """The state with the places of its pools' disks, read from and kept beside what is kept of SMART data.

    Raises DiskPlaceStoreError, TookTooLong.
    """
    before = state.places
    seen = tuple(seen_places(state, now))
    if kept is not None:
        from zconsole.storage.disks.disk_places import FILE, DiskPlaceStore  # noqa: PLC0415  # opened when needed

        store = DiskPlaceStore(kept.path.with_name(FILE))
        pools = [of.pool.value.guid for of in state.pools if of.pool.value is not None]
        before = merged_places(await patiently(store.known, [guid for guid in pools if guid]), before)
        known = {each.key: each for each in before}
        fresh = [
            each
            for each in seen
            if (old := known.get(each.key)) is None
            or old.facts != each.facts
            or each.at - old.at > REFRESHED_S
        ]
        await patiently(store.add, fresh)
    merged = merged_places(before, seen)
    is_same = [each.facts for each in merged] == [each.facts for each in state.places]
    return state if is_same else replace(state, places=merged)
