"""`zpool events` and `zpool history`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from zconsole.practice.getopt import Options
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.host_world import EventValue, Named, PracticeEvent, World
from zconsole.practice.world.pools_and_vdevs import PracticePool

EVENTS_SHORT: Final = "vHfc"
HISTORY_SHORT: Final = "il"
_HEADER: Final = "TIME                           CLASS\n"


def events_header(options: Options) -> str:
    """The title line; none with -H."""
    return "" if "H" in options else _HEADER


def events_text(events: Sequence[PracticeEvent], options: Options) -> str:
    """Some events, as `zpool events` prints them."""
    pool = options.operands[0] if options.operands else None
    return "".join(_event(event, options) for event in events if pool in {None, event.pool})


def _event(event: PracticeEvent, options: Options) -> str:
    seconds, nanoseconds = int(event.at), int(event.at % 1 * 1e9)
    when = f"{time.strftime('%b %e %Y %H:%M:%S', time.gmtime(seconds))}.{nanoseconds:09d}"
    gap = "\t" if "H" in options else " "
    text = f"{when}{gap}{event.event_class}\n"
    if "v" not in options:
        return text
    fields: tuple[tuple[str, EventValue], ...] = (
        ("version", 0),
        ("class", event.event_class),
        ("pool", event.pool),
        ("pool_guid", event.pool_guid),
        ("pool_state", 0),
        ("pool_context", event.context),
        *event.fields,
    )
    lines = "".join(f"        {name} = {_value(value)}\n" for name, value in fields)
    return f"{text}{lines}        time = 0x{seconds:x} 0x{nanoseconds:x} \n        eid = 0x{event.eid:x}\n\n"


def _value(value: EventValue) -> str:
    if isinstance(value, Named):
        return f'"{value.name}" (0x{value.number:x})'
    return f"0x{value:x}" if isinstance(value, int) else f'"{value}"'


def zpool_history(world: World, pools: list[PracticePool], options: Options) -> Reply:
    """Answer `zpool history`."""
    if not pools:
        return Reply(stderr="no pools available\n")
    return Reply("".join(_history(world, pool, options) for pool in pools))


def _history(world: World, pool: PracticePool, options: Options) -> str:
    text = f"History for '{pool.name}':\n"
    for record in pool.history:
        if record.txg is not None and "i" not in options:
            continue
        txg = f"[txg:{record.txg}] " if record.txg is not None else ""
        who = (
            f"on {world.hostname}"
            if txg
            else f"user {record.user[0]} ({record.user[1]}) on {world.hostname}:linux"
        )
        when = world.stamp("%Y-%m-%d.%H:%M:%S", record.at)
        text += f"{when} {txg}{record.text}{f' [{who}]' if 'l' in options else ''}\n"
    return text + "\n"
