"""What somebody else did to the same property while a plan ran, where no lock kept other consoles away.

ZFS takes two values for one property one after the other and says nothing; whatever else two consoles could
both do, it does once, and refuses the second. The pool's history has both, in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from zconsole.actions.plan import Plan
from zconsole.base.errors import CommandFailed, ParseError, Stuck
from zconsole.collect.readings.single_readings import read_history
from zconsole.execution.facts.read_facts import Reader
from zconsole.zfs.listing.history import HistoryRecord, settings_in


async def history_before(reader: Reader, plan: Plan) -> Sequence[HistoryRecord] | None:
    """The pool's history before the plan is checked; None where it sets no property, or may not be read."""
    if not any(settings_in(step.argv) for step in plan.steps):
        return None
    return await _read(reader, plan)


async def done_beside(reader: Reader, plan: Plan, before: Sequence[HistoryRecord] | None) -> str:
    """What others set of the same since then, in words; "" where nothing, or where it cannot be told."""
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
