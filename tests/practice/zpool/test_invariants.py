"""Whatever is typed, and whatever drive is pulled: the pools stay such as ZFS would accept."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.practice.zpool.bench import GIB, Bench
from zconsole.practice.program_reply import Waiting
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_states_and_drive_unplugging import plug, unplug
from zconsole.system.lsblk import LSBLK, parse_lsblk

DRIVES = 14
LAYOUTS = (
    "mirror 0 1 mirror 2 3 special mirror 4 5 log 6 cache 7 spare 8",
    "raidz2 0 1 2 3 4 5 log mirror 6 7",
    "draid1:2d:7c:1s 0 1 2 3 4 5 6",
    "0 1 2",
)
PLACEHOLDER = re.compile(r"@(vdev|free)(\d+)")

numbers = st.integers(0, DRIVES - 1).map(lambda number: f"{{{number}}}")
free = st.integers(0, 3).map(lambda at: f"@free{at}")
drives = st.one_of(free, free, numbers)
vdevs = st.one_of(st.integers(0, 24).map(lambda at: f"@vdev{at}"), numbers, st.just("nosuch"))
pools = st.sampled_from(["tank", "tank", "tank", "spool"])


def flags(*each: str) -> st.SearchStrategy[str]:
    return st.sampled_from(["", *each])


@st.composite
def specifications(draw: st.DrawFn) -> str:
    """Vdevs that could be made or added."""
    word = draw(
        st.sampled_from(
            ["", "mirror", "raidz1", "raidz2", "draid1:1s", "log", "log mirror", "cache", "spare"]
        )
    )
    kind = draw(st.sampled_from(["", "special ", "dedup "])) if word == "mirror" else ""
    first, count = draw(st.integers(0, 3)), draw(st.integers(1, 4))
    taken = [f"@free{first + at}" for at in range(count)] if draw(st.booleans()) else [draw(numbers), "{5}"]
    return f"{kind}{word} {' '.join(taken)}"


def lines(command: str, *words: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*words).map(lambda drawn: f"zpool {command} {' '.join(drawn)}")


changes = st.one_of(
    lines("create", flags("-f", "-n", "-d"), pools, specifications()),
    lines("add", flags("-f", "-n", "--allow-in-use"), pools, specifications()),
    lines("attach", flags("-f", "-s"), pools, vdevs, drives),
    lines("replace", flags("-f", "-s"), pools, vdevs, drives),
    lines("detach", pools, vdevs),
    lines("remove", flags("-n", "-s"), pools, vdevs),
    lines("offline", flags("-t", "-f"), pools, vdevs),
    lines("online", flags("-e"), pools, vdevs),
    lines("clear", pools, vdevs | st.just("")),
    lines("scrub", flags("-p", "-s"), pools),
    lines("resilver", pools),
    lines("initialize", flags("-s", "-c", "-u"), pools, vdevs | st.just("")),
    lines("trim", flags("-s", "-c"), pools, vdevs | st.just("")),
    lines("checkpoint", flags("-d"), pools),
    lines("split", flags("-n"), st.just("tank spool"), vdevs | st.just("")),
    lines("export", flags("-f"), st.just("spool")),
    lines("import", flags("-N", "-f", "-D", "-Df"), pools),
    lines("import", st.just("spool tank")),
    lines("destroy", flags("-f"), st.just("spool")),
    lines("labelclear", flags("-f"), numbers.map(lambda number: f"{number}-part1")),
    lines("reguid", pools),
    lines("upgrade", pools),
    lines("set", st.sampled_from(["autoexpand=on", "comment=x", "readonly=on", "allocating=off"]), pools),
    lines("set", st.just("allocating=off"), pools, vdevs),
)
once = st.sampled_from(["go 3", "go 4000", "zpool export tank", "zpool destroy tank", "zpool import tank"])
steps = st.one_of(changes, changes, changes, changes, once)
pulls = st.integers(0, DRIVES - 1).flatmap(lambda drive: st.sampled_from([f"pull {drive}", f"plug {drive}"]))
many = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def play(bench: Bench, step: str) -> None:
    """Do a step; what is refused must say why."""
    verb, _, rest = step.partition(" ")
    if verb == "go":
        bench.go(float(rest))
    elif verb == "pull":
        unplug(bench.world, bench.disk(int(rest)))
    elif verb == "plug":
        plug(bench.world, bench.disk(int(rest)))
    else:
        reply = bench.start(resolve(bench, step))
        if isinstance(reply, Waiting):
            return
        assert reply.status in {0, 1, 2, 22, 255}
        is_silent = step.startswith("zpool offline -f")  # of a device that is not there: ZFS says nothing
        assert reply.stderr or not reply.status or is_silent


def resolve(bench: Bench, step: str) -> str:
    """A command line with words for vdevs of the pool that it names, and for drives that serve none."""
    pool = next((bench.world.pools[word] for word in step.split() if word in bench.world.pools), None)
    inner = [*pool.root.walk()][1:] if pool is not None else []
    known = [*inner, *pool.caches, *pool.spares] if pool is not None else []
    unused = [f"/dev/{disk.kname}" for disk in bench.world.disks if bench.world.leaf_of(disk) is None]
    words = {"vdev": [str(vdev.guid) for vdev in known], "free": unused}

    def word(match: re.Match[str]) -> str:
        choice = words[match[1]]
        return choice[int(match[2]) % len(choice)] if choice else "nosuch"

    return PLACEHOLDER.sub(word, step)


def is_told(top: PracticeVdev) -> bool:
    """JSON does not tell which of several devices a rebuild writes to, nor text before it has written."""
    has_begun = top.rebuild is not None and top.rebuild.is_running and not top.rebuild.done
    return not has_begun and sum(leaf.rebuilt > 0 for leaf in top.leaves()) < 2


def check(bench: Bench) -> None:
    """What holds of every host, whatever happened to it."""
    world = bench.world
    served: dict[str, int] = {}
    for pool in world.pools.values():
        assert pool.guid not in {other.guid for other in world.importable}
        for disk, guid in drives_of(pool):
            assert served.setdefault(disk, guid) == guid
        guids = [vdev.guid for vdev in pool.root.walk()] + [vdev.guid for vdev in pool.caches]
        assert len(set(guids)) == len(guids)
        for vdev in [*pool.root.children, *pool.caches]:
            assert 0 <= vdev.allocated <= vdev.size or vdev.kind == "indirect"
        assert [at for at, _ in enumerate(pool.root.children)] == [top.vdev_id for top in pool.root.children]
        if all(map(is_told, pool.root.children)):
            bench.pool(pool.name)
        assert sum(top.allocated for top in pool.tops("normal")) <= pool.size
    bench.importable()
    bench.importable("-D")
    parse_lsblk(bench.run(" ".join(LSBLK.argv)).stdout)


def drives_of(pool: PracticePool) -> Iterator[tuple[str, int]]:
    for leaf in pool.leaves():
        if leaf.disk is not None:
            yield leaf.disk.kname, leaf.guid


def holds_all(vdev: PracticeVdev) -> bool:
    """Whether everything that was written to a vdev can be read from vdevs that hold it."""
    if vdev.is_leaf:
        return vdev.is_current and not vdev.rebuilt
    lacking = sum(not holds_all(child) for child in vdev.children)
    spared = vdev.parity if vdev.kind in {"raidz", "draid"} else len(vdev.children) - 1
    return lacking <= spared


@many
@given(st.sampled_from(LAYOUTS), st.lists(steps, max_size=25))
def test_no_command_takes_away_what_a_pool_needs(layout: str, typed: list[str]) -> None:
    bench = Bench(layout, disks=DRIVES, allocated=GIB)
    for step in typed:
        play(bench, step)
        check(bench)
        for pool in bench.world.pools.values():
            assert not pool.is_suspended, step
            assert all(holds_all(top) for top in pool.tops("normal", "special", "dedup")), step


@many
@given(st.sampled_from(LAYOUTS), st.lists(st.one_of(steps, steps, pulls), max_size=25))
def test_pools_stay_whole_while_drives_come_and_go(layout: str, happened: list[str]) -> None:
    bench = Bench(layout, disks=DRIVES, allocated=GIB)
    for step in happened:
        play(bench, step)
        check(bench)
