"""Processes in containers and their mounts: as the kernel prints them, cut short, and from a real /proc."""

from __future__ import annotations

import os
import subprocess

import pytest

from zconsole.base.errors import ParseError
from zconsole.model.guests.container import ContainerEngine
from zconsole.system.containers.cgroup_names import ContainerName
from zconsole.system.containers.container_processes import (
    CGROUPS,
    ContainerMount,
    ContainerProcess,
    first_processes,
    list_mounts,
    parse_cgroups,
    parse_container_mounts,
)

ID = "4b5f" * 16
WEB = ContainerName(ContainerEngine.LXC, "web1")
PRINTED = (
    "/proc/812/cgroup:0::/lxc.monitor.web1\n"
    "/proc/901/cgroup:0::/lxc.payload.web1/system.slice/cron.service\n"
    "/proc/820/cgroup:0::/lxc.payload.web1/init.scope\n"
    f"/proc/950/cgroup:0::/lxc.payload.web1/system.slice/docker-{ID}.scope\n"
    "/proc/77/cgroup:0::/system.slice/docker.service\n"
)
MOUNTS = (
    "/proc/820/mountinfo:612 500 0:63 /rootfs / rw shared:3 - zfs tank/incus/containers/web1 rw,xattr\n"
    "/proc/820/mountinfo:700 612 0:70 / /srv/with\\040space rw master:1 - zfs tank/media rw\n"
    "/proc/77/mountinfo:80 70 0:80 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/var/lib/docker/u\n"
)


def test_processes_of_the_host_are_left_out() -> None:
    found = parse_cgroups(PRINTED)

    assert [901, 820, 950] == [each.process for each in found]
    assert {"web1"} == {each.container.name for each in found}


def test_the_oldest_process_of_a_container_is_asked_and_none_of_an_inner_one() -> None:
    assert (820,) == first_processes(parse_cgroups(PRINTED))
    assert () == first_processes(parse_cgroups(PRINTED.splitlines(keepends=True)[3]))


def test_a_process_is_told_once_though_it_is_in_two_hierarchies() -> None:
    text = "/proc/8/cgroup:1:name=systemd:/lxc/web1\n/proc/8/cgroup:0::/lxc/web1\n"

    assert (ContainerProcess(8, WEB),) == parse_cgroups(text)


def test_mounts_have_their_path_their_source_and_the_options_of_an_overlay() -> None:
    root, media, overlay = parse_container_mounts(MOUNTS)

    assert ContainerMount(820, "/", "zfs", "tank/incus/containers/web1", ("rw", "xattr")) == root
    assert "/srv/with space" == media.path
    assert "upperdir=/var/lib/docker/u" in overlay.options


@pytest.mark.parametrize("text", ["/proc/x/cgroup:0::/a\n", "nonsense\n", "/proc/1/cgroup:0:\n"])
def test_another_line_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_cgroups(text)


def test_mounts_cut_short_are_an_error_or_the_first_of_them() -> None:
    whole = parse_container_mounts(MOUNTS)

    for at in range(len(MOUNTS)):
        try:
            part = parse_container_mounts(MOUNTS[:at])
        except ParseError:
            continue
        complete = part if MOUNTS[:at].endswith("\n") else part[:-1]
        assert whole[: len(complete)] == complete


def test_real_commands_end_well_and_are_read() -> None:
    """On whatever machine this runs: the shell's and grep's words are right."""
    cgroups = subprocess.run(CGROUPS.argv, capture_output=True, check=True)
    mounts = subprocess.run(list_mounts((os.getpid(), 2**22 - 1)).argv, capture_output=True, check=True)

    assert (b"", b"") == (cgroups.stderr, mounts.stderr)
    parse_cgroups(os.fsdecode(cgroups.stdout))
    parse_container_mounts(os.fsdecode(mounts.stdout))
