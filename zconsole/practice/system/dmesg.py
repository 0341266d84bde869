"""`dmesg` of util-linux: the messages of the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.practice.program_reply import Reply
from zconsole.practice.world.host_world import World

_KNOWN: Final = {"--kernel", "--decode", "--time-format=iso", "--color=never"}
_MICROSECONDS: Final = 1_000_000


def dmesg(world: World, args: Sequence[str]) -> Reply:
    """Answer `dmesg --kernel --decode --time-format=iso --color=never`."""
    if set(args) != _KNOWN:
        return Reply(stderr="dmesg: the practice host does not do this\n", status=1)
    if world.user_id:  # as where kernel.dmesg_restrict is set
        return Reply(stderr="dmesg: read kernel buffer failed: Operation not permitted\n", status=1)
    return Reply("".join(_line(world, at, message) for at, message in world.kernel_log))


def _line(world: World, at: float, message: str) -> str:
    level = "err" if message.startswith("critical") else "info"
    fraction = int(at * _MICROSECONDS) % _MICROSECONDS
    stamp = f"{world.stamp('%Y-%m-%dT%H:%M:%S', at)},{fraction:06}+00:00"
    return f"kern  :{level:<6}: {stamp} {message}\n"
