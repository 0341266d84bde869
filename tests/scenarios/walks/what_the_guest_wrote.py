"""What a guest has written, and which datasets and snapshots of practice hosts have it.

The practice host knows amounts only. Here each write has a number, and goes where blocks go: from a dataset
to its snapshots, with a stream to the copy, and back with a rollback.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from zconsole.practice import World
from zconsole.practice.libvirt.guests import PracticeGuest, PracticeGuestDisk
from zconsole.practice.libvirt.storage_of_images import dataset_that_holds
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.zfs.mount_share import setting

Write = tuple[str, int]  # the disk that was written, as vda, and a number


class GuestWrites:
    """Writes of one guest, which may be defined on several hosts."""

    def __init__(self, worlds: Sequence[World]) -> None:
        self.worlds = worlds
        self.expected: set[Write] = set()  # each disk has to have these, unless another user took them away
        self._on: dict[PracticeDataset, set[Write]] = {}
        self._in: dict[int, frozenset[Write]] = {}  # by guid of the snapshot
        self._number = 0

    def write(self, disk: str, dataset: PracticeDataset) -> Write:
        """The guest has written one of its disks, which is on this dataset."""
        self._number += 1
        made = (disk, self._number)
        self.expected.add(made)
        self._on.setdefault(dataset, set()).add(made)
        return made

    def follow(self) -> None:
        """Follow what was done on the hosts; to be called behind each change."""
        for _ in range(2):  # a snapshot of one dataset may be received into one that comes before it
            for dataset in self._datasets():
                if dataset in self._on:
                    for each in dataset.snapshots:
                        self._in.setdefault(each.guid, frozenset(self._on[dataset]))
                last = self._in.get(dataset.snapshots[-1].guid) if dataset.snapshots else None
                if last is not None and (not dataset.written or dataset not in self._on):
                    self._on[dataset] = set(last)
                elif not dataset.snapshots:
                    self._on.setdefault(dataset, set())

    def lacking(self, disk: str, dataset: PracticeDataset | None, of: Collection[Write]) -> set[Write]:
        """Which of these writes of a disk are not on a dataset."""
        on = self._on.get(dataset, set()) if dataset is not None else set()
        return {each for each in of if each[0] == disk and each in self.expected} - on

    def forget_lost(self) -> set[Write]:
        """Expect no more what is neither on a dataset nor in a snapshot; returns that."""
        there: set[Write] = set()
        for dataset in self._datasets():
            there |= self._on.get(dataset, set())
            for each in dataset.snapshots:
                there |= self._in.get(each.guid, frozenset())
        lost = self.expected - there
        self.expected -= lost
        return lost

    def forget_disk(self, disk: str) -> None:
        """Another user gave the guest an empty disk in the place of this one."""
        self.expected = {each for each in self.expected if each[0] != disk}

    def _datasets(self) -> Iterator[PracticeDataset]:
        for world in self.worlds:
            for pool in world.pools.values():
                yield from pool.datasets.values()


def place_of(world: World, disk: PracticeGuestDisk) -> PracticeDataset | None:
    """The dataset that has a disk; None where the volume or the file is gone."""
    is_gone = not disk.is_device and disk.source not in world.images
    return None if is_gone else dataset_that_holds(world, disk.source)


def is_open(world: World, guest: PracticeGuest) -> bool:
    """Whether a guest could be started: each disk is there, and is writable."""
    places = [place_of(world, disk) for disk in guest.disks]
    return bool(places) and all(
        each is not None and setting(world, each, "readonly") != "on" for each in places
    )
