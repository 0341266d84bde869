"""Space to free so that a pool, or a dataset with a quota, is below a level of use again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from zconsole.analysis.vdevs.pool_used_percent import Fill
from zconsole.base.finding_thresholds import LAST_PERCENT, Thresholds
from zconsole.base.fixed_width_formatting import size, used_percent
from zconsole.base.lazy_dataclass import dataclass

_DEFAULT: Final = Thresholds()
LEVELS: Final = tuple(  # percent
    map(int, (LAST_PERCENT, _DEFAULT.used_critical_percent, _DEFAULT.used_warning_percent))
)
WHOLE: Final = 100


class HasQuota(Protocol):
    """A file system or volume with its quota; bytes, None is unknown or no quota."""

    @property
    def name(self) -> str: ...

    @property
    def used_bytes(self) -> int | None: ...

    @property
    def quota_bytes(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class SpaceLimit:
    """What may be used, bytes: of a pool all usable space, of a dataset its quota."""

    of: str
    fill: Fill
    is_quota: bool = False

    @property
    def in_words(self) -> str:
        """`tank is 97% used, of 14.0 TiB`."""
        name = f"{self.of} (by its quota)" if self.is_quota else self.of
        return f"{name} is {used_percent(self.fill.percent)} used, of {size(self.fill.total_bytes)}"


@dataclass(frozen=True, slots=True)
class SpaceGoal:
    """Bytes to free to be at a level, in percent of the limit."""

    limit: SpaceLimit
    percent: int
    need_bytes: int


def tightest(dataset: str, pool: SpaceLimit | None, listed: Iterable[HasQuota]) -> SpaceLimit | None:
    """The limit that is used most, of those that a write to a dataset meets; None where none is known.

    A refquota is none of them: destroyed snapshots do not count in it.
    """
    limits = [
        SpaceLimit(each.name, Fill(each.used_bytes, each.quota_bytes), is_quota=True)
        for each in listed
        if each.quota_bytes and each.used_bytes is not None and f"{dataset}/".startswith(f"{each.name}/")
    ]
    if pool is not None and pool.fill.total_bytes > 0:
        limits.append(pool)
    return max(limits, key=lambda each: each.fill.percent, default=None)


def space_goals(limit: SpaceLimit | None) -> tuple[SpaceGoal, ...]:
    """Levels that are exceeded, with the bytes to free to be at each; the smallest amount first."""
    if limit is None:
        return ()
    used, total = limit.fill.used_bytes, limit.fill.total_bytes
    needs = ((level, used - total * level // WHOLE) for level in LEVELS)
    return tuple(SpaceGoal(limit, level, need) for level, need in needs if need > 0)
