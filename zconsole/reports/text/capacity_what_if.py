"""`zconsole capacity what-if`: what a change would bring to a live pool, as JSON and in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.pool_growth.live_pool import Today
from zconsole.analysis.pool_growth.outcome import ChangeOutcome
from zconsole.base.formatting import duration
from zconsole.base.quantities import both
from zconsole.reports.json.document import SCHEMA, Document

_WIDTH: Final = 15


def outcome_document(host: str, now: Today, outcome: ChangeOutcome) -> Document:
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


def outcome_lines(host: str, now: Today, outcome: ChangeOutcome) -> Iterator[str]:
    """Yield one change in sentences, TB and TiB side by side."""
    used = now.pool.usable_used_bytes or 0
    yield f"{host} {now.pool.name}: {outcome.what}"
    yield _line("Now", _full(used, now.usable_bytes))
    yield _line("Then", _full(outcome.used_after, outcome.usable_after))
    gained = outcome.usable_after - now.usable_bytes
    if gained:
        yield _line("", f"{both(abs(gained))} {'more' if gained > 0 else 'less'} usable")
    freed = used - outcome.used_after
    if freed:
        yield _line("", f"{both(abs(freed))} {'less' if freed > 0 else 'more'} used")
    if outcome.duration_s is not None:
        yield _line("Takes", f"about {duration(outcome.duration_s)} of copying")
    for share in outcome.spread:
        yield _line("Writes", f"{share.part:.0%} to {share.vdev}, which is {share.used:.0%} full")
    for number, stage in enumerate(outcome.stages, start=1):
        time = "" if stage.duration_s is None else f", about {duration(stage.duration_s)}"
        stopped = ", nothing may write" if stage.is_offline else ""
        failures = "1 failure" if stage.survives == 1 else f"{stage.survives or 'no'} failures"
        if not stage.survives:
            failures = "no failure"
        yield _line(f"Step {number}", f"{stage.what}{time}{stopped}; survives {failures}")
    for note in outcome.notes:
        yield _line("Note", f"{note}.")
    if now.offset_bytes:
        yield _line(
            "Note",
            f"{both(now.offset_bytes)} of what is usable come from deduplication, clones, special vdevs, "
            "a checkpoint or a removal; taken as staying.",
        )


def _full(used: int, usable: int) -> str:
    return f"{both(used)} used of {both(usable)} usable, {used / usable:.0%}"


def _line(title: str, text: str) -> str:
    return f"  {title:<{_WIDTH - 2}}{text}"
