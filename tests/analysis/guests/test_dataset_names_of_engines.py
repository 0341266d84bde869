"""Datasets named or mounted as engines do it: recognised, and all others left alone."""

from __future__ import annotations

import pytest

from zconsole.analysis.guests.dataset_names_of_engines import DatasetNamesOfEngines
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.container import ContainerEngine, ContainerKind, Evidence

ID, OTHER = "4b5f" * 16, "0a1b" * 16


def system(name: str, mountpoint: str | None = "legacy") -> Dataset:
    """A file system."""
    return Dataset(name, "filesystem", mountpoint=mountpoint)


def volume(name: str) -> Dataset:
    """A volume."""
    return Dataset(name, "volume")


INCUS = tuple(
    system(f"tank/incus{each}")
    for each in ("", "/containers", "/custom", "/deleted", "/deleted/images", "/images", "/virtual-machines")
)
HOST = (
    *INCUS,
    system("tank/incus/containers/web1"),
    system("tank/incus/virtual-machines/db1"),
    volume("tank/incus/virtual-machines/db1.block"),
    system("tank/incus/custom/default_data"),
    system(f"tank/incus/deleted/images/{ID}"),
    system("tank/docker", "/var/lib/docker"),
    system(f"tank/docker/{ID}"),
    system(f"tank/docker/{OTHER}"),
    system(f"tank/docker/{OTHER}-init"),
    volume("tank/data/vm-100-disk-0"),
    system("tank/data/subvol-101-disk-0", "/tank/data/subvol-101-disk-0"),
    volume("tank/data/base-9000-disk-0"),
    system("tank/lxc/old", "/var/lib/lxc/old/rootfs"),
    system("tank/ci", "/var/lib/machines/ci"),
)
KNOWN = DatasetNamesOfEngines(HOST)
VM, CONTAINER = ContainerKind.VIRTUAL_MACHINE, ContainerKind.CONTAINER


@pytest.mark.parametrize(
    ("engine", "kind", "name", "dataset"),
    [
        (ContainerEngine.INCUS_OR_LXD, ContainerKind.STORE, "tank/incus", "tank/incus"),
        (ContainerEngine.INCUS_OR_LXD, CONTAINER, "web1", "tank/incus/containers/web1"),
        (ContainerEngine.INCUS_OR_LXD, VM, "db1", "tank/incus/virtual-machines/db1"),
        (ContainerEngine.INCUS_OR_LXD, VM, "db1", "tank/incus/virtual-machines/db1.block"),
        (
            ContainerEngine.INCUS_OR_LXD,
            ContainerKind.VOLUME,
            "default_data",
            "tank/incus/custom/default_data",
        ),
        (ContainerEngine.INCUS_OR_LXD, ContainerKind.IMAGE, ID, f"tank/incus/deleted/images/{ID}"),
        (ContainerEngine.DOCKER, ContainerKind.STORE, "tank/docker", "tank/docker"),
        (ContainerEngine.DOCKER, ContainerKind.IMAGE, OTHER, f"tank/docker/{OTHER}-init"),
        (ContainerEngine.PROXMOX, VM, "100", "tank/data/vm-100-disk-0"),
        (ContainerEngine.PROXMOX, CONTAINER, "101", "tank/data/subvol-101-disk-0"),
        (ContainerEngine.PROXMOX, ContainerKind.IMAGE, "9000", "tank/data/base-9000-disk-0"),
        (ContainerEngine.LXC, CONTAINER, "old", "tank/lxc/old"),
        (ContainerEngine.NSPAWN, CONTAINER, "ci", "tank/ci"),
    ],
)
def test_an_engine_is_known_by_its_names(
    engine: ContainerEngine, kind: ContainerKind, name: str, dataset: str
) -> None:
    found = KNOWN.of(next(each for each in HOST if each.name == dataset))

    assert found is not None
    assert (engine, kind, name) == (found.engine, found.kind, found.name)
    assert found.evidence in {Evidence.NAME, Evidence.MOUNT}


@pytest.mark.parametrize(
    "dataset",
    [
        system("tank", "/tank"),
        system("tank/containers/gitlab", "/tank/containers/gitlab"),  # no storage pool of Incus
        system("tank/home/vm-100-disk-0", "/tank/home/x"),  # Proxmox has a volume of this name
        volume("tank/subvol-101-disk-0"),
        volume("tank/vm/web01"),
        system(f"tank/home/{ID}", f"/tank/home/{ID}"),  # layers are mounted by Docker alone
        system("tank/incus/containers"),
        Dataset("tank/data/vm-100-disk-0@daily", "snapshot"),
    ],
)
def test_all_others_are_left_alone(dataset: Dataset) -> None:
    assert DatasetNamesOfEngines((*HOST, dataset)).of(dataset) is None


def test_without_its_neighbours_less_is_recognised() -> None:
    web, layer = HOST[7], HOST[13]

    assert DatasetNamesOfEngines((web,)).of(web) is None
    found = DatasetNamesOfEngines((layer,)).of(layer)
    assert found is not None
    assert ContainerEngine.DOCKER_OR_PODMAN is found.engine


def test_a_name_is_told_as_a_name() -> None:
    found = KNOWN.of(HOST[17])

    assert found is not None
    assert "named as Proxmox names the disk of guest 101" == found.words
