"""Whether a recording is one that can be judged: of one pool, with vdevs by name, and how far apart.

`zpool iostat -H` marks no pool: its row is like that of a disk with space of its own. What tells pools apart
is that ids of top-level vdevs are unique in a pool, that the space of a pool is the sum of that of its vdevs
(all but log and cache), and that a disk with space of its own has no rows below it. What may be one pool is
taken as one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from statistics import median
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.model.pools.iostat import IoRow, IoSample

LONGEST_INTERVAL_S: Final = 60.0
_TOP: Final = re.compile(r"(?:mirror|raidz[123]?|draid[123]?(?::\S{1,40})?|indirect|missing|hole)-(\d{1,9})")
_INNER: Final = re.compile(r"(?:spare|replacing)-\d{1,9}")
_GUID: Final = re.compile(r"\d{12,20}")
_SAME: Final = 0.01  # of the space: it is read a moment later


def refuse_several_pools(sample: IoSample, starts: Sequence[int], command: str) -> None:
    """Raise UsageError for a sample of several pools, or of vdevs that are named by guid.

    `starts` are the rows after a blank line, each the first of a vdev class.
    """
    rows = list(sample.rows)
    hint = f"A recording is what `{command}` prints."
    if any(_GUID.fullmatch(row.name) and _has_children(rows, at) for at, row in enumerate(rows)):
        raise UsageError(
            "the recording names vdevs by guid (-g): what is a mirror, raidz or disk is not known", hint=hint
        )
    if other := _other_pool(rows, starts):
        raise UsageError(
            f"the recording is of several pools ({sample.pool}, {other}): one pool at a time is judged",
            hint=hint,
        )


def interval_of(samples: Sequence[tuple[int, float]]) -> float:
    """Seconds between samples, by their numbers and epochs; 1 where these are of one moment.

    Raises UsageError where they are too far apart.
    """
    found = median(
        [(after - before) / (later - one) for (one, before), (later, after) in pairwise(samples)] or [1]
    )
    if found > LONGEST_INTERVAL_S:
        raise UsageError(
            f"the samples of the recording are {found:g} s apart: those of {LONGEST_INTERVAL_S:g} s or less "
            "are judged, best of one second"
        )
    return found if found > 0 else 1.0


def _other_pool(rows: Sequence[IoRow], starts: Sequence[int]) -> str:
    """The name of a second pool in a sample; empty where it may be of one."""
    tops = [at for at, row in enumerate(rows) if at and _size(row)]
    ids: set[str] = set()
    for at in tops:
        found = _TOP.fullmatch(rows[at].name)
        if found is None:
            continue
        if found[1] in ids:
            return rows[at - 1].name
        ids.add(found[1])
    return next((rows[at].name for at in tops if _is_pool(rows, tops, at, starts)), "")


def _is_pool(rows: Sequence[IoRow], tops: Sequence[int], at: int, starts: Sequence[int]) -> bool:
    """Whether a row with space is that of a pool, by its vdevs."""
    if at in starts or _is_group(rows[at]):
        return False
    is_first_class = not any(start <= at for start in starts)
    if is_first_class and _has_children(rows, at):
        return True
    before = (_size(rows[top]) for top in tops if top < at)
    if _size(rows[0]) not in accumulate(before):
        return False
    allocated, behind = rows[at].allocated_bytes or 0, [rows[top] for top in tops if top > at]
    sums = zip(
        accumulate(map(_size, behind)), accumulate(row.allocated_bytes or 0 for row in behind), strict=True
    )
    near = _SAME * allocated if is_first_class else 0.0
    return allocated > 0 and any(
        size == _size(rows[at]) and abs(used - allocated) <= near for size, used in sums
    )


def _has_children(rows: Sequence[IoRow], at: int) -> bool:
    """Whether the row below is of a device within it: one that works, and has no space of its own."""
    below = rows[at + 1] if 0 < at + 1 < len(rows) else None
    return (
        at > 0
        and below is not None
        and bool(_size(rows[at]))
        and not _size(below)
        and not _is_group(below)
        and below.read_ops + below.write_ops > 0
    )


def _is_group(row: IoRow) -> bool:
    return bool(_TOP.fullmatch(row.name) or _INNER.fullmatch(row.name))


def _size(row: IoRow) -> int:
    return (row.allocated_bytes or 0) + (row.free_bytes or 0)
