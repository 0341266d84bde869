"""A disk defined at another path by a real libvirtd: nothing else changes, and no secret is read for it."""

from __future__ import annotations

import socket
import subprocess

import pytest

from tests.libvirtd.sandbox import Sandbox, entering
from zconsole.system.libvirt.disk_definition_text import parse_disk_texts
from zconsole.system.libvirt.stored_definition import (
    PERSISTENT,
    WITH_SAVED_MEMORY,
    WITH_SNAPSHOTS,
    dump_stored_xml,
    update_disk,
)

pytestmark = pytest.mark.libvirt

GRAPHICS = "<graphics type='vnc' autoport='yes' passwd='secret'/>"


def update(virt: Sandbox, uuid: str, disk: str) -> subprocess.CompletedProcess[bytes]:
    """Run the step of a move, its stdin a socket as sshd gives it."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        running = subprocess.Popen(
            [*entering(virt.pid), *update_disk(uuid)],
            stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        theirs.close()
        ours.sendall(disk.encode())
        ours.shutdown(socket.SHUT_WR)
        out, error = running.communicate(timeout=60)
    return subprocess.CompletedProcess(running.args, running.returncode, out, error)


def defined(virt: Sandbox) -> tuple[str, str]:
    """A guest with a password: its uuid, and its definition as the console reads it."""
    folder = virt.storage("old", "8m")
    virt.define("web01", f"{folder}/web01.qcow2")
    whole = virt.virsh("dumpxml", "--inactive", "web01")
    virt.path("/srv/guests/with.xml").write_text(whole.replace("</devices>", f"{GRAPHICS}</devices>"))
    virt.virsh("define", "/srv/guests/with.xml")
    uuid = virt.virsh("domuuid", "web01")
    return uuid, virt.run(*dump_stored_xml(uuid).argv)


def secret(virt: Sandbox) -> str:
    return virt.virsh("dumpxml", "--inactive", "--security-info", "web01")


def test_a_guest_that_is_off_has_its_disk_there_and_all_else_as_it_was(virt: Sandbox) -> None:
    uuid, text = defined(virt)
    before = secret(virt)
    disk = next(each for each in parse_disk_texts(text) if each.target == "vdb")
    new = f"{virt.storage('new', '8m')}/web01.qcow2"

    done = update(virt, uuid, disk.with_source(new))

    assert 0 == done.returncode, done.stderr
    assert "passwd='secret'" in before
    assert before.replace(disk.source, new) == secret(virt)


def test_a_guest_that_runs_is_left_as_it_is(virt: Sandbox) -> None:
    uuid, text = defined(virt)
    before = secret(virt)
    disk = next(each for each in parse_disk_texts(text) if each.target == "vdb")
    virt.virsh("start", "web01")

    done = update(virt, uuid, disk.with_source("/srv/guests/new/web01.qcow2"))

    assert 0 != done.returncode
    assert before == secret(virt)


def test_what_libvirt_keeps_beside_a_definition_is_listed(virt: Sandbox) -> None:
    uuid, _ = defined(virt)
    virt.virsh("start", "web01")
    lists = [virt.run(*each.argv).split() for each in (PERSISTENT, WITH_SAVED_MEMORY, WITH_SNAPSHOTS)]
    virt.virsh("managedsave", "web01")
    saved = virt.run(*WITH_SAVED_MEMORY.argv).split()
    virt.virsh("managedsave-remove", "web01")

    assert [[uuid], [], []] == lists
    assert [uuid] == saved
