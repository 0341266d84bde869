"""Newest state of one host. Written on the collecting loop only, read from any thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from zconsole.model.host.host_state import HostState, LinkStatus, PoolState, Reading

if TYPE_CHECKING:
    from zconsole.model.pools.event import Event
    from zconsole.model.pools.iostat import IoSample
    from zconsole.model.pools.pool import Pool
    from zconsole.model.pools.slow_disk import Judgement
    from zconsole.model.run import Run
    from zconsole.model.timeline_mark import TimelineMark

SAMPLES_KEPT = 120  # two minutes at one sample per second
SAMPLES_AT_LEAST = 20  # for one host among many, to bound memory
EVENTS_KEPT = 1000
RUNS_KEPT = 20
MARKS_KEPT = 100
SCAN_HISTORY_KEPT = 720  # an hour at one status per 5 s


class Store:
    """Holder of successive immutable HostStates, which notifies of changes."""

    def __init__(self, host: str, on_change: Callable[[], None]) -> None:
        self._state = HostState(host=host)
        self._on_change = on_change

    @property
    def state(self) -> HostState:
        """Newest state."""
        return self._state

    def commit(self, state: HostState) -> None:
        """Replace the state; an equal one is no change."""
        if state == self._state:
            return
        self._state = replace(state, revision=self._state.revision + 1)
        self._on_change()

    def set_link(self, link: LinkStatus) -> None:
        """Set the state of the connection."""
        self.commit(replace(self._state, link=link))

    def recall(self, pools: Sequence[Pool], at: float, age_s: float, monotonic: float) -> None:
        """Show the pools that were last read at epoch seconds `at`, until the host has answered."""
        old = tuple(PoolState(pool.name, pool=Reading(pool, monotonic - age_s)) for pool in pools)
        self.commit(replace(self._state, pools=old, recalled_at=at))

    def forget_recalled(self) -> None:
        """Remove the pools that were recalled: from now on the host tells which it has."""
        if self._state.recalled_at is not None:
            self.commit(replace(self._state, pools=(), recalled_at=None))

    def set_pools(self, kstat_states: Sequence[tuple[str, str | None]], at: float) -> None:
        """Set the present pools with their kstat states; other pools are removed.

        Nobody is notified of the time alone, which is read every second or two: ages are drawn as they grow.
        """
        before = self._state
        known = {pool.name: pool for pool in before.pools}
        pools = tuple(
            replace(known.get(name, PoolState(name)), kstat_state=state) for name, state in kstat_states
        )
        after = replace(before, pools=pools, pools_at=at, pools_problem="")
        if before.pools_at is not None and after == replace(before, pools_at=at):
            self._state = replace(before, pools_at=at, revision=before.revision + 1)
        else:
            self.commit(after)

    def update_pool(self, name: str, change: Callable[[PoolState], PoolState]) -> None:
        """Change one pool's state; a removed pool is not added again."""
        pools = tuple(change(pool) if pool.name == name else pool for pool in self._state.pools)
        self.commit(replace(self._state, pools=pools))

    def add_samples(
        self, samples: Sequence[IoSample], at: float, judged: Mapping[str, Judgement] | None = None
    ) -> None:
        """Append I/O samples to their pools' histories, with the judgement of the disks.

        Nobody is notified of a sample that says what the one before said, as those of a pool at rest do.
        """
        judged = judged or {}
        fresh: dict[str, list[IoSample]] = {}
        for sample in samples:  # after a delay of the link there are several of one pool
            fresh.setdefault(sample.pool, []).append(sample)
        kept = max(SAMPLES_AT_LEAST, int(SAMPLES_KEPT / self._state.slack))
        pools = tuple(
            replace(
                pool,
                samples=(*pool.samples, *fresh[pool.name])[-kept:],
                io_at=at,
                io_problem="",
                judgement=judged.get(pool.name, pool.judgement),
            )
            if pool.name in fresh
            else pool
            for pool in self._state.pools
        )
        before = {pool.name: pool for pool in self._state.pools}
        self._state = replace(self._state, pools=pools, revision=self._state.revision + 1)
        if not all(_is_at_rest(before[pool.name], pool) for pool in pools if pool.name in fresh):
            self._on_change()

    def set_io_problem(self, names: Sequence[str], problem: str) -> None:
        """Set the reason why these pools have no live I/O."""
        pools = tuple(
            replace(pool, io_problem=problem) if pool.name in names else pool for pool in self._state.pools
        )
        self.commit(replace(self._state, pools=pools))

    def add_mark(self, mark: TimelineMark) -> None:
        """Add a mark; the oldest are dropped."""
        marks = sorted((*self._state.marks, mark), key=lambda each: each.at)[-MARKS_KEPT:]
        self.commit(replace(self._state, marks=tuple(marks)))

    def set_run(self, run: Run) -> None:
        """Add or update a run; the oldest are dropped."""
        runs = self._state.runs
        if any(known.id == run.id for known in runs):
            runs = tuple(run if known.id == run.id else known for known in runs)
        else:
            runs = (*runs, run)[-RUNS_KEPT:]
        self.commit(replace(self._state, runs=runs))

    def add_events(self, events: Sequence[Event]) -> None:
        """Append events; the oldest are dropped."""
        kept = (*self._state.events, *events)[-EVENTS_KEPT:]
        self.commit(replace(self._state, events=kept, events_problem=""))


