"""Images of guests, by their definitions and by the images: the whole chain, where its links lead."""

from __future__ import annotations

import asyncio

import pytest

from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.base.errors import LinkLost
from zconsole.collect.concurrent_reads import BATCH
from zconsole.collect.guests.read_images_of_guests import (
    ImagesOfGuests,
    read_images_of_guests,
    read_images_of_session,
)
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Command, Completed
from zconsole.model.guests.guest import SYSTEM
from zconsole.model.guests.image_in_definition import DefinedImage, GuestActivity
from zconsole.system.libvirt.domain_xml import dump_xml
from zconsole.system.libvirt.list_guests import (
    list_all,
    list_paused,
    list_running,
    list_with_saved_memory,
)
from zconsole.system.libvirt.qemu_img import image_chain
from zconsole.system.libvirt.storage_volume_path import volume_path

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
PATHS = (
    ("/tank/web/top.qcow2", "/tank/web/top.qcow2"),
    ("/tank/base/golden.qcow2", "/tank/base/golden.qcow2"),
    ("/dev/disk/by-id/lab", "/dev/zd0"),
)
NETWORK = "it is reached over the network (rbd)"
IMAGES = (
    *(DefinedImage("web", *each, uuid=WEB, is_written="golden" not in each[0]) for each in PATHS),
    DefinedImage("web", "", "", what="vdc", unknown=NETWORK, uuid=WEB),
)
OFF_XML = """\
<domain><name>db</name><uuid>{uuid}</uuid><devices>
  <disk type='file' device='disk'>
    <driver name='qemu' type='qcow2'/><source file='/tank/db/top.qcow2'/><target dev='vda'/>
  </disk>
</devices></domain>
"""
OFF_CHAIN = b"""[
  {"filename": "/tank/db/top.qcow2", "format": "qcow2", "virtual-size": 1, "actual-size": 1},
  {"filename": "/tank/base/golden.qcow2", "format": "qcow2", "virtual-size": 1, "actual-size": 1}
]"""


def line(command: object) -> str:
    return " ".join(command.argv)  # type: ignore[attr-defined]


def host(
    uri: str = SYSTEM, running: str = WEB, paused: str = "", off: str = "", saved: str = ""
) -> ScriptedHost:
    made = ScriptedHost()
    made.answers = {
        "id": b"uid=0(root) gid=0(root) groups=0(root)\n",
        "ls -1d --": b"/run/user/0/libvirt/libvirt-sock\n",
        line(list_running(uri)): running.encode() + b"\n",
        line(list_paused(uri)): paused.encode() + b"\n",
        line(list_with_saved_memory(uri)): saved.encode() + b"\n",
        line(list_all(uri)): f"{running}\n{off}\n".encode(),
        line(image_chain("/tank/db/top.qcow2", "qcow2")): OFF_CHAIN,
        line(dump_xml(uri, WEB)): CHAIN.format(uuid=WEB).encode(),
        line(dump_xml(uri, DB)): failed("virsh", 1, b"error: failed to get domain"),
        "realpath": REAL,
    }
    return made


class UndefinedMeanwhile(ScriptedHost):
    """One guest is undefined before it is asked for."""

    async def run(self, command: Command) -> Completed:
        if command.argv == dump_xml(SYSTEM, DB).argv:
            self.answers[line(list_all(SYSTEM))] = f"{WEB}\n".encode()
        return await super().run(command)


async def seen(made: ScriptedHost, within_s: float = 30.0) -> ImagesOfGuests:
    asker = Asker(made)
    return await read_images_of_guests(asker, Privilege(asker), within_s=within_s)


async def read(made: ScriptedHost) -> tuple[DefinedImage, ...]:
    found = await seen(made)
    assert ("", "") == (found.problem, found.unread)
    return found.images


async def test_links_to_volumes_that_are_being_read_tell_where_these_lead() -> None:
    made = host()
    made.answers[line(dump_xml(SYSTEM, WEB))] = (
        CHAIN.format(uuid=WEB).replace("/dev/disk/by-id/lab", "/dev/zvol/tank/vm").encode()
    )
    made.answers["realpath"] = b"/tank/web/top.qcow2\0/tank/base/golden.qcow2\0"
    asker = Asker(made)

    async def links() -> tuple[tuple[str, str], ...]:
        return (("/dev/zvol/tank/vm", "zd0"),)

    found = await read_images_of_guests(asker, Privilege(asker), volume_links=asyncio.create_task(links()))

    assert ("/dev/zvol/tank/vm", "/dev/zd0") in {(each.path, each.real) for each in found.images}
    (asked,) = (each for each in made.commands if each.startswith("realpath"))
    assert "zvol" not in asked


async def test_images_below_are_named_and_links_followed() -> None:
    assert IMAGES == await read(host())


async def test_a_guest_that_has_ended_meanwhile_hides_no_other() -> None:
    made = UndefinedMeanwhile()
    made.answers = host(running=f"{DB}\n{WEB}").answers

    assert IMAGES == await read(made)


