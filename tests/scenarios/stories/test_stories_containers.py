"""Containers lost their storage under them: who lives on a dataset is told, and a running one stays.

The host has an Incus container, a virtual machine and a container of Proxmox, and layers of Docker: named,
mounted and configured as these do it (sources: `dataset_names_of_engines`, `cgroup_names`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.practice.laboratory import run
from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan, Risk
from zconsole.base.clock import ManualClock
from zconsole.collect.guests.read_all_containers import read_all_containers
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.prepare_plan import prepare
from zconsole.model.guests.container import ContainerKind
from zconsole.practice import World, create_world
from zconsole.practice.containers.practice_container import PracticeContainer
from zconsole.practice.practice_host import PracticeHost

ID, LAYER = "4b5f" * 16, "0a1b" * 16
MADE = (
    "zfs create -o mountpoint=legacy tank/incus",
    *(
        f"zfs create -o mountpoint=legacy tank/incus/{name}"
        for name in ("containers", "custom", "deleted", "images", "containers/shop_web1", "containers/old")
    ),
    "zfs create tank/media",
    "zfs create -o mountpoint=none tank/data",
    "zfs create -V 64M tank/data/vm-100-disk-0",
    "zfs create tank/data/subvol-101-disk-0",
    "zfs create tank/docker",
    f"zfs create -o mountpoint=legacy tank/docker/{LAYER}",
    f"zfs create -o mountpoint=legacy tank/docker/{ID}-init",
    "zfs create tank/backup",
    "zfs create -V 64M tank/backup/vm-100-disk-0",
)


def world() -> World:
    """A host on which the Incus container, the virtual machine and one container of Docker run."""
    made = create_world("mirror 0 1", disks=3)
    for line in MADE:
        assert 0 == run(made, line).status, line
    root = ("/", "zfs", "tank/incus/containers/shop_web1", "rw,xattr")
    media = ("/srv", "zfs", "tank/media", "rw,xattr")
    made.containers = [
        PracticeContainer(
            "/lxc.payload.shop_web1/init.scope", 5200, [root, media, ("/dev/incus", "tmpfs", "tmpfs", "rw")]
        ),
        PracticeContainer("/qemu.slice/100.scope", 5300),
        PracticeContainer(
            f"/system.slice/docker-{ID}.scope", 5400, [("/", "zfs", f"tank/docker/{LAYER}", "rw")]
        ),
    ]
    made.proxmox_files = {
        "/etc/pve/storage.cfg": "zfspool: tank-vms\n\tpool tank/data\n\tcontent images,rootdir\n",
        "/etc/pve/qemu-server/100.conf": "name: mail\nscsi0: tank-vms:vm-100-disk-0,size=64M\n",
        "/etc/pve/lxc/101.conf": "hostname: files\nrootfs: tank-vms:subvol-101-disk-0,size=8G\n",
    }
    return made


@pytest.fixture
async def reader() -> AsyncIterator[Reader]:
    clock = ManualClock(1_795_219_200.0)
    host = PracticeHost(clock=clock, world=world())
    await host.connect()
    asker = Asker(host)
    yield Reader(asker, clock, Privilege(asker))
    await host.close()


async def planned(reader: Reader, action: str, target: str, *words: str) -> Plan:
    return await prepare(reader, intent(action, target, *words))


@pytest.mark.parametrize(
    ("action", "target", "words", "way"),
    [
        ("destroy", "tank/incus/containers/shop_web1", (), "incus stop web1 --project shop"),
        ("rename", "tank/incus/containers/shop_web1", ("tank/incus/containers/web2",), "incus stop web1"),
        ("unmount", "tank/media", (), "incus stop web1 --project shop"),
        ("destroy", "tank/data/vm-100-disk-0", (), "qm shutdown 100"),
        ("destroy", f"tank/docker/{LAYER}", (), f"docker stop {ID[:12]}"),
        ("export", "tank", (), "qm shutdown 100"),
    ],
)
async def test_what_runs_is_not_cut_off_and_the_way_out_is_its_engines(
    reader: Reader, action: str, target: str, words: tuple[str, ...], way: str
) -> None:
    made = await planned(reader, action, target, *words)

    assert Risk.REFUSED is made.risk
    assert any(way in each.instead for each in made.refusals if each.rule == "in-use"), made.refusals


@pytest.mark.parametrize(
    ("target", "kind", "words"),
    [
        (
            "tank/data/subvol-101-disk-0",
            "container data",
            "rootfs of /etc/pve/lxc/101.conf; not seen running",
        ),
        ("tank/backup/vm-100-disk-0", "container data", "named as Proxmox names the disk of guest 100"),
        ("tank/incus/containers/old", "container data", "named as Incus and LXD name the storage"),
    ],
)
async def test_what_does_not_run_is_told_and_a_name_is_told_as_a_name(
    reader: Reader, target: str, kind: str, words: str
) -> None:
    made = await planned(reader, "destroy", target)

    assert [] == list(made.refusals)
    (about,) = [each.detail for each in made.dependents if each.kind == kind]
    assert words in about


async def test_every_container_is_found_with_its_state(reader: Reader) -> None:
    found = (await read_all_containers(reader.asker, reader.clock)).value or ()

    states = {
        (each.engine.value, each.name): each.state.value
        for each in found
        if each.kind in {ContainerKind.CONTAINER, ContainerKind.VIRTUAL_MACHINE}
        and any(dataset.evidence.is_certain for dataset in each.datasets)
    }
    assert {
        ("Incus", "shop_web1"): "running",
        ("Proxmox", "100"): "running",
        ("Proxmox", "101"): "stopped",
        ("Docker", ID): "running",
    } == states
