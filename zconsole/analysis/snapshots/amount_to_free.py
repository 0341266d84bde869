"""Space to free so that a pool, or a dataset with a quota, is below a level of use again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

LEVELS: Final = (
    95,
    90,
    80,
)  # percent: where writes are soon to fail, of the critical finding, of the warning
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
    used_bytes: int
    total_bytes: int
    is_quota: bool = False

    @property
    def percent(self) -> float:
        """The used part, 0 to 100 and more."""
        return WHOLE * self.used_bytes / self.total_bytes

    @property
    def name(self) -> str:
        """What is limited, for a sentence."""
        return f"{self.of} (by its quota)" if self.is_quota else self.of


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
        SpaceLimit(each.name, each.used_bytes, each.quota_bytes, is_quota=True)
        for each in listed
        if each.quota_bytes and each.used_bytes is not None and f"{dataset}/".startswith(f"{each.name}/")
    ]
    if pool is not None and pool.total_bytes > 0:
        limits.append(pool)
    return max(limits, key=lambda each: each.percent, default=None)


def space_goals(limit: SpaceLimit | None) -> tuple[SpaceGoal, ...]:
    """Levels that are exceeded, with the bytes to free to be at each; the smallest amount first."""
    if limit is None:
        return ()
    needs = ((level, limit.used_bytes - limit.total_bytes * level // WHOLE) for level in LEVELS)
    return tuple(SpaceGoal(limit, level, need) for level, need in needs if need > 0)
