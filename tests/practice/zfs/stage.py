"""A pool of the lab's shape with a few datasets, and commands run in it."""

from __future__ import annotations

from collections.abc import Iterator

from tests.practice.laboratory import LAYOUT
from zconsole.practice import World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world import dataset_writes_and_snapshots
from zconsole.practice.world.datasets import PracticeDataset, Snapshot
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.zfs.listing import datasets

MIB = 1 << 20


class Stage:
    """One world with its pool `tank`."""

    def __init__(self, *commands: str) -> None:
        self.world: World = create_world(LAYOUT)
        for command in commands:
            self.does(command)

    @property
    def pool(self) -> PracticePool:
        return self.world.pools["tank"]

    def dataset(self, name: str) -> PracticeDataset:
        return self.pool.datasets[name]

    def snapshot(self, name: str) -> Snapshot:
        base, _, rest = name.partition("@")
        found = self.dataset(base).snapshot(rest)
        assert found is not None, name
        return found

    def run(self, line: str, stdin: bytes = b"") -> Reply:
        """Run one command line, split at blanks, a second after the one before."""
        self.world.now += 1
        reply = answer(self.world, line.split(), stdin)
        assert isinstance(reply, Reply)
        return reply

    def does(self, line: str, stdin: bytes = b"") -> str:
        """Run what must succeed without a word on stderr; returns what it printed."""
        reply = self.run(line, stdin)
        assert (0, "") == (reply.status, reply.stderr), line
        return reply.stdout

    def refuses(self, line: str, stdin: bytes = b"") -> tuple[int, str]:
        """Run what must fail; returns the exit status and the words."""
        reply = self.run(line, stdin)
        assert 0 != reply.status, line
        return reply.status, reply.stderr

    def write(self, name: str, mebibytes: int) -> None:
        dataset_writes_and_snapshots.write(self.pool, self.dataset(name), mebibytes * MIB)

    def names(self, kinds: str = "all") -> set[str]:
        """All that is listed, read by the console's own parser."""
        types = ("filesystem", "volume", "snapshot", "bookmark") if kinds == "all" else (kinds,)
        listed = self.does(" ".join(datasets.list_datasets(types=types).argv)) if self.world.pools else ""
        return {found.name for found in datasets.parse_datasets(listed)}

    def get(self, name: str, prop: str) -> str:
        return self.does(f"zfs get -Hp -o value {prop} {name}").strip()

    def size(self, name: str, prop: str) -> int:
        return int(self.get(name, prop))

    def history(self) -> Iterator[str]:
        """What `zpool history -i` tells, without the moments."""
        for line in self.does("zpool history -i tank").split("\n")[1:]:
            if line:
                yield line.partition(" ")[2]


def golden_image() -> Stage:
    """The datasets that the captured refusals were met with, in the order in which they were made."""
    stage = Stage(
        "zfs create tank/home",
        "zfs create tank/home/ann",
        "zfs create -o recordsize=64K tank/images",
        "zfs create -V 512M tank/vm-disk0",
    )
    stage.write("tank/home/ann", 60)
    stage.write("tank/images", 80)
    stage.does("zfs snapshot -r tank@daily-1")
    dataset_writes_and_snapshots.delete(stage.pool, stage.dataset("tank/home/ann"), 1.0)
    stage.write("tank/home/ann", 30)
    stage.does("zfs snapshot -r tank@daily-2")
    stage.does("zfs snapshot tank/images@gold")
    for number in (1, 3, 2):  # in the order in which the captured host names them
        stage.does(f"zfs clone tank/images@gold tank/vm{number}")
    stage.does("zfs snapshot tank/vm1@patched")
    stage.does("zfs clone tank/vm1@patched tank/vm1-test")
    stage.does("zfs hold keep tank/home/ann@daily-1")
    return stage
