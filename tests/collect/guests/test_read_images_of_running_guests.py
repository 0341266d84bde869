"""Images of running guests, by their definitions: the whole chain, where its links lead."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.base.errors import LinkLost
from zconsole.collect.guests.read_images_of_running_guests import (
    read_images_of_running_guests,
    read_images_of_session,
)
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.model.guests.guest import SYSTEM
from zconsole.system.libvirt.domain_xml import dump_xml
from zconsole.system.libvirt.list_guests import list_running

WEB, DB = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10", "862cc6c2-adf1-4bb7-88e4-8d26a01e48cb"
SESSION_URI = "qemu+unix:///session?socket=/run/user/0/libvirt/libvirt-sock"
CHAIN = """\
<domain><name>web</name><uuid>{uuid}</uuid><devices>
  <disk type='file' device='disk'>
    <source file='/tank/web/top.qcow2'/>
    <backingStore type='file'><source file='/tank/base/golden.qcow2'/><backingStore/></backingStore>
    <target dev='vda'/>
  </disk>
  <disk type='block' device='disk'><source dev='/dev/disk/by-id/lab'/><target dev='vdb'/></disk>
  <disk type='network' device='disk'><source protocol='rbd' name='p/i'/><target dev='vdc'/></disk>
</devices></domain>
"""
REAL = b"/tank/web/top.qcow2\0/tank/base/golden.qcow2\0/dev/zd0\0"
IMAGES = (
    ("web", "/tank/web/top.qcow2", "/tank/web/top.qcow2"),
    ("web", "/tank/base/golden.qcow2", "/tank/base/golden.qcow2"),
    ("web", "/dev/disk/by-id/lab", "/dev/zd0"),
)


def line(command: object) -> str:
    return " ".join(command.argv)  # type: ignore[attr-defined]


def host(uri: str = SYSTEM, running: str = WEB) -> ScriptedHost:
    made = ScriptedHost()
    made.answers = {
        "id": b"uid=0(root) gid=0(root) groups=0(root)\n",
        "ls -1d --": b"/run/user/0/libvirt/libvirt-sock\n",
        line(list_running(uri)): running.encode() + b"\n",
        line(dump_xml(uri, WEB)): CHAIN.format(uuid=WEB).encode(),
        line(dump_xml(uri, DB)): failed("virsh", 1, b"error: failed to get domain"),
        "realpath": REAL,
    }
    return made


async def read(made: ScriptedHost) -> tuple[tuple[str, str, str], ...]:
    asker = Asker(made)
    return await read_images_of_running_guests(asker, Privilege(asker))


async def test_images_below_are_named_and_links_followed() -> None:
    assert IMAGES == await read(host())


async def test_a_guest_that_has_ended_meanwhile_hides_no_other() -> None:
    assert IMAGES == await read(host(running=f"{DB}\n{WEB}"))


async def test_where_links_cannot_be_followed_paths_are_taken_as_they_are_written() -> None:
    made = host()
    made.answers["realpath"] = failed("realpath", 127, b"not found")

    assert [path for _, path, _ in IMAGES] == [real for _, _, real in await read(made)]


async def test_without_libvirt_there_is_nothing_and_a_lost_link_is_told() -> None:
    made = host()
    made.answers[line(list_running(SYSTEM))] = failed("virsh", 127, b"virsh: command not found")
    assert () == await read(made)

    made.answers[line(list_running(SYSTEM))] = LinkLost("cut")
    with pytest.raises(LinkLost):
        await read(made)


async def test_guests_of_the_session_are_asked_for_at_its_socket() -> None:
    asker = Asker(host(SESSION_URI))

    assert IMAGES == await read_images_of_session(asker, Privilege(asker))
