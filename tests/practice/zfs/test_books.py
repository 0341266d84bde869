"""Whatever commands come in whatever order, the space is what counting every single block gives."""

from __future__ import annotations

from collections import defaultdict
from itertools import count

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tests.practice.zfs.stage import Stage
from zconsole.practice.world import dataset_writes_and_snapshots
from zconsole.practice.world.datasets import PracticeDataset, Snapshot
from zconsole.practice.world.snapshot_space import chain, written_since
from zconsole.zfs.listing import datasets

BLOCK = 4096
Blocks = frozenset[int]
NAMES = st.sampled_from(("a", "b", "c", "d"))
SNAPSHOTS = st.sampled_from(("s1", "s2", "s3", "s4", "s5"))
SHARES = st.sampled_from((0.1, 0.5, 1.0))


class Books(RuleBasedStateMachine):
    """A pool beside a model that knows every block, and nothing of births and deadlists."""

    def __init__(self) -> None:
        super().__init__()
        self.stage = Stage()
        self.numbers = count()
        self.births: dict[int, int] = {}  # block to the birth under which the world keeps it
        self.content: dict[int, Blocks] = {}  # guid of a dataset or snapshot to its blocks
        self.commands = 0
        root = self.stage.dataset("tank")
        self._new(root)
        self.allocated = self.stage.pool.allocated - self._total()

    def _new(self, dataset: PracticeDataset) -> None:
        self.content[dataset.guid] = self._blocks(dataset.referenced // BLOCK, dataset.last_txg)

    def _blocks(self, number: int, birth: int) -> Blocks:
        made = frozenset(next(self.numbers) for _ in range(number))
        self.births.update(dict.fromkeys(made, birth))
        return made

    def _total(self) -> int:
        there = [*self.stage.pool.datasets.values(), *self._snapshots()]
        return BLOCK * len(frozenset().union(*(self.content[kept.guid] for kept in there)))

    def _snapshots(self) -> list[Snapshot]:
        return [kept for dataset in self.stage.pool.datasets.values() for kept in dataset.snapshots]

    def _pick(self, number: int) -> PracticeDataset:
        there = sorted(self.stage.pool.datasets.values(), key=lambda dataset: dataset.guid)
        return there[number % len(there)]

    def _pick_snapshot(self, number: int) -> Snapshot | None:
        there = sorted(self._snapshots(), key=lambda snapshot: snapshot.guid)
        return there[number % len(there)] if there else None

    def _run(self, line: str) -> bool:
        self.commands += 1
        reply = self.stage.run(line)
        assert reply.status in {0, 1}, reply.stderr
        assert bool(reply.status) == bool(reply.stderr)
        return reply.status == 0

    @rule(number=st.integers(0, 50), name=NAMES)
    def create(self, number: int, name: str) -> None:
        full_name = f"{self._pick(number).name}/{name}"
        if self._run(f"zfs create {full_name}"):
            self._new(self.stage.dataset(full_name))

    @rule(number=st.integers(0, 50), blocks=st.integers(1, 40))
    def write(self, number: int, blocks: int) -> None:
        dataset = self._pick(number)
        self.content[dataset.guid] |= self._blocks(blocks, dataset.last_txg)
        dataset_writes_and_snapshots.write(self.stage.pool, dataset, blocks * BLOCK)

    @rule(number=st.integers(0, 50), share=SHARES)
    def delete(self, number: int, share: float) -> None:
        dataset = self._pick(number)
        self._forget(dataset, share)
        dataset_writes_and_snapshots.delete(self.stage.pool, dataset, share)

    @rule(number=st.integers(0, 50), share=SHARES)
    def overwrite(self, number: int, share: float) -> None:
        dataset = self._pick(number)
        gone = self._forget(dataset, share)
        self.content[dataset.guid] |= self._blocks(gone, dataset.last_txg)
        dataset_writes_and_snapshots.overwrite(self.stage.pool, dataset, share)

    def _forget(self, dataset: PracticeDataset, share: float) -> int:
        """Take a share of each birth away from a dataset; returns how many blocks."""
        by_birth: dict[int, list[int]] = defaultdict(list)
        for block in sorted(self.content[dataset.guid]):
            by_birth[self.births[block]].append(block)
        gone = [block for blocks in by_birth.values() for block in blocks[: int(len(blocks) * share)]]
        self.content[dataset.guid] -= frozenset(gone)
        return len(gone)

    @rule(number=st.integers(0, 50), name=SNAPSHOTS, recursive=st.booleans())
    def snapshot(self, number: int, name: str, recursive: bool) -> None:
        before = {kept.guid for kept in self._snapshots()}
        self._run(f"zfs snapshot {'-r ' if recursive else ''}{self._pick(number).name}@{name}")
        for kept in self._snapshots():
            if kept.guid not in before:
                self.content[kept.guid] = self.content[kept.dataset.guid]

    @rule(number=st.integers(0, 50), at=st.integers(0, 50), name=NAMES)
    def clone(self, number: int, at: int, name: str) -> None:
        snapshot, full_name = self._pick_snapshot(number), f"{self._pick(at).name}/{name}"
        if snapshot and self._run(f"zfs clone {snapshot.full_name} {full_name}"):
            self.content[self.stage.dataset(full_name).guid] = self.content[snapshot.guid]

    @rule(number=st.integers(0, 50))
    def promote(self, number: int) -> None:
        self._run(f"zfs promote {self._pick(number).name}")

    @rule(number=st.integers(0, 50), how=st.sampled_from(("", "-r ", "-R ")))
    def roll_back(self, number: int, how: str) -> None:
        snapshot = self._pick_snapshot(number)
        if snapshot and self._run(f"zfs rollback {how}{snapshot.full_name}"):
            self.content[snapshot.dataset.guid] = self.content[snapshot.guid]

    @rule(number=st.integers(0, 50), how=st.sampled_from(("", "-r ", "-R ")))
    def destroy(self, number: int, how: str) -> None:
        self._run(f"zfs destroy {how}{self._pick(number).name}")

    @rule(number=st.integers(0, 50), how=st.sampled_from(("", "-d ", "-r ", "-R ")))
    def destroy_snapshot(self, number: int, how: str) -> None:
        snapshot = self._pick_snapshot(number)
        if snapshot:
            self._run(f"zfs destroy {how}{snapshot.full_name}")

    @rule(number=st.integers(0, 50), spec=st.sampled_from(("%", "s1%s3", "s2,s4", "%s2,s5", "s3%")))
    def destroy_range(self, number: int, spec: str) -> None:
        """What the dry run of a list promises is what comes free."""
        name, before = self._pick(number).name, self._total()
        told = self.stage.run(f"zfs destroy -nvp {name}@{spec}")
        if told.status == 0 and self._run(f"zfs destroy {name}@{spec}"):
            assert f"reclaim\t{before - self._total()}" == told.stdout.splitlines()[-1]

    @rule(number=st.integers(0, 50), tag=st.sampled_from(("x", "y")))
    def hold(self, number: int, tag: str) -> None:
        snapshot = self._pick_snapshot(number)
        if snapshot:
            self._run(f"zfs hold {tag} {snapshot.full_name}")

    @rule(number=st.integers(0, 50), tag=st.sampled_from(("x", "y")))
    def release(self, number: int, tag: str) -> None:
        snapshot = self._pick_snapshot(number)
        if snapshot:
            self._run(f"zfs release -r {tag} {snapshot.full_name}")

    @rule(number=st.integers(0, 50), at=st.integers(0, 50), name=NAMES)
    def rename(self, number: int, at: int, name: str) -> None:
        self._run(f"zfs rename {self._pick(number).name} {self._pick(at).name}/{name}")

    @rule(number=st.integers(0, 50), name=SNAPSHOTS)
    def rename_snapshot(self, number: int, name: str) -> None:
        snapshot = self._pick_snapshot(number)
        if snapshot:
            self._run(f"zfs rename {snapshot.full_name} {name}")

    @invariant()
    def every_size_is_that_of_its_blocks(self) -> None:
        types = ("filesystem", "snapshot")
        listed = self.stage.does(" ".join(datasets.list_datasets(types=types).argv))
        for found in datasets.parse_datasets(listed):
            dataset = self.stage.dataset(found.name.partition("@")[0])
            origin = self._of(dataset.origin)
            own = self._of(dataset)
            history = [origin, *map(self._of, dataset.snapshots), own]
            if found.type == "snapshot":
                place = [kept.full_name for kept in dataset.snapshots].index(found.name) + 1
                before, here, after = history[place - 1 : place + 2]
                assert BLOCK * len(here - before - after) == found.used_bytes, found.name
                assert (BLOCK * len(here), BLOCK * len(here - before)) == (
                    found.referenced_bytes,
                    found.written_bytes,
                )
                continue
            kept = frozenset().union(*history[1:-1]) - origin - own
            assert BLOCK * len(own) == found.referenced_bytes
            assert BLOCK * len(own - origin) == found.used_by_dataset_bytes
            assert BLOCK * len(kept) == found.used_by_snapshots_bytes
            assert BLOCK * len(own - history[-2]) == found.written_bytes

    @invariant()
    def what_came_since_a_snapshot_is_what_it_does_not_have(self) -> None:
        for dataset in self.stage.pool.datasets.values():
            line = chain(dataset)
            for at, older in enumerate(line):
                for newer in (dataset, *line[:at]):
                    top = newer if isinstance(newer, Snapshot) else None
                    of = newer.dataset if isinstance(newer, Snapshot) else newer
                    came = BLOCK * len(self._of(newer) - self._of(older))
                    assert came == written_since(of, top, older), (newer, older)

    def _of(self, thing: PracticeDataset | Snapshot | None) -> Blocks:
        return self.content[thing.guid] if thing else frozenset()

    @invariant()
    def the_pool_takes_what_all_take_together(self) -> None:
        used, room = self.stage.does("zfs list -Hp -o used,avail tank").split()

        assert self._total() == int(used)
        assert self.stage.pool.usable == int(used) + int(room)
        drift = abs(self.stage.pool.allocated - self.allocated - self._total())
        assert drift <= (self.commands * 20 + 100) * BLOCK

    @invariant()
    def guids_are_unique_and_clones_know_their_origins(self) -> None:
        rows = [
            line.split("\t")
            for line in self.stage.does("zfs list -Hp -t all -o name,guid,origin,clones").splitlines()
        ]
        origins = {(name, origin) for name, _, origin, _ in rows if origin != "-"}
        clones = {(clone, name) for name, _, _, found in rows if found != "-" for clone in found.split(",")}

        assert origins == clones
        assert len(rows) == len({guid for _, guid, _, _ in rows})


TestBooks = pytest.mark.slow(Books.TestCase)
TestBooks.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
