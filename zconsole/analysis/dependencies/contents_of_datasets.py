"""What lives on datasets: told from files that programs hold open, names and sizes of files, and mounts.

A program is known by its executable and a file by its name; what neither tells is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from zconsole.analysis.dependencies.dataset_or_device_of_path import PathPlaces
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.dataset_contents import (
    ContentKind,
    DatasetContents,
    FileSample,
    ProgramFiles,
    VolumeMount,
)
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.file_sizes import SampledPlace
from zconsole.system.mounts_and_boot_pools import ZFS, Mount
from zconsole.system.open_files import OpenFile

LARGE_FILE: Final = 1 << 20
ROOT: Final = "/"
DELETED: Final = " (deleted)"
DEVICES: Final = "/dev/"
_KINDS: Final = {  # how the names of files tell what they are; the first that fits
    ContentKind.INNODB: re.compile(r"(?:^|/)(?:ibdata\d{1,4}|undo_?\d{1,4}|[^/]+\.ibd)$"),
    ContentKind.POSTGRESQL: re.compile(r"(?:^|/)base/\d{1,10}/\d{1,10}(?:_fsm|_vm)?(?:\.\d{1,10})?$"),
    ContentKind.IMAGES: re.compile(r"\.(?:qcow2|qcow|raw|img|vmdk|vdi|vhdx?)$", re.IGNORECASE),
    ContentKind.MEDIA: re.compile(
        r"\.(?:mkv|mp4|m4v|avi|mov|mpe?g|ts|m2ts|webm|wmv|flac|wav|mp3|m4a|ogg|opus|iso|cr2|cr3|nef|arw|dng)$",
        re.IGNORECASE,
    ),
}
_PROGRAMS: Final = {
    **dict.fromkeys(("mysqld", "mariadbd"), ContentKind.INNODB),
    **dict.fromkeys(("postgres", "postmaster"), ContentKind.POSTGRESQL),
    **dict.fromkeys(
        ("transmission-daemon", "transmission-gtk", "qbittorrent", "qbittorrent-nox", "rtorrent"),
        ContentKind.TORRENTS,
    ),
    **dict.fromkeys(("qemu-system-x86_64", "qemu-system-aarch64", "kvm", "qemu-kvm"), ContentKind.IMAGES),
}  # fmt: skip
_BESIDE_TORRENTS: Final = re.compile(
    r"\.(?:log|conf|json|db|sqlite|dat|resume|torrent|fastresume|lock|pid|socket)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class HeldFile:
    """File of a known kind that a process of a known program holds open."""

    kind: ContentKind
    program: str
    process: int
    path: str


def kind_of_file(path: str) -> ContentKind | None:
    """The kind of a file by its name; None where that tells nothing."""
    return next((kind for kind, named in _KINDS.items() if named.search(path)), None)


def held_files(open_files: Iterable[OpenFile]) -> tuple[HeldFile, ...]:
    """Files that known programs hold open, each path of a program once.

    Processes with a root folder of their own are left out: their paths are not those of their mounts.
    """
    listed = tuple(open_files)
    programs = {each.process: _name(each.path) for each in listed if each.how == "exe"}
    elsewhere = {each.process for each in listed if each.how == "root" and each.path != ROOT}
    found: dict[tuple[str, str], HeldFile] = {}
    for each in listed:
        program = programs.get(each.process, "")
        kind = _PROGRAMS.get(program)
        if kind is None or each.how != "fd" or each.process in elsewhere or _is_other(kind, each.path):
            continue
        found.setdefault((program, each.path), HeldFile(kind, program, each.process, each.path))
    return tuple(found.values())


def contents_of_datasets(
    held: Sequence[HeldFile],
    mounts: Mapping[int, tuple[Mount, ...]],
    samples: Mapping[str, SampledPlace],
) -> tuple[DatasetContents, ...]:
    """What was seen of each file system, by name. `mounts` are those that each process sees."""
    programs: dict[str, list[HeldFile]] = {}
    nowhere = Inventory()
    places = {process: PathPlaces(seen, {}, nowhere) for process, seen in mounts.items()}
    for each in held:
        place = places[each.process].of_path(each.path) if each.process in places else ""
        if place and "@" not in place:
            programs.setdefault(place, []).append(each)
    return tuple(
        DatasetContents(
            name,
            tuple(_of_programs(programs.get(name, ()))),
            sample_of(samples[name]) if name in samples else None,
        )
        for name in sorted({*programs, *samples})
    )


def mounted_volumes(
    mounts: Iterable[Mount], volumes: Mapping[str, str], inventory: Inventory
) -> tuple[DatasetContents, ...]:
    """Volumes whose file systems the host itself has mounted; `volumes` are by kernel name."""
    seen = tuple(mounts)
    places = PathPlaces(seen, volumes, inventory)
    names = frozenset(volumes.values())
    found: dict[str, list[VolumeMount]] = {}
    for mount in seen:
        if mount.fstype != ZFS and mount.source.startswith(DEVICES) and (at := places.of(mount)) in names:
            found.setdefault(at, []).append(VolumeMount(mount.mountpoint, mount.fstype))
    return tuple(DatasetContents(name, mounted=tuple(at)) for name, at in sorted(found.items()))


def sample_of(place: SampledPlace) -> FileSample:
    """What the files that were looked at amount to, in bytes that they take."""
    files = place.files
    kinds: Counter[ContentKind] = Counter()
    for each in files:
        if (kind := kind_of_file(each.path)) is not None:
            kinds[kind] += each.allocated_bytes
    return FileSample(
        len(files),
        sum(each.allocated_bytes for each in files),
        sum(each.allocated_bytes for each in files if each.size_bytes >= LARGE_FILE),
        is_whole=place.is_whole,
        kinds=tuple((kind, kinds[kind]) for kind in _KINDS if kinds[kind]),
    )


def _of_programs(held: Iterable[HeldFile]) -> Iterator[ProgramFiles]:
    by_kind: dict[ContentKind, list[HeldFile]] = {}
    for each in held:
        by_kind.setdefault(each.kind, []).append(each)
    for kind, files in by_kind.items():
        first = min(files, key=lambda each: each.path)
        yield ProgramFiles(kind, first.program, first.process, len(files), first.path)


def _is_other(kind: ContentKind, path: str) -> bool:
    """Whether it is a file of another kind than the program is known for: its log, its journal."""
    if path.endswith(DELETED) or path.startswith(DEVICES):
        return True
    if kind is ContentKind.TORRENTS:
        return _BESIDE_TORRENTS.search(path) is not None
    return kind_of_file(path) is not kind


def _name(path: str) -> str:
    return path.removesuffix(DELETED).rpartition("/")[2]
