"""Retention of sanoid: what it keeps and prunes, as in its `prune_snapshots`.

`daily = 30` means both: dailies older than 30 days are pruned, but only while there are more than 30. Kinds
are pruned independently.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from zconsole.analysis.snapshots.schedule_periods_and_gaps import DAY_S, HOUR_S, Taken
from zconsole.analysis.snapshots.tool_and_period_by_snapshot_name import SANOID, family_of
from zconsole.base.lazy_dataclass import dataclass
from zconsole.zfs.sanoid_conf import SanoidPolicy

_PERIODS_S: Final[Mapping[str, float]] = {
    "hourly": HOUR_S,
    "daily": DAY_S,
    "weekly": 7 * DAY_S,
    "monthly": 31 * DAY_S,
    "yearly": 365.25 * DAY_S,
}


@dataclass(frozen=True, slots=True)
class RetentionCount:
    """One kind of a dataset's snapshots: wanted number, existing ones, next to be pruned."""

    kind: str  # sanoid's name
    wanted: int
    snapshots: tuple[Taken, ...]  # oldest first
    prunes_now: tuple[Taken, ...] = ()
    next_to_go: Taken | None = None  # pruned after those
    next_at: float | None = None  # epoch seconds from which it may be pruned, once there are more than wanted


def retention(policy: SanoidPolicy, snapshots: Iterable[Taken], now: float) -> tuple[RetentionCount, ...]:
    """Retention of one dataset's snapshots if sanoid runs at `now`."""
    groups: dict[str, list[Taken]] = {}
    for each in snapshots:
        family = family_of(each.name)
        if family.tool == SANOID:
            groups.setdefault("frequently" if family.kind == "frequent" else family.kind, []).append(each)
    return tuple(
        _kept(policy, kind, sorted(groups.get(kind, ()), key=lambda each: each.creation), now)
        for kind, wanted in policy.keeps.items()
        if wanted or kind in groups
    )


def _kept(policy: SanoidPolicy, kind: str, ordered: Sequence[Taken], now: float) -> RetentionCount:
    wanted = policy.keeps.get(kind, 0)
    period = _PERIODS_S.get(kind, 60 * policy.frequent_minutes)
    prunes: list[Taken] = []
    for each in ordered if policy.is_pruning else ():
        if each.creation < now - wanted * period and len(ordered) - len(prunes) > wanted:
            prunes.append(each)
    left = ordered[len(prunes) :]  # the pruned ones are the oldest
    upcoming = left[0] if left and policy.is_pruning else None
    return RetentionCount(
        kind,
        wanted,
        tuple(ordered),
        tuple(prunes),
        upcoming,
        None if upcoming is None else upcoming.creation + wanted * period,
    )
