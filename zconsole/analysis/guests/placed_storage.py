"""Storage of guests with what holds it: images, firmware, shared folders; or why that is not known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from zconsole.analysis.dependencies.dataset_or_device_of_path import PathHolders
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import (
    SYSTEM,
    GuestDefinition,
    GuestDisk,
    Image,
    OtherStorage,
    SourceKind,
    StoredDisk,
    StoredImage,
    StoredOther,
)

SAVED_MEMORY: Final = "/var/lib/libvirt/qemu/save"
OF_SESSION: Final = "libvirt keeps it in a folder of that user, which is not looked for"
Chain = tuple[tuple[Image, ...], str]  # the images of a disk, and why they are not known
_NOT_READ: Final = PathHolders(unknown="what holds it was not read")


def with_saved_memory(definition: GuestDefinition) -> GuestDefinition:
    """The definition of a guest whose memory is saved (`virsh managedsave`), with the file that has it."""
    saved = OtherStorage("saved memory", f"{SAVED_MEMORY}/{definition.name}.save", is_default=True)
    return replace(definition, others=(*definition.others, saved))


def of_connection(definition: GuestDefinition, connection: str, uri: str) -> GuestDefinition:
    """The definition as of a libvirt of its host: that of a session keeps nothing in the system's folders."""
    others = definition.others
    if connection != SYSTEM:
        others = tuple(
            OtherStorage(each.role, unknown=OF_SESSION) if each.is_default else each for each in others
        )
    return replace(definition, others=others, connection=connection, uri=uri)


def why_no_path(disk: GuestDisk) -> PathHolders:
    """What is known of a disk without a path on the host."""
    match disk.kind:
        case SourceKind.POOL_VOLUME:
            pool, volume = disk.pool_and_volume or ("", "")
            problem = f": {disk.problem}" if disk.problem else ""
            return PathHolders(unknown=f"volume {volume} of the storage pool {pool} of libvirt{problem}")
        case SourceKind.NETWORK:
            protocol = disk.source.partition("/")[0]
            return PathHolders(unknown=f"it is reached over the network ({protocol})")
        case SourceKind.NVME:
            return PathHolders(elsewhere="an NVMe device that is taken from the host")
        case SourceKind.VHOST_USER:
            return PathHolders(unknown=f"a daemon serves it at {disk.source}")
        case _:
            return PathHolders(unknown=f"a source that is not known here: {disk.source}")


def without_path(definition: GuestDefinition) -> Iterator[tuple[str, str]]:
    """Disks and other storage without a path on the host that may be on ZFS all the same, and why."""
    for disk in definition.disks:
        why = "" if disk.path else why_no_path(disk).unknown
        if why:
            yield disk.target, why
    yield from ((each.role, each.unknown) for each in definition.others if each.unknown)


@dataclass(frozen=True, slots=True)
class PlacedStorage:
    """What was read of the storage of guests. Paths, names of volumes, datasets by name, chains by path."""

    holders: Mapping[str, PathHolders]
    volumes: frozenset[str] = frozenset()
    datasets: Mapping[str, Dataset] | None = None
    chains: Mapping[str, Chain] | None = None
    missing: frozenset[str] = frozenset()  # paths that do not exist

    def disk(self, disk: GuestDisk) -> StoredDisk:
        """A disk with its images, those below as far as they are known."""
        images, problem = (self.chains or {}).get(disk.path, ((), ""))
        if not images:
            own = Image(disk.path or disk.source, disk.format)
            images = (own, *(Image(path) for path in disk.backing))
        first, *below = images
        held = self.holders.get(disk.path, _NOT_READ) if disk.path else why_no_path(disk)
        return StoredDisk(
            disk,
            (self._image(first, held), *(self._image(each, self._below(each)) for each in below)),
            problem=problem,
        )

    def other(self, storage: OtherStorage) -> StoredOther:
        """Other storage of a guest."""
        if not storage.path:
            return StoredOther(storage, unknown=storage.unknown)
        held = self.holders.get(storage.path, _NOT_READ)
        return StoredOther(storage, held.objects, held.unknown, held.elsewhere)

    def _below(self, image: Image) -> PathHolders:
        if image.path.startswith("/"):
            return self.holders.get(image.path, _NOT_READ)
        return PathHolders(unknown="it is no path of the host")

    def _image(self, image: Image, held: PathHolders) -> StoredImage:
        place, *also = held.objects or ("",)
        dataset = (self.datasets or {}).get(place)
        return StoredImage(
            image, place, place in self.volumes, dataset, tuple(also), held.unknown, held.elsewhere,
            image.path in self.missing, held.real_path,
        )  # fmt: skip
