"""All containers of a host: a pool that does not answer costs the names of its datasets only."""

from __future__ import annotations

from tests.collect.guests.test_read_containers import CGROUP, host
from tests.doubles.scripted_host import HANG, ScriptedHost, failed
from zconsole.base.clock import SystemClock
from zconsole.collect.guests.read_all_containers import read_all_containers
from zconsole.collect.guests.read_containers import NOT_SEEN
from zconsole.collect.read_command_runner import Asker
from zconsole.system.containers.container_processes import CGROUPS

NAMES = "zfs get -Hp -r -t filesystem,volume -o name,property,source,value type,mountpoint tank"
LISTED = (
    b"tank/vm-100-disk-0\ttype\t-\tvolume\ntank/vm-100-disk-0\tmountpoint\t-\t-\n"
    b"tank/c/web1\ttype\t-\tfilesystem\ntank/c/web1\tmountpoint\tlocal\tlegacy\n"
)


def with_names() -> ScriptedHost:
    """A host with a container that runs, and a volume that is named as Proxmox does it."""
    made = host(cgroups=CGROUP)
    made.files["/proc/mounts"] = b""
    made.answers["ls -lR /dev/zvol"] = failed("ls", 2, b"no such file")
    made.answers[NAMES] = LISTED
    return made


async def test_what_runs_comes_before_what_is_only_named_so() -> None:
    found = await read_all_containers(Asker(with_names()), SystemClock(), ("tank",))

    assert [("web1", True), ("100", False)] == [(each.name, each.is_running) for each in found.value or ()]
    assert "" == found.problem


async def test_a_pool_that_does_not_tell_its_datasets_costs_their_names_only() -> None:
    silent = with_names()
    silent.answers[NAMES] = failed("zfs get", 1, b"I/O error")

    found = await read_all_containers(Asker(silent), SystemClock(), ("tank",))

    assert ["web1"] == [each.name for each in found.value or ()]


async def test_processes_that_cannot_be_seen_are_a_problem_beside_the_names() -> None:
    blind = with_names()
    blind.answers[" ".join(CGROUPS.argv)] = HANG

    found = await read_all_containers(Asker(blind), SystemClock(), ("tank",))

    assert found.problem.startswith(NOT_SEEN)
    assert ["100"] == [each.name for each in found.value or ()]
