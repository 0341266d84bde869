"""Export of a host's last hour as a recording for `zconsole --replay`."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from zconsole.base.clock import Clock, ManualClock
from zconsole.base.errors import UsageError
from zconsole.history.command_results_of_last_hour import CachedStream, Memory
from zconsole.history.host_timeline import HostPast
from zconsole.history.iostat_history import TimedSample
from zconsole.hosts.recorded.record_host_answers import Json, Recorder
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.diskstats import DISKSTATS
from zconsole.zfs.iostat.iostat_stream import TOOL, pools_of
from zconsole.zfs.iostat.kernel_disk_of_row import device_names
from zconsole.zfs.iostat.row_to_scripted_line import lines_of

Event = tuple[float, str, Json, dict[str, bytes]]  # monotonic seconds, kind, fields, bytes by field
_MS: Final = 1000


def save(folder: Path, state: HostState, memory: Memory, past: HostPast, clock: Clock) -> Path:
    """Write the recording to a folder; takes seconds for hundreds of disks.

    Raises UsageError for a folder that cannot be used, HostError when its disk is full.
    """
    now, monotonic = clock.now(), clock.monotonic()
    start = past.began_at()
    if start is None:
        raise UsageError(f"there are no samples of {state.host} yet, and so nothing to save")
    time = ManualClock(start + now - monotonic)
    recorder = Recorder(folder, state.host, time)
    marks: Iterator[Event] = (
        (mark.at - now + monotonic, "mark", {"words": mark.words}, {}) for mark in state.marks
    )
    events: Iterable[Event] = heapq.merge(
        _answers(memory),
        _streams(memory),
        _samples(state, memory, past),
        marks,
        key=lambda event: max(event[0], start),
    )
    try:
        for at, kind, fields, data in events:
            time.advance(max(0.0, at - start - time.monotonic()))
            named = {field: recorder.blob(each) for field, each in data.items()}
            recorder.event(kind, **fields, **named)
    finally:
        recorder.close()
    return folder


def _answers(memory: Memory) -> Iterator[Event]:
    for answer in memory.answers():
        data = {field: memory.blob(name) for field, name in answer.blobs}
        whole = {field: each for field, each in data.items() if each is not None}
        if len(whole) == len(data):  # else dropped during the export
            fields = dict(answer.fields)
            yield answer.at, str(fields.pop("kind")), fields, whole


def _streams(memory: Memory) -> Iterator[Event]:
    """All streams, numbered, except `zpool iostat`."""
    return heapq.merge(
        *(
            _stream(number, stream, memory)
            for number, stream in enumerate(memory.streams())
            if _is_kept(stream)
        ),
        key=lambda event: event[0],
    )


def _is_kept(stream: CachedStream) -> bool:
    """Whether a stream's output is exported: histograms are not."""
    return pools_of(stream.argv) is not None or " ".join(stream.argv[:2]) != TOOL


def _stream(number: int, stream: CachedStream, memory: Memory) -> Iterator[Event]:
    yield stream.began_at, "open", {"stream": number, "argv": list(stream.argv)}, {}
    for at, chunk in stream.chunks:
        yield at, "chunk", {"stream": number}, {"data": memory.unpack(chunk)}
    if stream.ended_at is not None:
        yield stream.ended_at, "end", {"stream": number, "error": stream.error}, {}


def _samples(state: HostState, memory: Memory, past: HostPast) -> Iterator[Event]:
    """I/O samples in the format of `zpool iostat`, and disk utilization in the format of /proc/diskstats."""
    streams = [(number, each) for number, each in enumerate(memory.streams()) if pools_of(each.argv)]
    busy = _Busy(state)
    kept = heapq.merge(*past.samples().values(), key=lambda each: each.came_at)
    for came_at, together in groupby(kept, key=lambda each: each.came_at):
        burst = list(together)
        at = bisect_right(streams, came_at, key=lambda each: each[1].began_at) - 1
        if at < 0:
            continue
        text = b"".join(
            b"%d\n%s\n" % (each.sample.at, b"\n".join(lines_of(each.sample.rows))) for each in burst
        )
        yield came_at, "read", {"path": DISKSTATS, "error": None}, {"data": busy.after(came_at, burst)}
        yield came_at, "chunk", {"stream": streams[at][0]}, {"data": text}


class _Busy:
    """Synthetic /proc/diskstats with the fields that the console reads, mainly busy times."""

    def __init__(self, state: HostState) -> None:
        self._pools = {pool.name: pool.pool.value for pool in state.pools if pool.pool.value is not None}
        self._inventory = state.inventory.value or Inventory()
        self._devices: dict[tuple[str, tuple[str, ...]], tuple[str | None, ...]] = {}
        self._busy_ms: dict[str, float] = {}
        self._before: float | None = None

    def after(self, came_at: float, burst: list[TimedSample]) -> bytes:
        """Content of the file after an interval."""
        elapsed_s = 0.0 if self._before is None else came_at - self._before
        self._before = came_at
        for each in burst:
            for device, share in zip(self._devices_of(each), each.sample.busy, strict=False):
                if device is not None and share is not None:
                    self._busy_ms[device] = self._busy_ms.get(device, 0.0) + share * elapsed_s * _MS
        lines = (
            f"   0       0 {device} 0 0 0 0 0 0 0 0 0 {round(worked)} 0\n"
            for device, worked in self._busy_ms.items()
        )
        return "".join(lines).encode("utf-8", "surrogateescape")

    def _devices_of(self, kept: TimedSample) -> tuple[str | None, ...]:
        key = (kept.sample.pool, kept.sample.names)
        devices = self._devices.get(key)
        if devices is None:
            pool = self._pools.get(kept.sample.pool)
            devices = () if pool is None else device_names(pool, kept.sample, self._inventory)
            self._devices[key] = devices
        return devices
