"""Container, or virtual machine of an engine that is not libvirt, with the datasets that it is on."""

from __future__ import annotations

import shlex
from enum import Enum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass


class ContainerEngine(Enum):
    """Program that runs containers, by the name that its users call it."""

    INCUS = "Incus"
    LXD = "LXD"
    LXC = "LXC"
    PROXMOX = "Proxmox"
    DOCKER = "Docker"
    PODMAN = "Podman"
    NSPAWN = "systemd-nspawn"
    LIBVIRT_LXC = "libvirt LXC"
    INCUS_OR_LXD = "Incus or LXD"  # these name their datasets alike
    DOCKER_OR_PODMAN = "Docker or Podman"  # these too


class ContainerKind(Enum):
    """What an engine keeps on a dataset."""

    CONTAINER = "container"
    VIRTUAL_MACHINE = "virtual machine"
    IMAGE = "image"  # or template: containers are cloned from it
    VOLUME = "volume"  # data of the users of containers
    STORE = "store"  # several of these, in a way that names do not tell


class Evidence(Enum):
    """What tells that a container is on a dataset, the surest first."""

    PROCESS = "process"  # the dataset is mounted in the mount namespace of its running process
    CONFIG = "config"  # its configuration names the dataset
    MOUNT = "mount"  # the dataset is mounted where the engine keeps its data
    NAME = "name"  # the dataset is named as the engine names its own: likely, not known

    @property
    def is_certain(self) -> bool:
        """Whether it proves that the dataset belongs to the container."""
        return self in {Evidence.PROCESS, Evidence.CONFIG}


class ContainerState(Enum):
    """Whether a container has processes."""

    RUNNING = "running"
    STOPPED = "stopped"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ContainerDataset:
    """Dataset or volume of a container. `words` tell what the evidence is."""

    name: str
    evidence: Evidence
    words: str = ""
    is_root: bool = True  # not one that is mounted below its root


@dataclass(frozen=True, slots=True)
class Container:
    """Container with its datasets, those of its root first."""

    engine: ContainerEngine
    name: str  # the engine's: a name, a number of Proxmox, or the id of Docker and Podman
    kind: ContainerKind = ContainerKind.CONTAINER
    state: ContainerState = ContainerState.UNKNOWN
    datasets: tuple[ContainerDataset, ...] = ()
    title: str = ""  # what people call it, where that is not its name
    processes: tuple[int, ...] = ()  # known ones, by process id of the host

    @property
    def is_running(self) -> bool:
        """Whether it has processes."""
        return self.state is ContainerState.RUNNING

    @property
    def shown_name(self) -> str:
        """The name with an id cut as the engine cuts it, and the title behind it."""
        name = self.name[:SHORT_ID] if self.engine in BY_ID and len(self.name) == LONG_ID else self.name
        return f"{name} ({self.title})" if self.title else name

    @property
    def in_words(self) -> str:
        """`Incus container web1`."""
        return f"{self.engine.value} {self.kind.value} {self.shown_name}"


BY_ID: Final = frozenset({ContainerEngine.DOCKER, ContainerEngine.PODMAN, ContainerEngine.DOCKER_OR_PODMAN})
SHORT_ID: Final = 12  # hexadecimal digits that Docker prints of an id
LONG_ID: Final = 64  # hexadecimal digits of an id


def way_to_stop(container: Container) -> str:
    """The command that stops it, as its engine has it; empty where none is known."""
    name = shlex.quote(container.name)
    project, _, instance = container.name.rpartition(
        "_"
    )  # Incus and LXD join them so, unless it is the default project
    of_project = f"{shlex.quote(instance)} --project {shlex.quote(project)}" if project else name
    match container.engine:
        case ContainerEngine.INCUS:
            return f"incus stop {of_project}"
        case ContainerEngine.LXD:
            return f"lxc stop {of_project}"
        case ContainerEngine.LXC:
            return f"lxc-stop -n {name}"
        case ContainerEngine.DOCKER:
            return f"docker stop {name[:SHORT_ID]}"
        case ContainerEngine.PODMAN:
            return f"podman stop {name[:SHORT_ID]}"
        case ContainerEngine.PROXMOX:
            tool = "qm" if container.kind is ContainerKind.VIRTUAL_MACHINE else "pct"
            return f"{tool} shutdown {name}"
        case ContainerEngine.NSPAWN:
            return f"machinectl poweroff {name}"
        case ContainerEngine.LIBVIRT_LXC:
            return f"virsh -c lxc:/// shutdown --domain {name}"
        case ContainerEngine.INCUS_OR_LXD:
            return f"incus stop {of_project}, or lxc stop {of_project} with LXD"
        case ContainerEngine.DOCKER_OR_PODMAN:
            return ""
