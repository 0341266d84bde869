"""Concurrent changes of a property by others while a plan ran, where no lock excludes other consoles.

ZFS silently accepts two values for one property in sequence; any other operation succeeds for one console
only and is refused for the second. The pool's history shows both, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from zconsole.actions.plan import Plan
from zconsole.base.errors import CommandFailed, ParseError, Stuck
from zconsole.collect.readings.facts_for_plans import read_history
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.zfs.listing.history import HistoryRecord, settings_in


async def history_before(reader: Reader, plan: Plan) -> Sequence[HistoryRecord] | None:
    """The pool's history before the plan is checked; None when it sets no property, or is unreadable."""
    if not any(settings_in(step.argv) for step in plan.steps):
        return None
    return await _read(reader, plan)


async def changes_during_run(reader: Reader, plan: Plan, before: Sequence[HistoryRecord] | None) -> str:
    """Changes of the same property by others since `history_before`, in words; "" when none or unknown."""
    now = await _read(reader, plan) if before is not None else None
    if before is None or now is None:
        return ""
    ours = {" ".join(step.argv) for step in plan.steps}
    same = frozenset(setting for step in plan.steps for setting in settings_in(step.argv))
    fresh = [record.text for record in now[len(before) :] if record.is_command]
    at = next((at for at, text in enumerate(fresh) if text in ours), len(fresh))
    return "; ".join(
        f"{'just before it' if index < at else 'after it'} somebody else ran: {text}"
        for index, text in enumerate(fresh)
        if text not in ours and same & settings_in(text.split(" "))
    )


async def _read(reader: Reader, plan: Plan) -> Sequence[HistoryRecord] | None:
    with suppress(CommandFailed, ParseError, Stuck):
        return await read_history(reader.asker, reader.privilege, plan.intent.pool)
    return None
