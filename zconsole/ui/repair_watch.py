"""Repairs of all hosts while the console is open: derived from each state, with the news on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from zconsole.actions.repair.healthy_vdev_procedures import asked_repair
from zconsole.actions.repair.repairs_of_host import ended_repairs, repairs
from zconsole.model.host.host_state import HostState
from zconsole.model.journal import Entry
from zconsole.model.pools.pool import Pool, Scan, Vdev
from zconsole.model.repair import Procedure, Repair, RepairTrouble
from zconsole.views.repair.news_between_two_readings import RepairNews, news, while_away

DERIVED_EVERY_S: Final = 5.0  # for a screen, while nothing but time and I/O changes
LOOKED_EVERY_S: Final = 60.0  # the same for the news; several hundred disks take some 0.05 s
_Facts = tuple[object, ...]


class RepairWatch:
    """Cache of each host's repairs. `latest` are the news that the user has not looked at yet."""

    def __init__(self) -> None:
        self.latest: RepairNews | None = None
        self._derived: dict[str, tuple[_Facts, float, tuple[Repair, ...]]] = {}
        self._looked: dict[str, tuple[_Facts, float, tuple[Repair, ...]]] = {}  # for the news
        self._steady: dict[tuple[str, str], tuple[Pool, Pool]] = {}  # by host and pool, without progress
        self._seen: dict[str, tuple[Repair, ...]] = {}  # for which news were told
        self._entries: tuple[Entry, ...] = ()
        self._asked: dict[tuple[str, Procedure], tuple[_Facts, float, Repair]] = {}
        self._copied: dict[tuple[str, str], Repair] = {}  # by host and pool: the last one with a new disk
        self.cold: frozenset[str] = frozenset()  # hosts without hot-swap
        self.knows_past = False  # the journal was read

    def learn(self, entries: Iterable[Entry]) -> None:
        """Take the runs of the journal, of all hosts."""
        self._entries = tuple(entries)
        self._derived.clear()
        self._looked.clear()
        self._asked.clear()
        self.knows_past = True

    def of(
        self, state: HostState, now: float, monotonic: float, oldest_s: float = DERIVED_EVERY_S
    ) -> tuple[Repair, ...]:
        """The repairs that a host needs, the most urgent first; `now` in epoch seconds.

        Those derived of the same facts before are taken again until they are as old as `oldest_s`.
        """
        state = self._as_swapped(state)
        facts = _facts(state)
        known = self._derived.get(state.host)
        if known is not None and known[0] == facts and 0 <= monotonic - known[1] < oldest_s:
            return known[2]
        found = repairs(state, self._runs_on(state), now)
        self._derived[state.host] = (facts, monotonic, found)
        self._copied.update({(state.host, each.pool): each for each in found if each.newcomer is not None})
        return found

    def asked(self, state: HostState, procedure: Procedure, now: float, monotonic: float) -> Repair:
        """The steps of a procedure that the user asks for. Raises UsageError for a vdev that has none."""
        state = self._as_swapped(state)
        facts, key = _facts(state), (state.host, procedure)
        known = self._asked.get(key)
        if known is not None and known[0] == facts and 0 <= monotonic - known[1] < DERIVED_EVERY_S:
            return known[2]
        found = asked_repair(state, self._runs_on(state), now, procedure)
        self._asked[key] = (facts, monotonic, found)
        return found

    def _as_swapped(self, state: HostState) -> HostState:
        return replace(state, has_hot_swap=False) if state.host in self.cold else state

    def as_one(self, repair: Repair) -> Repair:
        """The after-care of a pool with the disks of the replacement before it, as far as it was seen."""
        copied = self._copied.get((repair.host, repair.pool))
        if copied is None or repair.trouble is not RepairTrouble.AFTER_CARE:
            return repair
        return replace(
            repair,
            vdev=copied.vdev,
            device=copied.device,
            since=copied.since,
            cause=copied.cause,
            certainty=copied.certainty,
            spare=copied.spare,
            newcomer=copied.newcomer,
            runs=tuple(dict.fromkeys((*copied.runs, *repair.runs))),
        )

    def ended(self, state: HostState, pool: str, now: float) -> Repair | None:
        """The last repair of a pool that needs nothing more, as far as the journal knows one."""
        found = ended_repairs(state, self._runs_on(state), now)
        return next((each for each in found if each.pool == pool), None)

    def _runs_on(self, state: HostState) -> tuple[Entry, ...]:
        names = {state.host, state.hostname} - {"", None}
        return tuple(each for each in self._entries if each.host in names or each.hostname in names)

    def take_in(self, state: HostState, now: float, monotonic: float) -> RepairNews | None:
        """Compare with the state before; the news, if the user is to be called."""
        found = self._steady_repairs(state, now, monotonic)
        before = self._seen.get(state.host)
        read = {each.name for each in state.pools if each.pool.value is not None and not each.pool.problem}
        if before is None:
            if not self.knows_past:
                return None  # the journal tells who began it
            self._seen[state.host] = found
            return self._told(_from_before(state, found))
        self._seen[state.host] = (*found, *(each for each in before if each.pool not in read))
        told = (
            news(each, successor(each, found), _scan(state, each.pool))
            for each in before
            if each.pool in read
        )
        return self._told(next(filter(None, told), None))

    def _steady_repairs(self, state: HostState, now: float, monotonic: float) -> tuple[Repair, ...]:
        """The repairs of a host; those of before while a scan proceeds and sizes change, and nothing else."""
        facts, known = self._steady_facts(state), self._looked.get(state.host)
        if known is not None and known[0] == facts and 0 <= monotonic - known[1] < LOOKED_EVERY_S:
            return known[2]
        found = self.of(state, now, monotonic)
        self._looked[state.host] = (facts, monotonic, found)
        return found

    def _steady_facts(self, state: HostState) -> _Facts:
        pools = tuple(
            (
                of.name,
                of.kstat_state,
                self._without_progress(state.host, of.pool.value),
                of.pool.problem,
                of.scan_restarts,
                tuple((verdict.vdev, verdict.disk, verdict.kind, verdict.operations) for verdict in of.slow),
            )
            for of in state.pools
        )
        return (state.host in self.cold, pools, *_facts_beside_pools(state))

    def _without_progress(self, host: str, pool: Pool | None) -> Pool | None:
        """The same object as before where nothing else has changed: it is compared each second."""
        if pool is None:
            return None
        known = self._steady.get((host, pool.name))
        if known is None or known[0] is not pool:
            steady = without_progress(pool)
            is_as_before = known is not None and known[1] == steady
            known = self._steady[host, pool.name] = (pool, known[1] if known and is_as_before else steady)
        return known[1]

    def has_seen(self, host: str) -> bool:
        """Whether the host had a repair."""
        return bool(self._seen.get(host))

    def _told(self, fresh: RepairNews | None) -> RepairNews | None:
        if fresh is not None:
            self.latest = fresh
        return fresh

    def mark_as_seen(self, host: str, pool: str) -> bool:
        """Forget the news on a pool whose repair is on the screen; whether there were any."""
        latest = self.latest
        if latest is None or (latest.host, latest.pool) != (host, pool):
            return False
        self.latest = None
        return True


