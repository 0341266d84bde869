"""Used percentage of a pool: of usable space if known, otherwise of raw space."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import Pool


@dataclass(frozen=True, slots=True)
class Fill:
    """Used and total; `is_raw` when parity is included because usable space is unknown."""

    used_bytes: int
    total_bytes: int
    is_raw: bool = False

    @property
    def percent(self) -> float:
        """The used part, 0 to 100."""
        return 100 * self.used_bytes / self.total_bytes


def fill(pool: Pool) -> Fill | None:
    """Used and total space of a pool; None when unknown."""
    if pool.usable_bytes and pool.usable_used_bytes is not None:
        return Fill(pool.usable_used_bytes, pool.usable_bytes)
    if pool.size_bytes and pool.allocated_bytes is not None:
        return Fill(pool.allocated_bytes, pool.size_bytes, is_raw=True)
    return None
