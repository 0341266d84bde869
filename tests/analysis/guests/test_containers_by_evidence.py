"""Containers of a host: what is proved, what is configured, what only names say."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.guests.test_dataset_names_of_engines import HOST, ID, INCUS, OTHER, system, volume
from zconsole.analysis.guests.containers_by_evidence import ContainerEvidence, containers_of_host
from zconsole.model.guests.container import (
    Container,
    ContainerEngine,
    ContainerKind,
    ContainerState,
    Evidence,
)
from zconsole.system.containers.container_processes import parse_cgroups, parse_container_mounts
from zconsole.system.containers.proxmox_config import parse_proxmox
from zconsole.system.mounts_and_boot_pools import Mount

CGROUPS = f"""\
/proc/820/cgroup:0::/lxc.payload.web1/init.scope
/proc/830/cgroup:0::/lxc.payload.web1/system.slice/docker-{ID}.scope
/proc/500/cgroup:0::/system.slice/docker-{ID}.scope
/proc/600/cgroup:0::/system.slice/docker-{OTHER}.scope
/proc/100/cgroup:0::/qemu.slice/100.scope
"""
MOUNTS = f"""\
/proc/820/mountinfo:700 612 0:70 / /srv rw - zfs tank/media rw
/proc/820/mountinfo:612 500 0:63 /rootfs / rw - zfs tank/incus/containers/web1 rw
/proc/820/mountinfo:613 500 0:64 / /dev/incus rw - tmpfs tmpfs rw
/proc/830/mountinfo:9 8 0:9 / / rw - overlay overlay rw,upperdir=/var/lib/docker/u
/proc/500/mountinfo:80 70 0:80 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/var/lib/docker/o/diff
/proc/600/mountinfo:90 70 0:90 / / rw - zfs tank/docker/{ID} rw
"""
PROXMOX = """\
/etc/pve/lxc/101.conf:hostname: files
/etc/pve/lxc/101.conf:rootfs: zfs:subvol-101-disk-0,size=8G
/etc/pve/qemu-server/100.conf:name: mail
/etc/pve/qemu-server/100.conf:scsi0: zfs:vm-100-disk-0,size=8G
/etc/pve/storage.cfg:zfspool: zfs
/etc/pve/storage.cfg:	pool tank/data
"""
SEEN = ContainerEvidence(
    parse_cgroups(CGROUPS),
    parse_container_mounts(MOUNTS),
    parse_proxmox(PROXMOX),
    host_mounts=(Mount("tank/var", "/var", "zfs"), Mount("/dev/sda1", "/", "ext4")),
)


def found(name: str, seen: ContainerEvidence = SEEN) -> Container:
    """The container of this name, with all datasets of the host listed."""
    return next(each for each in containers_of_host(seen, HOST) if each.name == name)


def test_a_container_is_on_the_dataset_that_is_the_root_of_its_process() -> None:
    web = found("web1")

    assert (ContainerEngine.INCUS, ContainerState.RUNNING) == (web.engine, web.state)
    assert ["tank/incus/containers/web1", "tank/media"] == [each.name for each in web.datasets]
    assert {Evidence.PROCESS} == {each.evidence for each in web.datasets}
    assert [True, False] == [each.is_root for each in web.datasets]
    assert "mounted at /srv in its process 820" == web.datasets[1].words


def test_a_container_within_a_container_is_of_the_outer_one_and_its_paths_are_not_the_hosts() -> None:
    assert (820, 830) == found("web1").processes
    assert not any("var" in each.name for each in found("web1").datasets)


def test_an_overlay_is_on_the_dataset_of_its_upper_folder() -> None:
    by_dataset = {each.datasets[0].name: each for each in containers_of_host(SEEN) if each.datasets}

    assert ID == by_dataset["tank/var"].name
    assert OTHER == by_dataset[f"tank/docker/{ID}"].name


def test_proxmox_guests_are_on_what_their_configuration_names() -> None:
    files, mail = found("101"), found("100")

    assert (ContainerKind.CONTAINER, ContainerState.STOPPED, "files") == (
        files.kind,
        files.state,
        files.title,
    )
    assert (ContainerKind.VIRTUAL_MACHINE, ContainerState.RUNNING) == (mail.kind, mail.state)
    assert [("tank/data/vm-100-disk-0", Evidence.CONFIG)] == [(e.name, e.evidence) for e in mail.datasets]


def test_nobody_knows_that_a_guest_is_stopped_where_processes_were_not_seen() -> None:
    assert ContainerState.UNKNOWN is found("101", replace(SEEN, processes=(), problem="no sh")).state


def test_a_replica_is_named_alike_and_is_not_taken_for_the_container_that_runs() -> None:
    """Sent with all its children, a storage pool of Incus is one again by its names."""
    copies = tuple(replace(each, name=each.name.replace("tank", "backup/tank")) for each in (*INCUS, HOST[7]))

    both = [each for each in containers_of_host(SEEN, (*HOST, *copies)) if each.name == "web1"]

    assert [ContainerState.RUNNING, ContainerState.UNKNOWN] == [each.state for each in both]
    assert [Evidence.NAME] == [each.evidence for each in both[1].datasets]
    assert "backup/tank/incus/containers/web1" == both[1].datasets[0].name


def test_a_dataset_of_a_known_container_is_not_told_by_its_name_again() -> None:
    every = [each.name for known in containers_of_host(SEEN, HOST) for each in known.datasets]

    assert len(every) == len(set(every))


def test_a_host_without_any_has_none() -> None:
    assert () == containers_of_host(ContainerEvidence(), (system("tank", "/tank"), volume("tank/vm/web01")))
