"""Control groups of containers, as the engines name them."""

from __future__ import annotations

import pytest

from zconsole.model.guests.container import ContainerEngine, ContainerKind
from zconsole.system.containers.cgroup_names import ContainerName, container_of

ID = "4b5f" * 16


@pytest.mark.parametrize(
    ("expected", "cgroup"),
    [
        ((ContainerEngine.LXC, "web1"), "/lxc.payload.web1/init.scope"),
        ((ContainerEngine.LXC, "shop_web-1"), "/lxc.payload.shop_web-1/system.slice/cron.service"),
        ((ContainerEngine.LXC, "old"), "/lxc/old"),
        ((ContainerEngine.PROXMOX, "101"), "/lxc/101/ns/init.scope"),
        ((ContainerEngine.DOCKER, ID), f"/system.slice/docker-{ID}.scope"),
        ((ContainerEngine.DOCKER, ID), f"/docker/{ID}"),
        ((ContainerEngine.PODMAN, ID), f"/machine.slice/libpod-{ID}.scope/container"),
        ((ContainerEngine.PODMAN, ID), f"/user.slice/user-1000.slice/libpod-{ID}.scope"),
        ((ContainerEngine.PODMAN, ID), f"/system.slice/web.service/libpod-payload-{ID}"),
        (
            (ContainerEngine.PODMAN, ID),
            f"/user.slice/user-1000.slice/user@1000.service/app.slice/web.service/libpod-payload-{ID}",
        ),
        ((ContainerEngine.NSPAWN, "db-1"), r"/machine.slice/db\x2d1.scope/payload/init.scope"),
        ((ContainerEngine.NSPAWN, "ci"), "/machine.slice/systemd-nspawn@ci.service/payload/init.scope"),
        ((ContainerEngine.NSPAWN, "web-1"), r"/machine.slice/machine-web\x2d1.scope/payload"),
        ((ContainerEngine.LIBVIRT_LXC, "box"), r"/machine.slice/machine-lxc\x2d71223\x2dbox.scope"),
    ],
)
def test_a_container_is_known_by_its_control_group(
    expected: tuple[ContainerEngine, str], cgroup: str
) -> None:
    found = container_of(cgroup)

    assert found is not None
    assert expected == (found.engine, found.name)
    assert not found.is_inner


def test_a_virtual_machine_of_proxmox_is_one() -> None:
    expected = ContainerName(ContainerEngine.PROXMOX, "100", ContainerKind.VIRTUAL_MACHINE)

    assert expected == container_of("/qemu.slice/100.scope")


@pytest.mark.parametrize(
    "cgroup",
    [
        "/",
        "/init.scope",
        "/system.slice/docker.service",
        "/lxc.monitor.web1",  # the monitor is a process of the host
        "/lxc.monitor/101",
        f"/machine.slice/libpod-conmon-{ID}.scope",
        "/machine.slice/systemd-nspawn@ci.service/supervisor",
        r"/machine.slice/machine-qemu\x2d3\x2dweb01.scope",  # libvirt tells of it
        "/machine.slice/web.scope",  # systemd-vmspawn
        "/machine.slice/web.scope/supervisor",
        "/system.slice/web.service/payload",
        "/system.slice/web.service/runtime",  # the monitor of a Quadlet
        "/system.slice/docker-4b5f.scope",
        "/user.slice/lxc",
    ],
)
def test_what_runs_on_the_host_is_in_no_container(cgroup: str) -> None:
    assert container_of(cgroup) is None


def test_the_outer_container_of_two_is_told() -> None:
    """It is the one that holds the storage; paths in the inner one are of the outer one's root."""
    found = container_of(f"/lxc.payload.web1/system.slice/docker-{ID}.scope")

    assert found == ContainerName(ContainerEngine.LXC, "web1", is_inner=True)
