"""What a step acts on, and which object that is: read alone, as the last thing before the step is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from zconsole.actions.binding_figure import Figure
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.names import dataset_of, parent_of
from zconsole.model.pools.disk import Disk
from zconsole.model.pools.pool import Pool


class SubjectKind(Enum):
    """What is looked up by the name."""

    DATASET = "dataset"  # a file system, volume, snapshot or bookmark
    POOL = "pool"
    DISK = "disk"  # by the path that ZFS is given


@dataclass(frozen=True, slots=True)
class StepSubject:
    """One object by its name, and which one the plan means."""

    kind: SubjectKind
    name: str
    seen: str  # `guid 12 of txg 34`, `guid 12`, or serial, size and contents of a disk
    is_whole: bool = (
        False  # it goes with all that is in it: what the step's other subjects do not name is new
    )
    most_written: int | None = None  # bytes; None: no matter how many
    most_referenced: int | None = None
    newest_txg: int | None = None  # all in it that is newer is among the step's other subjects
    is_mounted: bool | None = None  # as it must be; None: either


def which(guid: int | str | None, createtxg: int | str | None) -> str:
    """Which dataset, snapshot or bookmark."""
    return f"guid {guid} of txg {createtxg}"


def of_datasets(datasets: Iterable[Dataset]) -> tuple[StepSubject, ...]:
    """Each by name; one whose guid was not told cannot be told from another, and is left out."""
    return tuple(
        StepSubject(SubjectKind.DATASET, each.name, which(each.guid, each.createtxg))
        for each in datasets
        if each.guid is not None and each.createtxg is not None
    )


def whole(
    datasets: Iterable[Dataset], top: Dataset, figures: Mapping[str, Figure]
) -> tuple[StepSubject, ...]:
    """A dataset with all that goes with it, each with as many bytes as the plan allows."""
    limited = within(of_datasets(datasets), figures)
    return tuple(replace(each, is_whole=each.name == top.name) for each in limited)


def within(subjects: Iterable[StepSubject], figures: Mapping[str, Figure]) -> tuple[StepSubject, ...]:
    """Each with as many bytes as the plan allows."""
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
    """The pool that a command names."""
    return () if pool.guid is None else (StepSubject(SubjectKind.POOL, pool.name, f"guid {pool.guid}"),)


def of_disk(path: str, disk: Disk | None) -> tuple[StepSubject, ...]:
    """The disk, or the partition of one, behind a path; a file has none."""
    return () if disk is None else (StepSubject(SubjectKind.DISK, path, disk_in_words(disk)),)


def disk_in_words(disk: Disk) -> str:
    """Which disk it is and what is on it; the kernel's name is told only where nothing better is known."""
    return f"{_which_disk(disk)}, {', '.join(_contents(each) for each in disk.walk())}"


def is_same_disk(subject: StepSubject, disk: Disk) -> bool:
    """Whether it is the disk that was reviewed, whatever is on it by now."""
    return subject.seen.startswith(f"{_which_disk(disk)}, ")


def _which_disk(disk: Disk) -> str:
    if disk.serial or disk.wwn:
        return f"serial {disk.serial or '-'} wwn {disk.wwn or '-'}"
    return disk.name


def _contents(disk: Disk) -> str:
    """A device's size, and the signature on it: of a ZFS label the pool's name and guid."""
    signature = " ".join(filter(None, (disk.fstype, disk.label, disk.uuid)))
    mounted = f" mounted at {' '.join(disk.mountpoints)}" if disk.mountpoints else ""
    return f"{disk.type or 'device'} of {disk.size_bytes} B {signature or 'without signature'}{mounted}"


def named_in(argv: Sequence[str], facts: PlanFacts) -> tuple[StepSubject, ...]:
    """What a command names, as far as it was read: datasets, the pool of a zpool command, disks."""
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
    """The dataset of what is not there yet: of a snapshot or bookmark its own, else the one above."""
    base = dataset_of(word)
    return base if base != word else parent_of(word)
