"""Subjects of a step: the objects it acts on, identified again right before it is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum

from zconsole.actions.byte_count_tolerance import Figure
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, parent_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import Pool


class SubjectKind(Enum):
    """Kind of lookup by name."""

    DATASET = "dataset"  # a file system, volume, snapshot or bookmark
    POOL = "pool"
    DISK = "disk"  # by the path given to ZFS


@dataclass(frozen=True, slots=True)
class StepSubject:
    """Object by name, with the identity that the plan means."""

    kind: SubjectKind
    name: str
    seen: str  # `guid 12 of txg 34`, `guid 12`, or serial, size and contents of a disk
    is_whole: bool = False  # it is destroyed with its contents: anything not among the subjects is new
    most_written: int | None = None  # bytes; None: no limit
    most_referenced: int | None = None
    newest_txg: int | None = None  # all newer contents are among the other subjects
    is_mounted: bool | None = None  # required state; None: either


def which(guid: int | str | None, createtxg: int | str | None) -> str:
    """Identity of a dataset, snapshot or bookmark."""
    return f"guid {guid} of txg {createtxg}"


def of_datasets(datasets: Iterable[Dataset]) -> tuple[StepSubject, ...]:
    """Subjects by name; datasets without a known guid are left out."""
    return tuple(
        StepSubject(SubjectKind.DATASET, each.name, which(each.guid, each.createtxg))
        for each in datasets
        if each.guid is not None and each.createtxg is not None
    )


def whole(
    datasets: Iterable[Dataset], top: Dataset, figures: Mapping[str, Figure]
) -> tuple[StepSubject, ...]:
    """A dataset with everything destroyed with it, with allowed bytes."""
    limited = within(of_datasets(datasets), figures)
    return tuple(replace(each, is_whole=each.name == top.name) for each in limited)


def within(subjects: Iterable[StepSubject], figures: Mapping[str, Figure]) -> tuple[StepSubject, ...]:
    """The subjects with allowed bytes."""
    return tuple(
        replace(
            each,
            most_written=_most(figures, f"written to {each.name} since its last snapshot"),
            most_referenced=_most(figures, f"referenced by {each.name}"),
        )
        for each in subjects
    )


def _most(figures: Mapping[str, Figure], what: str) -> int | None:
    return figures[what].most if what in figures else None


def of_pool(pool: Pool) -> tuple[StepSubject, ...]:
    """The pool named by a command."""
    return () if pool.guid is None else (StepSubject(SubjectKind.POOL, pool.name, f"guid {pool.guid}"),)


def of_disk(path: str, disk: Disk | None) -> tuple[StepSubject, ...]:
    """The disk or partition at a path; empty for a file."""
    return () if disk is None else (StepSubject(SubjectKind.DISK, path, disk_in_words(disk)),)


def disk_in_words(disk: Disk) -> str:
    """Identity and contents of a disk; the kernel name only if nothing better is known."""
    return f"{_which_disk(disk)}, {', '.join(_contents(each) for each in disk.walk())}"


def is_same_disk(subject: StepSubject, disk: Disk) -> bool:
    """Whether it is the reviewed disk, whatever its contents are now."""
    return subject.seen.startswith(f"{_which_disk(disk)}, ")


def _which_disk(disk: Disk) -> str:
    if disk.serial or disk.wwn:
        return f"serial {disk.serial or '-'} wwn {disk.wwn or '-'}"
    return disk.name


def _contents(disk: Disk) -> str:
    """A device's size and signature; for a ZFS label the pool's name and guid."""
    signature = " ".join(filter(None, (disk.fstype, disk.label, disk.uuid)))
    mounted = f" mounted at {' '.join(disk.mountpoints)}" if disk.mountpoints else ""
    return f"{disk.type or 'device'} of {disk.size_bytes} B {signature or 'without signature'}{mounted}"


def named_in(argv: Sequence[str], facts: PlanFacts) -> tuple[StepSubject, ...]:
    """Objects named by a command, as far as they were read: datasets, the pool of a zpool command, disks."""
    known = {each.name: each for each in facts.datasets}
    pools = {each.name: each for each in facts.pools}
    found: dict[StepSubject, None] = {}
    for word in argv[1:]:
        if argv[0] == "zpool" and word in pools:
            found |= dict.fromkeys(of_pool(pools[word]))
        elif argv[0] != "zpool" and (dataset := known.get(word) or known.get(_base(word))) is not None:
            found |= dict.fromkeys(of_datasets((dataset,)))
        elif (path := word.partition("=")[2] or word).startswith("/dev/"):
            found |= dict.fromkeys(of_disk(path, facts.disk(path)))
    return tuple(found)


def _base(word: str) -> str:
    """The existing dataset for a new name: the dataset of a snapshot or bookmark, else the parent."""
    base = dataset_of(word)
    return base if base != word else parent_of(word)
