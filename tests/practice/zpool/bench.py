"""A practice host at hand: commands typed, time that passes, and what the console's parsers make of it."""

from __future__ import annotations

import re

from zconsole.model.pools.pool import ImportablePool, Pool, Vdev
from zconsole.practice import World, create_world
from zconsole.practice.io.io_simulation import Simulation
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply, Waiting
from zconsole.practice.world.drives import BY_ID, PracticeDisk
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.zfs.listing.pool_list import merge_list, parse_pool_list
from zconsole.zfs.status.importable import parse_importable
from zconsole.zfs.status.sequential_resilver_targets import with_marks
from zconsole.zfs.status.status import parse_status_json
from zconsole.zfs.status.status_text import parse_status_text

GIB = 1 << 30
MIRRORS = "mirror 0 1 mirror 2 3 special mirror 4 5 log 6 cache 7 spare 8"


class Bench:
    """One host with a shelf of equal drives; `{3}` in a command line is the path of drive 3."""

    def __init__(self, layout: str = MIRRORS, *, disks: int = 16, allocated: int = 0) -> None:
        self.world: World = create_world(layout, disks=disks)
        if allocated:
            for top in self.world.pools["tank"].tops("normal", "special"):
                top.allocated = allocated
        self.simulation = Simulation(self.world)

    def disk(self, number: int) -> PracticeDisk:
        return self.world.disks[number]

    def path(self, number: int) -> str:
        return BY_ID + self.disk(number).link

    def words(self, line: str) -> list[str]:
        return [re.sub(r"\{(\d+)\}", lambda match: self.path(int(match[1])), word) for word in line.split()]

    def start(self, line: str) -> object:
        return answer(self.world, self.words(line))

    def run(self, line: str) -> Reply:
        """Run a command line that answers at once."""
        reply = self.start(line)
        assert isinstance(reply, Reply)
        return reply

    def do(self, *lines: str) -> str:
        """Run command lines that must succeed; returns what the last one printed."""
        reply = Reply()
        for line in lines:
            reply = self.run(line)
            assert (0, "") == (reply.status, reply.stderr), line
        return reply.stdout

    def refused(self, line: str) -> str:
        """What a command line is refused with, short paths for the drives."""
        reply = self.run(line)
        assert 0 != reply.status, line
        return self.short(reply.stderr)

    def short(self, text: str) -> str:
        """A text with `{3}` for the path of drive 3."""
        for number in range(len(self.world.disks) - 1, -1, -1):
            text = text.replace(self.path(number), f"{{{number}}}")
        return text

    def wait(self, line: str, *, most_s: int = 100_000) -> Reply:
        """Run a command line that blocks, to its end."""
        waiting = self.start(line)
        assert isinstance(waiting, Waiting)
        for _ in range(most_s):
            if waiting.is_over():
                return waiting.reply
            self.go(1.0)
        raise AssertionError(line)

    def go(self, seconds: float) -> None:
        self.simulation.advance(self.world.elapsed + seconds)

    def practice(self, name: str = "tank") -> PracticePool:
        return self.world.pools[name]

    def pool(self, name: str = "tank") -> Pool:
        """A pool, as the console reads it from the JSON; the text must tell the same."""
        (exact,) = parse_status_json(self.do(f"zpool status -j --json-int -vsit {name}").encode())
        (told,) = parse_status_text(self.do(f"zpool status -vsitP {name}"))
        exact = with_marks(exact, told)
        assert shape(exact.vdevs) == shape(told.vdevs)
        assert (exact.state, exact.status) == (told.state, told.status)
        kinds = [(work.kind, work.state) for work in exact.activities if work.state == "active"]
        assert kinds == [(work.kind, work.state) for work in told.activities if work.state == "active"]
        (listed,) = parse_pool_list(self.do(f"zpool list -Hpv {name}"))
        return merge_list(exact, listed)

    def importable(self, options: str = "") -> tuple[ImportablePool, ...]:
        reply = self.run(f"zpool import {options}")
        return parse_importable(reply.stdout or reply.stderr)

    def history(self, name: str = "tank") -> list[str]:
        """The commands of a pool's history, without their times."""
        lines = self.do(f"zpool history {name}").strip().split("\n")[1:]
        return [self.short(line.partition(" ")[2]) for line in lines]

    def internal(self, name: str = "tank") -> list[str]:
        """The internal records of a pool's history."""
        lines = self.do(f"zpool history -i {name}").split("\n")
        return [self.short(line.partition("] ")[2]) for line in lines if " [txg:" in line]

    def events(self) -> list[str]:
        """The classes of the events."""
        return [line.partition("\t")[2] for line in self.do("zpool events -H").strip().split("\n")]


def shape(vdevs: tuple[Vdev, ...]) -> list[object]:
    """Type, class, state and notes of vdevs, with those below. Text has it that only online ones resilver."""
    return [
        (
            vdev.type,
            vdev.vdev_class,
            vdev.state,
            vdev.is_resilvering and vdev.state == "ONLINE",
            vdev.is_removing,
            shape(vdev.children),
        )
        for vdev in vdevs
    ]


def outline(pool: Pool) -> str:
    """The layout of a pool in one line: `mirror(0 1) log:disk(6)`, drives by number."""
    return " ".join(
        ("" if top.vdev_class == "data" else f"{top.vdev_class}:") + _drawn(top) for top in pool.vdevs
    )


def _drawn(vdev: Vdev) -> str:
    if not vdev.children:
        number = re.search(r"a00000([0-9a-f]{2})$", vdev.name)
        return str(int(number[1], 16)) if number else vdev.name
    return f"{vdev.type}({' '.join(map(_drawn, vdev.children))})"
