"""Guests of libvirt and containers of a host as one list, for what shows who lives on which dataset."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from zconsole.model.guests.container import (
    Container,
    ContainerDataset,
    ContainerKind,
    ContainerState,
    Evidence,
)
from zconsole.model.guests.guest import (
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestState,
    GuestStatus,
    Image,
    SourceKind,
    StoredDisk,
    StoredImage,
)
from zconsole.model.host.host_state import HostState

SHOWN: Final = frozenset({ContainerKind.CONTAINER, ContainerKind.VIRTUAL_MACHINE})
_STATES: Final = {
    ContainerState.RUNNING: GuestState.RUNNING,
    ContainerState.STOPPED: GuestState.SHUT_OFF,
    ContainerState.UNKNOWN: GuestState.UNKNOWN,
}
_BY: Final = {Evidence.MOUNT: "by its mount point", Evidence.NAME: "by its name alone"}


def guests_and_containers(state: HostState) -> tuple[Guest, ...]:
    """All that is known of both; the same value as long as neither was read again."""
    return _both(_Same(state.guests.value or ()), _Same(state.containers.value or ()))


def as_guests(containers: Iterable[Container]) -> tuple[Guest, ...]:
    """Containers and virtual machines in the form of guests, without images, volumes and stores.

    The engine stands for the connection to libvirt, the path in a container for the target of a disk, and the
    evidence for the path of an image.
    """
    return tuple(_as_guest(each) for each in containers if each.kind in SHOWN)


class _Same:
    """Values that are equal only if they are the same: comparing all guests takes long."""

    __slots__ = ("values",)

    def __init__(self, values: tuple[Guest, ...] | tuple[Container, ...]) -> None:
        self.values = values

    def __hash__(self) -> int:
        return id(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.values is self.values


@lru_cache(maxsize=64)
def _both(guests: _Same, containers: _Same) -> tuple[Guest, ...]:
    found = tuple(each for each in guests.values if isinstance(each, Guest))
    return (*found, *as_guests(each for each in containers.values if isinstance(each, Container)))


def _as_guest(each: Container) -> Guest:
    engine = each.engine.value
    first = each.datasets[0].name if each.datasets else ""
    definition = GuestDefinition(
        f"{engine} {each.kind.value} {each.name} {first}",
        each.shown_name,
        is_container=each.kind is ContainerKind.CONTAINER,
        connection=engine,
    )
    disks = tuple(_disk(dataset) for dataset in each.datasets)
    status = GuestStatus(each.shown_name, _STATES[each.state], connection=engine)
    return Guest(definition, status, disks)


def _disk(dataset: ContainerDataset) -> StoredDisk:
    where = _BY.get(dataset.evidence, "its root" if dataset.is_root else "a mount")
    disk = GuestDisk(where, dataset.name, SourceKind.OTHER)
    return StoredDisk(disk, (StoredImage(Image(dataset.words), dataset.name),))
