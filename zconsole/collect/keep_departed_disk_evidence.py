"""Evidence on disks that pools lose: taken from the state as they go, and kept for the next console."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from zconsole.collect.host_state_store import Store
from zconsole.model.host.host_state import HostState
from zconsole.storage.run_in_thread import patiently

if TYPE_CHECKING:
    from pathlib import Path

    from zconsole.model.pools.device_evidence import DeviceEvidence

DAILY_S: Final = 86_400.0  # evidence on a sound disk is written once a day


def keep_departed(store: Store, before: HostState, now: float) -> None:
    """Add to the newest state what was known before of the devices that are gone since; epoch seconds."""
    from zconsole.analysis.repair.departed_disk_evidence import departed  # noqa: PLC0415  # the first frame needs nothing of it

    after = store.state
    if before.inventory.value is None or (
        before.inventory.value is after.inventory.value and before.pools is after.pools
    ):
        return
    evidence = departed(before, after, now)
    if evidence is not after.evidence:
        store.commit(replace(after, evidence=evidence))


class EvidenceKeeper:
    """Writer and reader of the evidence beside what is kept of SMART data."""

    def __init__(self) -> None:
        self._written: dict[tuple[int, int], DeviceEvidence] = {}
        self._looked_up: frozenset[tuple[int, int]] = frozenset()

    async def with_evidence(self, state: HostState, now: float, beside: Path | None) -> HostState:
        """The state with what is kept on devices that are gone; what is known of the others is kept.

        `beside` is the file of the SMART data. Raises DiskEvidenceStoreError, TookTooLong.
        """
        from zconsole.analysis.repair.departed_disk_evidence import (  # noqa: PLC0415  # used a minute after the start
            evidence_now,
            gone_devices,
            merged_evidence,
        )

        if beside is None:
            return state
        from zconsole.storage.disks.departed_disk_evidence import FILE, DiskEvidenceStore  # noqa: PLC0415  # opened when needed

        kept = DiskEvidenceStore(beside.with_name(FILE))
        gone = gone_devices(state)
        wanted = gone - self._looked_up - {each.key for each in state.evidence}
        self._looked_up = gone
        if wanted:
            found = await patiently(kept.known, sorted(wanted))
            merged = merged_evidence(state.evidence, found)
            state = replace(state, evidence=merged) if found else state
        of_gone = (each for each in state.evidence if each.key in gone)
        fresh = [each for each in (*evidence_now(state, now), *of_gone) if self._is_due(each)]
        await patiently(kept.add, fresh)
        self._written |= {each.key: each for each in fresh}
        return state

    def _is_due(self, each: DeviceEvidence) -> bool:
        """Whether evidence is to be written: in trouble as soon as it changes, else once a day."""
        old = self._written.get(each.key)
        if old is None or each.at - old.at > DAILY_S:
            return True
        return each.cause is not None and each.facts != old.facts
