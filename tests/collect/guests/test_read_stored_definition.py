"""The stored definition of a guest, and the chains of its images."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.base.errors import LinkLost
from zconsole.collect.guests.read_stored_definition import read_chains, read_stored_definition
from zconsole.collect.privilege import Privilege, User
from zconsole.collect.read_command_runner import Asker
from zconsole.model.guests.stored_definition import StoredDefinition, UnreadDefinition

HERE = CAPTURES / "libvirt" / "9.0"
WEB, DB = "e0f20368-b0cf-4f90-bc00-65f12a552c4b", "53ab802c-5f75-46bd-9b53-b1f4418a81e3"
VIRSH = "virsh -r -q -c qemu:///system"
CHAIN = "qemu-img info -U --backing-chain --output=json -f qcow2 --"


def host() -> ScriptedHost:
    made = ScriptedHost()
    made.answers = {
        f"{VIRSH} dumpxml --inactive {WEB}": (HERE / "dumpxml_off.xml").read_bytes(),
        f"{VIRSH} list --all --uuid": f"{WEB}\n{DB}\n\n".encode(),
        f"{VIRSH} list --all --uuid --persistent": f"{WEB}\n{DB}\n\n".encode(),
        f"{VIRSH} list --all --uuid --autostart": f"{DB}\n\n".encode(),
        f"{VIRSH} list --all --uuid --with-managed-save": f"{DB}\n\n".encode(),
        f"{VIRSH} list --all --uuid --with-snapshot": f"{WEB}\n\n".encode(),
        f"{CHAIN} /tank/vms/web01.qcow2": (HERE / "qemu-img_chain.json").read_bytes(),
        f"{CHAIN} /gone": failed("qemu-img", 1, b"no such file"),
    }
    return made


async def stored_of(made: ScriptedHost) -> StoredDefinition | UnreadDefinition:
    await made.connect()
    return await read_stored_definition(Asker(made), WEB)


async def test_it_is_read_with_what_libvirt_keeps_beside_it() -> None:
    found = await stored_of(host())

    assert StoredDefinition(WEB, (HERE / "dumpxml_off.xml").read_text(), has_snapshots=True) == found


@pytest.mark.parametrize("command", ["dumpxml", "list --all --uuid --with-managed-save"])
async def test_a_part_that_cannot_be_read_leaves_all_of_it_unknown(command: str) -> None:
    made = host()
    made.answers = {
        line: failed("virsh", 1, b"error: no\nerror: twice\n") if command in line else said
        for line, said in made.answers.items()
    }

    found = await stored_of(made)

    assert isinstance(found, UnreadDefinition)
    assert WEB == found.address
    assert "error: no · error: twice" in found.said


async def test_one_that_is_certainly_not_there_has_no_definition() -> None:
    made = host()
    made.answers |= {
        f"{VIRSH} dumpxml --inactive {WEB}": failed("virsh", 1, b"error: failed to get domain"),
        f"{VIRSH} list --all --uuid": f"{DB}\n\n".encode(),
    }

    found = await stored_of(made)

    assert isinstance(found, StoredDefinition)
    assert not found.is_defined


async def test_whether_it_starts_with_its_host_is_told() -> None:
    made = host()
    made.answers[f"{VIRSH} list --all --uuid --autostart"] = f"{WEB}\n\n".encode()

    found = await stored_of(made)

    assert isinstance(found, StoredDefinition)
    assert found.is_started_at_boot


async def test_a_lost_link_is_no_answer() -> None:
    made = host()
    made.answers[f"{VIRSH} dumpxml --inactive {WEB}"] = LinkLost("gone")

    with pytest.raises(LinkLost):
        await stored_of(made)


async def test_chains_are_told_by_path_and_an_unreadable_one_is_unknown() -> None:
    made = host()
    await made.connect()
    asker = Asker(made)

    found = dict(
        await read_chains(
            asker, Privilege(asker, User("root", 0)), (("/tank/vms/web01.qcow2", "qcow2"), ("/gone", "qcow2"))
        )
    )

    assert ["/tank/vms/web01.qcow2", "/tank/vms/base.qcow2"] == [
        each.path for each in found["/tank/vms/web01.qcow2"] or ()
    ]
    assert found["/gone"] is None
