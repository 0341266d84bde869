"""All findings of a host, worst first; empty when all is well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.analysis.findings import (
    device_rules,
    guest_disk_rules,
    layout_rules,
    pool_health_rules,
    pool_property_rules,
    quota_and_snapshot_rules,
    scan_rules,
    slow_disk_and_slow_vdev_rules,
    space_rules,
)
from zconsole.analysis.findings.care import (
    guest_snapshot_rules,
    left_out_snapshot_rules,
    metaslab_rules,
    pool_full_soon_rules,
    skipped_scrub_rules,
)
from zconsole.analysis.findings.care.release_rules import findings_of_releases
from zconsole.analysis.findings.care.replication_findings import findings_of_replication
from zconsole.analysis.findings.datasets import (
    dedup_rules,
    long_lived_clone_rules,
    recordsize_rules,
    reservation_and_quota_rules,
    settings_rules,
    volume_rules,
)
from zconsole.analysis.findings.done_first.conditions_of_pool import with_conditions_of_pool
from zconsole.analysis.findings.done_first.devices_to_bring_back import with_devices_to_bring_back
from zconsole.analysis.findings.done_first.disks_to_put_back import with_disks_to_put_back
from zconsole.analysis.findings.done_first.ways_of_several_disks import with_ways_first
from zconsole.analysis.findings.guest_rules import findings_of_guests
from zconsole.analysis.findings.host_settings_rules import findings_of_host_settings
from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.analysis.findings.shared_cause_rules import findings_of_shared_causes
from zconsole.analysis.findings.smart_rules import findings_of_disks
from zconsole.analysis.findings.ssh_login_rules import findings_of_login
from zconsole.analysis.guests.guests_and_containers import guests_and_containers
from zconsole.analysis.repair.need_of_spare import suspects_beside_spares
from zconsole.analysis.repair.newly_attached_devices import attached_devices
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.pool import SUSPENDED, Pool

# Order of findings with equal severity: imminent data loss first.
RULES: Final[tuple[Rule, ...]] = (
    *pool_health_rules.RULES,
    *device_rules.RULES,
    *slow_disk_and_slow_vdev_rules.RULES,
    *space_rules.RULES,
    *metaslab_rules.RULES,
    *pool_full_soon_rules.RULES,
    *scan_rules.RULES,
    *skipped_scrub_rules.RULES,
    *layout_rules.RULES,
    *pool_property_rules.RULES,
    *settings_rules.RULES,
    *dedup_rules.RULES,
    *recordsize_rules.RULES,
    *volume_rules.RULES,
    *long_lived_clone_rules.RULES,
    *reservation_and_quota_rules.RULES,
    *quota_and_snapshot_rules.RULES,
    *left_out_snapshot_rules.RULES,
    *guest_snapshot_rules.RULES,
    *guest_disk_rules.RULES,
)


def findings(state: HostState, now: float, thresholds: Thresholds) -> tuple[Finding, ...]:
    """Judge a host's state; `now` is epoch seconds."""
    judged = (finding for pool in state.pools for finding in findings_of_pool(pool, state, now, thresholds))
    known = with_devices_to_bring_back(with_conditions_of_pool(judged, state), state)
    of_pools = with_disks_to_put_back(known, state, now)
    shared = tuple(findings_of_shared_causes(state, now))  # before those of each disk
    others = (*findings_of_guests(state), *findings_of_disks(state))  # after the pools, often their cause
    of_host = (
        *findings_of_replication(state, now),
        *findings_of_host_settings(state),
        *findings_of_login(state),
    )
    return in_order(
        (*findings_of_host(state), *shared, *with_ways_first(of_pools, shared), *others, *of_host)
    )


def filling_pools(state: HostState, now: float, thresholds: Thresholds) -> frozenset[str]:
    """Pools that are nearly full, or full soon: the findings on them tell what this does to guests."""
    rules = (space_rules.pool_is_filling, pool_full_soon_rules.pool_is_full_soon)
    judged = (
        (pool.name, input_of(pool, pool.pool.value, state, now, thresholds))
        for pool in state.pools
        if pool.pool.value is not None
    )
    return frozenset(name for name, facts in judged if any(True for rule in rules for _ in rule(facts)))


def in_order(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The worst first, advice last; among equals, pools and rules keep their order."""
    return tuple(sorted(found, key=lambda finding: finding.place))


def of_pool(found: tuple[Finding, ...], pool: str) -> tuple[Finding, ...]:
    """The findings on one pool, in order."""
    return tuple(finding for finding in found if finding.evidence.get("pool") == pool)


def worst(found: tuple[Finding, ...]) -> Severity | None:
    """The highest severity; None without findings."""
    return max((finding.severity for finding in found), default=None)


def findings_of_host(state: HostState) -> Iterator[Finding]:
    """Judge the host as a whole."""
    if state.pools_problem:
        yield Finding(
            "pools-unread",
            Severity.WARNING,
            state.host,
            f"the list of pools cannot be read: {state.pools_problem}",
            {"problem": state.pools_problem},
        )
    yield from findings_of_releases(state)


def findings_of_pool(
    pool: PoolState, host: HostState, now: float, thresholds: Thresholds
) -> Iterator[Finding]:
    """Judge one pool: its readability and its contents."""
    yield from _of_reading(pool)
    if pool.pool.value is not None:
        facts = input_of(pool, pool.pool.value, host, now, thresholds)
        for rule in RULES:
            yield from rule(facts)


def input_of(pool: PoolState, of: Pool, host: HostState, now: float, thresholds: Thresholds) -> RuleInput:
    """What the rules are given of a pool that was read."""
    disks, guests = host.inventory.value, host.guests.value or ()
    others = tuple(
        each.pool.value for each in host.pools if each.name != pool.name and each.pool.value is not None
    )
    settings, version = host.settings.value, host.version.value
    residents = guests_and_containers(host)
    attached = attached_devices(of, host.events)
    return RuleInput(
        pool, of, now, thresholds, disks, guests, residents, settings, version, others, attached,
        suspects_beside_spares(host, of),
    )  # fmt: skip


def _of_reading(pool: PoolState) -> Iterator[Finding]:
    """Kernel state of a pool whose status is old or cannot be read."""
    if pool.kstat_state == SUSPENDED:
        if pool.pool.value is None:
            yield Finding(
                "pool-suspended",
                Severity.CRITICAL,
                pool.name,
                "SUSPENDED: all I/O waits until its devices are back and the pool is cleared",
                {"pool": pool.name, "problem": pool.pool.problem or None},
            )
    elif pool.pool.problem:
        is_old = pool.pool.value is not None
        kernel = f", the kernel says {pool.kstat_state}" if pool.kstat_state else ""
        yield Finding(
            "pool-unread",
            Severity.WARNING,
            pool.name,
            f"{'the newest status' if is_old else 'its status'} cannot be read{kernel}: {pool.pool.problem}",
            {
                "pool": pool.name,
                "kstat_state": pool.kstat_state,
                "problem": pool.pool.problem,
                "is_old": is_old,
            },
        )
