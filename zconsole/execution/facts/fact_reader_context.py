"""Reader of facts: the runner of read commands, the privilege, and what is known of other hosts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import field

from zconsole.base.clock import Clock
from zconsole.base.errors import HostError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.facts.recently_read_host import KnownHost
from zconsole.execution.facts.sending_host import Peer, Peers, no_peers
from zconsole.execution.libzfs_core_availability import CoreFinder
from zconsole.hosts.host import Host
from zconsole.model.datasets.replication import SendBase
from zconsole.model.guests.guest import Guest
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.plan_facts import HostPolicy, RunningPlan

SendBases = Callable[[], tuple[SendBase, ...]]  # reads a file, so call it in a thread
PolicyOf = Callable[[MachineIdentity], Awaitable[HostPolicy]]
Elsewhere = Callable[[], Awaitable[tuple[tuple[tuple[str, int], ...], tuple[str, ...]]]]


def no_others(_label: str) -> Reader | None:
    """Default: there are no other hosts of ours to change."""
    return None


async def nowhere_else() -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
    """Default: there are no other hosts."""
    return (), ()


@dataclass(slots=True)
class Abilities:
    """What the user may do over a connection, as far as plans have asked: each is asked once.

    That libvirt lets nobody change guests may be the state of a libvirtd that is away, and is not kept.
    """

    programs: dict[str, bool] = field(default_factory=dict)  # by pool: whether `zfs program` works
    changes_guests: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """Dependencies of reading facts, besides the intent.

    `elsewhere` returns the pools imported on our other hosts, and the hosts that could not be asked.
    """

    asker: Asker
    clock: Clock
    privilege: Privilege
    policy: HostPolicy = field(default_factory=HostPolicy)
    elsewhere: Elsewhere = nowhere_else
    core: CoreFinder | None = None  # None: use commands
    send_bases: SendBases | None = None  # None: copies were never searched
    peers: Peers = no_peers
    policy_of: PolicyOf | None = None  # for the answering machine; None: `policy` applies to any
    known: KnownHost | None = None  # what was just read; None: read everything
    abilities: Abilities | None = None  # as told for earlier plans; None: ask
    expected: tuple[tuple[str, ...], ...] = ()  # commands that will probably be run as root
    known_guests: tuple[Guest, ...] = ()  # with the I/O of their disks, as screens have just read it
    io_sample_s: float = 0.0  # how long the I/O of other guests is measured; 0: it is not
    running: tuple[RunningPlan, ...] = ()  # other plans that this console is carrying out on the host
    is_to_plan: bool = False  # and not to act: then the lock of the host is another console's
    slow_disks: tuple[tuple[str, str], ...] = ()  # (pool, disk) slower than their peers at present
    suspects: frozenset[tuple[str, str]] = (
        frozenset()
    )  # (pool, device) beside a spare that SMART warns of, or slow
    others: Callable[[str], Reader | None] = no_others  # reader of another of our hosts, by label

    @property
    def host(self) -> Host:
        """Host to read."""
        return self.asker.host

    def at(self, label: str) -> Reader:
        """The reader of one of our hosts; of this one for an empty or its own name. Raises HostError."""
        if label in {"", self.host.label}:
            return self
        other = self.others(label)
        if other is None:
            raise HostError(f"{label} is none of our hosts here", hint="Name it in config.toml.")
        return other

    def peer(self, label: str) -> Peer | None:
        """One of our hosts; this one for an empty or its own name."""
        if label in {"", self.host.label}:
            return Peer(self.asker, self.privilege)
        return self.peers(label)