def successor(repair: Repair, found: Iterable[Repair]) -> Repair | None:
    """The repair in a later reading: of the same device, or else the after-care of its pool."""
    mine = [each for each in found if each.pool == repair.pool]
    same = next((each for each in mine if each.key == repair.key), None)
    was = {(each.guid, each.name) for each in (repair.device, *repair.others)}
    same = same or next((each for each in mine if (each.device.guid, each.device.name) in was), None)
    same = same or next((each for each in mine if was & {(one.guid, one.name) for one in each.others}), None)
    return same or next((each for each in mine if each.trouble is RepairTrouble.AFTER_CARE), None)


def repair_of(found: Iterable[Repair], pool: str, device: str) -> Repair | None:
    """The repair of a device of a pool, by guid or name: the failed one, its spare, or the new one.

    A vdev has the most urgent repair of its devices.
    """
    mine = [each for each in found if each.pool == pool]
    for each in mine:
        if any(device in {str(one.guid), one.name} for one in each.concerned):
            return each
    return next((each for each in mine if each.vdev == device), None)


def _from_before(state: HostState, found: Iterable[Repair]) -> RepairNews | None:
    """What happened before this console was opened."""
    for repair in found:
        told = while_away(repair, _scan(state, repair.pool))
        if told is not None:
            return told
    return None


def _scan(state: HostState, name: str) -> Scan | None:
    of = state.pool(name)
    return of.pool.value.scan if of is not None and of.pool.value is not None else None


def _facts(state: HostState) -> _Facts:
    """What repairs depend on, but for I/O and time."""
    pools = tuple(
        (of.name, of.kstat_state, of.pool.value, of.pool.problem, of.scan_restarts, of.slow)
        for of in state.pools
    )
    return (pools, *_facts_beside_pools(state))


def _facts_beside_pools(state: HostState) -> _Facts:
    return (
        state.link.state,
        state.has_hot_swap,
        state.inventory.value,
        state.smart.value,
        state.kernel.value,
        state.guests.value,
        state.guests.problem,
        state.containers.value,
        state.places,
        state.evidence,
        state.events,
    )


def without_progress(pool: Pool) -> Pool:
    """A pool without what changes while it works and nothing happens: sizes, and the progress of scans."""
    scan = pool.scan
    return replace(
        pool,
        scan=scan and _without_progress_of_scan(scan),
        activities=tuple(replace(each, percent=None) for each in pool.activities),
        vdevs=tuple(map(_without_progress, pool.vdevs)),
        allocated_bytes=None,
        free_bytes=None,
        fragmentation_percent=None,
        capacity_percent=None,
        dedup_ratio=None,
        usable_used_bytes=None,
        usable_available_bytes=None,
    )


def _without_progress_of_scan(scan: Scan) -> Scan:
    repairs = scan.is_running and scan.function == "resilver"  # which repairs what it copies
    return replace(
        scan,
        percent=None,
        examined_bytes=None,
        issued_bytes=None,
        to_issue_bytes=None,
        repaired_bytes=None if repairs else scan.repaired_bytes,
    )


def _without_progress(vdev: Vdev) -> Vdev:
    return replace(
        vdev,
        activities=tuple(replace(each, percent=None) for each in vdev.activities),
        allocated_bytes=None,
        free_bytes=None,
        fragmentation_percent=None,
        capacity_percent=None,
        children=tuple(map(_without_progress, vdev.children)),
    )
