"""A practice host on which libzfs_core can be called: its child is the real program, its library a fake.

The fake does to the practice world what the zfs command does there, all or none.
"""

from __future__ import annotations

import io
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from types import ModuleType
from typing import NoReturn
from unittest.mock import patch

from tests.zfs.change.fakes.libzfs_core import exceptions
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command, Completed
from zconsole.practice import PracticeHost, World
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.datasets import PracticeDataset, Snapshot
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.zfs.change import libzfs_core_argv, libzfs_core_child


class CoreHost:
    """Passes everything on but the calls of libzfs_core_child."""

    def __init__(self, inner: PracticeHost, *, is_here: bool = True) -> None:
        self.inner = inner
        self.is_here = is_here
        self.called: list[str] = []

    @property
    def label(self) -> str:
        return self.inner.label

    async def connect(self) -> None:
        await self.inner.connect()

    async def run(self, command: Command) -> Completed:
        if command.argv[:-1] != libzfs_core_argv.ways()[0]:
            return await self.inner.run(command)
        await self.inner.run(Command(("date", "+%s")))  # time goes on there
        self.called.append(command.argv[-1])
        out, err = io.StringIO(), io.StringIO()
        with library(self.inner.world), stdin_of(command), redirect_stdout(out), redirect_stderr(err):
            status = libzfs_core_child.main(command.argv[-1:])
        return ended(command, status, out.getvalue().encode(), err.getvalue().encode(), duration_s=0.1)

    def stream(self, command: Command) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return self.inner.stream(command)

    def is_lingering(self, command: Command) -> bool:
        return self.inner.is_lingering(command)

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        return await self.inner.read(path, max_bytes=max_bytes)

    async def close(self) -> None:
        await self.inner.close()


@contextmanager
def stdin_of(command: Command) -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(command.stdin or b""))
    try:
        yield
    finally:
        sys.stdin = before


@contextmanager
def library(world: World) -> Iterator[None]:
    """`import libzfs_core` gives one of this world."""
    module = ModuleType("libzfs_core")
    module.exceptions = exceptions  # type: ignore[attr-defined]
    fake = PracticeCore(world)
    for name in libzfs_core_child.NEEDED[1:]:
        setattr(module, name, getattr(fake, name))
    sys.modules["libzfs_core"] = module
    try:
        with patch.object(libzfs_core_child, "_not_known", _surprised):  # which would kill this very process
            yield
    finally:
        del sys.modules["libzfs_core"]


def _surprised(function: str, error: Exception) -> NoReturn:
    raise AssertionError(function) from error


class PracticeCore:
    """The calls, by the programs of the practice host."""

    def __init__(self, world: World) -> None:
        self.world = world

    def lzc_exists(self, name: bytes) -> bool:
        return self._has(name.decode())

    def lzc_snapshot(self, names: list[bytes]) -> None:
        texts = [name.decode() for name in names]
        errors = [exceptions.SnapshotExists(name.encode()) for name in texts if self._has(name)]
        errors += [
            exceptions.FilesystemNotFound(name.encode())
            for name in texts
            if not self._has(name.partition("@")[0])
        ]
        if errors:
            raise exceptions.SnapshotFailure(errors, 0)
        self._zfs("snapshot", *texts)

    def lzc_destroy_snaps(self, names: list[bytes], defer: bool) -> None:
        assert defer is False
        errors: list[exceptions.ZFSError] = []
        by_dataset: dict[str, list[str]] = defaultdict(list)
        for name in [each.decode() for each in names]:
            base, _, short = name.partition("@")
            by_dataset[base].append(short)
            if self._snapshot(name).holds:
                errors.append(exceptions.SnapshotIsHeld(name.encode()))
            elif any(dataset.origin is self._snapshot(name) for dataset in self._datasets()):
                errors.append(exceptions.SnapshotIsCloned(name.encode()))
        if errors:
            raise exceptions.SnapshotDestructionFailure(errors, 0)
        for base, shorts in by_dataset.items():
            self._zfs("destroy", f"{base}@{','.join(shorts)}")

    def lzc_snaprange_space(self, first: bytes, last: bytes) -> int:
        said = self._zfs("destroy", "-nvp", f"{first.decode()}%{last.decode().partition('@')[2]}")
        return int(said.rpartition("reclaim\t")[2])

    def lzc_rollback_to(self, name: bytes, snapshot: bytes) -> None:
        """The history has the kernel's record, and none of a command."""
        pool = self._pool(name.decode())
        if self._dataset(name.decode()).snapshots[-1] is not self._snapshot(snapshot.decode()):
            raise exceptions.SnapshotNotLatest(snapshot)
        self._zfs("rollback", snapshot.decode())
        last = pool.history[-1]
        assert f"zfs rollback {snapshot.decode()}" == last.text
        text = f"(9ms) ioctl rollback\n    input:\n        target: '{snapshot.decode()}'\n"
        pool.history[-1] = replace(last, text=text)

    def lzc_hold(self, holds: dict[bytes, bytes]) -> list[bytes]:
        named = {name.decode(): tag.decode() for name, tag in holds.items()}
        taken = [name for name, tag in named.items() if tag in self._snapshot(name).holds]
        if taken:
            raise exceptions.HoldFailure([exceptions.HoldExists(name.encode()) for name in taken], 0)
        for name, tag in named.items():
            self._zfs("hold", tag, name)
        return []

    def lzc_release(self, holds: dict[bytes, list[bytes]]) -> list[bytes]:
        for name, (tag,) in holds.items():
            self._zfs("release", tag.decode(), name.decode())
        return []

    def lzc_get_holds(self, name: bytes) -> dict[bytes, int]:
        return {tag.encode(): 0 for tag in self._snapshot(name.decode()).holds}

    def _zfs(self, *words: str) -> str:
        reply = answer(self.world, ("zfs", *words))
        assert isinstance(reply, Reply)
        assert 0 == reply.status, reply.stderr
        return reply.stdout

    def _pool(self, name: str) -> PracticePool:
        return self.world.pools[name.partition("/")[0].partition("@")[0]]

    def _datasets(self) -> Iterator[PracticeDataset]:
        for pool in self.world.pools.values():
            yield from pool.datasets.values()

    def _dataset(self, name: str) -> PracticeDataset:
        return self._pool(name).datasets[name]

    def _snapshot(self, name: str) -> Snapshot:
        return next(
            each for each in self._dataset(name.partition("@")[0]).snapshots if each.full_name == name
        )

    def _has(self, name: str) -> bool:
        return any(
            name in {dataset.name, *(each.full_name for each in dataset.snapshots)}
            for dataset in self._datasets()
        )
