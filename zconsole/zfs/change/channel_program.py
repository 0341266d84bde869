"""`zfs program`: check and destroy objects, or check and promote a clone, in one txg.

A channel program runs as root inside one txg, during which nothing else changes the pool (zfs-program(8)).
So an object that took over a reviewed name at the last moment is not hit, and the destruction is all or
nothing: a program that fails before its first change has changed nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.dataset_names import dataset_of, pool_of
from zconsole.zfs.change.dataset_argv import Argv

MOST_OBJECTS: Final = 500  # per program: far below the limits of 10 million instructions and 10 MB
MOST_CHARACTERS: Final = 100_000  # of its argv: over SSH a shell gets it as one word, limited to 128 KiB
ANY: Final = "any"  # in place of a number of bytes: no limit
_FIRST: Final = 5  # words before the objects
_GUIDS: Final = 1 << 64
_SIGN: Final = 1 << 63

# EBUSY (16) from zfs.check.destroy means mounted, open, or snapshots exist; from zfs.check.rollback, which
# works
# when a snapshot exists, only the first two.
DESTROY: Final = """\
-- Arguments, four for each object, in the order in which they go: its name, which one it is, how many bytes
-- it may have written since its last snapshot, and refer to. All are checked before anything is destroyed.
local args = ...
local argv = args["argv"]
local errors = {[16] = "mounted, open, held or being sent", [17] = "something needs it"}
local goes = {}
local function stop(name, why)
    error(name .. " " .. why, 0)
end
local function failed(name, what, why)
    stop(name, what .. ": error " .. why .. " (" .. (errors[why] or "see errno(3)") .. ")")
end
local function known(name, what, found)
    local count = 0
    for each in found do
        count = count + 1
        if not goes[each] then
            stop(each, "is new: a " .. what .. " of " .. name)
        end
    end
    return count
end
local function bounded(name, key, most)
    local now = zfs.get_prop(name, key)
    if most and now > most then
        stop(name, "has " .. now .. " bytes " .. key .. ", and was to have " .. most .. " at most")
    end
end
for i = #argv - 3, 1, -4 do -- what is above others is told of before them
    local name = argv[i]
    goes[name] = true
    if argv[i + 1] ~= "bookmark" then
        if not zfs.exists(name) then
            stop(name, "is gone")
        end
        local guid, txg = zfs.get_prop(name, "guid"), (zfs.get_prop(name, "createtxg"))
        if "guid=" .. guid .. ",createtxg=" .. txg ~= argv[i + 1] then
            stop(name, "is another object than the one that was reviewed")
        end
    end
