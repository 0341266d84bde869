"""Containers read from a host: the fewest commands, silence where there are none, and a problem said."""

from __future__ import annotations

import asyncio

import pytest

from tests.doubles.scripted_host import HANG, Answer, ScriptedHost
from zconsole.analysis.guests.containers_by_evidence import ContainerEvidence
from zconsole.collect.guests.read_containers import NOT_SEEN, read_containers
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command
from zconsole.system.containers.container_processes import CGROUPS, list_mounts
from zconsole.system.mounts_and_boot_pools import Mount

CGROUP = b"/proc/820/cgroup:0::/lxc.payload.web1/init.scope\n"
MOUNT = b"/proc/820/mountinfo:6 5 0:63 /rootfs / rw - zfs tank/c/web1 rw\n"


def host(**answers: Answer) -> ScriptedHost:
    """A host whose answers begin with these words."""
    made = ScriptedHost()
    nothing = ended(Command(()), 1, b"", b"")
    made.answers = {
        " ".join(CGROUPS.argv): answers.get("cgroups", b""),
        " ".join(list_mounts((820,)).argv): answers.get("mounts", MOUNT),
        "grep": answers.get("grep", nothing),
    }
    return made


PROXMOX = Mount("/dev/fuse", "/etc/pve", "fuse")
DISK = Mount("/dev/sda1", "/", "ext4")


async def ask(made: ScriptedHost, mounts: tuple[Mount, ...] | None = (DISK, PROXMOX)) -> ContainerEvidence:
    async def read() -> tuple[Mount, ...] | None:
        return mounts

    return await read_containers(Asker(made), asyncio.create_task(read()))


@pytest.mark.parametrize(("mounts", "commands"), [((DISK,), 1), ((DISK, PROXMOX), 2), (None, 2)])
async def test_a_host_is_asked_for_files_of_proxmox_where_they_can_be(
    mounts: tuple[Mount, ...] | None, commands: int
) -> None:
    without = host()

    seen = await ask(without, mounts)

    assert ((), (), "") == (seen.processes, seen.mounts, seen.problem)
    assert commands == len(without.commands)


async def test_the_mounts_of_one_process_of_each_container_are_read() -> None:
    seen = await ask(host(cgroups=CGROUP))

    assert [820] == [each.process for each in seen.processes]
    assert ["tank/c/web1"] == [each.source for each in seen.mounts]


@pytest.mark.parametrize(
    "answers",
    [{"cgroups": HANG}, {"cgroups": b"nonsense\n"}, {"cgroups": CGROUP, "mounts": b"/proc/820/mount"}],
)
async def test_what_was_not_read_is_a_problem_and_no_error(answers: dict[str, Answer]) -> None:
    seen = await ask(host(**answers))

    assert seen.problem.startswith(NOT_SEEN)
    assert () == seen.processes


async def test_unreadable_files_of_proxmox_are_none() -> None:
    seen = await ask(host(grep=b"garbage\n"))

    assert () == seen.proxmox.guests
    assert "" == seen.problem
