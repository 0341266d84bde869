"""Timeline of one host: its pools' samples, and states at intervals."""

from __future__ import annotations

import pickle
import threading
import zlib
from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from zconsole.base.lazy_dataclass import dataclass
from zconsole.history.iostat_history import SampleHistory, TimedSample
from zconsole.history.pool_bandwidth import BandwidthHistory
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.past_states_and_latency_strips import Bandwidth, Past, Strips, TimelineSpan
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import Pool

KEEP_S: Final = 3600.0
MAX_BYTES: Final = 76 * 1024 * 1024  # for all hosts together
STATE_EVERY_S: Final = 15.0  # after a new status; at once when a device's state or a verdict changes
SHOWN: Final = 120  # samples in a past state, as in the current one
_LEVEL: Final = 1


@dataclass(frozen=True, slots=True)
class _Moment:
    """A pool's state, packed."""

    at: float
    packed: bytes


def _lasting(state: PoolState) -> PoolState:
    """State without the parts that are read only on demand."""
    return PoolState(
        state.name,
        state.kstat_state,
        state.pool,
        io_at=state.io_at,
        io_problem=state.io_problem,
        scan_history=state.scan_history,
        scan_restarts=state.scan_restarts,
        degraded_since=state.degraded_since,
        judgement=state.judgement,
        slow_io_rises=state.slow_io_rises,
        sit_outs=state.sit_outs,
    )


class _PoolPast:
    """Samples and states of one pool."""

    def __init__(self, pool: str, keep_s: float) -> None:
        self.samples = SampleHistory(pool, keep_s)
        self.bandwidth = BandwidthHistory(keep_s)
        self.moments: deque[_Moment] = deque()
        self._keep_s = keep_s
        self._seen: tuple[Pool | None, Hashable] = (None, None)
        self._said: Hashable = None
        self._noted: Pool | None = None
        self._packed_bytes = 0

    @property
    def size_bytes(self) -> int:
        """Memory used, in bytes."""
        return self.samples.size_bytes + self._packed_bytes

    def note(self, state: PoolState, at: float) -> None:
        """Keep the state when one is due or its health changed."""
        pool = state.pool.value
        if pool is not self._seen[0]:
            self._seen = (pool, _health(pool))
        said = (self._seen[1], state.kstat_state, tuple((each.disk, each.kind) for each in state.slow))
        is_due = pool is not self._noted and bool(self.moments) and at - self.moments[-1].at >= STATE_EVERY_S
        if self.moments and said == self._said and not is_due:
            return
        self._said, self._noted = said, pool
        packed = zlib.compress(pickle.dumps(_lasting(state), 5), _LEVEL)
        self.moments.append(_Moment(at, packed))
        self._packed_bytes += len(packed)
        self._forget(at - self._keep_s)

    def drop_oldest(self) -> int:
        """Drop the oldest samples and their states; returns the bytes freed."""
        before = self.size_bytes
        if not self.samples.drop_oldest():
            return 0
        self._forget(self.samples.oldest_at or 0.0)
        return before - self.size_bytes

    def _forget(self, before: float) -> None:
        """Drop states superseded before a time."""
        while len(self.moments) > 1 and self.moments[1].at < before:
            self._packed_bytes -= len(self.moments.popleft().packed)

    def state(self, at: float) -> PoolState | None:
        """State at a time; the oldest one for an earlier time."""
        moments = tuple(self.moments)
        held = next((each for each in reversed(moments) if each.at <= at), moments[0] if moments else None)
        if held is None:
            return None
        packed = zlib.decompress(held.packed)
        return cast("PoolState", pickle.loads(packed))  # noqa: S301 - our own, and it never left the process


