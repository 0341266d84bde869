"""Guests of a real libvirtd on the storage of a real OpenZFS, over SSH, with the real program."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.lab import guests
from tests.lab.conftest import end_orphans, series_to_test
from tests.lab.console import on_screen, row, wait_for, zconsole
from tests.lab.guests import Guest, said
from tests.lab.virtual_machines import Disk, Libvirt

pytestmark = [pytest.mark.lab, pytest.mark.timeout(2400)]

SERIES: Final = "2.4"
BY_ID: Final = "/dev/disk/by-id/zvol-lab"
STORAGE: Final = f"""\
zfs create -s -V 1G tank/byname && zfs create -s -V 1G tank/bynumber && zfs create -s -V 1G tank/byid
zfs create tank/files && zfs create tank/base && udevadm settle
qemu-img create -q -f qcow2 /tank/base/golden.qcow2 1G
qemu-img create -q -f qcow2 -b /tank/base/golden.qcow2 -F qcow2 /tank/files/chain.qcow2
truncate -s 1G /tank/files/raw.img
ln -sf ../../$(basename $(readlink -f /dev/zvol/tank/byid)) {BY_ID}
"""


@pytest.fixture(scope="module")
def host() -> Iterator[Guest]:
    """A lab guest of 2.4 with libvirt."""
    if name := os.environ.get("ZFSLAB_GUEST"):
        running = guests.find(name)
        if not running.libvirt:
            pytest.skip(f"{name} has no libvirt: it is booted with --libvirt")
        yield running
        return
    if SERIES not in series_to_test():
        pytest.skip("only 2.4 is built with libvirt")
    end_orphans()
    running = guests.start(SERIES, f"test-libvirt-{os.getpid()}", disks=4, size="4G", libvirt=True)
    yield running
    running.down()


@pytest.fixture(scope="module")
def libvirt(host: Guest) -> Libvirt:
    """Its libvirtd, which answers."""
    return Libvirt(host)


@pytest.fixture
def virt(libvirt: Libvirt) -> Iterator[Libvirt]:
    """Libvirtd without machines, and a pool with places for their disks."""
    libvirt.reset()
    libvirt.guest.wipe()
    libvirt.guest.create_pool(f"-o ashift=12 tank {libvirt.guest.disk(0)}")
    libvirt.guest.ssh(STORAGE)
    yield libvirt
    libvirt.reset()


@pytest.fixture
def nas(host: Guest) -> str:
    """A name that the user's own ~/.ssh/config resolves to the host."""
    folder = Path(os.environ["HOME"]) / ".ssh"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "config").write_text(guests.ssh_config(host, "nas", known_hosts=host.known_hosts))
    return "nas"


def listed(nas: str) -> dict[str, Any]:
    """The guests that `zconsole guests --json` prints, by name."""
    ended = zconsole("guests", "--json", "--host", nas)
    assert 0 == ended.returncode, ended.stdout + ended.stderr
    return {each["name"]: each for each in json.loads(ended.stdout)["guests"]}


def places(guest: dict[str, Any]) -> list[str | None]:
    """What the images of a guest's second disk are on."""
    return [image["on"] for image in guest["disks"][1]["images"]]


@pytest.mark.parametrize("forwards", [True, False], ids=["libvirt-python", "virsh"])
def test_every_disk_is_on_its_dataset_or_volume(virt: Libvirt, nas: str, *, forwards: bool) -> None:
    """Where sshd forwards no socket, virsh is run on the host."""
    number = said(virt.guest, "readlink -f /dev/zvol/tank/bynumber")
    virt.define("byname", Disk("/dev/zvol/tank/byname"))
    virt.define("bynumber", Disk(number))
    virt.define("byid", Disk(BY_ID))
    virt.define("chain", Disk("/tank/files/chain.qcow2", "qcow2"))
    virt.define("raw", Disk("/tank/files/raw.img"))
    for name in ("byname", "chain"):
        virt.start(name)

    with virt.forwarding(allowed=forwards):
        found = listed(nas)

    assert forwards == (virt.calls("domstats") == 0)
    assert {
        "byname": ["tank/byname"],
        "bynumber": ["tank/bynumber"],
        "byid": ["tank/byid"],
        "chain": ["tank/files", "tank/base"],
        "raw": ["tank/files"],
    } == {name: places(each) for name, each in found.items()}
    assert {"byname", "chain"} == {name for name, each in found.items() if each["state"] == "running"}


def test_screens_tell_the_guests_and_follow_them(virt: Libvirt, nas: str) -> None:
    virt.define("byname", Disk("/dev/zvol/tank/byname"))
    virt.define("chain", Disk("/tank/files/chain.qcow2", "qcow2"))
    with on_screen(nas, size=(160, 50)) as tty:
        wait_for(tty, row("tank", "ONLINE"))
        tty.type("v")
        wait_for(tty, row("byname", "shut off", "tank/byname"))
        wait_for(tty, row("chain", "tank/files, tank/base"))
        virt.start("byname")
        wait_for(tty, row("byname", "running", "tank/byname"))
        tty.type("D")
        wait_for(tty, row("tank/byname", "byname"))
        tty.type("q")
        virt.virsh("destroy", "byname")
        wait_for(tty, row("byname", "shut off"))
