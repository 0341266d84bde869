"""Streams of samples made by hand: what each disk did, second by second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout, layout_of
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.iostat import IoRow, IoSample, Latency, Queues
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.slow_disk import Judgement

AT = 1_800_000_000.0
MS = 1_000_000.0
KIB = 1024.0
MIRRORS = ("mirror-0", "a", "b", "mirror-1", "c", "d", "mirror-2", "e", "f")
RAIDZ = ("raidz2-0", *(f"d{at}" for at in range(8)))
LONE = ("a", "b", "c", "d")
GROUPS = ("mirror", "raidz", "draid", "spare", "replacing")


@dataclass(frozen=True)
class Did:
    """What a disk did in a second: operations, milliseconds each took, and what else ran on it."""

    reads: float = 0
    read_ms: float | None = None
    writes: float = 0
    write_ms: float | None = None
    sync: bool = False
    scrub: bool = False
    trim: bool = False
    rebuild: bool = False
    read_bytes: float | None = None
    write_bytes: float | None = None
    active: int = 0  # reads at the disk


IDLE = Did()
HEALTHY = Did(30, 10, 30, 12)
Act = Callable[[int, str], Did]


def slow(times: float, of: Did = HEALTHY, *, reads: bool = True, writes: bool = True) -> Did:
    """The same with every operation so many times as long."""
    return Did(
        of.reads,
        of.read_ms if of.read_ms is None or not reads else times * of.read_ms,
        of.writes,
        of.write_ms if of.write_ms is None or not writes else times * of.write_ms,
    )


def row(name: str, did: Did, *, is_top: bool = False) -> IoRow:
    """A line of `zpool iostat`."""
    read_ns = None if did.read_ms is None else did.read_ms * MS
    write_ns = None if did.write_ms is None else did.write_ms * MS
    return IoRow(
        name,
        1000 if is_top else None,
        9000 if is_top else None,
        did.reads,
        did.writes,
        16 * KIB * did.reads if did.read_bytes is None else did.read_bytes,
        16 * KIB * did.writes if did.write_bytes is None else did.write_bytes,
        Latency(
            disk_read=read_ns,
            disk_write=write_ns,
            syncq_write=1000.0 if did.sync else None,
            asyncq_write=None if did.sync or write_ns is None else 1000.0,
            scrub=1000.0 if did.scrub else None,
            trim=1000.0 if did.trim else None,
            rebuild=1000.0 if did.rebuild else None,
        ),
        Queues(syncq_read_active=did.active),
    )


def sample(number: int, names: Sequence[str], act: Act) -> IoSample:
    """One second of a pool whose rows have these names; groups do nothing of their own."""
    is_below = False
    rows = [row("tank", IDLE, is_top=True)]
    for name in names:
        is_group = name.startswith(GROUPS)
        is_below = is_below or is_group
        rows.append(row(name, IDLE if is_group else act(number, name), is_top=is_group or not is_below))
    return IoSample("tank", AT + number, tuple(rows))


def watch(
    names: Sequence[str],
    act: Act,
    samples: int = 60,
    *,
    pool: Pool | None = None,
    inventory: Inventory | None = None,
) -> Detector:
    """A detector that has seen so many seconds."""
    detector = Detector(inferred_layout if pool is None else partial(layout_of, pool, inventory))
    for number in range(samples):
        detector.feed(sample(number, names, act))
    return detector


def judge(
    names: Sequence[str],
    act: Act,
    samples: int = 60,
    *,
    pool: Pool | None = None,
    inventory: Inventory | None = None,
) -> Judgement:
    """What is said after so many seconds."""
    return watch(names, act, samples, pool=pool, inventory=inventory).judgement()


def named(judgement: Judgement) -> set[str]:
    """The disks that are said to be slow, or to have been."""
    return {verdict.disk for verdict in judgement.verdicts}


def one_slow(disk: str, did: Did, since: int = 0) -> Act:
    """All are healthy but one, from some second on."""
    return lambda number, name: did if name == disk and number >= since else HEALTHY
