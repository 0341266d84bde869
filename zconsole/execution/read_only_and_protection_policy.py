"""Policy of the configuration: read-only hosts and protected objects.

It applies to the machine, however it was reached. If anything suggests that a machine is one of the
configuration, its restrictions apply; if several match, all of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final

from zconsole.base.clock import Clock, SystemClock
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.collect.machine_identity import read_identity, read_own_keys
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import is_here
from zconsole.hosts.import_asyncssh_with_empty_path import load_asyncssh
from zconsole.model.host.machine_identity import MachineIdentity, in_common, is_surely_same, keys
from zconsole.model.host.plan_facts import BY_UNLOCKING, HostPolicy
from zconsole.storage.known_machines import KnownMachines
from zconsole.storage.run_in_thread import patiently

if TYPE_CHECKING:
    from zconsole.hosts.ssh.resolve_by_ssh_config import Whereabouts

UNLOCKED_S: Final = 15 * 60.0
LookUp = Callable[[str], Awaitable["Whereabouts | None"]]


def _in_memory() -> KnownMachines:
    return KnownMachines(is_kept=False)


async def _by_ssh_config(address: str) -> Whereabouts | None:
    load_asyncssh()
    from zconsole.hosts.ssh.resolve_by_ssh_config import look_up  # noqa: PLC0415  # loads asyncssh

    return await look_up(address)


@dataclass(slots=True)
class Policies:
    """Policy by host label, and unlock times.

    `machines` knows who answered where; without it a machine is known once this console has met it.
    """

    config: Config = field(default_factory=Config)
    clock: Clock = field(default_factory=SystemClock)
    machines: KnownMachines = field(default_factory=_in_memory)
    look_up: LookUp = _by_ssh_config
    _unlocked_until: dict[str, float] = field(default_factory=dict)  # monotonic seconds
    _met: dict[str, MachineIdentity] = field(default_factory=dict)  # by label: the machine that answers
    _leads: dict[tuple[str, str], str] = field(default_factory=dict)  # (label, section): evidence

    def of(self, host: str) -> HostPolicy:
        """Restrictions of a host, as far as its identity is known."""
        protected = list(self.config.protected)
        read_only = (
            ("zconsole was started read-only", "start it without") if self.config.is_read_only else None
        )
        for section, why in self._sections(host):
            protected += section.protected
            read_only = read_only or self._read_only(host, section, why)
        reason, ends = read_only or ("", "")
        return HostPolicy(reason, ends, protected=tuple(dict.fromkeys(protected)))

    async def meet(self, asker: Asker, identity: MachineIdentity | None = None) -> HostPolicy:
        """Restrictions of the machine that answers now. Raises HostError while it is being identified."""
        host = asker.host.label
        if not any(each.restricts for each in self.config.hosts):
            return self.of(host)
        identity = identity or await read_identity(asker)
        known = self._met.get(host)
        if known is None or replace(known, host_keys=()) != replace(identity, host_keys=()):
            whole = replace(identity, host_keys=await read_own_keys(asker.host))
            await self._see_where_it_leads(host, whole, is_local=is_here(asker.host))
            if self.config.reached_as(host) is not None:
                await patiently(self.machines.learn, self._address(host), whole, self.clock.now())
            self._met[host] = whole
        return self.of(host)

    def is_production(self, host: str) -> bool:
        """Whether the machine is a production host under any of its names, unlocked or not."""
        return any(section.is_production for section, _ in self._sections(host))

    def unlock(self, host: str) -> float:
        """Allow changes on a production machine temporarily; returns the end in epoch seconds."""
        self._unlocked_until[host] = self.clock.monotonic() + UNLOCKED_S
        return self.clock.now() + UNLOCKED_S

    def are_one(self, host: str, other: str) -> bool:
        """Whether both are certainly one machine."""
        if host == other:
            return True
        one, two = self._met.get(host), self._met.get(other)
        return one is not None and two is not None and is_surely_same(one, two)

    def _read_only(self, host: str, section: HostConfig, why: str) -> tuple[str, str] | None:
        """Why a section makes the host read-only, and what would allow changes."""
        who = f"{host} {why}, which" if why else host
        if section.is_read_only:
            return (
                f"{who} is read-only in the configuration",
                "remove `read_only` there, or act on it by hand",
            )
        if section.is_production and not self._is_unlocked(host):
            reason = f"{who} is a production host, read-only until it is unlocked"
            return reason, BY_UNLOCKING
        return None

    def _is_unlocked(self, host: str) -> bool:
        now = self.clock.monotonic()
        return any(now < until and self.are_one(host, each) for each, until in self._unlocked_until.items())

    def _sections(self, host: str) -> Iterator[tuple[HostConfig, str]]:
        """Matching sections of the configuration; for those not matched by name, the reason."""
        named = self.config.reached_as(host)
        if named is not None:
            yield named, ""
        for section in self.config.hosts:
            if section != named and section.restricts:
                why = self._evidence(host, section)
                if why:
                    yield section, why

    def _evidence(self, host: str, section: HostConfig) -> str:
        met = self._met.get(host)
        ours = (met,) if met is not None else self.machines.at(self._address(host))
        theirs = (*self.machines.at(section.address), *self._met_as(section))
        for one in ours:
            for other in theirs:
                shared = in_common(one, other)
                if shared:
                    return f"has the {shared} of {section.name}"
        return self._leads.get((host, section.name), "")

    def _met_as(self, section: HostConfig) -> tuple[MachineIdentity, ...]:
        return tuple(
            self._met[name] for name in dict.fromkeys((section.name, section.address)) if name in self._met
        )

    def _address(self, host: str) -> str:
        named = self.config.host(host)
        return host if named is None else named.address

    async def _see_where_it_leads(self, host: str, identity: MachineIdentity, *, is_local: bool) -> None:
        """Evidence from ssh_config and known_hosts on sections that were never reached."""
        ours = None if is_local else await self.look_up(self._address(host))
        for section in self.config.hosts:
            if section == self.config.reached_as(host) or not section.restricts:
                continue
            theirs = await self.look_up(section.address)
            why = ""
            if theirs is not None and ours is not None and ours.leads_to(theirs):
                why = f"leads to the address of {section.name}"
            elif theirs is not None and keys(identity) & theirs.keys:
                why = f"has the host key of {section.name}"
            elif is_local and _is_called(identity, section, theirs):
                why = f"is called as {section.name}"
            self._leads[host, section.name] = why


def _is_called(identity: MachineIdentity, section: HostConfig, leads: Whereabouts | None) -> bool:
    """Whether a machine's own name matches the configured host, with or without domain."""
    own = (identity.hostname or "").lower()
    names = {section.name.lower(), *((leads.host,) if leads is not None else ())}
    return bool(own) and bool({own, own.partition(".")[0]} & names)
