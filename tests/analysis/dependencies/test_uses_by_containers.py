"""Uses by containers: certain ones only, and in the engine's words how to stop them."""

from __future__ import annotations

from zconsole.analysis.dependencies.uses_by_containers import holds_processes, uses_by_containers
from zconsole.model.guests.container import (
    Container,
    ContainerDataset,
    ContainerEngine,
    ContainerKind,
    ContainerState,
    Evidence,
)

RUNS, STOPPED = ContainerState.RUNNING, ContainerState.STOPPED
BY_PROCESS = ContainerDataset("tank/c/web1", Evidence.PROCESS, "the root of its process 7")


def test_a_running_container_uses_its_dataset_and_is_stopped_by_its_engine() -> None:
    web = Container(ContainerEngine.INCUS, "shop_web1", state=RUNS, datasets=(BY_PROCESS,))

    (use,) = uses_by_containers((web,))

    assert use.is_running
    assert ("tank/c/web1", "container", "shop_web1") == (use.object, use.kind, use.name)
    assert "Incus container, the root of its process 7" == use.detail
    assert "incus stop web1 --project shop" == use.way_to_stop


def test_a_stopped_one_has_its_data_there_and_does_not_block() -> None:
    dataset = ContainerDataset("tank/d", Evidence.CONFIG, "rootfs of /etc/pve/lxc/101.conf")
    files = Container(ContainerEngine.PROXMOX, "101", state=STOPPED, datasets=(dataset,), title="files")

    (use,) = uses_by_containers((files,))

    assert not use.is_running
    assert ("container data", "101 (files)") == (use.kind, use.name)


def test_what_only_a_name_says_is_no_use() -> None:
    named = ContainerDataset("backup/c/web1", Evidence.NAME, "named so")

    assert [] == list(uses_by_containers((Container(ContainerEngine.LXC, "web1", datasets=(named,)),)))


def test_a_virtual_machine_is_told_with_its_process() -> None:
    machine = Container(ContainerEngine.PROXMOX, "100", ContainerKind.VIRTUAL_MACHINE, RUNS, (BY_PROCESS,))

    assert not holds_processes(machine)
    assert holds_processes(Container(ContainerEngine.LXC, "web1", state=RUNS, datasets=(BY_PROCESS,)))
