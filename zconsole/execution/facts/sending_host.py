"""Reader of the sending host: identity, datasets, permissions, stream size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from zconsole.base.errors import HostError, ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.machine_identity import read_identity
from zconsole.collect.privilege import Privilege, read_privileges
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.read_host import read_kstat_state
from zconsole.collect.readings.datasets_and_scoped_snapshots import read_excerpt
from zconsole.hosts.host import Command
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.plan_facts import PrivilegeMode, Privileges, SendingSide
from zconsole.model.pools.pool import SUSPENDED
from zconsole.zfs.stream.send_dry_run import parse_send_size
from zconsole.zfs.stream.send_receive_syncoid_argv import measure

MEASURE_TIMEOUT_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class Peer:
    """One of our hosts with its asker."""

    asker: Asker
    privilege: Privilege


Peers = Callable[[str], Peer | None]


def no_peers(_label: str) -> Peer | None:
    """Default: there are no other hosts of ours."""
    return None


@dataclass(frozen=True, slots=True)
class SenderNeeds:
    """Facts needed of a sending pool."""

    pool: str
    snapshots: tuple[SnapshotSelector, ...] = ()
    sought: tuple[int, ...] = ()  # guids searched in the whole pool if not found otherwise


async def read_sending(
    peer: Peer | None, label: str, wanted: SenderNeeds, *, is_elsewhere: bool
) -> SendingSide:
    """Read a host's pool for sending; an unreadable one has a problem."""
    pool = wanted.pool
    if peer is None:
        return SendingSide(MachineIdentity(label), is_elsewhere, problem=f"{label} is none of our hosts here")
    try:
        await peer.asker.host.connect()
        identity = await read_identity(peer.asker)
        if await read_kstat_state(peer.asker.host, pool) == SUSPENDED:
            return SendingSide(identity, is_elsewhere, problem=f"{pool} is suspended")
        datasets = await _read_datasets(peer.asker, wanted)
    except (HostError, ParseError) as error:
        return SendingSide(MachineIdentity(label), is_elsewhere, problem=in_words(error))
    return SendingSide(identity, is_elsewhere, datasets=datasets)


async def _read_datasets(asker: Asker, wanted: SenderNeeds) -> tuple[Dataset, ...]:
    found = await read_excerpt(asker, wanted.pool, wanted.snapshots)
    if {each.guid for each in found.datasets}.issuperset(wanted.sought):
        return found.datasets
    everywhere = SnapshotSelector(wanted.pool, below=True, is_bare=True)
    return (await read_excerpt(asker, wanted.pool, (everywhere,))).datasets


async def read_measured(peer: Peer, side: SendingSide, argv: tuple[str, ...], dataset: str) -> SendingSide:
    """Add the stream size and the privileges for sending."""
    command = Command(measure(argv), timeout_s=MEASURE_TIMEOUT_S)
    try:
        privileges = await _privileges(peer.privilege, argv, dataset)
        completed = await peer.asker.run(command, kind="send size")
    except (HostError, ParseError) as error:
        return replace(side, problem=in_words(error))
    said = (completed.stdout + completed.stderr).decode("utf-8", "backslashreplace")
    size = None
    if completed.is_done:
        try:
            size = parse_send_size(said)
        except ParseError:
            size = None
    return replace(
        side,
        privileges=privileges,
        measured_by=command.argv,
        said=said.strip("\n") or completed.reason,
        status=completed.status,
        size_bytes=size,
    )


async def _privileges(privilege: Privilege, argv: tuple[str, ...], dataset: str) -> Privileges:
    """How the command becomes root; delegated operations need no password."""
    found = await read_privileges(privilege, [argv], [dataset])
    if found.privilege_mode is not PrivilegeMode.SUDO_PASSWORD:
        return found
    delegations = await privilege.delegated([dataset])
    plain = replace(found, privilege_mode=PrivilegeMode.PLAIN, delegations=delegations)
    return plain if plain.may("send", dataset) else found
