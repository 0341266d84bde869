"""`zconsole guests` beside a real libvirtd."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.libvirtd.sandbox import Sandbox

pytestmark = pytest.mark.libvirt

FULL = "paused (I/O error)"


def guests(virt: Sandbox) -> dict[str, dict[str, Any]]:
    done = virt.console("guests", "--json")
    assert 0 == done.returncode, done.stderr
    return {each["name"]: each for each in json.loads(done.stdout)["guests"]}


def disk_of(guest: dict[str, Any]) -> dict[str, Any]:
    return next(disk for disk in guest["disks"] if disk["target"] == "vdb")


def test_a_guest_on_a_full_file_system_stands_until_there_is_space_and_it_is_resumed(virt: Sandbox) -> None:
    folder = virt.storage("vm", "8m")
    virt.path(f"{folder}/ballast").write_bytes(bytes(4 << 20))
    virt.define("web01", f"{folder}/web01.qcow2", writes=True)
    virt.virsh("start", "web01")
    virt.until_state("web01", FULL)

    full = guests(virt)["web01"]
    assert ("paused", 5) == (full["state"], full["reason"])
    assert (f"{folder}/web01.qcow2", "enospace") == tuple(
        disk_of(full)[key] for key in ("source", "error_policy")
    )
    assert "paused by an I/O error" in virt.console("guests").stdout

    virt.enlarge(folder)
    virt.virsh("resume", "web01")
    virt.until_grown(f"{folder}/web01.qcow2", 5 << 20)
    freed = guests(virt)["web01"]
    assert "running" == freed["state"]
    assert disk_of(full)["allocation_bytes"] < disk_of(freed)["allocation_bytes"]


def test_each_guest_is_told_in_its_state(virt: Sandbox) -> None:
    folder = virt.storage("vm", "8m")
    for name in ("db02", "mail03", "web01"):
        virt.define(name, f"{folder}/{name}.qcow2")
    virt.virsh("start", "db02")
    virt.virsh("start", "mail03")
    virt.virsh("suspend", "mail03")

    assert {"db02": "running", "mail03": "paused", "web01": "shut_off"} == {
        name: guest["state"] for name, guest in guests(virt).items()
    }


def test_a_guest_ends_by_its_power_button_unless_it_is_deaf(virt: Sandbox) -> None:
    """The guests of the other tests are what they are said to be."""
    folder = virt.storage("vm", "8m")
    for name, is_deaf in (("web01", False), ("deaf", True)):
        virt.define(name, f"{folder}/{name}.qcow2", is_deaf=is_deaf, writes=True)
        virt.virsh("start", name)
        virt.until_grown(f"{folder}/{name}.qcow2", 1 << 20)
        virt.virsh("shutdown", name)

    virt.until_state("web01", "shut off (shutdown)")
    assert "running" == guests(virt)["deaf"]["state"]


def test_a_libvirtd_that_is_dead_is_said_and_its_return_ends_it(virt: Sandbox) -> None:
    folder = virt.storage("vm", "8m")
    virt.define("web01", f"{folder}/web01.qcow2")
    virt.virsh("start", "web01")
    virt.signal_libvirtd("KILL")
    virt.until_dead()
    try:
        done = virt.console("guests")
    finally:
        virt.start_libvirtd()

    assert 3 == done.returncode
    assert "failed to connect to the hypervisor" in done.stderr
    assert "running" == guests(virt)["web01"]["state"], "it ran on meanwhile"


def test_a_libvirtd_that_hangs_is_said_within_the_time_that_was_given(virt: Sandbox) -> None:
    folder = virt.storage("vm", "8m")
    virt.define("web01", f"{folder}/web01.qcow2")
    virt.signal_libvirtd("STOP")
    try:
        done = virt.console("guests", "--timeout", "3s")
    finally:
        virt.signal_libvirtd("CONT")

    assert 3 == done.returncode
    assert "libvirt of local (qemu:///system) has not answered in" in done.stderr
    assert "shut_off" == guests(virt)["web01"]["state"]
