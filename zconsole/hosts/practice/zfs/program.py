"""`zfs program`: the practice host has no Lua, and answers as one on which the user may not run programs."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.hosts.practice.reply import Reply
from zconsole.hosts.practice.world import World
from zconsole.hosts.practice.zfs.call import Call

_ARGUMENTS = 2  # a pool and a file; what follows is the program's


def program(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs program`."""
    call = Call(world, "program", args, "jnt:m:")
    if len(call.operands) < _ARGUMENTS:
        raise call.misused("invalid number of arguments")
    pool, file = call.operands[:2]
    for letter in ("t", "m"):
        limit = call.options.last(letter)
        if limit is not None and not limit.isdigit():
            raise call.misused(f"invalid argument '{limit}': expected integer")
    if file != "-":
        raise call.failed(f"cannot open '{file}': No such file or directory")
    if pool not in world.pools:
        raise call.failed(f"cannot open '{pool}': no such pool\ncannot open pool '{pool}'")
    raise call.failed(
        "Channel program execution failed:\nPermission denied. Channel programs must be run as root."
    )