class HostPast:
    """Samples and states of one host's pools. Written on the collecting loop; read from any thread."""

    def __init__(self, *, keep_s: float = KEEP_S, max_bytes: int = MAX_BYTES) -> None:
        self._keep_s = keep_s
        self._max_bytes = max_bytes
        self._pools: dict[str, _PoolPast] = {}
        self._lock = threading.Lock()

    @property
    def size_bytes(self) -> int:
        """Memory used, in bytes."""
        with self._lock:
            return sum(past.size_bytes for past in self._pools.values())

    def take_in(self, samples: Sequence[IoSample], state: HostState, came_at: float) -> None:
        """Add new samples, and the state where it changed."""
        if self._keep_s <= 0:
            return
        for sample in samples:
            pool = state.pool(sample.pool)
            with self._lock:
                past = self._pools.get(sample.pool)
                if past is None:
                    past = self._pools[sample.pool] = _PoolPast(sample.pool, self._keep_s)
                has_grown = past.samples.add(sample, came_at)
                past.bandwidth.add(sample)
                if pool is not None:
                    past.note(pool, sample.at)
            if has_grown:
                self._make_room()
                self._forget_pools({pool.name for pool in state.pools}, sample.at)

    def span(self, pool: str) -> TimelineSpan | None:
        """Times of the first and last sample of a pool."""
        past = self._of(pool)
        return None if past is None else past.samples.span()

    def times(self) -> Mapping[str, Sequence[float]]:
        """Times of each pool's samples."""
        with self._lock:
            pools = dict(self._pools)
        return {name: past.samples.times() for name, past in pools.items()}

    def at(self, pool: str, epoch: float) -> Past | None:
        """State of a pool at a time, with its samples until then."""
        past = self._of(pool)
        if past is None:
            return None
        kept = past.samples.until(epoch, SHOWN)
        if not kept:
            return None
        newest = kept[-1]
        with self._lock:
            state = past.state(newest.sample.at)
        if state is None:
            state = PoolState(pool)
        samples = tuple(each.sample for each in kept)
        state = replace(state, samples=samples, io_at=newest.came_at, io_problem="")
        return Past(state, newest.sample.at, newest.came_at)

    def strips(self, pool: str, *, until: float, seconds: float, columns: int) -> Strips | None:
        """Latency of each vdev over time."""
        past = self._of(pool)
        if past is None:
            return None
        return past.samples.strips(until=until, seconds=seconds, columns=columns)

    def bandwidth(self, pool: str, *, until: float, seconds: float, columns: int) -> Bandwidth | None:
        """Bandwidth of a pool over time."""
        past = self._of(pool)
        return None if past is None else past.bandwidth.until(until, columns, seconds)

    def began_at(self) -> float | None:
        """Monotonic seconds of the oldest sample."""
        with self._lock:
            pools = tuple(self._pools.values())
        return min((kept.came_at for past in pools for kept in past.samples.walk(1)), default=None)

    def samples(self) -> Mapping[str, Iterator[TimedSample]]:
        """All samples of each pool, oldest first."""
        with self._lock:
            pools = dict(self._pools)
        return {name: past.samples.walk() for name, past in pools.items()}

    def _of(self, pool: str) -> _PoolPast | None:
        with self._lock:
            return self._pools.get(pool)

    def _forget_pools(self, names: set[str], now: float) -> None:
        """Drop pools without a sample in the kept time."""
        for name in tuple(self._pools.keys() - names):
            span = self._pools[name].samples.span()
            if span is None or span.last < now - self._keep_s:
                with self._lock:
                    del self._pools[name]

    def _make_room(self) -> None:
        """Drop the oldest samples of all pools until memory is within its bound."""
        with self._lock:
            total = sum(past.size_bytes for past in self._pools.values())
            while total > self._max_bytes:
                by_age = sorted(self._pools.values(), key=lambda past: past.samples.oldest_at or 0.0)
                saved = next((saved for past in by_age if (saved := past.drop_oldest())), 0)
                if not saved:
                    return
                total -= saved


def _health(pool: Pool | None) -> Hashable:
    """The parts of a status whose change is kept as a state of its own."""
    if pool is None:
        return None
    scan = pool.scan
    return (
        pool.state,
        pool.guid,
        None if scan is None else (scan.function, scan.state, scan.start),
        pool.error_count,
        tuple(
            (vdev.name, vdev.state, vdev.read_errors, vdev.write_errors, vdev.checksum_errors)
            for vdev in pool.walk()
        ),
    )
