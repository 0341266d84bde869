"""Differences between a saved plan and the present plan of the same intent."""

from __future__ import annotations

from zconsole.actions.plan import Plan
from zconsole.zfs.change.channel_program import without_bounds


def other_doing(planned: Plan, now: Plan) -> tuple[str, ...]:
    """Differences, a sentence each."""
    found: list[str] = []
    if _doing(planned) != _doing(now):
        commands = "; ".join(" ".join(step.argv) for step in now.steps)
        found.append(f"the commands would be others: {commands}")
    gone = sorted(set(planned.destroys) - set(now.destroys))
    new = sorted(set(now.destroys) - set(planned.destroys))
    found += [f"{name} would not be destroyed any more" for name in gone]
    found += [f"{name} would be destroyed too" for name in new]
    if now.risk.rank > planned.risk.rank:
        found.append(f"it is {now.risk.value} now, and was {planned.risk.value}")
    if not found and now.confirm != planned.confirm:
        found.append(f"what confirms it is {now.confirm!r} now, and was {planned.confirm!r}")
    return tuple(found)


def _doing(plan: Plan) -> list[tuple[str, tuple[str, ...], str | None]]:
    return [(step.on, without_bounds(step.argv, step.stdin), step.stdin) for step in plan.steps]
