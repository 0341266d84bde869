"""Containers of a host: from processes, their mounts, Proxmox's configuration, and names of datasets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Final

from zconsole.analysis.dependencies.dataset_or_device_of_path import PathPlaces
from zconsole.analysis.guests.dataset_names_of_engines import DatasetNamesOfEngines
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, parent_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.container import (
    Container,
    ContainerDataset,
    ContainerEngine,
    ContainerKind,
    ContainerState,
    Evidence,
)
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.containers.container_processes import ContainerMount, ContainerProcess
from zconsole.system.containers.proxmox_config import ProxmoxConfig
from zconsole.system.mounts_and_boot_pools import ZFS, Mount

ROOT: Final = "/"
_OVERLAY: Final = "overlay"
_UPPER: Final = "upperdir="
_MARKS: Final = {"/dev/incus": ContainerEngine.INCUS, "/dev/lxd": ContainerEngine.LXD}
_Key = tuple[ContainerEngine, str, ContainerKind]


@dataclass(frozen=True, slots=True)
class ContainerEvidence:
    """What was read; `volumes` maps kernel names (`zd0`) to volumes, `problem` says what is missing."""

    processes: tuple[ContainerProcess, ...] = ()
    mounts: tuple[ContainerMount, ...] = ()
    proxmox: ProxmoxConfig = field(default_factory=ProxmoxConfig)
    host_mounts: tuple[Mount, ...] = ()
    volumes: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""


def containers_of_host(seen: ContainerEvidence, datasets: Iterable[Dataset] = ()) -> tuple[Container, ...]:
    """All containers that have a dataset or a process, running ones first, then by engine and name.

    `datasets` are file systems and volumes, of which names and mount points are looked at.
    """
    listed = tuple(datasets)
    known = DatasetNamesOfEngines(listed)
    certain = {_key(each): each for each in _with_processes(seen, known)}
    for each in _configured(seen):
        before = certain.get(_key(each))
        certain[_key(each)] = each if before is None else _joined(before, each)
    claimed = {dataset.name for each in certain.values() for dataset in each.datasets}
    found = [*certain.values(), *_named(known, listed, claimed)]
    return tuple(sorted(found, key=_order))


def _key(container: Container) -> _Key:
    return container.engine, container.name, container.kind


def _order(container: Container) -> tuple[bool, bool, str, str, str]:
    first = container.datasets[0].name if container.datasets else ""
    is_likely = not any(each.evidence.is_certain for each in container.datasets)
    return not container.is_running, is_likely, container.engine.value, container.name, first


def _with_processes(seen: ContainerEvidence, known: DatasetNamesOfEngines) -> Iterator[Container]:
    places = PathPlaces(seen.host_mounts, seen.volumes, Inventory())
    processes: dict[_Key, list[int]] = {}
    inner: set[int] = set()
    for each in seen.processes:
        within = each.container
        processes.setdefault((within.engine, within.name, within.kind), []).append(each.process)
        if within.is_inner:
            inner.add(each.process)
    mounts: dict[int, list[ContainerMount]] = {}
    for mount in seen.mounts:
        if mount.process not in inner:
            mounts.setdefault(mount.process, []).append(mount)
    for (engine, name, kind), pids in processes.items():
        own = [mount for pid in pids for mount in mounts.get(pid, ())]
        datasets = tuple(_mounted(own, places))
        yield Container(
            _engine(engine, own, datasets, known),
            name,
            kind,
            ContainerState.RUNNING,
            datasets,
            processes=tuple(pids),
        )


def _mounted(mounts: Iterable[ContainerMount], places: PathPlaces) -> Iterator[ContainerDataset]:
    """Datasets and volumes mounted in the namespace of a process, the one of its root first."""
    found: dict[str, ContainerDataset] = {}
    for mount in sorted(mounts, key=lambda each: each.path != ROOT):
        dataset = _dataset(mount, places)
        if dataset and dataset not in found:
            is_root = mount.path == ROOT
            words = (
                f"the root of its process {mount.process}"
                if is_root
                else f"mounted at {mount.path} in its process {mount.process}"
            )
            found[dataset] = ContainerDataset(dataset, Evidence.PROCESS, words, is_root)
    yield from found.values()


def _dataset(mount: ContainerMount, places: PathPlaces) -> str:
    if mount.fstype == ZFS:
        return dataset_of(mount.source)
    if mount.fstype == _OVERLAY and mount.path == ROOT:
        upper = next((each for each in mount.options if each.startswith(_UPPER)), "")
        return places.of_path(upper.removeprefix(_UPPER)) if upper else ""
    place = places.of_path(mount.source) if mount.source.startswith("/dev/") else ""
    return "" if place.startswith("/") else place


def _engine(
    engine: ContainerEngine,
    mounts: Iterable[ContainerMount],
    datasets: tuple[ContainerDataset, ...],
    known: DatasetNamesOfEngines,
) -> ContainerEngine:
    """Incus and LXD run their containers by liblxc: their own device, or their datasets, tell them."""
    if engine is not ContainerEngine.LXC:
        return engine
    for mount in mounts:
        if mount.path in _MARKS:
            return _MARKS[mount.path]
    if any(each.is_root and known.is_of_incus(each.name) for each in datasets):
        return ContainerEngine.INCUS_OR_LXD
    return engine


def _configured(seen: ContainerEvidence) -> Iterator[Container]:
    """Guests of Proxmox: stopped, unless a process was seen."""
    state = ContainerState.UNKNOWN if seen.problem else ContainerState.STOPPED
    for guest in seen.proxmox.guests:
        disks = ((disk, seen.proxmox.dataset_of(disk)) for disk in guest.disks)
        datasets = tuple(
            ContainerDataset(dataset, Evidence.CONFIG, f"{disk.key} of {guest.path}",
                             is_root=not disk.key.startswith(("mp", "unused")))
            for disk, dataset in disks if dataset
        )  # fmt: skip
        yield Container(ContainerEngine.PROXMOX, guest.number, guest.kind, state, datasets, title=guest.name)


def _joined(running: Container, configured: Container) -> Container:
    """What runs, with its name and the datasets that its configuration adds."""
    known = {each.name for each in running.datasets}
    further = (each for each in configured.datasets if each.name not in known)
    return replace(running, title=configured.title, datasets=(*running.datasets, *further))


def _named(
    known: DatasetNamesOfEngines, datasets: Iterable[Dataset], claimed: set[str]
) -> Iterator[Container]:
    """What only names and mount points tell, one for each name and parent; layers are told by their store."""
    grouped: dict[tuple[_Key, str], list[ContainerDataset]] = {}
    for each in datasets:
        found = known.of(each) if each.name not in claimed else None
        if found is None or found.is_layer:
            continue
        key = (found.engine, found.name, found.kind)
        where = parent_of(each.name)
        dataset = ContainerDataset(each.name, found.evidence, found.words)
        grouped.setdefault((key, where), []).append(dataset)
    for ((engine, name, kind), _), held in grouped.items():
        yield Container(engine, name, kind, datasets=tuple(held))
