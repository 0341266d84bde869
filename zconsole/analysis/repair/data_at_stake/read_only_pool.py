"""What to do about a pool that was imported read-only: ZFS repairs, resilvers and clears nothing of it."""

from __future__ import annotations

from zconsole.analysis.vdevs.redundancy import pool_redundancy
from zconsole.model.pools.pool import Pool


def is_copied_first(pool: Pool) -> bool:
    """Whether data is at stake when the pool is given up and imported for writing.

    A damaged pool may not import again; for writing it frees and overwrites what a rewind could still reach.
    """
    return bool(pool.data_errors) or any(
        each.is_used_up or each.left < 0 or each.may_be_used_up for each in pool_redundancy(pool)
    )


def way_out_of_read_only(pool: Pool) -> str:
    """What to do first, as an instruction."""
    export = f"export {pool.name}, and import it without readonly=on when it may be written to"
    if is_copied_first(pool):
        return (
            f"copy what matters off {pool.name} first, while it is imported (zfs send of its snapshots works "
            f"read-only): an import for writing may fail, and changes what is there; then {export}"
        )
    return export
