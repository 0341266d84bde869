"""`dd` of coreutils 9.4, as far as it reads a disk to nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.practice.program_reply import Reply
from zconsole.practice.world.host_world import World

_NOWHERE: Final = "/dev/null"
_FAILED: Final = 1


def dd(world: World, args: Sequence[str]) -> Reply:
    """Answer `dd if=DISK of=/dev/null count=N ...`; whatever else it can do is refused."""
    given = dict(word.partition("=")[::2] for word in args)
    if given.get("of") != _NOWHERE:
        return Reply(stderr="dd: the practice host only reads, to /dev/null\n", status=_FAILED)
    path, blocks = given.get("if", ""), given.get("count", "0")
    if world.user_id:
        return Reply(stderr=f"dd: failed to open '{path}': Permission denied\n", status=_FAILED)
    try:
        is_there = world.disk(path).is_present
    except KeyError:
        is_there = False
    if not is_there:
        return Reply(stderr=f"dd: failed to open '{path}': No such file or directory\n", status=_FAILED)
    return Reply(stderr=f"{blocks}+0 records in\n{blocks}+0 records out\n")
