"""`zconsole capacity what-if --json`: what a change would bring to a live pool."""

from __future__ import annotations

from zconsole.analysis.pool_growth.change_outcome import ChangeOutcome
from zconsole.analysis.pool_growth.live_pool import LivePool
from zconsole.reports.json.json_line import SCHEMA, Document


def outcome_document(host: str, now: LivePool, outcome: ChangeOutcome) -> Document:
    """Return one change as an object."""
    return {
        "schema": SCHEMA,
        "host": host,
        "pool": now.pool.name,
        "what": outcome.what,
        "size_before_bytes": now.space.size_bytes,
        "size_after_bytes": outcome.size_after,
        "usable_before_bytes": now.usable_bytes,
        "usable_after_bytes": outcome.usable_after,
        "used_before_bytes": now.pool.usable_used_bytes or 0,
        "used_after_bytes": outcome.used_after,
        "unexplained_bytes": now.offset_bytes,
        "duration_s": outcome.duration_s,
        "notes": list(outcome.notes),
        "spread": [{"vdev": share.vdev, "part": share.part, "used": share.used} for share in outcome.spread],
        "stages": [
            {
                "what": stage.what,
                "survives": stage.survives,
                "duration_s": stage.duration_s,
                "is_offline": stage.is_offline,
            }
            for stage in outcome.stages
        ],
    }
