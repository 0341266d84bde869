"""Uses of datasets by containers, and by virtual machines that are not libvirt's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.model.guests.container import Container, ContainerKind, Evidence, way_to_stop
from zconsole.model.host.plan_facts import OutsideUse

CONTAINER: Final = "container"
CONTAINER_DATA: Final = "container data"  # of a container that does not run, or that may be one


def uses_by_containers(containers: Iterable[Container]) -> Iterator[OutsideUse]:
    """One use a dataset that surely belongs to a container; what only names tell is none."""
    for each in containers:
        for dataset in each.datasets:
            if not dataset.evidence.is_certain:
                continue
            about = f"{each.engine.value} {each.kind.value}, {dataset.words}"
            if each.is_running:
                yield OutsideUse(dataset.name, CONTAINER, each.shown_name, about, way_to_stop(each))
            else:
                yield OutsideUse(dataset.name, CONTAINER_DATA, each.shown_name, f"{about}; not seen running")


def holds_processes(container: Container) -> bool:
    """Whether the container tells all that its processes use: the mounts of their namespace were read.

    A virtual machine runs on the host's root: its process is told with the files that it has open.
    """
    return container.kind is ContainerKind.CONTAINER and any(
        each.evidence is Evidence.PROCESS for each in container.datasets
    )
