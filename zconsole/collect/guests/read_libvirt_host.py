"""What the libvirt of a host has for a guest that it does not know yet: networks, machine, processor."""

from __future__ import annotations

from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import together
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import NOT_STARTED, Command, Outcome
from zconsole.model.guests.domain_needs import DomainNeeds, LibvirtHost
from zconsole.system.libvirt.domain_needs_of_its_host import (
    NETWORKS,
    UNREACHED,
    compare_cpu,
    domain_capabilities,
    parse_networks,
)


async def read_libvirt_host(asker: Asker, privilege: Privilege, needs: DomainNeeds) -> LibvirtHost:
    """Its answers; None in place of what it does not tell. Raises link errors."""
    async with together() as group:
        networks = group.create_task(_networks(asker))
        machine = group.create_task(_why_not(asker, privilege, domain_capabilities(needs)))
        cpu = None
        words = (needs.virt_type, needs.emulator, needs.architecture, needs.machine)
        if needs.cpu_mode == "custom" and all(words):
            cpu = group.create_task(_why_not(asker, privilege, compare_cpu(needs)))
    return LibvirtHost(networks.result(), machine.result(), cpu.result() if cpu is not None else "")


async def _networks(asker: Asker) -> frozenset[str] | None:
    try:
        return parse_networks((await asker.ask(NETWORKS, kind="guest-networks")).decode("utf-8", "replace"))
    except (LinkLost, Stuck):
        raise
    except (CommandFailed, ParseError):
        return None


async def _why_not(asker: Asker, privilege: Privilege, command: Command) -> str | None:
    """Why libvirt refuses; "" if it does not, None where it did not answer."""
    completed = await asker.run(await privilege.to_read(command), kind="guest-capabilities")
    if completed.outcome is Outcome.UNKNOWN or completed.status in NOT_STARTED:
        return None
    if not completed.is_done and UNREACHED in completed.said:
        return None
    return "" if completed.is_done else completed.said or completed.reason
