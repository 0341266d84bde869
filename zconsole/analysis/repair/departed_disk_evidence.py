"""Disks that pools lose: what was known of each while the host saw it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.device_trouble import DeviceFacts
from zconsole.analysis.repair.failure_cause import cause_of
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.device_evidence import DeviceEvidence
from zconsole.model.pools.pool import GONE_STATES, HEALTHY_STATES, Vdev
from zconsole.model.pools.smart_health import HealthRecord

MOST_MESSAGES: Final = 100  # of the kernel, the newest
LONGEST_MESSAGE: Final = 500  # characters
Device = tuple[int, int]  # guids of pool and leaf


def evidence_now(
    state: HostState, now: float, only: frozenset[Device] | None = None
) -> Iterator[DeviceEvidence]:
    """Evidence on each device of the pools whose disk serves, `only`: on these; `now` in epoch seconds."""
    disks = host_disks(state)
    records = {each.disk: each for each in state.smart.value or ()}
    for of in state.pools:
        pool = of.pool.value
        if pool is None or pool.guid is None:
            continue
        facts = PoolFacts(state, of, pool, disks, now)
        for known in facts.devices.values():
            guid = known.vdev.guid
            if not _serves(known) or guid is None or (only is not None and (pool.guid, guid) not in only):
                continue
            record = records.get(disk_identity(known.disk)) if known.disk is not None else None
            yield _evidence(facts, known, (pool.guid, guid), record)


def departed(before: HostState, after: HostState, now: float) -> tuple[DeviceEvidence, ...]:
    """Evidence on devices that served before and are gone after, in place of earlier evidence on them."""
    gone = (_serving(before) & _devices(after)) - _serving(after)
    if not gone:
        return after.evidence
    fresh = {each.key: each for each in evidence_now(before, now, gone)}
    return merged_evidence(after.evidence, fresh.values())


def merged_evidence(
    known: Iterable[DeviceEvidence], fresh: Iterable[DeviceEvidence]
) -> tuple[DeviceEvidence, ...]:
    """The newest evidence on each device."""
    found: dict[Device, DeviceEvidence] = {}
    for each in (*known, *fresh):
        old = found.get(each.key)
        if old is None or each.at >= old.at:
            found[each.key] = each
    return tuple(found[key] for key in sorted(found))


def gone_devices(state: HostState) -> frozenset[Device]:
    """Devices of the host's pools that have no disk now."""
    return _devices(state) - _serving(state) if state.inventory.value is not None else frozenset()


def _serving(state: HostState) -> frozenset[Device]:
    """Devices whose disk the host sees and ZFS has not lost."""
    inventory = state.inventory.value
    return frozenset(
        (pool, leaf.guid)
        for pool, leaf in _leaves(state)
        if leaf.guid is not None
        and leaf.state not in GONE_STATES
        and inventory is not None
        and leaf.path is not None
        and inventory.kernel_name(leaf.path) is not None
    )


def _devices(state: HostState) -> frozenset[Device]:
    return frozenset((pool, leaf.guid) for pool, leaf in _leaves(state) if leaf.guid is not None)


def _leaves(state: HostState) -> Iterator[tuple[int, Vdev]]:
    for of in state.pools:
        pool = of.pool.value
        if pool is not None and pool.guid is not None:
            yield from ((pool.guid, leaf) for top in pool.vdevs for leaf in top.leaves())


def _serves(known: DeviceFacts) -> bool:
    return known.disk is not None and known.vdev.state not in GONE_STATES


def _evidence(
    facts: PoolFacts, known: DeviceFacts, device: Device, record: HealthRecord | None
) -> DeviceEvidence:
    leaf = known.vdev
    trouble = () if known.kernel is None else known.kernel.messages[-MOST_MESSAGES:]
    messages = tuple(replace(each, text=each.text[:LONGEST_MESSAGE]) for each in trouble)
    found = DeviceEvidence(
        *device, facts.now, record, messages, leaf.read_errors, leaf.write_errors, leaf.checksum_errors
    )
    if leaf.state in HEALTHY_STATES and not (known.is_failing or known.warnings or known.slow or messages):
        return found
    cause = cause_of(facts, leaf)
    return replace(found, cause=cause.cause, certainty=cause.certainty, words=cause.words)