def _is_at_rest(before: PoolState, after: PoolState) -> bool:
    """Whether all samples since then, and what is judged of their disks, say what was said before.

    That more samples without I/O leave a disk undecided is not another judgement.
    """
    if before.sample is None or before.io_problem or after.sample is None:
        return False
    fresh = (each for each in after.samples if each.at > before.sample.at)
    if not all(each.says_the_same(before.sample) for each in fresh):
        return False
    known, judged = before.judgement, after.judgement
    if known is None or judged is None:
        return judged is known
    return judged is known or known == replace(judged, samples=known.samples, undecided=known.undecided)


def with_reading(state: PoolState, reading: Reading[Pool], now: float) -> PoolState:
    """Pool state with a new status, and the progress of a running scan."""
    pool = reading.value
    if pool is None:
        return replace(state, pool=reading)
    scan, before = pool.scan, state.pool.value.scan if state.pool.value is not None else None
    history, restarts = state.scan_history, state.scan_restarts
    if scan is None or not scan.is_running or scan.done_bytes is None:
        history, restarts = (), 0
    else:
        if before is not None and before.start != scan.start:
            has_restarted = before.is_running and before.function == scan.function
            history, restarts = (), restarts + 1 if has_restarted else 0
        elif history and scan.done_bytes < history[-1][1]:
            history, restarts = (), restarts + 1
        history = (*history[-(SCAN_HISTORY_KEPT - 1) :], (now, scan.done_bytes))
    return replace(
        state,
        pool=reading,
        scan_history=history,
        scan_restarts=restarts,
        slow_io_rises=_rises(state, pool, now),
    )


def _rises(state: PoolState, pool: Pool, now: float) -> tuple[tuple[int, float], ...]:
    """Times when slow I/O counts last rose, by leaf guid; only rises seen while watched."""
    if state.pool.value is None:
        return ()
    before = _slow_ios(state.pool.value)
    after = _slow_ios(pool)
    rose = {guid: at for guid, at in state.slow_io_rises if guid in after}
    rose |= {guid: now for guid, number in after.items() if number > before.get(guid, number)}
    return tuple(rose.items())


def _slow_ios(pool: Pool) -> dict[int, int]:
    return {
        leaf.guid: leaf.slow_ios.value
        for leaf in pool.walk()
        if leaf.is_leaf and leaf.guid and leaf.slow_ios is not None
    }
