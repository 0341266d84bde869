"""Media told by latency from the first seconds on, where nobody says what the disks are, as in a recording.

Flash answers within a millisecond, and disks that rotate take several. Where whole vdevs, or a side of every
mirror, are of the one kind and the others of the other kind, they are media, and are not compared. A single
disk or one side of a single mirror that is slower is judged as a slow disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from zconsole.analysis.slow_disks.disk_memory import DiskMemory
from zconsole.analysis.slow_disks.peer_groups import LONE, MIRROR, PeerGroups
from zconsole.base.fixed_width_formatting import latency
from zconsole.base.name_lists import shortened
from zconsole.model.finding import Finding, Severity

FAST: Final = "disks as fast as flash"
SLOW: Final = "disks as slow as those that rotate"
UNLIKE_MEDIA: Final = "unlike-media"  # id of the finding
FASTEST_ROTATING_NS: Final = 1e6
LEAST_RATIO: Final = 4.0  # between the fastest of the slow ones and the slowest of the fast ones
LEAST_OPERATIONS: Final = 20.0  # of each disk
_PAIR: Final = 2
_MOST_NAMED: Final = 8
_Key = tuple[str, str]


def media_by_latency(
    layout: PeerGroups, disks: Sequence[DiskMemory], sample: int
) -> Mapping[_Key, str] | None:
    """The kinds of disks of unknown media, by their keys; empty where they are alike, None for not yet."""
    kinds: dict[_Key, str] = {}
    for role in {member.role for member in layout.members}:
        judged = [
            at
            for at, member in enumerate(layout.members)
            if member.role == role and not member.kind and not member.exemption
        ]
        if any(sum(track.operations for track in disks[at].tracks) < LEAST_OPERATIONS for at in judged):
            return None
        latencies = {at: found for at in judged if (found := _latency(disks[at], sample)) is not None}
        slow = _slow_ones(latencies)
        if slow and _are_media(layout, set(latencies), slow):
            kinds |= {layout.members[at].key: SLOW if at in slow else FAST for at in latencies}
    return kinds


def unlike_media(
    pool: str, layout: PeerGroups, disks: Sequence[DiskMemory], kinds: Mapping[_Key, str], sample: int
) -> Iterator[Finding]:
    """That disks are of two media, as it seems, and are not compared."""
    sides: dict[str, list[tuple[str, float]]] = {SLOW: [], FAST: []}
    for member, state in zip(layout.members, disks, strict=True):
        took = _latency(state, sample)
        if took is not None and kinds.get(member.key) in sides:
            sides[kinds[member.key]].append((member.disk, took))
    if not all(sides.values()):
        return
    slow, fast = (tuple(disk for disk, _ in sides[kind]) for kind in (SLOW, FAST))
    slow_ns, fast_ns = min(took for _, took in sides[SLOW]), max(took for _, took in sides[FAST])
    yield Finding(
        UNLIKE_MEDIA,
        Severity.INFO,
        pool,
        f"{shortened(slow, _MOST_NAMED)} took {latency(slow_ns)} or more from the first seconds on, "
        f"{shortened(fast, _MOST_NAMED)} {latency(fast_ns)} or less, as disks that rotate and flash do: they "
        "are not compared. What they are is not known; if all are of one kind, the former are slow",
        {"pool": pool, "slow": slow, "fast": fast, "slow_ns": slow_ns, "fast_ns": fast_ns},
    )


def _latency(state: DiskMemory, sample: int) -> float | None:
    """The shorter one of its reads and writes: a cache may hide either."""
    seen = [found for track in state.tracks if (found := track.recent_ns(sample)) is not None]
    return min(seen, default=None)


def _slow_ones(latencies: Mapping[int, float]) -> set[int]:
    """The slower of two sides with a wide gap between them, across the latency that no rotating disk has."""
    slow = {at for at, took in latencies.items() if took > FASTEST_ROTATING_NS}
    fast = latencies.keys() - slow
    if not slow or not fast:
        return set()
    gap = min(latencies[at] for at in slow) / max(latencies[at] for at in fast)
    return slow if gap >= LEAST_RATIO else set()


def _are_media(layout: PeerGroups, judged: set[int], slow: set[int]) -> bool:
    """Whether the slow ones are whole vdevs, or a side of each of several mirrors."""
    sides = [(vdev, [at in slow for at in vdev if at in judged]) for vdev in layout.vdevs]
    known = [(layout.members[vdev[0]].shape, side) for vdev, side in sides if side]
    if all(all(side) or not any(side) for _, side in known):
        return all(shape != LONE and len(side) > 1 for shape, side in known if any(side))
    return len(known) >= _PAIR and all(
        shape == MIRROR and any(side) and not all(side) for shape, side in known
    )
