"""Space available to each dataset of a pool after a change, by the rules of dsl_dir_space_available().

A reservation, or a refreservation that is not used up, counts as used above the dataset. What is available
to a dataset is what its parent has, with what its own reservation still holds, within its quota.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import parent_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset


@dataclass(frozen=True, slots=True)
class SpaceAccount:
    """Space of one dataset, in bytes; a limit of 0 is none."""

    own_bytes: int = 0  # USED without the datasets below it
    unused_refreservation_bytes: int = 0  # part of that: USEDREFRESERV
    quota_bytes: int = 0
    reservation_bytes: int = 0
    refquota_bytes: int = 0
    referenced_bytes: int = 0


@dataclass(frozen=True, slots=True)
class SpaceAccounts:
    """Accounts of all datasets of a pool, and the size of the pool as its root dataset has it."""

    of: Mapping[str, SpaceAccount]
    size_bytes: int

    def used(self) -> dict[str, int]:
        """USED of each dataset."""
        found = {name: account.own_bytes for name, account in self.of.items()}
        for name in sorted(self.of, key=lambda name: -name.count("/")):
            above = parent_of(name)
            if above in found:
                found[above] += max(found[name], self.of[name].reservation_bytes)
        return found

    def available_below(self) -> dict[str, int]:
        """What each dataset can give to snapshots and datasets below it: without its refreservation."""
        used = self.used()
        below: dict[str, int] = {}
        for name in sorted(self.of, key=lambda name: name.count("/")):
            account = self.of[name]
            room = below.get(parent_of(name), self.size_bytes - used[name])
            if parent_of(name) in below:
                room += max(0, account.reservation_bytes - used[name])
            if account.quota_bytes:
                room = min(room, account.quota_bytes - used[name])
            below[name] = max(0, room)
        return below

    def available(self) -> dict[str, int]:
        """AVAIL of each dataset."""
        found: dict[str, int] = {}
        for name, below in self.available_below().items():
            account = self.of[name]
            own = below + account.unused_refreservation_bytes
            if account.refquota_bytes:
                own = min(own, account.refquota_bytes - account.referenced_bytes)
            found[name] = max(0, own)
        return found

    def limit_of(self, name: str) -> int:
        """Size of the smallest quota that a dataset is below, or of the pool."""
        quotas = [self.of[each].quota_bytes for each in _upwards(name) if each in self.of]
        own = self.of[name].refquota_bytes if name in self.of else 0
        return min((each for each in (*quotas, own) if each), default=self.size_bytes)

    def with_account(self, name: str, account: SpaceAccount) -> SpaceAccounts:
        """The accounts with another one, or a new one below empty new parents."""
        missing = {each: SpaceAccount() for each in _upwards(parent_of(name)) if each not in self.of}
        return replace(self, of={**self.of, **missing, name: account})

    def with_reservation(self, name: str, size_bytes: int) -> SpaceAccounts:
        """The accounts after its reservation was set."""
        return self.with_account(name, replace(self.of[name], reservation_bytes=size_bytes))

    def with_unused_refreservation(self, name: str, size_bytes: int) -> SpaceAccounts:
        """The accounts after so much of its refreservation is not used up."""
        now = self.of[name]
        return self.with_account(
            name,
            replace(
                now,
                own_bytes=now.own_bytes + size_bytes - now.unused_refreservation_bytes,
                unused_refreservation_bytes=size_bytes,
            ),
        )

    def with_written(self, name: str, size_bytes: int) -> SpaceAccounts:
        """The accounts after so much was written to a dataset."""
        now = self.of[name]
        return self.with_account(name, replace(now, own_bytes=now.own_bytes + size_bytes))

    def promoted(self, clone: str, origin_dataset: str, size_bytes: int) -> SpaceAccounts:
        """The accounts after a clone was promoted, and took over snapshots that hold so much."""
        return self.with_written(origin_dataset, -size_bytes).with_written(clone, size_bytes)

    def room_for_promotion(self, clone: str, origin_dataset: str, size_bytes: int) -> int:
        """What the snapshots that a clone takes over may hold: dsl_dir_transfer_possible()."""
        return self.with_written(origin_dataset, -size_bytes).available_below()[clone]

    def renamed(self, old: str, new: str) -> SpaceAccounts:
        """The accounts after a dataset was renamed with all below it."""
        is_moved = f"{old}/"
        moved = {
            new + name.removeprefix(old) if f"{name}/".startswith(is_moved) else name: account
            for name, account in self.of.items()
        }
        missing = {each: SpaceAccount() for each in _upwards(parent_of(new)) if each not in moved}
        return replace(self, of={**moved, **missing})


def space_accounts(pool: str, datasets: Iterable[Dataset]) -> SpaceAccounts | None:
    """Accounts of the file systems and volumes of a pool; None where the space of one was not read."""
    listed = {
        each.name: each for each in datasets if each.type in FILESYSTEMS_AND_VOLUMES and each.pool == pool
    }
    root = listed.get(pool)
    if root is None or root.used_bytes is None or root.available_bytes is None:
        return None
    own: dict[str, int] = {}
    for name, each in listed.items():
        if each.used_bytes is None:
            return None
        own[name] = own.get(name, 0) + each.used_bytes
        above = parent_of(name)
        if above:
            own[above] = own.get(above, 0) - max(each.used_bytes, each.reservation_bytes or 0)
    of = {
        name: SpaceAccount(
            own[name],
            each.used_by_refreservation_bytes or 0,
            each.quota_bytes or 0,
            each.reservation_bytes or 0,
            each.refquota_bytes or 0,
            each.referenced_bytes or 0,
        )
        for name, each in listed.items()
    }
    return SpaceAccounts(of, root.used_bytes + _room_below(pool, listed))


def unused_after(dataset: Dataset, refreservation_bytes: int) -> int:
    """USEDREFRESERV once the refreservation has this size: without what no snapshot has of the dataset.

    That is what was written since its newest snapshot.
    """
    now, unused = dataset.refreservation_bytes or 0, dataset.used_by_refreservation_bytes or 0
    if unused:
        unique = now - unused
    elif dataset.written_bytes is not None:
        unique = dataset.written_bytes
    else:
        unique = now
    return max(0, refreservation_bytes - unique)


def _room_below(pool: str, listed: Mapping[str, Dataset]) -> int:
    """What is available below the root dataset, which a refquota of its own does not limit."""
    root = listed[pool]
    room = (root.available_bytes or 0) - (root.used_by_refreservation_bytes or 0)
    if not root.refquota_bytes:
        return room
    below = [
        (each.available_bytes or 0)
        - (each.used_by_refreservation_bytes or 0)
        - max(0, (each.reservation_bytes or 0) - (each.used_bytes or 0))
        for each in listed.values()
        if parent_of(each.name) == pool
    ]
    return max((room, *below))


def _upwards(name: str) -> Iterable[str]:
    while name:
        yield name
        name = parent_of(name)
