"""Outcome of a change to a live pool, in one form for all kinds."""

from __future__ import annotations

from zconsole.analysis.pool_growth.effects_on_used_space import Tuned
from zconsole.analysis.pool_growth.live_pool import LivePool
from zconsole.analysis.pool_growth.migration import Migration, MigrationStage
from zconsole.analysis.pool_growth.what_if import WhatIf
from zconsole.analysis.pool_growth.write_distribution import Share
from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ChangeOutcome:
    """Change with its outcome: space, data, or a migration."""

    what: str
    size_after: int
    usable_after: int
    used_after: int
    notes: tuple[str, ...] = ()
    duration_s: float | None = None
    spread: tuple[Share, ...] = ()
    stages: tuple[MigrationStage, ...] = ()
    held_bytes: int = 0  # of what is usable beyond the calculated space today: what the change ends


def outcome_of(now: LivePool, what: str, result: WhatIf | Tuned | Migration) -> ChangeOutcome:
    """A result in the common form."""
    match result:
        case Tuned():
            return ChangeOutcome(
                what, now.space.size_bytes, result.usable_bytes, result.used_after, result.notes
            )
        case WhatIf() | Migration():
            return ChangeOutcome(
                what,
                result.size_after,
                result.usable_after,
                (now.pool.usable_used_bytes or 0) if isinstance(result, WhatIf) else result.used_after,
                result.notes,
                result.duration_s,
                spread=result.spread if isinstance(result, WhatIf) else (),
                stages=result.stages if isinstance(result, Migration) else (),
                held_bytes=result.held_bytes if isinstance(result, WhatIf) else 0,
            )
