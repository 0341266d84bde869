"""Reader of containers: their processes, the mounts of these, and Proxmox's configuration.

Engines themselves are not asked: `docker` or `incus` would have systemd start the daemon of a socket, and the
daemon all containers that are to run since boot.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from zconsole.analysis.guests.containers_by_evidence import ContainerEvidence
from zconsole.base.errors import ParseError
from zconsole.collect.concurrent_reads import together
from zconsole.collect.read_command_runner import COMMAND_NOT_FOUND, Asker
from zconsole.hosts.host import Command, Outcome
from zconsole.system.containers.container_processes import (
    CGROUPS,
    first_processes,
    list_mounts,
    parse_cgroups,
    parse_container_mounts,
)
from zconsole.system.containers.proxmox_config import CONFIGURATION, FOLDER, ProxmoxConfig, parse_proxmox
from zconsole.system.mounts_and_boot_pools import Mount

NOT_SEEN: Final = "containers could not be looked for"


async def read_containers(asker: Asker, mounts: asyncio.Task[tuple[Mount, ...] | None]) -> ContainerEvidence:
    """The evidence without mounts and volumes of the host. `problem` where it is incomplete.

    One command on a host without containers and Proxmox, another for each of these. `mounts` are being read.
    Raises link errors.
    """
    async with together() as group:
        proxmox = group.create_task(_proxmox(asker, mounts))
        seen = group.create_task(_processes(asker))
    return replace(seen.result(), proxmox=proxmox.result())


async def _processes(asker: Asker) -> ContainerEvidence:
    try:
        text = await _text(asker, CGROUPS, "containers")
        processes = parse_cgroups(text)
        first = first_processes(processes)
        if not first:
            return ContainerEvidence(processes)
        mounts = parse_container_mounts(await _text(asker, list_mounts(first), "container mounts"))
    except (_NotRead, ParseError) as error:
        return ContainerEvidence(problem=f"{NOT_SEEN}: {error}")
    return ContainerEvidence(processes, mounts)


async def _proxmox(asker: Asker, mounts: asyncio.Task[tuple[Mount, ...] | None]) -> ProxmoxConfig:
    """Empty on a host without Proxmox, and for users who may not read its files."""
    mounted = await mounts
    if mounted is not None and all(each.mountpoint != FOLDER for each in mounted):
        return ProxmoxConfig()
    try:
        return parse_proxmox(await _text(asker, CONFIGURATION, "proxmox"))
    except (_NotRead, ParseError):
        return ProxmoxConfig()


async def _text(asker: Asker, command: Command, kind: str) -> str:
    """What a command printed, whatever its status: grep has one of its own for no line."""
    completed = await asker.run(command, kind=kind)
    if completed.outcome is Outcome.UNKNOWN or completed.status == COMMAND_NOT_FOUND:
        raise _NotRead(completed.reason or completed.said)
    return completed.stdout.decode("utf-8", "surrogateescape")


class _NotRead(Exception):
    """A command gave no answer."""
