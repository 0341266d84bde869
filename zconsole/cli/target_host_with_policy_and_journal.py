"""Host to act on, with its context: other hosts to ask, policy, journal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import HOST
from zconsole.actions.intent import Intent
from zconsole.base.errors import HostKeyUnknown, UsageError, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.open_and_ask_named_hosts import CLOSE_TIMEOUT_S, NamedHost, open_hosts, with_trust_hint
from zconsole.cli.selected_hosts import THIS_HOST, HostSelection
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.execution.run_context import Writes
from zconsole.hosts.host import Host
from zconsole.model.run import Run
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal
from zconsole.storage.known_machines import KnownMachines
from zconsole.storage.run_in_thread import patiently
from zconsole.storage.send_bases_of_known_replicas import known_bases

OTHERS_TIMEOUT_S: Final = 10.0  # to reach our other hosts; the plan names those unreached


@dataclass(frozen=True, slots=True)
class ActingHost:
    """Context for acting on one host."""

    place: NamedHost
    operator: Operator

    @property
    def host(self) -> str:
        """Host name as the user gave it."""
        return self.place.host.label


def _to_nobody(_run: Run) -> None:
    """Default: no subscriber."""


@asynccontextmanager
async def acting_on(  # noqa: PLR0913 - the last three have good defaults
    where: HostSelection,
    config: Config,
    wanted: Intent,
    *,
    unlocks: bool = False,
    publish: Callable[[Run], None] = _to_nobody,
    write: Writes = patiently,
) -> AsyncIterator[ActingHost]:
    """Connected host, closed at the end. Raises UsageError unless one host is selected, and HostError."""
    place = selected_host(where, config)
    others = (*_others(where, config, place, wanted), *_named_host(where, config, place, wanted))
    policies = policies_of(where, config, place)
    if unlocks:
        for host in (place.host, *_changed(wanted, others)):
            policies.unlock(host.label)
    try:
        await asyncio.gather(_connect(place.host), *(_try_to_reach(host) for host in others))
        operator = Operator(
            [place.host, *others],
            clock=place.clock,
            policies=policies,
            journal=Journal(is_kept=not where.is_demo and where.replay is None),
            publish=publish,
            write=write,
            send_bases=None if where.is_demo or where.replay is not None else known_bases,
        )
        yield ActingHost(place, operator)
    finally:
        for host in (place.host, *others):
            with suppress(ZConsoleError, OSError, TimeoutError):
                await asyncio.wait_for(host.close(), CLOSE_TIMEOUT_S)


def policies_of(where: HostSelection, config: Config, place: NamedHost) -> Policies:
    """Restrictions by machine; practice hosts and recordings are not recorded as known machines."""
    is_real = not where.is_demo and where.replay is None
    return Policies(config, place.clock, KnownMachines(is_kept=is_real))


def selected_host(where: HostSelection, config: Config) -> NamedHost:
    """The one selected host. Raises UsageError where there are several."""
    places = open_hosts(where, config)
    if len(places) != 1:
        raise UsageError(
            f"a plan is for one host, not for {len(places)}",
            hint="Give --host once; plan for each by itself.",
        )
    return places[0]


def _others(where: HostSelection, config: Config, place: NamedHost, wanted: Intent) -> Sequence[Host]:
    """Our other configured hosts, where the action needs their imported pools."""
    if where.is_demo or where.replay is not None or not spec(wanted.action).needs(wanted).elsewhere:
        return ()
    ours = config.reached_as(place.host.label)
    names = [host.name for host in config.hosts if ours is None or host.name != ours.name]
    return tuple(each.host for name in names for each in open_hosts(HostSelection((name,)), config))


def _named_host(where: HostSelection, config: Config, place: NamedHost, wanted: Intent) -> Sequence[Host]:
    """Host that sends a stream or that a guest moves to, where one is named. Raises UsageError."""
    named = next((wanted.text(each.name) for each in spec(wanted.action).options if each.kind == HOST), "")
    if not named or named == place.host.label:
        return ()
    if where.is_demo or where.replay is not None:
        raise UsageError(
            f"there is no {named} here",
            hint="The practice host and recordings cannot be combined with other hosts.",
        )
    return tuple(each.host for each in open_hosts(HostSelection((named,)), config))


def _changed(wanted: Intent, others: Sequence[Host]) -> Sequence[Host]:
    """Those of these hosts that the action changes, too."""
    return [host for host in others if spec(wanted.action).other is not None]


async def _connect(host: Host) -> None:
    try:
        await host.connect()
    except HostKeyUnknown as error:
        raise with_trust_hint(error, host.label) from None


async def _try_to_reach(host: Host) -> None:
    """Connect if possible; the plan names an unreachable host when its reading fails."""
    with suppress(ZConsoleError, TimeoutError, OSError):
        await asyncio.wait_for(host.connect(), OTHERS_TIMEOUT_S)


def host_of_plan(where: HostSelection, host: str) -> HostSelection:
    """Host of a saved plan: the one it was made for, unless another is named."""
    if where.hosts or where.is_demo or where.replay is not None:
        return where
    return HostSelection(() if host == THIS_HOST else (host,))
