"""Containers by the names and in the words of their engines."""

from __future__ import annotations

import pytest

from zconsole.model.guests.container import Container, ContainerEngine, ContainerKind, way_to_stop

ID = "4b5f1c0a9d3e" + "0" * 52
VM = ContainerKind.VIRTUAL_MACHINE


@pytest.mark.parametrize(
    ("expected", "container"),
    [
        ("incus stop web1", Container(ContainerEngine.INCUS, "web1")),
        ("lxc stop web1 --project shop", Container(ContainerEngine.LXD, "shop_web1")),
        ("lxc-stop -n web1", Container(ContainerEngine.LXC, "web1")),
        ("docker stop 4b5f1c0a9d3e", Container(ContainerEngine.DOCKER, ID)),
        ("podman stop 4b5f1c0a9d3e", Container(ContainerEngine.PODMAN, ID)),
        ("pct shutdown 101", Container(ContainerEngine.PROXMOX, "101")),
        ("qm shutdown 100", Container(ContainerEngine.PROXMOX, "100", VM)),
        ("machinectl poweroff ci", Container(ContainerEngine.NSPAWN, "ci")),
        ("virsh -c lxc:/// shutdown --domain box", Container(ContainerEngine.LIBVIRT_LXC, "box")),
        (
            "virsh -c lxc:/// shutdown --domain '--help $(id)'",
            Container(ContainerEngine.LIBVIRT_LXC, "--help $(id)"),
        ),
    ],
)
def test_the_way_out_is_in_the_words_of_the_engine(expected: str, container: Container) -> None:
    assert expected == way_to_stop(container)


def test_an_id_is_cut_as_docker_cuts_it_and_a_title_stands_behind() -> None:
    assert "4b5f1c0a9d3e" == Container(ContainerEngine.DOCKER, ID).shown_name
    assert "101 (files)" == Container(ContainerEngine.PROXMOX, "101", title="files").shown_name
    assert "Proxmox virtual machine 100" == Container(ContainerEngine.PROXMOX, "100", VM).in_words
