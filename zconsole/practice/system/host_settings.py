"""What the console's script prints of the module, the hostid, the ARC and the event daemon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.practice.program_reply import Reply
from zconsole.practice.system.arcstats import arcstats
from zconsole.practice.world.host_world import World

_MARK: Final = "/sys/module/spl/parameters/spl_hostid"
_ARC: Final = frozenset({"c_max", "memory_all_bytes"})


def module_settings(world: World, args: Sequence[str]) -> Reply | None:
    """Answer of that script; None for another one."""
    if tuple(args[:1]) != ("-c",) or _MARK not in "".join(args[1:2]):
        return None
    named = [name for name in args[3:] if name in world.parameters]
    arc = (line.split() for line in arcstats(world).splitlines())
    lines = (
        *(f"parameter {name} {world.parameters[name]}" for name in named),
        "spl_hostid 0",
        f"etc_hostid {world.hostid:08x}" if world.hostid else "etc_hostid",  # no /etc/hostid
        *(f"arc {line[0]} {line[2]}" for line in arc if line and line[0] in _ARC),
        *world.zed_lines,
    )
    return Reply("".join(f"{line}\n" for line in lines))
