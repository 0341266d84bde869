"""Effect of other properties, fewer snapshots or deduplication on a pool's data.

Compression, recordsize and copies apply to new writes; old data is unchanged until it is rewritten. Each
function computes the result after a complete rewrite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from zconsole.analysis.pool_growth.live_pool import LivePool
from zconsole.analysis.pool_layouts.usable_space_by_block_size import relative
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import block_size, both
from zconsole.model.pools.space_samples import DatasetUse

ENTRY_BYTES: Final = (
    320  # bytes of memory per block in a dedup table, a rule of thumb; fast dedup (2.3) takes less
)
MOST_COPIES: Final = 3
_TOLD: Final = 0.01  # of USED: less than that is metadata that is counted in other ways
_ON_REWRITING: Final = (
    "the property applies to new writes only; this is the result after all data has been rewritten",
)
_ON_COPIES: Final = (
    "copies are no redundancy of the pool: they repair damaged sectors, and are lost with their disks",
)
_ON_DEDUP: Final = ("USED counts each reference in full: what deduplication saves is more AVAIL",)
_ON_SNAPSHOTS: Final = (
    "held snapshots, and those with clones, stay: it is so much at most",
    "their contents cannot be restored then; `zconsole reclaim` finds the oldest or the fewest that suffice",
)


@dataclass(frozen=True, slots=True)
class Tuned:
    """Used bytes of the data before and after; `usable_bytes` is of the pool afterwards."""

    used_before: int
    used_after: int
    usable_bytes: int
    notes: tuple[str, ...] = ()
    more_usable_bytes: int = 0  # deduplicated data counts in full: ZFS shows what it saves as available

    @property
    def freed_bytes(self) -> int:
        """Space gained; negative if it costs space."""
        return self.used_before - self.used_after + self.more_usable_bytes


def without_snapshots(now: LivePool, uses: Iterable[DatasetUse], dataset: str) -> Tuned:
    """Space after destroying all snapshots of a dataset and its descendants: their USEDSNAP is freed.

    Raises UsageError when that is unknown.
    """
    within = [use for use in uses if use.name == dataset or use.name.startswith(f"{dataset}/")]
    if not within:
        raise UsageError(
            f"what the snapshots of {dataset} hold is not known", hint="Check that it belongs to this pool."
        )
    freed = sum(use.snapshots_bytes or 0 for use in within)
    used = _used(now)
    return Tuned(used, used - min(freed, used), now.usable_bytes, _ON_SNAPSHOTS)


def compressed(now: LivePool, data_bytes: int, before: Fraction, after: Fraction) -> Tuned:
    """Space of data at another compress ratio: 1.5 takes two thirds of the logical size."""
    if before < 1 or after < 1:
        raise UsageError("a compress ratio is 1 or more")
    return _rewritten(now, data_bytes, before / after)


def with_block_size(now: LivePool, data_bytes: int, before: int, after: int) -> Tuned:
    """Space of data in blocks of another size: parity and padding are per block.

    Compression is assumed unchanged, although larger blocks compress better; small files stay small.
    """
    vdevs = now.data_shares
    least = f", if all of it is in blocks of {block_size(before)} now" if after < before else ""
    found = _rewritten(now, data_bytes, relative(vdevs, before) / relative(vdevs, after), least_if=least)
    return replace(found, notes=(*_on_compression(now, after), *found.notes))


def _on_compression(now: LivePool, after: int) -> Iterator[str]:
    """What the figure leaves out: compression saves whole sectors, and none in a block of one."""
    sector = 1 << max((each.ashift for each in now.vdevs), default=0)
    if after <= sector:
        yield (
            f"compression saves nothing in blocks of {block_size(sector)} (ashift) or less, but for zeros "
            "and what fits in 112 bytes: what it saves now is needed in addition"
        )
    else:
        yield "compression is taken to save as much as now: in smaller blocks it saves less"


def with_copies(now: LivePool, data_bytes: int, before: int, after: int) -> Tuned:
    """Space of data with another number of copies."""
    if not (1 <= before <= MOST_COPIES and 1 <= after <= MOST_COPIES):
        raise UsageError(f"copies are 1 to {MOST_COPIES}")
    found = _rewritten(now, data_bytes, Fraction(after, before))
    return replace(found, notes=(*found.notes, *(_ON_COPIES if after > before else ())))


def dedup_table_bytes(data_bytes: int, block_bytes: int, ratio: Fraction = Fraction(1)) -> int:
    """Memory of a dedup table for data in blocks of this size: one entry per unique block."""
    if ratio < 1:
        raise UsageError("a dedup ratio is 1 or more")
    unique = Fraction(data_bytes, block_bytes) / ratio
    return -(-unique.numerator // unique.denominator) * ENTRY_BYTES


def deduplicated(now: LivePool, data_bytes: int, ratio: Fraction) -> Tuned:
    """Space of data in which this many references share a block on average.

    USED counts each reference in full; what is saved appears as available space (`spa_update_dspace`).
    """
    if ratio < 1:
        raise UsageError("a dedup ratio is 1 or more")
    found = _rewritten(now, data_bytes, 1 / ratio)
    return replace(
        found,
        used_after=found.used_before,
        usable_bytes=found.usable_bytes + found.freed_bytes,
        more_usable_bytes=found.freed_bytes,
        notes=(*found.notes, *_ON_DEDUP),
    )


def _rewritten(now: LivePool, data_bytes: int, factor: Fraction, *, least_if: str = "") -> Tuned:
    """The data times a factor; `least_if` says under which condition that is what it needs at least."""
    used = _used(now)
    if not 0 <= data_bytes <= used:
        raise UsageError("that is more data than the pool has")
    reserved = now.reserved_bytes if now.reserved_bytes > _TOLD * used else 0
    data = min(data_bytes, used - reserved)
    after, usable = used - data + int(data * factor), now.usable_bytes
    over = f"{'at least ' if least_if else ''}{both(after - usable)} too much{least_if}"
    too_much = (f"the pool does not hold it: {over}",) if after > usable else ()
    kept = (_on_reserved(reserved),) if reserved else ()
    return Tuned(used, after, usable, (*_ON_REWRITING, *kept, *too_much))


def _on_reserved(reserved: int) -> str:
    return (
        f"{both(reserved)} of USED are reserved (refreservation) and not written: that stays; what a volume "
        "grows by comes out of its reservation first, and what it saves goes back to it: so much at most"
    )


def _used(now: LivePool) -> int:
    return now.pool.usable_used_bytes or 0
