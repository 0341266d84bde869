"""What another libvirt has for a guest; what it does not tell stays unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.base.errors import LinkLost
from zconsole.collect.guests.read_libvirt_host import read_libvirt_host
from zconsole.collect.privilege import Privilege, User
from zconsole.collect.read_command_runner import Asker
from zconsole.model.guests.domain_needs import DomainNeeds, LibvirtHost
from zconsole.system.libvirt.domain_needs_of_its_host import NETWORKS, compare_cpu, domain_capabilities

NEEDS = DomainNeeds("kvm", "/usr/bin/qemu", "x86_64", "q35", "custom", "<cpu/>")
LISTED = " ".join(NETWORKS.argv)
MACHINE = " ".join(domain_capabilities(NEEDS).argv)
CPU = " ".join(compare_cpu(NEEDS).argv)


async def answered(answers: dict[str, object], needs: DomainNeeds = NEEDS) -> LibvirtHost:
    made = ScriptedHost()
    made.answers = {LISTED: b"default\n\n", MACHINE: b"<domainCapabilities/>", CPU: b"", **answers}  # type: ignore[dict-item]
    await made.connect()
    asker = Asker(made)
    return await read_libvirt_host(asker, Privilege(asker, User("root", 0)), needs)


async def test_a_host_that_has_all() -> None:
    assert LibvirtHost(frozenset({"default"}), "", "") == await answered({})


async def test_a_host_that_lacks_the_machine_and_the_processor_says_why() -> None:
    found = await answered(
        {MACHINE: failed("virsh", 1, b"error: no such machine"), CPU: failed("sh", 1, b"error: incompatible")}
    )

    assert ("error: no such machine", "error: incompatible") == (
        found.capabilities_problem,
        found.cpu_problem,
    )


async def test_networks_that_are_not_told_are_unknown() -> None:
    assert (await answered({LISTED: failed("virsh", 1, b"error: no driver")})).networks is None


@pytest.mark.parametrize(
    "unasked",
    [
        failed("sh", 127, b"sh: 1: virsh: not found"),
        failed("sh", 1, b"error: failed to connect to the hypervisor\nerror: authentication unavailable"),
    ],
    ids=["no virsh", "no connection"],
)
async def test_what_could_not_be_asked_is_unknown(unasked: object) -> None:
    found = await answered({MACHINE: unasked, CPU: unasked})

    assert (None, None) == (found.capabilities_problem, found.cpu_problem)


async def test_a_processor_of_the_host_is_not_compared() -> None:
    found = await answered(
        {CPU: failed("sh", 1, b"error: asked")},
        replace(NEEDS, cpu_mode="host-model"),
    )

    assert "" == found.cpu_problem


async def test_a_lost_link_is_no_answer() -> None:
    with pytest.raises(LinkLost):
        await answered({LISTED: LinkLost("gone")})