end
local objects = {}
for i = 1, #argv, 4 do
    if argv[i + 1] ~= "bookmark" then
        objects[#objects + 1] = i
    end
end
for at = 1, #objects do
    local i = objects[at]
    local name = argv[i]
    local why = zfs.check.destroy(name)
    if zfs.get_prop(name, "type") == "snapshot" then
        if known(name, "clone", zfs.list.clones(name)) > 0 and why == 17 then
            why = 0
        end
    else
        bounded(name, "written", tonumber(argv[i + 2]))
        bounded(name, "referenced", tonumber(argv[i + 3]))
        if zfs.list.bookmarks then
            known(name, "bookmark", zfs.list.bookmarks(name))
        end
        local children = known(name, "child", zfs.list.children(name))
        if known(name, "snapshot", zfs.list.snapshots(name)) > 0 then
            why = zfs.check.rollback(name)
            if why ~= 16 then
                why = 0
            end
        elseif children > 0 and why == 17 then
            why = 0
        end
    end
    if why ~= 0 then
        failed(name, "cannot be destroyed", why)
    end
end
for at = 1, #objects do
    local name = argv[objects[at]]
    local why = zfs.sync.destroy(name)
    if why ~= 0 then
        failed(name, "was not destroyed, and what stands before it was", why)
    end
end
return #objects
"""
PROMOTE: Final = """\
-- Arguments: a clone and which one it is, the snapshot that it was made from and which one that is.
local args = ...
local argv = args["argv"]
for i = 1, 3, 2 do
    if not zfs.exists(argv[i]) then
        error(argv[i] .. " is gone", 0)
    end
    local guid, txg = zfs.get_prop(argv[i], "guid"), (zfs.get_prop(argv[i], "createtxg"))
    if "guid=" .. guid .. ",createtxg=" .. txg ~= argv[i + 1] then
        error(argv[i] .. " is another object than the one that was reviewed", 0)
    end
end
if zfs.get_prop(argv[1], "origin") ~= argv[3] then
    error(argv[1] .. " is no clone of " .. argv[3], 0)
end
local why = zfs.sync.promote(argv[1])
if why ~= 0 then
    error(argv[1] .. " was not promoted: error " .. why, 0)
end
return 1
"""
_FAILED: Final = "Channel program execution failed:"
_BROKEN: Final = "return (\n"
_COMPLAINT: Final = b'[string "channel program"]'  # Lua's complaint about it, on hosts that allow programs


@dataclass(frozen=True, slots=True)
class DestroyTarget:
    """Object to be destroyed, provided that it is still the same one and has at most this many bytes."""

    name: str
    guid: int
    createtxg: int
    most_written: int | None = None  # of a file system or volume; None: no limit
    most_referenced: int | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The object as arguments of the program."""
        if "#" in self.name:
            return (self.name, "bookmark", ANY, ANY)
        bounds = (self.most_written, self.most_referenced)
        return (
            self.name,
            which(self.guid, self.createtxg),
            *(ANY if most is None else str(most) for most in bounds),
        )


def destroy(pool: str, objects: Iterable[DestroyTarget]) -> Argv:
    """Destroy these in this order, all or none; DESTROY goes to stdin. Dependents come first.

    Bookmarks are destroyed with their dataset, and are listed so that they do not count as new. Raises
    ValueError for the name of a pool, or of anything in another pool.
    """
    words: list[str] = []
    for each in objects:
        base = dataset_of(each.name)
        above, is_root = pool_of(base), each.name == base and "/" not in base
        if above != pool or is_root or each.name.endswith(("@", "#")):
            raise ValueError(f"not in {pool}, or cannot be destroyed by a program: {each.name}")
        words += each.words
    return ("zfs", "program", "-j", pool, "-", *words)


def promote(pool: str, clone: tuple[str, int, int], origin: tuple[str, int, int]) -> Argv:
    """Promote a clone, (name, guid, createtxg), of this origin; PROMOTE goes to stdin."""
    words = [word for name, guid, txg in (clone, origin) for word in (name, which(guid, txg))]
    return ("zfs", "program", "-j", pool, "-", *words)


def in_programs(objects: Sequence[DestroyTarget]) -> Iterator[tuple[DestroyTarget, ...]]:
    """Split the objects into the fewest programs that can take them."""
    part: list[DestroyTarget] = []
    length = 0
    for each in objects:
        longer = sum(len(word) + 1 for word in each.words)
        if part and (len(part) == MOST_OBJECTS or length + longer > MOST_CHARACTERS):
            yield tuple(part)
            part, length = [], 0
        part.append(each)
        length += longer
    if part:
        yield tuple(part)


def which(guid: int, createtxg: int) -> str:
    """Identity of an object for the programs' comparison; it must not begin with -, like an option."""
    return f"guid={as_lua_number(guid)},createtxg={createtxg}"


def without_bounds(argv: Sequence[str], stdin: str | None) -> Argv:
    """The argv without the numbers of bytes, for a comparison that ignores them."""
    if stdin != DESTROY:
        return tuple(argv)
    return tuple(ANY if at > _FIRST and (at - _FIRST) % 4 > 1 else word for at, word in enumerate(argv))


def is_program(argv: Sequence[str]) -> bool:
    """Whether the command checks its objects itself, in the txg in which it acts."""
    return tuple(argv[:2]) == ("zfs", "program")


def refusal(said: str) -> str:
    """The message of a program that stopped, without ZFS's prefix and Lua's stack trace."""
    head, _, rest = said.partition("\n")
    return rest.partition("\nstack traceback:")[0] if head == _FAILED and rest else said


def try_program(pool: str) -> Command:
    """Run an invalid program to test the permission: a valid one would be recorded in the pool's history."""
    return Command(("zfs", "program", "-jn", pool, "-"), stdin=_BROKEN.encode())


def may_run(tried: Completed) -> bool:
    """Whether the test shows that a program would be run."""
    return tried.outcome is Outcome.FAILED and _COMPLAINT in tried.stderr


def as_lua_number(guid: int) -> int:
    """A guid as channel programs see it: a signed 64-bit number."""
    rest = guid % _GUIDS
    return rest - _GUIDS if rest >= _SIGN else rest