async def test_a_guest_that_libvirt_does_not_tell_of_is_not_taken_for_one_that_has_ended() -> None:
    found = await seen(host(running=f"{DB}\n{WEB}"))

    assert IMAGES == found.images
    assert "1 guest of libvirt could not be looked at" in found.unread


async def test_all_are_looked_at_however_many_there_are_and_those_that_run_first_if_time_is_short() -> None:
    others = [f"00000000-0000-0000-0000-{at:012d}" for at in range(1000)]
    made = host(off="\n".join(others))
    made.answers["dumpxml"] = OFF_XML.format(uuid=DB).encode()
    for uuid in others:
        made.answers[line(dump_xml(SYSTEM, uuid))] = OFF_XML.format(uuid=uuid).encode()

    every, hurried = await seen(made), await seen(made, within_s=0.0)

    assert {WEB, *others} == {each.uuid for each in every.images}
    assert "" == every.unread
    assert {WEB, *others[: BATCH - 1]} == {each.uuid for each in hurried.images}
    assert f"{1000 - BATCH + 1} guests of libvirt could not be looked at, in the 0 s" in hurried.unread


async def test_where_links_cannot_be_followed_no_path_leads_anywhere() -> None:
    made = host()
    made.answers["realpath"] = failed("realpath", 127, b"not found")

    assert [(path, "") for path, _ in PATHS] == [
        (each.path, each.real) for each in await read(made) if each.path
    ]


INNER = "<domain><name>web</name><uuid>{uuid}</uuid><devices>{inner}</devices></domain>"
VOLUME = "<disk type='volume'><source pool='P' volume='a b'/><target dev='vda'/></disk>"
TPM = "<tpm model='tpm-crb'><backend type='emulator'/></tpm>"


async def test_a_volume_of_a_storage_pool_is_at_its_path_and_other_storage_is_read() -> None:
    made = host()
    made.answers[line(dump_xml(SYSTEM, WEB))] = INNER.format(uuid=WEB, inner=VOLUME + TPM).encode()
    made.answers[line(volume_path(SYSTEM, "P", "a b"))] = b"/srv/P/a b\n\n"
    tpm = f"/var/lib/libvirt/swtpm/{WEB}"
    made.answers["realpath"] = f"/tank/P/a b\0{tpm}\0".encode()

    assert (
        DefinedImage("web", "/srv/P/a b", "/tank/P/a b", uuid=WEB),
        DefinedImage("web", tpm, tpm, uuid=WEB),
    ) == await read(made)


async def test_a_volume_whose_path_is_not_told_is_not_known_with_libvirts_words() -> None:
    made = host()
    made.answers[line(dump_xml(SYSTEM, WEB))] = INNER.format(uuid=WEB, inner=VOLUME).encode()
    why = "error: storage pool 'P' is not active"
    made.answers[line(volume_path(SYSTEM, "P", "a b"))] = failed("virsh", 1, why.encode())

    words = f"volume a b of the storage pool P of libvirt: {why}"
    assert (DefinedImage("web", "", "", what="vda", unknown=words, uuid=WEB),) == await read(made)


async def test_a_paused_guest_is_told_apart() -> None:
    assert {GuestActivity.PAUSED} == {each.activity for each in await read(host(paused=WEB))}


@pytest.mark.parametrize(("saved", "activity"), [("", GuestActivity.OFF), (DB, GuestActivity.SAVED)])
async def test_a_guest_that_is_off_is_read_with_the_images_below_its_own(
    saved: str, activity: GuestActivity
) -> None:
    made = host(running="", off=DB, saved=saved)
    made.answers[line(dump_xml(SYSTEM, DB))] = OFF_XML.format(uuid=DB).encode()
    paths = ["/tank/db/top.qcow2", "/tank/base/golden.qcow2"]
    if saved:
        paths.append("/var/lib/libvirt/qemu/save/db.save")  # what its next start goes on from
    made.answers["realpath"] = "".join(f"{path}\0" for path in paths).encode()

    assert await read(made) == tuple(
        DefinedImage("db", path, path, activity, uuid=DB, is_written="golden" not in path) for path in paths
    )


async def test_a_libvirt_that_does_not_answer_is_told() -> None:
    made = host()
    made.answers[line(list_all(SYSTEM))] = failed("virsh", 1, b"error: failed to connect")

    found = await seen(made)

    assert () == found.images
    assert "those that are shut off cannot be seen elsewhere: error: failed to connect" in found.problem


async def test_without_libvirt_there_is_nothing_and_a_lost_link_is_told() -> None:
    made = host()
    for each in (list_running, list_paused, list_with_saved_memory, list_all):
        made.answers[line(each(SYSTEM))] = failed("virsh", 127, b"virsh: command not found")
    assert () == await read(made)

    made.answers[line(list_all(SYSTEM))] = LinkLost("cut")
    with pytest.raises(LinkLost):
        await read(made)


async def test_guests_of_the_session_are_asked_for_at_its_socket() -> None:
    asker = Asker(host(SESSION_URI))

    assert ImagesOfGuests(IMAGES) == await read_images_of_session(asker, Privilege(asker))
