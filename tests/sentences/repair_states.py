"""States of hosts with a device in trouble: those that the tests of the repair are made of.

These tests are run once in this process, and each state that they ask about is kept. They must pass.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

import pytest

from tests.doubles import repair_worlds
from zconsole.actions.repair import repairs_of_host
from zconsole.analysis.repair.bay_to_put_back_into import where_it_goes
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.failure_cause import cause_at, cause_of
from zconsole.analysis.repair.reasons_not_to_replace import reasons_not_now
from zconsole.analysis.repair.spare_and_replacing_vdevs import places
from zconsole.analysis.repair.wrong_disk_pulled import to_put_back
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.journal import Entry
from zconsole.model.pools.device_evidence import DeviceEvidence
from zconsole.model.pools.pool import GONE_STATES, Vdev
from zconsole.model.repair import Certainty, Repair, RepairCause, RepairTrouble

FOLDERS: Final = ("tests/analysis/repair", "tests/actions/repair")
OPTIONS: Final = ("-q", "-n0", "-p", "no:randomly", "-p", "no:cacheprovider", "-W", "ignore")


def asked_states() -> tuple[tuple[HostState, float], ...]:
    """Each state with its time, in the order of the tests, none of which may have been imported before."""
    kept: dict[int, tuple[HostState, float]] = {}  # by identity, which `kept` keeps unique
    repairs, facts_of = repairs_of_host.repairs, repair_worlds.facts_of

    def asked_for_repairs(state: HostState, entries: Iterable[Entry], now: float) -> tuple[Repair, ...]:
        kept.setdefault(id(state), (state, now))
        return repairs(state, entries, now)

    def asked_for_facts(state: HostState) -> PoolFacts:
        kept.setdefault(id(state), (state, repair_worlds.NOW))
        return facts_of(state)

    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as said:
        for module in (repairs_of_host, repair_worlds):
            patch.setattr(module, "repairs", asked_for_repairs)
        patch.setattr(repair_worlds, "facts_of", asked_for_facts)
        ended = pytest.main([*OPTIONS, *FOLDERS])
    if ended:
        raise RuntimeError(said.getvalue())
    return tuple(kept.values())


def variants(state: HostState) -> Iterator[HostState]:
    """The trouble of a suspended pool, of disks taken offline, and of a host that lists no disks."""
    yield replace(state, pools=tuple(replace(each, kstat_state="SUSPENDED") for each in state.pools))
    yield replace(state, inventory=Reading())
    for each in (state, _judged_before(state)):
        yield each
        yield _with_leaves(
            each, lambda leaf: leaf if leaf.state == "ONLINE" else replace(leaf, state="OFFLINE")
        )


def _taken_offline(leaf: Vdev) -> Vdev:
    return leaf if leaf.state == "ONLINE" else replace(leaf, state="OFFLINE")


def _judged_before(state: HostState) -> HostState:
    """The same, with what was known of the devices while the host saw them."""
    known = tuple(
        DeviceEvidence(
            pool.guid, leaf.guid, 100.0,
            cause=RepairCause.DISK, certainty=Certainty.LIKELY, words="24 pending sectors",
        )
        for of in state.pools
        if (pool := of.pool.value) is not None and pool.guid is not None
        for leaf in pool.walk()
        if leaf.guid is not None and leaf.state in GONE_STATES
    )  # fmt: skip
    return replace(state, evidence=known)


def parts(state: HostState, now: float) -> Iterator[str]:
    """What the parts of a repair say of each place: causes, reasons to wait, alarms, where a disk belongs."""
    for of in state.pools:
        if of.pool.value is None:
            continue
        facts = PoolFacts(state, of, of.pool.value, host_disks(state), now)
        for place in places(facts.pool):
            cause = cause_at(facts, place)
            yield cause.words
            yield cause_of(facts, place.member).words
            for trouble in RepairTrouble:
                for reason in reasons_not_now(facts, place, trouble, cause):
                    yield from (reason.reason, reason.instead)
            if (gone := to_put_back(facts, place)) is not None:
                yield gone.words
            leaves = place.top.leaves()
            yield from (where_it_goes(facts, leaf) for leaf in leaves if leaf.state in GONE_STATES)


def _with_leaves(state: HostState, change: Callable[[Vdev], Vdev]) -> HostState:
    def below(vdev: Vdev) -> Vdev:
        if vdev.is_leaf:
            return change(vdev)
        return replace(vdev, children=tuple(map(below, vdev.children)))

    def changed(of: PoolState) -> PoolState:
        pool = of.pool.value
        if pool is None:
            return of
        return replace(of, pool=replace(of.pool, value=replace(pool, vdevs=tuple(map(below, pool.vdevs)))))

    return replace(state, pools=tuple(map(changed, state.pools)))
