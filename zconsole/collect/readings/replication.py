"""Replication facts of a host: datasets with guids, sanoid's policy, sizes of increments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zconsole.analysis.replication.comparison_of_one_host import comparison_of
from zconsole.analysis.replication.replicas_and_send_bases import replicas
from zconsole.base.clock import Clock
from zconsole.base.errors import HostError, ParseError
from zconsole.base.escape_control_characters import decoded
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.listing_room import ListingRoom
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.collect.read_host import read_kstat_state, read_pool_names
from zconsole.hosts.host import Host
from zconsole.model.datasets.replication import ReplicatedDataset, ReplicatedHost
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.pool import SUSPENDED
from zconsole.zfs.listing.replication_guids import TIMEOUT_S, list_lineages, parse_lineages
from zconsole.zfs.sanoid_conf import DEFAULTS_PATHS, PATH, SanoidPolicy, parse_sanoid
from zconsole.zfs.stream.send_dry_run import measure_increment, parse_send_size


@dataclass(frozen=True, slots=True)
class ReplicationFacts:
    """Datasets and policy of one host; `problems` has the unreadable pools with reasons."""

    lineages: ReplicatedHost
    problems: tuple[tuple[str, str], ...] = ()
    policies: tuple[SanoidPolicy, ...] | None = None  # None: sanoid.conf is missing or unreadable
    policy_problem: str = ""


async def read_replication(asker: Asker) -> ReplicationFacts:
    """All facts of a host; an unreadable pool lacks only its own part. Raises HostError."""
    names = await read_pool_names(asker)
    room = ListingRoom()
    answers = await all_of(read_pool_lineages(asker, name, room=room) for name in names)
    lineages = [lineage for found, _ in answers for lineage in found]
    problems = [(name, why) for name, (_, why) in zip(names, answers, strict=True) if why]
    policies, problem = await _read_policy(asker, [lineage.name for lineage in lineages])
    return ReplicationFacts(
        ReplicatedHost(asker.host.label, tuple(lineages)), tuple(problems), policies, problem
    )


async def read_increment(asker: Asker, base: str, snapshot: str) -> int | None:
    """Size of an increment in bytes; None where ZFS does not report it to this user."""
    completed = await asker.run(measure_increment(base, snapshot), kind=f"send {snapshot}")
    if not completed.is_done:
        return None
    try:
        return parse_send_size(decoded(completed.stdout + completed.stderr))
    except ParseError:
        return None


async def read_pool_lineages(
    asker: Asker, name: str, timeout_s: float = TIMEOUT_S, *, room: ListingRoom | None = None
) -> tuple[tuple[ReplicatedDataset, ...], str]:
    """Datasets of a pool with their send points, and the reason where unreadable."""
    if await read_kstat_state(asker.host, name) == SUSPENDED:
        return (), "it is suspended"
    try:
        answer = await asker.ask(
            replace(list_lineages(name), timeout_s=timeout_s), kind="lineages", pool=name
        )
        return parse_lineages((room or ListingRoom()).take(answer)), ""
    except (HostError, ParseError) as error:
        return (), in_words(error)


async def with_pools_compared(state: HostState, host: Host, clock: Clock, *, timeout_s: float) -> HostState:
    """A state with what its own pools tell of copies; a pool that cannot be read in time is a problem.

    A single pool is not read: a copy on it would be none.
    """
    if len(state.pools) < 2:
        return state
    asker = Asker(host)
    room = ListingRoom()
    answers = await all_of(read_pool_lineages(asker, pool.name, timeout_s, room=room) for pool in state.pools)
    problems = [f"{pool.name}: {why}" for pool, (_, why) in zip(state.pools, answers, strict=True) if why]
    if problems:
        return replace(state, replication=Reading(problem="; ".join(problems)))
    hosts = (ReplicatedHost(state.host, tuple(each for found, _ in answers for each in found)),)
    seen = comparison_of(state.host, hosts, replicas(hosts), clock.now())
    return replace(state, replication=Reading(seen, clock.monotonic()))


async def _read_policy(asker: Asker, datasets: Sequence[str]) -> tuple[tuple[SanoidPolicy, ...] | None, str]:
    try:
        text = await _read_text(asker, PATH)
        if text is None:
            return None, ""
        defaults = None
        for path in DEFAULTS_PATHS:
            defaults = defaults if defaults is not None else await _read_text(asker, path)
        return parse_sanoid(text, datasets, defaults_text=defaults), ""
    except (HostError, ParseError) as error:
        return None, in_words(error)


async def _read_text(asker: Asker, path: str) -> str | None:
    try:
        return (await asker.host.read(path)).decode("utf-8", "surrogateescape")
    except (FileNotFoundError, PermissionError):
        return None
