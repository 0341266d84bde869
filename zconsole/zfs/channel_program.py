"""`zfs program`: snapshots destroyed in the same txg in which their guids are checked, all or none.

A channel program runs as root, inside of one txg, and nothing else changes the pool meanwhile
(zfs-program(8)). So no snapshot that took a reviewed name in the last moment is ever hit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.zfs.change_dataset import Argv

MOST_SNAPSHOTS: Final = 500  # a program: far inside of 10 million instructions and 10 MB, and of one argv
_GUIDS: Final = 1 << 64
_SIGN: Final = 1 << 63

DESTROY_SNAPSHOTS: Final = """\
-- Arguments: each snapshot followed by its guid. Nothing is destroyed before all have been checked.
local args = ...
local argv = args["argv"]
for i = 1, #argv, 2 do
    if not zfs.exists(argv[i]) then
        error(argv[i] .. " is gone", 0)
    end
    if "guid=" .. (zfs.get_prop(argv[i], "guid")) ~= argv[i + 1] then
        error(argv[i] .. " is another snapshot than the one that was reviewed", 0)
    end
    local why = zfs.check.destroy(argv[i])
    if why ~= 0 then
        error(argv[i] .. " cannot be destroyed: error " .. why, 0)
    end
end
for i = 1, #argv, 2 do
    local why = zfs.sync.destroy(argv[i])
    if why ~= 0 then
        error(argv[i] .. " was not destroyed: error " .. why, 0)
    end
end
return #argv / 2
"""
_BROKEN: Final = "return (\n"
_COMPLAINT: Final = b'[string "channel program"]'  # of Lua's about it, where a program is let run at all


def destroy_snapshots(pool: str, snapshots: Iterable[tuple[str, int]]) -> Argv:
    """Destroy snapshots, named whole, each only if it has that guid; DESTROY_SNAPSHOTS goes to stdin.

    Raises ValueError for the name of anything but a snapshot of the pool.
    """
    words: list[str] = []
    for name, guid in snapshots:
        dataset, _, short = name.partition("@")
        if not short or dataset.partition("/")[0] != pool:
            raise ValueError(f"not a snapshot of {pool}: {name}")
        words += (name, f"guid={as_lua_number(guid)}")  # a word that began with - would be an option
    return ("zfs", "program", "-j", pool, "-", *words)


def try_program(pool: str) -> Command:
    """Let run what is no program: of one that was run, the history of the pool would tell ever after."""
    return Command(("zfs", "program", "-jn", pool, "-"), stdin=_BROKEN.encode())


def may_run(tried: Completed) -> bool:
    """Whether the trial came so far that a program would have run."""
    return tried.outcome is Outcome.FAILED and _COMPLAINT in tried.stderr


def as_lua_number(guid: int) -> int:
    """A guid as channel programs see it: their numbers are signed, of 64 bits."""
    rest = guid % _GUIDS
    return rest - _GUIDS if rest >= _SIGN else rest
