"""Containers are read for a screen, each minute while it is open, and kept with their problem."""

from __future__ import annotations

from tests.doubles.machines import host_of
from tests.doubles.scripted_host import ScriptedHost, ScriptedStream, failed
from tests.doubles.watched_host import watching
from zconsole.collect.on_demand.container_watch import EVERY_S
from zconsole.system.containers.container_processes import CGROUPS

SEARCH = " ".join(CGROUPS.argv)


def host() -> ScriptedHost:
    """A host with one container, whose mounts are not told."""
    made = host_of("2.4", "healthy-mirrors")
    made.answers["id"] = b"uid=0(root) gid=0(root) groups=0(root)\n"
    made.answers["virsh"] = failed("virsh", 127, b"not found")
    made.answers["ls -lR /dev/zvol"] = failed("ls", 2, b"no such file")
    made.files["/proc/mounts"] = b""
    made.streams["virsh"] = ScriptedStream()
    made.answers["sh -c pattern"] = b""
    made.answers[SEARCH] = b"/proc/820/cgroup:0::/lxc.payload.web1\n"
    return made


async def test_they_are_read_when_wanted_and_each_minute_then() -> None:
    async with watching(host()) as watched:
        await watched.until(lambda state: state.inventory.value is not None)
        assert 0 == watched.host.commands.count(SEARCH)

        watched.session.demand.want_guests(is_wanted=True)
        state = await watched.until(lambda state: state.containers.value)
        await watched.pass_time(EVERY_S + 5)

        assert ["web1"] == [each.name for each in state.containers.value or ()]
        assert 2 == watched.host.commands.count(SEARCH)
